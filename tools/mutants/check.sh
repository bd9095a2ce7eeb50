#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The mutation check: weaves and builds the mutants, runs the tests for each, writes tools/mutants/results.md and fails where
# too few are caught or a survivor is not explained. JOBS: runs at a time; ONLY: numbers or rooms of mutants.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
.venv/bin/python tools/mutants/weave.py
tools/mutants/bundle.sh
build/mutants/run/run.sh
.venv/bin/python tools/mutants/report.py

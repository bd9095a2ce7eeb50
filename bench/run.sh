#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the benchmark and runs it beside the peers: bench/run.sh [small]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tools/build.sh release bench_fit
exec .venv/bin/python bench/tree_fit.py build/release/bench/bench_fit "$@"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Configures and builds one preset: tools/build.sh preset [target...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=$1
shift
mkdir -p build
# The configure chatter matters only when it fails.
if ! cmake --preset "$preset" >"build/$preset-configure.log" 2>&1; then
  cat "build/$preset-configure.log" >&2
  exit 1
fi
targets=()
(($#)) && targets=(--target "$@")
exec cmake --build --preset "$preset" ${JOBS:+-j "$JOBS"} ${targets[@]+"${targets[@]}"}

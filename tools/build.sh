#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Configures and builds one preset: tools/build.sh preset [target...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=$1
shift
mkdir -p build
# These builds make the extension of the Python package too, once .venv has what that needs.
options=()
[[ $preset =~ ^(release|ship|aarch64)$ ]] && options=(-DBOUGH_PYTHON=OFF)
if [[ $preset =~ ^(release|ship|aarch64)$ ]] && .venv/bin/python -c 'import nanobind' 2>/dev/null; then
  options=(-DBOUGH_PYTHON=ON "-DPython_EXECUTABLE=$PWD/.venv/bin/python")
  # CMake does not ask this machine's Python for headers to compile for another; those of the stable ABI serve both.
  [[ $preset != aarch64 ]] ||
    options+=("-DPython_INCLUDE_DIR=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("include"))')")
fi
# The configure chatter matters only when it fails.
if ! cmake --preset "$preset" ${options[@]+"${options[@]}"} >"build/$preset-configure.log" 2>&1; then
  cat "build/$preset-configure.log" >&2
  exit 1
fi
build=(cmake --build --preset "$preset" ${JOBS:+-j "$JOBS"})
(($#)) && build+=(--target "$@")
exec "${build[@]}"

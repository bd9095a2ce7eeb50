#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Configures and builds one preset: tools/build.sh preset [target...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=$1
shift
mkdir -p build
# The release build makes the extension of the Python package too, once .venv has what that needs.
options=()
[[ $preset == release ]] && options=(-DBOUGH_PYTHON=OFF)
if [[ $preset == release ]] && .venv/bin/python -c 'import nanobind' 2>/dev/null; then
  options=(-DBOUGH_PYTHON=ON "-DPython_EXECUTABLE=$PWD/.venv/bin/python")
fi
# From nothing, files are compiled together: for continuous integration, and where ccache is absent or holds hardly anything.
# A build folder keeps what it began with.
cached_kib() { ccache --print-stats 2>/dev/null | awk '$1 == "cache_size_kibibyte" {print $2}'; }
if [[ ! -f build/$preset/CMakeCache.txt ]]; then
  kib=$(cached_kib) || kib=0
  if [[ -n ${CI:-} ]] || ((${kib:-0} < 200000)); then options+=(-DBOUGH_UNITY=ON); fi
fi
configure() {
  # The configure chatter matters only when it fails.
  if ! cmake --preset "$preset" ${options[@]+"${options[@]}"} >"build/$preset-configure.log" 2>&1; then
    cat "build/$preset-configure.log" >&2
    exit 1
  fi
}
configure
build=(cmake --build --preset "$preset" ${JOBS:+-j "$JOBS"})
(($#)) && build+=(--target "$@")
if ! grep -q '^BOUGH_UNITY:BOOL=ON' "build/$preset/CMakeCache.txt"; then exec "${build[@]}"; fi
log=build/$preset-build.log
"${build[@]}" -- -k 0 2>&1 | tee "$log" && exit 0
# Files that disturb each other after all are compiled alone.
alone=$(sed -nE 's/^FAILED: .*Unity\/unity_(\w+)_cxx.*/\1/p' "$log")
[[ -n $alone ]] || exit 1
echo "$alone" >>"build/$preset/unity-alone.txt"
configure
exec "${build[@]}"

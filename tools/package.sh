#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Python package into .venv out of what build/release holds; nothing is compiled. Without changes it only looks.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$PWD/build/release stamp=.venv/bough-package
parts=(python pyproject.toml cli/data "$build/python" "$build/bough")
[[ ! -f $build/libbough_arrow.so ]] || parts+=("$build/libbough_arrow.so")
if [[ -f $stamp && -z $(find "${parts[@]}" -newer "$stamp" -type f -not -path '*/__pycache__/*' -not -path '*/CMakeFiles/*' -print -quit) ]]; then
  exit 0
fi
BOUGH_PREBUILT=$build .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps \
  --force-reinstall . -C build-dir=build/package
touch "$stamp"

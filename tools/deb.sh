#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The Debian package of program, headers and library for the release of Debian that runs it, into build/dist. The same commit gives
# the same bytes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)}
export SOURCE_DATE_EPOCH
tools/build.sh deb bough bough_cli bough_embed
python3 tools/licences.py --build build/deb -o build/deb/THIRD_PARTY_LICENSES.txt
rm -f build/dist/*.deb
mkdir -p build/dist
if ! (cd build/deb && cpack -B ../dist >../cpack.log 2>&1); then
  cat build/cpack.log >&2
  exit 1
fi
rm -rf build/dist/_CPack_Packages
ls build/dist/*.deb

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packs the fuzz targets with every library they need, the loader included, seeds and dictionaries into a folder that runs on
# any Linux of this processor family, with nothing installed: fuzz/bundle.sh [FOLDER] [BUILD]. There: FOLDER/fuzz SECONDS [CORES];
# here again, with what it printed: python3 tools/parts.py fuzz --from TABLE
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=${1:-build/fuzz-bundle}
build=${2:-build/fuzz-shared}
if [[ $build == build/fuzz-shared ]]; then
  mkdir -p build
  cmake --preset fuzz -B "$build" -DBOUGH_FUZZ_SHARED=ON >build/fuzz-shared-configure.log
  ninja -C "$build" ${JOBS:+-j "$JOBS"} fuzz/all
fi
rm -rf "$folder"
mkdir -p "$folder/lib"
for program in "$build"/fuzz/fuzz_*; do
  [[ -f $program && -x $program && $program != *make_seeds ]] || continue
  strip -o "$folder/lib/$(basename "$program")" "$program"
  ldd "$program" | grep -oE '/[^ ]+' >>"$folder/libraries"
done
# Lines of ldd: "name => path (address)" and, for the loader, "path (address)".
sort -u "$folder/libraries" | while read -r library; do
  if [[ $library == *libbough* ]]; then
    strip -o "$folder/lib/$(basename "$library")" "$library"
  else
    cp -L "$library" "$folder/lib/"
  fi
done
rm "$folder/libraries"
cp -r fuzz/seeds fuzz/dictionaries "$folder/"
[[ ! -d fuzz/regressions ]] || cp -r fuzz/regressions "$folder/"
cp fuzz/bundled.sh "$folder/fuzz"
python3 tools/parts.py fuzz --sources >"$folder/sources"
du -sh "$folder" | sed 's/\t/ in /; s/^/packed /'

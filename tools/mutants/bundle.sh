#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packs the mutated test programs with every library they need, the loader included, and run.sh, into a folder that runs on
# any Linux of this processor family with nothing installed: tools/mutants/bundle.sh [FOLDER]. There: FOLDER/run.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=${1:-build/mutants/run}
build=build/mutants/src/build/release
python=.venv/bin/python
rm -rf "${folder:?}/lib"
mkdir -p "$folder/lib"
$python tools/mutants/table.py programs >"$folder/programs"
$python tools/mutants/table.py mutants >"$folder/mutants.new"
# Which tests reach which mutants is asked anew; of other mutants the last results say nothing.
rm -rf "$folder/reached"
if ! cmp -s "$folder/mutants.new" "$folder/mutants"; then rm -f "$folder/results.jsonl"; fi
mv "$folder/mutants.new" "$folder/mutants"
read -ra programs <"$folder/programs"
for name in "${programs[@]}"; do
  program=$(find "$build/tests/cpp" -name "test_$name" -type f)
  strip -o "$folder/lib/test_$name" "$program"
  # Lines of ldd: "name => path (address)" and, for the loader, "path (address)".
  ldd "$program" | grep -oE '/[^ ]+' | sort -u | xargs -I{} cp -L {} "$folder/lib/"
  basename "$(ldd "$program" | grep -oE '^\s*/[^ ]+' | tr -d '[:space:]')" >"$folder/loader"
done
cp tools/mutants/run.sh "$folder/"
# What a test program reads.
mkdir -p "$folder/tests/cpp/threads"
cp tests/cpp/threads/prints.txt "$folder/tests/cpp/threads/"
du -sh "$folder" | sed 's/\t/ in /; s/^/packed /'

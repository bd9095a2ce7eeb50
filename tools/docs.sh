#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the site out of docs/, the package in .venv and build/release/bough; a warning is an error. No network is used.
# tools/docs.sh [folder]   default: build/docs, the site in its folder html
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=${1:-build/docs}
mkdir -p "$out"
out=$(cd "$out" && pwd)
export BOUGH_ROOT=$PWD MPLBACKEND=Agg
mkdir -p "$out/doxygen"
doxygen <(cat tools/docs/Doxyfile && echo "OUTPUT_DIRECTORY = \"$out/doxygen\"")
.venv/bin/python tools/docs/stage.py "$out/source"
# A font with the measures that browsers need to place indices and fractions; without it they take one of the system's.
font=/usr/share/fonts/opentype/stix-word/STIXMath-Regular.otf
if [[ -f $font ]]; then cp "$font" "$out/source/_static/math.otf"; fi
# The report on the first page is a real one.
build/release/bough demo --write iris -o "$out/iris.csv"
build/release/bough train "$out/iris.csv" --target species --max-depth 2 -o "$out/iris.bough" > "$out/train.log"
build/release/bough report "$out/iris.bough" --data "$out/iris.csv" --title "Predicting species" -o "$out/source/_static/iris.html" > "$out/train.log"
.venv/bin/python tools/docs/reference.py build/release/bough "$out/doxygen/xml" "$out/source/reference"
.venv/bin/python -m sphinx -q -W --keep-going -n -j auto -b html -d "$out/doctrees" "$out/source" "$out/html"
echo "built $out/html/index.html"

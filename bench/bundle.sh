#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packs bench_scale (or another program) with every library it needs, the loader included, into a folder that runs on any Linux
# of this processor family, with nothing installed: bench/bundle.sh [FOLDER] [BUILD] [scale|load].
# There: FOLDER/scale [options of bench_scale], FOLDER/load [options of bench_load]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
name=${3:-scale}
folder=${1:-build/bench-$name}
build=${2:-build/release}
[[ $build != build/release ]] || tools/build.sh release "bench_$name"
rm -rf "$folder"
mkdir -p "$folder/lib"
cp "$build/bench/bench_$name" "$folder/lib/"
# Lines of ldd: "name => path (address)" and, for the loader, "path (address)".
ldd "$folder/lib/bench_$name" | grep -oE '/[^ ]+' | sort -u | xargs -I{} cp -L {} "$folder/lib/"
loader=$(basename "$(ldd "$folder/lib/bench_$name" | grep -oE '^\s*/[^ ]+' | tr -d '[:space:]')")
cat >"$folder/$name" <<SCRIPT
#!/bin/sh
# Runs the packed bench_$name with its own libraries.
here=\$(dirname "\$0")
exec "\$here/lib/$loader" --library-path "\$here/lib" "\$here/lib/bench_$name" "\$@"
SCRIPT
chmod +x "$folder/$name"
du -sh "$folder" | sed 's/\t/ in /; s/^/packed /'

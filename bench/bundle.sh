#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packs bench_scale with every library it needs, the loader included, into a folder that runs on any Linux of this processor
# family, with nothing installed: bench/bundle.sh [FOLDER] [BUILD]. There: FOLDER/scale [options of bench_scale]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=${1:-build/bench-scale}
build=${2:-build/release}
[[ $build != build/release ]] || tools/build.sh release bench_scale
rm -rf "$folder"
mkdir -p "$folder/lib"
cp "$build/bench/bench_scale" "$folder/lib/"
# Lines of ldd: "name => path (address)" and, for the loader, "path (address)".
ldd "$folder/lib/bench_scale" | grep -oE '/[^ ]+' | sort -u | xargs -I{} cp -L {} "$folder/lib/"
loader=$(basename "$(ldd "$folder/lib/bench_scale" | grep -oE '^\s*/[^ ]+' | tr -d '[:space:]')")
cat >"$folder/scale" <<SCRIPT
#!/bin/sh
# Runs the packed bench_scale with its own libraries.
here=\$(dirname "\$0")
exec "\$here/lib/$loader" --library-path "\$here/lib" "\$here/lib/bench_scale" "\$@"
SCRIPT
chmod +x "$folder/scale"
du -sh "$folder" | sed 's/\t/ in /; s/^/packed /'

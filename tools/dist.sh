#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The program for machines that have nothing, as a tarball in build/dist: one file that needs no library, with man page,
# completions, licences, SBOM and checksums: tools/dist.sh, or tools/dist.sh aarch64. The same commit gives the same bytes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)}
export SOURCE_DATE_EPOCH
machine=${1:-$(uname -m)}
preset=${1:-ship}
tools/static_deps.sh "$@"
tools/build.sh "$preset" bough_single
program=build/$preset/single/bough
ask=(${1:+qemu-aarch64} "$program")
name=bough-$("${ask[@]}" --version | cut -d' ' -f2)-linux-$machine
folder=build/$preset/$name
rm -rf "$folder" "build/dist/$name.tar.gz"
mkdir -p build/dist "$folder"/{bin,share/man/man1,share/bash-completion/completions,share/zsh/site-functions} \
  "$folder"/share/{fish/vendor_completions.d,doc/bough}
install -m 755 "$program" "$folder/bin/bough"
python3 tools/man_page.py "${ask[@]}" | gzip -9n >"$folder/share/man/man1/bough.1.gz"
"${ask[@]}" completion bash >"$folder/share/bash-completion/completions/bough"
"${ask[@]}" completion zsh >"$folder/share/zsh/site-functions/_bough"
"${ask[@]}" completion fish >"$folder/share/fish/vendor_completions.d/bough.fish"
# Parts of the extension are no parts of the program.
python3 tools/sbom.py --build "build/$preset" --program -o "$folder/share/doc/bough/bough.cdx.json"
python3 tools/licences.py --build "build/$preset" --program -o "$folder/share/doc/bough/THIRD_PARTY_LICENSES.txt"
cp LICENSE CHANGELOG.md SECURITY.md "$folder/share/doc/bough/"
(cd "$folder" && find . -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "build/$preset" -c "$name" | gzip -9n >"build/dist/$name.tar.gz"
(cd build/dist && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
ls "build/dist/$name.tar.gz"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Format and lint: tools/lint.sh format|gate|check [files...]. The gate, a part of `make test`, is the format and the layers
# of every source file; check adds clang-tidy on the files given, or on those that differ from HEAD (it is slow).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mode=$1
shift

sources() {
  local file
  git ls-files --cached --others --exclude-standard -- "$@" | sort -u | while read -r file; do
    if [[ -f $file ]]; then echo "$file"; fi
  done
}
if (($#)); then
  mapfile -t cpp < <(printf '%s\n' "$@" | grep -E '\.(c|cpp|h|hpp)$' || true)
  mapfile -t py < <(printf '%s\n' "$@" | grep -E '\.py$' || true)
else
  mapfile -t cpp < <(sources '*.c' '*.cpp' '*.h' '*.hpp')
  mapfile -t py < <(sources '*.py')
fi

if [[ $mode == format ]]; then
  ((${#cpp[@]} == 0)) || clang-format -i "${cpp[@]}"
  ((${#py[@]} == 0)) || { .venv/bin/ruff check -q --fix "${py[@]}" && .venv/bin/ruff format -q "${py[@]}"; }
  exit 0
fi

failed=0
step() {
  local name=$1
  shift
  if "$@"; then echo "ok      $name"; else echo "FAILED  $name" && failed=1; fi
}
tidy() {
  local wanted=() file
  for file in "$@"; do
    # Only files of the compilation database can be looked at.
    grep -qF "/$file\"" build/lint/compile_commands.json && wanted+=("$file")
  done
  ((${#wanted[@]})) || { echo "clang-tidy: no compiled file to look at" && return 0; }
  printf '%s\n' "${wanted[@]}" | xargs -P "$(nproc)" -n 1 clang-tidy --quiet -p build/lint 2>/dev/null
}
# Other versions lay out some lines otherwise.
format_is_known() { [[ $(clang-format --version) == *"version 14."* ]]; }
if (($#)); then
  tidy_files=("${cpp[@]}")
else
  mapfile -t tidy_files < <({
    git diff --name-only --diff-filter=d HEAD -- 'src/*.cpp' 'cli/*.cpp'
    git ls-files --others --exclude-standard -- 'src/*.cpp' 'cli/*.cpp'
  } | sort -u)
fi

if ! format_is_known; then
  echo "skipped clang-format: this is $(clang-format --version), not version 14"
elif ((${#cpp[@]})); then
  step "clang-format" clang-format --dry-run -Werror "${cpp[@]}"
fi
((${#py[@]} == 0)) || step "ruff check" .venv/bin/ruff check -q "${py[@]}"
((${#py[@]} == 0)) || step "ruff format" .venv/bin/ruff format -q --check "${py[@]}"
step "layers" python3 tools/check_layers.py
if [[ $mode == check ]] && ((${#tidy_files[@]})); then
  # Never built: commands for one file at a time.
  cmake --preset release -B build/lint -DBOUGH_UNITS=OFF >/dev/null
  step "clang-tidy" tidy "${tidy_files[@]}"
fi
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Format and lint: tools/lint.sh format|check [files...]. Formatting is checked on every source file; clang-tidy runs
# on the files given, or on those that differ from HEAD (it is slow).
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
    grep -qF "/$file\"" build/release/compile_commands.json && wanted+=("$file")
  done
  ((${#wanted[@]})) || { echo "clang-tidy: no compiled file to look at" && return 0; }
  printf '%s\n' "${wanted[@]}" | xargs -P "$(nproc)" -n 1 clang-tidy --quiet -p build/release 2>/dev/null
}
if (($#)); then
  tidy_files=("${cpp[@]}")
else
  mapfile -t tidy_files < <({
    git diff --name-only --diff-filter=d HEAD -- 'src/*.cpp' 'cli/*.cpp'
    git ls-files --others --exclude-standard -- 'src/*.cpp' 'cli/*.cpp'
  } | sort -u)
fi

((${#cpp[@]} == 0)) || step "clang-format" clang-format --dry-run -Werror "${cpp[@]}"
((${#py[@]} == 0)) || step "ruff check" .venv/bin/ruff check -q "${py[@]}"
((${#py[@]} == 0)) || step "ruff format" .venv/bin/ruff format -q --check "${py[@]}"
step "layers" python3 tools/check_layers.py
if ((${#tidy_files[@]})); then
  cmake --preset release >/dev/null
  step "clang-tidy" tidy "${tidy_files[@]}"
fi
exit $failed

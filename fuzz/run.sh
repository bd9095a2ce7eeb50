#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs one fuzz program: fuzz/run.sh SECONDS|short PROGRAM [options of libFuzzer]
# First all seeds and regressions of the target, then new inputs for that time. What is found worth keeping lies in the folder
# of the program, under found/; what broke it too, as crash-*, leak-*, oom-* or timeout-*.
# short: two seconds from a fixed seed, nothing is kept, and a slow machine is forgiven.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
seconds=$1
program=$(realpath "$2")
target=${2##*/fuzz_}
shift 2
most=4096
[[ $target != model* && $target != blocks ]] || most=8192
[[ $target != packed ]] || most=512
options=(-max_len=$most -rss_limit_mb=1024 -malloc_limit_mb=1024 -print_final_stats=1)
[[ ! -f $here/dictionaries/$target.dict ]] || options+=("-dict=$here/dictionaries/$target.dict")
# Freed memory is kept back for a while to see late uses of it: a little is enough, and memory stays a measure. Stacks of
# allocations are short, for speed; run a broken input with the defaults to see all of them.
export ASAN_OPTIONS=${BOUGH_FUZZ_ASAN:-detect_leaks=1:quarantine_size_mb=16:malloc_context_size=2:max_malloc_fill_size=0} UBSAN_OPTIONS=print_stacktrace=1
folders=("$here/seeds/$target")
[[ ! -d $here/regressions/$target ]] || folders+=("$here/regressions/$target")
if [[ $seconds == short ]]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  options+=(-max_total_time=2 -timeout=20 -seed=20261115 "-artifact_prefix=$work/" -verbosity=0)
  if "$program" "${options[@]}" "$@" "$work" "${folders[@]}" >"$work/log" 2>&1; then
    grep -E 'number_of_executed|peak_rss' "$work/log"
    exit 0
  fi
  cat "$work/log"
  # The input, as a regression to be added.
  for broken in "$work"/crash-* "$work"/leak-* "$work"/oom-* "$work"/timeout-*; do
    [[ ! -f $broken ]] || { echo "input ${broken##*/}, base64:"; base64 -w0 "$broken"; echo; }
  done
  exit 1
fi
work=$(dirname "$program")/found/$target
mkdir -p "$work/corpus"
exec "$program" "${options[@]}" "-max_total_time=$seconds" -timeout=1 "-artifact_prefix=$work/" "$@" "$work/corpus" "${folders[@]}"

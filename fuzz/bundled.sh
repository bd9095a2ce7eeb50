#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs packed fuzz targets side by side: fuzz SECONDS [CORES]; made by fuzz/bundle.sh, needs bash and awk only.
# One process per core; targets take turns until the cores are used up, and the processes of a target share what they find.
# A process that breaks is started again for the rest of the time; its input stays in found/<target>/.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
seconds=${1:?usage: fuzz SECONDS [CORES]}
cores=${2:-$(nproc)}
out=${OUT:-$here}/found
loader=$(echo "$here"/lib/ld-linux*)
export ASAN_OPTIONS=detect_leaks=1:quarantine_size_mb=16:malloc_context_size=2:max_malloc_fill_size=0 UBSAN_OPTIONS=print_stacktrace=1
targets=()
for program in "$here"/lib/fuzz_*; do targets+=("${program##*/fuzz_}"); done
end=$(($(date +%s) + seconds))

# one target number: until the time is over.
one() {
  local target=$1 number=$2 work=$out/$1 most=4096 left round=0
  [[ $target != model* && $target != blocks ]] || most=8192
  [[ $target != packed ]] || most=512
  local folders=("$here/seeds/$target") options=()
  [[ ! -d $here/regressions/$target ]] || folders+=("$here/regressions/$target")
  [[ ! -f $here/dictionaries/$target.dict ]] || options+=("-dict=$here/dictionaries/$target.dict")
  while left=$((end - $(date +%s))) && ((left > 1)); do
    "$loader" --library-path "$here/lib" "$here/lib/fuzz_$target" -max_total_time="$left" -timeout=1 -rss_limit_mb=1024 \
      -malloc_limit_mb=1024 -max_len=$most -print_final_stats=1 -reload=30 "-artifact_prefix=$work/" ${options[@]+"${options[@]}"} \
      "$work/corpus" "${folders[@]}" >"$work/log-$number-$round" 2>&1
    round=$((round + 1))
  done
}

rm -rf "$out"
for target in "${targets[@]}"; do mkdir -p "$out/$target/corpus"; done
count=$((cores > ${#targets[@]} ? cores : ${#targets[@]}))
for ((i = 0; i < count; ++i)); do one "${targets[i % ${#targets[@]}]}" "$i" & done
wait
echo "sources $(cat "$here/sources"), $seconds s, $cores cores"
printf '%-12s %12s %10s %10s %8s %8s\n' target executions per_s peak_rss slowest_s broken
all=0
for target in "${targets[@]}"; do
  read -r runs rss slow <<<"$(awk '$1 == "stat::number_of_executed_units:" {n += $2} $1 == "stat::peak_rss_mb:" && $2 > r {r = $2}
    $1 == "stat::slowest_unit_time_sec:" && $2 > s {s = $2} END {print n + 0, r + 0, s + 0}' "$out/$target"/log-*)"
  broken=$(find "$out/$target" -maxdepth 1 \( -name 'crash-*' -o -name 'leak-*' -o -name 'oom-*' -o -name 'timeout-*' \) | wc -l)
  printf '%-12s %12d %10d %7d MB %8s %8d\n' "$target" "$runs" $((runs / seconds)) "$rss" "$slow" "$broken"
  all=$((all + runs))
done
printf '%-12s %12d %10d\n' all "$all" $((all / seconds))
# What broke, in its own words; the corpora are of no use to anybody.
grep -hE '^(==[0-9]+==ERROR|SUMMARY|BROKEN PROMISE)' "$out"/*/log-* | sort | uniq -c | sort -rn | head -20
rm -rf "$out"/*/corpus

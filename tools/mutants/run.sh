#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tests once for every mutant; needs bash and coreutils only: run.sh [FOLDER]
# FOLDER (default: where this script lies) is what bundle.sh packs. Results go to FOLDER/results.jsonl, a line per mutant; those
# that have one are not run again. JOBS: runs at a time. ONLY: numbers or rooms, separated by spaces. SECONDS_LEFT: no
# mutant is begun after as many seconds.
set -u
here=$(cd "${1:-$(dirname "${BASH_SOURCE[0]}")}" && pwd) || exit
cd "$here" || exit
jobs=${JOBS:-$(nproc)} only=" ${ONLY:-} " last=${SECONDS_LEFT:-1000000}
export BOUGH_SEED=20261115
ulimit -v 16000000 2>/dev/null  # KiB: a mutant that asks for everything fails
mkdir -p reached logs
loader=$(<loader)
read -ra names <programs

# Two cores each, so that the threads of one run do not wait for those of the others.
cores=$(nproc) on=()
((cores > 2)) && taskset -c 0 true 2>/dev/null && taskset -c $((cores - 1)) true 2>/dev/null && on=(taskset -c)
pinned() { # number of the run, command...
  local first=$(($1 % cores)) number=$1
  shift
  if ((${#on[@]} && number > 0)); then "${on[@]}" "$first,$(((first + 1) % cores))" "$@"; else "$@"; fi
}

# program FEWER CASES SECONDS FILTER LOG: runs a test program on a part of its random tables.
program() {
  BOUGH_FEWER=$2 BOUGH_CASES=$3 pinned "${BOUGH_MUTANT:-0}" timeout -k 5 "$4" "lib/$loader" --library-path lib "lib/test_$1" \
    --gtest_filter="$5" --gtest_fail_fast --gtest_brief=1 >"$6" 2>&1 </dev/null
}

# Without a mutant: which tests reach which, and how long they take.
survey() {
  local name
  for name in "${names[@]}"; do
    [[ -f reached/$name ]] && continue
    while (($(jobs -rp | wc -l) >= jobs)); do wait -n; done
    {
      if BOUGH_REACHED=$here/reached/$name.part program "$name" 5 100 900 '*' "logs/survey-$name"; then
        mv "reached/$name.part" "reached/$name"
      else
        echo "run.sh: test_$name fails without a mutant (logs/survey-$name)" >&2
      fi
    } &
  done
  wait
  for name in "${names[@]}"; do [[ -f reached/$name ]] || exit 1; done
}

# quick[program number], slow[...]: the tests that reach a mutant, those of up to two seconds and the others;
# usual[program]: the seconds that it takes. Several times as much is an endless loop.
declare -A quick slow usual
read_survey() {
  local name test ms numbers n total
  for name in "${names[@]}"; do
    total=0
    while read -r test ms numbers; do
      ((total += ms))
      for n in $numbers; do
        if ((ms <= 2000)); then quick[$name $n]+=$test:; else slow[$name $n]+=$test:; fi
      done
    done <"reached/$name"
    usual[$name]=$((total / 1000 + 4))
  done
}

failed_test() { # log
  local line
  while read -r line; do
    if [[ $line == *"FAILED  ] "* ]]; then
      line=${line#*FAILED  ] }
      echo "${line%%[ ,]*}"
      return
    fi
  done <"$1"
  echo "no test"
}

judge() { # number key room programs...
  local number=$1 key=$2 room=$3 name tests status begin=$SECONDS result=unreached by="" log=logs/$1
  shift 3
  export BOUGH_MUTANT=$number TMPDIR=$here/tmp/$number
  mkdir -p "$TMPDIR"
  # Few random tables first, then all of them: share of the tables, tables of the engines, limit of time.
  for step in "20 40 4 quick" "5 100 6 both" "1 400 25 both"; do
    read -r fewer cases times which <<<"$step"
    for name in "$@"; do
      tests=${quick[$name $number]:-}
      [[ $which == quick ]] || tests+=${slow[$name $number]:-}
      [[ -n $tests ]] || continue
      [[ $result == unreached ]] && result=survived
      program "$name" "$fewer" "$cases" $((times * usual[$name])) "${tests%:}" "$log"
      status=$?
      ((status == 0)) && continue
      case $status in
        1) by=$(failed_test "$log") ;;
        124 | 137) by="endless" ;;
        12[567]) result=error && break 2 ;;  # nothing was run
        *) by="status $status" ;;
      esac
      result=caught
      break 2
    done
  done
  printf '{"number": %d, "key": "%s", "room": "%s", "result": "%s", "program": "%s", "by": "%s", "seconds": %d}\n' \
    "$number" "$key" "$room" "$result" "$([[ $result == caught ]] && echo "$name")" "$by" $((SECONDS - begin)) >>results.jsonl
  rm -rf "$TMPDIR"
  [[ $result != caught ]] || rm -f "$log"
}

survey
read_survey
touch results.jsonl
done_already=$(<results.jsonl)
while read -r number key room judges; do
  [[ $done_already == *"\"$key\""* ]] && continue
  [[ $only == "  " || $only == *" $number "* || $only == *" $room "* ]] || continue
  ((SECONDS < last)) || break
  while (($(jobs -rp | wc -l) >= jobs)); do wait -n; done
  # shellcheck disable=SC2086  # words
  judge "$number" "$key" "$room" $judges &
done <mutants
wait
echo "$(wc -l <results.jsonl) of $(wc -l <mutants) mutants judged, $(grep -c '"caught"' results.jsonl) caught"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzz targets and runs them one after the other: fuzz/all.sh SECONDS [target...]; all targets when none is named.
# Prints a line for each, and fails when one of them broke.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=$1
shift
(($#)) || set -- arff arrow blocks csv model model_json packed params rules schema svmlight
tools/build.sh fuzz "${@/#/fuzz_}" || exit
status=0
printf '%-12s %12s %8s %8s  %s\n' target executions per_s rss_MB result
for target in "$@"; do
  log=build/fuzz/$target.log
  result=ok
  fuzz/run.sh "$seconds" "build/fuzz/fuzz/fuzz_$target" >"$log" 2>&1 || { result="BROKEN, see $log"; status=1; }
  stat() { awk -v name="stat::$1:" '$1 == name {print $2}' "$log"; }
  printf '%-12s %12s %8s %8s  %s\n' "$target" "$(stat number_of_executed_units)" "$(stat average_exec_per_sec)" \
    "$(stat peak_rss_mb)" "$result"
done
exit $status

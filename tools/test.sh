#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and runs the short tests, all of them even when some fail, and ends with a summary, which says what was skipped:
# tools/test.sh. Two of the long ones (tools/parts.py): tools/test.sh tsan, tools/test.sh instruction-sets.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
summary=() failed=0
run() {
  local name=$1 start=$SECONDS status=0
  shift
  printf '\n== %s\n' "$name"
  "$@" || status=$?
  if ((status == 0)); then
    summary+=("ok      $name ($((SECONDS - start)) s)")
  else
    summary+=("FAILED  $name (status $status, $((SECONDS - start)) s)")
    failed=1
  fi
  return "$status"
}

# Adds to the line of the tests that ran last how many of them were skipped, and why.
tell_skipped() { [[ ! -f $1 ]] || summary[-1]+=", $(python3 tools/skipped.py "$1")"; }

cpp_tests() {
  local preset=$1 status=0
  run "build $preset" tools/build.sh "$preset" || return
  run "C++ tests, $preset" ctest --test-dir "build/$preset" --output-on-failure -j "$(nproc)" -LE '^long$' --no-tests=error ||
    status=$?
  tell_skipped "build/$preset/Testing/Temporary/LastTest.log"
  return "$status"
}

# A process per core, each with whole files, so that what a file has built or trained serves all its tests.
python_tests() {
  rm -f build/python-tests.xml
  .venv/bin/python -m pytest tests -q --junitxml build/python-tests.xml -m "not long" -n "$(nproc)" --dist loadfile
}

# The same random tables every time, so that the result says something about the change under test; long tests draw new ones
# (their logs name the seed).
export BOUGH_SEED=${BOUGH_SEED:-20261115}
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1} UBSAN_OPTIONS=print_stacktrace=1
# The judges of the core, once for every instruction set that this machine has.
every_instruction_set() {
  local simd name status=0
  for simd in SCALAR EMU128 SSSE3 SSE4 AVX2 AVX3 AVX3_DL; do
    for name in oracle grow builds; do
      program=$(find build/release/tests/cpp -type f -name "test_$name")
      if BOUGH_SIMD=$simd "$program" >"build/$name-$simd.log" 2>&1; then
        echo "ok      $name, $simd"
      elif grep -q "has no instruction set" "build/$name-$simd.log"; then
        echo "absent  $name, $simd"
      else
        tail -50 "build/$name-$simd.log"
        echo "FAILED  $name, $simd (build/$name-$simd.log)"
        status=1
      fi
    done
  done
  return $status
}

# Training, prediction, loading and cancelling at once, watched by the thread sanitizer.
thread_sanitizer() {
  tools/build.sh tsan test_threads &&
    TSAN_OPTIONS="suppressions=tests/cpp/threads/tsan.supp exitcode=66 ${TSAN_OPTIONS:-}" build/tsan/tests/cpp/threads/test_threads
}

case ${1:-short} in
  short) ;;
  tsan) thread_sanitizer; exit ;;
  instruction-sets) every_instruction_set; exit ;;
  *) echo "usage: tools/test.sh [short|tsan|instruction-sets]" >&2 && exit 2 ;;
esac
run "format and layers" tools/lint.sh gate
cpp_tests release
cpp_tests asan
run "Python package" tools/package.sh
run "Python side: package, repository, command line, README, consumer" python_tests
tell_skipped build/python-tests.xml

printf '\n== summary\n'
printf '%s\n' "${summary[@]}"
if ((failed)); then echo "Some tests failed."; else echo "All tests passed in $SECONDS s."; fi
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and runs the tests of one tier, all of them even when some fail, and ends with a summary, which says what was
# skipped: tools/test.sh short|long
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
tier=${1:-short}
case $tier in
  short)
    ctest_tier=(-LE '^long$' --no-tests=error)
    pytest_tier=(-m "not long") pytest_processes=(-n "$(nproc)" --dist loadfile)
    ;;
  long)
    ctest_tier=(-L '^long$' --no-tests=ignore --verbose)
    pytest_tier=(-m long -s) pytest_processes=()
    ;;
  *) echo "usage: tools/test.sh short|long" >&2 && exit 2 ;;
esac

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
  run "C++ tests, $preset" ctest --test-dir "build/$preset" --output-on-failure -j "$(nproc)" "${ctest_tier[@]}" || status=$?
  tell_skipped "build/$preset/Testing/Temporary/LastTest.log"
  return "$status"
}

# A process per core, each with whole files, so that what a file has built or trained serves all its tests.
python_tests() {
  rm -f build/python-tests.xml
  .venv/bin/python -m pytest tests -q --junitxml build/python-tests.xml "${pytest_tier[@]}" "${pytest_processes[@]}"
  local status=$?
  # 5: nothing of this tier exists.
  ((status == 5)) && [[ $tier == long ]] && status=0
  return "$status"
}

# The short tier draws the same random tables every time, so that it says something about the change under test; the long
# tier draws new ones (its log names the seed).
[[ $tier == short ]] && export BOUGH_SEED=${BOUGH_SEED:-20261115}
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
  TSAN_OPTIONS="suppressions=tests/cpp/threads/tsan.supp exitcode=66 ${TSAN_OPTIONS:-}" build/tsan/tests/cpp/threads/test_threads
}

[[ $tier == short ]] && run "format and layers" tools/lint.sh gate
cpp_tests release
[[ $tier == long ]] && run "build tsan" tools/build.sh tsan test_threads && run "C++ tests, tsan" thread_sanitizer
[[ $tier == long ]] && run "instruction sets" every_instruction_set
[[ $tier == short ]] && cpp_tests asan
[[ $tier == long ]] && run "mutants" tools/mutants/check.sh
run "Python package" tools/package.sh
run "Python side: package, repository, command line, README, consumer" python_tests
tell_skipped build/python-tests.xml

printf '\n== summary\n'
printf '%s\n' "${summary[@]}"
if ((failed)); then echo "Some tests failed."; else echo "All tests passed in $SECONDS s."; fi
exit $failed

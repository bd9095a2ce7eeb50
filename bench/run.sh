#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the benchmark programs and runs them: bench/run.sh [targets|curves|micro|ordinary|small|forests|accuracy|scale|load [options]];
# nothing given: all. bench/run.sh quick: the rows of the README in at most ten minutes, one turn each, into build/bench-quick. bench/run.sh compare A B: whether commit B is slower than commit A.
# JOBS=1 builds with one job; bench/README.md has the options.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=bench/.venv/bin/python
[[ -x $python || ${1:-} =~ ^(load|ordinary|small|compare)$ ]] || { echo "bench: the peers are not installed; run tools/setup.sh bench" >&2 && exit 1; }

targets() {
  tools/build.sh release bench_tasks
  $python bench/run.py build/release/bench/bench_tasks "$@"
}
curves() {
  tools/build.sh release bench_tasks
  $python bench/curves.py build/release/bench/bench_tasks "$@"
}
micro() {
  tools/build.sh release bench_micro
  mkdir -p bench/results
  build/release/bench/bench_micro --benchmark_out=bench/results/micro.json --benchmark_out_format=json "$@"
}
# The package through Python beside peers on many tables; and two commits beside each other.
ordinary() {
  tools/build.sh release bough_cli bough_python && tools/package.sh && .venv/bin/python bench/ordinary.py "$@"
}
small() {
  tools/build.sh release bough_cli bough_python && tools/package.sh && .venv/bin/python bench/small.py "$@"
}
compare() { .venv/bin/python bench/compare.py "$@"; }
# The package through Python, its peers in their own environments.
forests() {
  tools/build.sh release bench_tasks bough_cli bough_python && tools/package.sh &&
    $python bench/forests.py build/release/bench/bench_tasks "$@"
}
accuracy() {
  tools/build.sh release bough_cli bough_python && tools/package.sh &&
    .venv/bin/python bench/treeple_accuracy.py "$@"
}
# Training on blocks beside training in one memory.
scale() {
  tools/build.sh release bench_tasks bough_cli bough_python && tools/package.sh &&
    .venv/bin/python bench/scale.py build/release/bench/bench_tasks build/release/bough "$@"
}

# Prediction as a service: C++, then Python for a shorter time. Needs no peers.
load() {
  tools/build.sh release bench_load bough_cli bough_python && tools/package.sh && mkdir -p bench/results &&
    build/release/bench/bench_load --out bench/results/load "$@" &&
    .venv/bin/python bench/load.py --out bench/results/load_python "$@"
}

# The rows of the README, one turn each; bench/results stays as it is.
quick() {
  local out=build/bench-quick row only_targets=() only_forests=() status=0
  mkdir -p "$out"
  for row in $($python bench/readme_table.py --rows targets); do only_targets+=(--only "$row"); done
  for row in $($python bench/readme_table.py --rows forests); do only_forests+=(--only "$row"); done
  targets --rounds 1 --results "$out" "${only_targets[@]}" || status=1
  forests --rounds 1 --results "$out" "${only_forests[@]}" || status=1
  ordinary --quick --peers sklearn --results "$out" || status=1
  return $status
}

if (($# == 0)); then
  status=0
  for part in targets curves micro ordinary small forests accuracy scale load; do $part || status=1; done
  exit $status
fi
part=$1
shift
case $part in
  targets | curves | micro | ordinary | small | compare | forests | accuracy | scale | load | quick) $part "$@" ;;
  *) echo "usage: bench/run.sh [targets|curves|micro|ordinary|small|compare|forests|accuracy|scale|load|quick [options]]" >&2 && exit 2 ;;
esac

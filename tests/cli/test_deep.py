# SPDX-License-Identifier: Apache-2.0
"""Trees as deep as they have rows, grown from alternating classes, through every verb on a small stack.

The best cut of alternating classes takes off the first row (an odd number m of rows from one end adds
m/2 + 1/(2m) to Gini's sums, an even one m/2: most is gained at m = 1), so a
table of n rows grows a chain of n - 1 splits.
"""

import os
import time

import pytest

STACK_KB = 128  # a hidden recursion of 6,000 levels would need less than 22 bytes a level to pass

# Verbs that must succeed. {m}: model, {d}: its rows, {f}: the last 2,000 of them, {last}: number of a row,
# {half}: a node amid the chain.
ANSWERS = """
show {m}
show {m} --max-depth 5
info {m}
predict {m} {d}
evaluate {m} {f}
export {m} --to c -o e.h
export {m} --to cpp -o e.hpp
export {m} --to dot -o e.dot
export {m} --to json -o e.json
export {m} --to python -o e.py
export {m} --to rules -o e.rules
export {m} --to sklearn -o e.sklearn.json
export {m} --to sql -o e.sql
export {m} --to sql --dialect sqlite --as view --what all -o e.view.sql
export {m} --to svg -o e.svg
export {m} --to text -o e.txt
export {m} --to treelite -o e.treelite
plot {m} -o p.svg
plot {m} -o p.pdf
plot {m} --kind fit -o fit.svg
plot {m} --kind path -o path.svg
plot {m} --kind importances -o importances.svg
report {m} -o r.html
report {m} --data {f} -o rd.html
explain {m} --data {d} --row {last}
explain {m} --data {d} --row {last} --json
explain {m} --data {d} --row {last} --reasons
explain {m} --data {d} --node 0
explain {m} --data {d} --node {half}
explain {m} --leaves
explain {m} --leaves --json
explain {m} --data {f} --importance --repeats 1
explain {m} --data {d} --row {last} --counterfactual
rules {m} -o rules.json
prune {m} --method cost_complexity --alpha 0.0000001 -o pruned.bough
prune {m} --method reduced_error --with {f} -o pruned.bough
prune {m} --method pessimistic -o pruned.bough
prune {m} --method critical_value --critical-value 0.001 -o pruned.bough
prune {m} --method mdl -o pruned.bough
prune {m} --method simplify -o pruned.bough
prune {m} --method cp --cp 0.0001 -o pruned.bough
prune {m} --method nodes --nodes {half} -o pruned.bough
compare {m} {m} --data {f}
"""

# Verbs that refuse, with words of the reason.
REFUSALS = {
    "show {m} --style rpart": "rpart's numbers of nodes, which double at every level, end at 61",
    "export {m} --to onnx -o e.onnx": "levels deep in ONNX",
    "export {m} --to onnx --opset 3 -o e.onnx": "levels deep in ONNX",
    "export {m} --to pmml -o e.pmml": "PMML nests them",
    "export {m} --to sql --as expression -o e.sql": "cannot be one SQL expression",
    "explain {m} --data {d} --row 3 --shap": "Shapley values are made for trees of up to 2000",
    "prune {m} --method pessimistic --with {d} -o pruned.bough": "too deep for subtree raising",
}


def chain_table(desk, n, name="chain.csv"):
    return desk.write(name, "x,y\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(n)))


def on_a_small_stack(desk, command, timeout):
    return desk.shell(f"ulimit -s {STACK_KB}; bough {command}", timeout=timeout)


def run_everything(desk, n, timeout, most_bytes_per_split=1000):
    data, model = chain_table(desk, n), "m.bough"
    begun = time.monotonic()
    trained = on_a_small_stack(desk, f"train {data} --target y --holdout 0 --size full -o {model}", timeout)
    assert trained.code == 0, trained.err
    assert f"depth {n - 1}" in trained.out
    figures = [(time.monotonic() - begun, 0, "train")]
    lines = desk.read(data).splitlines(keepends=True)
    few = desk.write("few.csv", "".join([lines[0], *lines[-2000:]]))
    words = {"m": model, "d": data, "f": few, "last": n - 1, "half": n // 2}
    for line in ANSWERS.strip().splitlines():
        command = line.format(**words)
        before = {p: p.stat().st_mtime_ns for p in desk.folder.iterdir()}
        begun = time.monotonic()
        result = on_a_small_stack(desk, command, timeout)
        assert result.code == 0, f"bough {command}: {result.code}\n{result.err}"
        written = [p for p in desk.folder.iterdir() if before.get(p) != p.stat().st_mtime_ns]
        size = len(result.out) + sum(p.stat().st_size for p in written)
        assert size < most_bytes_per_split * n, f"bough {command} wrote {size} bytes"
        figures.append((time.monotonic() - begun, size, command))
    refusals = dict(REFUSALS)
    if 2 * n > 20_000:
        refusals["export {m} --to c --style branches -o e.h"] = "for branches"
    for line, reason in refusals.items():
        result = on_a_small_stack(desk, line.format(**words), timeout)
        assert result.code in (2, 6), f"bough {line}: {result.code}\n{result.err}"
        assert reason in result.err and "hint:" in result.err
    return figures


def test_a_chain_of_6000_splits_goes_through_every_verb_on_a_small_stack(desk, unsanitized):
    figures = run_everything(desk, 6001, timeout=120)
    for extra in (
        "--criterion entropy",
        "--criterion hellinger",
        "--max-leaf-nodes 100000",
        "--min-samples-leaf 1 --ccp-alpha 0.000000001",
        "--cp 0.0000001",
    ):
        table = chain_table(desk, 2000, "short.csv")
        result = on_a_small_stack(
            desk, f"train {table} --target y --holdout 0 --size full {extra} -o s.bough", 60
        )
        assert result.code == 0 and "depth 1999" in result.out, result.out + result.err
    assert len(figures) > 40


@pytest.mark.long
def test_a_chain_of_100000_splits_goes_through_every_verb_on_a_small_stack(desk, unsanitized):
    n = int(os.environ.get("BOUGH_DEEP", "100001"))
    figures = run_everything(desk, n, timeout=3000)
    print(f"\n{n - 1} levels, stack of {STACK_KB} KiB")
    for seconds, size, command in figures:
        print(f"{seconds:8.2f} s {size:12,} bytes  {command}")

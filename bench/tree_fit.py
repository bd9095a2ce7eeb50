# SPDX-License-Identifier: Apache-2.0
"""Fits of bough and scikit-learn on the same made data, interleaved in one run, one thread each.

bough: the first and the best of three fits in one process, before and after the peer's. scikit-learn: one fit. Each answer is
checked: the same root, and node counts within 1 % (ties are broken differently). Writes bench/results/tree_fit.csv.
"""

import csv
import json
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import sklearn
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

ROOT = Path(__file__).resolve().parent.parent
SMALL = [(200_000, 8, "gini"), (200_000, 0, "gini"), (200_000, 8, "squared_error"), (200_000, 0, "squared_error")]
WORK = [*SMALL, (1_000_000, 8, "gini")]


def fit_bough(binary, rows, depth, criterion):
    out = subprocess.run([binary, str(rows), str(depth), criterion, "1", "3"], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in out.stdout.splitlines()]


def fit_peer(data, rows, depth, criterion):
    kind = DecisionTreeClassifier if criterion == "gini" else DecisionTreeRegressor
    x = np.fromfile(f"{data}.x", dtype=np.float32).reshape(rows, -1)
    y = np.fromfile(f"{data}.y", dtype=np.int32) if criterion == "gini" else np.fromfile(f"{data}.z", dtype=np.float64)
    model = kind(criterion=criterion, max_depth=depth or None, random_state=0)
    begin = time.perf_counter()
    model.fit(x, y)
    return time.perf_counter() - begin, model.tree_


def check(ours, tree):
    if ours["column"] != tree.feature[0] or not np.isclose(ours["threshold"], tree.threshold[0], rtol=1e-6, atol=1e-9):
        raise SystemExit(f"another root: {ours} instead of {tree.feature[0]} <= {tree.threshold[0]}")
    if abs(ours["nodes"] - tree.node_count) > 0.01 * tree.node_count + 2:
        raise SystemExit(f"another size: {ours['nodes']} nodes instead of {tree.node_count}")


def commit():
    out = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return out.stdout.strip()


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.processor()


def main():
    binary = sys.argv[1]
    work = SMALL if "small" in sys.argv[2:] else WORK
    rows_out = []
    with tempfile.TemporaryDirectory() as folder:
        for rows, depth, criterion in work:
            data = f"{folder}/{rows}"
            if not Path(f"{data}.x").exists():
                subprocess.run([binary, "dump", str(rows), data], check=True)
            before = fit_bough(binary, rows, depth, criterion)
            peer, tree = fit_peer(data, rows, depth, criterion)
            after = fit_bough(binary, rows, depth, criterion)
            check(before[0], tree)
            best = min(f["seconds"] for f in before + after)
            first = min(before[0]["seconds"], after[0]["seconds"])
            rows_out.append([rows, depth or "full", criterion, before[0]["nodes"], f"{first:.4f}", f"{best:.4f}", f"{peer:.3f}",
                             f"{peer / first:.0f}", f"{peer / best:.0f}"])
            print(f"{rows:>9} rows, depth {depth or 'full':>4}, {criterion:<14} bough {best:.4f} s (first fit {first:.4f}), "
                  f"scikit-learn {peer:.3f} s: {peer / best:.0f}x (first {peer / first:.0f}x)", flush=True)
    results = ROOT / "bench" / "results" / "tree_fit.csv"
    with results.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["rows", "depth", "criterion", "nodes", "bough_first_s", "bough_best_s", "scikit_learn_s", "ratio_first",
                         "ratio_best", "commit", "machine", "scikit_learn"])
        for row in rows_out:
            writer.writerow([*row, commit(), processor(), sklearn.__version__])
    print(f"wrote {results.relative_to(ROOT)}")


if __name__ == "__main__":
    main()

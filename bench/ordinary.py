#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Forests, extra trees and single trees on ordinary tables, beside scikit-learn's.

    .venv/bin/python bench/ordinary.py [--only WORD] [--rounds N] [--before FILE]

writes bench/results/ordinary.csv and ordinary.md. One thread each, CPU time, best of the rounds; the two
take turns. Number columns only, as float32. --before: the CSV of an earlier commit, whose ratios stand in a
column of their own. Data comes from the folder that BOUGH_DATA names (default: shared/data beside the
checkout) and from scikit-learn.
"""

import argparse
import csv
import os
import platform
import subprocess
import time
from pathlib import Path

import bough
import numpy as np
import pandas as pd
import sklearn
from sklearn import datasets, ensemble, tree

ROOT = Path(__file__).resolve().parent.parent
REAL = Path(os.environ.get("BOUGH_DATA", ROOT.parent / "shared" / "data"))
RESULTS = ROOT / "bench" / "results"
# File (None: from scikit-learn) and trees of a forest (0: single trees only); the target is the last column.
CLASSES = {
    "letter": ("letter.csv.gz", 100),
    "adult": ("adult.csv.gz", 100),
    "spambase": ("spambase.csv.gz", 100),
    "digits": (None, 100),
    "wine_quality_white": ("wine_quality_white.csv.gz", 100),
    "covtype_100k": ("covtype_100k.csv.gz", 20),
    "skin": ("skin.csv.gz", 0),
    "kddcup99_10pct": ("kddcup99_10pct.csv.gz", 0),
    "breast_cancer": (None, 0),
    "iris": (None, 0),
    "wine": (None, 0),
}
# File, target (None: the last number column) and trees of a forest.
NUMBERS = {
    "california_housing": ("california_housing.csv.gz", "median_house_value", 20),
    "diamonds": ("diamonds.csv.gz", "price", 20),
    "bike_hour": ("bike_hour.csv.gz", "cnt", 20),
    "abalone": ("abalone.csv", None, 100),
}
MODELS = {
    "forest": ("RandomForest", ensemble, {}),
    "extra trees": ("ExtraTrees", ensemble, {}),
    "tree": ("DecisionTree", tree, {}),
    "tree of depth 8": ("DecisionTree", tree, {"max_depth": 8}),
}


def matrix(frame):
    return np.ascontiguousarray(frame.select_dtypes("number").dropna(axis=1).to_numpy(np.float32))


def tables():
    """Name, X, y, whether y is a class, and the trees of a forest."""
    for name, (file, n_trees) in CLASSES.items():
        if file is None:
            X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
            yield name, X.astype(np.float32), y, True, n_trees
            continue
        frame = pd.read_csv(REAL / file)
        y = pd.factorize(frame.pop(frame.columns[-1]))[0]
        yield name, matrix(frame), y, True, n_trees
    for name, (file, target, n_trees) in NUMBERS.items():
        frame = pd.read_csv(REAL / file).select_dtypes("number").dropna(axis=1)
        y = frame.pop(target if target in frame else frame.columns[-1]).to_numpy(float)
        yield name, matrix(frame), y, False, n_trees


def seconds(job):
    start = time.process_time()
    job()
    return time.process_time() - start


def measure(model, X, y, classes, n_trees, rounds):
    """Best seconds of bough and of scikit-learn."""
    name, module, options = MODELS[model]
    name += "Classifier" if classes else "Regressor"
    options = options | {"random_state": 0}
    if module is ensemble:
        options |= {"n_estimators": n_trees, "n_jobs": 1}
    ours, theirs = getattr(bough, name), getattr(module, name)
    mine, other = [], []
    start = time.process_time()
    # More rounds where they are short: these are the noisy ones.
    while len(other) < rounds or (len(other) < 20 * rounds and time.process_time() - start < 1.0):
        mine += [seconds(lambda: ours(**options).fit(X, y)) for _ in range(2)]
        other.append(seconds(lambda: theirs(**options).fit(X, y)))
    return min(mine), min(other)


def shown(value):
    return f"{value * 1e3:.3g} ms" if value < 1 else f"{value:.3g} s"


def write(rows, before):
    RESULTS.mkdir(exist_ok=True)
    with open(RESULTS / "ordinary.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    lines = [
        "# Ordinary tables beside scikit-learn",
        "",
        f"Written by `bench/ordinary.py`, commit {commit.stdout.strip()}, {platform.machine()}, "
        f"{os.cpu_count()} cores; bough {bough.__version__}, scikit-learn {sklearn.__version__}.",
        "",
        "CPU time of one fit on one thread, best of several, in turns. `ratio`: scikit-learn's time over"
        " bough's; `before`: that of an earlier commit, measured against scikit-learn in its own run.",
        "",
        "| model | table | rows x columns | trees | scikit-learn | bough | ratio | before |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        was = before.get((row["model"], row["table"]))
        lines.append(
            f"| {row['model']} | {row['table']} | {row['size']} | {row['trees']} | "
            f"{shown(row['sklearn'])} | {shown(row['bough'])} | {row['sklearn'] / row['bough']:.1f} | "
            f"{f'{was:.1f}' if was else ''} |"
        )
    lines.append("")
    for model in MODELS:
        ratios = [row["sklearn"] / row["bough"] for row in rows if row["model"] == model]
        if ratios:
            lines.append(
                f"{model}: geometric mean {np.exp(np.mean(np.log(ratios))):.1f}, least {min(ratios):.1f}.  "
            )
    (RESULTS / "ordinary.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--only", action="append", default=[], help="models and tables whose name holds the word"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--before", help="ordinary.csv of an earlier commit")
    parser.add_argument("--dry", action="store_true", help="print, write nothing")
    args = parser.parse_args()
    before = {}
    if args.before:
        with open(args.before, encoding="utf-8") as file:
            before = {
                (r["model"], r["table"]): float(r["sklearn"]) / float(r["bough"])
                for r in csv.DictReader(file)
            }
    rows = []
    for name, X, y, classes, n_trees in tables():
        for model in MODELS:
            single = MODELS[model][1] is tree
            if not all(word in f"{model} {name}" for word in args.only) or not (single or n_trees):
                continue
            mine, other = measure(model, X, y, classes, n_trees, args.rounds)
            size = f"{X.shape[0]} x {X.shape[1]}"
            count = 1 if single else n_trees
            rows.append(
                {"model": model, "table": name, "size": size, "trees": count, "sklearn": other, "bough": mine}
            )
            print(
                f"{model:12} {name:20} {shown(mine):>10} {shown(other):>10} {other / mine:6.1f}", flush=True
            )
    rows.sort(key=lambda row: list(MODELS).index(row["model"]))
    if rows and not args.dry:
        write(rows, before)


if __name__ == "__main__":
    main()

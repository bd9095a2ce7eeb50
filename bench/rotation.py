#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What turning the columns costs axis-parallel and oblique trees; what looking ahead and refining bring.

    .venv/bin/python bench/rotation.py [--quick]

writes bench/results/rotation.md. Every seed divides the rows into 70 % to learn from and 30 % to judge, class
by class. Real data comes from scikit-learn or from the folder that BOUGH_DATA names (default: shared/data
beside the checkout); what is not there is named and left out. No figure is chosen: every run is in its mean.
"""

import argparse
import os
import time
from pathlib import Path

import bough
import numpy as np
import pandas as pd
from sklearn import datasets
from sklearn.model_selection import train_test_split

ROOT = Path(__file__).resolve().parent.parent
REAL = Path(os.environ.get("BOUGH_DATA", ROOT.parent / "shared" / "data"))


def read(name, target, drop=()):
    """Numbers and category codes of a file, and its classes; None when the file is not there."""
    path = REAL / name
    if not path.exists():
        return None
    frame = pd.read_csv(path, na_values=["?"]).drop(columns=list(drop))
    y = frame.pop(target).astype(str).to_numpy()
    for column in frame.select_dtypes(exclude="number"):
        frame[column] = frame[column].astype("category")
    numeric = all(dtype.kind in "if" for dtype in map(np.dtype, frame.select_dtypes("number").dtypes))
    plain = numeric and frame.select_dtypes("category").shape[1] == 0
    return (frame.to_numpy(float) if plain else frame), y


def bundled(load, columns=slice(None)):
    X, y = load(return_X_y=True)
    return X[:, columns], y


def turned(X, degrees):
    """The rows turned by an angle in the plane of columns 0 and 1, in that of 2 and 3, and so on."""
    X = X.copy()
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    for j in range(0, X.shape[1] - 1, 2):
        a, b = X[:, j].copy(), X[:, j + 1].copy()
        X[:, j], X[:, j + 1] = c * a - s * b, s * a + c * b
    return X


def standard(X):
    spread = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1)


def linear(seed, degrees, n=300):
    """Points of a square; the class is the side of a line through the middle, upright at 0 degrees."""
    X = np.random.default_rng(seed).uniform(-1, 1, (n, 2))
    return turned(X, degrees), (X[:, 0] > 0).astype(int)


def axis(**more):
    return lambda seed: bough.DecisionTreeClassifier(random_state=seed, **more)


def oblique(**more):
    more = {"projection": bough.Projection("continuous"), "max_features": "square", **more}
    return lambda seed: bough.ObliqueDecisionTreeClassifier(random_state=seed, **more)


def accuracy(make, X, y, seed, test=0.3):
    learn, judge = train_test_split(np.arange(len(y)), test_size=test, random_state=seed, stratify=y)
    take = (lambda rows: X.iloc[rows]) if isinstance(X, pd.DataFrame) else (lambda rows: X[rows])
    started = time.perf_counter()
    tree = make(seed).fit(take(learn), y[learn])
    return tree.score(take(judge), y[judge]), tree.get_n_leaves(), time.perf_counter() - started


def over_seeds(make, data, seeds):
    runs = np.array([accuracy(make, *data(seed), seed) for seed in range(seeds)])
    mean, error = runs.mean(axis=0), runs.std(axis=0, ddof=1) / np.sqrt(seeds)
    return mean[0], error[0], mean[1], mean[2]


def cell(result):
    return f"{100 * result[0]:.2f} ± {100 * result[1]:.2f}"


def made_table(seeds):
    lines = [
        f"## A made line, {seeds} seeds",
        "",
        "300 points of a square, two classes on both sides of a straight line, the whole turned. Test",
        "accuracy in %, with its standard error; leaves in brackets.",
        "",
        "| turned by | axis-parallel | oblique | higher |",
        "|---|---|---|---|",
    ]
    for degrees in (0, 20, 45):
        results = [
            over_seeds(make, lambda seed, d=degrees: linear(seed, d), seeds) for make in (axis(), oblique())
        ]
        texts = [f"{cell(r)} ({r[2]:.1f})" for r in results]
        higher = results[1][0] - results[0][0]
        winner = "oblique" if higher > 0 else "axis-parallel" if higher < 0 else "equal"
        lines.append(f"| {degrees}° | {texts[0]} | {texts[1]} | {winner} |")
    return lines


def real_table(seeds):
    sets = {
        "banknote": read("banknote.csv", "class"),
        "wine": bundled(datasets.load_wine),
        "spambase": read("spambase.csv.gz", "class"),
        "iris petals": bundled(datasets.load_iris, [2, 3]),
    }
    lines = [
        f"## Real data turned by 20 degrees, {seeds} seeds",
        "",
        "Columns are standardised, then turned in pairs (first and second, third and fourth, ...). Test",
        "accuracy in %; drop: points lost by turning, over the same divisions of the rows, with its",
        "standard error.",
        "",
        "| data | axis-parallel | turned | drop | oblique | turned | drop |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, found in sets.items():
        if found is None:
            lines.append(f"| {name} | not on this machine | | | | | |")
            continue
        X, y = standard(found[0]), found[1]
        texts = []
        for make in (axis(), oblique(max_features=min(X.shape[1] ** 2, 400))):
            plain, after = (
                np.array([accuracy(make, Z, y, seed)[0] for seed in range(seeds)]) for Z in (X, turned(X, 20))
            )
            drop = plain - after
            texts += [f"{100 * plain.mean():.2f}", f"{100 * after.mean():.2f}"]
            texts.append(f"{100 * drop.mean():+.2f} ± {100 * drop.std(ddof=1) / np.sqrt(seeds):.2f}")
        lines.append(f"| {name} | " + " | ".join(texts) + " |")
        print(lines[-1], flush=True)
    lines += [
        "",
        "Oblique trees try the square of the columns as combinations per node, at most 400 (spambase).",
    ]
    return lines


def refined_table(seeds):
    sets = {
        "banknote": read("banknote.csv", "class"),
        "breast cancer": bundled(datasets.load_breast_cancer),
        "car": read("car_evaluation.csv", "class"),
        "digits": bundled(datasets.load_digits),
        "german credit": read("german_credit.csv", "class"),
        "penguins": read("penguins.csv", "species"),
        "spambase": read("spambase.csv.gz", "class"),
        "tic-tac-toe": read("tic_tac_toe.csv", "Class"),
        "titanic": read("titanic.csv", "Survived", ["PassengerId", "Name", "Ticket", "Cabin"]),
        "wine": bundled(datasets.load_wine),
    }
    pruned = {"pruning": "cost_complexity"}
    kinds = {
        "CART": axis(),
        "depth 5": axis(max_depth=5),
        "depth 5 + tao": axis(max_depth=5, refine=bough.TAO(20)),
        "pruned": axis(**pruned),
        "pruned + tao": axis(**pruned, refine=bough.TAO(20)),
        "depth 4": axis(max_depth=4, category_split="equality"),
        "depth 4, searched": axis(search="anytime", max_depth=4, category_split="equality"),
        "oblique, depth 5": oblique(max_depth=5, max_features=100),
        "oblique, depth 5 + tao": oblique(max_depth=5, max_features=100, refine=bough.TAO(20)),
    }
    lines = [
        f"## Looking ahead and refining, {seeds} seeds",
        "",
        "Test accuracy in % (leaves). tao: at most 20 passes, as many as help on a fifth of the learning",
        "rows held out. pruned: cost-complexity, 10 folds. Oblique trees try 100 combinations per node.",
        "Depth 4: categories one against the rest. A dash: refused by name (too much work).",
        "",
        "| data | " + " | ".join(kinds) + " |",
        "|---" * (len(kinds) + 1) + "|",
    ]
    sums, times = {}, {}
    for name, found in sets.items():
        if found is None:
            lines.append(f"| {name} | not on this machine |" + " |" * (len(kinds) - 1))
            continue
        texts = []
        for kind, make in kinds.items():
            try:
                result = over_seeds(make, lambda seed, f=found: f, seeds)
            except (bough.BoughError, NotImplementedError) as error:
                print(name, kind, error, flush=True)
                texts.append("-")
                continue
            texts.append(f"{100 * result[0]:.1f} ({result[2]:.0f})")
            sums.setdefault(kind, []).append(result[0])
            times.setdefault(kind, []).append(result[3])
        lines.append(f"| {name} | " + " | ".join(texts) + " |")
        print(lines[-1], flush=True)
    full = max(map(len, sums.values()), default=0)
    means = [f"{100 * np.mean(sums[k]):.2f}" if len(sums.get(k, [])) == full else "" for k in kinds]
    lines.append("| **mean** | " + " | ".join(means) + " |")
    lines.append(
        "| seconds per fit | "
        + " | ".join(f"{np.mean(times[k]):.2f}" if k in times else "" for k in kinds)
        + " |"
    )
    return lines


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="3 seeds, to see whether everything works")
    options.add_argument("--out", type=Path, default=ROOT / "bench" / "results" / "rotation.md")
    options = options.parse_args()
    few = 3 if options.quick else None
    by = f"Written by `bench/rotation.py`, bough {bough.__version__}."
    text = ["# Rotation, looking ahead and refinement", "", by, ""]
    text += [*made_table(few or 20), "", *real_table(few or 20), "", *refined_table(few or 10), ""]
    options.out.write_text("\n".join(text), encoding="utf-8")
    print("\n".join(text))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Effects of a treatment against what is known: coverage of intervals on simulated data, and IHDP and NSW.

    python3 bench/causal_table.py coverage --repeats 1000
    python3 bench/causal_table.py known --data FOLDER

`coverage` draws rows with a known effect, fits an honest causal tree and a propensity tree, and counts how
many of the 90 % intervals hold the average of the true effects over the leaf (from many fresh rows),
weighted by the share of fresh rows in the leaf. `known` writes estimates beside the truth of a simulation
(IHDP) or a randomised experiment (NSW). Both print Markdown; results are kept in bench/results.
"""

import argparse
import sys
import time

import bough
import numpy as np


def _lot(rng, n, share=0.5):
    return (rng.random(n) < share).astype(float)


def step(rng, n):
    """One step in the effect; treatment by lot."""
    X = rng.random((n, 5))
    tau = np.where(X[:, 0] > 0.5, 2.0, 0.0)
    t = _lot(rng, n)
    return X, X[:, 1] + tau * t + rng.normal(size=n), t, tau


def smooth(rng, n):
    """A smooth effect; noise that grows with a column."""
    X = rng.normal(size=(n, 6))
    tau = 1.0 + np.tanh(2.0 * X[:, 0])
    t = _lot(rng, n)
    return X, X[:, 1] ** 2 + tau * t + rng.normal(size=n) * np.exp(0.4 * X[:, 2]), t, tau


def skewed(rng, n):
    """A third treated, skewed noise."""
    X = rng.random((n, 4))
    tau = 3.0 * X[:, 0] * X[:, 1]
    t = _lot(rng, n, 1.0 / 3.0)
    return X, tau * t + rng.exponential(1.0, n) - 1.0, t, tau


def none(rng, n):
    """No effect at all, but a strong trend."""
    X = rng.normal(size=(n, 8))
    return X, 3.0 * X[:, 0] + rng.normal(size=n), _lot(rng, n), np.zeros(n)


def categories(rng, n):
    """Categories and missing cells decide about the effect; a binary outcome."""
    level = rng.integers(0, 6, n)
    x = rng.random(n)
    tau = np.where(np.isin(level, (1, 4)), 0.3, 0.05)
    t = _lot(rng, n)
    y = (rng.random(n) < 0.3 + 0.2 * (x > 0.7) + tau * t).astype(float)
    seen = np.where(rng.random(n) < 0.1, np.nan, x)
    return np.column_stack([level, seen, rng.random(n)]), y, t, tau


SETS = {"step": step, "smooth": smooth, "skewed": skewed, "none": none, "categories": categories}
TREES = {
    "causal tree": lambda **more: bough.CausalTree(min_samples_arm=10, max_depth=4, n_jobs=1, **more),
    "propensity tree": lambda **more: bough.PropensityTree(min_samples_arm=25, max_depth=3, n_jobs=1, **more),
}


def covered(make, tree, seed, n_rows, n_fresh):
    """Share of fresh rows in leaves whose interval holds the leaf's average effect; leaves; mean width."""
    rng = np.random.default_rng(seed)
    X, y, t, _ = make(rng, n_rows)
    more = {"categorical_features": [0]} if make is categories else {}
    model = tree(random_state=seed, **more).fit(X, y, t)
    fresh, _, _, tau = make(rng, n_fresh)
    leaf = model.apply(fresh)
    low, high = model.effect_interval(fresh, 0.9)
    _, index, counts = np.unique(leaf, return_inverse=True, return_counts=True)
    truth = (np.bincount(index, tau) / counts)[index]
    return np.mean((low <= truth) & (truth <= high)), len(counts), np.mean(high - low)


def coverage(repeats, n_rows, n_fresh):
    print("| data | tree | repeats | coverage of 90 % intervals | leaves | mean width |\n" + "|---" * 6 + "|")
    for name, make in SETS.items():
        for kind, tree in TREES.items():
            found = np.array([covered(make, tree, 1000 + i, n_rows, n_fresh) for i in range(repeats)])
            mean, leaves, width = found.mean(axis=0)
            print(
                f"| {name} | {kind} | {repeats} | {100 * mean:.1f} % | {leaves:.1f} | {width:.2f} |",
                flush=True,
            )


def difference(y, t):
    return y[t == 1].mean() - y[t == 0].mean()


def _read(path):
    with open(path) as file:
        names = file.readline().strip().split(",")
    return names, np.loadtxt(path, delimiter=",", skiprows=1)


def ihdp(folder, trees):
    names, data = _read(f"{folder}/ihdp_npci_1.csv")
    at = {name: i for i, name in enumerate(names)}
    X = data[:, [at[f"x{i}"] for i in range(1, 26)]]
    y, t, tau = data[:, at["y_factual"]], data[:, at["treatment"]], data[:, at["mu1"]] - data[:, at["mu0"]]
    print(f"\nIHDP (747 rows, known truth): average effect {tau.mean():.3f}, spread {tau.std():.3f};")
    print(f"difference of the arms' means {difference(y, t):.3f}.\n")
    print(
        "| model | average effect | error of the average | root mean squared error of effects | seconds |\n"
        + "|---" * 5
        + "|"
    )
    print(
        f"| constant: difference of means | {difference(y, t):.3f} | "
        f"{abs(difference(y, t) - tau.mean()):.3f} | "
        f"{np.sqrt(np.mean((difference(y, t) - tau) ** 2)):.3f} | |"
    )
    for kind, make in trees.items():
        start = time.perf_counter()
        effect = make().fit(X, y, t).effect(X)
        took = time.perf_counter() - start
        print(
            f"| {kind} | {effect.mean():.3f} | {abs(effect.mean() - tau.mean()):.3f} | "
            f"{np.sqrt(np.mean((effect - tau) ** 2)):.3f} | {took:.2f} |",
            flush=True,
        )


def nsw(folder, trees):
    names, trial = _read(f"{folder}/nsw_dw.csv")
    _, mixed = _read(f"{folder}/nsw74psid1.csv")
    at = {name: i for i, name in enumerate(names)}
    columns = [at[name] for name in ("age", "educ", "black", "hisp", "marr", "nodeg", "re74", "re75")]

    def parts(data):
        return data[:, columns], data[:, at["re78"]], data[:, at["trt"]]

    X, y, t = parts(trial)
    n1, n0 = (t == 1).sum(), (t == 0).sum()
    error = np.sqrt(y[t == 1].var(ddof=1) / n1 + y[t == 0].var(ddof=1) / n0)
    print(f"\nNSW: the randomised benchmark (445 rows) is {difference(y, t):.0f} (error {error:.0f});")
    Xm, ym, tm = parts(mixed)
    print(f"with the comparison group of PSID-1 (2,675 rows) the arms differ by {difference(ym, tm):.0f}.\n")
    print(
        "| model | trial: average effect | trial: on the treated | PSID-1: on the treated | seconds |\n"
        + "|---" * 5
        + "|"
    )
    for kind, make in trees.items():
        start = time.perf_counter()
        effect = make().fit(X, y, t).effect(X)
        observed = make().fit(Xm, ym, tm).effect(Xm)
        took = time.perf_counter() - start
        print(
            f"| {kind} | {effect.mean():.0f} | {effect[t == 1].mean():.0f} | {observed[tm == 1].mean():.0f} "
            f"| {took:.2f} |",
            flush=True,
        )


def known(folder, n_trees):
    trees = {
        "causal tree (honest)": lambda: bough.CausalTree(min_samples_arm=5, random_state=1),
        "propensity tree": lambda: bough.PropensityTree(min_samples_arm=5, random_state=1),
        f"causal forest, {n_trees} trees": lambda: bough.CausalForest(
            n_trees, min_samples_arm=5, random_state=1
        ),
        f"causal forest, {n_trees} trees, y centred": lambda: bough.CausalForest(
            n_trees, min_samples_arm=5, center=True, random_state=1
        ),
        f"propensity forest, {n_trees} trees": lambda: bough.CausalForest(
            n_trees, causal_split="propensity", min_samples_arm=5, random_state=1
        ),
    }
    ihdp(folder, trees)
    nsw(folder, trees)


def main(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["coverage", "known"])
    parser.add_argument("--repeats", type=int, default=1000)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--fresh", type=int, default=20000)
    parser.add_argument("--trees", type=int, default=500)
    parser.add_argument("--data", default="data")
    given = parser.parse_args(arguments)
    print(f"bough {bough.__version__}, {' '.join(['bench/causal_table.py', *arguments])}\n")
    if given.what == "coverage":
        coverage(given.repeats, given.rows, given.fresh)
    else:
        known(given.data, given.trees)


if __name__ == "__main__":
    main(sys.argv[1:])

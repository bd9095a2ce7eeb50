#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small trees of classes beside their peers: how good they are on fresh rows, how large, how long they take.

    .venv/bin/python bench/small.py [--quick] [--only TABLE ...] [--splits N] [--jobs N] [--list]

writes bench/results/small.csv, small.md and small.svg (--quick: quick_small.*, --only: partial_small.*).
Every split holds 30 % of the rows out; the tables of the study have four, the others two. --quick: nine
tables of 1,000 rows at the most, one split. Peers that are not installed are left out by name. CPU seconds of
one thread, choice of parameters included, of rpart and J48 with the start of R and Java. Ends with status 1
when a searched tree makes more errors on its training rows than the grown one of as many leaves.
"""

import argparse
import csv
import importlib.metadata
import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor

import bough
import numpy as np
import small_page
import small_peers
import small_tables
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import GridSearchCV, StratifiedShuffleSplit
from sklearn.tree import DecisionTreeClassifier

import report

RESULTS = small_tables.ROOT / "bench" / "results"
QUICK_ROWS = 1000
CONTREE_SECONDS = 10  # by the clock


def sklearn_grid(quick):
    grid = {
        "max_leaf_nodes": [4, 6, 8, 12, 16],
        "min_samples_leaf": [1, 5] if quick else [1, 5, 10, 20],
    }
    return GridSearchCV(DecisionTreeClassifier(random_state=0), grid, scoring="neg_log_loss", cv=5)


def hs_tree():
    from imodels import HSTreeClassifierCV

    return HSTreeClassifierCV(max_leaf_nodes=16)


def figs():
    from imodels import FIGSClassifier

    return FIGSClassifier(max_rules=15)


def contree():
    from pycontree import ConTree

    return ConTree(max_depth=3, time_limit=CONTREE_SECONDS)


def streed():
    from pystreed import STreeDClassifier

    return STreeDClassifier(max_depth=3, time_limit=CONTREE_SECONDS)


def grown_to(leaves):
    return lambda quick: bough.DecisionTreeClassifier(max_leaf_nodes=leaves)


def searched_to(leaves):
    return lambda quick: bough.DecisionTreeClassifier(max_leaf_nodes=leaves, search="anytime")


# Name, how it is made, the package it needs.
PROGRAMS = {
    **{f"grown_{leaves}": (grown_to(leaves), "bough") for leaves in small_page.SIZES},
    **{f"searched_{leaves}": (searched_to(leaves), "bough") for leaves in small_page.SIZES},
    "pruned": (lambda quick: bough.DecisionTreeClassifier(pruning="cost_complexity"), "bough"),
    "one_call": (lambda quick: bough.TreeClassifier(), "bough"),
    "sklearn": (sklearn_grid, "scikit-learn"),
    "rpart": (lambda quick: small_peers.Rpart(), "rpart"),
    "j48": (lambda quick: small_peers.J48(), "weka"),
    "hs_tree": (lambda quick: hs_tree(), "imodels"),
    "figs": (lambda quick: figs(), "imodels"),
    "contree": (lambda quick: contree(), "pycontree"),
    "streed": (lambda quick: streed(), "pystreed"),
    "dl85": (lambda quick: small_peers.Dl85(CONTREE_SECONDS), "pydl8.5"),
}


def leaves_of(model):
    """Leaves of a tree; of sums of trees all of them; NaN where it does not tell."""
    model = getattr(model, "best_estimator_", model)
    model = getattr(model, "estimator_", model)
    if hasattr(model, "get_n_leaves"):
        return model.get_n_leaves()
    if hasattr(model, "get_tree"):  # pystreed
        return model.get_tree().get_num_branching_nodes() + 1
    if hasattr(model, "complexity_"):
        return model.complexity_ + len(model.trees_)
    return model.get_num_leaf_nodes() if hasattr(model, "get_num_leaf_nodes") else np.nan


def shares_of(model, X, n_classes):
    """Class shares; answers without shares count as sure."""
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(X))
    return np.eye(n_classes)[np.asarray(model.predict(X), int)]


def trial(name, data, quick):
    """One program on one split: the figures, and errors on the training rows."""
    X, y, fresh, truth = data
    n_classes = int(max(y.max(), truth.max())) + 1
    if name == "figs" and n_classes > 2:
        return None
    model = PROGRAMS[name][0](quick)
    start = time.process_time()
    model.fit(X.astype(float) if name in ("contree", "streed", "figs", "hs_tree") else X, y)
    seconds = time.process_time() - start
    shares = shares_of(model, fresh, n_classes)
    apart = hasattr(model, "child_seconds")  # a program that is asked once
    seconds = model.child_seconds if apart else seconds
    clipped = np.clip(shares, 1e-3, 1)
    clipped /= clipped.sum(axis=1, keepdims=True)
    auc = (
        roc_auc_score(truth, shares[:, 1])
        if n_classes == 2
        else roc_auc_score(truth, clipped, multi_class="ovr", labels=range(n_classes))
    )
    return {
        "accuracy": float((shares.argmax(axis=1) == truth).mean()),
        "auc": float(auc),
        "log_loss": float(log_loss(truth, clipped, labels=range(n_classes))),
        "leaves": float(leaves_of(model)),
        "seconds": seconds,
        "training_errors": ""
        if apart
        else int((np.asarray(shares_of(model, X, n_classes)).argmax(axis=1) != y).sum()),
    }


def installed():
    """Versions of the packages, and the programs that cannot run here."""
    versions, absent = {}, []
    for name, (_, package) in PROGRAMS.items():
        if package in ("rpart", "weka"):
            if small_peers.absent(name):
                absent.append(name)
            else:
                versions[package] = small_peers.version(name)
            continue
        try:
            versions[package] = (
                bough.__version__ if package == "bough" else importlib.metadata.version(package)
            )
        except importlib.metadata.PackageNotFoundError:
            absent.append(name)
    return versions, absent


def table_lines(table, splits, quick, absent):
    """All programs on all splits of a table, and what is wrong with them."""
    warnings.filterwarnings("ignore")  # what peers say about their own versions
    X, y = small_tables.read(table, QUICK_ROWS if quick else small_tables.MOST_ROWS)
    lines, wrong = [], []
    divider = StratifiedShuffleSplit(splits, test_size=0.3, random_state=0)
    for split, (a, b) in enumerate(divider.split(X, y)):
        data = X[a], y[a], X[b], y[b]
        found = {name: trial(name, data, quick) for name in PROGRAMS if name not in absent}
        found = {name: figures for name, figures in found.items() if figures}
        lines += [{"table": table, "split": split, "program": k, **v} for k, v in found.items()]
        wrong += [
            f"{table}: searched trees of {leaves} leaves make more errors than grown ones"
            for leaves in small_page.SIZES
            if found[f"searched_{leaves}"]["training_errors"] > found[f"grown_{leaves}"]["training_errors"]
        ]
        told = "  ".join(f"{k} {100 * v['accuracy']:.1f}" for k, v in found.items())
        print(f"{table:<12} {split}  {told}", flush=True)
    return lines, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", default=[], metavar="TABLE", help="this table")
    parser.add_argument("--quick", action="store_true", help="few and small tables, one split")
    parser.add_argument(
        "--splits", type=int, help="splits of every table (default: small_tables.splits_of, with --quick 1)"
    )
    parser.add_argument("--jobs", type=int, default=2, help="tables side by side (default: 2)")
    parser.add_argument("--list", action="store_true", help="show the tables and stop")
    options = parser.parse_args()
    tables = options.only or [
        name for name in small_tables.names() if not options.quick or name in small_tables.QUICK
    ]
    if options.list:
        print("\n".join(tables))
        return 0
    splits = {
        table: options.splits or (1 if options.quick else small_tables.splits_of(table)) for table in tables
    }
    versions, absent = installed()
    lines, wrong = [], []
    with ProcessPoolExecutor(options.jobs) as pool:
        parts = [pool.submit(table_lines, table, splits[table], options.quick, absent) for table in tables]
        for part in parts:
            more, problems = part.result()
            lines += more
            wrong += problems
    stem = "partial_small" if options.only else "quick_small" if options.quick else "small"
    context = {
        "commit": report.commit(),
        "machine": report.machine(),
        "versions": versions,
        "absent": absent,
        "splits": splits,
        "stem": stem,
        "jobs": options.jobs,
        "options": " --quick" if options.quick else "",
    }
    RESULTS.mkdir(exist_ok=True)
    with open(RESULTS / f"{stem}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, lines[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
    (RESULTS / f"{stem}.md").write_text(small_page.page(lines, context), encoding="utf-8")
    (RESULTS / f"{stem}.svg").write_text(small_page.frontier(lines), encoding="utf-8")
    print("\n".join([f"wrote bench/results/{stem}.md", *(f"WRONG ANSWER {problem}" for problem in wrong)]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

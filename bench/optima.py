# SPDX-License-Identifier: Apache-2.0
"""Trees that are proven to be the best of their depth, on the tables of ConTree's benchmark.

    .venv/bin/python bench/optima.py [--peer] [--only TABLE ...] > bench/results/optima.md

Processor seconds of fit() on one thread; --peer: of pycontree too, where it proves within a minute. Ends
with status 1 when a tree is not proven or makes other than the published number of errors.
"""

import argparse
import sys
import time

import bough
import pandas as pd
import small_tables

import report

# Errors of the best trees as published, by depth.
PUBLISHED = {
    3: {
        "bank": 19,
        "wilt": 18,
        "occupancy": 47,
        "raisin": 76,
        "room": 62,
        "segment": 208,
        "bidding": 37,
        "page": 125,
        "rice": 189,
        "fault": 494,
        "htru": 275,
        "eeg": 3495,
        "magic": 2567,
        "avila": 4329,
        "bean": 1406,
    },
    4: {"bank": 0, "wilt": 2, "bidding": 16, "occupancy": 26},
}
QUICK = list(PUBLISHED[3])[:9]  # those that pycontree proves at depth 3 within a minute


def read(table):
    frame = pd.read_csv(small_tables.REAL / "contree" / f"{table}.txt.gz", sep=" ", header=None)
    return frame.drop(columns=0).to_numpy(float), frame[0].to_numpy(int)


def timed(fit):
    start = time.process_time()
    model = fit()
    return model, time.process_time() - start


def peer_seconds(X, y, depth):
    from pycontree import ConTree

    model, seconds = timed(lambda: ConTree(max_depth=depth, time_limit=600).fit(X, y))
    return seconds, int((model.predict(X) != y).sum())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", default=[], metavar="TABLE")
    parser.add_argument("--peer", action="store_true", help="pycontree beside it")
    options = parser.parse_args()
    print("# Best trees, proven\n")
    print(
        f"`bench/optima.py{' --peer' if options.peer else ''}` at {report.commit()} on {report.machine()}.\n"
    )
    print("| depth | table | rows | columns | classes | errors | s | pycontree, s |\n|---" + "|---" * 7 + "|")
    wrong = []
    for depth, published in PUBLISHED.items():
        total = [0.0, 0.0]
        for table, errors in published.items():
            if options.only and table not in options.only:
                continue
            X, y = read(table)
            tree = bough.DecisionTreeClassifier(max_depth=depth, search="optimal", n_jobs=1)
            tree, seconds = timed(lambda: tree.fit(X, y))  # noqa: B023
            if not tree.search_.proven or tree.search_.errors != errors:
                wrong.append(f"{table}, depth {depth}: {tree.search_}")
            peer = ""
            if table in QUICK:
                total[0] += seconds
                if options.peer:
                    theirs, peer_errors = peer_seconds(X, y, depth)
                    total[1] += theirs
                    peer = f"{theirs:.2f}" + ("" if peer_errors == errors else f" ({peer_errors} errors)")
            size = f"{len(y):,} | {X.shape[1]} | {len(set(y))}"
            print(f"| {depth} | {table} | {size} | {errors:,} | {seconds:.2f} | {peer} |", flush=True)
        theirs = f"{total[1]:.2f}" if options.peer else ""
        print(f"| {depth} | those beside pycontree, together | | | | | {total[0]:.2f} | {theirs} |")
    print("\n".join(["", *(f"WRONG {problem}" for problem in wrong)]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

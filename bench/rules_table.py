#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rules beside the trees they come from: count, size and accuracy on held-out rows, as a Markdown table.

    python3 bench/rules_table.py soybean.csv:class german_credit.csv:class adult.csv.gz:income --folds 10

Every table is dealt into stratified folds by a fixed seed. In every fold trees are grown on the other rows,
turned into rules by `bough rules` on the same rows, and scored on the fold. Numbers are means over the folds.
A tree's conditions are those of its leaves, merged, so that both sides count the same thing.
"""

import argparse
import csv
import gzip
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GROWN = {
    "full tree": [],
    "5 rows a leaf": ["--min-samples-leaf", "5"],
}


def read(path):
    opener = gzip.open if str(path).endswith(".gz") else open
    with opener(path, "rt", newline="") as file:
        head, *rows = csv.reader(file)
    return head, rows


def deal(labels, n_folds, seed=1):
    """The fold of every row: each class dealt out in a random order."""
    chosen = random.Random(seed)
    by_class = {}
    for row, label in enumerate(labels):
        by_class.setdefault(label, []).append(row)
    folds, card = [0] * len(labels), 0
    for label in sorted(by_class):
        rows = by_class[label]
        chosen.shuffle(rows)
        for row in rows:
            folds[row] = card % n_folds
            card += 1
    return folds


def write(path, head, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([head, *rows])


class Desk:
    def __init__(self, program, folder):
        self.program, self.folder = program, Path(folder)

    def run(self, *words):
        done = subprocess.run(
            [self.program, *map(str, words)], cwd=self.folder, capture_output=True, text=True
        )
        if done.returncode:
            sys.exit(f"bough {' '.join(map(str, words))}\n{done.stderr}")
        return done.stdout

    def accuracy(self, model, target):
        truth_head, truth = read(self.folder / "test.csv")
        at = truth_head.index(target)
        answers = self.run("predict", model, "test.csv").splitlines()[1:]
        answers = [row[0] for row in csv.reader(answers)]
        return sum(row[at] == answer for row, answer in zip(truth, answers, strict=True)) / len(truth)

    def size(self, *words):
        """Rules and conditions, from the head of the text."""
        parts = self.run("rules", *words).split("\n", 1)[0].replace(";", "").replace(",", "").split()
        return int(parts[0]), int(parts[3])


def measure(desk, path, target, n_folds):
    head, rows = read(path)
    at = head.index(target)
    folds = deal([row[at] for row in rows], n_folds)
    sums = {}
    for fold in range(n_folds):
        write(desk.folder / "train.csv", head, [row for row, f in zip(rows, folds, strict=True) if f != fold])
        write(desk.folder / "test.csv", head, [row for row, f in zip(rows, folds, strict=True) if f == fold])
        for name, options in GROWN.items():
            desk.run("train", "train.csv", "--target", target, "-o", "m.bough", "--holdout", "0", *options)
            start = time.perf_counter()
            desk.run("rules", "m.bough", "--c45", "--data", "train.csv", "-o", "r.json")
            seconds = time.perf_counter() - start
            found = [
                *desk.size("m.bough"),
                desk.accuracy("m.bough", target),
                *desk.size("r.json"),
                desk.accuracy("r.json", target),
                seconds,
            ]
            sums[name] = [a + b for a, b in zip(sums.get(name, [0.0] * len(found)), found, strict=True)]
    return {name: [value / n_folds for value in values] for name, values in sums.items()}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", nargs="+", help="PATH:TARGET")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--program", default=ROOT / "build/release/bough", type=Path)
    arguments = parser.parse_args()
    print(
        "| data | tree | leaves | conditions of the tree | accuracy of the tree "
        "| rules | conditions of the rules | accuracy of the rules | seconds |"
    )
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|")
    for table in arguments.tables:
        path, _, target = table.rpartition(":")
        with tempfile.TemporaryDirectory() as folder:
            desk = Desk(arguments.program.resolve(), folder)
            for name, values in measure(desk, Path(path).resolve(), target, arguments.folds).items():
                leaves, tree_size, tree_right, n_rules, size, right, seconds = values
                print(
                    f"| {Path(path).name.split('.')[0]} | {name} | {leaves:.1f} | {tree_size:.0f} "
                    f"| {tree_right:.4f} | {n_rules:.1f} | {size:.0f} | {right:.4f} | {seconds:.1f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()

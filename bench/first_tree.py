# SPDX-License-Identifier: Apache-2.0
"""bough train that is told nothing, beside the full tree and rpart's default, on rows that none has seen.

Seven rows in ten train, the others score: divided once, below 5,000 rows ten
times, or --divisions times, whose means are shown; rpart reads the same rows. Seconds are processor time of
training, reading the table included, on one thread.
Usage:

    .venv/bin/python bench/first_tree.py ../shared/data build/release/bough > bench/results/first_tree.md
    .venv/bin/python bench/first_tree.py ../shared/data build/release/bough --divisions 20 \\
        --only german_credit,bike_day --full "--pruning cost_complexity"
"""

import argparse
import csv
import gzip
import json
import math
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

# name, file, target, columns that give the target away
SETS = [
    ("adult", "adult.csv.gz", "income", []),
    ("german_credit", "german_credit.csv", "class", []),
    ("california", "california_housing.csv.gz", "median_house_value", []),
    ("bike_day", "bike_day.csv", "cnt", ["casual", "registered"]),
    ("titanic", "titanic.csv", "Survived", []),
    ("flights", "flights_100k.csv.gz", "arr_delay", ["dep_delay", "arr_time", "air_time", "dep_time"]),
    ("letter", "letter.csv.gz", "class", []),
    ("soybean", "soybean.csv", "class", []),
    ("kddcup", "kddcup99_10pct.csv.gz", "label", []),
    ("diamonds", "diamonds.csv.gz", "price", []),
]
MISSING = {"", "?", "NA", "N/A", "NaN", "nan", "null", "NULL"}
NUMBERS = {"california", "bike_day", "flights", "diamonds"}

RPART = """
library(rpart)
args <- commandArgs(TRUE)
read <- function(path)
  read.csv(path, na.strings = c("", "?", "NA"), stringsAsFactors = TRUE, check.names = FALSE)
train <- read(args[1]); test <- read(args[2]); target <- args[3]
if (args[4] == "classes") train[[target]] <- factor(train[[target]])
for (name in names(train)) if (is.factor(train[[name]]) && name != target) {
  # Searching sets of many levels for many classes takes rpart exponential time.
  many <- args[4] == "classes" && nlevels(train[[target]]) > 2 && nlevels(train[[name]]) > 15
  if (many) train[[name]] <- NULL
  else test[[name]] <- factor(test[[name]], levels = levels(train[[name]]))
}
names(train) <- make.names(names(train)); names(test) <- make.names(names(test))
target <- make.names(target)
tree <- rpart(as.formula(paste(target, "~ .")), train)
seconds <- proc.time()[["user.self"]]  # starting R and reading included
classes <- args[4] == "classes"
answers <- if (classes) as.character(predict(tree, test, type = "class")) else predict(tree, test)
writeLines(as.character(c(sum(tree$frame$var == "<leaf>"), seconds, answers)))
"""


def rows_of(path):
    with gzip.open(path, "rt", newline="") if path.suffix == ".gz" else path.open(newline="") as file:
        return list(csv.reader(file))


def divide(path, target, dropped, folder, seed):
    names, *rows = rows_of(path)
    keep = [i for i, name in enumerate(names) if name not in dropped]
    at = names.index(target)
    rows = [[row[i] for i in keep] for row in rows if row[at] not in MISSING]
    random.Random(seed).shuffle(rows)
    names = [names[i] for i in keep]
    cut = len(rows) * 7 // 10
    for name, part in (("train.csv", rows[:cut]), ("test.csv", rows[cut:])):
        with (folder / name).open("w", newline="") as file:
            csv.writer(file).writerows([names, *part])
    at = names.index(target)
    return [row[at] for row in rows[cut:]]


def score(truth, answers, numbers):
    """Accuracy or R2, and its standard error."""
    n = len(truth)
    if not numbers:
        share = sum(a == b for a, b in zip(truth, answers, strict=True)) / n
        return share, math.sqrt(share * (1 - share) / n)
    truth, answers = [float(v) for v in truth], [float(v) for v in answers]
    mean = sum(truth) / n
    spread = sum((y - mean) ** 2 for y in truth) / n
    errors = [(y - p) ** 2 for y, p in zip(truth, answers, strict=True)]
    loss = sum(errors) / n
    error = math.sqrt(sum((e - loss) ** 2 for e in errors) / n / n)
    return 1 - loss / spread, error / spread


def timed(words, limit=None):
    """The result of a command, and its processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=limit)
    if done.returncode != 0:
        sys.exit(done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime - before.ru_utime


def bough(program, folder, target, options, truth, numbers):
    model = folder / "m.bough"
    words = [program, "train", folder / "train.csv", "--target", target, "--no-scores", "-o", model]
    _, seconds = timed([*words, "--threads", "1", *options])
    leaves = json.loads(subprocess.run([program, "info", model, "--json"], capture_output=True).stdout)
    done = subprocess.run([program, "predict", model, folder / "test.csv"], capture_output=True, text=True)
    answers = [row[0] for row in csv.reader(done.stdout.splitlines()[1:])]
    return leaves["trees"][0]["leaves"], *score(truth, answers, numbers), seconds


def rpart(folder, target, truth, numbers, limit):
    kind = "numbers" if numbers else "classes"
    script = folder / "rpart.R"
    script.write_text(RPART)
    command = ["Rscript", script, folder / "train.csv", folder / "test.csv", target, kind]
    try:
        done, _ = timed(command, limit)
    except subprocess.TimeoutExpired:
        return None
    leaves, seconds, *answers = done.stdout.splitlines()
    return int(leaves), *score(truth, answers, numbers), float(seconds)


def line(name, numbers, chosen, full, peer):
    def cell(result):
        return "not in time" if result is None else f"{result[1]:.4f} ({result[0]:,}; {result[3]:.1f} s)"

    pays = chosen[1] > full[1] + full[2]
    good = chosen[1] >= full[1] - full[2] and (peer is None or chosen[1] >= peer[1])
    small = chosen[0] * 10 <= full[0] or not pays
    verdict = "yes" if good and small else "score" if not good else "size"
    kind = "R2" if numbers else "accuracy"
    return f"| {name} | {kind} | {cell(chosen)} | {cell(full)} | {full[2]:.4f} | {cell(peer)} | {verdict} |"


def mean_of(results):
    """Means of leaves (rounded), scores, standard errors and seconds; None where a run is missing."""
    if any(result is None for result in results):
        return None
    leaves, *rest = (sum(values) / len(results) for values in zip(*results, strict=True))
    return round(leaves), *rest


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("program", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--chosen", default="", help="options of the chosen tree, for experiments")
    parser.add_argument("--full", default="--size full")
    parser.add_argument(
        "--divisions", type=int, default=0, help="of every table (default: 10 below 5,000 rows, else 1)"
    )
    parser.add_argument("--limit", type=int, default=300, help="seconds for rpart")
    given = parser.parse_args()
    print("| data | score | chosen (leaves; time) | full | standard error | rpart's default | met |")
    print("|---|---|---|---|---|---|---|")
    for name, file, target, dropped in SETS:
        if given.only and name not in given.only.split(","):
            continue
        numbers, found = name in NUMBERS, []
        few = 10 if len(rows_of(given.data / file)) < 5000 else 1
        for seed in range(given.divisions or few):
            with tempfile.TemporaryDirectory() as temporary:
                folder = Path(temporary)
                truth = divide(given.data / file, target, dropped, folder, seed)
                ask = (given.program, folder, target)
                found.append(
                    (
                        bough(*ask, given.chosen.split(), truth, numbers),
                        bough(*ask, given.full.split(), truth, numbers),
                        rpart(folder, target, truth, numbers, given.limit),
                    )
                )
        print(line(name, numbers, *map(mean_of, zip(*found, strict=True))), flush=True)


if __name__ == "__main__":
    main()

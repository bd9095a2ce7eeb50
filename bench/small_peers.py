# SPDX-License-Identifier: Apache-2.0
"""Peers of the suite `small` that run as programs of their own, under the interface of scikit-learn."""

import re
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

WEKA = Path("/usr/share/java/weka.jar")  # Debian's package
RPART = """
suppressMessages(library(rpart))
args <- commandArgs(TRUE)
train <- read.csv(args[1]); test <- read.csv(args[2])
train$y <- factor(train$y)
tree <- rpart(y ~ ., train)
writeLines(as.character(sum(tree$frame$var == "<leaf>")))
write.table(predict(tree, test), row.names = FALSE, col.names = FALSE)
"""


def csv_text(X, y):
    head = ",".join([*(f"x{j}" for j in range(X.shape[1])), "y"])
    lines = (
        ",".join([*map(repr, map(float, row)), f"c{label:03d}"]) for row, label in zip(X, y, strict=True)
    )
    return "\n".join([head, *lines, ""])


def arff_text(X, y, n_classes):
    head = ["@relation small", *(f"@attribute x{j} numeric" for j in range(X.shape[1]))]
    head.append("@attribute y {" + ",".join(f"c{label:03d}" for label in range(n_classes)) + "}")
    return "\n".join([*head, "@data", *csv_text(X, y).splitlines()[1:], ""])


class Program:
    """Trains where it is asked about fresh rows, because one run of the program does both."""

    def fit(self, X, y):
        self.rows, self.n_classes = (X, y), int(y.max()) + 1
        return self

    def predict_proba(self, X):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with tempfile.TemporaryDirectory() as folder:
            self.leaves, shares = self.run(Path(folder), X)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.child_seconds = after.ru_utime - before.ru_utime
        return np.asarray(shares)

    def get_n_leaves(self):
        return self.leaves


def output_of(command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout


class Rpart(Program):
    """rpart as it is: cp = 0.01, 20 rows to divide a node."""

    def run(self, folder, X):
        (folder / "train.csv").write_text(csv_text(*self.rows))
        (folder / "test.csv").write_text(csv_text(X, np.zeros(len(X), int)))
        (folder / "rpart.R").write_text(RPART)
        leaves, *lines = output_of(
            ["Rscript", folder / "rpart.R", folder / "train.csv", folder / "test.csv"]
        ).splitlines()
        return int(leaves), [list(map(float, line.split())) for line in lines]


class J48(Program):
    """Weka's C4.5 as it is: confidence 0.25, two rows in a leaf."""

    def run(self, folder, X):
        (folder / "train.arff").write_text(arff_text(*self.rows, self.n_classes))
        (folder / "test.arff").write_text(arff_text(X, np.zeros(len(X), int), self.n_classes))
        java = ["java", "-cp", WEKA, "weka.classifiers.trees.J48"]
        saved = ["-d", folder / "model"]
        told = output_of([*java, "-t", folder / "train.arff", "-no-cv", *saved])
        leaves = int(re.search(r"Number of Leaves\s*:\s*(\d+)", told)[1])
        answers = output_of(
            [*java, "-T", folder / "test.arff", "-l", folder / "model", "-p", "0", "-distribution"]
        )
        shares = re.findall(
            r"^\s*\d+\s+\d+:\S+\s+\d+:\S+\s.*?([\d.*]+(?:,[\d.*]+)+)\s*$", answers, re.MULTILINE
        )
        return leaves, [[float(share.strip("*")) for share in line.split(",")] for line in shares]


class Dl85:
    """pydl8.5, which knows columns of 0 and 1 alone: every column by cuts at its quantiles.

    Its own shares of classes are those of the root, so leaves count their training rows here.
    """

    CUTS = 5

    def __init__(self, seconds):
        self.seconds = seconds

    def bits(self, X):
        return np.concatenate([np.less_equal(X, cut) for cut in self.cuts], axis=1).astype(int)

    def fit(self, X, y):
        from pydl85 import DL85Classifier

        self.cuts = np.quantile(X, np.arange(1, self.CUTS + 1) / (self.CUTS + 1), axis=0, method="lower")
        bits = self.bits(X)
        self.root = DL85Classifier(max_depth=3, min_sup=1, time_limit=self.seconds).fit(bits, y).tree_
        leaves = self.leaf_of(bits)
        self.shares = np.zeros((leaves.max() + 1, y.max() + 1))
        np.add.at(self.shares, (leaves, y), 1)
        self.shares /= np.maximum(self.shares.sum(axis=1, keepdims=True), 1)
        return self

    def leaf_of(self, bits):
        out, self.n_leaves = np.zeros(len(bits), int), 0
        below = [(self.root, np.arange(len(bits)))]
        while below:
            node, rows = below.pop()
            if "feat" not in node:
                out[rows] = self.n_leaves
                self.n_leaves += 1
                continue
            yes = bits[rows, node["feat"]] == 1
            below += [(node["right"], rows[~yes]), (node["left"], rows[yes])]
        return out

    def predict_proba(self, X):
        return self.shares[self.leaf_of(self.bits(X))]

    def get_n_leaves(self):
        return self.n_leaves


def absent(name):
    """Why a peer cannot run here, or an empty text."""
    if name == "rpart":
        return "" if shutil.which("Rscript") else "no R"
    return "" if shutil.which("java") and WEKA.exists() else "no Weka"


def version(name):
    if name == "rpart":
        return output_of(["Rscript", "-e", "cat(as.character(packageVersion('rpart')))"])
    return WEKA.resolve().stem.removeprefix("weka-")

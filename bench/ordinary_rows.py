# SPDX-License-Identifier: Apache-2.0
"""The rows of the suite `ordinary` as data: tables, models, work; and the tables as raw files.

A row is a table, a model and what is timed. A new table, model or kind of work is a line here; who can do
what is in ordinary_worker.py.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REAL = Path(os.environ.get("BOUGH_DATA", ROOT.parent / "shared" / "data"))
FOLDER = ROOT / "build" / "bench-data" / "ordinary"
QUICK_ROWS, QUICK_TREES = 4000, 10


@dataclass(frozen=True)
class Table:
    name: str
    source: str  # a file in REAL, or a function of sklearn.datasets
    target: str = ""  # of a file; "": the last column
    classes: bool = True
    trees: int = 100  # of a forest
    leave_out: tuple = ()


TABLES = [
    Table("letter", "letter.csv.gz"),
    Table("adult", "adult.csv.gz", trees=20),
    Table("spambase", "spambase.csv.gz"),
    Table("covtype", "covtype_100k.csv.gz", trees=10),
    Table("skin", "skin.csv.gz", trees=10),
    Table("kddcup", "kddcup99_10pct.csv.gz", trees=10),
    Table("wine_white", "wine_quality_white.csv.gz"),
    Table("higgs", "higgs_7500.csv.gz", "label"),
    Table("banknote", "banknote.csv"),
    Table("compas", "compas_gosdt.csv"),
    Table("digits", "load_digits"),
    Table("cancer", "load_breast_cancer"),
    Table("wine", "load_wine"),
    Table("california", "california_housing.csv.gz", "median_house_value", False, 20),
    Table("diamonds", "diamonds.csv.gz", "price", False, 20),
    Table("bike_hour", "bike_hour.csv.gz", "cnt", False, 20, ("casual", "registered")),
    Table("abalone", "abalone.csv", "", False),
    Table("wine_red", "wine_quality_red.csv", "", False),
    Table("concrete", "concrete.csv", "", False),
    Table("diabetes", "load_diabetes", "", False),
]
# Trees of a model: None: as many as the table says.
MODELS = {"tree": 1, "depth8": 1, "forest": None, "extra": None}
WORDS = {"tree": "fully grown tree", "depth8": "tree of depth 8", "forest": "forest", "extra": "extra trees"}
WORK = ("fit", "predict")


@dataclass(frozen=True)
class Row:
    table: Table
    model: str
    work: str

    @property
    def name(self):
        return f"{self.work} {self.model} {self.table.name}"

    def trees(self, quick):
        trees = MODELS[self.model] or self.table.trees
        return min(trees, QUICK_TREES) if quick else trees


ROWS = [Row(table, model, work) for table in TABLES for model in MODELS for work in WORK]


def read(table):
    """The number columns of a table and its target."""
    import pandas as pd
    from sklearn import datasets

    if table.source.startswith("load_"):
        return getattr(datasets, table.source)(return_X_y=True)
    frame = pd.read_csv(REAL / table.source).drop(columns=list(table.leave_out))
    y = frame.pop(table.target or frame.columns[-1])
    y = pd.factorize(y)[0] if table.classes else y.to_numpy(float)
    return frame.select_dtypes("number").dropna(axis=1).to_numpy(), y


def write(table, quick):
    """The folder of a table's raw files: x.f32, row by row, y.f64, meta.json; None where it is absent."""
    folder = FOLDER / (table.name + ("_quick" if quick else ""))
    if (folder / "meta.json").exists():
        return folder
    if not table.source.startswith("load_") and not (REAL / table.source).exists():
        return None
    import numpy as np

    x, y = read(table)
    x, y = (x[:QUICK_ROWS], y[:QUICK_ROWS]) if quick else (x, y)
    folder.mkdir(parents=True, exist_ok=True)
    np.ascontiguousarray(x, np.float32).tofile(folder / "x.f32")
    np.asarray(y, np.float64).tofile(folder / "y.f64")
    sizes = {"rows": len(y), "columns": x.shape[1], "classes": len(np.unique(y)) if table.classes else 0}
    (folder / "meta.json").write_text(json.dumps(sizes))
    return folder

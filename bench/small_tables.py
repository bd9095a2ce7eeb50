# SPDX-License-Identifier: Apache-2.0
"""The tables of the suite `small`: classes only, number columns (categories as columns of 0 and 1)."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn import datasets

ROOT = Path(__file__).resolve().parent.parent
REAL = Path(os.environ.get("BOUGH_DATA", ROOT.parent / "shared" / "data"))
MOST_ROWS = 5500
SAMPLED = ["adult", "compas", "higgs", "letter", "occupancy", "room", "wine_white"]
SAMPLED_ROWS = 3000  # of these at the most
FEWEST_OF_A_CLASS = 12  # smaller classes are left out

# Files in REAL and their targets; None: the last column.
FILES = {
    "adult": ("adult.csv.gz", None),
    "balance": ("balance_scale.csv", "class"),
    "car": ("car_evaluation.csv", None),
    "compas": ("compas_gosdt.csv", "two_year_recid"),
    "german": ("german_credit.csv", None),
    "higgs": ("higgs_7500.csv.gz", "label"),
    "letter": ("letter.csv.gz", None),
    "spambase": ("spambase.csv.gz", "class"),
    "tictactoe": ("tic_tac_toe.csv", None),
    "wine_red": ("wine_quality_red.csv", "quality"),
    "wine_white": ("wine_quality_white.csv.gz", None),
}
# Files of ConTree's benchmark: the class comes first.
CONTREE = ["bank", "bidding", "fault", "occupancy", "page", "raisin", "rice", "room", "segment", "wilt"]
LIBRARY = {
    "breast": datasets.load_breast_cancer,
    "digits": datasets.load_digits,
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
}
GENERATORS = {
    "circles": lambda: datasets.make_circles(1000, noise=0.2, factor=0.5, random_state=0),
    "hastie": lambda: datasets.make_hastie_10_2(2000, random_state=0),
    "madelon": lambda: datasets.make_classification(1500, 12, n_informative=4, flip_y=0.1, random_state=0),
    "moons": lambda: datasets.make_moons(1000, noise=0.3, random_state=0),
}
# The tables, rows and (four) splits of the study that searched trees were designed by.
STUDY = [
    *("adult", "balance", "bank", "bidding", "breast", "car", "compas", "digits", "fault", "german"),
    *("higgs", "page", "raisin", "rice", "segment", "spambase", "tictactoe", "wilt", "wine", "wine_red"),
]
SPLITS, OTHER_SPLITS = 4, 2  # of the tables of the study, and of the others
QUICK = ["bank", "raisin", "segment", "german", "balance", "tictactoe", "breast", "wine", "moons"]


def names():
    """The tables that are here: without the files only scikit-learn's and made ones."""
    files = [name for name, (file, _) in FILES.items() if (REAL / file).exists()]
    contree = [name for name in CONTREE if (REAL / "contree" / f"{name}.txt.gz").exists()]
    return [*files, *contree, *LIBRARY, *GENERATORS]


def splits_of(name):
    return SPLITS if name in STUDY else OTHER_SPLITS


def sampled(frame, most):
    return frame.sample(most, random_state=0) if len(frame) > most else frame


def read(name, most=MOST_ROWS):
    """Columns as float32 numbers, and classes 0, 1, ..."""
    most = min(most, SAMPLED_ROWS) if name in SAMPLED else most
    if name in FILES:
        file, target = FILES[name]
        frame = sampled(pd.read_csv(REAL / file), most)
        y = frame.pop(target or frame.columns[-1]).to_numpy()
        frame = pd.get_dummies(frame, dtype=float)
        X = frame.fillna(frame.median()).to_numpy()
    elif name in CONTREE:
        frame = sampled(pd.read_csv(REAL / "contree" / f"{name}.txt.gz", sep=" ", header=None), most)
        y, X = frame[0].to_numpy(), frame.drop(columns=0).to_numpy()
    else:
        X, y = LIBRARY[name](return_X_y=True) if name in LIBRARY else GENERATORS[name]()
        rows = sampled(pd.DataFrame(index=range(len(y))), most).index
        X, y = X[rows], y[rows]
    X, y = np.asarray(X, np.float32), np.unique(y, return_inverse=True)[1]
    keep = np.isin(y, np.flatnonzero(np.bincount(y) >= FEWEST_OF_A_CLASS))
    return X[keep], np.unique(y[keep], return_inverse=True)[1]

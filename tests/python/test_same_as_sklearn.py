# SPDX-License-Identifier: Apache-2.0
"""Predictions equal scikit-learn's wherever no tie was broken differently; where they differ it is proved.

Both trees are walked together over the training rows. At the first node of a path where they ask different
questions, both splits are judged in exact rational arithmetic: bough's must not be worse, and scikit-learn's
must be as good as far as its floating point can tell, or have left out cuts between values closer than its
1e-7."""

from fractions import Fraction

import bough
import numpy as np
import pandas as pd
import pytest
import sklearn.tree
from support import ROOT

DATA = ROOT.parent / "shared" / "data"


def exact_score(y, left, classify):
    """What both programs maximise: the sum over the sides of sum(counts^2)/n, or of sum(y)^2/n."""
    total = Fraction(0)
    for side in (y[left], y[~left]):
        if len(side) == 0:
            return Fraction(-1)
        if classify:
            total += Fraction(int((np.bincount(side).astype(object) ** 2).sum()), len(side))
        else:
            total += sum(map(Fraction, side.tolist()), Fraction(0)) ** 2 / len(side)
    return total


def goes_left(tree, node, X):
    column = X[:, tree.feature[node]].astype(np.float64)
    missing = np.isnan(column)
    return np.where(missing, bool(tree.missing_go_to_left[node]), column <= tree.threshold[node])


def prove(ours, a, theirs, b, X, y, classify):
    """Fails unless bough's split at node a is at least as good as scikit-learn's at b, and hardly better."""
    if theirs.children_left[b] < 0:
        assert theirs.impurity[b] <= 1e-12 * max(1.0, float(np.square(y).max())), "scikit-learn stopped early"
        return
    if ours.children_left[a] < 0:
        assert np.ptp(y) == 0, "bough stopped where there was something to split"
        return
    left = goes_left(ours, a, X)
    mine, other = exact_score(y, left, classify), exact_score(y, goes_left(theirs, b, X), classify)
    # Scores are compared as doubles: of two that differ by less than these can tell either may win.
    assert mine >= other or float(other - mine) <= 4e-16 * float(other), (
        f"node {a}: {float(mine)} < {float(other)}"
    )
    if float(mine - other) > 1e-9 * max(1.0, float(mine)):
        column = X[:, ours.feature[a]]
        gap = np.nanmin(column[~left], initial=np.inf) - np.nanmax(column[left], initial=-np.inf)
        assert gap <= 1e-7, f"node {a} beats scikit-learn's split and no cut was too narrow for it"


def rows_beyond_ties(ours, theirs, X, y, classify):
    """The training rows whose paths agree; every disagreement on the way is proved to be a tie."""
    same = np.ones(len(X), dtype=bool)
    todo = [(0, 0, np.arange(len(X)))]
    while todo:
        a, b, rows = todo.pop()
        if ours.children_left[a] < 0 and theirs.children_left[b] < 0:
            continue
        mine = goes_left(ours, a, X[rows]) if ours.children_left[a] >= 0 else None
        other = goes_left(theirs, b, X[rows]) if theirs.children_left[b] >= 0 else None
        if mine is None or other is None or not np.array_equal(mine, other):
            prove(ours, a, theirs, b, X[rows], y[rows], classify)
            same[rows] = False
            continue
        todo.append((ours.children_left[a], theirs.children_left[b], rows[mine]))
        todo.append((ours.children_right[a], theirs.children_right[b], rows[~mine]))
    return same


def compare(X, y, classify, max_depth=None):
    X = np.ascontiguousarray(X, dtype=np.float32)
    kind = "Classifier" if classify else "Regressor"
    ours = getattr(bough, f"DecisionTree{kind}")(max_depth=max_depth).fit(X, y)
    theirs = getattr(sklearn.tree, f"DecisionTree{kind}")(max_depth=max_depth, random_state=0).fit(X, y)
    codes = np.unique(y, return_inverse=True)[1] if classify else np.asarray(y, dtype=float)
    same = rows_beyond_ties(ours.tree_, theirs.tree_, X, codes, classify)
    if classify:
        np.testing.assert_array_equal(ours.predict(X)[same], theirs.predict(X)[same])
        np.testing.assert_allclose(ours.predict_proba(X)[same], theirs.predict_proba(X)[same], rtol=1e-12)
    else:
        np.testing.assert_allclose(ours.predict(X)[same], theirs.predict(X)[same], rtol=1e-9, atol=1e-12)
    if same.all():
        # No tie anywhere: the trees are one tree, node by node, and so are their other numbers.
        np.testing.assert_array_equal(ours.tree_.feature, theirs.tree_.feature)
        np.testing.assert_allclose(ours.tree_.threshold, theirs.tree_.threshold, rtol=0)
        np.testing.assert_allclose(ours.tree_.impurity, theirs.tree_.impurity, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(
            ours.feature_importances_, theirs.feature_importances_, rtol=1e-6, atol=1e-9
        )
        grid = np.random.default_rng(0).permuted(X, axis=0)
        np.testing.assert_array_equal(ours.apply(grid), theirs.apply(grid))
    return same.mean()


@pytest.mark.parametrize("seed", range(30))
def test_random_numeric_tables_give_scikit_learns_predictions(seed):
    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(30, 400)), int(rng.integers(1, 9))
    X = rng.normal(size=(n, p))
    if seed % 3 == 1:
        X = np.round(X, 1)  # many equal values
    if seed % 4 == 2:
        X[rng.random(X.shape) < 0.1] = np.nan
    signal = np.nan_to_num(X[:, 0]) + (np.nan_to_num(X[:, -1]) > 0.3)
    if seed % 2:
        compare(X, signal + rng.normal(size=n), classify=False, max_depth=None if seed % 5 else 4)
    else:
        y = np.digitize(signal + rng.normal(size=n), [-0.5, 0.5, 1.5])
        compare(X, y, classify=True, max_depth=None if seed % 5 else 4)


SETS = [
    ("abalone.csv", "Rings", False),
    ("auto_mpg.csv", "mpg", False),
    ("balance_scale.csv", "class", True),
    ("banknote.csv", "class", True),
    ("breast_cancer_wisconsin.csv", None, True),
    ("concrete.csv", None, False),
    ("higgs_7500.csv.gz", "label", True),
    ("letter.csv.gz", "class", True),
    ("penguins.csv", "species", True),
    ("spambase.csv.gz", "class", True),
    ("wine_quality_red.csv", "quality", True),
    ("wine_quality_red.csv", "quality", False),
    ("wine_quality_white.csv.gz", "quality", False),
    ("california_housing.csv.gz", "median_house_value", False),
    ("german_credit.csv", None, True),
    ("titanic.csv", "Survived", True),
]


# The other sets, their last column as the target: numbers of many values are regressed on.
LISTED = {file for file, _, _ in SETS}
OTHERS = sorted(path.name for path in DATA.glob("*.csv*") if path.name not in LISTED)
LARGE = {"covtype_100k.csv.gz", "flights_100k.csv.gz", "kddcup99_10pct.csv.gz", "skin.csv.gz", "adult.csv.gz"}


@pytest.mark.parametrize(
    "file", [pytest.param(name, marks=[pytest.mark.long] if name in LARGE else []) for name in OTHERS]
)
def test_every_other_set_gives_scikit_learns_predictions(file):
    table = pd.read_csv(DATA / file)
    target = table.columns[-1]
    table = table.dropna(subset=[target])
    y = table[target].to_numpy()
    X = table.drop(columns=target).select_dtypes("number")
    regress = y.dtype.kind in "fiu" and (y.dtype.kind == "f" or len(np.unique(y)) > 20)
    if X.shape[1] == 0 or (not regress and len(np.unique(y)) > 100):
        pytest.skip(f"{file} has no numeric columns, or more classes than are worth comparing")
    compare(X.to_numpy(np.float32), y, not regress, max_depth=None if len(table) < 6000 else 8)


@pytest.mark.skipif(not DATA.is_dir(), reason="the data sets are not here (shared/data beside the checkout)")
@pytest.mark.parametrize(("file", "target", "classify"), SETS)
def test_numeric_columns_of_known_sets_give_scikit_learns_predictions(file, target, classify):
    table = pd.read_csv(DATA / file)
    target = target if target in table.columns else table.columns[-1]
    table = table.dropna(subset=[target])
    X = table.drop(columns=target).select_dtypes("number")
    compare(
        X.to_numpy(np.float32), table[target].to_numpy(), classify, max_depth=None if len(table) < 6000 else 8
    )

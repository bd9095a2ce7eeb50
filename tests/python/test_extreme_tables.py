# SPDX-License-Identifier: Apache-2.0
"""Tables that are extreme in one direction: right, and bounded in time and memory.

Every case runs in a process of its own; time and peak memory are printed. Expected trees are arithmetic,
shown beside the case.
"""

import os
import subprocess
import sys

import bough
import numpy as np
import pytest

CASES = {}
CATEGORIES = 1_000_000


def case(limit_gib):
    """Registers a case whose process may take so many GiB at its peak (the data themselves included)."""

    def register(function):
        CASES[function.__name__] = (function, limit_gib)
        return function

    return register


def _levels(n, rng):
    # Every category twice; its class and number follow from it.
    codes = np.repeat(np.arange(n), 2)
    rng.shuffle(codes)
    return codes


def _category_frame(codes, n):
    import pandas as pd

    return pd.DataFrame({"c": pd.Categorical.from_codes(codes, [f"k{i}" for i in range(n)])})


@case(4)
def many_categories_two_classes():
    codes = _levels(CATEGORIES, np.random.default_rng(1))
    y = codes % 2
    model = bough.DecisionTreeClassifier().fit(_category_frame(codes, CATEGORIES), y)
    # Ordered by share, one cut parts the classes.
    assert model.get_n_leaves() == 2
    assert (model.predict(_category_frame(codes, CATEGORIES)) == y).all()


@case(4)
def many_categories_three_classes():
    codes = _levels(CATEGORIES, np.random.default_rng(2))
    y = codes % 3
    model = bough.DecisionTreeClassifier().fit(_category_frame(codes, CATEGORIES), y)
    assert model.get_n_leaves() == 3
    assert (model.predict(_category_frame(codes, CATEGORIES)) == y).all()


@case(4)
def many_categories_of_numbers():
    codes = _levels(CATEGORIES, np.random.default_rng(3))
    y = (codes % 7).astype(float)
    model = bough.DecisionTreeRegressor().fit(_category_frame(codes, CATEGORIES), y)
    assert model.get_n_leaves() == 7
    assert (model.predict(_category_frame(codes, CATEGORIES)) == y).all()


@case(4)
def many_categories_by_equality():
    codes = _levels(CATEGORIES, np.random.default_rng(4))
    y = (codes == 12_345).astype(int)
    frame = _category_frame(codes, CATEGORIES)
    model = bough.DecisionTreeClassifier(category_split="equality").fit(frame, y)
    assert model.get_n_leaves() == 2
    assert (model.predict(frame) == y).all()


@case(8)
def ten_thousand_classes():
    rng = np.random.default_rng(5)
    y = np.repeat(np.arange(10_000), 5)
    X = np.column_stack([rng.normal(size=y.size), y + rng.random(y.size) / 2])
    model = bough.DecisionTreeClassifier(max_leaf_nodes=8).fit(X, y)
    assert model.get_n_leaves() == 8
    # A leaf answers with its most frequent class, of equal ones the first.
    answers, leaves = model.predict(X), model.apply(X)
    assert np.unique(answers).size == 8
    counts = np.zeros((leaves.max() + 1, 10_000), dtype=np.int8)
    np.add.at(counts, (leaves, y), 1)
    lowest = counts.argmax(axis=1)
    assert (answers == lowest[leaves]).all()


@case(8)
def ten_thousand_classes_grown_out():
    y = np.repeat(np.arange(10_000), 3)
    X = (y * 1.0)[:, None]
    model = bough.DecisionTreeClassifier(max_depth=14).fit(X, y)
    # Of k equal classes every cut between two gains the same, k - 1 - (k - 2) = 1 class: the first wins.
    # So a leaf of one class falls off per level, and 14 of them are told apart, and one of the rest.
    assert model.get_n_leaves() == 15
    assert (model.predict(X) == y).sum() == 15 * 3


@case(3)
def a_hundred_thousand_columns():
    rng = np.random.default_rng(6)
    X = rng.normal(size=(50, 100_000))
    y = (X[:, 77_777] > 0.3).astype(int)
    X[:, 77_777] *= 1e300
    model = bough.DecisionTreeClassifier().fit(X, y)
    assert model.get_n_leaves() == 2
    # Another column may part 50 rows as well by chance; the lower one wins then.
    first = model.tree_.feature[0]
    assert first <= 77_777
    assert (model.predict(X) == y).all()
    number = bough.DecisionTreeRegressor().fit(X, X[:, 5])
    assert (number.predict(X) == X[:, 5]).all()


@case(3)
def a_forest_on_a_hundred_thousand_columns():
    rng = np.random.default_rng(7)
    X = rng.normal(size=(50, 100_000))
    y = (X[:, 1] > 0).astype(int)
    model = bough.RandomForestClassifier(n_estimators=20, random_state=0).fit(X, y)
    assert np.isfinite(model.feature_importances_).all()
    assert abs(model.feature_importances_.sum() - 1) < 1e-9


@case(2)
def ten_million_rows_of_one_constant():
    X = np.full((10_000_000, 1), 1e308)
    y = np.zeros(10_000_000)
    y[::2] = 1
    model = bough.DecisionTreeClassifier().fit(X, y.astype(int))
    assert model.get_n_leaves() == 1
    assert model.tree_.impurity[0] == 0.5
    number = bough.DecisionTreeRegressor().fit(X, y)
    assert number.get_n_leaves() == 1
    assert number.tree_.value.ravel()[0] == 0.5
    assert number.tree_.impurity[0] == 0.25


@case(2)
def every_row_the_same():
    X = np.tile([1e-308, -0.0, 5e-324, np.nan], (1_000_000, 1))
    model = bough.DecisionTreeRegressor().fit(X, np.full(1_000_000, 0.1))
    assert model.get_n_leaves() == 1
    assert model.predict(X[:1])[0] == 0.1
    assert model.tree_.impurity[0] == 0.0
    forest = bough.RandomForestRegressor(n_estimators=5, random_state=0).fit(X, np.full(1_000_000, 0.1))
    assert forest.predict(X[:1])[0] == 0.1


@case(2)
def all_targets_the_same_but_one():
    rng = np.random.default_rng(8)
    X = rng.normal(size=(1_000_000, 3))
    for size in (1e-140, 1.0, 1e70):
        y = np.full(1_000_000, size)
        y[123_456] = 3 * size
        model = bough.DecisionTreeRegressor().fit(X, y)
        # A million rows with one that differs: two or three cuts of a column isolate it.
        assert 2 <= model.get_n_leaves() <= 4
        assert (model.predict(X) == y).all()
    classes = np.zeros(1_000_000, int)
    classes[123_456] = 1
    model = bough.DecisionTreeClassifier().fit(X, classes)
    assert (model.predict(X) == classes).all()


@pytest.mark.long
@pytest.mark.parametrize("name", list(CASES))
def test_an_extreme_table_is_right_and_bounded(name, capfd):
    source = (
        "import resource, sys, time; sys.path.insert(0, sys.argv[1]); import pandas, sklearn.tree, bough\n"
        "import test_extreme_tables as cases\n"
        "start = time.perf_counter(); cases.CASES[sys.argv[2]][0]()\n"
        "peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20\n"
        "print(time.perf_counter() - start, peak)"
    )
    here = os.path.dirname(os.path.abspath(__file__))
    done = subprocess.run(
        [sys.executable, "-c", source, here, name], capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    seconds, peak = map(float, done.stdout.split()[-2:])
    with capfd.disabled():
        print(f"\n{name.replace('_', ' ')}: {seconds:.1f} s, {peak:.2f} GiB at the peak", end="")
    assert peak < CASES[name][1]

# SPDX-License-Identifier: Apache-2.0
"""search: what it finds, what it says about it, what it refuses."""

import pickle

import bough
import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris, load_wine


def errors(tree, X, y):
    return (tree.predict(X) != y).sum()


def xor(n, seed):
    X = np.random.default_rng(seed).uniform(-1, 1, (n, 3))
    return X, np.where((X[:, 1] > 0) != (X[:, 2] > 0), "odd", "even")


def test_the_optimum_solves_xor_where_greedy_growing_guesses():
    X, y = xor(300, 1)
    greedy = bough.DecisionTreeClassifier(max_depth=2).fit(X, y)
    best = bough.DecisionTreeClassifier(max_depth=2, search="optimal").fit(X, y)
    assert errors(best, X, y) == 0 < 50 < errors(greedy, X, y)
    assert best.search_.proven and best.search_.errors == best.search_.lower_bound == 0
    assert best.get_n_leaves() == 4 and set(best.tree_.feature[best.tree_.feature >= 0]) == {1, 2}


def test_depth_two_has_the_errors_of_all_trees_of_depth_two():
    X, y = load_wine(return_X_y=True)
    tests = np.concatenate([x[:, None] <= np.unique(x)[:-1] for x in X.T], axis=1).astype(np.float32)
    tables = []
    for label in np.unique(y):
        b = tests[y == label]
        both, one = b.T @ b, b.sum(axis=0)
        i, j = one[:, None], one[None, :]
        tables.append([both, i - both, j - both, len(b) - i - j + both])
    yes_yes, yes_no, no_yes, no_no = (np.max(leaf, axis=0) for leaf in zip(*tables, strict=True))
    most = ((yes_yes + yes_no).max(axis=1) + (no_yes + no_no).max(axis=1)).max()
    best = bough.DecisionTreeClassifier(max_depth=2, search="optimal").fit(X, y)
    assert best.search_.proven and best.search_.errors == len(y) - most == errors(best, X, y)


def test_anytime_is_never_worse_than_greedy_and_the_same_twice():
    X, y = load_wine(return_X_y=True)
    y = np.where(np.random.default_rng(0).random(len(y)) < 0.2, (y + 1) % 3, y)
    limits = {"max_leaf_nodes": 6}
    greedy = bough.DecisionTreeClassifier(**limits).fit(X, y)
    found = bough.DecisionTreeClassifier(**limits, search="anytime", work_limit=300_000).fit(X, y)
    again = bough.DecisionTreeClassifier(**limits, search="anytime", work_limit=300_000, n_jobs=3).fit(X, y)
    assert errors(found, X, y) <= errors(greedy, X, y) and not found.search_.proven
    assert found._model.to_bytes() == again._model.to_bytes()
    assert pickle.loads(pickle.dumps(found)).search_ == found.search_


def test_a_price_per_leaf_leaves_out_splits_that_save_too_little():
    X, y = load_iris(return_X_y=True)
    limits = {"max_depth": 3, "search": "optimal"}
    free = bough.DecisionTreeClassifier(**limits).fit(X, y)
    priced = bough.DecisionTreeClassifier(**limits, leaf_price=2.5).fit(X, y)
    assert priced.get_n_leaves() < free.get_n_leaves()
    assert priced.search_.cost == priced.search_.errors + 2.5 * priced.get_n_leaves()
    assert priced.search_.cost <= free.search_.errors + 2.5 * free.get_n_leaves()


def test_losses_are_what_the_search_makes_small():
    X, y = xor(200, 5)
    y = np.where(np.random.default_rng(0).random(len(y)) < 0.2, "odd", y)
    limits = {"max_leaf_nodes": 3, "search": "optimal"}
    told = bough.DecisionTreeClassifier(**limits, loss_matrix=[[0, 3], [1, 0]]).fit(X, y)
    weighted = bough.DecisionTreeClassifier(**limits, class_weight={"even": 3, "odd": 1}).fit(X, y)
    lost = np.where(y == "even", 3, 1)[told.predict(X) != y].sum()
    assert told.search_.proven and told.search_.errors == weighted.search_.errors == lost
    assert errors(told, X, y) > bough.DecisionTreeClassifier(**limits).fit(X, y).search_.errors
    with pytest.raises(NotImplementedError, match="differ by answer"):
        by_answer = [[0, 1, 2], [1, 0, 1], [1, 1, 0]]
        bough.DecisionTreeClassifier(**limits, loss_matrix=by_answer).fit(*load_iris(return_X_y=True))


def test_shrinkage_goes_with_a_searched_tree():
    X, y = load_iris(return_X_y=True)
    plain = bough.DecisionTreeClassifier(max_depth=2, search="optimal").fit(X, y)
    shrunken = bough.DecisionTreeClassifier(max_depth=2, search="optimal", shrinkage=5.0).fit(X, y)
    assert plain.search_ == shrunken.search_
    assert (shrunken.predict_proba(X).max(axis=1) < plain.predict_proba(X).max(axis=1)).any()


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"search": "optimal"}, "max_leaf_nodes"),
        ({"search": "best", "max_depth": 2}, "search"),
        ({"search": "optimal", "max_depth": 2, "min_samples_split": 3}, "min_samples_split"),
        ({"search": "anytime", "max_depth": 2, "pruning": "cost_complexity"}, "pruning="),
        ({"search": "anytime", "max_depth": 2, "time_limit": 0.0}, "time_limit"),
        ({"search": "anytime", "max_depth": 2, "class_weight": {0: 0.1, 1: 1, 2: 1}}, "weight"),
        ({"work_limit": 1000}, "work_limit"),
    ],
)
def test_what_cannot_be_is_refused_by_name(options, word):
    X, y = load_iris(return_X_y=True)
    with pytest.raises((ValueError, NotImplementedError), match=word):
        bough.DecisionTreeClassifier(**options).fit(X, y)


def test_a_greedy_tree_has_no_search():
    X, y = load_iris(return_X_y=True)
    tree = bough.DecisionTreeClassifier().fit(X, y)
    with pytest.raises(AttributeError, match="greedily"):
        tree.search_  # noqa: B018


def squares(tree, X, y):
    return ((tree.predict(X) - y) ** 2).sum()


def test_numbers_are_searched_by_squared_error():
    X, y = load_diabetes(return_X_y=True)
    X = X[:, :4]
    held = {"max_depth": 3, "min_samples_leaf": 20}
    for limits in ({"max_depth": 2}, {"max_depth": 3}, {"max_leaf_nodes": 7}, held):
        greedy = bough.DecisionTreeRegressor(**limits).fit(X, y)
        found = bough.DecisionTreeRegressor(**limits, search="anytime", work_limit=2_000_000).fit(X, y)
        again = bough.DecisionTreeRegressor(**limits, search="anytime", work_limit=2_000_000, n_jobs=3)
        order = np.random.default_rng(0).permutation(len(y))
        assert found.search_.errors == pytest.approx(squares(found, X, y)) and not found.search_.proven
        assert squares(found, X, y) <= squares(greedy, X, y) * (1 + 1e-12)
        assert found._model.to_bytes() == again.fit(X, y)._model.to_bytes()
        np.testing.assert_allclose(again.fit(X[order], y[order]).predict(X), found.predict(X), rtol=1e-12)
    best = bough.DecisionTreeRegressor(max_depth=2, search="optimal").fit(X, y)
    assert best.search_.proven and best.search_.errors == pytest.approx(squares(best, X, y))


def test_depth_two_has_the_squares_of_all_trees_of_depth_two():
    X, y = load_diabetes(return_X_y=True)
    X, y = X[:120, [0, 2, 3]], y[:120]
    tests = np.concatenate([x[:, None] <= np.unique(x)[:-1] for x in X.T], axis=1)

    def stump(rows):  # the most that one test explains of some rows
        inside = tests[rows].astype(float)
        n, s = inside.sum(axis=0), y[rows] @ inside
        with np.errstate(all="ignore"):
            gain = s**2 / n + (y[rows].sum() - s) ** 2 / (rows.sum() - n)
        return np.nanmax(np.append(gain, y[rows].sum() ** 2 / rows.sum()))

    most = max(stump(test) + stump(~test) for test in tests.T)
    best = bough.DecisionTreeRegressor(max_depth=2, search="optimal").fit(X, y)
    assert best.search_.proven and best.search_.errors == pytest.approx((y**2).sum() - most)


def test_numbers_by_other_criteria_are_not_searched():
    X, y = load_diabetes(return_X_y=True)
    with pytest.raises(NotImplementedError, match="criterion"):
        bough.DecisionTreeRegressor(max_depth=2, search="anytime", criterion="absolute_error").fit(X, y)
    with pytest.raises(NotImplementedError, match="min_samples_leaf"):
        bough.DecisionTreeRegressor(max_depth=2, search="optimal", min_samples_leaf=5).fit(X, y)

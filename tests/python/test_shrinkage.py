# SPDX-License-Identifier: Apache-2.0
"""shrinkage: the formula by hand, what stays, and the strength that cross-validation chooses."""

import bough
import numpy as np
import pytest
from shrunken import by_hand, shares
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_iris,
    make_classification,
    make_regression,
)
from sklearn.metrics import log_loss


def structure(model):
    tree = model.tree_
    return [tree.feature, tree.threshold, tree.children_left, tree.n_node_samples, tree.impurity]


@pytest.mark.parametrize("strength", [0.1, 7.0, 300.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_classes_are_the_formula(strength, weighted):
    X, y = load_iris(return_X_y=True)
    weights = np.random.default_rng(0).integers(1, 4, len(y)) if weighted else None
    plain = bough.DecisionTreeClassifier(max_leaf_nodes=9).fit(X, y, weights)
    shrunken = bough.DecisionTreeClassifier(max_leaf_nodes=9, shrinkage=strength).fit(X, y, weights)
    wanted = by_hand(plain, X, strength, shares(plain))
    np.testing.assert_allclose(shrunken.predict_proba(X), wanted, rtol=0, atol=1e-12)
    for ours, theirs in zip(structure(shrunken), structure(plain), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_numbers_and_several_outputs_are_the_formula():
    X, y = load_diabetes(return_X_y=True)
    Y = np.column_stack([y, X[:, 2] * 100])
    plain = bough.DecisionTreeRegressor(min_samples_leaf=5).fit(X, Y)
    shrunken = bough.DecisionTreeRegressor(min_samples_leaf=5, shrinkage=12).fit(X, Y)
    wanted = by_hand(plain, X, 12, lambda node: plain.tree_.value[node][:, 0])
    np.testing.assert_allclose(shrunken.predict(X), wanted, rtol=1e-12)


def test_no_shrinkage_changes_nothing():
    X, y = load_iris(return_X_y=True)
    plain = bough.DecisionTreeClassifier().fit(X, y)
    for none in (None, 0, 0.0):
        other = bough.DecisionTreeClassifier(shrinkage=none).fit(X, y)
        np.testing.assert_array_equal(other.tree_.value, plain.tree_.value)


def test_a_forest_shrinks_every_tree():
    X, y = load_iris(return_X_y=True)
    plain = bough.RandomForestClassifier(5, random_state=3).fit(X, y)
    shrunken = bough.RandomForestClassifier(5, random_state=3, shrinkage=4.0).fit(X, y)
    wanted = np.mean([by_hand(one, X, 4.0, shares(one)) for one in plain.estimators_], axis=0)
    np.testing.assert_allclose(shrunken.predict_proba(X), wanted, rtol=0, atol=1e-12)


def test_the_strength_that_folds_choose_is_the_one_of_the_leaves():
    X, y = load_breast_cancer(return_X_y=True)
    rows = np.random.default_rng(5).permutation(len(y))[:200]
    X, y = X[rows], y[rows]
    model = bough.DecisionTreeClassifier(min_samples_leaf=3, shrinkage="cv").fit(X, y)
    chosen = model.shrinkage_
    assert chosen > 0 and any(f"shrinkage {chosen:g}" in note for note in model._model.notes)
    plain = bough.DecisionTreeClassifier(min_samples_leaf=3).fit(X, y)
    np.testing.assert_allclose(
        model.predict_proba(X), by_hand(plain, X, chosen, shares(plain)), rtol=0, atol=1e-12
    )


def test_out_of_bag_rows_choose_for_a_forest():
    X, y = load_iris(return_X_y=True)
    plain = bough.RandomForestClassifier(25, random_state=1, oob_score=True).fit(X, y)
    model = bough.RandomForestClassifier(25, random_state=1, shrinkage="cv").fit(X, y)
    note = next(note for note in model._model.notes if "shrinkage" in note)
    chosen = model.shrinkage_

    def judged(strength):
        one = bough.RandomForestClassifier(25, random_state=1, shrinkage=strength, oob_score=True).fit(X, y)
        return log_loss(y, one.oob_decision_function_)

    losses = {strength: judged(strength) for strength in (0, 0.1, 0.3, 1, 3, 10, 30, 100)}
    assert min(losses, key=losses.__getitem__) == chosen
    assert f"{losses[chosen]:.4g} ({log_loss(y, plain.oob_decision_function_):.4g} without)" in note


def test_monotone_answers_stay_monotone():
    X, y = load_diabetes(return_X_y=True)
    signs = np.zeros(X.shape[1], int)
    signs[2] = 1
    model = bough.DecisionTreeRegressor(monotonic_cst=signs, shrinkage=25.0).fit(X, y)
    row = np.repeat(X[:40], 50, axis=0)
    row[:, 2] = np.tile(np.linspace(X[:, 2].min(), X[:, 2].max(), 50), 40)
    assert (np.diff(model.predict(row).reshape(40, 50), axis=1) >= 0).all()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"shrinkage": "cv", "bootstrap": False}, "bootstrap"),
        ({"shrinkage": -1.0}, "shrinkage"),
        ({"shrinkage": "much"}, "shrinkage"),
    ],
)
def test_what_cannot_be_is_refused_by_name(given, words):
    X, y = load_iris(return_X_y=True)
    with pytest.raises((ValueError, NotImplementedError), match=words):
        bough.RandomForestClassifier(3, **given).fit(X, y)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_ten_models_equal_imodels(seed):
    hs = pytest.importorskip("imodels.tree.hierarchical_shrinkage")
    X, y = make_classification(300, 6, random_state=seed)
    # imodels shrinks the very tree, so that ties between splits do not matter.
    theirs = hs.HSTreeClassifier(bough.DecisionTreeClassifier().fit(X, y).to_sklearn(), reg_param=9)
    ours = bough.DecisionTreeClassifier(shrinkage=9).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=0, atol=1e-12)
    X, y = make_regression(300, 6, noise=3.0, random_state=seed)
    theirs = hs.HSTreeRegressor(bough.DecisionTreeRegressor().fit(X, y).to_sklearn(), reg_param=9)
    ours = bough.DecisionTreeRegressor(shrinkage=9).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), np.ravel(theirs.predict(X)), rtol=1e-12)

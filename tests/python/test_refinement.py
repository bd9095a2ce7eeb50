# SPDX-License-Identifier: Apache-2.0
"""TAO: what it finds, what it leaves alone, what it refuses."""

import pickle

import bough
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes


def xor(n, seed, noise=0.0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 3))
    y = (X[:, 1] > 0) != (X[:, 2] > 0)
    return X, np.where(y ^ (rng.random(n) < noise), "odd", "even")


def same_tree(a, b):
    left, right = a.tree_, b.tree_
    return (
        left.node_count == right.node_count
        and np.array_equal(left.threshold, right.threshold, equal_nan=True)
        and np.array_equal(left.feature, right.feature)
        and np.array_equal(left.value, right.value)
    )


def wrong(tree, X, y):
    return np.mean(tree.predict(X) != y)


def test_passes_without_a_gate_never_raise_the_training_error_and_shrink_the_tree():
    X, y = load_breast_cancer(return_X_y=True)
    y = np.where(np.random.default_rng(0).random(len(y)) < 0.1, 1 - y, y)
    errors, leaves = [], []
    for passes in range(6):
        tree = bough.DecisionTreeClassifier(max_depth=5, refine=bough.TAO(passes, fraction=0.0)).fit(X, y)
        errors.append(wrong(tree, X, y))
        leaves.append(tree.get_n_leaves())
    assert errors == sorted(errors, reverse=True) and errors[-1] < errors[0]
    assert leaves[-1] <= leaves[0]
    assert 0.999 < tree.feature_importances_.sum() < 1.001
    assert np.array_equal(pickle.loads(pickle.dumps(tree)).predict_proba(X), tree.predict_proba(X))
    # The statistics are those of the rows that come to the nodes.
    counts = np.bincount(tree.apply(X), minlength=tree.tree_.node_count)
    inner = tree.tree_.children_left >= 0
    assert np.array_equal(counts[~inner], tree.tree_.n_node_samples[~inner])


def test_passes_lower_the_squared_error():
    X, y = load_diabetes(return_X_y=True)
    Y = np.column_stack([y, y[::-1]])
    for target in (y, Y):
        plain = bough.DecisionTreeRegressor(max_depth=4).fit(X, target)
        refined = bough.DecisionTreeRegressor(max_depth=4, refine=bough.TAO(10, fraction=0.0)).fit(X, target)
        assert np.mean((refined.predict(X) - target) ** 2) < np.mean((plain.predict(X) - target) ** 2)


def test_the_gate_leaves_the_tree_of_all_rows_alone_where_no_pass_helps():
    X, y = xor(400, 5)
    full = bough.DecisionTreeClassifier().fit(X, y)  # makes no errors: nothing to refine
    gated = bough.DecisionTreeClassifier(refine=bough.TAO(5)).fit(X, y)
    assert same_tree(full, gated)
    assert "tao left the tree as it was" in " ".join(gated.tree_.model.notes)


def test_the_note_says_when_passes_helped_on_rows_held_out_only():
    X, y = xor(60, 2)
    plain = bough.DecisionTreeClassifier(max_depth=4).fit(X, y)
    gated = bough.DecisionTreeClassifier(max_depth=4, refine=bough.TAO(5)).fit(X, y)
    assert same_tree(plain, gated)
    (note,) = gated.tree_.model.notes
    assert note.startswith(
        "tao left the tree as it was: a pass over the tree of all rows found nothing to change"
    )
    assert "although 2 passes lowered the loss per row on rows held out" in note


def test_the_gate_keeps_passes_that_help_on_rows_held_out():
    X, y = xor(600, 6, noise=0.05)
    fresh, truth = xor(3000, 7)
    plain = bough.DecisionTreeClassifier(max_depth=4).fit(X, y)
    refined = bough.DecisionTreeClassifier(max_depth=4, refine=bough.TAO(20)).fit(X, y)
    assert refined.score(fresh, truth) > plain.score(fresh, truth)
    assert "lowered the loss per row" in " ".join(refined.tree_.model.notes)
    again = bough.DecisionTreeClassifier(max_depth=4, refine=bough.TAO(20), n_jobs=2).fit(X, y)
    assert same_tree(refined, again)


@pytest.mark.parametrize("pruning", [{"ccp_alpha": 0.002}, {"pruning": bough.CostComplexity(folds=3)}])
def test_tao_comes_after_pruning(pruning):
    X, y = xor(500, 8, noise=0.2)
    pruned = bough.DecisionTreeClassifier(**pruning).fit(X, y)
    refined = bough.DecisionTreeClassifier(**pruning, refine=bough.TAO(5)).fit(X, y)
    assert refined.get_n_leaves() <= pruned.get_n_leaves()


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"refine": bough.TAO(3), "missing": "surrogate"}, "missing='surrogate'"),
        ({"refine": bough.TAO(3), "monotonic_cst": [1, 0, 0]}, "monotonic_cst"),
        ({"refine": bough.TAO(3), "interaction_cst": [[0], [1, 2]]}, "interaction_cst"),
        ({"refine": bough.TAO(3), "pruning": "reduced_error"}, "reduced_error"),
        ({"refine": bough.TAO(3), "priors": {"even": 0.5, "odd": 0.5}}, "priors"),
        ({"refine": bough.TAO(3), "competitors": 2}, "competitors"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(options, word):
    X, y = xor(50, 9)
    with pytest.raises((ValueError, NotImplementedError), match=word):
        bough.DecisionTreeClassifier(**options).fit(X, y)


def test_oblique_trees_are_refined_by_sums_of_their_columns():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 4)) * [1, 10, 0.1, 1]
    y = X[:, 0] - 0.1 * X[:, 1] + 10 * X[:, 2] > 0.3
    options = {"max_depth": 1, "max_features": 4, "random_state": 0}
    plain = bough.ObliqueDecisionTreeClassifier(**options).fit(X, y)
    refined = bough.ObliqueDecisionTreeClassifier(**options, refine=bough.TAO(5)).fit(X, y)
    assert refined.get_n_leaves() == 2 and refined.score(X, y) > 0.97 > plain.score(X, y) + 0.05
    fresh = rng.normal(size=(2000, 4)) * [1, 10, 0.1, 1]
    truth = fresh[:, 0] - 0.1 * fresh[:, 1] + 10 * fresh[:, 2] > 0.3
    assert refined.score(fresh, truth) > 0.96
    again = pickle.loads(pickle.dumps(refined))
    assert np.array_equal(again.predict(fresh), refined.predict(fresh))
    numbers = bough.ObliqueDecisionTreeRegressor(max_depth=2, max_features=4, random_state=0).fit(X, X.sum(1))
    lower = bough.ObliqueDecisionTreeRegressor(
        max_depth=2, max_features=4, random_state=0, refine=bough.TAO(5, fraction=0.0)
    ).fit(X, X.sum(1))
    assert lower.score(X, X.sum(1)) > numbers.score(X, X.sum(1))

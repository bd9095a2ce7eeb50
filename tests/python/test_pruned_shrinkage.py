# SPDX-License-Identifier: Apache-2.0
"""Pruning a shrunken tree: its training rows decide, and the leaves that are left stay shrunken."""

import bough
import numpy as np
import pytest
from shrunken import by_hand, shares
from sklearn.datasets import load_breast_cancer, load_diabetes, make_classification

X, Y = make_classification(400, 6, n_informative=4, n_classes=3, flip_y=0.2, random_state=5)
R = np.random.default_rng(3)
WEIGHTS = {
    "none": None,
    "whole": R.integers(0, 4, len(Y)),
    "tenths": R.integers(1, 9, len(Y)) / 10,
}
PRUNERS = {
    "cp": lambda tree: bough.prune_cp(tree, 0.02),
    "cp 0": lambda tree: bough.prune_cp(tree, 0.0),
    "error": lambda tree: bough.prune(tree, alpha=0.004, risk="error"),
    "impurity": lambda tree: bough.prune(tree, alpha=0.004),
    "mdl": lambda tree: bough.prune(tree, method="mdl"),
    "pessimistic": lambda tree: bough.prune(tree, method="pessimistic"),
    "critical value": lambda tree: bough.prune(tree, critical_value=0.01),
}


def splits_of(model):
    return [model.tree_.feature.tolist(), model.tree_.threshold.tolist(), model.tree_.children_left.tolist()]


CASES = [(how, weights) for how in PRUNERS for weights in WEIGHTS]


@pytest.mark.parametrize(("how", "weights"), CASES)
@pytest.mark.parametrize("strength", [1.0, 300.0])
def test_a_shrunken_tree_is_pruned_as_without_shrinkage(how, weights, strength):
    fit = {"X": X, "y": Y, "sample_weight": WEIGHTS[weights]}
    plain = PRUNERS[how](bough.DecisionTreeClassifier(min_samples_leaf=6).fit(**fit))
    shrunken = PRUNERS[how](bough.DecisionTreeClassifier(min_samples_leaf=6, shrinkage=strength).fit(**fit))
    assert plain.get_n_leaves() < bough.DecisionTreeClassifier(min_samples_leaf=6).fit(**fit).get_n_leaves()
    assert splits_of(shrunken) == splits_of(plain)
    wanted = by_hand(plain, X, strength, shares(plain))
    np.testing.assert_allclose(shrunken.predict_proba(X), wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize("strength", [None, 1.0, 300.0])
def test_splits_of_fractional_weights_that_lower_no_error_go(strength):
    tenths = WEIGHTS["tenths"]
    model = bough.DecisionTreeClassifier(min_samples_leaf=6, shrinkage=strength).fit(X, Y, tenths)
    tree, ways = model.tree_, np.asarray(model.decision_path(X).todense(), dtype=bool)
    counts = np.rint(10 * tenths).astype(int)  # whole numbers: sums are exact
    errors = []
    for node in range(tree.node_count):
        classes = np.bincount(Y[ways[:, node]], counts[ways[:, node]], minlength=3)
        errors.append(int(classes.sum() - classes.max()))
    least, leaves = list(errors), [1] * tree.node_count
    for node in reversed(range(tree.node_count)):
        left, right = tree.children_left[node], tree.children_right[node]
        if left >= 0 and least[left] + least[right] < errors[node]:
            least[node], leaves[node] = least[left] + least[right], leaves[left] + leaves[right]
    assert 1 < leaves[0] < model.get_n_leaves()
    assert bough.prune_cp(model, 0.0).get_n_leaves() == leaves[0]


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_the_cp_table_counts_training_rows(weights, class_weight):
    settings = {"max_depth": 5, "class_weight": class_weight}
    tables = [
        bough.DecisionTreeClassifier(shrinkage=s, **settings).fit(X, Y, WEIGHTS[weights]).cp_table_
        for s in (None, 300.0)
    ]
    np.testing.assert_array_equal(tables[1].n_splits, tables[0].n_splits)
    for column in ("cp", "rel_error"):
        np.testing.assert_allclose(tables[1][column], tables[0][column], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("losses", [None, [[0, 1, 4], [1, 0, 1], [2, 1, 0]]])
def test_rpart_prints_losses_of_training_rows_and_predictions_after_shrinkage(losses):
    settings = {"max_depth": 3, "loss_matrix": losses}
    plain = bough.rpart_text(bough.DecisionTreeClassifier(**settings).fit(X, Y))
    model = bough.DecisionTreeClassifier(shrinkage=300.0, **settings).fit(X, Y)
    shrunken = bough.rpart_text(model)
    assert "has for the training rows; yval and (yprob) are after shrinkage 300" in shrunken

    def lines(text):  # number), test, n, loss; then the predicted class and its shares
        return [line.split(" y = ")[0] for line in text.splitlines() if " y = " in line]

    assert len(lines(plain)) == 15
    assert lines(shrunken) == lines(plain)
    first = model.predict_proba(X[:1])[0]
    assert "(" + " ".join(f"{share:.8f}" for share in first) + ")" in shrunken


def test_a_summary_keeps_counts_and_predictions_apart():
    text = bough.summary(bough.DecisionTreeClassifier(max_depth=2, shrinkage=50.0).fit(X, Y))
    plain = bough.summary(bough.DecisionTreeClassifier(max_depth=2).fit(X, Y))
    kept = [line for line in plain.splitlines() if "class weights" in line or "complexity" in line]
    assert [line for line in text.splitlines() if "class weights" in line or "complexity" in line] == kept
    D, d = load_diabetes(return_X_y=True)
    model = bough.DecisionTreeRegressor(max_depth=1, shrinkage=50.0).fit(D, d)
    left = D[:, model.tree_.feature[0]] <= model.tree_.threshold[0]
    text = bough.summary(model)
    assert f"mean={d[left].mean():.6g}"[:12] in text
    assert f"predicted={model.predict(D[left])[0]:.6g}"[:16] in text


def test_cross_validated_errors_are_those_of_shrunken_trees():
    """By hand: a tree grown without every group, cut at the middle of each row's range of cp, shrunken."""
    data, y = load_breast_cancer(return_X_y=True)
    groups = np.arange(len(y)) % 4
    model = bough.DecisionTreeClassifier(max_depth=1, shrinkage=2000.0).fit(data, y)
    table = model.cross_validate_cp(data, y, groups=groups).cp_table_
    wrong = 0
    for group in range(4):
        inside = groups == group
        fold = bough.DecisionTreeClassifier(max_depth=1, shrinkage=2000.0).fit(data[~inside], y[~inside])
        wrong += (fold.predict(data[inside]) != y[inside]).sum()
    assert table.xerror[-1] == pytest.approx(wrong / min((y == 0).sum(), (y == 1).sum()))


def test_new_leaf_values_beside_shrunken_ones_are_refused():
    model = bough.DecisionTreeClassifier(shrinkage=5.0).fit(X[:200], Y[:200])
    for values in ("prune", "both"):
        with pytest.raises(NotImplementedError, match="shrinkage 5"):
            bough.prune(model, X[200:], Y[200:], leaf_values=values)
    assert bough.prune(model, X[200:], Y[200:]).get_n_leaves() < model.get_n_leaves()


def test_the_strength_that_was_chosen_counts_too():
    model = bough.DecisionTreeClassifier(shrinkage="cv", min_samples_leaf=2).fit(X, Y)
    assert model.shrinkage_ > 0
    plain = bough.DecisionTreeClassifier(min_samples_leaf=2).fit(X, Y)
    assert splits_of(bough.prune_cp(model, 0.01)) == splits_of(bough.prune_cp(plain, 0.01))


def test_shrinkage_so_strong_that_rows_cannot_be_told_is_refused():
    model = bough.DecisionTreeClassifier(shrinkage=1e15).fit(X, Y)
    with pytest.raises(NotImplementedError, match="weaker shrinkage"):
        bough.prune_cp(model, 0.01)


def test_a_pruned_tree_claims_no_proof_of_the_larger_one():
    model = bough.DecisionTreeClassifier(search="optimal", max_depth=2).fit(X[:150], Y[:150])
    assert model.search_.proven
    pruned = bough.prune_cp(model, 0.3)
    assert pruned.get_n_leaves() < model.get_n_leaves()
    assert not hasattr(pruned, "search_")

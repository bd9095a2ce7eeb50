# SPDX-License-Identifier: Apache-2.0
"""Explanations in Python: Shapley values beside the shap package; methods that must agree with predict."""

import sys

import bough
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier as TheirClassifier
from sklearn.tree import DecisionTreeRegressor as TheirRegressor


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return X, y, bough.DecisionTreeClassifier(max_depth=4).fit(X, y)


THEIRS = [
    ("iris_tree", load_iris, TheirClassifier(max_depth=5, random_state=0)),
    ("cancer_tree", load_breast_cancer, TheirClassifier(random_state=1)),
    ("diabetes_tree", load_diabetes, TheirRegressor(max_depth=7, random_state=2)),
    ("iris_forest", load_iris, RandomForestClassifier(n_estimators=7, max_depth=4, random_state=3)),
    ("diabetes_forest", load_diabetes, RandomForestRegressor(n_estimators=5, max_depth=6, random_state=4)),
]


@pytest.mark.parametrize(("load", "theirs"), [case[1:] for case in THEIRS], ids=[case[0] for case in THEIRS])
def test_shap_values_are_those_of_the_shap_package(load, theirs):
    shap = pytest.importorskip("shap")
    X, y = load(return_X_y=True)
    # Multiples of 2^-10 and their midpoints are exact in float32: the package rounds thresholds to it where
    # background rows are given, and then sends rows at a cut to the wrong side.
    X = (np.round(X * 1024) / 1024).astype(np.float32)
    theirs.fit(X, y)
    ours = bough.from_sklearn(theirs)
    rows, background = X[::17], X[5::60]
    for other in (None, background):
        perturbation = "tree_path_dependent" if other is None else "interventional"
        explainer = shap.TreeExplainer(theirs, data=other, feature_perturbation=perturbation)
        wanted = np.asarray(explainer.shap_values(rows, check_additivity=False))
        values = ours.shap_values(rows, background=other)
        # Their sums run in float32 in places.
        scale = np.abs(wanted).max()
        np.testing.assert_allclose(values, wanted, atol=2e-6 * scale, rtol=0)
        np.testing.assert_allclose(ours.expected_value(other), explainer.expected_value, rtol=2e-6)


def test_shap_values_add_up_to_the_prediction(iris):
    X, _, model = iris
    for background in (None, X[::25]):
        values = model.shap_values(X, background)
        assert values.shape == (150, 4, 3)
        total = values.sum(axis=1) + model.expected_value(background)
        np.testing.assert_allclose(total, model.predict_proba(X), atol=1e-12)


def test_shap_gets_an_object_of_its_own(iris):
    shap = pytest.importorskip("shap")
    X, _, model = iris
    explanation = model.to_shap(X)
    assert isinstance(explanation, shap.Explanation)
    assert explanation.values.shape == (150, 4, 3) and explanation.base_values.shape == (150, 3)
    assert explanation[..., 1].feature_names == ["x0", "x1", "x2", "x3"]


def test_shap_is_asked_for_where_it_is_needed(iris, monkeypatch):
    X, _, model = iris
    monkeypatch.setitem(sys.modules, "shap", None)
    with pytest.raises(ImportError, match="pip install shap"):
        model.to_shap(X)


def test_several_targets_give_a_list(iris):
    X, _, _ = iris
    model = bough.DecisionTreeRegressor(max_depth=3).fit(X[:, :2], X[:, 2:])
    values = model.shap_values(X[:, :2])
    assert [part.shape for part in values] == [(150, 2), (150, 2)]
    total = np.stack([part.sum(axis=1) for part in values], axis=1) + np.array(model.expected_value())
    np.testing.assert_allclose(total, model.predict(X[:, :2]), atol=1e-12)


def test_contributions_follow_the_way_of_a_row(iris):
    X, y, model = iris
    changes = model.path_contributions(X)
    root = np.bincount(y) / len(y)
    np.testing.assert_allclose(changes.sum(axis=1) + root, model.predict_proba(X), atol=1e-12)
    leaves, per_leaf = model.leaf_contributions()
    at = np.searchsorted(leaves, model.apply(X))
    np.testing.assert_allclose(per_leaf[at], changes, atol=1e-15)
    why = model.reasons(X, 120, label=2)
    assert why.value == pytest.approx(model.predict_proba(X)[120, 2])
    assert why.reasons[0]["column"] in {"x2", "x3"}
    assert why.sentences[0].startswith("The probability of y = 2 is ")


def test_why_split_shows_the_split_of_the_tree(iris):
    X, y, model = iris
    why = model.why_split(X, y, node=0)
    assert why.agrees
    assert why.columns[0]["best"]["threshold"] == model.tree_.threshold[0]
    curve = why.columns[0]["curve"]
    assert len(curve) == len(np.unique(X[:, model.tree_.feature[0]])) - 1
    # The arithmetic of the gini impurity, by hand, at every cut.
    for cut in curve:
        left = X[:, model.tree_.feature[0]] <= cut["threshold"]
        gini = [1 - sum((np.bincount(part) / len(part)) ** 2) for part in (y, y[left], y[~left])]
        assert cut["merit"] == pytest.approx(gini[0] - left.mean() * gini[1] - (~left).mean() * gini[2])
    assert "This is the split the tree uses." in why.text
    labels = np.array(["setosa", "versicolor", "virginica"])[y]
    balanced = bough.DecisionTreeClassifier(max_depth=3, class_weight={"virginica": 5.0}).fit(X, labels)
    assert all(
        balanced.why_split(X, labels, node=node).agrees
        for node in range(balanced.tree_.node_count)
        if balanced.tree_.children_left[node] >= 0
    )


def test_permutation_importance_is_near_that_of_scikit_learn(iris):
    from sklearn.inspection import permutation_importance

    X, y, model = iris
    ours = model.permutation_importance(X, y, n_repeats=40, random_state=1)
    theirs = permutation_importance(model, X, y, n_repeats=40, random_state=1)
    assert ours.score == "accuracy"
    assert ours.base == model.score(X, y)
    # Means of 40 shuffles of 150 rows: a tenth of the accuracy is more than five standard errors.
    np.testing.assert_allclose(ours.importances_mean, theirs.importances_mean, atol=0.1)
    assert np.all(ours.importances_low <= ours.importances_mean)
    again = model.permutation_importance(X, y, n_repeats=40, random_state=1)
    np.testing.assert_array_equal(ours.importances, again.importances)


def test_a_counterfactual_flips_the_answer(iris):
    X, _, model = iris
    for row in range(0, 150, 10):
        nearest = model.counterfactual(X, row)
        assert nearest.found
        assert nearest.before == model.predict(X[row : row + 1])[0] and isinstance(nearest.before, int)
        assert nearest.after in (0, 1, 2) and nearest.after != nearest.before
        assert model.predict(X[row : row + 1])[0] != model.predict(nearest.cells.reshape(1, -1))[0]
        changed = np.flatnonzero(nearest.cells != X[row])
        assert [f"x{column}" for column in changed] == [change["column"] for change in nearest.changes]
    fixed = model.counterfactual(X, 0, wanted=2, fixed=["x2", 3])
    assert not fixed.found
    with pytest.raises(ValueError, match="is not a class"):
        model.counterfactual(X, 0, wanted="rose")


def test_frames_with_categories_are_explained():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"size": [1, 2, 3, 4, 5, 6] * 5, "kind": pd.Categorical(list("aabbcc") * 5)})
    y = np.array(["no", "no", "yes", "yes", "no", "yes"] * 5)
    model = bough.DecisionTreeClassifier().fit(frame, y)
    values = model.shap_values(frame)
    np.testing.assert_allclose(
        values.sum(axis=1) + model.expected_value(), model.predict_proba(frame), atol=1e-12
    )
    assert model.why_split(frame, y).agrees
    nearest = model.counterfactual(frame, 0, wanted="yes")
    assert nearest.after == "yes"
    assert model.permutation_importance(frame, y).importances.shape == (2, 10)


def test_what_cannot_be_explained_says_so(iris):
    X, y, _ = iris
    forest = bough.from_sklearn(RandomForestClassifier(n_estimators=3, random_state=0).fit(X, y))
    with pytest.raises(NotImplementedError, match="3 trees together"):
        forest.counterfactual(X, 0)
    with pytest.raises(ValueError, match="no node 999"):
        bough.DecisionTreeClassifier(max_depth=2).fit(X, y).why_split(X, y, node=999)


def test_the_way_of_a_row_reads_like_the_other_explanations(iris):
    X, y, tree = iris
    told = tree.explain(X, row=70)
    assert told.sentences == told["sentences"]
    assert told.prediction == tree.predict(X[[70]])[0]
    forest = bough.RandomForestClassifier(3, random_state=0).fit(X, y)
    assert forest.explain(X, row=70).sentences

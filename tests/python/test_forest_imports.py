# SPDX-License-Identifier: Apache-2.0
"""Forests of scikit-learn become models of ours with the same answers, everywhere around their thresholds."""

import pickle

import bough
import numpy as np
import pandas as pd
import pytest
import sklearn
import sklearn.ensemble
import sklearn.tree
from scipy import sparse
from sklearn.base import is_classifier

FORESTS = ["RandomForestClassifier", "RandomForestRegressor", "ExtraTreesClassifier", "ExtraTreesRegressor"]


def rows_beside(forest, n, rng):
    """Rows of float32 at thresholds, one step beside them, and anywhere."""
    cuts = np.concatenate([tree.tree_.threshold[tree.tree_.feature >= 0] for tree in forest.estimators_])
    cells = rng.choice(cuts[np.isfinite(cuts)], size=(n, forest.n_features_in_)).astype(np.float32)
    step = rng.integers(0, 4, size=cells.shape)
    cells = np.where(step == 1, np.nextafter(cells, np.float32(np.inf)), cells)
    cells = np.where(step == 2, np.nextafter(cells, np.float32(-np.inf)), cells)
    return np.where(step == 3, rng.normal(size=cells.shape).astype(np.float32), cells)


def data(name, outputs, missing, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(150, 4)).astype(np.float32)
    if missing:
        X[rng.random(X.shape) < 0.15] = np.nan
    score = np.nan_to_num(X) @ rng.normal(size=(4, outputs)) + rng.normal(size=(150, outputs))
    if "Classifier" in name:
        score = np.digitize(score, [-1, 1])
    return X, score[:, 0] if outputs == 1 else score


def check(ours, theirs, rows):
    np.testing.assert_array_equal(ours.apply(rows), theirs.apply(rows))
    np.testing.assert_array_equal(ours.predict(rows), theirs.predict(rows))
    if not is_classifier(theirs):
        return
    # scikit-learn divides the sum by the number of trees, we by the sum: the last digit may differ.
    one = theirs.n_outputs_ == 1
    for mine, their in zip(
        [ours.predict_proba(rows)] if one else ours.predict_proba(rows),
        [theirs.predict_proba(rows)] if one else theirs.predict_proba(rows),
        strict=True,
    ):
        np.testing.assert_allclose(mine, their, rtol=1e-15, atol=1e-15)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("name", FORESTS)
def test_a_forest_keeps_its_leaves_and_answers(name, outputs, missing, tmp_path):
    X, y = data(name, outputs, missing, seed=outputs)
    theirs = getattr(sklearn.ensemble, name)(n_estimators=7, random_state=1, n_jobs=1).fit(X, y)
    ours = bough.from_sklearn(theirs)
    print(f"scikit-learn {sklearn.__version__}: {name}, {outputs} outputs")
    assert type(ours).__name__ == (
        "ImportedForestClassifier" if is_classifier(theirs) else "ImportedForestRegressor"
    )
    rng = np.random.default_rng(5)
    rows = rows_beside(theirs, 400, rng)
    if missing:
        rows[rng.random(rows.shape) < 0.1] = np.nan
    doubles = rows.astype(np.float64) * (1 + rng.normal(size=rows.shape) * 4e-8)
    for some in (X, rows, doubles):
        check(ours, theirs, some)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-12)
    ours.save(tmp_path / "forest.bough")
    check(bough.load(tmp_path / "forest.bough"), theirs, rows)
    check(pickle.loads(pickle.dumps(ours)), theirs, rows)
    back = ours.to_sklearn()
    check(ours, back, rows)
    if outputs == 1 or not is_classifier(theirs):
        assert ours.score(X, y) == theirs.score(X, y) == back.score(X, y)


def test_the_shares_of_a_tree_are_the_very_numbers_of_scikit_learn():
    X, y = data("Classifier", 1, False, seed=3)
    theirs = sklearn.tree.DecisionTreeClassifier(random_state=0, min_samples_leaf=7).fit(X, y)
    ours = bough.from_sklearn(theirs)
    np.testing.assert_array_equal(ours.predict_proba(X), theirs.predict_proba(X))
    np.testing.assert_array_equal(ours.to_sklearn().predict_proba(X), theirs.predict_proba(X))


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["no", "perhaps", "yes"]),
        np.array(["no", "perhaps", "yes"], dtype=object),
        np.array([-2.0, 0.0, 1e6]),
        np.array([2**60, 2**60 + 1, 2**60 + 2]),
        np.array([-3, 0, 9], dtype=np.int8),
        np.array([False, True]),
    ],
    ids=lambda labels: f"{labels.dtype}",
)
def test_labels_of_any_type_come_back(labels):
    X, y = data("Classifier", 1, False, seed=4)
    y = labels[y % len(labels)]
    theirs = sklearn.ensemble.RandomForestClassifier(n_estimators=3, random_state=0).fit(X, y)
    got = bough.from_sklearn(theirs).predict(X)
    assert got.dtype == theirs.predict(X).dtype
    np.testing.assert_array_equal(got, theirs.predict(X))


def test_names_frames_and_sparse_rows_cross_too():
    X, y = data("Classifier", 1, False, seed=6)
    frame = pd.DataFrame(X, columns=["a", "b c", "</script>", "é"])
    theirs = sklearn.ensemble.RandomForestClassifier(n_estimators=3, random_state=0).fit(frame, y)
    ours = bough.from_sklearn(theirs)
    assert list(ours.feature_names_in_) == list(frame.columns)
    np.testing.assert_array_equal(ours.predict(frame), theirs.predict(frame))
    thin = sparse.random(200, 6, density=0.3, random_state=0, format="csr", dtype=np.float32)
    theirs = sklearn.ensemble.ExtraTreesClassifier(n_estimators=3, random_state=0).fit(
        thin, np.arange(200) % 3
    )
    check(bough.from_sklearn(theirs), theirs, thin)


def test_a_forest_is_exported_and_shown_tree_by_tree(tmp_path):
    X, y = data("Classifier", 1, False, seed=7)
    theirs = sklearn.ensemble.RandomForestClassifier(n_estimators=3, max_depth=3, random_state=0).fit(X, y)
    ours = bough.from_sklearn(theirs)
    module = {}
    exec(ours.export("python"), module)
    for row, label in zip(X[:50], theirs.predict(X[:50]), strict=True):
        assert module["predict"](row.tolist()) == label
    assert [tree.get_n_leaves() for tree in ours.estimators_] == [
        t.get_n_leaves() for t in theirs.estimators_
    ]
    assert "node" in ours.explain(X, 3)["steps"][0]
    page = str(ours.report(X, y, repeats=0))
    assert page.lstrip().lower().startswith("<!doctype html")
    indicator, starts = ours.decision_path(X)
    assert (indicator != theirs.decision_path(X)[0]).nnz == 0 and list(starts) == list(
        theirs.decision_path(X)[1]
    )


def test_classes_of_the_same_name_from_elsewhere_are_refused_with_their_module():
    theirs = type(
        "RandomForestClassifier", (sklearn.base.BaseEstimator,), {"__module__": "elsewhere.ensemble"}
    )
    with pytest.raises(
        TypeError, match=r"elsewhere\.ensemble\.RandomForestClassifier is not scikit-learn's own"
    ):
        bough.from_sklearn(theirs())


def test_trees_that_another_program_put_together_come_along():
    X, y = data("Classifier", 1, missing=False, seed=5)
    tree = sklearn.tree.DecisionTreeClassifier(max_depth=3).fit(X, y)
    del tree.max_features_
    check(bough.from_sklearn(tree), tree, X)


@pytest.mark.parametrize(
    "name", ["GradientBoostingRegressor", "HistGradientBoostingRegressor", "AdaBoostRegressor"]
)
def test_sums_of_trees_are_refused_by_name(name):
    with pytest.raises(TypeError, match=f"{name} adds up weighted trees"):
        bough.from_sklearn(getattr(sklearn.ensemble, name)())


def test_losses_do_not_cross_to_scikit_learn():
    X, y = data("Classifier", 1, False, seed=9)
    losses = bough.DecisionTreeClassifier(loss_matrix=[[0, 1, 2], [3, 0, 1], [1, 1, 0]]).fit(X, y)
    with pytest.raises(NotImplementedError, match="weighs losses"):
        losses.to_sklearn()


def test_what_is_for_one_tree_says_so():
    X, y = data("RandomForestClassifier", 1, False, 0)
    theirs = sklearn.ensemble.RandomForestClassifier(3, random_state=0).fit(X, y)
    forest = bough.from_sklearn(theirs)
    for ask in (
        bough.plot_tree,
        bough.export_text,
        bough.export_graphviz,
        bough.rules,
        bough.rpart_text,
        lambda tree: bough.prune(tree, alpha=0.1),
        lambda tree: bough.cost_complexity_cv(tree, X, y, folds=2),
    ):
        with pytest.raises(bough.BoughError, match=r"3 trees.*model\.estimators_\[0\]"):
            ask(forest)
        assert ask(forest.estimators_[0]) is not None


def test_a_report_takes_the_path_of_a_model_file(tmp_path):
    X, y = data("RandomForestClassifier", 1, False, 0)
    forest = bough.from_sklearn(sklearn.ensemble.RandomForestClassifier(3, random_state=0).fit(X, y))
    forest.save(tmp_path / "forest.bough")
    page = str(bough.report(tmp_path / "forest.bough", X, y))
    assert f"imported from scikit-learn {sklearn.__version__} RandomForestClassifier" in page
    assert "Grown with bough" not in page

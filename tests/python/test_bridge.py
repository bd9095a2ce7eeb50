# SPDX-License-Identifier: Apache-2.0
"""Trees from and to scikit-learn."""

import json

import bough
import numpy as np
import pandas as pd
import pytest
import sklearn
import sklearn.tree
from bough._sklearn import float64_thresholds
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression

NAMES = ["DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier", "ExtraTreeRegressor"]


def data(name):
    return load_iris(return_X_y=True) if "Classifier" in name else load_diabetes(return_X_y=True)


@pytest.mark.parametrize("options", [{}, {"max_leaf_nodes": 9}, {"max_depth": 3, "min_samples_leaf": 5}])
@pytest.mark.parametrize("name", NAMES)
def test_a_tree_of_scikit_learn_keeps_its_answers(name, options):
    X, y = data(name)
    theirs = getattr(sklearn.tree, name)(random_state=0, **options).fit(X, y)
    ours = bough.from_sklearn(theirs)
    assert type(ours).__name__ == name
    # float64 cells beside the thresholds: scikit-learn rounds them to float32 first.
    rng = np.random.default_rng(1)
    cuts = theirs.tree_.threshold[theirs.tree_.feature >= 0]
    near = rng.choice(cuts, size=(500, X.shape[1])) * (1 + rng.normal(size=(500, X.shape[1])) * 6e-8)
    for rows in (X, near, X.astype(np.float32)):
        np.testing.assert_array_equal(ours.predict(rows), theirs.predict(rows))
    assert ours.get_depth() == theirs.get_depth()
    assert ours.get_n_leaves() == theirs.get_n_leaves()
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_there_and_back_again(name):
    X, y = data(name)
    X = X.astype(np.float32)
    ours = getattr(bough, name)(random_state=0).fit(X, y)
    theirs = ours.to_sklearn()
    assert type(theirs) is getattr(sklearn.tree, name)
    np.testing.assert_array_equal(theirs.predict(X), ours.predict(X))
    np.testing.assert_array_equal(theirs.apply(X), ours.apply(X))
    back = bough.from_sklearn(theirs)
    np.testing.assert_array_equal(back.predict(X), ours.predict(X))
    np.testing.assert_array_equal(back.tree_.children_left, ours.tree_.children_left)


def test_missing_cells_words_and_several_outputs_cross_the_bridge():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3)).astype(np.float32)
    X[rng.random(X.shape) < 0.2] = np.nan
    y = np.c_[np.where(np.nan_to_num(X[:, 0]) > 0, "up", "down"), np.where(np.isnan(X[:, 1]), "gone", "here")]
    theirs = sklearn.tree.DecisionTreeClassifier(random_state=0).fit(X, y)
    ours = bough.from_sklearn(theirs)
    assert (ours.predict(X) == theirs.predict(X)).all()
    again = bough.DecisionTreeClassifier().fit(X, y)
    assert (again.to_sklearn().predict(X) == again.predict(X)).all()


def test_a_category_cannot_cross():
    frame = pd.DataFrame({"c": ["a", "b", "c", "a", "b", "c"]})
    model = bough.DecisionTreeClassifier().fit(frame, [0, 1, 0, 0, 1, 0])
    with pytest.raises(NotImplementedError, match="'c'"):
        model.to_sklearn()


def test_only_fitted_trees_are_taken():
    with pytest.raises(sklearn.exceptions.NotFittedError):
        bough.from_sklearn(sklearn.tree.DecisionTreeClassifier())
    X, y = data("Classifier")
    with pytest.raises(TypeError, match="GradientBoostingClassifier adds up"):
        bough.from_sklearn(GradientBoostingClassifier(n_estimators=2).fit(X, y))
    with pytest.raises(TypeError, match="LogisticRegression is no tree"):
        bough.from_sklearn(LogisticRegression())
    member = RandomForestClassifier(n_estimators=2, random_state=0).fit(X, y).estimators_[0]
    np.testing.assert_array_equal(bough.from_sklearn(member).predict(X), member.predict(X))


def test_moved_thresholds_send_every_double_where_its_float32_goes():
    rng = np.random.default_rng(2)
    cuts = np.r_[rng.normal(size=200), rng.normal(size=50).astype(np.float32), 0.0, 1.0, -1.0, 1e-40, 3e38]
    moved = float64_thresholds(cuts)
    for t, m in zip(cuts, moved, strict=True):
        for x in (m, np.nextafter(m, np.inf), np.nextafter(m, -np.inf), t, np.nextafter(t, np.inf)):
            assert (np.float64(np.float32(x)) <= t) == (x <= m)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("DecisionTreeClassifier", {"criterion": "entropy", "max_depth": 3, "min_samples_leaf": 7}),
        ("DecisionTreeClassifier", {"max_leaf_nodes": 4, "class_weight": "balanced"}),
        ("DecisionTreeRegressor", {"criterion": "absolute_error", "max_depth": 2, "ccp_alpha": 0.5}),
        ("DecisionTreeRegressor", {"min_samples_split": 40, "min_impurity_decrease": 1.0}),
        ("ExtraTreeRegressor", {"max_features": 0.5, "min_weight_fraction_leaf": 0.1}),
    ],
)
def test_an_imported_tree_is_refitted_by_its_parameters(name, options, tmp_path):
    X, y = data(name)
    theirs = getattr(sklearn.tree, name)(random_state=5, **options).fit(X, y)
    ours = bough.from_sklearn(theirs)
    own = getattr(bough, name)(random_state=5, **options).fit(X, y)
    # What bough writes for its own estimator of these parameters.
    assert json.loads(ours.tree_.model.params) == json.loads(own.tree_.model.params)
    ours.save(tmp_path / "tree.bough")
    loaded = bough.load(tmp_path / "tree.bough")
    assert type(loaded).__name__ == name
    assert loaded.tree_.model.command == f"imported from scikit-learn {sklearn.__version__} {name}"
    assert "refit" in loaded.tree_.model.notes[0]
    assert json.loads(loaded.tree_.model.to_json())["provenance"]["n_rows"] == len(X)


def test_studies_of_an_imported_tree_are_those_of_the_same_tree_of_ours():
    X, y = load_iris(return_X_y=True)
    options = {"max_depth": 2, "min_samples_leaf": 20, "random_state": 0}
    ours = bough.from_sklearn(sklearn.tree.DecisionTreeClassifier(**options).fit(X, y))
    own = bough.DecisionTreeClassifier(**options).fit(X, y)
    kept = [bough.stability(tree, X, y, n_repeats=9) for tree in (ours, own)]
    assert kept[0].depths.max() == 2
    np.testing.assert_array_equal(kept[0].leaves, kept[1].leaves)
    assert kept[0].used == kept[1].used


def test_the_rows_of_a_bootstrapped_forest_are_counted_or_not_known():
    X, y = load_iris(return_X_y=True)
    for bootstrap, rows in ((True, 0), (False, len(X))):
        theirs = RandomForestClassifier(3, max_depth=2, bootstrap=bootstrap, random_state=0).fit(X, y)
        whole = bough.from_sklearn(theirs).model_
        assert json.loads(whole.to_json())["provenance"]["n_rows"] == len(X)
        assert json.loads(whole.params)["max_depth"] == 2
        assert json.loads(whole.params)["max_features"] == "sqrt"
        del theirs._n_samples  # as older versions have it
        bare = bough.from_sklearn(theirs).model_
        assert json.loads(bare.to_json())["provenance"]["n_rows"] == rows
        assert bare.command == f"imported from scikit-learn {sklearn.__version__} RandomForestClassifier"

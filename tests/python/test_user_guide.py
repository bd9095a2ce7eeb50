# SPDX-License-Identifier: Apache-2.0
"""The results that scikit-learn's user guide for trees prints."""

import bough
import numpy as np
import sklearn.tree
from sklearn.datasets import load_iris


def test_two_points_are_learned():
    clf = bough.DecisionTreeClassifier().fit([[0, 0], [1, 1]], [0, 1])
    assert repr(clf.predict([[2.0, 2.0]])) == "array([1])"
    assert repr(clf.predict_proba([[2.0, 2.0]])) == "array([[0., 1.]])"


def test_two_points_are_regressed():
    clf = bough.DecisionTreeRegressor().fit([[0, 0], [2, 2]], [0.5, 2.5])
    assert repr(clf.predict([[1, 1]])) == "array([0.5])"


def test_iris_as_text_is_the_guides_but_for_the_tied_root():
    iris = load_iris()
    names = iris.feature_names
    ours = bough.DecisionTreeClassifier(random_state=0, max_depth=2).fit(iris.data, iris.target)
    theirs = sklearn.tree.DecisionTreeClassifier(random_state=0, max_depth=2).fit(iris.data, iris.target)
    # Petal length at 2.45 and petal width at 0.8 both cut off the 50 setosas.
    guide = (
        "|--- petal width (cm) <= 0.80\n"
        "|   |--- class: 0\n"
        "|--- petal width (cm) >  0.80\n"
        "|   |--- petal width (cm) <= 1.75\n"
        "|   |   |--- class: 1\n"
        "|   |--- petal width (cm) >  1.75\n"
        "|   |   |--- class: 2\n"
    )
    assert sklearn.tree.export_text(theirs, feature_names=names) == guide
    expected = guide.replace("width (cm) <= 0.80", "length (cm) <= 2.45").replace(
        "width (cm) >  0.80", "length (cm) >  2.45"
    )
    assert bough.export_text(ours, feature_names=names) == expected
    setosa = iris.target == 0
    assert np.array_equal(iris.data[:, 2] <= 2.45, setosa)
    assert np.array_equal(iris.data[:, 3] <= 0.8, setosa)


def test_a_text_of_a_tree_of_scikit_learn_is_scikit_learns_text():
    iris = load_iris()
    for options in ({}, {"show_weights": True}, {"spacing": 1, "decimals": 4}, {"max_depth": 1}):
        theirs = sklearn.tree.DecisionTreeClassifier(random_state=0).fit(iris.data, iris.target)
        assert bough.export_text(theirs, **options) == sklearn.tree.export_text(theirs, **options)
    theirs = sklearn.tree.DecisionTreeRegressor(random_state=0, max_depth=5).fit(
        iris.data[:, :3], iris.data[:, 3]
    )
    assert bough.export_text(theirs) == sklearn.tree.export_text(theirs)


def test_a_picture_of_a_tree_of_scikit_learn_is_scikit_learns_picture():
    iris = load_iris()
    for options in (
        {},
        {"filled": True, "rounded": True, "special_characters": True, "class_names": iris.target_names},
        {"feature_names": iris.feature_names, "proportion": True, "node_ids": True, "label": "root"},
        {"max_depth": 1, "filled": True, "leaves_parallel": True, "rotate": True, "impurity": False},
    ):
        theirs = sklearn.tree.DecisionTreeClassifier(random_state=0).fit(iris.data, iris.target)
        assert bough.export_graphviz(theirs, **options) == sklearn.tree.export_graphviz(theirs, **options)
        theirs = sklearn.tree.DecisionTreeRegressor(random_state=0, max_depth=3).fit(
            iris.data, iris.data[:, :2]
        )
        options = {key: value for key, value in options.items() if key != "class_names"}
        assert bough.export_graphviz(theirs, **options) == sklearn.tree.export_graphviz(theirs, **options)

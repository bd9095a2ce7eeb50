# SPDX-License-Identifier: Apache-2.0
"""Minimal cost-complexity pruning: scikit-learn's path and trees, and what every path must keep to."""

import bough
import numpy as np
import pytest
import sklearn.tree
from sklearn.datasets import load_breast_cancer, load_diabetes

SETS = {
    "Classifier": load_breast_cancer(return_X_y=True),
    "Regressor": load_diabetes(return_X_y=True),
}


def same_tree(kind):
    """Both programs on one and the same tree."""
    X, y = SETS[kind]
    X = X.astype(np.float32)
    theirs = getattr(sklearn.tree, f"DecisionTree{kind}")(random_state=0).fit(X, y)
    return X, y, theirs


@pytest.mark.parametrize("kind", SETS)
def test_the_path_of_one_tree_is_scikit_learns(kind):
    _, _, theirs = same_tree(kind)
    from sklearn.tree._tree import ccp_pruning_path

    expected = ccp_pruning_path(theirs.tree_)
    alphas, impurities = bough._core.pruning_path(bough.from_sklearn(theirs).tree_.model)
    # scikit-learn adds up in doubles in another order, so steps of equal alpha may be merged or swapped.
    for alpha in np.quantile(expected["ccp_alphas"], [0.1, 0.4, 0.7, 0.95]) + 1e-9:
        ours = impurities[np.searchsorted(alphas, alpha, side="right") - 1]
        other = expected["impurities"][np.searchsorted(expected["ccp_alphas"], alpha, side="right") - 1]
        assert ours == pytest.approx(other, rel=1e-9)
    assert impurities[-1] == pytest.approx(expected["impurities"][-1], rel=1e-12)
    assert alphas[-1] == pytest.approx(expected["ccp_alphas"][-1], rel=1e-9)


@pytest.mark.parametrize("kind", SETS)
def test_trees_on_the_path_are_nested_and_cost_what_the_path_says(kind):
    X, y = SETS[kind]
    cls = getattr(bough, f"DecisionTree{kind}")
    path = cls().cost_complexity_pruning_path(X, y)
    assert path.ccp_alphas[0] == 0.0
    assert (np.diff(path.ccp_alphas) >= 0).all()
    assert (np.diff(path.impurities) >= -1e-12).all()
    leaves = np.inf
    for step in range(1, len(path.ccp_alphas) - 1, max(1, len(path.ccp_alphas) // 8)):
        alpha = (path.ccp_alphas[step] + path.ccp_alphas[step + 1]) / 2
        if path.ccp_alphas[step] == path.ccp_alphas[step + 1]:
            continue
        tree = cls(ccp_alpha=alpha).fit(X, y).tree_
        ends = tree.children_left < 0
        share = tree.weighted_n_node_samples[ends] / tree.weighted_n_node_samples[0]
        assert (share * tree.impurity[ends]).sum() == pytest.approx(
            path.impurities[step], rel=1e-9, abs=1e-12
        )
        assert tree.n_leaves < leaves
        leaves = tree.n_leaves
    assert cls(ccp_alpha=path.ccp_alphas[-1]).fit(X, y).tree_.node_count == 1
    assert cls(ccp_alpha=0.0).fit(X, y).tree_.node_count == cls().fit(X, y).tree_.node_count


def test_weights_enter_the_price():
    X, y = SETS["Classifier"]
    weights = np.where(y == 0, 3.0, 1.0)
    path = bough.DecisionTreeClassifier().cost_complexity_pruning_path(X, y, sample_weight=weights)
    theirs = sklearn.tree.DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(
        X, y, sample_weight=weights
    )
    assert path.impurities[-1] == pytest.approx(theirs.impurities[-1], rel=1e-12)

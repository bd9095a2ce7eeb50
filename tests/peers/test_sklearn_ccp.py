# SPDX-License-Identifier: Apache-2.0
"""The cost-complexity path and the pruned trees are scikit-learn's, on the very same trees. Made against 1.9.

scikit-learn takes one step per branch, the lowest node first among equal prices, and so do we. It adds up
risks in doubles, so that equal prices differ by rounding and a branch may go in one step or in several;
therefore steps of nearly equal price are compared as one."""

import json
import subprocess

import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed (tools/setup.sh python)")
np = pytest.importorskip("numpy")

from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine  # noqa: E402
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor  # noqa: E402


def made_noise():
    random = np.random.default_rng(3)
    x = random.normal(size=(2000, 6))
    return x, (x[:, 0] + random.normal(size=2000) > 0).astype(int)


CASES = {
    "iris": (load_iris, DecisionTreeClassifier, "gini"),
    "wine": (load_wine, DecisionTreeClassifier, "entropy"),
    "breast cancer": (load_breast_cancer, DecisionTreeClassifier, "gini"),
    "digits": (load_digits, DecisionTreeClassifier, "gini"),
    "diabetes": (load_diabetes, DecisionTreeRegressor, "squared_error"),
    "diabetes, absolute": (load_diabetes, DecisionTreeRegressor, "absolute_error"),
    "noise": (None, DecisionTreeClassifier, "gini"),
}


def nodes_text(tree):
    lines = zip(
        tree.children_left,
        tree.children_right,
        tree.feature,
        tree.threshold,
        tree.n_node_samples,
        tree.weighted_n_node_samples,
        tree.impurity,
        strict=True,
    )
    return "\n".join(
        f"{left} {right} {column} {threshold!r} {rows} {weight!r} {impurity!r}"
        for left, right, column, threshold, rows, weight, impurity in (
            (int(a), int(b), int(c), float(d), int(e), float(f), float(g)) for a, b, c, d, e, f, g in lines
        )
    )


def ours(build, tree, alphas):
    path = build / "tests/cpp/prune/prune_arrays"
    if not path.is_file():
        pytest.fail(f"{path} is missing; build the tests first", pytrace=False)
    words = [str(path), *(repr(float(a)) for a in alphas)]
    result = subprocess.run(words, input=nodes_text(tree), capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def plateaus(alphas, impurities, slack):
    """Prices that differ by more than rounding, each with the impurity after its last step."""
    prices, after = [], []
    for alpha, impurity in zip(alphas, impurities, strict=True):
        if prices and alpha - prices[-1] <= slack:
            after[-1] = impurity
        else:
            prices.append(alpha)
            after.append(impurity)
    return np.array(prices), np.array(after)


def preorder(tree):
    """Columns (-1 at leaves) and rows of a scikit-learn tree, left before right."""
    columns, rows, stack = [], [], [0]
    while stack:
        node = stack.pop()
        leaf = tree.children_left[node] < 0
        columns.append(-1 if leaf else int(tree.feature[node]))
        rows.append(int(tree.n_node_samples[node]))
        if not leaf:
            stack += [tree.children_right[node], tree.children_left[node]]
    return columns, rows


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_path_and_pruned_trees_are_scikit_learns(case, weighted, release_build):
    load, kind, criterion = CASES[case]
    x, y = made_noise() if load is None else load(return_X_y=True)
    weights = np.random.default_rng(0).uniform(0.2, 3, len(y)) if weighted else None
    estimator = kind(criterion=criterion, random_state=0)
    full = estimator.fit(x, y, sample_weight=weights).tree_
    theirs = estimator.cost_complexity_pruning_path(x, y, sample_weight=weights)
    slack = 1e-12 * full.impurity[0]
    prices, impurities = plateaus(theirs.ccp_alphas, theirs.impurities, slack)
    # Prices between two plateaus: there rounding has no say in which tree is asked for.
    between = [a for a in (prices[1:] + prices[:-1]) / 2 if a > 0]
    some = between[:: max(1, len(between) // 12)]
    found = ours(release_build, full, some)
    assert found["n_leaves"][0] == full.n_leaves and found["n_leaves"][-1] == 1
    assert np.all(np.diff(found["alphas"]) >= 0)
    our_prices, our_impurities = plateaus(found["alphas"], found["risks"], slack)
    np.testing.assert_allclose(our_prices, prices, rtol=1e-9, atol=2 * slack)
    np.testing.assert_allclose(our_impurities, impurities, rtol=1e-9, atol=100 * slack)
    for alpha, tree in zip(some, found["trees"], strict=True):
        pruned = (
            kind(criterion=criterion, random_state=0, ccp_alpha=alpha).fit(x, y, sample_weight=weights).tree_
        )
        assert (tree["column"], tree["rows"]) == preorder(pruned)

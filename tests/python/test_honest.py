# SPDX-License-Identifier: Apache-2.0
"""Honest trees, intervals and quantiles in Python: the estimators' own part; arithmetic is tested in C++."""

import pickle
import re

import bough
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, make_multilabel_classification, make_regression

SEED = 20261115
IRIS = load_iris(return_X_y=True)


def numbers(n=400, seed=SEED):
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(n, 4))
    return X, 3 * (X[:, 0] > 0.5) + X[:, 1] + rng.normal(size=n)


def test_predictions_probabilities_and_leaves_agree_whatever_the_method():
    X, y = IRIS
    for method in ("apply", "prune"):
        for prior in ("ancestor", "empirical", "uniform"):
            tree = bough.HonestTreeClassifier(
                honest=bough.Honest(method=method, prior=prior, min_rows=4), random_state=SEED
            ).fit(X, y)
            proba = tree.predict_proba(X)
            np.testing.assert_array_equal(tree.predict(X), tree.classes_[proba.argmax(axis=1)])
            leaves = tree.apply(X)
            for leaf in np.unique(leaves):
                assert (proba[leaves == leaf] == proba[leaves == leaf][0]).all()
            assert tree.tree_.n_node_samples[0] == 75, "half of the rows estimate"


def test_several_outputs_are_estimated_one_by_one():
    rng = np.random.default_rng(SEED)
    X = rng.normal(size=(200, 3))
    first = (X[:, 0] > 0).astype(int)
    tree = bough.HonestTreeClassifier(max_depth=2).fit(X, np.stack([first, 1 - first], axis=1))
    a, b = tree.predict_proba(X)
    np.testing.assert_allclose(a[:, 0], b[:, 1])
    assert (tree.predict(X)[:, 0] == first).mean() > 0.95
    X, Y = make_multilabel_classification(n_samples=120, random_state=SEED)
    assert bough.HonestTreeClassifier().fit(X, Y).predict(X).shape == Y.shape


def test_a_tree_estimator_says_how_the_structure_is_grown():
    X, y = numbers()
    inner = bough.DecisionTreeRegressor(max_depth=3, pruning="reduced_error")
    tree = bough.HonestTreeRegressor(tree_estimator=inner, random_state=3).fit(X, y)
    assert tree.get_depth() <= 3
    same = clone(tree).fit(X, y)
    np.testing.assert_array_equal(same.predict(X), tree.predict(X))
    assert tree.get_params()["tree_estimator__max_depth"] == 3
    assert not hasattr(inner, "tree_"), "it is not fitted itself"
    with pytest.raises(ValueError, match="max_depth was given beside a tree_estimator"):
        bough.HonestTreeRegressor(inner, max_depth=2).fit(X, y)
    with pytest.raises(ValueError, match="must be a tree of bough for regression"):
        bough.HonestTreeRegressor(bough.DecisionTreeClassifier()).fit(X, y)
    with pytest.raises(ValueError, match="class_weight weighs all rows"):
        bough.HonestTreeClassifier(bough.DecisionTreeClassifier(class_weight="balanced")).fit(*IRIS)


def test_cross_fitting_averages_two_trees():
    X, y = numbers()
    tree = bough.HonestTreeRegressor(cross_fit=True, max_depth=4, random_state=1).fit(X, y)
    leaves = tree.apply(X)
    assert leaves.shape == (400, 2)
    first, second = tree.trees_
    mean = (first.value[leaves[:, 0], 0, 0] + second.value[leaves[:, 1], 0, 0]) / 2
    np.testing.assert_allclose(tree.predict(X), mean)
    assert tree.decision_path(X).shape == (400, first.node_count + second.node_count)
    again = pickle.loads(pickle.dumps(tree))
    np.testing.assert_array_equal(again.predict(X), tree.predict(X))


def test_a_class_without_rows_on_a_side_is_named():
    X, y = np.arange(10.0).reshape(-1, 1), np.array(["a"] * 4 + ["b"] * 4 + ["rare"] * 2)
    with pytest.raises(ValueError, match=r"'rare'.*has 2 rows"):
        bough.HonestTreeClassifier(honest=bough.Honest(0.8)).fit(X, y)
    with pytest.raises(ValueError, match=r"Honest\(fraction=0\.99\) leaves none to choose splits"):
        bough.HonestTreeClassifier(honest=bough.Honest(0.99)).fit(*IRIS)


def test_structure_rows_are_among_the_extras():
    X, y = numbers()
    tree = (
        bough.HonestTreeRegressor(honest=bough.Honest(0.25), max_depth=3, random_state=SEED).fit(X, y).tree_
    )
    rows = tree.extras["structure_rows"]
    assert rows[0] == 300 and tree.n_node_samples[0] == 100
    inner = tree.children_left >= 0
    np.testing.assert_array_equal(
        rows[inner], rows[tree.children_left[inner]] + rows[tree.children_right[inner]]
    )
    with pytest.raises(ValueError, match="read-only"):
        rows[0] = 1
    assert bough.DecisionTreeRegressor().fit(X, y).tree_.extras == {}


def test_intervals_of_new_targets_hold_them():
    X, y = numbers(1500)
    fresh, truth = numbers(4000, SEED + 1)
    tree = bough.DecisionTreeRegressor(max_depth=4).fit(X[:800], y[:800])
    with pytest.raises(NotImplementedError, match="was not calibrated"):
        tree.predict_interval(fresh)
    assert tree.calibrate(X[800:], y[800:]) is tree
    assert tree.calibration_rows_ == 700
    for method in ("conformal", "leaf"):
        lower, upper = tree.predict_interval(fresh, 0.8, method)
        assert 0.76 < ((lower <= truth) & (truth <= upper)).mean() < 0.86
    again = pickle.loads(pickle.dumps(tree))
    np.testing.assert_array_equal(again.predict_interval(fresh)[0], tree.predict_interval(fresh)[0])
    with pytest.raises(ValueError, match="no interval method 'magic'"):
        tree.predict_interval(fresh, method="magic")


def test_sets_of_classes_hold_new_labels():
    rng = np.random.default_rng(SEED)
    X = rng.uniform(size=(3000, 3))
    y = np.array(["red", "green", "blue"])[
        (X[:, 0] * 3 + rng.normal(scale=0.4, size=3000)).clip(0, 2.9).astype(int)
    ]
    tree = bough.HonestTreeClassifier(max_depth=5, calibration_fraction=0.3).fit(X[:1500], y[:1500])
    members = tree.predict_set(X[1500:], 0.9)
    assert members.shape == (1500, 3) and members.dtype == bool
    truth = np.searchsorted(tree.classes_, y[1500:])
    assert 0.86 < members[np.arange(1500), truth].mean() < 0.95
    assert 1.0 < members.sum(axis=1).mean() < 2.5
    lower, upper = tree.predict_mean_interval(X[1500:])
    proba = tree.predict_proba(X[1500:])
    assert (lower <= proba).all() and (proba <= upper).all()


def test_mean_intervals_and_quantiles_of_leaves():
    X, y = numbers()
    tree = bough.HonestTreeRegressor(max_depth=3, leaf_samples=True).fit(X, y)
    lower, upper = tree.predict_mean_interval(X, 0.9)
    wide = tree.predict_mean_interval(X, 0.99)
    assert (wide[0] < lower).all() and (upper < wide[1]).all()
    low, middle, high = tree.predict_quantile(X, [0.1, 0.5, 0.9]).T
    assert (low <= middle).all() and (middle <= high).all()
    np.testing.assert_array_equal(tree.predict_quantile(X, 0.5), middle)
    plain = bough.DecisionTreeRegressor(max_depth=3, leaf_samples=True).fit(X, y)
    leaves = plain.apply(X)
    for leaf in np.unique(leaves):
        own = np.sort(y[leaves == leaf])
        assert plain.predict_quantile(X[leaves == leaf][:1], 1.0)[0] == own[-1]
    with pytest.raises(NotImplementedError, match="leaf_samples=true"):
        bough.DecisionTreeRegressor().fit(X, y).predict_quantile(X)
    with pytest.raises(NotImplementedError, match="HonestTreeClassifier"):
        plain.predict_mean_interval(X)


def test_honest_models_come_back_from_files(tmp_path):
    X, y = numbers()
    for estimator in (
        bough.HonestTreeRegressor(
            max_depth=3, calibration_fraction=0.2, leaf_samples=True, honest=bough.Honest(prior="empirical")
        ),
        bough.HonestTreeRegressor(max_depth=3, cross_fit=True),
        bough.HonestTreeClassifier(max_depth=3, honest=bough.Honest(stratify=False, min_rows=5)),
    ):
        estimator.fit(X, y if "Regressor" in type(estimator).__name__ else y > 2)
        for name in ("model.bough", "model.json"):
            estimator.save(tmp_path / name)
            back = bough.load(tmp_path / name)
            assert type(back) is type(estimator)
            changed = {k: v for k, v in back.get_params().items() if v != estimator.get_params()[k]}
            assert not changed
            np.testing.assert_array_equal(back.predict(X), estimator.predict(X))
    X, Y = make_regression(n_samples=100, n_targets=2, random_state=0)
    several = bough.HonestTreeRegressor(max_depth=3, calibration_fraction=0.3).fit(X, Y)
    assert several.predict_interval(X)[0].shape == (100, 2)
    assert several.predict_mean_interval(X)[0].shape == (100, 2)


def test_honest_forests_answer_with_standard_errors_and_quantiles(tmp_path):
    X, y = numbers(300)
    forest = bough.HonestForestRegressor(40, little_bags=2, leaf_samples=True, random_state=4).fit(X, y)
    errors = forest.predict_std_error(X)
    assert errors.shape == (300,) and (errors > 0).all()
    lower, upper = forest.predict_mean_interval(X, 0.9)
    np.testing.assert_allclose(upper - lower, 2 * 1.6448536269514722 * errors)
    assert forest.predict_quantile(X, [0.1, 0.9]).shape == (300, 2)
    forest.save(tmp_path / "forest.bough")
    back = bough.load(tmp_path / "forest.bough")
    assert type(back) is bough.HonestForestRegressor and back.little_bags == 2
    np.testing.assert_array_equal(back.predict_std_error(X), errors)
    again = pickle.loads(pickle.dumps(forest))
    np.testing.assert_array_equal(again.predict_quantile(X), forest.predict_quantile(X))
    np.testing.assert_array_equal(clone(forest).set_params(n_jobs=2).fit(X, y).predict(X), forest.predict(X))
    assert all(tree.tree_.n_node_samples[0] == 75 for tree in forest.estimators_), "half of the half"


def test_honest_forests_take_structure_and_classes():
    X, y = IRIS
    forest = bough.HonestForestClassifier(20, random_state=0, calibration_fraction=0.3).fit(X, y)
    assert (forest.predict(X) == y).mean() > 0.9
    np.testing.assert_array_equal(forest.predict(X), forest.predict_proba(X).argmax(axis=1))
    assert forest.predict_set(X).shape == (150, 3)
    equal = bough.HonestForestClassifier(
        20, tree_estimator=bough.DecisionTreeClassifier(interaction_cst="no_interactions"), random_state=0
    ).fit(X, y)
    assert len(equal.estimators_) == 20
    with pytest.raises(ValueError, match="two or more groups"):
        bough.HonestForestClassifier(5, little_bags=2).fit(X, y)
    with pytest.raises(NotImplementedError, match="little_bags=2"):
        equal.predict_mean_interval(X)
    quantiles = bough.RandomForestRegressor(10, leaf_samples=True, random_state=1).fit(X, X[:, 0])
    assert (quantiles.predict_quantile(X, 0.0) <= quantiles.predict_quantile(X, 1.0)).all()


@pytest.mark.parametrize("wrong", ["a", [0.9, 0.95], None, True])
def test_a_coverage_that_is_no_number_is_named(wrong):
    X, y = numbers(100)
    tree = bough.HonestTreeRegressor(calibration_fraction=0.3, max_depth=2).fit(X, y)
    causal = bough.CausalTree(max_depth=1).fit(X, y, treatment=np.arange(len(y)) % 2)
    for ask in (tree.predict_interval, tree.predict_mean_interval, causal.effect_interval):
        with pytest.raises(bough.BoughError, match="coverage must be a number"):
            ask(X, wrong)


@pytest.mark.parametrize(
    ("prior", "words"),
    [
        ("ancestor", r"takes that of node (\d+) above it \((\d+) rows?\)"),
        ("empirical", r"takes that of node (0) above it \((\d+) rows?\)"),
        ("uniform", r"gives all classes the same probability"),
        ("ignore", r"predicts nothing\."),
    ],
)
def test_a_leaf_of_too_few_rows_says_where_its_value_comes_from(prior, words):
    X, y = IRIS
    model = bough.HonestTreeClassifier(
        honest=bough.Honest(prior=prior, min_rows=3), random_state=SEED, max_depth=None
    ).fit(X, y)
    tree, leaves = model.tree_, model.apply(X)
    few = {leaf for leaf in leaves if tree.n_node_samples[leaf] < 3}
    assert few
    for row, leaf in enumerate(leaves):
        sentence = next(s for s in model.explain(X, row)["sentences"] if s.startswith("This leaf holds"))
        found = re.search(words, sentence)
        assert (found is not None) == (leaf in few), sentence
        if found is None or not found.groups():
            continue
        # The nearest node above that has enough rows, and its shares are those of the leaf.
        source = int(found[1])
        assert tree.n_node_samples[source] == int(found[2]) >= 3
        np.testing.assert_array_equal(tree.value[source], tree.value[leaf])
        way = [node for node in model.decision_path(X[row : row + 1]).indices if node != leaf]
        assert source == (0 if prior == "empirical" else max(n for n in way if tree.n_node_samples[n] >= 3))

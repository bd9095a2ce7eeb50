# SPDX-License-Identifier: Apache-2.0
"""Numbers at the edge of doubles: every estimator is right, or says which row is to blame."""

import json
import warnings

import bough
import numpy as np
import pytest

MAX, TINY = np.finfo(float).max, 5e-324
N = 40


def odd_table(rng):
    """Denormals, the largest doubles, both zeros, missing cells, a constant, whole numbers beyond 2^53."""
    return np.column_stack(
        [
            TINY * rng.integers(-5, 6, N),
            rng.choice([MAX, -MAX, 1e308, -1e308, 0.0], N),
            rng.choice([0.0, -0.0, 1.0], N),
            rng.choice([np.nan, MAX, -MAX, TINY, -TINY, 0.0, -0.0, 1.0, 1e-308, 1e308], N),
            np.full(N, 1e308),
            np.full(N, np.nan),
            2.0**53 + 2 * rng.integers(0, 6, N),
        ]
    )


CLASSIFIERS = {
    **{
        name: lambda name=name: bough.DecisionTreeClassifier(criterion=name)
        for name in ("gini", "entropy", "hellinger", "gain_ratio")
    },
    "random": lambda: bough.ExtraTreeClassifier(random_state=0),
    "hist": lambda: bough.DecisionTreeClassifier(splitter="hist"),
    "c45": bough.C45Classifier,
    "rules": bough.RuleClassifier,
    "oblique": lambda: bough.ObliqueDecisionTreeClassifier(random_state=0),
    "honest": lambda: bough.HonestTreeClassifier(random_state=0),
    "forest": lambda: bough.RandomForestClassifier(n_estimators=3, random_state=0),
    "cross-validated": lambda: bough.DecisionTreeClassifier(
        pruning=bough.CostComplexity(folds=3), random_state=0
    ),
    "reduced error": lambda: bough.DecisionTreeClassifier(pruning="reduced_error", random_state=0),
    "cp": lambda: bough.DecisionTreeClassifier(pruning=bough.CostComplexity(cp=0.01)),
}
REGRESSORS = {
    **{
        name: lambda name=name: bough.DecisionTreeRegressor(criterion=name)
        for name in ("squared_error", "absolute_error", "quantile")
    },
    "hist": lambda: bough.DecisionTreeRegressor(splitter="hist"),
    "oblique": lambda: bough.ObliqueDecisionTreeRegressor(random_state=0),
    "honest": lambda: bough.HonestTreeRegressor(random_state=0),
    "forest": lambda: bough.RandomForestRegressor(n_estimators=3, random_state=0),
    "cross-validated": lambda: bough.DecisionTreeRegressor(
        pruning=bough.CostComplexity(folds=3), random_state=0
    ),
    "reduced error": lambda: bough.DecisionTreeRegressor(pruning="reduced_error", random_state=0),
    "cp": lambda: bough.DecisionTreeRegressor(pruning=bough.CostComplexity(cp=0.01)),
}
WEIGHTS = {
    "none": lambda rng: None,
    "1e90": lambda rng: 1e90 * rng.integers(1, 4, N),
    "1e-90": lambda rng: 1e-90 * rng.integers(1, 4, N),
    "far apart": lambda rng: rng.choice([1e-5, 1e5], N),
    "some 0": lambda rng: np.r_[1.0, 1.0, rng.integers(0, 2, N - 2)],
}


def expect_sane(model, X):
    trees = (
        [model.tree_]
        if hasattr(model, "tree_")
        else [tree.tree_ for tree in getattr(model, "estimators_", [])]
    )
    for tree in trees:
        assert not np.isnan(tree.threshold).any()
        for name in ("impurity", "value", "weighted_n_node_samples"):
            assert np.isfinite(getattr(tree, name)).all(), name
        assert (np.asarray(tree.impurity) >= 0).all()
    if hasattr(model, "feature_importances_"):
        total = model.feature_importances_.sum()
        assert total == 0 or abs(total - 1) < 1e-9
    if hasattr(model, "predict_proba"):
        np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0, rtol=1e-12)
    else:
        assert np.isfinite(model.predict(X)).all()


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers_on_odd_tables_and_weights(name):
    rng = np.random.default_rng(1)
    X = odd_table(rng)
    for weights in WEIGHTS.values():
        for y in (rng.integers(0, 3, N), np.r_[1, np.zeros(N - 1, int)]):
            model = CLASSIFIERS[name]().fit(X, y, sample_weight=weights(rng))
            expect_sane(model, X)


@pytest.mark.parametrize("name", REGRESSORS)
def test_regressors_on_odd_tables_targets_and_weights(name):
    rng = np.random.default_rng(2)
    X = odd_table(rng)
    for kind, weights in WEIGHTS.items():
        for size in (TINY, 1e-308, 1e-150, 1.0, 1e25 if kind == "1e90" else 1e70):
            model = REGRESSORS[name]().fit(X, size * rng.integers(-9, 10, N), sample_weight=weights(rng))
            expect_sane(model, X)
            json.loads(model.export("json"), parse_constant=pytest.fail)


def test_the_size_of_all_weights_changes_no_tree():
    rng = np.random.default_rng(3)
    # Targets of 20 bits: exact in fixed point beside weights of any size, so that ties stay ties.
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 2**20, 60) / 2**20
    for criterion in ("squared_error", "absolute_error", "poisson"):
        plain = bough.DecisionTreeRegressor(criterion=criterion).fit(X, y)
        for size in (2.0**-300, 2.0**-60, 2.0**50, 2.0**60, 2.0**100, 2.0**300):
            tree = bough.DecisionTreeRegressor(criterion=criterion).fit(X, y, sample_weight=np.full(60, size))
            np.testing.assert_array_equal(tree.tree_.threshold, plain.tree_.threshold)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (dict(X=np.inf), "row 3, column 1"),
        (dict(X=-np.inf), "row 3, column 1"),
        (dict(y=np.inf), "row 3"),
        (dict(y=np.nan), "row 3"),
        (dict(y=1e200), r"row 3 \(counted from 0\)"),
        (dict(w=np.inf), "row 3"),
        (dict(w=np.nan), "row 3"),
        (dict(w=1e-12), r"row 3 \(counted from 0\)"),
        (dict(w=1e300), "between 1e-100 and 1e100"),
    ],
)
def test_what_cannot_be_right_is_refused_with_its_place(change, said):
    X, y, w = (
        np.arange(12.0).reshape(6, 2),
        np.arange(6.0),
        np.full(6, 1e3 if change.get("w") != 1e-12 else 1e12),
    )
    if "X" in change:
        X[3, 1] = change["X"]
    if "y" in change:
        y[3] = change["y"]
    if "w" in change:
        w[3 if change["w"] != 1e300 else slice(None)] = change["w"]
    with pytest.raises(ValueError, match=said):
        bough.DecisionTreeRegressor().fit(X, y, sample_weight=w)
    if "X" in change:
        model = bough.DecisionTreeRegressor().fit(np.nan_to_num(X), y)
        with pytest.raises(ValueError, match=said):
            model.predict(X)


def test_whole_numbers_beyond_2_to_the_53_are_warned_of():
    X = np.array([[2**53], [2**53 + 1], [2**60], [5]])
    with pytest.warns(UserWarning, match="beyond 2\\^53"):
        bough.DecisionTreeClassifier().fit(X, [0, 1, 0, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bough.DecisionTreeClassifier().fit(X[3:] + np.arange(4)[:, None], [0, 1, 0, 1])


def test_negative_zero_is_zero_in_labels_cells_and_float32():
    X = np.array([[0.0], [-0.0], [1.0], [1.0]])
    model = bough.DecisionTreeClassifier().fit(X, np.array([0.0, -0.0, 1.0, 1.0]))
    assert model.classes_.tolist() == [0.0, 1.0]
    assert model.get_n_leaves() == 2
    assert model.predict([[-0.0]])[0] == model.predict([[0.0]])[0] == 0.0
    tiny = np.array(
        [[np.float32(1e-45)], [np.float32(0.0)], [np.float32(-1e-45)], [np.finfo(np.float32).max]],
        dtype=np.float32,
    )
    assert bough.DecisionTreeRegressor().fit(tiny, [1.0, 2.0, 3.0, 4.0]).predict(tiny).tolist() == [
        1.0,
        2.0,
        3.0,
        4.0,
    ]


def test_tables_without_rows_or_with_one():
    with pytest.raises(ValueError, match="0 sample"):
        bough.DecisionTreeClassifier().fit(np.empty((0, 2)), [])
    for model in (
        bough.DecisionTreeClassifier(),
        bough.DecisionTreeRegressor(),
        bough.RandomForestRegressor(n_estimators=2),
    ):
        assert model.fit([[MAX]], [7]).predict([[-MAX]])[0] == 7

# SPDX-License-Identifier: Apache-2.0
"""Fits at the sizes where the core switches from one way to another, and a sweep over all sizes."""

import warnings

import bough
import numpy as np
import pytest
from sklearn.base import is_classifier

TREES = [
    bough.DecisionTreeClassifier,
    bough.DecisionTreeRegressor,
    bough.ExtraTreeClassifier,
    bough.ExtraTreeRegressor,
    bough.ObliqueDecisionTreeClassifier,
    bough.ObliqueDecisionTreeRegressor,
    bough.ExtraObliqueDecisionTreeClassifier,
    bough.ExtraObliqueDecisionTreeRegressor,
    bough.HonestTreeClassifier,
    bough.HonestTreeRegressor,
    bough.CausalTree,
    bough.PropensityTree,
    bough.ID3Classifier,
    bough.C45Classifier,
]
FORESTS = [
    bough.RandomForestClassifier,
    bough.RandomForestRegressor,
    bough.ExtraTreesClassifier,
    bough.ExtraTreesRegressor,
    bough.ObliqueRandomForestClassifier,
    bough.ObliqueRandomForestRegressor,
    bough.ExtraObliqueRandomForestClassifier,
    bough.ExtraObliqueRandomForestRegressor,
    bough.HonestForestClassifier,
    bough.HonestForestRegressor,
    bough.CausalForest,
]
CAUSAL = (bough.CausalTree, bough.CausalForest, bough.PropensityTree)


def fit(estimator, n, outputs=1, seed=0):
    """A fit on n rows of noise; who needs more rows than there are may say so, nothing else."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    y = X[:, :outputs] if outputs > 1 else X[:, 0] + rng.normal(size=n)
    if is_classifier(estimator):
        y = y > 0
    extra = (np.arange(n) % 2,) if isinstance(estimator, CAUSAL) else ()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            estimator.fit(X, y, *extra)
        except ValueError:
            assert n < 20, "only tiny tables may be refused"
            return
    assert len(estimator.predict(X)) == n


def make(forest, parameters, **more):
    """Those that take all rows by default draw them where max_samples is given."""
    draws = (
        {"bootstrap": True} if "max_samples" in parameters and "bootstrap" in forest().get_params() else {}
    )
    return forest(n_jobs=1, **parameters, **draws, **more)


def test_default_forests_of_3200_rows():
    X = np.random.default_rng(1).normal(size=(3200, 5))
    bough.RandomForestClassifier(random_state=1).fit(X, X[:, 0] > 0)
    X = np.random.default_rng(0).normal(size=(190, 5))
    bough.RandomForestClassifier(max_depth=2, random_state=0).fit(X, X[:, 0] > 0)
    X = np.random.default_rng(0).normal(size=(400, 5))
    bough.RandomForestRegressor(random_state=0).fit(X, X[:, :2])


# (rows, parameters, outputs): about 63 % of the rows are drawn for a tree, 39 % with half of them.
EDGES = [
    ([3100, 3230, 3350], {}, 1),
    ([180, 200, 210], {"max_depth": 2}, 1),
    ([380, 405, 420], {}, 2),
    ([5000, 5200, 5400], {"max_samples": 0.5}, 1),
]


def of_its_rows(forest, parameters):
    """The trees of a causal forest's groups share one half of the rows, of which half is a quarter of all."""
    if forest is bough.CausalForest and "max_samples" in parameters:
        return {**parameters, "max_samples": parameters["max_samples"] / 2}
    return parameters


def test_half_of_the_rows_are_what_a_causal_forest_draws_anyway():
    X = np.random.default_rng(0).normal(size=(400, 5))
    for share in (0.5, 0.9, 1.0):
        with pytest.raises(bough.BoughError, match=f"max_samples={share:g} does nothing, because the trees"):
            bough.CausalForest(12, max_samples=share).fit(X, X[:, 0], np.arange(400) % 2)


@pytest.mark.parametrize("forest", FORESTS)
@pytest.mark.parametrize("sizes, parameters, outputs", EDGES)
def test_forests_around_the_limits_of_small_subtrees(forest, sizes, parameters, outputs):
    if outputs > 1 and forest in CAUSAL:
        outputs = 1
    parameters = of_its_rows(forest, parameters)
    for n in sizes:
        fit(make(forest, parameters, n_estimators=12, random_state=1), n, outputs)


@pytest.mark.long
@pytest.mark.parametrize("forest", FORESTS)
@pytest.mark.parametrize("edge", range(len(EDGES)))
def test_every_size_around_the_limits(forest, edge):
    sizes, parameters, outputs = EDGES[edge]
    parameters = of_its_rows(forest, parameters)
    outputs = 1 if forest in CAUSAL else outputs
    step = max(1, (sizes[-1] - sizes[0]) // 30)
    for n in range(sizes[0], sizes[-1] + 1, step):
        fit(make(forest, parameters, n_estimators=12, random_state=n), n, outputs, seed=n)


@pytest.mark.long
@pytest.mark.parametrize("estimator", TREES + FORESTS)
@pytest.mark.parametrize("depth", [None, 1, 2, 3])
def test_every_estimator_at_every_size(estimator, depth):
    """n = 1 .. 6000: every one up to 40, then in steps of 7 %, moved by the depth so that steps differ."""
    kind = {"n_estimators": 4} if estimator in FORESTS else {}
    n = 1.0
    while n <= 6000:
        fit(
            estimator(max_depth=depth, random_state=1, **kind)
            if estimator not in (bough.ID3Classifier, bough.C45Classifier)
            else estimator(max_depth=depth),
            int(n),
            seed=int(n),
        )
        n = n + 1 if n < 40 else n * (1.07 + 0.003 * (depth or 0))

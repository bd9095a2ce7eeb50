# SPDX-License-Identifier: Apache-2.0
"""Oblique trees from Python: what they take, refuse, keep and give on; the search itself is tested in C++."""

import pickle

import bough
import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.model_selection import train_test_split
from sklearn.utils._param_validation import InvalidParameterError

pd = pytest.importorskip("pandas")

OBLIQUE = 7
CLASSES = [
    bough.ObliqueDecisionTreeClassifier,
    bough.ObliqueDecisionTreeRegressor,
    bough.ExtraObliqueDecisionTreeClassifier,
    bough.ExtraObliqueDecisionTreeRegressor,
]


def turned(n=600, seed=0):
    """Two classes on either side of a slanting line, and columns that say nothing."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    return X, (X[:, 0] + X[:, 1] > 0).astype(int)


def test_one_sum_does_what_a_staircase_does():
    X, y = turned()
    plain = bough.DecisionTreeClassifier().fit(X, y)
    slanting = bough.ObliqueDecisionTreeClassifier(max_features=300, feature_combinations=2, random_state=0)
    slanting.fit(X, y)
    assert slanting.get_n_leaves() == 2
    assert plain.get_n_leaves() > 10
    assert slanting.tree_.kind[0] == OBLIQUE
    np.testing.assert_allclose(slanting.feature_importances_, [0.5, 0.5, 0, 0, 0, 0])


@pytest.mark.parametrize("cls", CLASSES)
def test_treeples_names_are_parameters(cls):
    tree = cls(
        criterion="gini" if cls._task == "classification" else "squared_error",
        max_depth=3,
        min_samples_split=4,
        min_samples_leaf=2,
        min_weight_fraction_leaf=0.01,
        max_features=2.5,
        random_state=1,
        max_leaf_nodes=6,
        min_impurity_decrease=0.0001,
        ccp_alpha=0.0,
        feature_combinations=2.0,
    )
    X, y = turned()
    assert tree.fit(X, y).get_n_leaves() <= 6
    assert tree.max_features_ == 15


def test_the_same_seed_gives_the_same_tree_for_any_number_of_threads():
    X, y = load_breast_cancer(return_X_y=True)
    trees = [
        bough.ObliqueDecisionTreeClassifier(random_state=3, n_jobs=n).fit(X, y).tree_.model.to_bytes()
        for n in (1, 2)
    ]
    other = bough.ObliqueDecisionTreeClassifier(random_state=4).fit(X, y)
    assert trees[0] == trees[1]
    assert other.tree_.model.to_bytes() != trees[0]


@pytest.mark.parametrize("cls", CLASSES)
def test_a_sparse_matrix_gives_the_tree_of_the_dense_one(cls):
    rng = np.random.default_rng(1)
    X = np.where(rng.random((300, 12)) < 0.7, 0.0, rng.normal(size=(300, 12)))
    y = (X[:, 0] - X[:, 3] + X[:, 5] > 0.1).astype(int)
    dense = cls(random_state=2, max_features=40).fit(X, y)
    for kind in (sparse.csr_matrix, sparse.csc_matrix):
        thin = cls(random_state=2, max_features=40).fit(kind(X), y)
        assert (thin.tree_.kind == dense.tree_.kind).all()
        assert (thin.tree_.threshold == dense.tree_.threshold).all()
        np.testing.assert_array_equal(thin.predict(kind(X)), dense.predict(X))
    assert (dense.tree_.kind == OBLIQUE).any()


def test_missing_cells_categories_and_weights_go_together():
    rng = np.random.default_rng(5)
    n = 800
    frame = pd.DataFrame({f"x{i}": rng.normal(size=n) for i in range(4)})
    frame["colour"] = pd.Categorical(rng.choice(["red", "green", "blue"], size=n))
    y = np.where(frame["colour"] == "red", frame["x0"] - frame["x1"] > 0, frame["x2"] + frame["x3"] > 0)
    y = y.astype(int)
    holes = frame.mask(rng.random(frame.shape) < 0.1)
    holes["colour"] = frame["colour"]
    tree = bough.ObliqueDecisionTreeClassifier(
        max_features=30, feature_combinations=2, random_state=0, min_samples_leaf=5
    )
    tree.fit(holes, y, sample_weight=rng.integers(1, 4, size=n))
    kinds = set(tree.tree_.kind.tolist())
    assert OBLIQUE in kinds
    assert tree.score(holes, y) > 0.85
    # Rows end where training put them: their number and the leaves' own agree.
    leaves, counts = np.unique(tree.apply(holes), return_counts=True)
    np.testing.assert_array_equal(tree.tree_.n_node_samples[leaves], counts)


@pytest.mark.parametrize(
    "wish",
    [
        {"ccp_alpha": 0.01},
        {"pruning": bough.CostComplexity(folds=3)},
        {"pruning": "reduced_error"},
        {"pruning": "pessimistic"},
        {"pruning": bough.CriticalValue(0.02)},
        {"pruning": "mdl"},
        {"pruning": bough.CostComplexity(cp=0.02)},
    ],
    ids=lambda wish: next(iter(wish.values())) if "pruning" in wish else next(iter(wish)),
)
def test_every_kind_of_pruning_cuts_oblique_trees(wish):
    X, y = turned(seed=8)
    y = np.where(np.random.default_rng(9).random(len(y)) < 0.15, 1 - y, y)
    X[::7, 2] = np.nan
    full = bough.ObliqueDecisionTreeClassifier(random_state=0, max_features=12).fit(X, y)
    cut = bough.ObliqueDecisionTreeClassifier(random_state=0, max_features=12, **wish).fit(X, y)
    assert cut.get_n_leaves() < full.get_n_leaves()
    assert bough.prune(full, X=X, y=y, method="reduced_error").get_n_leaves() <= full.get_n_leaves()


def test_models_travel_whole(tmp_path):
    X, y = load_iris(return_X_y=True)
    for cls in CLASSES:
        tree = cls(random_state=0, max_features=20, feature_combinations=2).fit(X, y)
        for name in ("tree.bough", "tree.json"):
            tree.save(tmp_path / name)
            again = bough.load(tmp_path / name)
            assert type(again) is cls
            assert again.get_params()["feature_combinations"] == 2
            np.testing.assert_array_equal(again.apply(X), tree.apply(X))
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(tree)).predict(X), tree.predict(X))


@pytest.mark.parametrize("extra", ["", "Extra"])
def test_forests_of_oblique_trees_answer_score_and_travel(extra, tmp_path):
    X, y = load_breast_cancer(return_X_y=True)
    X, rest, y, truth = train_test_split(X, y, random_state=0)
    cls = getattr(bough, f"{extra}ObliqueRandomForestClassifier")
    forest = cls(20, bootstrap=True, oob_score=True, random_state=1, n_jobs=2).fit(X, y)
    assert forest.score(rest, truth) > 0.93
    assert forest.oob_score_ > 0.93
    assert type(forest[0]) is getattr(bough, f"{extra}ObliqueDecisionTreeClassifier")
    assert any((tree.tree_.kind == OBLIQUE).any() for tree in forest.estimators_)
    assert abs(forest.feature_importances_.sum() - 1) < 1e-9
    forest.save(tmp_path / "forest.bough")
    again = bough.load(tmp_path / "forest.bough")
    assert type(again) is cls
    np.testing.assert_array_equal(again.predict_proba(rest), forest.predict_proba(rest))
    alone = cls(20, bootstrap=True, random_state=1, n_jobs=1).fit(X, y)
    np.testing.assert_array_equal(alone.predict_proba(rest), forest.predict_proba(rest))
    numbers = getattr(bough, f"{extra}ObliqueRandomForestRegressor")(5, random_state=1).fit(X, y)
    assert numbers.score(rest, truth) > 0.6


def test_exports_and_pictures_know_the_grown_sums():
    X, y = load_iris(return_X_y=True)
    tree = bough.ObliqueDecisionTreeClassifier(
        random_state=0, max_features=40, projection=bough.Projection(axis_candidates=False)
    ).fit(X, y)
    assert (tree.tree_.kind == OBLIQUE).any()
    names: dict = {}
    exec(tree.export("python"), names)
    assert "+" in bough.export_text(tree) or " - " in bough.export_text(tree)
    assert "<svg" in bough.draw_tree(tree).svg
    for to in ("c", "cpp", "sql", "pmml", "onnx", "json", "dot", "rules"):
        assert tree.export(to)
    with pytest.raises(NotImplementedError, match="oblique"):
        tree.export("treelite")
    assert "also try sums" in " ".join(tree.why_split(X, y, 0)["notes"])


def test_what_sums_do_not_know_is_refused_by_name():
    X, y = turned()
    with pytest.raises(bough.BoughError, match=r"feature_combinations is 7, but there are 6 numeric columns"):
        bough.ObliqueDecisionTreeClassifier(feature_combinations=7).fit(X, y)
    with pytest.raises(InvalidParameterError, match="feature_combinations"):
        bough.ObliqueDecisionTreeClassifier(feature_combinations=0.5).fit(X, y)
    with pytest.raises(NotImplementedError, match="oblique trees do not support splitter='hist'"):
        bough.ObliqueDecisionTreeClassifier(splitter="hist").fit(X, y)
    with pytest.raises(TypeError):
        bough.ObliqueDecisionTreeClassifier(monotonic_cst=[1, 0, 0, 0, 0, 0])
    # One column has no sums: the default adapts.
    alone = bough.ObliqueDecisionTreeClassifier().fit(X[:, :1], y)
    plain = bough.DecisionTreeClassifier().fit(X[:, :1], y)
    np.testing.assert_array_equal(alone.tree_.threshold, plain.tree_.threshold)


def test_units_do_not_matter_to_standardised_columns():
    X, y = load_diabetes(return_X_y=True)
    X, rest, y, _ = train_test_split(X, y, random_state=0)
    tree = bough.ObliqueDecisionTreeRegressor(
        projection=bough.Projection("continuous", "standard"), random_state=0, max_depth=5
    )
    units = np.array([1024.0, 1, 2**-30, 1, 8, 1, 2**20, 1, 1, 0.5])
    values = tree.fit(X, y).predict(rest)
    np.testing.assert_array_equal(tree.fit(X * units, y).predict(rest * units), values)


def test_a_node_draws_no_longer_than_there_are_sums():
    X, y = load_iris(return_X_y=True)
    # 36 sums of two and more of four columns: the 1,000,000,000th draw cannot be another one.
    endless = bough.ObliqueDecisionTreeClassifier(max_features=10**9, random_state=0).fit(X, y)
    long = bough.ObliqueDecisionTreeClassifier(max_features=100_000, random_state=0).fit(X, y)
    assert bough.export_text(endless) == bough.export_text(long)
    for wish in ({"projection": bough.Projection(axis_candidates=False)}, {"feature_combinations": 1.0}):
        bough.ObliqueDecisionTreeClassifier(max_features=10**9, random_state=0, **wish).fit(X, y)


def test_scikit_learns_trees_are_said_to_know_no_sums():
    X, y = turned()
    tree = bough.ObliqueDecisionTreeClassifier(max_features=50, random_state=0).fit(X, y)
    with pytest.raises(
        NotImplementedError, match=r"node \d+ tests a weighted sum of columns, which scikit-learn"
    ):
        tree.to_sklearn()


def test_small_weights_of_a_sum_are_not_rounded_away():
    X, y = load_breast_cancer(return_X_y=True)
    tree = bough.ObliqueDecisionTreeClassifier(
        max_depth=3, max_features=30, projection=bough.Projection(scale="standard"), random_state=0
    ).fit(X, y)
    text = bough.export_text(tree)
    weights = [
        float(term.split("*")[0].split()[-1])
        for line in text.splitlines()
        for term in line.split("+")
        if "*" in term
    ]
    assert min(map(abs, weights)) > 0
    assert min(map(abs, weights)) < 0.01
    assert "1.00*feature_" in bough.export_text(bough.ObliqueDecisionTreeClassifier(random_state=0).fit(X, y))


def test_the_cut_of_a_long_sum_is_in_the_picture():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    tree = bough.ObliqueDecisionTreeClassifier(
        max_depth=2, max_features=30, projection=bough.Projection(scale="standard"), random_state=0
    ).fit(X, y)
    assert (tree.tree_.kind == OBLIQUE).any()
    shown = [line for line in tree.to_svg().split("<text")[1:] if "title" not in line]
    assert not any("…" in line.split("</text>")[0] for line in shown)

# SPDX-License-Identifier: Apache-2.0
"""Surrogates, priors, losses, costs and the cp table from Python."""

import itertools

import bough
import numpy as np
import pytest
from sklearn.base import clone

X = np.random.default_rng(3).integers(0, 20, size=(200, 3)).astype(float)
Y = np.where(X[:, 0] + X[:, 1] > 20, "high", np.where(X[:, 2] > 14, "odd", "low"))
HOLES = X.copy()
HOLES[::5, 0] = np.nan
WISHES = {
    "missing": "surrogate",
    "competitors": 2,
    "min_samples_leaf": 5,
    "pruning": bough.CostComplexity(cp=0.01),
}


@pytest.fixture
def tree():
    return bough.DecisionTreeClassifier(**WISHES).fit(HOLES, Y)


def test_the_table_is_there_and_cross_validation_fills_it(tree):
    table = tree.cp_table_
    assert table.n_splits[0] == 0 and table.rel_error[0] == 1.0 and table.cp[-1] == 0.01
    assert table.n_splits[-1] == tree.get_n_leaves() - 1
    assert np.isnan(table.xerror).all()
    again = clone(tree).fit(HOLES, Y).cross_validate_cp(HOLES, Y, groups=np.arange(200) % 4)
    assert again.cp_table_.xerror[0] == pytest.approx(1.0) and (again.cp_table_.xstd > 0).all()
    assert again.cross_validate_cp(HOLES, Y, folds=5).cp_table_.xerror[-1] < 1


def test_text_summary_pruning_and_cutting(tree):
    text = bough.rpart_text(tree)
    assert text.startswith("n= 200") and "1) root 200" in text
    assert "Surrogate splits:" in bough.summary(tree) and "improve=" in bough.summary(tree)
    assert bough.prune_cp(tree, 1.0).get_n_leaves() == 1
    assert bough.cut_nodes(tree, [1], numbering="rpart").get_n_leaves() == 1
    assert bough.cut_nodes(tree, [0]).get_n_leaves() == 1
    assert tree.get_n_leaves() > 2
    with pytest.raises(bough.BoughError, match="no node 100000"):
        bough.cut_nodes(tree, [100000], numbering="rpart")
    with pytest.raises(bough.BoughError, match="no node"):
        bough.cut_nodes(tree, [100000])


def test_the_plot_has_a_point_per_tree(tree):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    axes = bough.plot_cp(tree, plt.figure().gca())
    assert len(axes.lines[0].get_xdata()) == len(tree.cp_table_.cp)
    tree.cross_validate_cp(HOLES, Y, folds=4)
    assert bough.plot_cp(tree, plt.figure().gca()).get_ylabel() == "cross-validated error (root: 1)"


def test_labels_of_a_long_cp_plot_stay_apart():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    draw = np.random.default_rng(2)
    X = draw.normal(size=(600, 3))
    tree = bough.DecisionTreeClassifier().fit(X, (X[:, 0] + draw.normal(size=600) > 0).astype(int))
    assert len(tree.cp_table_.cp) > 12
    axes = bough.plot_cp(tree, plt.figure(figsize=(8, 5)).gca())
    boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
    assert len(boxes) > 4 and all(a.x1 < b.x0 for a, b in itertools.pairwise(boxes))


@pytest.mark.parametrize(
    "labels", [np.array(["high", "low", "odd"]), np.array([4, 7, 9]), np.array([1.0, 2.0, 4.0])]
)
def test_priors_go_by_label_or_by_order(labels):
    y = labels[np.searchsorted(["high", "low", "odd"], Y)]
    shares = dict(zip(labels.tolist(), [0.2, 0.5, 0.3], strict=True))
    for priors in (shares, [0.2, 0.5, 0.3]):
        root = bough.DecisionTreeClassifier(priors=priors, pruning=bough.CostComplexity(cp=1.0)).fit(X, y)
        assert root.predict_proba(X[:1])[0] == pytest.approx([0.2, 0.5, 0.3])


def test_truth_values_have_priors_too():
    root = bough.DecisionTreeClassifier(
        priors={False: 0.9, True: 0.1}, pruning=bough.CostComplexity(cp=1.0)
    ).fit(X, Y == "odd")
    assert root.predict_proba(X[:1])[0] == pytest.approx([0.9, 0.1])


def test_losses_choose_the_class_and_travel_with_the_model(tmp_path):
    dear = 1.0 - np.eye(3)
    dear[2] *= 50
    root = bough.DecisionTreeClassifier(loss_matrix=dear, pruning=bough.CostComplexity(cp=1.0)).fit(X, Y)
    assert root.predict(X[:1])[0] == "odd"
    root.save(tmp_path / "m.bough")
    loaded = bough.load(tmp_path / "m.bough")
    assert loaded.predict(X[:1])[0] == "odd" and np.array_equal(loaded.loss_matrix, dear)


def test_costs_go_by_name_or_by_order():
    same = np.column_stack([X[:, 0], X[:, 0]])
    for costs in ({0: 2.0}, [2.0, 1.0]):
        tree = bough.DecisionTreeRegressor(column_costs=costs, max_depth=1).fit(same, X[:, 0])
        assert tree.tree_.feature[0] == 1


def test_a_monotone_column_stands_in_for_no_other():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(200, 3))
    X[:, 2] = X[:, 0] + 0.1 * X[:, 2]
    y = X[:, 0] + np.sin(6 * X[:, 1]) + rng.normal(0, 0.5, 200)
    X[rng.random(200) < 0.3, 1] = np.nan
    tree = bough.DecisionTreeRegressor(missing="surrogate", monotonic_cst=[1, 0, 0]).fit(X, y)
    rows = np.full((100, 3), np.nan)
    rows[:, 0] = np.linspace(0, 1, 100)
    for height in np.linspace(0, 1, 20):
        rows[:, 2] = height
        assert (np.diff(tree.predict(rows)) >= 0).all()


def test_a_surrogate_is_of_every_group_that_may_follow():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(300, 4))
    X[:, 2] = X[:, 0] + 0.05 * X[:, 2]
    y = np.sin(6 * X[:, 0]) + 5 * (X[:, 1] > 0.5) + rng.normal(0, 0.3, 300)
    X[rng.random(300) < 0.3, 0] = np.nan
    wishes = {"missing": "surrogate", "min_samples_leaf": 5}
    free = bough.DecisionTreeRegressor(**wishes).fit(X[:, :3], y)
    bound = bough.DecisionTreeRegressor(interaction_cst=[[0, 1], [2]], **wishes).fit(X[:, :3], y)
    assert bound.tree_.feature[0] == 1
    rows = np.full((100, 3), np.nan)
    rows[:, 1:] = np.column_stack([np.full(100, 0.2), np.linspace(0, 1, 100)])
    assert len(np.unique(free.predict(rows))) > 1
    assert len(np.unique(bound.predict(rows))) == 1
    shared = bough.DecisionTreeRegressor(interaction_cst=[[0, 1, 2], [2, 3]], **wishes).fit(X, y)
    rows = np.column_stack([rows, np.full(100, 0.5)])
    assert len(np.unique(shared.predict(rows))) > 1


def test_bad_wishes_are_refused():
    make = bough.DecisionTreeClassifier
    for wish in (
        {"priors": {"high": 0.5, "low": 0.4, "odd": 0.3}},
        {"priors": {"high": 0.5, "none": 0.5}},
        {"priors": [0.5, 0.5]},
        {"loss_matrix": [[0, 1], [1, 0]]},
        {"loss_matrix": [[1, 1, 1], [1, 0, 1], [1, 1, 0]]},
        {"column_costs": [1.0, -1.0, 1.0]},
        {"column_costs": [1.0]},
        {"missing": "guess"},
    ):
        with pytest.raises(ValueError, match=r".+"):
            make(**wish).fit(X, Y)

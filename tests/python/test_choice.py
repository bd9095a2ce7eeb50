# SPDX-License-Identifier: Apache-2.0
"""TreeClassifier and TreeRegressor: what they choose, what they say about it, when they do not search."""

import pickle

import bough
import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_wine
from sklearn.metrics import log_loss


def xor(n, seed, noise=0.1):
    random = np.random.default_rng(seed)
    X = random.uniform(-1, 1, (n, 3))
    return X, ((X[:, 1] > 0) != (X[:, 2] > 0)) ^ (random.random(n) < noise)


def few(**more):
    return bough.TreeClassifier(work_limit=3_000_000, pruning_folds=3, **more)


def test_four_leaves_where_growing_needs_many():
    X, y = xor(300, 1)
    tree = few().fit(X, y)
    assert tree.get_n_leaves() == 4 and set(tree.tree_.feature[tree.tree_.feature >= 0]) == {1, 2}
    assert tree.size_table_.searched[tree.size_table_.chosen]
    fresh, truth = xor(2000, 2)
    assert tree.score(fresh, truth) > 0.85
    grown = bough.DecisionTreeClassifier(pruning="cost_complexity").fit(X, y)
    assert grown.get_n_leaves() > 4


def test_two_lines_say_what_was_chosen_and_why():
    X, y = xor(300, 1)
    tree = few().fit(X, y)
    first, second = tree.choice_.splitlines()
    assert first.startswith("4 leaves, searched") and "3-fold cross-validation" in first
    assert (
        "grown and pruned" in second
        and "the largest tree tried, " in second
        and "the largest class alone" in second
    )
    table = tree.size_table_
    assert f"{100 * table.errors[table.chosen]:.1f}% wrong" in first
    assert f"log loss {table.losses[table.chosen]:.3f}" in first


def test_the_table_is_about_the_tree_and_lives_in_the_model():
    X, y = load_wine(return_X_y=True)
    y = np.where(np.random.default_rng(0).random(len(y)) < 0.1, (y + 1) % 3, y)
    tree = few().fit(X, y)
    table = tree.size_table_
    assert table.leaves[table.chosen] == tree.get_n_leaves()
    assert table.shrinkage[table.chosen] == tree.shrinkage_
    grown = table.leaves[~table.searched]
    assert grown[0] == 1 and (np.diff(grown) > 0).all()
    assert (np.diff(table.training_errors[table.searched]) < 0).all()  # one row per better tree
    again = pickle.loads(pickle.dumps(tree))
    assert again.choice_ == tree.choice_ and (again.size_table_.losses == table.losses).all()


@pytest.mark.parametrize("rule", ["min", "one_se"])
def test_every_leaf_lowers_the_loss_by_a_share_of_that_of_one_leaf(rule):
    X, y = xor(400, 3, noise=0.3)
    table = few(pruning_rule=rule).fit(X, y).size_table_
    costs = table.losses + 0.003 * table.losses[0] * table.leaves
    low = int(np.argmin(costs))
    slack = 0.0 if rule == "min" else table.standard_losses[low]
    good = costs <= costs[low] + slack
    assert good[table.chosen] and table.leaves[table.chosen] == table.leaves[good].min()


@pytest.mark.parametrize("rule", ["min", "one_se"])
def test_under_a_limit_the_smallest_tree_of_a_loss_close_to_the_lowest_is_taken(rule):
    X, y = xor(400, 3, noise=0.3)
    table = few(pruning_rule=rule, max_leaf_nodes=12).fit(X, y).size_table_
    losses = np.where(table.leaves <= 12, table.losses, np.inf)
    low = int(np.argmin(losses))
    slack = (0.25 if rule == "min" else 1.0) * table.standard_losses[low]
    good = losses <= losses[low] + slack
    assert good[table.chosen] and table.leaves[table.chosen] == table.leaves[good].min()


def test_a_large_tree_where_a_small_one_makes_twice_the_errors():
    random = np.random.default_rng(8)
    X = random.uniform(0, 1, (4000, 2))
    y = np.floor(16 * X[:, 0]) * 16 + np.floor(16 * X[:, 1])  # 256 fields, each of one class
    y = random.integers(0, 2, 256)[y.astype(int)]
    tree = few().fit(X, y)
    table = tree.size_table_
    costs = table.losses + 0.003 * table.losses[0] * table.leaves
    small, chosen = int(np.argmin(costs)), table.chosen
    assert table.leaves[chosen] > table.leaves[small]
    assert table.errors[chosen] <= table.errors[small] / 2
    assert table.errors[chosen] + table.standard_errors[chosen] < table.errors[small]


def test_threads_change_no_byte():
    X, y = xor(400, 4)
    models = [few(n_jobs=n).fit(X, y).tree_.model.to_bytes() for n in (1, 2, 5)]
    assert models[0] == models[1] == models[2]


def test_errors_of_grown_trees_are_those_of_cost_complexity():
    X, y = load_diabetes(return_X_y=True)
    ours = bough.TreeRegressor(shrinkage=1e-12).fit(X, y).size_table_
    theirs = bough.DecisionTreeRegressor(pruning="cost_complexity").fit(X, y).pruning_table_
    expected = dict(zip(theirs.n_leaves.tolist(), theirs.errors, strict=True))
    assert ours.measure == theirs.measure == "squared_error"
    grown = ~ours.searched
    wanted = [expected[k] for k in ours.leaves[grown].tolist()]
    np.testing.assert_allclose(ours.errors[grown], wanted, rtol=1e-9)
    assert (ours.losses == ours.errors).all() and (ours.shrinkage == 1e-12).all()
    # The pruned tree, or the smallest searched one of no more leaves and no higher error.
    pruned = theirs.n_leaves[theirs.chosen]
    good = ours.searched & (ours.leaves <= pruned) & (ours.errors <= expected[int(pruned)])
    fewest = ours.leaves[good].min() if good.any() else pruned
    assert ours.leaves[ours.chosen] == fewest and ours.searched[ours.chosen] == good.any()


def test_numbers_that_need_many_leaves_are_not_searched():
    X = np.random.default_rng(1).uniform(size=(500, 2))
    table = bough.TreeRegressor().fit(X, np.sin(20 * X[:, 0]) + X[:, 1]).size_table_
    assert table.leaves[table.chosen] > 32 and not table.searched.any()


def test_more_leaves_only_where_they_are_allowed():
    X, y = xor(600, 7, noise=0.0)
    y = (y ^ (X[:, 0] > 0.3)) + 2 * (X[:, 1] > 0.6)  # many regions
    small = few().fit(X, y)
    large = few(max_leaf_nodes=200).fit(X, y)
    assert small.get_n_leaves() <= 16
    table = large.size_table_
    assert (table.leaves[table.chosen] == large.get_n_leaves()) and table.leaves.max() > 16


def test_log_loss_of_unseen_rows_is_what_folds_by_hand_give():
    X, y = xor(200, 5, noise=0.2)
    table = few(shrinkage=1e-12, max_depth=1).fit(X, y).size_table_
    # A single leaf: the shares of the classes outside each fold, which are the same to a row.
    share = np.full(len(y), y.mean())
    assert table.losses[0] == pytest.approx(log_loss(y, share), abs=2e-3)


def test_what_cannot_be_searched_is_grown():
    X, y = xor(300, 1)
    assert few().fit(X, y).size_table_.searched.any()
    assert not few(monotonic_cst=[1, 0, 0]).fit(X, y).size_table_.searched.any()
    odd = few().fit(X, y, sample_weight=np.random.default_rng(0).uniform(0.1, 1, len(y)))
    assert not odd.size_table_.searched.any()  # weights without a common unit
    two = few().fit(X, np.c_[y, ~y])
    assert not two.size_table_.searched.any()


def test_a_handful_of_rows_is_not_divided():
    X, y = xor(19, 1, noise=0.0)
    tree = few().fit(X, y)
    assert tree.score(X, y) == 1.0
    with pytest.raises(AttributeError, match="chosen by cross-validation"):
        tree.choice_  # noqa: B018


def test_limits_hold_for_both_ways():
    X, y = xor(400, 6)
    tree = few(max_leaf_nodes=3, min_samples_leaf=30).fit(X, y)
    assert tree.get_n_leaves() <= 3 and tree.size_table_.leaves.max() <= 3
    assert tree.tree_.n_node_samples.min() >= 30


def test_a_pruned_tree_has_no_table_any_more():
    X, y = xor(300, 1)
    tree = bough.prune(few().fit(X, y), alpha=10.0)
    assert tree.get_n_leaves() == 1
    with pytest.raises(AttributeError):
        tree.size_table_  # noqa: B018

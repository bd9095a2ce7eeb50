# SPDX-License-Identifier: Apache-2.0
"""Studies, tests and intervals against scipy, numpy and naive loops of refits."""

import copy
import math
import pickle

import bough
import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn import metrics
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import RandomForestClassifier
from support import ROOT

IRIS = load_iris(return_X_y=True)


def split_list(estimator):
    """The tests of a tree in preorder, exact."""
    tree = estimator.tree_
    return list(zip(tree.feature.tolist(), tree.threshold.tolist(), tree.children_left.tolist(), strict=True))


def iris_tree(**params):
    return bough.DecisionTreeClassifier(random_state=0, **params).fit(*IRIS)


def mixed_frame(n, seed):
    """Numbers with missing cells, a category, an ordered one; labels that follow them."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": random.integers(18, 80, n).astype(float),
            "job": pd.Categorical(random.choice(["cook", 'a "b"', "</script>"], n)),
            "size": pd.Categorical(random.choice(["s", "m", "l"], n), ["s", "m", "l"], ordered=True),
        }
    )
    frame.loc[random.random(n) < 0.1, "age"] = np.nan
    score = frame["age"].fillna(40) / 40 + (frame["job"] == "cook") + random.normal(0, 0.4, n)
    return frame, np.where(score > 1.7, "yes", "no")


def test_bootstrap_counts_are_those_of_a_loop_of_refits_with_the_drawn_rows():
    X, y = IRIS
    tree = iris_tree(max_depth=3)
    got = bough.stability(tree, X, y, n_repeats=25, random_state=11)
    roots, thresholds, leaves, answers = {}, [], [], []
    for repeat in range(25):
        rows = got.rows(repeat)
        assert rows.shape == (150,) and rows.min() >= 0 and rows.max() < 150
        other = clone(tree).fit(X[rows], y[rows])
        name = f"x{other.tree_.feature[0]}"
        roots[name] = roots.get(name, 0) + 1
        if other.tree_.feature[0] == tree.tree_.feature[0]:
            thresholds.append(other.tree_.threshold[0])
        leaves.append(other.get_n_leaves())
        answers.append(np.mean(other.predict(X) == tree.predict(X)))
    root = got.nodes[0]
    assert got.reproduced and got.n_repeats == 25 and got.failed == 0
    assert root.columns == roots
    assert root.same_column == roots[root.column]
    np.testing.assert_array_equal(root.thresholds, sorted(thresholds))
    np.testing.assert_array_equal(got.leaves, leaves)
    np.testing.assert_allclose(got.answers, answers, rtol=1e-15)
    assert "node 0 at depth 0: x2 ≤ 2.45" in repr(got)


def test_leave_one_out_names_the_rows_of_iris_that_naive_refits_name():
    X, y = IRIS
    tree = iris_tree()
    got = bough.leave_one_out(tree, X, y)
    structure, cuts = [], []
    for row in range(150):
        other = clone(tree).fit(np.delete(X, row, axis=0), np.delete(y, row))
        if split_list(other) == split_list(tree):
            continue
        same_columns = [t[::2] for t in split_list(other)] == [t[::2] for t in split_list(tree)]
        (cuts if same_columns else structure).append(row)
    np.testing.assert_array_equal(got.structure_rows, structure)
    np.testing.assert_array_equal(got.cut_rows, cuts)
    assert got.structure_rows.size == 8 and got.reproduced and got.refits == 149
    first = got.changed[0]
    without = clone(tree).fit(np.delete(X, first.rows[0], axis=0), np.delete(y, first.rows[0]))
    np.testing.assert_array_equal(first.tree.threshold, without.tree_.threshold)
    np.testing.assert_array_equal(got.before.threshold, tree.tree_.threshold)


def test_changed_trees_are_drawn_beside_the_tree_of_all_rows(tmp_path):
    frame, y = mixed_frame(60, 1)
    tree = bough.DecisionTreeClassifier(max_depth=3).fit(frame, y)
    got = bough.leave_one_out(tree, frame, y)
    drawing = got.svg(tmp_path / "x.svg", most=2)
    assert (tmp_path / "x.svg").read_text(encoding="utf-8") == drawing
    assert drawing.count("<svg ") == 1 + 2 * min(2, len(got.changed))
    assert "</script>" not in drawing
    import xml.etree.ElementTree as ElementTree

    ElementTree.fromstring(drawing)


def test_studies_fit_frames_with_categories_weights_and_class_weights_again():
    frame, y = mixed_frame(120, 2)
    weights = np.random.default_rng(0).integers(1, 4, 120).astype(float)
    tree = bough.DecisionTreeClassifier(max_depth=4, class_weight="balanced").fit(
        frame, y, sample_weight=weights
    )
    got = bough.stability(tree, frame, y, n_repeats=5, sample_weight=weights)
    assert got.reproduced and set(got.used) == {"age", "job", "size"}
    assert not bough.stability(tree, frame, y, n_repeats=1).reproduced
    assert bough.leave_one_out(tree, frame, y, sample_weight=weights).reproduced
    splits = bough.permutation_test(tree, frame, y, of="splits", n_repeats=9, sample_weight=weights)
    assert splits.p.shape == splits.adjusted.shape == splits.nodes.shape
    assert splits.p.min() >= 0.1


def test_threads_change_nothing():
    X, y = IRIS
    tree = iris_tree()
    one, two = (bough.stability(tree, X, y, n_repeats=10, n_jobs=n) for n in (1, 2))
    assert one.text == two.text
    np.testing.assert_array_equal(one.answers, two.answers)


def test_mcnemars_test_is_scipys_binomial_test():
    X, y = load_breast_cancer(return_X_y=True)
    first = bough.DecisionTreeClassifier(max_depth=1).fit(X[::2], y[::2])
    second = bough.DecisionTreeClassifier(max_depth=4).fit(X[::2], y[::2])
    got = bough.compare(first, second, X[1::2], y[1::2])
    a, b = first.predict(X[1::2]) == y[1::2], second.predict(X[1::2]) == y[1::2]
    only_first, only_second = int(np.sum(a & ~b)), int(np.sum(~a & b))
    mcnemar = got.outputs[0]["mcnemar"]
    assert (mcnemar["only_first"], mcnemar["only_second"]) == (only_first, only_second)
    assert only_first + only_second > 5
    expected = stats.binomtest(only_first, only_first + only_second).pvalue
    assert got.p == pytest.approx(expected, rel=1e-9)


def test_the_corrected_t_test_is_numpys_arithmetic_and_scipys_distribution():
    X, y = load_breast_cancer(return_X_y=True)
    first = bough.DecisionTreeClassifier(max_depth=1).fit(X, y)
    second = bough.DecisionTreeClassifier(max_depth=3).fit(X, y)
    own = bough.compare(first, second, X, y, training=(X, y), n_splits=10, fraction=0.25).resampled
    differences = own.first - own.second
    error = math.sqrt((1 / 10 + own.n_test / own.n_train) * differences.var(ddof=1))
    assert own.t == pytest.approx(differences.mean() / error, rel=1e-10)
    assert own.p == pytest.approx(2 * stats.t.sf(abs(own.t), 9), rel=1e-8)
    low, high = stats.t.interval(0.95, 9, differences.mean(), error)
    assert (own.low, own.high) == (pytest.approx(low, rel=1e-8), pytest.approx(high, rel=1e-8))


def test_squared_errors_of_numbers_have_scipys_paired_test():
    X, y = load_diabetes(return_X_y=True)
    first = bough.DecisionTreeRegressor(max_depth=2).fit(X[::2], y[::2])
    second = bough.DecisionTreeRegressor(max_depth=5).fit(X[::2], y[::2])
    got = bough.compare(first, second, X[1::2], y[1::2])
    losses = [(y[1::2] - tree.predict(X[1::2])) ** 2 for tree in (first, second)]
    expected = stats.ttest_rel(*losses)
    assert got.p == pytest.approx(expected.pvalue, rel=1e-8)
    assert got.outputs[0]["squared_errors"]["t"] == pytest.approx(expected.statistic, rel=1e-9)
    signs = got.outputs[0]["sign_test"]
    nearer = int(np.sum(losses[0] < losses[1])), int(np.sum(losses[0] > losses[1]))
    assert (signs["first_nearer"], signs["second_nearer"]) == nearer
    assert signs["p"] == pytest.approx(stats.binomtest(nearer[0], sum(nearer)).pvalue, rel=1e-9)


def test_accuracy_and_errors_have_scipys_intervals():
    X, y = load_breast_cancer(return_X_y=True)
    tree = bough.DecisionTreeClassifier(max_depth=3).fit(X[::2], y[::2])
    got = bough.evaluate(tree, X[1::2], y[1::2], confidence=0.9)
    right = int(np.sum(tree.predict(X[1::2]) == y[1::2]))
    wilson = stats.binomtest(right, len(y[1::2])).proportion_ci(0.9, "wilson")
    assert got.methods["accuracy"] == "Wilson"
    assert got.intervals["accuracy"] == pytest.approx((wilson.low, wilson.high), rel=1e-12)
    assert got.scores["accuracy"] == right / len(y[1::2])
    X, y = load_diabetes(return_X_y=True)
    tree = bough.DecisionTreeRegressor(max_depth=3).fit(X[::2], y[::2])
    got = bough.evaluate(tree, X[1::2], y[1::2])
    sizes = np.abs(y[1::2] - tree.predict(X[1::2]))
    expected = stats.t.interval(0.95, len(sizes) - 1, sizes.mean(), stats.sem(sizes))
    assert got.intervals["mae"] == pytest.approx(expected, rel=1e-9)
    low, high = stats.t.interval(0.95, len(sizes) - 1, (sizes**2).mean(), stats.sem(sizes**2))
    assert got.intervals["rmse"] == pytest.approx((math.sqrt(low), math.sqrt(high)), rel=1e-9)


def test_auc_has_delongs_interval_by_all_pairs():
    X, y = load_breast_cancer(return_X_y=True)
    tree = bough.DecisionTreeClassifier(max_depth=3).fit(X[::2], y[::2])
    got = bough.evaluate(tree, X[1::2], y[1::2])
    chances = tree.predict_proba(X[1::2])[:, 1]
    positive, negative = chances[y[1::2] == 1], chances[y[1::2] == 0]
    wins = (positive[:, None] > negative) + 0.5 * (positive[:, None] == negative)
    variance = wins.mean(1).var(ddof=1) / len(positive) + wins.mean(0).var(ddof=1) / len(negative)
    half = stats.norm.ppf(0.975) * math.sqrt(variance)
    assert got.scores["auc"] == pytest.approx(wins.mean(), rel=1e-12)
    assert got.intervals["auc"] == pytest.approx((wins.mean() - half, wins.mean() + half), rel=1e-9)


def test_permutation_finds_what_is_there_and_says_how_small_p_can_be():
    X, y = IRIS
    tree = iris_tree(max_depth=2)
    got = bough.permutation_test(tree, X, y, n_repeats=19)
    assert got.p == 1 / 20 and got.score > 0.9 and got.shuffled.shape == (19,)
    splits = bough.permutation_test(tree, X, y, of="splits", n_repeats=19, max_depth=None)
    assert splits.nodes.tolist() == [0, 2] and splits.tests[0] == "x2 ≤ 2.45"
    assert splits.adjusted.tolist() == [0.1, 0.1]
    assert "The smallest possible p is 0.0500" in repr(splits)


def test_rotation_gives_arrays_that_the_text_tells():
    X, y = IRIS
    got = bough.rotation(iris_tree(), X, y, angles=[0, 45], n_repeats=1, planes="random")
    assert got.angles.tolist() == [0, 0, 45] and got.scores.shape == (3, 5)
    np.testing.assert_array_equal(got.scores[0], got.scores[1])
    assert got.differences[0].p == 1 and "Rotation: accuracy" in repr(got)


def test_forests_are_compared_and_scored_but_not_fitted_again():
    X, y = IRIS
    forest = bough.from_sklearn(RandomForestClassifier(5, max_depth=2, random_state=0).fit(X, y))
    got = bough.evaluate(forest, X, y)
    assert got.scores["accuracy"] == np.mean(forest.predict(X) == y)
    agree = bough.compare(bough.from_sklearn(forest.to_sklearn()), forest, X, y).outputs[0]["agree"]
    assert agree == 150
    with pytest.raises(NotImplementedError, match="5 trees"):
        bough.stability(forest, X, y)


def test_different_class_weights_are_not_mixed_up_in_refits():
    X, y = IRIS
    first, second = iris_tree(), iris_tree(class_weight="balanced")
    assert bough.compare(first, second, X, y).resampled is None
    with pytest.raises(bough.BoughError, match="class_weight"):
        bough.compare(first, second, X, y, training=(X, y))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda t, X, y: bough.stability(t, X, y, n_repeats=0), "repeats must be at least 1"),
        (lambda t, X, y: bough.stability(t, X, y, random_state=-1), "random_state"),
        (lambda t, X, y: bough.permutation_test(t, X, y, of="roots"), "tree.*splits"),
        (lambda t, X, y: bough.permutation_test(t, X, y, score="x"), "held_out"),
        (lambda t, X, y: bough.rotation(t, X, y, planes="flat"), "pairs"),
        (lambda t, X, y: bough.evaluate(t, X, y, confidence=1.0), "confidence"),
        (lambda t, X, y: bough.evaluate(t, X, y + 7), "not a class of the tree"),
    ],
)
def test_mistakes_are_named(call, words):
    with pytest.raises(bough.BoughError, match=words):
        call(iris_tree(), *IRIS)


def test_the_page_about_studies_runs():
    page = (ROOT / "docs/study.md").read_text(encoding="utf-8")
    names = {}
    exec(page.split("```python\n")[1].split("```")[0], names)
    assert names["changes"].structure_rows.size == 8 and names["svg"].startswith("<svg ")


def test_rows_left_out_count_from_0_in_texts_and_pictures():
    X, y = IRIS
    result = bough.leave_one_out(iris_tree(max_depth=2), X, y)
    row = result.changed[0].rows[0]
    assert f"without row {row}:" in str(result) or f"without any of the rows {row}" in str(result)
    assert "rows count from 0" in str(result)
    assert f"without row {row}" in result.svg() or f"without any of rows {row}" in result.svg()


def test_log_loss_is_that_of_scikit_learn_where_leaves_are_pure_and_wrong():
    X, y = load_breast_cancer(return_X_y=True)
    tree = bough.DecisionTreeClassifier(random_state=0).fit(X[::2], y[::2])
    scores = bough.evaluate(tree, X[1::2], y[1::2])
    expected = metrics.log_loss(y[1::2], tree.predict_proba(X[1::2]))
    assert expected > 1  # some are sure and wrong
    assert scores.scores["log_loss"] == pytest.approx(expected, rel=1e-12)


def test_a_level_that_left_with_its_only_row_is_no_change_of_the_test():
    """Without row 7 no row has the level z any more; all other levels go where they went."""
    rng = np.random.default_rng(0)
    x = rng.choice(list("abc"), 60)
    y = np.where((x == "a") ^ (rng.random(60) < 0.1), "yes", "no")
    x[7], y[7] = "z", "no"
    frame = pd.DataFrame({"x": pd.Categorical(x), "u": rng.normal(size=60)})
    model = bough.DecisionTreeClassifier(max_depth=1).fit(frame, y)
    result = bough.leave_one_out(model, frame, y)
    for line in str(result).splitlines():
        before, arrow, after = line.partition(" -> ")
        assert not arrow or before.split(": ", 1)[1] != after, line
    assert "x = a -> x = a" not in str(result)


def test_results_and_pictures_travel_between_processes():
    X, y = load_iris(return_X_y=True)
    model = bough.DecisionTreeClassifier(max_depth=2).fit(X, y)
    results = [
        bough.stability(model, X, y, n_repeats=3),
        bough.leave_one_out(model, X, y),
        bough.rotation(model, X, y, n_repeats=1, angles=[30]),
        bough.permutation_test(model, X, y, n_repeats=3),
        bough.compare(model, model, X, y),
        bough.evaluate(model, X, y),
        bough.report(model, X, y, repeats=1),
        bough.draw_tree(model),
    ]
    for result in results:
        assert repr(pickle.loads(pickle.dumps(result))) == repr(result)
    again = copy.deepcopy(results[1])
    assert again.changed[0].rows.tolist() == results[1].changed[0].rows.tolist()
    assert again.before.threshold.tolist() == model.tree_.threshold.tolist()
    with pytest.raises(bough.BoughError, match="draw the result"):
        again.svg()
    assert copy.deepcopy(results[-1]).svg == results[-1].svg

# SPDX-License-Identifier: Apache-2.0
"""Forests that are grown here: bags, weights, warm starts, out-of-bag figures, files."""

import os
import pickle
import warnings

import bough
import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_iris, make_classification, make_regression
from sklearn.ensemble import AdaBoostClassifier, AdaBoostRegressor, BaggingClassifier, BaggingRegressor
from sklearn.utils.class_weight import compute_sample_weight

SEED = int(os.environ.get("BOUGH_SEED", "20261115"))
FORESTS = [
    bough.RandomForestClassifier,
    bough.RandomForestRegressor,
    bough.ExtraTreesClassifier,
    bough.ExtraTreesRegressor,
]


def data(forest, outputs=1, seed=SEED, n=120):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    X[rng.random(X.shape) < 0.1] = np.nan
    score = np.nan_to_num(X) @ rng.normal(size=(5, outputs)) + 0.3 * rng.normal(size=(n, outputs))
    if is_classifier(forest):
        score = np.array(["low", "mid", "top"])[np.digitize(score, [-1, 1])]
    return X, score[:, 0] if outputs == 1 else score


def answers(forest, X):
    found = forest.predict_proba(X) if is_classifier(forest) else forest.predict(X)
    return np.concatenate(found, axis=1) if isinstance(found, list) else found.reshape(len(X), -1)


@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("cls", FORESTS)
def test_a_forest_answers_with_the_mean_of_its_trees(cls, outputs):
    forest = cls(n_estimators=9, random_state=3)
    X, y = data(forest, outputs)
    forest.fit(X, y)
    mean = np.mean([answers(tree, X) for tree in forest.estimators_], axis=0)
    np.testing.assert_allclose(answers(forest, X), mean, rtol=1e-12, atol=1e-15)
    leaves = forest.apply(X)
    for k, tree in enumerate(forest):
        np.testing.assert_array_equal(leaves[:, k], tree.apply(X))


@pytest.mark.parametrize("cls", FORESTS)
def test_more_trees_are_those_that_would_have_been_grown_at_once(cls):
    X, y = data(cls())
    weights = np.random.default_rng(SEED).integers(0, 4, len(y))
    options = dict(random_state=np.int64(7), bootstrap=True, oob_score=True, max_samples=0.8)
    once = cls(n_estimators=21, **options).fit(X, y, sample_weight=weights)
    steps = cls(n_estimators=8, warm_start=True, **options).fit(X, y, sample_weight=weights)
    first = steps.estimators_[0]
    steps.set_params(n_estimators=21).fit(X, y, sample_weight=weights)
    assert steps.model_.to_bytes() == once.model_.to_bytes()
    assert steps.oob_score_ == once.oob_score_
    np.testing.assert_array_equal(steps.estimators_[0].apply(X), first.apply(X))


@pytest.mark.parametrize("cls", FORESTS)
def test_threads_change_nothing(cls):
    X, y = data(cls(), n=300)
    one = cls(n_estimators=12, n_jobs=1, bootstrap=True, oob_score=True).fit(X, y)
    two = cls(n_estimators=12, n_jobs=2, bootstrap=True, oob_score=True).fit(X, y)
    assert one.model_.to_bytes() == two.model_.to_bytes()
    assert one.oob_score_ == two.oob_score_
    np.testing.assert_array_equal(answers(one, X), answers(two, X))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("cls", FORESTS)
def test_out_of_bag_answers_are_those_of_the_trees_that_have_not_drawn_a_row(cls, outputs, weighted):
    forest = cls(n_estimators=40, bootstrap=True, random_state=5)
    X, y = data(forest, outputs)
    if is_classifier(forest) and outputs == 2:
        y = (y == "low").astype(int)  # multiclass with several outputs has no out-of-bag score
    weights = np.random.default_rng(SEED).integers(0, 3, len(y)) if weighted else None
    forest.set_params(oob_score=True).fit(X, y, sample_weight=weights)
    total, count = 0.0, np.zeros(len(y))
    for tree, rows in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        out = np.ones(len(y), dtype=bool)
        out[rows] = False
        count += out
        found = answers(tree, X)
        total = total + np.where(out[:, None], found, 0.0)
    assert count.min() > 0
    mean = total / count[:, None]
    if is_classifier(forest):
        shape = (len(y), -1) if outputs == 1 else (len(y), outputs, -1)
        expected = mean.reshape(shape) if outputs == 1 else np.moveaxis(mean.reshape(shape), 1, 2)
        np.testing.assert_allclose(forest.oob_decision_function_, expected, rtol=1e-12, atol=1e-15)
        chosen = np.argmax(expected, axis=1)
        right = chosen == np.unique(y, return_inverse=True)[1].reshape(chosen.shape)
        assert forest.oob_score_ == pytest.approx(right.reshape(len(y), -1).all(axis=1).mean())
    else:
        np.testing.assert_allclose(forest.oob_prediction_, mean.reshape(y.shape), rtol=1e-12)
        residual = ((y - mean.reshape(y.shape)) ** 2).sum(axis=0)
        spread = ((y - y.mean(axis=0)) ** 2).sum(axis=0)
        assert forest.oob_score_ == pytest.approx(np.mean(1 - residual / spread))
    curve = forest.oob_error_curve(X, y)
    assert len(curve.errors) == 40
    assert curve.n_rows[-1] == len(y)
    if outputs == 1:
        wrong = (
            (chosen != np.unique(y, return_inverse=True)[1])
            if is_classifier(forest)
            else (y - mean[:, 0]) ** 2
        )
        assert curve.errors[-1] == pytest.approx(wrong.mean())


def test_rows_are_drawn_in_proportion_to_their_weights():
    X, y = data(bough.RandomForestRegressor())
    weights = np.random.default_rng(SEED).random(len(y)) * (np.arange(len(y)) % 3)
    forest = bough.RandomForestRegressor(n_estimators=400, random_state=1, max_samples=1.7)
    forest.fit(X, y, sample_weight=weights)
    drawn = np.zeros(len(y))
    for rows in forest.estimators_samples_:
        assert len(rows) == int(1.7 * weights.sum())
        drawn += np.bincount(rows, minlength=len(y))
    expected = drawn.sum() * weights / weights.sum()
    assert (drawn[weights == 0] == 0).all()
    held = expected > 0
    chi = ((drawn[held] - expected[held]) ** 2 / expected[held]).sum()
    assert chi < held.sum() + 5 * np.sqrt(2 * held.sum())


def test_a_tree_sees_a_row_as_often_as_it_was_drawn_and_no_other_weight():
    X, y = data(bough.RandomForestRegressor())
    forest = bough.RandomForestRegressor(n_estimators=5, random_state=2, max_features=2)
    forest.fit(X, y, sample_weight=np.arange(len(y)) % 4)
    for tree, rows in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        again = clone(tree).fit(X[rows], y[rows])
        np.testing.assert_array_equal(again.predict(X), tree.predict(X))
        assert tree.tree_.weighted_n_node_samples[0] == len(rows)


@pytest.mark.parametrize("cls", [bough.RandomForestClassifier, bough.ExtraTreesClassifier])
def test_balanced_subsample_weighs_classes_by_how_often_they_were_drawn(cls):
    X, y = data(cls())
    forest = cls(n_estimators=4, bootstrap=True, class_weight="balanced_subsample", random_state=3).fit(X, y)
    for tree, rows in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        by_hand = clone(tree).fit(X[rows], y[rows], sample_weight=compute_sample_weight("balanced", y[rows]))
        np.testing.assert_allclose(by_hand.predict_proba(X), tree.predict_proba(X), rtol=1e-9)


def test_balanced_weights_take_the_weights_of_rows_into_account():
    X, y = data(bough.RandomForestClassifier())
    weights = np.random.default_rng(SEED).integers(1, 5, len(y)).astype(float)
    forest = bough.RandomForestClassifier(n_estimators=2, class_weight="balanced").fit(X, y, weights)
    sums = {label: forest._sample_weight[y == label].sum() for label in np.unique(y)}
    np.testing.assert_allclose(list(sums.values()), weights.sum() / 3)


def test_the_permutation_importance_of_a_column_without_meaning_is_about_nothing():
    X, y = make_classification(
        300, 6, n_informative=2, n_redundant=0, shuffle=False, random_state=SEED % 1000
    )
    forest = bough.RandomForestClassifier(60, random_state=0).fit(X, y)
    found = forest.oob_permutation_importance(X, y, random_state=1)
    assert found.measure == "class_error"
    assert found.importances_mean[:2].max() > 10 * np.abs(found.importances_mean[2:]).max()
    again = forest.oob_permutation_importance(X, y, random_state=1)
    np.testing.assert_array_equal(found.importances_mean, again.importances_mean)
    alone = [1 - np.mean(tree.predict(X[out]) == y[out]) for tree, out in left_out(forest, len(y))]
    assert found.base == pytest.approx(np.mean(alone))


def left_out(forest, n):
    for tree, rows in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        yield tree, np.setdiff1d(np.arange(n), rows)


def test_proximity_is_the_share_of_trees_in_which_rows_meet():
    X, y = data(bough.RandomForestClassifier())
    forest = bough.RandomForestClassifier(12, max_depth=3, random_state=0).fit(X, y)
    leaves = forest.apply(X)
    meets = leaves[:, None, :] == leaves[None, :, :]
    np.testing.assert_allclose(forest.proximity(X), meets.mean(axis=2))
    np.testing.assert_allclose(forest.proximity(X[:5], X[3:9]), meets[:5, 3:9].mean(axis=2))
    out = np.array([np.bincount(rows, minlength=len(y)) == 0 for rows in forest.estimators_samples_]).T
    both = out[:, None, :] & out[None, :, :]
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(
            forest.proximity(X, oob=True), (meets & both).sum(axis=2) / both.sum(axis=2)
        )


@pytest.mark.parametrize("cls", FORESTS)
def test_the_representative_tree_answers_most_like_the_forest(cls):
    forest = cls(n_estimators=15, random_state=1)
    X, y = data(forest)
    forest.fit(X, y)
    together = answers(forest, X)
    apart = [((answers(tree, X) - together) ** 2).sum(axis=1).mean() for tree in forest]
    if not is_classifier(forest):
        apart = np.array(apart) / together.var()
    found = forest.representative_tree(X)
    np.testing.assert_allclose(found.distances, apart, rtol=1e-9)
    assert found.index == np.argmin(apart)
    np.testing.assert_array_equal(found.estimator.apply(X), forest[found.index].apply(X))


@pytest.mark.parametrize("cls", FORESTS)
def test_a_forest_survives_files_and_pickles(cls, tmp_path):
    forest = cls(n_estimators=6, random_state=4, max_depth=4)
    X, y = data(forest)
    forest.fit(X, y)
    for name in ("forest.bough", "forest.json"):
        forest.save(tmp_path / name)
        loaded = bough.load(tmp_path / name)
        assert type(loaded) is cls
        assert loaded.n_estimators == 6
        assert loaded.get_params()["max_depth"] == 4
        np.testing.assert_array_equal(answers(loaded, X), answers(forest, X))
        np.testing.assert_array_equal(loaded.feature_importances_, forest.feature_importances_)
    thawed = pickle.loads(pickle.dumps(forest))
    np.testing.assert_array_equal(answers(thawed, X), answers(forest, X))
    for ours, theirs in zip(thawed.estimators_samples_, forest.estimators_samples_, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    theirs = forest.to_sklearn()
    np.testing.assert_allclose(
        answers(theirs, X.astype(np.float32)), answers(forest, X.astype(np.float32)), rtol=1e-12
    )


@pytest.mark.parametrize("cls", FORESTS)
def test_a_grown_forest_leaves_for_other_programs(cls):
    forest = cls(n_estimators=5, random_state=4, max_depth=4)
    X, y = data(forest)
    forest.fit(X, y)
    made = {}
    exec(forest.export("python"), made)
    names = [name for name, _, _ in forest.model_.features]
    for row, expected in zip(X[:40], forest.predict(X[:40]), strict=True):
        assert made["predict"](dict(zip(names, row, strict=True))) == expected
    for to in ("c", "sql", "onnx", "pmml", "treelite", "json", "sklearn"):
        assert forest.export(to)
    assert forest.export("text", tree=3) == "tree 4 of 5:\n" + forest.estimators_[3].export("text")


def test_boosting_and_bagging_of_scikit_learn_run_on_our_trees():
    X, y = load_iris(return_X_y=True)
    stump = bough.DecisionTreeClassifier(max_depth=1)
    boosted = AdaBoostClassifier(stump, n_estimators=30, random_state=0).fit(X[::2], y[::2])
    assert boosted.score(X[1::2], y[1::2]) > stump.fit(X[::2], y[::2]).score(X[1::2], y[1::2]) + 0.2
    bagged = BaggingClassifier(
        bough.DecisionTreeClassifier(), oob_score=True, random_state=0, n_estimators=30
    )
    assert bagged.fit(X, y).oob_score_ > 0.9
    X, y = make_regression(200, 4, noise=5.0, random_state=0)
    tree = bough.DecisionTreeRegressor(max_depth=3)
    alone = tree.fit(X[::2], y[::2]).score(X[1::2], y[1::2])
    for many in (AdaBoostRegressor, BaggingRegressor):
        grown = many(bough.DecisionTreeRegressor(max_depth=3), n_estimators=30, random_state=0)
        assert grown.fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > alone


def test_a_forest_says_how_far_it_is(capsys):
    X, y = data(bough.RandomForestRegressor(), n=2000)
    bough.RandomForestRegressor(60, verbose=1).fit(X, y)
    said = capsys.readouterr().out
    assert not said or "of 60 trees" in said


def test_what_a_forest_cannot_do_is_refused_by_name():
    X, y = data(bough.RandomForestClassifier())
    forest = bough.RandomForestClassifier(4, warm_start=True, random_state=1).fit(X, y)
    with pytest.raises(ValueError, match="n_estimators=3 must be larger"):
        forest.set_params(n_estimators=3).fit(X, y)
    with pytest.raises(ValueError, match="another set of targets or classes"):
        forest.set_params(n_estimators=6).fit(X, np.where(y == "low", "bottom", y))
    with pytest.raises(ValueError, match="another bootstrap"):
        forest.set_params(bootstrap=False).fit(X, y)
    with pytest.raises(ValueError, match="rows that the forest was grown on"):
        forest.oob_error_curve(X[:50], y[:50])
    with pytest.raises(ValueError, match="one is needed"):
        bough.export_text(forest)
    frozen = bough.ExtraTreesClassifier(3).fit(X, y)
    with pytest.raises(ValueError, match="has left rows out"):
        frozen.oob_error_curve(X, y)


def test_a_forest_from_a_file_asks_for_the_weights_of_its_fit(tmp_path):
    X, y = data(bough.RandomForestClassifier())
    forest = bough.RandomForestClassifier(12, random_state=1, class_weight="balanced", bootstrap=True).fit(
        X, y
    )
    forest.save(tmp_path / "f.bough")
    loaded = bough.load(tmp_path / "f.bough")
    curve = forest.oob_error_curve(X, y)
    with pytest.raises(ValueError, match="grown with row weights, but none are given"):
        loaded.oob_error_curve(X, y)
    with pytest.raises(ValueError, match="grown with row weights"):
        loaded.oob_permutation_importance(X, y)
    with pytest.raises(ValueError, match="not those"):
        loaded.oob_error_curve(X, y, sample_weight=np.arange(len(y)))
    weights = compute_sample_weight("balanced", y)
    np.testing.assert_array_equal(loaded.oob_error_curve(X, y, sample_weight=weights).errors, curve.errors)


def test_a_warm_start_with_other_weights_warns_and_ends_out_of_bag_figures(tmp_path):
    X, y = data(bough.RandomForestClassifier())
    weights = compute_sample_weight("balanced", y)
    forest = bough.RandomForestClassifier(6, random_state=1, bootstrap=True).fit(X, y, weights)
    forest.save(tmp_path / "f.bough")
    loaded = bough.load(tmp_path / "f.bough").set_params(warm_start=True, n_estimators=9)
    with pytest.warns(UserWarning, match="other rows or row weights"):
        loaded.fit(X, y)
    with pytest.raises(ValueError, match="other rows or weights"):
        loaded.oob_error_curve(X, y)
    same = bough.load(tmp_path / "f.bough").set_params(warm_start=True, n_estimators=9)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        same.fit(X, y, weights)
    assert np.isfinite(same.oob_error_curve(X, y).errors[-1])


def test_rows_held_for_calibration_do_not_flatter_the_out_of_bag_error():
    rng = np.random.default_rng(SEED)
    X, y = rng.normal(size=(400, 5)), rng.integers(0, 2, 400)
    forest = bough.HonestForestClassifier(60, random_state=0, bootstrap=True, calibration_fraction=0.3)
    forest.fit(X, y)
    assert 0.4 < forest.oob_error_curve(X, y).errors[-1] < 0.6
    drawn = np.unique(np.concatenate(forest.estimators_samples_))
    assert len(drawn) <= 280


def test_studies_of_forests_say_that_they_grow_a_single_tree():
    X, y = load_iris(return_X_y=True)
    forest = bough.RandomForestClassifier(3, class_weight="balanced_subsample", random_state=0).fit(X, y)
    with pytest.raises(NotImplementedError, match="single tree"):
        bough.stability(forest, X, y, n_repeats=2)


@pytest.mark.parametrize("forest", FORESTS)
def test_counts_may_be_numpy_integers(forest):
    X, y = data(forest())
    plain = forest(3, max_depth=4, random_state=0).fit(X, y)
    numpy = forest(np.int64(3), max_depth=np.int32(4), random_state=np.uint8(0)).fit(X, y)
    assert numpy.get_params() == plain.get_params()
    np.testing.assert_array_equal(answers(numpy, X), answers(plain, X))

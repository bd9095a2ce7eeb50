# SPDX-License-Identifier: Apache-2.0
"""What Python says: its own names of parameters, rows counted from 0, nothing ignored without a word."""

import re
import warnings

import bough
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

R = np.random.default_rng(0)
X = R.normal(size=(80, 3))
Y = (X[:, 0] > 0).astype(int)


def test_intervals_say_what_python_has():
    model = bough.DecisionTreeClassifier().fit(X, Y)
    with pytest.raises(Exception, match=r"calibrate\(X, y\)"):
        model.predict_set(X)
    with pytest.raises(Exception, match="HonestTreeClassifier"):
        model.predict_mean_interval(X)


@pytest.mark.parametrize(
    ("fit", "words", "not_words"),
    [
        (
            lambda: bough.DecisionTreeClassifier(pruning=bough.CostComplexity(folds=500)).fit(X, Y),
            r"CostComplexity\(folds=",
            "pruning_folds",
        ),
        (
            lambda: bough.HonestTreeRegressor(honest=bough.Honest(fraction=0.01)).fit(X[:4], X[:4, 0]),
            r"Honest\(fraction=0.01\)",
            "honest_fraction",
        ),
        (
            lambda: bough.DecisionTreeRegressor(refine="tao", criterion="absolute_error").fit(X, X[:, 0]),
            r"refine=TAO\(\)",
            r"\btao\b",
        ),
        (
            lambda: bough.HonestForestRegressor(5, little_bags=2).fit(X, X[:, 0]),
            "n_estimators a multiple",
            r"\bforest a\b",
        ),
        (
            lambda: bough.DecisionTreeClassifier(refine="tao", missing="stop").fit(X, Y),
            "missing='learn'",
            "missing_policy",
        ),
    ],
    ids=["folds", "fraction", "tao", "bags", "missing"],
)
def test_messages_name_the_parameters_of_python(fit, words, not_words):
    with pytest.raises((ValueError, NotImplementedError)) as caught:
        fit()
    assert re.search(words, str(caught.value)), caught.value
    assert not re.search(not_words, str(caught.value)), caught.value


def test_rows_are_counted_from_0():
    y = X[:, 0].copy()
    y[7] = 1e80
    with pytest.raises(bough.BoughError, match=r"in row 7 \(counted from 0\)"):
        bough.DecisionTreeRegressor().fit(X, y)


def test_numbers_beyond_the_core_are_shown_as_given():
    with pytest.raises(ValueError, match="10000000000000"):
        bough.DecisionTreeClassifier(refine=bough.TAO(passes=10**13)).fit(X, Y)
    assert bough.DecisionTreeClassifier(max_depth=10**13).fit(X, Y).score(X, Y) == 1.0
    assert bough.DecisionTreeClassifier(n_jobs=10**12).fit(X, Y).score(X, Y) == 1.0


def test_a_class_of_weight_0_is_left_out_of_the_balance():
    weights = np.where(Y == 1, 0.0, 1.0)
    for model in (
        bough.DecisionTreeClassifier(class_weight="balanced"),
        bough.RandomForestClassifier(5, class_weight="balanced", random_state=0),
    ):
        assert (model.fit(X, Y, sample_weight=weights).predict(X) == 0).all()


def test_groups_of_parameters_are_values():
    assert hash(bough.CostComplexity(folds=5)) == hash(bough.CostComplexity(folds=5))
    assert len({bough.TAO(), bough.TAO(), bough.TAO(passes=3)}) == 2
    group = bough.CostComplexity()
    with pytest.raises(AttributeError, match="fold"):
        group.fold = 5
    assert clone(group) == group


def test_settings_of_a_tree_estimator_that_do_nothing_are_refused():
    tree = bough.DecisionTreeRegressor(max_depth=2)
    with pytest.raises(bough.BoughError, match="max_depth of the tree_estimator does nothing"):
        bough.HonestForestRegressor(4, tree_estimator=tree).fit(X, X[:, 0])


def test_halves_that_max_samples_cannot_change_are_refused():
    with pytest.raises(bough.BoughError, match=r"max_samples=0.7 does nothing"):
        bough.HonestForestRegressor(4, little_bags=2, max_samples=0.7).fit(X, X[:, 0])
    with pytest.raises(bough.BoughError, match=r"max_samples=0.5 does nothing"):
        bough.CausalForest(4, max_samples=0.5).fit(X, X[:, 0], treatment=Y)


def test_identifiers_are_warned_of():
    frame = pd.DataFrame({"name": [f"n{i}" for i in range(80)], "x": X[:, 1]})
    with pytest.warns(UserWarning, match="'name'.*identifier"):
        bough.DecisionTreeClassifier().fit(frame, Y)


def test_a_column_of_unseen_categories_is_warned_of():
    frame = pd.DataFrame({"k": np.where(Y == 1, "yes", "no"), "x": X[:, 1]})
    model = bough.DecisionTreeClassifier().fit(frame, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(frame)
    with pytest.warns(UserWarning, match="'k'.*never seen"):
        model.predict(frame.assign(k=frame["k"].str.upper()))


def test_trees_of_random_cuts_without_a_seed_differ():
    trees = [bough.ExtraTreeClassifier().fit(X, Y) for _ in range(5)]
    assert len({tree._model.to_bytes() for tree in trees}) > 1
    np.random.seed(1)
    first = bough.ExtraTreeClassifier().fit(X, Y)
    np.random.seed(1)
    assert bough.ExtraTreeClassifier().fit(X, Y)._model.to_bytes() == first._model.to_bytes()
    assert clone(first).fit(X, Y).get_params()["random_state"] is None


def test_where_features_are_drawn_the_seed_decides_between_equal_ones():
    twice = np.c_[X[:, 0], X[:, 0], X[:, 0]]

    def tested(**params):
        return bough.DecisionTreeClassifier(**params).fit(twice, Y).tree_.feature[0]

    assert {tested(max_features=1.0, random_state=seed) for seed in range(20)} == {0, 1, 2}
    assert {tested(random_state=seed) for seed in range(5)} == {0}


def test_answers_have_the_type_of_predict():
    numbers = bough.DecisionTreeClassifier(max_depth=2).fit(X, Y + 3)
    assert numbers.explain(X, 5)["prediction"] == numbers.predict(X[5:6])[0]
    assert isinstance(numbers.explain(X, 5)["prediction"], int)
    truth = bough.DecisionTreeClassifier(max_depth=2).fit(X, Y > 0)
    assert truth.explain(X, 5)["prediction"] is bool(truth.predict(X[5:6])[0])
    values = bough.DecisionTreeRegressor(max_depth=2).fit(X, X[:, 1])
    assert values.explain(X, 5)["prediction"] == pytest.approx(values.predict(X[5:6])[0])


def test_a_counterfactual_row_can_be_predicted():
    frame = pd.DataFrame({"k": np.where(Y == 1, "yes", "no"), "x": X[:, 1]})
    target = ((frame["k"] == "yes") & (frame["x"] > 0)).astype(int)
    model = bough.DecisionTreeClassifier().fit(frame, target)
    row = int(np.flatnonzero((target == 0) & (frame["k"] == "yes"))[0])
    nearest = model.counterfactual(frame, row, fixed=["k"])
    assert model.predict(pd.DataFrame([nearest.cells], columns=frame.columns).infer_objects())[0] == 1
    assert nearest.cells[0] == "yes"
    assert isinstance(nearest.changes[0]["to"], float)


def test_studies_fit_what_is_not_fitted():
    tree = bough.DecisionTreeClassifier(max_depth=2)
    assert bough.stability(tree, X, Y, n_repeats=5).n_repeats == 5
    assert not hasattr(tree, "tree_")
    assert bough.leave_one_out(tree, X[:20], Y[:20]) is not None
    assert bough.permutation_test(tree, X, Y, n_repeats=5) is not None


def test_forests_have_what_ensembles_of_scikit_learn_have():
    forest = bough.RandomForestClassifier(3, random_state=0).fit(X, Y)
    assert isinstance(forest.estimator_, bough.DecisionTreeClassifier)
    assert "max_depth" in forest.estimator_params


def test_the_module_lists_its_own_names():
    assert {"Any", "TYPE_CHECKING", "import_module"}.isdisjoint(dir(bough))
    assert "DecisionTreeClassifier" in dir(bough)


def test_a_forgotten_y_is_said_of_fit():
    with pytest.raises(TypeError, match=r"^fit\(\) missing"):
        bough.DecisionTreeClassifier().fit(X)


def test_names_in_messages_are_plain_text():
    with pytest.raises(ValueError, match="names 'pclass'"):
        bough.DecisionTreeClassifier(categorical_features=np.array(["pclass"])).fit(
            pd.DataFrame(X, columns=list("abc")), Y
        )


def test_odd_categories_stay_on_their_line():
    frame = pd.DataFrame({"k": np.where(Y == 1, "a\nb", "")})
    text = bough.export_text(bough.DecisionTreeClassifier().fit(frame, Y))
    assert len(text.splitlines()) == 4
    assert "''" in text


def test_the_table_of_a_root_shows_its_complexity():
    # rpart 4.1.19: rpart(Species ~ ., iris, cp = 0.6)$cptable has CP 0.5.
    flowers, species = bough.datasets.load("iris", return_X_y=True)
    for cp, shown in ((0.9, 0.5), (0.6, 0.5), (1.0, 1.0)):
        tree = bough.DecisionTreeClassifier(
            min_samples_split=20, min_samples_leaf=7, pruning=bough.CostComplexity(cp=cp)
        ).fit(flowers, species)
        assert tree.get_n_leaves() == 1
        assert tree.cp_table_.cp.tolist() == [shown]

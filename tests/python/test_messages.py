# SPDX-License-Identifier: Apache-2.0
"""What Python says: its own names of parameters, rows counted from 0, nothing ignored without a word."""

import re
import warnings

import bough
import numpy as np
import pandas as pd
import pytest
import sklearn.tree
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


@pytest.mark.parametrize("cls", [bough.RandomForestClassifier, bough.ExtraTreesRegressor])
def test_too_many_trees_are_called_by_pythons_name(cls):
    with pytest.raises(ValueError, match="n_estimators must be"):
        cls(n_estimators=2**33).fit(X, Y)


@pytest.mark.parametrize("folds", [500, 2**40])
def test_folds_are_named_as_the_class_has_them(folds):
    with pytest.raises(ValueError, match=str(folds)) as caught:
        bough.TreeClassifier(pruning_folds=folds).fit(X, Y)
    assert "pruning_folds" in str(caught.value)
    assert "CostComplexity" not in str(caught.value)
    with pytest.raises(ValueError, match=r"CostComplexity\(folds="):
        bough.DecisionTreeClassifier(pruning=bough.CostComplexity(folds=folds)).fit(X, Y)


def test_a_large_work_limit_is_taken_as_it_is():
    model = bough.DecisionTreeClassifier(search="anytime", max_leaf_nodes=3, work_limit=2**40)
    model.fit(X[:20], Y[:20])
    assert '"work_limit":1099511627776' in model._model.params.replace(" ", "")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"interaction_cst": [1, 2]}, "interaction_cst is a list of groups"),
        ({"interaction_cst": ["x0"]}, "interaction_cst is a list of groups"),
        ({"loss_matrix": {}}, "loss_matrix is a square"),
        ({"categorical_features": {}}, "categorical_features must be a list"),
    ],
)
def test_values_of_the_wrong_shape_are_named(settings, words):
    with pytest.raises(ValueError, match=words):
        bough.DecisionTreeClassifier(**settings).fit(X, Y)


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT])
def test_a_missing_label_is_named_with_its_row(missing):
    labels = np.array(["a", "b"] * 40, dtype=object)
    labels[7] = missing
    for y in (labels, pd.Series(labels), np.column_stack([labels, labels])):
        with pytest.raises(ValueError, match=r"contains NaN(?s:.*)row 7 \(counted from 0\)"):
            bough.DecisionTreeClassifier().fit(X, y)
    strings = pd.Series(["a", "b"] * 40, dtype="string")
    strings[7] = pd.NA
    with pytest.raises(ValueError, match=r"row 7 \(counted from 0\)"):
        bough.DecisionTreeClassifier().fit(X, strings)


@pytest.mark.parametrize("dtype", ["int64", "uint64", "Int64"])
def test_whole_numbers_of_a_frame_that_doubles_cannot_tell_apart_are_told(dtype):
    frame = pd.DataFrame({"id": pd.Series([2**60, 2**60 + 1] * 20, dtype=dtype), "x": np.arange(40)})
    with pytest.warns(UserWarning, match=r"column 'id' holds whole numbers beyond 2\^53"):
        bough.DecisionTreeClassifier().fit(frame, [0, 1] * 20)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bough.DecisionTreeClassifier().fit(frame.astype({"id": "category"}), [0, 1] * 20)


def test_no_rows_to_predict_change_nothing_in_the_model():
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = bough.DecisionTreeClassifier().fit(frame, Y)
    with pytest.raises(ValueError, match="0 sample"):
        model.predict(frame[:0])
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    with pytest.raises(ValueError, match="same order"):
        model.predict(frame[["c", "b", "a"]])


MODEL = bough.DecisionTreeClassifier(max_depth=3).fit(X, Y)
IDLE = {
    "confidence_factor": lambda: bough.prune(MODEL, method="mdl", confidence_factor=0.1),
    "risk": lambda: bough.prune(MODEL, method="mdl", risk="error"),
    "measure": lambda: bough.prune(MODEL, alpha=0.01, measure="squared"),
    "leaf_values": lambda: bough.prune(MODEL, method="pessimistic", leaf_values="prune"),
    "sample_weight": lambda: bough.prune(MODEL, alpha=0.01, sample_weight=np.ones(80)),
    "y": lambda: bough.prune(MODEL, y=Y, alpha=0.01),
    "confidence": lambda: bough.rules(MODEL, confidence=0.1),
    "order": lambda: bough.rules(MODEL, order="nonsense"),
    "theory_weight": lambda: bough.rules(MODEL, theory_weight=5),
    "sample_weight ": lambda: bough.rules(MODEL, sample_weight=np.ones(80)),
    "folds": lambda: bough.permutation_test(MODEL, X, Y, score="training", folds=7, n_repeats=5),
    "folds ": lambda: bough.permutation_test(MODEL, X, Y, of="splits", folds=7, n_repeats=5),
    "max_depth": lambda: bough.permutation_test(MODEL, X, Y, max_depth=1, n_repeats=5),
    "sample_weight  ": lambda: bough.report(MODEL, sample_weight=np.ones(80)),
    "sample_weight_train": lambda: bough.report(MODEL, X, Y, sample_weight_train=np.ones(80)),
    "max_rows": lambda: bough.report(MODEL, max_rows=5),
    "repeats": lambda: bough.report(MODEL, X, repeats=3),
    "n_splits": lambda: bough.compare(MODEL, MODEL, X, Y, n_splits=3),
    "folds  ": lambda: clone(MODEL).fit(X, Y).cross_validate_cp(X, Y, groups=np.arange(80) % 4, folds=7),
    "folds   ": lambda: bough.cost_complexity_cv(MODEL, X, Y, fold_ids=np.arange(80) % 4, folds=7),
}


@pytest.mark.parametrize("name", IDLE)
def test_arguments_of_functions_that_do_nothing_are_refused(name):
    with pytest.raises(bough.BoughError, match=f"{name.strip()} does nothing"):
        IDLE[name]()


def test_every_row_is_counted_from_0():
    model = bough.HonestTreeClassifier(honest=bough.Honest(prior="ignore", min_rows=3), random_state=0)
    noisy = np.where(R.random(80) < 0.3, 1 - Y, Y)
    model.fit(X, noisy)
    first = int(np.flatnonzero(np.isnan(model.predict_proba(X)).any(axis=1))[0])
    for ask in (lambda: model.predict(X), lambda: model.calibrate(X, noisy)):
        with pytest.raises((NotImplementedError, ValueError), match=rf"row {first} \(counted from 0\)"):
            ask()
    with pytest.raises(ValueError, match=r"row 1 \(counted from 0\) holds -1"):
        bough.DecisionTreeClassifier(loss_matrix=[[0, 1], [-1, 0]]).fit(X, Y)


@pytest.mark.parametrize(
    "call",
    [
        lambda other: bough.evaluate(other, X, Y),
        lambda other: bough.compare(other, bough.DecisionTreeClassifier().fit(X, Y), X, Y),
        lambda other: bough.compare(bough.DecisionTreeClassifier().fit(X, Y), other, X, Y),
        lambda other: bough.stability(other, X, Y, n_repeats=2),
        lambda other: bough.prune(other, alpha=0.1),
        lambda other: bough.rules(other),
        lambda other: bough.summary(other),
        lambda other: bough.plot_cp(other),
        lambda other: bough.plot_pruning(other),
    ],
)
def test_what_takes_no_tree_of_scikit_learn_says_how_to_convert_it(call):
    other = sklearn.tree.DecisionTreeClassifier().fit(X, Y)
    with pytest.raises(TypeError, match=r"sklearn\.DecisionTreeClassifier is no tree.*from_sklearn"):
        call(other)


@pytest.mark.parametrize("plot", [bough.plot_cp, bough.plot_pruning])
def test_plots_of_one_tree_refuse_forests(plot):
    pytest.importorskip("matplotlib")
    with pytest.raises(bough.BoughError, match="3 trees, and one is needed"):
        plot(bough.RandomForestClassifier(n_estimators=3).fit(X, Y))


def test_a_node_that_is_not_there_is_named_by_its_number():
    with pytest.raises(bough.BoughError, match="there is no node 999: nodes are numbered from 0 to 2"):
        bough.cut_nodes(bough.DecisionTreeClassifier(max_depth=1).fit(X, Y), [999])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda tree, _: tree.reasons(X, output=1), "there is no output 1; the model has 1"),
        (lambda tree, _: tree.reasons(X, output=-1), "output must be a whole number of 0 or more, not -1"),
        (lambda tree, _: tree.reasons(X, most=-1), "most must be a whole number"),
        (lambda tree, _: tree.counterfactual(X, output=1), "there is no output 1; the model has 1"),
        (lambda tree, _: tree.counterfactual(X, fixed=[3]), "fixed holds 3, but there are 3 features"),
        (lambda tree, _: tree.counterfactual(X, increase="x7"), "increase names 'x7', which is no"),
        (lambda _, forest: forest.explain(X, tree=-1), "tree must be a whole number of 0 or more, not -1"),
        (lambda _, forest: forest.leaf_contributions("a"), "tree must be a whole number"),
        (lambda _, forest: forest.why_split(X, Y, tree=-1), "tree must be a whole number"),
        (lambda tree, _: tree.why_split(X, Y, max_points=-1), "max_points must be a whole number"),
        (lambda _, forest: bough.draw_tree(forest, tree=-1), "tree must be a whole number"),
        (lambda tree, _: bough.leave_one_out(tree, X, Y, max_trees=-1), "max_trees must be a whole number"),
    ],
)
def test_numbers_of_trees_outputs_and_features_are_checked(call, words):
    tree = bough.DecisionTreeClassifier(max_depth=2).fit(X, Y)
    with pytest.raises(bough.BoughError, match=words):
        call(tree, bough.RandomForestClassifier(n_estimators=2).fit(X, Y))


def test_one_feature_of_a_counterfactual_may_stand_alone():
    tree = bough.DecisionTreeClassifier(max_depth=2).fit(X, Y)
    for one in ("x0", 0):
        assert tree.counterfactual(X, fixed=one)["changes"] == tree.counterfactual(X, fixed=["x0"])["changes"]


def test_a_class_is_not_wanted_of_numbers():
    tree = bough.DecisionTreeRegressor(max_depth=2).fit(X, X[:, 0])
    with pytest.raises(bough.BoughError, match="wanted does nothing where numbers are predicted"):
        tree.counterfactual(X, wanted=1.0, at_least=0.5)


def test_forests_explain_with_answers_of_their_own_type():
    numbers = bough.RandomForestRegressor(n_estimators=2).fit(X, X[:, 0])
    assert numbers.explain(X, 5, tree=1)["prediction"] == pytest.approx(numbers[1].predict(X[5:6])[0])
    for labels in (Y, Y > 0, np.array(["no", "yes"])[Y]):
        forest = bough.RandomForestClassifier(n_estimators=1, bootstrap=False).fit(X, labels)
        assert forest.explain(X, 5)["prediction"] == forest.predict(X[5:6])[0]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"loss_matrix": [[0, 1]]}, r"loss_matrix has shape \(1, 2\); it needs a row and a column per class"),
        ({"loss_matrix": [[1, 1], [1, 0]]}, r"row 0 \(counted from 0\) charges right answers 1"),
        ({"loss_matrix": [[0, -1], [1, 0]]}, "holds -1; losses are 0 or more"),
        ({"column_costs": [1, -1, 1]}, "the cost of 'x1' is -1.0, but costs are numbers above 0"),
        ({"column_costs": {2: np.inf}}, "the cost of 'x2' is inf"),
    ],
)
def test_losses_and_costs_are_refused_in_pythons_terms(given, words):
    with pytest.raises(ValueError, match=words):
        bough.DecisionTreeClassifier(**given).fit(X, Y)


def test_files_have_paths(tmp_path):
    tree = bough.DecisionTreeClassifier().fit(X, Y)
    path = bytes(tmp_path / "tree.bough")
    tree.save(path)
    assert (bough.load(path).predict(X) == tree.predict(X)).all()
    for call in (bough.load, tree.save):
        with pytest.raises(TypeError, match="PathLike"):
            call(None)

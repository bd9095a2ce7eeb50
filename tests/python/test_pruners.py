# SPDX-License-Identifier: Apache-2.0
"""Pruning in Python: the parameters, bough.prune, the price by cross-validation, the preset of oneDAL."""

import pickle
from pathlib import Path

import bough
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.model_selection import GridSearchCV

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
ESTIMATORS = ["DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier", "ExtraTreeRegressor"]


def data_of(name):
    load = load_breast_cancer if "Classifier" in name else load_diabetes
    return load(return_X_y=True)


WAYS = ["cost_complexity", "reduced_error", "mdl", "critical_value"]


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("way", WAYS)
def test_every_estimator_prunes_while_it_fits(name, way):
    X, y = data_of(name)
    pruning = way
    if way == "critical_value":
        pruning = bough.CriticalValue(50.0 if "Regressor" in name else 0.01)
    estimator = getattr(bough, name)(random_state=3, pruning=pruning)
    assert clone(estimator).get_params() == estimator.get_params()
    fitted = estimator.fit(X, y)
    full = getattr(bough, name)(random_state=3).fit(X, y)
    assert 1 < fitted.get_n_leaves() < full.get_n_leaves()
    assert pickle.loads(pickle.dumps(fitted)).tree_.node_count == fitted.tree_.node_count
    assert hasattr(fitted, "pruning_table_") == (way == "cost_complexity")


def test_wrong_parameters_are_named():
    X, y = load_iris(return_X_y=True)
    for bad, word in [
        ({"pruning": "wishes"}, "pruning"),
        ({"pruning": bough.CostComplexity(folds=1)}, "'folds' parameter of CostComplexity"),
        ({"pruning": bough.ReducedError(0.0)}, "'fraction' parameter of ReducedError"),
        ({"pruning": bough.CriticalValue(0.0)}, r"^pruning=CriticalValue\(value=0\) would cut nothing"),
        ({"pruning": bough.TAO()}, "pruning"),
        ({"pruning": "mdl", "ccp_alpha": 0.1}, "ccp_alpha"),
        ({"ccp_alpha": -1.0}, "ccp_alpha"),
        ({"pruning": bough.CostComplexity(folds=151)}, "folds"),
    ]:
        with pytest.raises(ValueError, match=word):
            bough.DecisionTreeClassifier(**bad).fit(X, y)


def test_a_path_is_that_of_the_whole_tree():
    X, y = load_breast_cancer(return_X_y=True)
    plain = bough.DecisionTreeClassifier().cost_complexity_pruning_path(X, y)
    pruned = bough.DecisionTreeClassifier(pruning="reduced_error").cost_complexity_pruning_path(X, y)
    assert np.array_equal(plain.ccp_alphas, pruned.ccp_alphas)


def test_pruning_goes_through_a_grid_search():
    X, y = load_wine(return_X_y=True)
    grid = GridSearchCV(
        bough.DecisionTreeClassifier(), {"pruning": ["none", "mdl", "reduced_error"]}, cv=3
    ).fit(X, y)
    assert grid.best_score_ > 0.8


# ---------------------------------------------------------------- bough.prune
def halves(name):
    X, y = data_of(name)
    return X[::2], y[::2], X[1::2], y[1::2]


@pytest.mark.parametrize("name", ESTIMATORS[:2])
@pytest.mark.parametrize("leaf_values", ["train", "prune", "both"])
def test_reduced_error_lowers_the_error_on_the_rows_it_got(name, leaf_values):
    X, y, unseen, truth = halves(name)
    full = getattr(bough, name)().fit(X, y)
    pruned = bough.prune(full, unseen, truth, leaf_values=leaf_values)
    assert pruned is not full and full.get_n_leaves() > pruned.get_n_leaves()
    assert pruned.score(unseen, truth) > full.score(unseen, truth)
    again = bough.prune(pruned, unseen, truth, leaf_values=leaf_values)
    assert again.tree_.node_count == pruned.tree_.node_count
    if leaf_values == "both":
        return  # there twice the weight counts twice beside the training rows
    weighted = bough.prune(
        full, unseen, truth, leaf_values=leaf_values, sample_weight=np.full(len(truth), 2.0)
    )
    assert weighted.tree_.node_count == pruned.tree_.node_count


def test_labels_of_any_type_and_several_outputs():
    X, y, unseen, truth = halves("DecisionTreeClassifier")
    expected = bough.prune(bough.DecisionTreeClassifier().fit(X, y), unseen, truth).tree_.node_count
    for labels in (["bad", "good"], [2.0, 7.0], [False, True], [10**17, 10**17 + 1]):
        labels = np.asarray(labels)
        full = bough.DecisionTreeClassifier().fit(X, labels[y])
        assert bough.prune(full, unseen, labels[truth]).tree_.node_count == expected
    both = bough.DecisionTreeClassifier().fit(X, np.stack([y, 1 - y], axis=1))
    pruned = bough.prune(both, unseen, np.stack([truth, 1 - truth], axis=1))
    assert pruned.tree_.node_count == expected
    numbers = bough.DecisionTreeRegressor().fit(X, np.stack([y, -2.0 * y], axis=1))
    assert bough.prune(numbers, unseen, np.stack([truth, -2.0 * truth], axis=1)).tree_.node_count < (
        numbers.tree_.node_count
    )


def test_frames_with_categories_are_pruned_too():
    frame = pd.DataFrame({"c": list("abcdefgh") * 40, "x": np.arange(320) % 37})
    y = np.where((frame.c < "e") ^ (np.random.default_rng(0).random(320) < 0.2), "yes", "no")
    full = bough.DecisionTreeClassifier(category_split="equality").fit(frame[:200], y[:200])
    pruned = bough.prune(full, frame[200:], y[200:])
    assert pruned.get_n_leaves() < full.get_n_leaves()
    with pytest.raises(ValueError, match="feature names"):
        bough.prune(full, frame[200:].rename(columns={"c": "d"}), y[200:])
    with pytest.raises(ValueError, match="maybe"):
        bough.prune(full, frame[200:], np.where(y[200:] == "yes", "maybe", "no"))
    with pytest.raises(ValueError):
        bough.prune(full, frame[:0], y[:0])


def test_the_other_ways():
    X, y = load_breast_cancer(return_X_y=True)
    full = bough.DecisionTreeClassifier().fit(X, y)
    assert (
        bough.prune(full, alpha=0.01).tree_.node_count
        == bough.DecisionTreeClassifier(ccp_alpha=0.01).fit(X, y).tree_.node_count
    )
    assert bough.prune(full, alpha=0.01, risk="error").get_n_leaves() < full.get_n_leaves()
    assert bough.prune(full, critical_value=0.01).get_n_leaves() < full.get_n_leaves()
    assert bough.prune(full, method="mdl").get_n_leaves() < full.get_n_leaves()
    merged = bough.prune(full, method="simplify")
    assert np.array_equal(merged.predict(X), full.predict(X))
    for arguments, word in [
        ({}, "name a method"),
        ({"method": "luck"}, "luck"),
        ({"method": "mdl", "alpha": 1.0}, "cost_complexity"),
        ({"alpha": -1.0}, "alpha"),
        ({"alpha": 0.1, "risk": "luck"}, "luck"),
        ({"critical_value": -1.0}, "critical"),
        ({"method": "reduced_error"}, "X and y"),
        ({"X": X, "y": y, "leaf_values": "none"}, "leaf_values"),
    ]:
        with pytest.raises(ValueError, match=word):
            bough.prune(full, **arguments)
    saved = bough.prune(full, alpha=0.01)
    assert pickle.loads(pickle.dumps(saved)).get_n_leaves() == saved.get_n_leaves()


# ---------------------------------------------------------------- the price by cross-validation
def slow_choice(estimator, X, y, folds, alphas):
    """Mean errors when a tree is grown again for every fold and price."""
    errors = []
    for i, alpha in enumerate(alphas):
        mid = np.sqrt(alpha * alphas[i + 1]) if i + 1 < len(alphas) else 1e300
        wrong = 0.0
        for fold in np.unique(folds):
            out = folds == fold
            tree = clone(estimator).set_params(ccp_alpha=max(mid, 1e-300)).fit(X[~out], y[~out])
            answers = tree.predict(X[out])
            if isinstance(estimator, bough.DecisionTreeClassifier):
                wrong += (answers != y[out]).sum()
            else:
                wrong += ((answers - y[out]) ** 2).sum()
        errors.append(wrong / len(y))
    return np.array(errors)


def shared_set(file, target):
    if not (SHARED / file).is_file():
        pytest.skip(f"{SHARED / file} is not there")
    frame = pd.read_csv(SHARED / file, na_values=["?"]).dropna(subset=[target])
    X = frame.drop(columns=[target]).select_dtypes("number").to_numpy(dtype=float)
    return X, frame[target].to_numpy()


SETS = {
    "iris": lambda: load_iris(return_X_y=True),
    "wine": lambda: load_wine(return_X_y=True),
    "breast cancer": lambda: load_breast_cancer(return_X_y=True),
    "digits": lambda: load_digits(return_X_y=True),
    "diabetes": lambda: load_diabetes(return_X_y=True),
    "banknote": lambda: shared_set("banknote.csv", "class"),
    "balance": lambda: shared_set("balance_scale.csv", "class"),
    "penguins": lambda: shared_set("penguins.csv", "species"),
    "auto mpg": lambda: shared_set("auto_mpg.csv", "mpg"),
    "concrete": lambda: shared_set("concrete.csv", "ConcreteCompressiveStrength"),
    "red wine": lambda: shared_set("wine_quality_red.csv", "quality"),
}


@pytest.mark.parametrize("name", SETS)
def test_the_chosen_price_is_that_of_growing_again_for_every_price(name):
    X, y = SETS[name]()
    numbers = name in ("diabetes", "auto mpg", "concrete", "red wine")
    leaf = 1 if len(y) < 700 and not numbers else 10
    cls = bough.DecisionTreeRegressor if numbers else bough.DecisionTreeClassifier
    estimator = cls(min_samples_leaf=leaf)
    folds = np.random.default_rng(1).integers(0, 4, len(y))
    result = bough.cost_complexity_cv(estimator, X, y, fold_ids=folds)
    errors = slow_choice(estimator, X, y, folds, result.alphas)
    np.testing.assert_allclose(result.errors, errors, rtol=1e-10)
    best = np.flatnonzero(errors <= errors.min() * (1 + 1e-12))[-1]
    assert result.chosen == best
    assert result.estimator.get_n_leaves() == result.n_leaves[best]
    assert result.alpha == result.alphas[best] and result.folds == 4


def test_folds_of_every_kind_and_both_rules():
    X, y = load_wine(return_X_y=True)
    tree = bough.DecisionTreeClassifier(random_state=1)
    least = bough.cost_complexity_cv(tree, X, y)
    small = bough.cost_complexity_cv(tree, X, y, rule="one_se")
    assert least.folds == 10 and np.array_equal(least.errors, small.errors)
    assert small.estimator.get_n_leaves() <= least.estimator.get_n_leaves()
    assert not hasattr(tree, "tree_")
    fitted = bough.DecisionTreeClassifier(random_state=1, pruning="cost_complexity").fit(X, y)
    assert np.array_equal(fitted.pruning_table_.errors, least.errors)
    groups = np.array(["a", "b", "c", "d", "e"])[np.arange(len(y)) % 5]
    grouped = bough.cost_complexity_cv(tree, X, y, folds=3, groups=groups)
    times = pd.date_range("2020-01-01", periods=len(y))[::-1].to_numpy()
    ordered = bough.cost_complexity_cv(tree, X, y, folds=3, times=times)
    rows = bough.cost_complexity_cv(tree, X[::-1], y[::-1], folds=3, times="rows")
    assert np.array_equal(ordered.errors, rows.errors)
    assert grouped.folds == ordered.folds == 3
    risk = bough.cost_complexity_cv(tree, X, y, risk="error", sample_weight=np.ones(len(y)))
    assert risk.risk == "error"
    for arguments, word in [
        ({"groups": groups, "times": times}, "only one"),
        ({"groups": groups, "folds": 6}, "groups"),
        ({"fold_ids": np.zeros(len(y))}, "one fold"),
        ({"folds": 1000}, "1000 folds"),
        ({"times": "rows", "folds": 178}, "folds"),
        ({"rule": "luck"}, "'rule' parameter of CostComplexity"),
    ]:
        with pytest.raises(ValueError, match=word):
            bough.cost_complexity_cv(tree, X, y, **arguments)


def test_the_table_is_in_the_file_and_in_the_picture(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    X, y = load_diabetes(return_X_y=True)
    result = bough.cost_complexity_cv(bough.DecisionTreeRegressor(), X, y, folds=5)
    result.estimator.save(tmp_path / "m.bough")
    loaded = bough.load(tmp_path / "m.bough")
    assert np.array_equal(loaded.pruning_table_.standard_errors, result.standard_errors)
    assert loaded.pruning == bough.CostComplexity(folds=5)
    fig, ax = plt.subplots()
    assert result.plot(ax) is ax
    assert ax.get_xlabel() == "leaves" and "squared error" in ax.get_ylabel()
    assert bough.plot_pruning(loaded, ax) is ax
    assert "chosen tree" in [text.get_text() for text in ax.get_legend().get_texts()]
    plt.close(fig)


# ---------------------------------------------------------------- oneDAL
def onedal(part):
    path = SHARED / "onedal" / f"decision_tree_{part}.csv"
    if not path.is_file():
        pytest.skip(f"{path} is not there")
    table = np.loadtxt(path, delimiter=",")
    return table[:, :-1], table[:, -1]


def test_the_preset_of_onedal_answers_like_its_published_example():
    X, y = onedal("train")
    Xp, yp = onedal("prune")
    Xt, yt = onedal("test")
    params = bough.preset("onedal")
    assert params["criterion"] == "entropy" and params["pruning"] == bough.ReducedError(leaf_values="prune")
    full = bough.DecisionTreeClassifier(**{**params, "pruning": "none"}).fit(X, y.astype(int))
    pruned = bough.prune(full, Xp, yp.astype(int), leaf_values=params["pruning"].leaf_values)
    expected = np.loadtxt(SHARED / "onedal" / "expected_decision_tree_classification.csv")
    answers = pruned.predict(Xt)
    assert len(answers) == 4000
    assert (answers == expected).mean() >= 0.995
    assert (answers == yt).mean() >= 0.955


def test_the_preset_of_onedal_regresses_as_well_as_its_published_example():
    X, y = onedal("train")
    params = {**bough.preset("onedal", "regression"), "pruning": "none"}
    full = bough.DecisionTreeRegressor(min_samples_leaf=5, **params).fit(X, y)
    pruned = bough.prune(full, *onedal("prune"), leaf_values="prune")
    Xt, yt = onedal("test")
    assert ((pruned.predict(Xt) - yt) ** 2).mean() <= 0.405


def test_presets_are_known_by_name():
    with pytest.raises(ValueError, match="onedal"):
        bough.preset("weka")
    with pytest.raises(ValueError, match="task"):
        bough.preset("onedal", "auto")
    X, y = load_iris(return_X_y=True)
    assert bough.DecisionTreeClassifier(**bough.preset("onedal")).fit(X, y).score(X, y) > 0.9


def test_pessimistic_pruning_of_a_fitted_tree():
    X, y = bough.datasets.load("iris", return_X_y=True)
    full = bough.DecisionTreeClassifier().fit(X, y)
    less = bough.prune(full, method="pessimistic")
    least = bough.prune(full, method="pessimistic", confidence_factor=0.01)
    assert least.get_n_leaves() <= less.get_n_leaves() < full.get_n_leaves()
    with pytest.raises(ValueError, match="confidence"):
        bough.prune(full, method="pessimistic", confidence_factor=0.9)


def test_pictures_name_the_class_of_the_least_loss():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 3))
    y = (X[:, 0] + rng.normal(size=300) > 0.8).astype(int)
    tree = bough.DecisionTreeClassifier(loss_matrix=[[0, 1], [5, 0]], max_depth=3).fit(X, y)
    leaves = tree.apply(X)
    for leaf in np.unique(leaves):
        assert tree.classes_[tree.tree_.answer(leaf)] == tree.predict(X[leaves == leaf])[0]
    said = [line.split("class: ")[1] for line in bough.export_text(tree).splitlines() if "class: " in line]
    assert said == [str(tree.predict(X[leaves == leaf])[0]) for leaf in np.unique(leaves)]


def test_classics_choose_their_price_too():
    X, y = bough.datasets.load("iris", return_X_y=True)
    chosen = bough.cost_complexity_cv(bough.C45Classifier(), X, y, folds=5)
    full = bough.C45Classifier(pruning="none").fit(X, y)
    assert 1 < chosen.estimator.get_n_leaves() <= full.get_n_leaves()
    assert len(chosen.alphas) == len(chosen.errors) and chosen.n_leaves[0] <= full.get_n_leaves()

# SPDX-License-Identifier: Apache-2.0
"""Trees and forests of effects: arithmetic, arguments, scikit-learn's manners, files, intervals."""

import importlib.util
import json
import os
import pickle
import re
import subprocess
import sys
import warnings
import zlib
from pathlib import Path

import bough
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

SEED = int(os.environ.get("BOUGH_SEED", "20261115"))


def made(n=600, seed=SEED):
    """Effect 2 where the first column is above 0.5, else 0; treatment by lot."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 3))
    t = rng.integers(0, 2, n)
    tau = np.where(X[:, 0] > 0.5, 2.0, 0.0)
    return X, X[:, 1] + tau * t + 0.3 * rng.normal(size=n), t, tau


MODELS = [
    bough.CausalTree(min_samples_arm=10),
    bough.PropensityTree(min_samples_arm=10),
    bough.CausalForest(20, min_samples_arm=5),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_models_travel_and_answer_alike(model, tmp_path):
    X, y, t, _ = made()
    fitted = clone(model).fit(X, y, t)
    effect = fitted.effect(X)
    assert effect.shape == (600,)
    np.testing.assert_array_equal(fitted.predict(X), effect)
    control, treated = fitted.arm_means(X)
    np.testing.assert_allclose(treated - control, effect, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).effect(X), effect)
    for name in ("model.bough", "model.json"):
        fitted.save(tmp_path / name)
        loaded = bough.load(tmp_path / name)
        assert type(loaded) is type(model)
        assert loaded.get_params()["min_samples_arm"] == model.min_samples_arm
        np.testing.assert_array_equal(loaded.effect(X), effect)
        assert loaded.treatment_values_.tolist() == [0, 1]
    assert fitted.treatment_values_.tolist() == [0, 1]
    assert "effect" in fitted.export("text")
    if not isinstance(model, bough.CausalForest):
        assert fitted.explain(X, 0)["sentences"][-1].startswith("So the estimated effect is ")


def test_a_causal_tree_finds_the_effect_and_its_interval():
    X, y, t, tau = made(4000)
    tree = bough.CausalTree(max_depth=1, min_samples_arm=20).fit(X, y, t)
    assert tree.tree_.feature[0] == 0
    assert abs(tree.tree_.threshold[0] - 0.5) < 0.05
    low, high = tree.effect_interval(X, 0.9)
    wide_low, wide_high = tree.effect_interval(X, 0.99)
    assert (wide_low < low).all()
    assert (high < wide_high).all()
    assert np.mean(np.abs(tree.effect(X) - tau)) < 0.15
    error = tree.effect_error(X)
    assert ((high - low) / error > 2 * 1.64).all()


def test_leaves_answer_with_the_difference_of_their_arms():
    X, y, t, _ = made(400)
    tree = bough.PropensityTree(min_samples_arm=20).fit(X, y, t)
    leaf = tree.apply(X)
    for node in np.unique(leaf):
        here = leaf == node
        by_hand = y[here & (t == 1)].mean() - y[here & (t == 0)].mean()
        np.testing.assert_allclose(tree.effect(X[here]), by_hand, rtol=1e-12)
        assert (t[here] == 1).sum() >= 20
        assert (t[here] == 0).sum() >= 20


@pytest.mark.parametrize(
    ("values", "treated"),
    [((False, True), True), ((0, 1), 1), ((-1.0, 2.5), 2.5), (("a", "b"), "b")],
    ids=["bool", "int", "float", "text"],
)
def test_two_values_of_any_kind_are_a_treatment(values, treated):
    X, y, t, _ = made()
    column = np.asarray(values)[t]
    plain = bough.CausalTree().fit(X, y, t).effect(X)
    tree = bough.CausalTree().fit(X, y, column)
    np.testing.assert_array_equal(tree.effect(X), plain)
    assert tree.treatment_values_[1] == treated
    series = pd.Series(column, name="drug")
    assert bough.CausalTree().fit(X, y, series).tree_.model.treatment[0][0] == "drug"


def test_wrong_treatments_are_named():
    X, y, t, _ = made(60)
    with pytest.raises(ValueError, match="fit needs a treatment"):
        bough.CausalTree().fit(X, y)
    with pytest.raises(ValueError, match="must have two values, but has 3: 0, 1, 2"):
        bough.CausalTree().fit(X, y, np.arange(60) % 3)
    with pytest.raises(ValueError, match="is 1 in every row"):
        bough.CausalTree().fit(X, y, np.ones(60, dtype=int))
    with pytest.raises(ValueError, match="missing in 1 of 60 rows, first in row 3"):
        bough.CausalTree().fit(X, y, np.where(np.arange(60) == 3, np.nan, t))
    with pytest.raises(ValueError, match="missing in 1 of 60 rows, first in row 1"):
        bough.CausalTree().fit(X, y, [None if i == 1 else "ab"[v] for i, v in enumerate(t)])
    with pytest.raises(ValueError, match="59 values, but there are 60 rows"):
        bough.CausalTree().fit(X, y, t[1:])
    with pytest.raises(ValueError, match="leaves none to"):
        bough.CausalTree(honest=bough.Honest(0.01)).fit(X, y, t)
    with pytest.raises(NotFittedError):
        bough.CausalTree().effect(X)
    with pytest.raises(NotImplementedError, match="the same rows chose the splits"):
        bough.CausalTree(honest=False).fit(X, y, t).effect_interval(X)


def test_an_arm_with_too_few_rows_is_an_error_that_counts_them():
    X, y, t, _ = made()
    lonely = (np.arange(600) == 7).astype(int)
    for model in (bough.PropensityTree(), bough.CausalTree(), bough.CausalForest(4)):
        with pytest.raises(ValueError, match=r"arm '1' .* has 1 of 600 rows, fewer than min_samples_arm=5"):
            clone(model).fit(X, y, lonely)
    with pytest.raises(ValueError, match=r"arm '0' .* fewer than min_samples_arm=1000"):
        bough.PropensityTree(min_samples_arm=1000).fit(X, y, t)
    seven = (np.arange(600) < 7).astype(int)
    bough.PropensityTree().fit(X, y, seven)
    with pytest.raises(ValueError, match=r"7 rows, of which .* leaves 3 to .*, fewer than min_samples_arm=5"):
        bough.CausalTree().fit(X, y, seven)


def test_arms_that_a_column_tells_apart_are_noted():
    X, y, _, _ = made()
    t = (X[:, 1] > 0.3).astype(int)
    with pytest.warns(UserWarning, match="the arms do not overlap: x0 alone"):
        tree = bough.PropensityTree().fit(X[:, [1]], y, t)
    assert tree.get_n_leaves() == 1
    assert any("do not overlap" in note for note in tree.tree_.model.notes)
    holes = np.where(
        (X[:, [0, 1, 2]] > 0.8) & (t[:, None] == 1), np.nan, X
    )  # missing cells of the treated only
    with pytest.warns(UserWarning, match="do not overlap: x1 alone"):
        bough.PropensityTree().fit(holes, y, t)
    towns = pd.DataFrame(
        {"x": X[:, 0], "town": pd.Categorical(np.array(list("badc"))[t + 2 * (X[:, 0] > 0.5)])}
    )
    with pytest.warns(UserWarning, match="do not overlap: town alone"):
        bough.CausalTree().fit(towns, y, t)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        t[np.argmax(X[:, 1])] = 0  # one row is enough to overlap
        bough.PropensityTree().fit(X, y, t)
    # A name per row says nothing about the arms; that it may be an identifier is all there is to say.
    names = pd.DataFrame({"x": X[:, 0], "name": pd.Categorical([f"n{i}" for i in range(600)])})
    with pytest.warns(UserWarning) as noted:
        bough.PropensityTree().fit(names, y, t)
    (note,) = (str(one.message) for one in noted)
    assert note.startswith("column 'name' has 600 different values in 600 rows; if it is an identifier")


def test_nodes_say_what_their_effects_rest_on():
    X, y, t, _ = made()
    tree = bough.PropensityTree(min_samples_arm=20).fit(X, y, t)
    extras, leaf = tree.tree_.extras, tree.apply(X)
    for node in np.unique(leaf):
        for name, arm in (("treated", 1), ("control", 0)):
            there = y[(leaf == node) & (t == arm)]
            assert extras[f"{name}_rows"][node] == len(there)
            np.testing.assert_allclose(extras[f"{name}_mean"][node], there.mean())
            np.testing.assert_allclose(extras[f"{name}_error"][node], there.std(ddof=1) / np.sqrt(len(there)))
    honest = bough.CausalTree(min_samples_arm=20).fit(X, y, t).tree_
    gaps = honest.extras["treated_mean"] - honest.extras["control_mean"]
    np.testing.assert_allclose(honest.value[:, 0, 0], gaps, atol=1e-12)
    assert honest.extras["treated_rows"][0] + honest.extras["control_rows"][0] == honest.n_node_samples[0]


def test_missing_cells_categories_and_weights_go_in():
    X, y, t, _ = made(500)
    frame = pd.DataFrame(
        {"x": X[:, 0], "town": pd.Categorical(np.array(list("abcde"))[(X[:, 1] * 5).astype(int)])}
    )
    frame.loc[::7, "x"] = np.nan
    frame.loc[::11, "town"] = None
    weight = np.where(np.arange(500) % 5 == 0, 0.0, 1.0 + np.arange(500) % 3)
    tree = bough.CausalTree(min_samples_arm=10).fit(frame, y, t, sample_weight=weight)
    kept = weight > 0
    again = bough.CausalTree(min_samples_arm=10).fit(
        frame[kept], y[kept], t[kept], sample_weight=weight[kept]
    )
    assert tree.get_n_leaves() > 1
    assert np.isfinite(tree.effect(frame)).all()
    assert np.isfinite(again.effect(frame)).all()


def test_the_forest_is_the_mean_of_its_trees_and_knows_its_errors():
    X, y, t, tau = made(1000)
    forest = bough.CausalForest(60, min_samples_arm=5, random_state=3).fit(X, y, t)
    each = np.array([tree.effect(X) for tree in forest.estimators_])
    assert len(each) == 60
    np.testing.assert_allclose(forest.effect(X), each.mean(axis=0), atol=1e-12)
    assert np.sqrt(np.mean((forest.effect(X) - tau) ** 2)) < 0.6
    low, high = forest.effect_interval(X)
    assert (low < forest.effect(X)).all()
    assert (forest.effect(X) < high).all()
    np.testing.assert_allclose(high - low, 2 * 1.6448536269514722 * forest.effect_error(X))
    assert forest.feature_importances_.argmax() == 0
    same = bough.CausalForest(60, min_samples_arm=5, random_state=3, n_jobs=2).fit(X, y, t)
    np.testing.assert_array_equal(same.effect(X), forest.effect(X))


def test_centering_takes_off_what_both_arms_share():
    rng = np.random.default_rng(SEED)
    X = rng.normal(size=(1500, 4))
    t = (rng.random(1500) < 1 / (1 + np.exp(-2 * X[:, 0]))).astype(
        int
    )  # the treated have a high first column .
    y = 5 * X[:, 0] + 1.0 * t + 0.5 * rng.normal(size=1500)  # ... and so a high y; the effect is 1
    plain, centred = (
        bough.CausalForest(100, center=center, random_state=1).fit(X, y, t).effect(X).mean()
        for center in (False, True)
    )
    assert abs(centred - 1) < 0.5 * abs(plain - 1)


def test_pruning_is_by_what_splits_gain():
    X, y, t, _ = made(1000)
    tree = bough.CausalTree(honest=False, min_samples_arm=20)
    path = tree.cost_complexity_pruning_path(X, y, t)
    assert (np.diff(path.ccp_alphas) >= 0).all()
    whole = clone(tree).fit(X, y, t).get_n_leaves()
    cut = clone(tree).set_params(ccp_alpha=float(path.ccp_alphas[-2])).fit(X, y, t).get_n_leaves()
    assert 1 < cut < whole


def by_lot(X):
    """Who is treated: by the cells of the row, so that a row twice is treated twice; else every other row."""
    cells = np.asarray(X.toarray() if sparse.issparse(X) else X, dtype=object)
    lot = np.array([zlib.crc32(str(row).encode()) % 2 for row in cells], dtype=int)
    return lot if len(set(lot)) == 2 else np.arange(len(lot)) % 2


class ByLot(bough.CausalTree):
    """scikit-learn's checks call fit(X, y): here the rows themselves say who is treated."""

    def fit(self, X, y, sample_weight=None):
        return super().fit(X, y, by_lot(X), sample_weight)


_EXPECTED = {
    "check_fit2d_1sample": "one row has one arm",
}


@parametrize_with_checks([ByLot(min_samples_arm=1, honest=False)], expected_failed_checks=lambda _: _EXPECTED)
def test_scikit_learns_checks_pass_once_the_treatment_is_given(estimator, check):
    check(estimator)


def test_the_command_line_trains_predicts_and_says_what_it_is(tmp_path):
    X, y, t, _ = made(400)
    frame = pd.DataFrame(X, columns=list("abc")).assign(y=y, drug=np.array(["no", "yes"])[t])
    frame.to_csv(tmp_path / "trial.csv", index=False)

    def run(*arguments):
        done = subprocess.run(
            [sys.executable, "-m", "bough", *map(str, arguments)],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    wish = ["--target", "y", "--treatment", "drug", "--honest", "--min-samples-arm", "10"]
    said = run("train", "trial.csv", *wish, "-o", "m.bough")
    assert "effect of drug (yes against no) on y" in said
    rows = run("predict", "m.bough", "trial.csv", "--interval", "0.9").splitlines()
    assert rows[0] == "effect,effect_low,effect_high"
    low, high = bough.load(tmp_path / "m.bough").effect_interval(frame[list("abc")])
    got = np.array([[float(cell) for cell in row.split(",")] for row in rows[1:]])
    np.testing.assert_array_equal(got[:, 1], low)
    np.testing.assert_array_equal(got[:, 2], high)
    assert json.loads(run("info", "m.bough", "--json"))["treatment"]["columns"][0]["name"] == "drug"


@pytest.mark.long
@pytest.mark.parametrize("data", ["step", "smooth", "skewed", "none", "categories"])
@pytest.mark.parametrize("kind", ["causal tree", "propensity tree"])
def test_intervals_cover_the_average_effect_of_a_leaf(data, kind):
    """Of 90 % intervals, 1,000 samples, at least 88 % hold the truth (bench/causal_table.py draws)."""
    place = Path(__file__).parents[2] / "bench" / "causal_table.py"
    spec = importlib.util.spec_from_file_location("causal_table", place)
    table = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(table)
    make, tree = table.SETS[data], table.TREES[kind]
    found = [table.covered(make, tree, SEED + i, 1000, 20000)[0] for i in range(1000)]
    print(f"{data}, {kind}: {100 * np.mean(found):.1f} %")
    assert np.mean(found) >= 0.88


def test_explanations_and_rules_speak_of_the_effect():
    X, y, t, _ = made()
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    y, t = pd.Series(y, name="wage"), pd.Series(t, name="course")
    model = bough.CausalTree(max_depth=2, honest=False, min_samples_arm=10).fit(frame, y, t)
    effect = float(model.predict(frame)[0])
    first = model.reasons(frame, 0)["sentences"][0]
    assert re.fullmatch(r"The effect of \S+ on \S+ is .*; over all training rows it is .*\.", first)
    assert model.explain(frame, 0)["sentences"][-1].startswith("So the estimated effect is")
    leaf = bough.CausalTree(max_depth=1, min_samples_leaf=600, honest=False).fit(frame, y, t)
    assert leaf.explain(frame, 0)["sentences"][0].endswith("every row gets the same effect.")
    near = model.counterfactual(frame, 0, at_most=effect - 0.1)
    assert near["sentences"][0].startswith("The estimated effect is")
    rules = bough.rules(model)
    text = str(rules)
    assert "then effect " in text
    assert re.search(r"effect of \S+ on \S+; counts from 600 rows", text)
    # No row shows its effect: how far y lies from it says nothing.
    measured = rules.measure(frame, y)
    assert all(rule.spread is None for rule in measured)
    assert "spread" not in str(measured)


def test_rparts_forms_are_refused_for_effects():
    X, y, t, _ = made()
    model = bough.CausalTree(max_depth=2, honest=False, min_samples_arm=10).fit(X, y, t)
    for ask in (bough.rpart_text, bough.summary, lambda m: bough.prune_cp(m, 0.1)):
        with pytest.raises(NotImplementedError, match=r"effect|treatment"):
            ask(model)
    # An attribute that is not there, so that dir() and notebooks go on.
    with pytest.raises(AttributeError, match="a cp table is not for models of a treatment"):
        _ = model.cp_table_


def test_dir_of_a_fitted_tree_of_effects_lists_what_it_has():
    X, y, t, _ = made()
    model = bough.CausalTree(max_depth=2, honest=False, min_samples_arm=10).fit(X, y, t)
    assert "effect" in dir(model)
    assert "cp_table_" not in dir(model)


@pytest.mark.parametrize("kind", [">i4", ">f8"])
def test_a_treatment_of_foreign_byte_order_is_read(kind):
    X, y, t, _ = made()
    plain, foreign = (bough.CausalTree(max_depth=2).fit(X, y, given) for given in (t, t.astype(kind)))
    assert foreign.effect(X).tolist() == plain.effect(X).tolist()

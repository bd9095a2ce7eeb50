# SPDX-License-Identifier: Apache-2.0
"""Models as treelite checkpoints, run by treelite's own engine (GTIL)."""

import bough
import numpy as np
import pytest
from exports import models
from exports.trained import trained_cases

treelite = pytest.importorskip("treelite")


def load(case):
    return treelite.Model.deserialize_bytes(case.model.export("treelite"))


def answers(case, model, cells):
    """Values or class shares as bough gives them: sums of shares are divided by their sum."""
    out = treelite.gtil.predict(model, cells, nthread=1)
    out = out.reshape(len(cells), len(case.targets), -1)
    if case.task == "regression":
        return out[:, :, 0]
    shares = [out[:, o, : len(t["levels"]["names"])] for o, t in enumerate(case.targets)]
    if case.combine != "mean":
        return shares
    return [share / np.cumsum(share, axis=1)[:, -1:] for share in shares]


def check(case, n=150, rows=None):
    rows = rows or case.probes(n)
    judge = case.judge(rows)
    cells = case.codes(rows)
    model = load(case)
    origins = model.attributes["nodes"]
    leaves = treelite.gtil.predict_leaf(model, cells, nthread=1).astype(int)
    for tree, nodes in enumerate(origins):
        assert np.array_equal(np.array(nodes)[leaves[:, tree]], judge.leaves[tree]), case
    got = answers(case, model, cells)
    if case.task == "regression":
        assert got.tobytes() == (judge.values + 0.0).tobytes(), case  # GTIL adds leaves to 0.0: no -0.0
        return
    for mine, his in zip(judge.shares, got, strict=True):
        assert np.ascontiguousarray(his).tobytes() == mine.tobytes(), case


def test_random_models_answer_the_same(capsys):
    for case in models.cases(2, missing=("child", "stops")):
        check(case)
    with capsys.disabled():
        print(f" [treelite {treelite.__version__}]", end="")


def test_plain_trees_keep_the_ids_of_their_nodes():
    case = models.random_case("ids", kinds=("numeric", "subset"), leaves=40)
    model = load(case)
    assert model.attributes["nodes"] == [list(range(len(case.trees[0][1])))]


def test_trees_that_divided_no_row_in_training_answer_whole_rows_the_same():
    for round_ in range(4):
        case = models.random_case(f"whole {round_}", missing=("by_share",), leaves=30)
        rows = case.whole_probes(400)
        assert len(rows[0]) > 20
        check(case, rows=rows)


@pytest.mark.parametrize("format_", ["onnx", "pmml", "treelite"])
def test_a_trained_tree_that_divided_rows_is_refused_and_another_noted(format_):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = X[:, 0] + X[:, 1] > 0
    with pytest.warns(UserWarning, match=f"{format_}: rows with missing cells go to the branch of most"):
        assert bough.C45Classifier().fit(X, y).export(format_)
    X[rng.random(X.shape) < 0.1] = np.nan
    with pytest.raises(NotImplementedError, match=r"node 0 of tree 0.* by share"):
        bough.C45Classifier().fit(X, y).export(format_)


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"kinds": ("oblique",)}, "oblique"),
        ({"missing": ("by_share",), "divided": True}, "by share"),
        ({"missing": ("surrogate",), "kinds": ("numeric",), "leaves": 30}, "surrogate"),
    ],
)
def test_what_treelite_cannot_say_is_refused_by_name(wish, words):
    case = models.random_case("refused", **wish)
    with pytest.raises(Exception, match=rf"treelite cannot say node \d+ of tree 0.*{words}"):
        case.model.export("treelite")


@pytest.mark.long
def test_many_random_models_answer_the_same():
    for case in models.cases(30, missing=("child", "stops")):
        check(case, 300)


@pytest.mark.long
def test_models_of_real_data_answer_the_same():
    for case, rows in trained_cases():
        check(case, rows=rows)


def test_estimators_give_a_treelite_model():
    X = np.random.default_rng(models.SEED).normal(size=(200, 3))
    tree = bough.DecisionTreeRegressor(max_leaf_nodes=9).fit(X, X[:, 0] - X[:, 1])
    assert np.array_equal(treelite.gtil.predict(tree.to_treelite(), X).ravel(), tree.predict(X))

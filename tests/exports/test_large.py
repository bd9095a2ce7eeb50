# SPDX-License-Identifier: Apache-2.0
"""Trees of 200,000 nodes and 100,000 levels: written, read by the engines, and answered the same."""

import bough
import numpy as np
import pandas as pd
import pytest
from exports import models, test_onnx, test_sql
from exports.sql_engines import Sqlite

treelite = pytest.importorskip("treelite")


@pytest.mark.long
def test_a_bushy_tree_of_many_nodes_answers_the_same():
    case = models.random_case("bushy", leaves=110_000, outputs=(2,))
    assert len(case.trees[0][1]) > 180_000
    rows = case.probes(200)
    judge = case.judge(rows)
    for opset in ("5", "3"):
        test_onnx.compare(case, judge, test_onnx.run(case.model.export("onnx", {"opset": opset}), case, rows))
    model = treelite.Model.deserialize_bytes(case.model.export("treelite"))
    leaves = treelite.gtil.predict_leaf(model, case.codes(rows)).astype(int)[:, 0]
    assert np.array_equal(np.array(model.attributes["nodes"][0])[leaves], judge.leaves[0])
    engine = Sqlite()
    engine.load(case, rows)
    engine.script(case.model.export("sql", {"dialect": "sqlite", "as": "view", "what": "all"}))
    test_sql.compare(case, judge, engine.ask("SELECT * FROM predictions"), "all")


@pytest.mark.long
def test_a_chain_of_many_levels_is_written():
    case = models.random_case("chain", kinds=("numeric",), chain=True, leaves=100_000, outputs=(2,))
    for format_, options in (
        ("treelite", {}),
        ("sql", {}),
        ("json", {}),
    ):
        assert len(case.model.export(format_, options)) > 1_000_000
    with pytest.raises(Exception, match=r"cannot be one SQL expression: it is 99999 levels deep"):
        case.model.export("sql", {"as": "expression"})
    # onnxruntime 1.31 died of its own recursion at 11,300 levels on a stack of 8 MiB.
    for opset in ("5", "3"):
        with pytest.raises(Exception, match=r"tree 0 is 99999 levels deep in ONNX"):
            case.model.export("onnx", {"opset": opset})


def test_the_deepest_chain_that_onnx_takes_is_answered():
    case = models.random_case("deepest", kinds=("numeric",), chain=True, leaves=4001, outputs=(2,))
    rows = case.probes(20)
    judge = case.judge(rows)
    for opset in ("5", "3"):
        test_onnx.compare(case, judge, test_onnx.run(case.model.export("onnx", {"opset": opset}), case, rows))


@pytest.mark.long
def test_rules_of_many_sums_and_sets_of_many_categories_are_refused():
    sums = models.random_case("sums", kinds=("oblique",), chain=True, leaves=9000, outputs=(2,))
    with pytest.raises(Exception, match=r"the rules of this tree, 8999 levels deep, would have more than"):
        sums.model.export("rules", {})
    n = 17_000
    frame = pd.DataFrame({"c": pd.Categorical([f"{i:05d}" for i in range(n)])})
    sets = bough.DecisionTreeClassifier(category_split="equality").fit(frame, np.arange(n) % 2)
    assert sets.get_depth() == n // 2
    for format_ in ("sql", "treelite"):
        with pytest.raises(NotImplementedError, match="entries for the sets of categories"):
            sets.export(format_)
    assert len(sets.export("c")) < 1_000_000

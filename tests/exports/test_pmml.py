# SPDX-License-Identifier: Apache-2.0
"""PMML read and evaluated by jpmml-evaluator on Java, and compared with the model."""

import math
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from exports.models import ALL_KINDS, SETS, Wish, cases, random_case, trained

NAMESPACE = "{http://www.dmg.org/PMML-4_4}"
WAYS = ("child", "stops", "surrogate", "surrogate_or_stops")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def models(rounds):
    for case in cases(rounds, kinds=ALL_KINDS):
        yield legal(case)
    for round_ in range(rounds):
        for task, outputs in (("classification", (3,)), ("regression", (1,)), ("classification", (2, 3))):
            yield random_case(f"ways {round_}", Wish(ALL_KINDS, WAYS, task=task, outputs=outputs, leaves=25))
        losses = {"loss_matrix": [[0, 1, 4], [2, 0, 1], [1, 8, 0]]}
        yield random_case(f"losses {round_}", Wish(ALL_KINDS, WAYS, params=losses))


def legal(case):
    """The case without control signs in its names, which XML has no form for."""
    for spec in [*case.features, *case.targets]:
        spec["name"] = CONTROL.sub("", spec["name"])
        if "levels" in spec:
            spec["levels"]["names"] = [CONTROL.sub("", name) for name in spec["levels"]["names"]]
    return case


def test_pmml_is_well_formed_and_holds_every_node():
    for case in models(1):
        root = ET.fromstring(case.model.export("pmml"))
        nodes = sum(len(nodes) for _, nodes in case.trees) * len(case.targets)
        assert len(root.findall(f".//{NAMESPACE}Node")) == nodes, case
        names = [field.get("name") for field in root.find(f"{NAMESPACE}DataDictionary")]
        assert names == [spec["name"] for spec in [*case.features, *case.targets]]


def test_what_pmml_cannot_hold_is_refused_by_name():
    with pytest.raises(NotImplementedError, match="node 0 of tree 0 divides rows"):
        random_case("shares", missing=("by_share",), divided=True).model.export("pmml")
    with pytest.raises(NotImplementedError, match=r"tab\\tand\\u0001bell"):
        random_case("control", hostile=True).model.export("pmml")
    losses = {"loss_matrix": [[0, 1], [2, 0]]}
    with pytest.raises(NotImplementedError, match="losses"):
        random_case("losses", combine="mean", trees=2, outputs=(2,), params=losses).model.export("pmml")
    deep = random_case("deep", leaves=1200, chain=True, kinds=("numeric",))
    with pytest.raises(NotImplementedError, match="levels deep"):
        deep.model.export("pmml")


# ---------------------------------------------------------------- Java
class Engine:
    def __init__(self, folder):
        self.folder, self.count = folder, 0
        self.jpmml = pytest.importorskip("jpmml_evaluator")
        pytest.importorskip("jpype")
        self.backend = self.jpmml.make_backend("jpype")
        java = self.backend.staticInvoke("java.lang.System", "getProperty", "java.version")
        print(f"jpmml-evaluator {self.jpmml.__version__} on Java {java}")

    def load(self, text):
        self.count += 1
        path = self.folder / f"{self.count}.pmml"
        path.write_text(text, encoding="utf-8")
        return self.jpmml.make_evaluator(str(path), backend=self.backend)

    def run(self, text, frame):
        """One dict of results per row."""
        evaluator = self.load(text)
        rows = frame.to_dict("records")
        return [evaluator.evaluate(row, nan_as_missing=True) for row in rows]


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    return Engine(tmp_path_factory.mktemp("pmml"))


def frame_of(case, rows):
    import pandas as pd

    columns = {}
    for spec, cells in zip(case.features, rows, strict=True):
        if "levels" in spec and spec["levels"]["type"] == "boolean":
            cells = [None if math.isnan(cell) else bool(cell) for cell in cells]
        columns[spec["name"]] = pd.Series(list(cells), dtype=object)
    return pd.DataFrame(columns)


def check(engine, case, n):
    rows = case.probes(n)
    judge = case.judge(rows)
    frame = frame_of(case, rows)
    results = engine.run(case.model.export("pmml"), frame)
    for k, spec in enumerate(case.targets):
        prefix = "answer" if len(case.targets) == 1 else f"answer_{k + 1}"
        answers = [result[prefix] for result in results]
        if case.task == "regression":
            np.testing.assert_array_equal(answers, judge.values[:, k], err_msg=str(case))
        else:
            wanted = [spec["levels"]["names"][code] for code in judge.values[:, k]]
            width = len(spec["levels"]["names"])
            shares = [[result[f"{prefix}_share_{c + 1}"] for c in range(width)] for result in results]
            # A forest's shares are divided by the number of trees there, by their sum here.
            tolerance = 0.0 if case.combine == "single" else 1e-15
            np.testing.assert_allclose(
                shares, judge.shares[k], rtol=tolerance, atol=tolerance, err_msg=str(case)
            )
            assert answers == wanted, case
        if case.combine == "single":
            nodes = [int(result[f"{prefix}_node"]) for result in results]
            np.testing.assert_array_equal(nodes, judge.leaves[0], err_msg=str(case))


@pytest.mark.long
def test_random_models_answer_alike_on_java(engine):
    for case in models(5):
        check(engine, case, 150)


@pytest.mark.long
def test_a_deep_tree_is_read_on_java(engine):
    check(engine, random_case("deep", leaves=900, chain=True, kinds=("numeric",)), 100)


@pytest.mark.long
@pytest.mark.parametrize("name", SETS)
def test_trained_models_answer_alike_on_java(engine, name):
    estimator, frame = trained(name, SETS[name], max_depth=8)
    rows = frame.iloc[:300]
    plain = rows.astype(object).where(rows.notna(), None)
    results = engine.run(estimator.export("pmml"), plain)
    np.testing.assert_array_equal([int(r["answer_node"]) for r in results], estimator.apply(rows))
    wanted = estimator.predict(rows)
    answers = [r["answer"] for r in results]
    assert [str(a) for a in answers] == [str(w) for w in wanted] or answers == list(wanted)

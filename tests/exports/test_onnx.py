# SPDX-License-Identifier: Apache-2.0
"""Models as ONNX, run by onnxruntime and checked by onnx."""

import json

import numpy as np
import pytest
import support
from exports import models
from exports.models import ALL_KINDS, PLAIN_KINDS, is_text
from exports.trained import trained_cases
from support import ROOT

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")


def feeds(case, rows, session_inputs):
    """Rows as the inputs of an exported model."""
    number = np.float32 if case.float32 else np.float64
    if [name for name, _ in session_inputs] == ["X"]:
        kind = np.float32 if session_inputs[0][1] == "tensor(float)" else np.float64
        return {"X": np.column_stack(rows).astype(kind)}
    out = {}
    for spec, cells, (name, kind) in zip(case.features, rows, session_inputs, strict=True):
        if is_text(spec):
            out[name] = np.array(["" if c is None else c for c in cells], dtype=object).reshape(-1, 1)
        else:
            kind = number if kind == "tensor(float)" else np.float64
            out[name] = np.asarray(cells, dtype=kind).reshape(-1, 1)
    return out


def run(data, case, rows, threads=1):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    inputs = feeds(case, rows, [(i.name, i.type) for i in session.get_inputs()])
    names = [o.name for o in session.get_outputs()]
    return dict(zip(names, session.run(None, inputs), strict=True))


def compare(case, judge, out):
    """The same leaves, the same bits, the same labels."""
    for tree, leaves in enumerate(judge.leaves):
        assert np.array_equal(out["leaf"][:, tree], leaves), case
    if case.task == "regression":
        assert out["value"].tobytes() == judge.values.tobytes(), case
        return
    for o, target in enumerate(case.targets):
        suffix = "" if len(case.targets) == 1 else f"_{o}"
        assert out["probabilities" + suffix].tobytes() == judge.shares[o].tobytes(), case
        levels = target["levels"]
        names = levels["names"] if levels["type"] == "text" else [int(v) for v in levels["numbers"]]
        assert list(out["label" + suffix]) == [names[c] for c in judge.values[:, o]], case


def check(case, n=120, rows=None, **options):
    rows = rows or case.probes(n)
    data = case.model.export("onnx", {k: str(v).lower() for k, v in options.items()})
    onnx.checker.check_model(onnx.load_model_from_string(data), full_check=True)
    compare(case, case.judge(rows), run(data, case, rows))


@pytest.mark.parametrize("opset", [5, 3])
def test_random_models_answer_the_same(opset, capsys):
    for case in models.cases(1, kinds=ALL_KINDS, missing=("child", "stops")):
        check(case, opset=opset)
    with capsys.disabled():
        print(f" [onnxruntime {onnxruntime.__version__}, ai.onnx.ml {opset}]", end="")


def test_float32_rows_answer_the_same_in_the_oldest_operator():
    for case in models.cases(1, kinds=PLAIN_KINDS, missing=("child", "stops"), float32=True):
        check(case, opset=2)


def test_float32_rows_answer_the_same_where_numbers_come_as_float32():
    for case in models.cases(1, kinds=ALL_KINDS, missing=("child",), float32=True):
        check(case, opset=5, float32=True)


def test_thresholds_are_rounded_down_to_float32_for_the_oldest_operator():
    """Doubles as thresholds, float32 as cells: the float32 neighbours of every threshold go the same way."""
    case = models.random_case("doubles", kinds=("numeric", "interval"), leaves=40, matrix=True)
    rows = [np.asarray(cells, dtype=np.float32).astype(np.float64) for cells in case.probes(400)]
    data = case.model.export("onnx", {"opset": "2"})
    compare(case, case.judge(rows), run(data, case, rows))


@pytest.mark.parametrize(
    ("wish", "options", "words"),
    [
        ({"kinds": ("oblique",)}, {"opset": "2"}, r"node \d+ of tree 0: it tests a sum"),
        (
            {"missing": ("by_share",), "divided": True},
            {},
            r"node \d+ of tree 0: its missing cells go to all children by share",
        ),
        ({"missing": ("surrogate",), "kinds": ("numeric",), "leaves": 30}, {}, "surrogate"),
        ({}, {"opset": "4"}, "opset 4"),
        (
            {"combine": "mean", "trees": 2, "params": {"loss_matrix": [[0, 1, 2], [1, 0, 1], [1, 1, 0]]}},
            {},
            "loss matrix",
        ),
    ],
)
def test_what_onnx_cannot_say_is_refused_by_name(wish, options, words):
    case = models.random_case("refused", **wish)
    with pytest.raises(Exception, match=words):
        case.model.export("onnx", options)


@pytest.mark.filterwarnings("ignore:onnx. rows with missing cells:UserWarning")
def test_trees_that_divided_no_row_in_training_answer_whole_rows_the_same():
    for round_ in range(4):
        case = models.random_case(f"whole {round_}", missing=("by_share",), leaves=30)
        rows = case.whole_probes(400)
        assert len(rows[0]) > 20
        check(case, rows=rows)


def test_losses_choose_the_label_of_a_tree():
    losses = [[0, 9, 1], [1, 0, 1], [5, 1, 0]]
    check(models.random_case("losses", leaves=30, params={"loss_matrix": losses}))


def test_several_threads_and_many_trees_change_no_bit():
    case = models.random_case(
        "threads", combine="mean", trees=100, task="regression", leaves=6, outputs=(1, 1)
    )
    rows = case.probes(300)
    data = case.model.export("onnx")
    judge = case.judge(rows)
    compare(case, judge, run(data, case, rows, threads=2))
    one = [cells[:1] for cells in rows]
    assert run(data, case, one, threads=2)["value"].tobytes() == judge.values[:1].tobytes()


def test_the_reference_implementation_of_onnx_agrees():
    from onnx.reference import ReferenceEvaluator

    for seed in range(3):
        case = models.random_case(
            f"reference {seed}", kinds=("numeric", "interval"), matrix=True, outputs=(2, 3)
        )
        rows = case.probes(60)
        data = case.model.export("onnx")
        evaluator = ReferenceEvaluator(onnx.load_model_from_string(data))
        values = evaluator.run(None, {"X": np.column_stack(rows)})
        compare(case, case.judge(rows), dict(zip(evaluator.output_names, values, strict=True)))


@pytest.mark.long
def test_many_random_models_answer_the_same():
    for case in models.cases(12, kinds=ALL_KINDS, missing=("child", "stops")):
        for opset in (5, 3):
            check(case, 250, opset=opset)
    for case in models.cases(6, missing=("child", "stops"), float32=True):
        check(case, 250, opset=2)


@pytest.mark.long
def test_models_of_real_data_answer_the_same():
    for case, rows in trained_cases():
        for opset in (5, 3):
            check(case, rows=rows, opset=opset)


@pytest.mark.long
@pytest.mark.parametrize(("folder", "opsets"), [("ort16", (3, 2)), ("ort23", (5, 3, 2))])
def test_older_engines_answer_the_same(folder, opsets, tmp_path, capsys):
    python = ROOT / "tests/exports" / f".venv-{folder}" / "bin/python"
    if not python.is_file():
        pytest.skip(f"no older onnxruntime: tools/setup.sh {folder}")
    kept = []
    for opset in opsets:
        kinds = ALL_KINDS if opset > 2 else PLAIN_KINDS
        for case in models.cases(3, kinds=kinds, missing=("child", "stops"), float32=opset == 2):
            rows = case.probes(200)
            name = f"{len(kept):04d}"
            data = case.model.export("onnx", {"opset": str(opset)})
            (tmp_path / f"{name}.onnx").write_bytes(data)
            graph = onnx.load_model_from_string(data).graph
            kinds_of = {1: "tensor(float)", 11: "tensor(double)", 8: "tensor(string)"}
            inputs = [(i.name, kinds_of[i.type.tensor_type.elem_type]) for i in graph.input]
            for number, cells in enumerate(feeds(case, rows, inputs).values()):
                if cells.dtype == object:
                    (tmp_path / f"{name}.{number}.json").write_text(json.dumps(cells.ravel().tolist()))
                else:
                    np.save(tmp_path / f"{name}.{number}.npy", cells)
            kept.append((name, case, case.judge(rows), [o.name for o in graph.output]))
    version = support.run(python, ROOT / "tests/exports/onnx_side.py", tmp_path).split()[-1]
    for name, case, judge, outputs in kept:
        out = {}
        for output in outputs:
            texts = tmp_path / f"{name}.{output}.json"
            out[output] = (
                json.loads(texts.read_text())
                if texts.is_file()
                else np.load(tmp_path / f"{name}.{output}.npy")
            )
        compare(case, judge, out)
    with capsys.disabled():
        print(f" [onnxruntime {version}, {len(kept)} models]", end="")

# SPDX-License-Identifier: Apache-2.0
"""Exported source code: compiled and run on rows at every edge, and compared with the model bit for bit."""

import ast
import re
import shutil
import subprocess
import sys
import types
import warnings

import bough
import numpy as np
import pytest
from exports import c_engine
from exports.models import ALL_KINDS, SETS, Judge, Wish, cases, random_case, trained

EVERY_WAY = ("child", "by_share", "stops", "surrogate", "surrogate_or_stops")
WHOLE_WAYS = ("child", "stops")


def everything(rounds=1, float32=False):
    """Models of all kinds of nodes, with missing cells that go to a child, and with all that go elsewhere."""
    yield from cases(rounds, kinds=ALL_KINDS, float32=float32)
    for round_ in range(rounds):
        for combine, trees in (("single", 1), ("mean", 4), ("vote", 4)):
            for task in ("classification", "regression") if combine != "vote" else ("classification",):
                outputs = (3, 2) if task == "classification" else (1, 1)
                for ways in (EVERY_WAY, ("by_share",), ("stops", "surrogate")):
                    yield random_case(
                        f"ways {round_}",
                        Wish(
                            kinds=ALL_KINDS,
                            missing=ways,
                            combine=combine,
                            trees=trees,
                            task=task,
                            outputs=outputs,
                            float32=float32,
                        ),
                    )
    for combine in ("mean", "vote"):
        yield random_case("alone", Wish(combine=combine, missing=EVERY_WAY, float32=float32))
    losses = {"loss_matrix": [[0, 1, 4], [2, 0, 1], [1, 8, 0]]}
    for combine, trees in (("single", 1), ("mean", 3), ("vote", 3)):
        for ways in (("child",), EVERY_WAY):
            wish = Wish(kinds=ALL_KINDS, missing=ways, combine=combine, trees=trees, params=losses)
            yield random_case("losses", wish, float32=float32)


def run_all(folder, language, chosen, n_rows, float32=False, flags=("-O1",), **options):
    program = c_engine.Program(folder, language, float32)
    judges = []
    for case in chosen:
        rows = case.probes(n_rows)
        judges.append(case.judge(rows))
        program.add(case, rows, **options)
    print(f"{c_engine.engine(language)}: {len(judges)} models of {n_rows} rows")
    for (case, _), judge, got in zip(program.cases, judges, program.run(*flags), strict=True):
        c_engine.check(case, judge, got, program.cell)
    return program


@pytest.mark.parametrize("language", ["c", "cpp"])
def test_a_header_of_tables_answers_as_the_model_does(tmp_path, language):
    # Both headers come from the same texts: every second model is enough for the other language.
    chosen = list(everything())[:: 1 if language == "c" else 2]
    run_all(tmp_path, language, chosen, 80, flags=("-O0",)).check_freestanding()


@pytest.mark.parametrize("language", ["c", "cpp"])
def test_a_header_of_branches_answers_as_the_model_does(tmp_path, language):
    chosen = list(cases(1, kinds=ALL_KINDS, missing=WHOLE_WAYS))[:: 1 if language == "c" else 3]
    run_all(tmp_path, language, chosen, 80, flags=("-O0",), style="branches").check_freestanding()


def test_a_header_of_floats_answers_as_the_model_does_for_rows_of_floats(tmp_path):
    both = [c for pair in zip(everything(float32=True), cases(1), strict=False) for c in pair]
    for case in both:
        case.float32 = True
    run_all(tmp_path, "c", both, 60, float32=True, flags=("-O0",))


def test_a_header_of_c_works_in_cpp_too(tmp_path):
    case = random_case("shared", kinds=ALL_KINDS, missing=EVERY_WAY)
    (tmp_path / "model.h").write_text(case.model.export("c"))
    (tmp_path / "main.cpp").write_text('#include "model.h"\nint main() { return 0; }\n')
    c_engine.run("g++", "-std=c++17", *c_engine.STRICT, tmp_path / "main.cpp", "-o", tmp_path / "main")


def load_source(text):
    module = types.ModuleType("exported")
    exec(compile(text, "exported.py", "exec"), module.__dict__)
    return module


def python_rows(case, rows):
    """Rows as lists of Python values, as a user has them."""
    return [[column[i] for column in rows] for i in range(len(rows[0]))]


def check_python(case, n_rows):
    rows = case.probes(n_rows)
    judge = case.judge(rows)
    module = load_source(case.model.export("python"))
    assert list(module.COLUMNS) == [spec["name"] for spec in case.features]
    for i, row in enumerate(python_rows(case, rows)):
        assert [module.leaf(row, t) for t in range(len(case.trees))] == [x[i] for x in judge.leaves], case
        values = module.predict_values(row)
        np.testing.assert_array_equal(values, judge.values[i], err_msg=str(case))
        if case.task == "classification":
            shares = module.predict_proba(row)
            shares = [shares] if len(case.targets) == 1 else shares
            for got, wanted in zip(shares, judge.shares, strict=True):
                np.testing.assert_array_equal(got, wanted[i], err_msg=str(case))
            labels = module.predict(row)
            labels = [labels] if len(case.targets) == 1 else labels
            for label, spec, value in zip(labels, case.targets, values, strict=True):
                assert str(label) == spec["levels"]["names"][value]
    named = dict(zip(module.COLUMNS, row, strict=True))
    assert module.leaf(named) == judge.leaves[0][-1]


def test_a_python_module_answers_as_the_model_does():
    chosen = list(everything())
    print(f"Python {sys.version.split()[0]}: {len(chosen)} models")
    for case in chosen:
        check_python(case, 40)


def test_a_python_module_is_ascii_and_imports_nothing():
    text = random_case("hostile", hostile=True, outputs=(4,)).model.export("python")
    assert text.isascii()
    assert "import" not in text.split('if __name__ == "__main__"')[0].split('"""')[2]


def test_branches_refuse_what_only_tables_can_do():
    case = random_case("shares", missing=("by_share",))
    with pytest.raises(NotImplementedError, match="node 0 of tree 0 divides rows"):
        case.model.export("c", {"style": "branches"})


def test_a_prefix_must_be_a_name():
    case = random_case("prefix")
    for wrong in ("", "2x", "a-b", "class", "_x"):
        with pytest.raises(ValueError, match="prefix"):
            case.model.export("c", {"prefix": wrong})


def test_columns_whose_names_look_alike_get_different_identifiers():
    case = random_case("alike")
    for spec, name in zip(
        case.features, ["a b", "a_b", "a-b", "1", "", "é", "ü", "A", "class", "x" * 90], strict=True
    ):
        spec["name"] = name
    text = case.model.export("c")
    columns = [line.split()[0] for line in text.splitlines() if line.startswith("  model_col_")]
    assert len(set(columns)) == len(columns) == 10


def test_a_python_module_is_read_by_python_3_8():
    ast.parse(random_case("old", kinds=ALL_KINDS).model.export("python"), feature_version=(3, 8))


def test_the_command_line_tells_the_bytes_of_the_tables(tmp_path, release_build):
    case = random_case("bytes")
    (tmp_path / "m.bough").write_bytes(case.data)
    told = subprocess.run(
        [release_build / "bough", "export", "m.bough", "-o", "churn.h", "--prefix", "churn"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    text = (tmp_path / "churn.h").read_text()
    assert text == case.model.export("c", {"prefix": "churn"})
    assert told.stderr == f"bough: c: tables of {re.search('Tables: (.*?)[.]', text).group(1)}\n"


def test_trees_of_many_nodes_become_tables_and_not_branches(tmp_path):
    case = random_case("chain", leaves=11000, chain=True, kinds=("numeric",), outputs=(2,))
    draw = np.random.default_rng(3)
    rows = [draw.normal(size=40) * 30 for _ in case.features]
    for column, spec in enumerate(case.features):
        if "levels" in spec:
            rows[column] = (
                [spec["levels"]["names"][0]] * 40 if spec["levels"]["type"] == "text" else np.zeros(40)
            )
    judge = case.judge(rows)
    assert len(set(judge.leaves[0])) > 1
    program = c_engine.Program(tmp_path, "c")
    program.add(case, rows)
    c_engine.check(case, judge, program.run("-O0")[0])
    module = load_source(case.model.export("python"))
    assert [module.leaf(row) for row in python_rows(case, rows)] == list(judge.leaves[0])
    with pytest.raises(NotImplementedError, match="too many for branches"):
        case.model.export("c", {"style": "branches"})


class Trained:
    """A model grown on real rows, seen as a case."""

    def __init__(self, name, target):
        estimator, frame = trained(name, target, max_depth=12)
        self.estimator, self.frame, self.model = estimator, frame.iloc[:500], estimator.tree_.model
        self.name, self.combine = name, "single"
        self.task = "classification" if hasattr(estimator, "classes_") else "regression"
        self.features = [field_of(field) for field in self.model.features]
        self.targets = [field_of(field) for field in self.model.targets]
        width = len(self.targets[0]["levels"]["names"]) if self.task == "classification" else 1
        self.trees = [([width], [{"values": [0.0] * width}])]

    def __repr__(self):
        return self.name

    def rows(self):
        return [self.frame[spec["name"]].tolist() for spec in self.features]

    def codes(self, rows):
        return np.stack(
            [
                [cell_code(spec, cell) for cell in cells]
                for spec, cells in zip(self.features, rows, strict=True)
            ],
            axis=1,
        )

    def judge(self):
        rows = self.frame
        if self.task == "regression":
            return Judge([self.estimator.apply(rows)], self.estimator.predict(rows)[:, None], [])
        shares = self.estimator.predict_proba(rows)
        codes = np.searchsorted(self.estimator.classes_, self.estimator.predict(rows))[:, None]
        return Judge([self.estimator.apply(rows)], codes, [shares])


def field_of(field):
    name, kind, (levels_type, values) = field
    spec = {"name": name, "kind": kind}
    if len(values):
        words = list(values) if levels_type == "text" else [repr(float(value)) for value in values]
        numbers = [] if levels_type == "text" else [float(value) for value in values]
        spec["levels"] = {"type": levels_type, "names": words, "numbers": numbers}
    return spec


def cell_code(spec, cell):
    if cell is None or cell != cell:
        return np.nan
    if spec["kind"] == "numeric":
        return float(cell)
    known = spec["levels"]["names"] if spec["levels"]["type"] == "text" else spec["levels"]["numbers"]
    return known.index(cell) if cell in known else -1


@pytest.mark.long
@pytest.mark.parametrize("language", ["c", "cpp"])
def test_models_of_real_data_in_headers(tmp_path, language):
    print(c_engine.engine(language))
    program = c_engine.Program(tmp_path, language)
    known = [Trained(*item) for item in SETS.items()]
    for case in known:
        program.add(case, case.rows())
    for case, got in zip(known, program.run("-O2"), strict=True):
        c_engine.check(case, case.judge(), got)


@pytest.mark.long
@pytest.mark.parametrize("name", SETS)
def test_models_of_real_data_in_python(name):
    case = Trained(name, SETS[name])
    judge = case.judge()
    module = load_source(case.model.export("python"))
    for i, row in enumerate(zip(*case.rows(), strict=True)):
        assert module.leaf(row) == judge.leaves[0][i]
        np.testing.assert_array_equal(module.predict_values(row), judge.values[i])
        if judge.shares:
            np.testing.assert_array_equal(module.predict_proba(row), judge.shares[0][i])


@pytest.mark.long
def test_headers_do_nothing_undefined(tmp_path):
    flags = ("-O1", "-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all")
    run_all(tmp_path, "c", everything(), 120, flags=flags)


@pytest.mark.long
def test_clang_takes_the_headers_without_a_warning(tmp_path):
    if shutil.which("clang") is None:
        pytest.skip("clang is not installed")
    print(c_engine.run("clang", "--version").splitlines()[0])
    lines = []
    for number, case in enumerate(everything()):
        (tmp_path / f"m{number}.h").write_text(case.model.export("c", {"prefix": f"m{number}"}))
        lines.append(f'#include "m{number}.h"')
    (tmp_path / "all.c").write_text("\n".join([*lines, "int nothing;", ""]))
    c_engine.run(
        "clang", "-std=c99", *c_engine.STRICT, "-ffreestanding", "-c", "all.c", "-o", "all.o", cwd=tmp_path
    )


def test_exports_of_floats_say_which_rows_they_answer_alike():
    X = np.linspace(0.1, 0.9, 50)[:, None]
    tree = bough.DecisionTreeClassifier().fit(X, X[:, 0] > 0.5)
    for to, options in (
        ("c", {"float32": True}),
        ("cpp", {"float32": True}),
        ("onnx", {"float32": True}),
        ("onnx", {"opset": 2}),
    ):
        with pytest.warns(UserWarning, match="cells are floats: rows whose numbers are all float32"):
            text = tree.export(to, **options)
        assert to == "onnx" or "A row of doubles is rounded first" in text
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tree.export("c")
        tree.export("onnx", opset=3)
        tree.export("sql")


@pytest.mark.long
@pytest.mark.parametrize("language", ["c", "cpp"])
@pytest.mark.parametrize("float32", [False, True])
def test_many_models_in_headers(tmp_path, language, float32):
    run_all(tmp_path, language, everything(4, float32), 200, float32=float32)


@pytest.mark.long
def test_many_models_in_branches(tmp_path):
    run_all(tmp_path, "c", cases(4, kinds=ALL_KINDS, missing=WHOLE_WAYS), 200, style="branches")


@pytest.mark.long
def test_many_models_in_python():
    for case in everything(4):
        check_python(case, 100)

# SPDX-License-Identifier: Apache-2.0
"""Exported source code: compiled and run on rows at every edge, and compared with the model bit for bit."""

import sys
import types

import numpy as np
import pytest
from exports import c_engine
from exports.models import ALL_KINDS, Wish, cases, random_case

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
    run_all(tmp_path, language, everything(), 120, flags=("-O0",)).check_freestanding()


@pytest.mark.parametrize("language", ["c", "cpp"])
def test_a_header_of_branches_answers_as_the_model_does(tmp_path, language):
    chosen = cases(1, kinds=ALL_KINDS, missing=WHOLE_WAYS)
    run_all(tmp_path, language, chosen, 120, flags=("-O0",), style="branches").check_freestanding()


def test_a_header_of_floats_answers_as_the_model_does_for_rows_of_floats(tmp_path):
    both = [c for pair in zip(everything(float32=True), cases(1), strict=False) for c in pair]
    for case in both:
        case.float32 = True
    run_all(tmp_path, "c", both, 100, float32=True, flags=("-O0",))


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
        check_python(case, 60)


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


@pytest.mark.long
@pytest.mark.parametrize("language", ["c", "cpp"])
@pytest.mark.parametrize("float32", [False, True])
def test_many_models_in_headers(tmp_path, language, float32):
    run_all(tmp_path, language, everything(12, float32), 300, float32=float32)


@pytest.mark.long
def test_many_models_in_branches(tmp_path):
    run_all(tmp_path, "c", cases(12, kinds=ALL_KINDS, missing=WHOLE_WAYS), 300, style="branches")


@pytest.mark.long
def test_many_models_in_python():
    for case in everything(8):
        check_python(case, 150)

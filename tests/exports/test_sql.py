# SPDX-License-Identifier: Apache-2.0
"""Models as SQL, run by DuckDB, SQLite and PostgreSQL."""

import random
import struct
import tempfile
from pathlib import Path

import pytest
from exports import models
from exports.models import ALL_KINDS
from exports.sql_engines import DuckDb, Sqlite, postgresql, quoted
from exports.trained import trained_cases

EVERY_WAY = ("child", "stops", "surrogate", "surrogate_or_stops")


def bits(values):
    return [struct.pack("<d", float(v)) for v in values]


def labels(case, output):
    levels = case.targets[output]["levels"]
    return levels["names"] if levels["type"] == "text" else [int(v) for v in levels["numbers"]]


def compare(case, judge, got, what):
    """Columns of a query against bough's answers: the same bits."""
    several = len(case.targets) > 1
    for o, target in enumerate(case.targets):
        suffix = f"_{target['name']}" if several else ""
        if what in ("answer", "all"):
            answers = [row["prediction" + suffix] for row in got]
            if case.task == "regression":
                assert bits(answers) == bits(judge.values[:, o]), case
            else:
                names = labels(case, o)
                assert answers == [names[c] for c in judge.values[:, o]], case
        if case.task == "classification" and what in ("probabilities", "all"):
            for c in range(judge.shares[o].shape[1]):
                shares = [row[f"proba{suffix}_{target['levels']['names'][c]}"] for row in got]
                assert bits(shares) == bits(judge.shares[o][:, c]), case


def compare_leaves(case, judge, got):
    if "tree" not in got[0]:
        assert [row["leaf"] for row in got] == judge.leaves[0].tolist(), case
        return
    for tree, leaves in enumerate(judge.leaves):
        assert [row["leaf"] for row in got if row["tree"] == tree] == leaves.tolist(), case


def check(engine, case, n=80, form="auto", whats=("all", "leaf"), rows=None, **more):
    rows = rows or case.probes(n)
    judge = case.judge(rows)
    engine.load(case, rows)
    for what in whats:
        options = {"dialect": engine.dialect, "what": what, "form": form, **more}
        got = engine.ask(case.model.export("sql", options))
        if what == "leaf":
            compare_leaves(case, judge, got)
        else:
            compare(case, judge, got, what)


@pytest.fixture(scope="module")
def duck():
    return DuckDb()


@pytest.fixture(scope="module")
def lite():
    return Sqlite()


@pytest.fixture(scope="module")
def post():
    # The socket's path must be short, and the server's user must reach it.
    with (
        tempfile.TemporaryDirectory(prefix="bough-pg-", dir="/tmp") as folder,
        postgresql(Path(folder)) as engine,
    ):
        yield engine


@pytest.mark.parametrize("name", ["duck", "lite"])
def test_random_models_answer_the_same(name, request, capsys):
    engine = request.getfixturevalue(name)
    for case in models.cases(1, kinds=ALL_KINDS, missing=("child", "stops")):
        check(engine, case, 60)
    with capsys.disabled():
        print(f" [{engine.version}]", end="")


@pytest.mark.parametrize("name", ["duck", "lite"])
def test_a_table_of_nodes_says_surrogates_and_the_same_as_a_case(name, request):
    engine = request.getfixturevalue(name)
    for task, outputs in (("classification", (2, 3)), ("regression", (1,))):
        wish = models.Wish(kinds=ALL_KINDS, missing=EVERY_WAY, task=task, outputs=outputs, leaves=20)
        check(engine, models.random_case("surrogates", wish), 100, form="nodes")
    case = models.random_case("both forms", kinds=ALL_KINDS, leaves=20)
    for form in ("case", "nodes"):
        check(engine, case, 100, form=form)


@pytest.mark.parametrize("name", ["duck", "lite"])
def test_views_and_bare_expressions_run(name, request):
    engine = request.getfixturevalue(name)
    for combine, trees in (("single", 1), ("vote", 3)):
        case = models.random_case("view", combine=combine, trees=trees, hostile=True)
        rows = case.probes(60)
        engine.load(case, rows, "my data")
        options = {"dialect": engine.dialect, "table": "my data", "as": "view", "name": 'the "view"'}
        engine.script(case.model.export("sql", options))
        got = engine.ask('SELECT * FROM "the ""view""_predictions"')
        renamed = [{**row, "prediction": row['the "view"']} for row in got]
        compare(case, case.judge(rows), renamed, "answer")
        engine.execute('DROP VIEW "the ""view""_predictions"')
    case = models.random_case("expression", task="regression", outputs=(1,), leaves=40)
    rows = case.probes(60)
    engine.load(case, rows)
    text = case.model.export("sql", {"dialect": engine.dialect, "as": "expression"})
    got = engine.ask(f"SELECT k, ({text}) AS prediction FROM data WHERE k >= 0")
    compare(case, case.judge(rows), got, "answer")


def check_foreign_columns(engine):
    """Whatever the table's other columns and the table are called, the answers are the model's, and nothing
    but them is added."""
    others = ("bough_leaf", "bough_row", "row", "id", "x0", "node", "i", "c", "w", "leaf", "bough_input")
    for combine, trees in (("single", 1), ("mean", 3)):
        case = models.random_case("foreign", combine=combine, trees=trees, kinds=ALL_KINDS, leaves=20)
        case.features[0]["name"], case.features[1]["name"] = "bough_row", "bough_leaf"
        taken = {spec["name"] for spec in case.features}
        rows = case.probes(60)
        judge = case.judge(rows)
        for table in ("data", "bough_input", "bough_leaves", "bough_nodes"):
            engine.load(case, rows, table)
            for name in others:
                if name not in taken:
                    engine.execute(f"ALTER TABLE {quoted(table)} ADD COLUMN {quoted(name)} INTEGER DEFAULT 7")
            before = set(engine.ask(f"SELECT * FROM {quoted(table)}")[0])
            for form in ("auto", "nodes"):
                options = {
                    "dialect": engine.dialect,
                    "what": "all",
                    "form": form,
                    "table": table,
                    "name": "b",
                }
                got = engine.ask(case.model.export("sql", options))
                added = [key for key in got[0] if key not in before]
                assert all(key == "b" or key.startswith("b_") for key in added), added
                assert all(row.get("i", 7) == 7 and row["w"] == 7 for row in got)
                renamed = [
                    {key.replace("b_proba", "proba"): cell for key, cell in row.items()} for row in got
                ]
                renamed = [
                    {
                        key.replace("b_", "prediction_") if key in added else key: cell
                        for key, cell in row.items()
                    }
                    for row in renamed
                ]
                for row in renamed:
                    row["prediction"] = row.get("b")
                compare(case, judge, renamed, "all")
            engine.execute(f"DROP TABLE {quoted(table)}")


@pytest.mark.parametrize("name", ["duck", "lite"])
def test_other_columns_of_the_table_are_kept_apart(name, request):
    check_foreign_columns(request.getfixturevalue(name))


@pytest.mark.parametrize("name", ["duck", "lite"])
def test_a_table_can_be_scored_by_one_model_after_another(name, request):
    engine = request.getfixturevalue(name)
    case = models.random_case("chained", kinds=ALL_KINDS, outputs=(3,), leaves=20)
    rows = case.probes(60)
    judge = case.judge(rows)
    engine.load(case, rows, "stage0")
    for step, form in enumerate(("auto", "nodes", "auto")):
        options = {"dialect": engine.dialect, "what": "all", "form": form, "table": f"stage{step}"}
        query = case.model.export("sql", {**options, "name": f"m{step}"}).rstrip().rstrip(";")
        engine.execute(f"CREATE TABLE stage{step + 1} AS {query}")
    got = engine.ask("SELECT * FROM stage3")
    names = case.targets[0]["levels"]["names"]
    new = {f"m{m}{part}" for m in range(3) for part in ("", "_leaf", *(f"_proba_{name}" for name in names))}
    assert set(got[0]) == {"k", *(spec["name"] for spec in case.features)} | new
    for m in range(3):
        compare(case, judge, [{"prediction": row[f"m{m}"]} for row in got], "answer")
        compare_leaves(case, judge, [{"leaf": row[f"m{m}_leaf"]} for row in got])
    for step in range(4):
        engine.execute(f"DROP TABLE stage{step}")


def test_a_new_column_is_not_called_like_a_feature():
    for name, what in (("Prediction", "answer"), ("leaf", "leaf"), ("proba_B", "all")):
        case = models.random_case("taken", outputs=(2,))
        case.targets[0]["levels"] = {"type": "text", "names": ["a", "b"], "numbers": []}
        case.features[0]["name"] = name
        for dialect in ("duckdb", "sqlite"):
            with pytest.raises(Exception, match=f"(?i)the new column {name} would have the name of a column"):
                case.model.export("sql", {"dialect": dialect, "what": what})
            assert case.model.export("sql", {"dialect": dialect, "what": what, "name": "answer"})
    assert case.model.export("sql", {"what": "answer", "as": "expression"})


@pytest.mark.long
def test_other_columns_are_kept_apart_in_postgresql(post):
    check_foreign_columns(post)


@pytest.mark.parametrize("name", ["duck", "lite"])
def test_deep_chains_stay_below_the_limits_of_the_engines(name, request):
    engine = request.getfixturevalue(name)
    for leaves in (280, 1500):
        case = models.random_case("deep", kinds=("numeric",), chain=True, leaves=leaves, outputs=(2,))
        check(engine, case, 40, whats=("answer",))


@pytest.mark.parametrize("name", ["duck", "lite"])
def test_numbers_are_read_as_the_same_doubles(name, request):
    check_literals(request.getfixturevalue(name), 200)


def check_literals(engine, n):
    """Leaves of random bits come back as they are."""

    draw = random.Random(models.SEED)
    values = [
        5e-324,
        -5e-324,
        1.7976931348623157e308,
        2.2250738585072014e-308,
        0.1,
        1 / 3,
        1e22,
        123456789012345680.0,
    ]
    while len(values) < n:
        value = struct.unpack("<d", struct.pack("<Q", draw.getrandbits(64)))[0]
        if abs(value) < float("inf"):
            values.append(value)
    case = models.random_case(
        "literals", kinds=("numeric",), matrix=True, task="regression", outputs=(1,), leaves=n
    )
    for node in case.trees[0][1]:
        node["values"] = [values.pop()] if values else [0.5]
    check(engine, case, 4 * n, whats=("answer",))
    check(engine, case, 4 * n, whats=("answer",), form="nodes")


@pytest.mark.parametrize(
    ("wish", "options", "words"),
    [
        ({"combine": "mean", "trees": 3}, {"as": "expression"}, "it has 3 trees"),
        ({"combine": "mean", "trees": 3}, {"form": "case"}, "it has 3 trees"),
        ({"outputs": (2, 3)}, {"as": "expression"}, "2 columns are asked for"),
        ({"task": "regression"}, {"what": "probabilities"}, "no class probabilities"),
        ({}, {"dialect": "oracle"}, "cannot be oracle"),
        ({}, {"dialect": "postgresql", "name": "n" * 64}, "longer than 63 bytes"),
    ],
)
def test_what_sql_cannot_say_is_refused_by_name(wish, options, words):
    case = models.random_case("refused", **wish)
    with pytest.raises(Exception, match=words):
        case.model.export("sql", options)


def test_columns_that_an_engine_takes_for_one_are_refused():
    case = models.random_case("folded")
    case.features[1]["name"] = "A"
    for dialect in ("duckdb", "sqlite"):
        with pytest.raises(Exception, match="cannot tell the columns a and A apart"):
            case.model.export("sql", {"dialect": dialect})
    assert case.model.export("sql", {"dialect": "postgresql"}).startswith("-- PostgreSQL")


@pytest.mark.long
@pytest.mark.parametrize("name", ["duck", "lite", "post"])
def test_models_of_real_data_answer_the_same(name, request):
    engine = request.getfixturevalue(name)
    for case, rows in trained_cases():
        check(engine, case, rows=rows)


@pytest.mark.long
def test_sums_of_ordinary_size_answer_the_same_in_postgresql(post):
    """PostgreSQL stops at products beyond the range of doubles or below it: cells stay away from both."""
    for seed in range(6):
        case = models.random_case(f"sums {seed}", kinds=("oblique",), extreme=False, leaves=15)
        rows = case.probes(200)
        for cells in rows:
            if not isinstance(cells, list):
                cells[abs(cells) < 1e-100] = 0.0
        judge = case.judge(rows)
        post.load(case, rows)
        got = post.ask(case.model.export("sql", {"dialect": "postgresql", "what": "all"}))
        compare(case, judge, got, "all")


@pytest.mark.long
@pytest.mark.parametrize("name", ["duck", "lite", "post"])
def test_many_random_models_answer_the_same(name, request, capsys):
    engine = request.getfixturevalue(name)
    # PostgreSQL calls a sum that leaves the range of doubles an error.
    kinds = ALL_KINDS if name != "post" else models.PLAIN_KINDS
    for case in models.cases(4, kinds=kinds, missing=("child", "stops")):
        check(engine, case, 150)
    for case in models.cases(2, kinds=kinds, missing=EVERY_WAY):
        check(engine, case, 150, form="nodes")
    check_literals(engine, 1500)
    with capsys.disabled():
        print(f" [{engine.version}]", end="")

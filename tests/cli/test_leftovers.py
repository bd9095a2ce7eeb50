# SPDX-License-Identifier: Apache-2.0
"""Wrong config and schema files, options against the schema, missing cells in pictures, rows of no weight."""

import json

import pytest


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("max_depth 5\n", 1, "does not have the form key = value"),
        ("# depth\n\nmax_depth = \n", 3, "has no value"),
        ("max_depth = 5 6\n", 1, "left over"),
        ("criterion = gini\n", 1, "text goes in quotes"),
        ('criterion = "gini\nmax_depth = 3\n', 1, "quote is not closed"),
        ('ignore = ["a", "b"\nmax_depth = 3\n', 2, "comma is missing"),
        ('ignore = ["a", "b"', 1, "not closed"),
        ("max_depth = 3\nmax_depth = 4\n", 2, "twice"),
        ("[train\nmax_depth = 3\n", 1, "section"),
        ("= 3\n", 1, "does not have the form key = value"),
        ("max_depth = 1.2.3\n", 1, "not text in quotes"),
        ("just words\n", 1, "does not have the form key = value"),
        ("{}", 1, "does not have the form key = value"),
    ],
)
def test_a_config_file_that_is_no_toml_is_refused_with_the_line(desk, table, text, line, said):
    desk.write("c.toml", text)
    error = desk.fails(2, "train", table, "-t", "y", "--config", "c.toml")
    assert f"c.toml, line {line}: " in error and said in error


def test_a_config_file_may_use_all_of_the_toml_that_options_need(desk, table):
    desk.write(
        "c.toml",
        "\ufeff# a comment\r\n[train]\nmax_depth = 1_0 # ten\n'target' = 'y'\n"
        "ignore = [\n  \"b\", # no\n  'color',\n]\n",
    )
    desk.ok("train", table, "--config", "c.toml", "-o", "m.bough")
    info = json.loads(desk.ok("info", "m.bough", "--json"))
    assert info["params"]["max_depth"] == 10


def schema(desk, *columns):
    text = ",\n".join(json.dumps(column) for column in columns)
    return desk.write("s.json", '{"columns": [\n' + text + "\n]}\n")


def column(name, role="feature", kind="numeric"):
    return {"name": name, "kind": kind, "role": role}


def features(desk):
    columns = json.loads(desk.ok("info", "m.bough", "--json"))["features"]["columns"]
    return {column["name"] for column in columns}


def test_options_override_the_roles_of_the_schema(desk, table):
    desk.write(
        "w.csv",
        "\n".join(
            f"{line},{'w' if i == 0 else i % 3 + 1}" for i, line in enumerate(desk.read(table).splitlines())
        ),
    )
    schema(desk, column("a", "ignored"), column("b", "weight"), column("w", "target"), column("y", "ignored"))
    desk.ok(
        "train",
        "w.csv",
        "--schema",
        "s.json",
        "--target",
        "y",
        "--weight",
        "w",
        "--ignore",
        "b",
        "-o",
        "m.bough",
    )
    # a stays as the schema has it; b, w and y do what the options say.
    assert features(desk) == {"color"}
    # An option that takes the only target away leaves none.
    assert "--target" in desk.fails(2, "train", "w.csv", "--schema", "s.json", "--ignore", "w")


def test_options_still_may_not_contradict_each_other(desk, table):
    schema(desk, column("a"))
    error = desk.fails(2, "train", table, "--schema", "s.json", "-t", "y", "--ignore", "y")
    assert "'y' is a target and ignored" in error


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '{"columns": [\n  {"name": "a",}\n]}',
            "line 2, character 16: no valid JSON: '}' does not belong here",
        ),
        ('{"columns": [\n  {"name": "a"}', "line 2: the JSON stops in the middle"),
        ("\n", "the JSON stops in the middle"),
        ("columns: a", "line 1, character 1: no valid JSON: 'c' does not belong here"),
        (
            '{"columns": [\n {"name": "a"},\n\n {"name": "b", "kind": "number"}]}',
            'line 4: column "b": kind is "number"',
        ),
        ('{"columns": [{"name": "a"},\n {"name": "a"}]}', 'line 2: the column "a" appears twice'),
        ('{"x": [{"y": 1}],\n"columns": [\n1]}', "line 3: column 0: needs an object"),
        ('{"columns": [{"name": "a", "order": [1e999]}]}', "no valid JSON"),
    ],
)
def test_a_wrong_schema_file_is_told_in_our_words(desk, table, text, said):
    desk.write("s.json", text)
    error = desk.fails(3, "train", table, "-t", "y", "--schema", "s.json")
    assert "s.json: schema: " in error and said in error
    assert "json.exception" not in error and "parse_error" not in error


def test_the_way_of_missing_cells_is_shown_when_asked(desk, model):
    plain = desk.ok("show", model)
    told = desk.ok("show", model, "--missing")
    assert "missing" not in plain
    assert told.replace(", or missing", "") == plain
    # Every test but those of "known" has one side where missing cells go.
    assert told.count(", or missing") == plain.count("├─")
    picture = desk.ok("export", model, "--to", "dot", "--missing")
    assert "missing" in picture and "missing" not in desk.ok("export", model, "--to", "dot")


def test_rows_of_no_weight_are_mentioned(desk):
    desk.write(
        "w.csv", "a,w,y\n" + "".join(f"{i},{0 if i < 3 else 1},{'u' if i > 10 else 'v'}\n" for i in range(20))
    )
    result = desk.run("train", "w.csv", "-t", "y", "--weight", "w", "-o", "m.bough")
    assert result.code == 0 and "3 of 20 rows have weight 0 and are left out" in result.err
    assert "3 of 20 rows" in desk.ok("info", "m.bough")
    quiet = desk.run("train", "w.csv", "-t", "y", "--ignore", "w", "-o", "m.bough")
    assert "weight 0" not in quiet.err


def test_pictures_mark_the_edge_of_missing_cells(desk, model):
    picture = desk.ok("export", model, "--to", "dot", "--missing")
    plain = desk.ok("export", model, "--to", "dot")
    assert picture.replace(", or missing", "") == plain
    assert picture.count(", or missing") == plain.count('"yes"')

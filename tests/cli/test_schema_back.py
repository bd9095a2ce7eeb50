# SPDX-License-Identifier: Apache-2.0
"""A schema that `bough schema` writes says what `bough train` does, and given back it changes nothing."""

import json
import random

import pytest


@pytest.fixture
def odd(desk):
    """Identifiers, unnamed numbers of rows, codes, dates, truth values, and a class written in digits."""
    draw = random.Random(11)
    lines = [",id,a,color,code,day,flag,y"]
    for i in range(240):
        a = round(draw.gauss(0, 1), 2)
        lines.append(
            f"{i},P-{i:04d}x{draw.randrange(10**6)},{a},{draw.choice(['red', 'green'])},"
            f"{draw.choice(['007', '7', '012'])},2024-{1 + i % 12:02d}-{1 + i % 28:02d},"
            f"{draw.choice(['TRUE', 'FALSE'])},{int(a > 0) if draw.random() < 0.9 else 1}"
        )
    return desk.write("odd.csv", "\n".join(lines) + "\n")


def parts(desk, model):
    """The model without the command that made it."""
    text = json.loads(desk.ok("export", model, "--to", "json"))
    text["provenance"].pop("command")
    text.pop("checksum", None)
    return text


def columns(desk, *words):
    return {column["name"]: column for column in json.loads(desk.ok("schema", *words))["columns"]}


@pytest.mark.parametrize("given", [[], ["--target", "y"]])
def test_identifiers_are_ignored_in_the_schema_with_the_reason(desk, odd, given):
    known = columns(desk, odd, *given)
    assert known["id"]["role"] == known["x0"]["role"] == "ignored"
    assert "240 different texts in 240 rows" in known["id"]["note"]
    assert "numbers the rows" in known["x0"]["note"]
    assert [name for name in known if known[name]["role"] == "ignored"] == ["x0", "id"]
    # Kept where the user says so.
    assert columns(desk, odd, *given, "--category", "id")["id"]["role"] == "feature"


@pytest.mark.parametrize("target", ["y", "flag", "a"])
@pytest.mark.parametrize("way", [[], ["--max-depth", "4"], ["--forest", "5"]])
def test_a_schema_given_back_gives_the_same_model(desk, odd, target, way):
    desk.ok("train", odd, "-t", target, "-o", "plain.bough", "--no-scores", *way)
    for given in ([], ["--target", target]):
        desk.ok("schema", odd, *given, "-o", "s.json")
        desk.ok("train", odd, "-t", target, "--schema", "s.json", "-o", "m.bough", "--no-scores", *way)
        assert parts(desk, "m.bough") == parts(desk, "plain.bough")


def test_the_only_other_column_stays_where_nothing_else_is_left(desk):
    desk.write("t.csv", "name,y\n" + "".join(f"n{i}z,{i % 2}\n" for i in range(60)))
    for given in ([], ["-t", "y"]):
        assert columns(desk, "t.csv", *given)["name"]["role"] == "feature"


def test_levels_of_a_category_are_those_it_may_have(desk, table):
    desk.ok("schema", table, "-o", "s.json")
    known = json.loads(desk.read("s.json"))
    color = next(column for column in known["columns"] if column["name"] == "color")
    color["levels"] = ["black", "green", "red"]
    desk.write("s.json", json.dumps(known))
    for words in ([], ["--memory", "1GB", "--size", "full"]):
        error = desk.fails(3, "train", table, "-t", "y", "--schema", "s.json", "-o", "m.bough", *words)
        assert "column 'color' holds 'blue', which s.json does not list among its levels" in error
        assert "hint: " in error and "m.bough" not in desk.names()
    # Values that do not occur are no error, and without levels any value will do.
    color["levels"] = ["black", "blue", "green", "red"]
    desk.write("s.json", json.dumps(known))
    desk.ok("train", table, "-t", "y", "--schema", "s.json", "--no-scores")
    del color["levels"]
    desk.write("s.json", json.dumps(known))
    desk.ok("train", table, "-t", "y", "--schema", "s.json", "--no-scores")


def test_labels_that_a_schema_does_not_list_are_refused(desk, table):
    desk.write("s.json", '{"columns": [{"name": "y", "role": "target", "levels": ["yes", "maybe"]}]}')
    error = desk.fails(3, "train", table, "--schema", "s.json")
    assert "column 'y' holds 'no', which s.json does not list" in error


@pytest.mark.parametrize("kind", ["integer", "boolean", "text"])
def test_a_type_of_numbers_is_refused_not_ignored(desk, kind):
    desk.write("t.csv", "x,y\n" + "".join(f"{i},{i % 2}\n" for i in range(40)))
    desk.write("s.json", json.dumps({"columns": [{"name": "x", "kind": "numeric", "type": kind}]}))
    said = desk.fails(3, "train", "t.csv", "-t", "y", "--schema", "s.json")
    assert f'type "{kind}" does nothing, because its kind is numeric' in said and "remove the type" in said

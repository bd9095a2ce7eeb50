# SPDX-License-Identifier: Apache-2.0
"""The other verbs, help, and the manners of the whole."""

import json
import re
import shutil

import pytest

VERBS = [
    "train",
    "predict",
    "evaluate",
    "show",
    "export",
    "plot",
    "prune",
    "explain",
    "rules",
    "study",
    "compare",
    "forest",
    "report",
    "info",
    "params",
    "schema",
    "demo",
    "completion",
]


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example(desk, verb):
    out = desk.ok(verb, "--help")
    assert out.startswith(f"bough {verb}: ") and f"Usage: bough {verb}" in out
    assert f"bough {verb}" in out.split("Examples:")[1]
    assert max(map(len, out.splitlines())) <= 110
    assert desk.ok("help", verb) == out
    assert [line for line in out.splitlines() if line.count("(") != line.count(")")] == []
    assert desk.ok(verb, "-h") == out


def test_help_lists_the_verbs(desk):
    out = desk.ok("--help")
    assert re.findall(r"^  (\w+) ", out.split("Commands:")[1].split("\n\n")[0], re.MULTILINE) == VERBS
    assert desk.ok() == out and desk.ok("help") == out


def test_help_groups_the_parameters_as_the_table_does(desk):
    out = desk.ok("train", "--help-all")
    titles = re.findall(r"^(\w+):$", out, re.MULTILINE)
    assert titles.index("Columns") < titles.index("Problem") < titles.index("Growth") < titles.index("Search")
    assert "--max-depth" in out.split("Growth:")[1].split("Search:")[0]
    short = desk.ok("train", "--help")
    assert set(re.findall(r"--[a-z-]+", short)) <= {*re.findall(r"--[a-z-]+", out), "--help-all"}


def test_version(desk):
    assert re.fullmatch(r"bough \d+\.\d+\.\d+\n", desk.ok("--version"))


def test_wrong_words_get_the_near_ones(desk, model):
    assert "did you mean 'train'?" in desk.fails(2, "trian")
    assert "the commands are" in desk.fails(2, "xyzzy")
    assert "did you mean '--max-depth'?" in desk.fails(2, "show", model, "--maxdepth", "1")
    assert "'surplus'" in desk.fails(2, "show", model, "surplus")
    assert "--max-depth needs a value" in desk.fails(2, "show", model, "--max-depth")
    assert "did you mean 'gini'?" in desk.fails(2, "train", "table.csv", "--criterion", "ginni")
    assert "for example: bough show" in desk.fails(2, "show")


def test_show_cuts_at_a_depth(desk, model):
    whole, cut = desk.ok("show", model), desk.ok("show", model, "--max-depth", "1")
    assert whole.count("├") > cut.count("├") == 1
    assert "more nodes" in cut
    assert "Importances:" in desk.ok("show", model, "--importances")
    assert "number 1" in desk.fails(2, "show", model, "--tree", "2")
    assert "not be negative" in desk.fails(2, "show", model, "--max-depth", "-2")


def test_export_writes_every_format(desk, model):
    formats = re.search(r"--to FORMAT.*?\[(.*?)\]", desk.ok("export", "--help-all"), re.DOTALL).group(1)
    names = [name.strip() for name in formats.split(",")]
    assert {"dot", "json", "text"} <= set(names)
    for name in names:
        if name == "sklearn":
            assert "does not compare a number" in desk.fails(6, "export", model, "--to", name)
        else:
            desk.ok("export", model, "--to", name, "-o", f"written.{name}")
    assert desk.ok("export", model, "--to", "dot").startswith("digraph")
    assert json.loads(desk.ok("export", model, "--to", "json"))
    assert desk.ok("export", model, "--to", "text") == desk.ok("show", model)


def test_export_takes_the_format_from_the_name(desk, model):
    desk.ok("export", model, "-o", "tree.dot")
    assert desk.read("tree.dot") == desk.ok("export", model, "--to", "dot")
    assert "--to" in desk.fails(2, "export", model)
    assert "did you mean 'dot'?" in desk.fails(2, "export", model, "--to", "dott")


def test_the_exported_json_is_a_model(desk, model):
    desk.ok("export", model, "-o", "twin.json")
    assert desk.ok("show", "twin.json") == desk.ok("show", model)


def test_explain_follows_the_row(desk, model, table):
    out = desk.ok("explain", model, "--data", table, "--row", "1")
    first = desk.read(table).splitlines()[1].split(",")
    assert out.startswith("Row 1 of table.csv:\n")
    assert f"a is {first[0]}" in out and out.endswith(f"So the prediction is {first[3]}.\n")


def test_explain_counts_rows_from_one(desk, model, table):
    assert desk.ok("explain", model, "--data", table, "--row", "60")
    assert "has 60 rows" in desk.fails(2, "explain", model, "--data", table, "--row", "61")
    desk.fails(2, "explain", model, "--data", table, "--row", "0")


def test_explain_takes_a_row_of_values(desk, model):
    out = desk.ok("explain", model, "--values", "a=15,color=blue")
    assert out.endswith("So the prediction is yes.\n")
    assert "missing" in desk.ok("explain", model, "--values", "color=blue")
    parts = json.loads(desk.ok("explain", model, "--values", "a=15,color=red", "--json"))
    assert parts["prediction"] == "no" and parts["steps"]


def test_explain_refuses_values_that_make_no_sense(desk, model, table):
    assert "did you mean 'color'?" in desk.fails(3, "explain", model, "--values", "colour=red")
    assert 'column "a": "many" is not a number' in desk.fails(3, "explain", model, "--values", "a=many")
    desk.fails(2, "explain", model, "--values", "a")
    desk.fails(2, "explain", model)
    desk.fails(2, "explain", model, "--values", "a=1", "--data", table)


def test_info_tells_all(desk, model):
    text = desk.ok("info", model)
    for word in ("classification of y", "gini", "60", "xxh3:", "bough train table.csv", "color", "max_depth"):
        assert word in text
    parts = json.loads(desk.ok("info", model, "--json"))
    keys = [
        "task",
        "criterion",
        "trees",
        "rows",
        "data_hash",
        "command",
        "made_by",
        "features",
        "targets",
        "params",
    ]
    assert set(keys) <= set(parts)
    assert parts["bytes"] == desk.path(model).stat().st_size


def test_info_marks_what_was_set(desk, table):
    desk.train(table, "--max-depth", "2")
    lines = [line.split() for line in desk.ok("info", "m.bough").splitlines()]
    assert ["max_depth", "2", "(set)"] in lines and ["seed", "0"] in lines


def test_params_as_text_json_and_schema(desk):
    text = desk.ok("params")
    names = [row["name"] for row in rows_of(desk)]
    assert all(f"\n  {name}\n" in text for name in names)
    assert "--max-depth" in desk.ok("params", "max_depth")
    assert "did you mean 'max_depth'?" in desk.fails(2, "params", "max_deth")
    schema = json.loads(desk.ok("params", "--schema"))
    assert set(schema["properties"]) == set(names)


def rows_of(desk):
    parameters = json.loads(desk.ok("params", "--json"))
    return parameters if isinstance(parameters, list) else parameters["params"]


def test_schema_reports_kinds_and_levels(desk, table):
    columns = {c["name"]: c for c in json.loads(desk.ok("schema", table))["columns"]}
    assert columns["a"]["kind"] == "numeric"
    assert columns["color"]["kind"] == "category" and columns["color"]["levels"] == ["blue", "green", "red"]


def test_demo_shows_everything_and_writes_its_files(desk):
    out = desk.ok("demo")
    assert "petal_length ≤ 2.45 → setosa 98.7%" in out and "training rows; after shrinkage: versicolor" in out
    assert "held out" in out and "accuracy" in out and "So the prediction is" in out
    assert desk.read("demo/tree.dot").startswith("digraph")
    assert json.loads(desk.read("demo/tree.json"))


def test_every_demo_set_is_listed_written_and_trained(desk):
    names = [line.split()[0] for line in desk.ok("demo", "--list").splitlines()]
    assert names[0] == "iris" and {"breast_cancer", "titanic", "tennis"} <= set(names)
    for name in names:
        assert "held out" in desk.ok("demo", name, "--dir", f"demo-{name}")
        assert desk.path(f"demo-{name}/tree.dot").exists()
        desk.ok("demo", "--write", name, "-o", f"{name}.csv")
        assert desk.read(f"{name}.csv") == desk.ok("demo", "--write", name)
    assert "did you mean 'tennis'?" in desk.fails(2, "demo", "tenis")


def complete(desk, words):
    """What bash would offer for the last of the words."""
    quoted = " ".join(f"'{word}'" for word in words)
    setting = f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}"
    return desk.shell(
        f"source <(bough completion bash); {setting}; _bough; echo ${{COMPREPLY[@]}}"
    ).out.split()


def test_bash_completion_works(desk, table):
    assert complete(desk, ["bough", "tr"]) == ["train"]
    assert complete(desk, ["bough", "train", "--max-d"]) == ["--max-depth"]
    assert "entropy" in complete(desk, ["bough", "train", "--criterion", ""])
    assert complete(desk, ["bough", "export", "m.bough", "--to", "d"]) == ["dot"]
    assert complete(desk, ["bough", "train", "tab"]) == ["table.csv"]
    assert complete(desk, ["bough", "completion", "z"]) == ["zsh"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_sound(desk, shell):
    script = desk.ok("completion", shell)
    assert all(verb in script for verb in VERBS) and "max-depth" in script
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed, so its script is not parsed")
    desk.write("script", script)
    assert desk.shell(f"{shell} -n script").code == 0


def test_completion_knows_its_shells(desk):
    assert "bash, zsh, fish" in desk.fails(2, "completion", "csh")


def test_a_confusion_of_many_classes_lists_the_largest(desk):
    lines = [f"{i % 12},c{(i % 12) if i % 5 else (i + 1) % 12:02d}" for i in range(240)]
    desk.write("many.csv", "x,y\n" + "\n".join(lines) + "\n")
    desk.ok("train", "many.csv", "--target", "y", "--category", "y", "-o", "many.bough")
    out = desk.ok("evaluate", "many.bough", "many.csv")
    # One row in five has the next class: 12 pairs of 4 rows each, 20% of the class.
    assert "  192 of 240 are right; the largest of 12 confusions:" in out
    assert re.search(r"c01 +c00 +4 +20\.0%", out) and "true \\ predicted" not in out


@pytest.mark.parametrize(
    ("verb", "written", "option"),
    [
        ("train", "--n-estimators", "--forest"),
        ("train", "--n_estimators", "--forest"),
        ("train", "--minbucket", "--min-samples-leaf"),
        ("export", "--format", "--to"),
        ("prune", "--xval", ""),
    ],
)
def test_options_of_other_programs_are_named(desk, verb, written, option):
    """Where a command has the option under another name, the hint says it."""
    error = desk.fails(2, verb, "any", written, "10")
    assert f"has no option {written}" in error
    assert (f"it is called {option} here" in error) == bool(option)

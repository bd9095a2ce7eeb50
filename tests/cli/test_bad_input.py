# SPDX-License-Identifier: Apache-2.0
"""Bad input gives one clear error with the fix, its exit code, and leaves existing files as they were."""

import os
import shlex
import stat

import pytest

BAD_PARAMS, BAD_DATA, BAD_MODEL, IO, NOT_SUPPORTED = 2, 3, 4, 5, 6

# name: (table, further options, what the message must say)
BAD_TABLES = {
    "an empty file": ("", [], ["empty"]),
    "only blank lines": ("\n\n", [], ["empty"]),
    "a header without rows": ("a,y\n", [], ["no rows"]),
    "a target that is not there": ("a,b\n1,2\n2,3\n", [], ["'y'", "a, b"]),
    "a target that is all missing": ("a,y\n1,\n2,NA\n", [], ["'y'", "missing"]),
    "a target that is infinite": ("a,y\n1,0.5\n2,1.5\n3,inf\n", [], ["'y'", "infinite", "row 3"]),
    "a target that is minus infinite": ("a,y\n1,-inf\n2,1.5\n3,2.5\n", [], ["'y'", "infinite", "row 1"]),
    "a weight that is NaN": ("a,w,y\n1,1,u\n2,nan,v\n", ["--weight", "w"], ["'w'", "row 2"]),
    "a weight that is missing": ("a,w,y\n1,1,u\n2,,v\n", ["--weight", "w"], ["'w'", "missing", "row 2"]),
    "a weight that is infinite": ("a,w,y\n1,1,u\n2,inf,v\n", ["--weight", "w"], ["'w'", "inf", "row 2"]),
    "a weight that is negative": ("a,w,y\n1,1,u\n2,-3,v\n", ["--weight", "w"], ["'w'", "-3", "row 2"]),
    "a weight that is lost beside the others": (
        "a,w,y\n1,1e12,u\n2,1e-12,v\n", ["--weight", "w"], ["row 2", "lost"],
    ),
    "weights that are too large": ("a,w,y\n1,1e300,u\n2,1e300,v\n", ["--weight", "w"], ["2e+300", "1e100"]),
    "weights that are too small": (
        "a,w,y\n1,1e-320,u\n2,1e-320,v\n", ["--weight", "w"], ["e-320", "1e-100"],
    ),
    "a target that is too large": ("a,y\n1,0.5\n2,1.5\n3,1e300\n", [], ["'y'", "1e+300", "row 3"]),
    "a target that no double is near": ("a,y\n1,0.5\n2,1.5\n3,1e999\n", [], ["'y'", "infinite", "row 3"]),
    "a target of 400 digits": (f"a,y\n1,0.5\n2,1.5\n3,{'7' * 400}\n", [], ["'y'", "infinite", "row 3"]),
    "weights that are all 0": ("a,w,y\n1,0,u\n2,0,v\n", ["--weight", "w"], ["'w'", "0"]),
    "a weight that is text": ("a,w,y\n1,one,u\n2,two,v\n", ["--weight", "w"], ["w", "text"]),
    "a weight that is not there": ("a,y\n1,u\n2,v\n", ["--weight", "w"], ["'w'"]),
    "a column name used twice": ("a,a,y\n1,2,u\n2,3,v\n", [], ['"a"', "twice"]),
    "a row that is too short": ("a,b,y\n1,2,u\n3,v\n", [], ["line 3", "2 cells where 3"]),
    "a row that is too long": ("a,b,y\n1,2,u\n3,4,v,w\n", [], ["line 3", "4 cells where 3"]),
    "a quote without an end": ('a,y\n1,u\n2,"v\n', [], ["line 3"]),
    "numbers and words in the target": ("a,y\n1,u\n2,7\n", [], ["'y'", "'u' in row 1", "--category"]),
    "a word in a column of numbers": ("a,y\n1,u\nabc,v\n", ["--numeric", "a"], ["line 3", '"a"', '"abc"']),
    "a value that the order does not list": (
        "a,y\nlow,u\nhuge,v\n", ["--ordinal", "a:low<mid<high"], ['"a"', '"huge"'],
    ),
    "text without an order": ("a,y\nlow,u\nhigh,v\n", ["--ordinal", "a"], ['"a"', "order"]),
    "no column left to learn from": ("a,y\n1,u\n2,v\n", ["--ignore", "a"], ["no column is left"]),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_TABLES)
def test_training_refuses(name, desk):
    table, words, said = BAD_TABLES[name]
    desk.write("bad.csv", table)
    desk.write("m.bough", "the old model")
    result = desk.run("train", "bad.csv", "--target", "y", "-o", "m.bough", *words)
    assert result.code in (BAD_PARAMS, BAD_DATA), result.err
    assert result.err.startswith("bough: error: ") and result.err.count("error:") == 1
    assert "\n  hint: " in result.err, "the error must say what to do"
    assert result.out == ""
    for text in said:
        assert text in result.err
    assert desk.read("m.bough") == "the old model"
    assert desk.names() == ["bad.csv", "m.bough"]


# cell: what the split between it and the numbers 1 to 6 must say
ODD_CELLS = {
    "1e999": "a ≤ 6",
    "-1e999": "a ≤ -inf",
    "inf": "a ≤ 6",
    "-inf": "a ≤ -inf",
    "nan": "a is missing",
    "1" * 400: "a ≤ 6",
    "-" + "1" * 400: "a ≤ -inf",
    "1e-400": "a ≤ 1",
    "0." + "0" * 400 + "1": "a ≤ 1",
    "-0": "a ≤ 1",
    "5e-324": "a ≤ 1",
    "1e308": "a ≤ 5e+307",
    "-1.7976931348623157e308": "a ≤ -8.9884657e+307",
}


@pytest.mark.parametrize("cell", ODD_CELLS, ids=lambda cell: cell[:12])
def test_cells_at_the_edge_of_doubles_are_told_from_others(cell, desk):
    rows = "".join(f"{cell if i % 3 == 0 else 1 + i % 6},{'u' if i % 3 == 0 else 'v'}\n" for i in range(30))
    desk.write("odd.csv", "a,y\n" + rows)
    result = desk.run("train", "odd.csv", "--target", "y", "--holdout", "0", "-o", "m.json")
    assert result.code == 0, result.err
    shown = desk.run("show", "m.json").out
    assert ODD_CELLS[cell] in shown
    assert shown.count("% · ") == 3
    answers = desk.run("predict", "m.json", "odd.csv").out.split()[1:]
    assert answers == ["u" if i % 3 == 0 else "v" for i in range(30)]


def test_what_the_warning_of_a_mixed_column_names_works(desk):
    desk.write("mixed.csv", "a,b,y\n1,5,u\nabc,6,v\n3,7,u\n4,8,v\n")
    assert "column 'a'" in desk.run("train", "mixed.csv", "-t", "y").err
    for words in (("--category", "a"), ("--ignore", "a"), ("--missing", "abc")):
        result = desk.run("train", "mixed.csv", "-t", "y", *words)
        assert result.code == 0 and "column 'a'" not in result.err


def test_the_hint_for_a_mixed_column_can_be_pasted_into_a_shell(desk):
    desk.write("mixed.csv", 'it\'s,"b, c",y\n1,5,u\nabc,x,v\n3,7,u\n4,8,v\n')
    warnings = desk.run("train", "mixed.csv", "-t", "y").err
    for part in warnings.split("(--category ")[1:]:
        name = shlex.split(part[: part.index(" says that")])
        result = desk.run("train", "mixed.csv", "-t", "y", "--category", *name)
        assert result.code == 0 and result.err.count("says that this is right") == 1


def test_all_mixed_columns_are_named_at_once(desk):
    desk.write("mixed.csv", "a,b,y\n1,z,u\nabc,6,v\n")
    warnings = desk.run("train", "mixed.csv", "-t", "y").err
    assert "column 'a'" in warnings and "column 'b'" in warnings


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--min-samples-leaf", "1.5", "fraction in (0, 1]"),
        ("--min-samples-leaf", "0.0", "fraction in (0, 1]"),
        ("--min-samples-leaf", "0", "--min-samples-leaf"),
        ("--min-samples-split", "1", "--min-samples-split"),
        ("--min-weight-fraction-leaf", "0.6", "[0, 0.5]"),
        ("--min-weight-fraction-leaf", "-0.1", "[0, 0.5]"),
        ("--max-features", "1.2", "--max-features"),
        ("--quantile", "0", "quantile"),
        ("--max-leaf-nodes", "1", "--max-leaf-nodes"),
        ("--max-depth", "2.5", "--max-depth"),
        ("--seed", "-1", "seed"),
        ("--holdout", "1", "--holdout"),
        ("--holdout", "-0.2", "--holdout"),
        ("--threads", "-1", "--threads"),
        ("--threads", "many", "--threads"),
        ("--delimiter", "ab", "--delimiter"),
    ],
)
def test_values_out_of_range_are_refused_by_name(desk, table, option, value, said):
    error = desk.fails(BAD_PARAMS, "train", table, "-t", "y", "-o", "m.bough", option, value)
    assert said in error
    assert not desk.path("m.bough").exists()


def test_max_depth_0_is_refused_with_the_hint_none(desk, table):
    error = desk.fails(BAD_PARAMS, "train", table, "-t", "y", "--max-depth", "0")
    assert "--max-depth" in error and "hint: use `none` for no limit" in error
    desk.ok("train", table, "-t", "y", "--max-depth", "none")


def test_every_bad_parameter_is_named_at_once(desk, table):
    words = ["--max-depth", "0", "--min-samples-leaf", "2.5", "--quantile", "7"]
    error = desk.fails(BAD_PARAMS, "train", table, "-t", "y", *words)
    assert all(name in error for name in ("--max-depth", "--min-samples-leaf", "quantile"))


@pytest.mark.parametrize("values", ["k", "3.25"], ids=["one class", "one number"])
def test_a_constant_target_gives_one_leaf_and_a_warning(desk, values):
    desk.write("constant.csv", "a,y\n" + "".join(f"{i},{values}\n" for i in range(20)))
    result = desk.run("train", "constant.csv", "-t", "y", "-o", "m.bough")
    assert result.code == 0
    assert "1 node, 1 leaf, depth 0" in result.out
    assert "bough: warning: " in result.err and "'y'" in result.err
    prediction = desk.ok("predict", "m.bough", "constant.csv").splitlines()
    assert prediction == ["prediction", *[values] * 20]


def test_a_folder_that_is_not_there_is_refused_before_training(desk, table):
    error = desk.fails(IO, "train", table, "-t", "y", "-o", "nowhere/m.bough")
    assert "nowhere/m.bough" in error


def test_a_folder_as_output_is_refused(desk, table):
    desk.path("folder").mkdir()
    desk.fails(IO, "train", table, "-t", "y", "-o", "folder")


def test_a_folder_that_may_not_be_written_is_refused(desk, table):
    folder = desk.path("closed")
    folder.mkdir()
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    if os.access(folder, os.W_OK):
        pytest.skip("this user may write everywhere")
    desk.fails(IO, "train", table, "-t", "y", "-o", "closed/m.bough")


def test_a_full_device_is_an_error(desk, model, table):
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    assert "No space left" in desk.fails(IO, "predict", model, table, "-o", "/dev/full")
    result = desk.shell(f"bough predict {model} {table} > /dev/full")
    assert result.code == IO and "No space left" in result.err


def test_inputs_are_never_overwritten(desk, table, model):
    before = desk.read(table)
    desk.fails(BAD_PARAMS, "train", table, "-t", "y", "-o", table)
    desk.path("link.csv").symlink_to(table)
    desk.fails(BAD_PARAMS, "train", table, "-t", "y", "-o", "link.csv")
    desk.fails(BAD_PARAMS, "predict", model, table, "-o", table)
    desk.fails(BAD_PARAMS, "predict", model, table, "-o", model)
    desk.fails(BAD_PARAMS, "export", model, "--to", "json", "-o", model)
    desk.fails(BAD_PARAMS, "schema", table, "-o", table)
    assert desk.read(table) == before


def test_a_file_that_is_not_there(desk, model):
    assert "nothing.csv" in desk.fails(IO, "train", "nothing.csv", "-t", "y")
    assert "nothing.csv" in desk.fails(IO, "predict", model, "nothing.csv")
    assert "nothing.bough" in desk.fails(IO, "show", "nothing.bough")
    assert "nothing.toml" in desk.fails(IO, "train", "table.csv", "-t", "y", "--config", "nothing.toml")
    assert "nothing.json" in desk.fails(IO, "train", "table.csv", "-t", "y", "--schema", "nothing.json")


@pytest.mark.parametrize("verb", ["show", "info", "predict", "export"])
def test_a_file_that_is_no_model(desk, table, verb):
    words = {"predict": [table], "export": ["--to", "text"]}.get(verb, [])
    desk.fails(BAD_MODEL, verb, table, *words)


def test_a_damaged_model_is_refused(desk, model):
    data = desk.path(model).read_bytes()
    desk.write("short.bough", data[: len(data) // 2])
    desk.fails(BAD_MODEL, "show", "short.bough")
    desk.write("altered.bough", data[:-40] + bytes([data[-40] ^ 1]) + data[-39:])
    desk.fails(BAD_MODEL, "show", "altered.bough")


def test_rows_that_lack_a_column_are_refused_by_name(desk, model):
    desk.write("rows.csv", "a,colour\n1,red\n")
    error = desk.fails(BAD_DATA, "predict", model, "rows.csv")
    assert '"color"' in error and '"b"' in error and "colour" in error


def test_a_refused_table_leaves_no_output(desk, model):
    desk.write("rows.csv", "a,b\n1,2\n")
    desk.write("old.csv", "old")
    desk.fails(BAD_DATA, "predict", model, "rows.csv", "-o", "old.csv")
    assert desk.read("old.csv") == "old"
    assert desk.names() == ["m.bough", "old.csv", "rows.csv", "table.csv"]


def test_further_and_reordered_columns_do_not_matter(desk, model, table):
    rows = [line.split(",") for line in desk.read(table).splitlines()]
    moved = "\n".join(f"{row[2]},{i},{row[1]},{row[0]}" for i, row in enumerate(rows[1:]))
    desk.write("moved.csv", "b,extra,color,a\n" + moved + "\n")
    assert desk.ok("predict", model, "moved.csv") == desk.ok("predict", model, table)


def test_words_in_a_column_of_numbers_are_refused_by_name(desk, model, table):
    desk.write("retyped.csv", "a,color,b\n1,red,0.5\nmany,red,0.5\n")
    error = desk.fails(BAD_DATA, "predict", model, "retyped.csv")
    assert '"a"' in error and "many" in error


def test_numbers_in_a_column_of_words_are_told(desk, model):
    desk.write("retyped.csv", "a,color,b\n1,,0.5\n1,7,0.5\n2,8,0.5\n")
    result = desk.run("predict", model, "retyped.csv")
    assert result.code == 0 and result.out.count("\n") == 4
    assert "in 2 rows, column 'color' holds a value that the model has not seen, such as '7'" in result.err


def test_one_number_among_words_is_only_an_unseen_category(desk, model):
    desk.write("rows.csv", "a,color,b\n1,7,0.5\n2,8,0.5\n2,red,0.5\n")
    assert desk.ok("predict", model, "rows.csv").count("\n") == 4


def test_not_enough_memory_is_an_error_of_its_own(desk, unsanitized):
    desk.write("wide.csv", "a,y\n" + "1.5,2.5\n" * 2_000_000)
    result = desk.shell("ulimit -v 60000; bough train wide.csv -t y")
    assert result.code == 6, result.err
    assert "memory" in result.err


# Options that belong to another one, and what is off without it.
ALONE = {
    "--feature-combinations 3": "oblique", "--projection-weights continuous": "oblique",
    "--projection-scale standard": "oblique", "--axis-candidates false": "oblique",
    "--honest-fraction 0.3": "honest", "--honest-method prune": "honest", "--honest-prior ignore": "honest",
    "--honest-stratify false": "honest", "--min-honest-rows 4": "honest", "--tao-fraction 0.1": "tao",
    "--bootstrap false": "forest", "--max-samples 0.5": "forest", "--little-bags 2": "forest",
    "--class-weight balanced_subsample": "forest", "--causal-split propensity": "treatment",
    "--min-samples-arm 9": "treatment",
}  # fmt: skip


@pytest.mark.parametrize("words", ALONE)
def test_an_option_without_the_one_it_belongs_to_is_refused(words, desk):
    desk.write("rows.csv", "a,y\n1,u\n2,v\n3,u\n4,v\n")
    result = desk.run("train", "rows.csv", "--target", "y", "-o", "m.bough", *words.split())
    assert result.code == BAD_PARAMS, result.err
    assert words.split()[0] in result.err and ALONE[words] in result.err
    assert desk.names() == ["rows.csv"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--interval", "0"], "--interval must lie between 0 and 1, but is 0"),
        (["--interval", "-1"], "--interval must lie between 0 and 1, but is -1"),
        (["--mean-interval", "0"], "--mean-interval must lie between 0 and 1, but is 0"),
        (["--quantile", ""], "--quantile"),
        (["--interval-by", "leaf"], "--interval-by does nothing, because --interval is not given"),
    ],
)
def test_predicting_refuses_spreads_that_say_nothing(words, said, desk):
    desk.write("rows.csv", "a,t,y\n" + "".join(f"{i},{i % 2},{i}.5\n" for i in range(40)))
    for more in ([], ["--treatment", "t"]):
        desk.ok("train", "rows.csv", "--target", "y", "-o", "m.bough", *more)
        result = desk.run("predict", "m.bough", "rows.csv", *words)
        assert result.code == BAD_PARAMS and said in result.err, result.err
        assert result.out == ""


def test_intervals_that_a_causal_tree_lacks_are_refused_with_the_option_to_use(desk):
    desk.write("rows.csv", "a,t,y\n" + "".join(f"{i},{i % 2},{i}.5\n" for i in range(40)))
    desk.ok("train", "rows.csv", "--target", "y", "--treatment", "t", "-o", "m.bough")
    result = desk.run("predict", "m.bough", "rows.csv", "--mean-interval", "0.9")
    assert result.code == NOT_SUPPORTED and "hint: --interval adds" in result.err, result.err
    result = desk.run("predict", "m.bough", "rows.csv", "--interval", "0.9")
    assert result.code == NOT_SUPPORTED and "set --honest" in result.err, result.err

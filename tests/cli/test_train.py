# SPDX-License-Identifier: Apache-2.0
"""bough train: its options, its scores, its files."""

import json
import random
import re

import pytest


def train_json(desk, *words):
    return json.loads(desk.ok("train", *words, "--json"))


def write_noise(desk):
    draw = random.Random(2)
    rows = [f"{draw.random()},{draw.random()},{draw.random()}\n" for _ in range(300)]
    desk.write("noise.csv", "a,b,y\n" + "".join(rows))


def features_of(desk, model="m.bough"):
    """Kind and levels by name."""
    columns = json.loads(desk.ok("info", model, "--json"))["features"]["columns"]
    return {c["name"]: (c["kind"], c.get("levels", c.get("order"))) for c in columns}


def test_nothing_but_the_target_is_needed(desk, table):
    out = desk.ok("train", table, "--target", "y", "-o", "m.bough")
    assert "classification of y (no, yes)" in out
    assert "training" in out and "held out" in out
    assert "saved m.bough, grown on all 60 rows" in out
    assert "a > 9.5" in out and "color" in out, "a small tree is shown"
    assert features_of(desk) == {
        "a": ("numeric", None), "color": ("category", ["blue", "green", "red"]), "b": ("numeric", None),
    }  # fmt: skip


def test_without_output_nothing_is_saved_and_that_is_said(desk, table):
    assert "not saved" in desk.ok("train", table, "-t", "y")
    assert desk.names() == ["table.csv"]


def test_the_held_out_rows_are_a_fifth_of_every_class(desk):
    # 100 u, 50 v, 10 w, 1 x: a fifth is 20, 10, 2 and 0.2 rows; the lonely one stays in training.
    labels = ["u"] * 100 + ["v"] * 50 + ["w"] * 10 + ["x"]
    random.Random(1).shuffle(labels)
    desk.write("classes.csv", "a,y\n" + "".join(f"{i},{label}\n" for i, label in enumerate(labels)))
    result = train_json(desk, "classes.csv", "-t", "y")
    evaluation = result["held_out"][0]
    held_out = {
        name: sum(row) for name, row in zip(evaluation["classes"], evaluation["confusion"], strict=True)
    }
    assert result["holdout"] == 0.2
    assert result["training"][0]["n_rows"] + result["held_out"][0]["n_rows"] == 161
    for label, share in (("u", 20), ("v", 10), ("w", 2)):
        assert abs(held_out[label] - share) <= 1
    assert held_out["x"] == 0


def test_held_out_rows_follow_the_seed_and_nothing_else(desk):
    write_noise(desk)
    first = train_json(desk, "noise.csv", "-t", "y")
    assert train_json(desk, "noise.csv", "-t", "y", "--threads", "1") == first
    assert train_json(desk, "noise.csv", "-t", "y", "--seed", "1")["held_out"] != first["held_out"]


def test_the_share_held_out_can_be_chosen(desk, table):
    assert train_json(desk, table, "-t", "y", "--holdout", "0.5")["held_out"][0]["n_rows"] == 30
    result = train_json(desk, table, "-t", "y", "--holdout", "0")
    assert "held_out" not in result and result["training"][0]["n_rows"] == 60
    assert "held out" not in desk.ok("train", table, "-t", "y", "--holdout", "0")


def test_held_out_rows_do_not_change_the_saved_model(desk, table):
    desk.train(table, model="alone.bough")
    desk.ok("train", table, "-t", "y", "-o", "scored.bough")
    assert desk.ok("show", "scored.bough") == desk.ok("show", "alone.bough")
    assert desk.ok("export", "scored.bough", "--to", "dot") == desk.ok("export", "alone.bough", "--to", "dot")


def test_a_test_table_takes_the_place_of_held_out_rows(desk, table):
    desk.write("test.csv", "y,b,color,a\nyes,0.5,blue,12\nno,0.5,red,12\nyes,0.5,red,3\n")
    result = train_json(desk, table, "-t", "y", "--test", "test.csv")
    assert result["training"][0]["n_rows"] == 60
    assert result["test"][0]["n_rows"] == 3
    assert result["test"][0]["scores"]["accuracy"] == pytest.approx(2 / 3)
    assert "held_out" not in result


def test_too_few_rows_to_hold_out_are_still_trained(desk):
    desk.write("two.csv", "a,y\n1,u\n2,v\n")
    out = desk.ok("train", "two.csv", "-t", "y", "-o", "m.bough")
    assert "no held-out score" in out and "saved m.bough" in out


def test_numbers_are_regressed_on(desk):
    # y is 2 for a = 0 and 8.5 for a = 1: one split, no error on any row.
    desk.write("steps.csv", "a,y\n" + "0,2\n1,8.5\n" * 20)
    result = train_json(desk, "steps.csv", "-t", "y")
    assert result["task"] == "regression"
    assert result["trees"] == [{"nodes": 3, "leaves": 2, "depth": 1}]
    assert result["held_out"][0]["scores"]["rmse"] == 0


def test_several_targets_by_comma_or_by_repetition(desk):
    desk.write("two.csv", "a,u,v\n" + "".join(f"{a},{a / 2},{9.5 - a}\n" for a in range(20)))
    by_comma = train_json(desk, "two.csv", "--target", "u,v")
    assert [e["target"] for e in by_comma["held_out"]] == ["u", "v"]
    assert train_json(desk, "two.csv", "--target", "u", "--target", "v") == by_comma


def test_weights_count_as_repeated_rows(desk):
    desk.write("rows.csv", "a,w,y\n1,3,u\n2,1,v\n")
    desk.write("repeated.csv", "a,w,y\n1,3,u\n1,3,u\n1,3,u\n2,1,v\n")
    desk.write("one.csv", "a\n1.5\n")
    limits = ["--min-weight-fraction-leaf", "0.3"]  # no split: a leaf of one row would hold a quarter
    desk.train("rows.csv", "--weight", "w", *limits, model="w.bough")
    desk.train("repeated.csv", "--ignore", "w", *limits, model="r.bough")
    assert features_of(desk, "w.bough") == {"a": ("numeric", None)}
    weighted = desk.ok("predict", "w.bough", "one.csv", "--proba")
    assert weighted == "prediction,proba_u,proba_v\nu,0.75,0.25\n"
    assert weighted == desk.ok("predict", "r.bough", "one.csv", "--proba")


def test_kinds_of_columns_can_be_said(desk):
    rows = "".join(f"{i % 4},{['low', 'high', 'mid'][i % 3]},{i % 5},{i % 2}\n" for i in range(40))
    desk.write("kinds.csv", "code,size,grade,y\n" + rows)
    desk.train("kinds.csv", "--category", "code,y", "--ordinal", "size:low<mid<high", "--ordinal", "grade")
    assert features_of(desk) == {
        "code": ("category", ["0", "1", "2", "3"]),
        "size": ("ordinal", ["low", "mid", "high"]),
        "grade": ("ordinal", [0, 1, 2, 3, 4]),
    }


def test_contradictions_between_columns_are_refused(desk, table):
    desk.fails(2, "train", table, "-t", "y", "--category", "a", "--numeric", "a")
    desk.fails(2, "train", table, "-t", "y", "--ignore", "y")
    desk.fails(2, "train", table, "-t", "y,y")
    desk.fails(2, "train", table, "-t", "y", "--weight", "y")
    desk.fails(2, "train", table, "-t", "y", "--ordinal", "low<high")


def test_unknown_columns_are_named_with_those_that_are_near(desk, table):
    error = desk.fails(3, "train", table, "-t", "y", "--ignore", "colour", "--category", "bb")
    assert "'colour', 'bb'" in error and "did you mean 'color'?" in error


def test_a_schema_file_comes_back_edited(desk, table):
    desk.ok("schema", table, "--target", "y", "-o", "schema.json")
    schema = json.loads(desk.read("schema.json"))
    by_name = {column["name"]: column for column in schema["columns"]}
    assert by_name["y"]["role"] == "target" and by_name["color"]["kind"] == "category"
    by_name["color"].update(kind="ordinal", order=["green", "red", "blue"])
    del by_name["color"]["levels"]
    by_name["b"]["role"] = "ignored"
    desk.write("schema.json", json.dumps(schema))
    desk.ok("train", table, "--schema", "schema.json", "-o", "m.bough")
    assert features_of(desk) == {"a": ("numeric", None), "color": ("ordinal", ["green", "red", "blue"])}
    desk.ok("train", table, "--schema", "schema.json", "-o", "m.bough", "--category", "color")
    assert features_of(desk)["color"] == ("category", ["blue", "green", "red"]), "the command line goes first"


def test_an_unedited_schema_changes_nothing(desk, table):
    desk.ok("schema", table, "-o", "schema.json")
    desk.train(table, model="plain.bough")
    desk.train(table, "--schema", "schema.json", model="schema.bough")
    assert desk.ok("export", "plain.bough", "--to", "dot") == desk.ok("export", "schema.bough", "--to", "dot")


def test_parameters_come_from_options(desk, table):
    words = [
        "--max-depth",
        "1",
        "--criterion",
        "entropy",
        "--min-samples-leaf",
        "0.1",
        "--class-weight",
        "yes=2,no=1",
    ]
    desk.train(table, *words)
    info = json.loads(desk.ok("info", "m.bough", "--json"))
    assert info["criterion"] == "entropy" and info["trees"][0]["depth"] == 1
    assert info["params"]["min_samples_leaf"] == 0.1
    assert info["params"]["class_weight"] == {"yes": 2, "no": 1}


def test_every_parameter_has_an_option_that_takes_its_default(desk, table):
    parameters = json.loads(desk.ok("params", "--json"))
    rows = parameters if isinstance(parameters, list) else parameters["params"]
    words = []
    for row in rows:
        text = desk.ok("params", row["name"])
        one = [f"--{row['name'].replace('_', '-')}", text.split("default ")[1].split(";")[0].strip()]
        result = desk.run(
            "train", table, "--target", "y", "-o", "one.bough", "--holdout", "0", "--size", "full", *one
        )
        if result.code == 0:
            words += one
        else:  # an option that changes nothing here is refused at its default, too
            assert "does nothing" in str(result.err), result.err
    assert len(words) >= 2 * 16
    desk.train(table, model="plain.bough")
    desk.train(table, *words, model="spelled.bough")
    assert desk.ok("show", "plain.bough") == desk.ok("show", "spelled.bough")


def test_a_config_file_is_read_and_overridden(desk, table):
    lines = [
        "max_depth = 1  # shallow",
        'target = "y"',
        'ignore = ["b", "color"]',
    ]
    desk.write("c.toml", "\n".join(lines) + "\n")
    desk.ok("train", table, "--config", "c.toml", "-o", "m.bough")
    info = json.loads(desk.ok("info", "m.bough", "--json"))
    assert info["params"]["max_depth"] == 1 and list(features_of(desk)) == ["a"]
    desk.ok("train", table, "--config", "c.toml", "-o", "m.bough", "--max-depth", "3")
    assert json.loads(desk.ok("info", "m.bough", "--json"))["params"]["max_depth"] == 3


def test_a_config_file_with_unknown_words_is_refused(desk, table):
    desk.write("c.toml", "max_deepth = 1\n")
    error = desk.fails(2, "train", table, "-t", "y", "--config", "c.toml")
    assert "'max_deepth'" in error and "max-depth" in error


def test_a_large_tree_is_summed_up(desk):
    write_noise(desk)
    out = desk.ok("train", "noise.csv", "-t", "y", "--size", "full")
    assert "Importances:" in out and "█" in out and "├" not in out


def noisy_table(categories):
    """Two columns of four tell the label, and 15 of 100 labels are wrong."""
    draw = random.Random(0)
    lines = ["a,b,c,d,y" + (",e" if categories else "")]
    for k in range(120):
        x = [round(draw.gauss(0, 1), 2) for _ in range(4)]
        label = "u" if (x[0] > 0) ^ (x[1] > 0) ^ (draw.random() < 0.15) else "v"
        lines.append(",".join(map(str, [*x, label, *([f"w{k % 40}"] if categories else [])])))
    return "\n".join(lines) + "\n"


def test_categories_are_blamed_for_noise_only_where_there_are_any(desk):
    for categories in (False, True):
        desk.write("t.csv", noisy_table(categories))
        out = desk.ok("train", "t.csv", "-t", "y", "--holdout", "0.3")
        assert "it has learned noise" in out
        assert ("Columns of many categories often cause this (here e)" in out) == categories
        assert categories or "categories" not in out


def test_only_categories_that_the_tree_asks_about_are_blamed_for_noise(desk):
    lines = noisy_table(True).splitlines()
    lines = [lines[0] + ",same", *(f"{line},s{0 if k > 20 else k}" for k, line in enumerate(lines[1:]))]
    desk.write("t.csv", "\n".join(lines) + "\n")
    out = desk.ok("train", "t.csv", "-t", "y", "--holdout", "0.3", "-o", "m.bough")
    used = "same" in desk.ok("show", "m.bough")
    assert ("same" in re.search(r"often cause this \(here (.*)\)", out)[1]) == used and not used


def test_models_can_be_json(desk, table):
    desk.train(table, model="m.json")
    assert json.loads(desk.read("m.json"))
    desk.train(table, model="m.bough")
    assert desk.ok("show", "m.json") == desk.ok("show", "m.bough")


def test_the_table_may_come_from_standard_input(desk, table):
    text = desk.read(table)
    desk.train(table, model="file.bough")
    desk.ok("train", "-", "-t", "y", "-o", "pipe.bough", "--holdout", "0", "--size", "full", stdin=text)
    assert desk.ok("show", "file.bough") == desk.ok("show", "pipe.bough")


def test_reading_options_reach_the_reader(desk, table):
    text = desk.read(table)
    desk.train(table, model="plain.bough")
    desk.write("tabs.txt", text.replace(",", "\t"))
    desk.train("tabs.txt", "--delimiter", "tab", model="tabs.bough")
    assert desk.ok("show", "tabs.bough") == desk.ok("show", "plain.bough")
    desk.write("headless.csv", text.split("\n", 1)[1])
    desk.train("headless.csv", "--no-header", target="x3", model="headless.bough")
    assert list(features_of(desk, "headless.bough")) == ["x0", "x1", "x2"]
    desk.write("marked.csv", text.replace("red", "-"))
    desk.train("marked.csv", "--missing", "-,?", model="marked.bough")
    assert features_of(desk, "marked.bough")["color"] == ("category", ["blue", "green"])


def test_other_formats_are_read_by_name_or_by_option(desk):
    head = "@relation r\n@attribute a numeric\n@attribute c {1,2,x}\n@attribute y {u,v}\n@data\n"
    desk.write("t.arff", head + "1,1,u\n2,x,v\n3,2,u\n4,x,v\n")
    desk.train("t.arff", model="arff.bough")  # a declared category may hold numbers and words
    assert features_of(desk, "arff.bough")["c"][0] == "category"
    assert desk.ok("predict", "arff.bough", "t.arff").split() == ["prediction", "u", "v", "u", "v"]
    desk.write("t.data", "1 1:0.5 3:2\n-1 2:1\n1 1:3\n-1 2:5\n")
    desk.train("t.data", "--format", "svmlight", target="label", model="sparse.bough")
    predicted = desk.ok("predict", "sparse.bough", "t.data", "--format", "svmlight")
    assert predicted.split() == ["prediction", "1", "-1", "1", "-1"]


def test_closed_streams_do_no_harm(desk, table):
    desk.shell(f"bough train {table} -t y -o m.bough >&- 2>&-")
    desk.train(table, model="plain.bough")
    assert desk.ok("show", "m.bough") == desk.ok("show", "plain.bough")


def test_column_names_with_commas_go_in_quotes(desk):
    desk.write("odd.csv", '"a,b",c,y\n' + "".join(f"{i},{i % 3},{i % 2}\n" for i in range(20)))
    desk.train("odd.csv", "--ignore", '"a,b"')
    assert list(features_of(desk)) == ["c"]


def test_the_model_remembers_the_command(desk, table):
    desk.ok("train", table, "-t", "y", "--ordinal", "a", "-o", "my model.bough")
    info = json.loads(desk.ok("info", "my model.bough", "--json"))
    assert info["command"] == "bough train table.csv -t y --ordinal a -o 'my model.bough'"
    assert info["rows"] == 60 and info["data_hash"].startswith("xxh3:")


def test_names_of_several_lines_stay_on_one(desk):
    rows = "".join(f"{i},{'u' if i % 40 < 20 else 'v'}\n" for i in range(40))
    desk.write("names.csv", '"a\nb","y\ny"\n' + rows.replace("u", '"u\nu"'))
    out = desk.ok("train", "names.csv", "--target", "y\ny", "-o", "m.bough")
    assert "classification of y\\ny (u\\nu, v)" in out
    assert "a\\nb  " in desk.ok("info", "m.bough")


def test_search_and_tao_are_options_of_train(desk):
    rows = ["a,b,y"] + [
        f"{i % 20},{i * 7 % 19},{'yes' if (i % 20 < 10) != (i * 7 % 19 < 9) else 'no'}" for i in range(380)
    ]
    desk.write("xor.csv", "\n".join(rows) + "\n")
    depth = ("--target", "y", "--max-depth", "2")
    desk.ok("train", "xor.csv", *depth, "--search", "optimal", "-o", "best.bough")
    scores = json.loads(desk.ok("evaluate", "best.bough", "xor.csv", "--json"))["evaluations"][0]["scores"]
    assert scores["accuracy"] == 1.0
    assert "proven: no tree of at most depth 2 has fewer" in " ".join(desk.ok("info", "best.bough").split())
    refused = desk.run("train", "xor.csv", "--target", "y", "--search", "optimal", "-o", "no.bough")
    assert refused.code != 0 and "--max-leaf-nodes" in refused.err
    desk.ok("train", "xor.csv", "--target", "y", "--max-depth", "3", "--tao", "5", "-o", "refined.bough")
    assert "tao" in desk.ok("info", "refined.bough")
    refused = desk.run("train", "xor.csv", "--target", "y", "--tao", "5", "--forest", "3", "-o", "no.bough")
    assert refused.code != 0 and "forest" in refused.err


def test_out_of_bag_scores_are_of_rows_that_trees_have_not_seen_and_need_the_weights_of_the_fit(desk):
    coins = random.Random(5)
    desk.write("noise.csv", "a,b,w,y\n" + "".join(
        f"{coins.random()},{coins.random()},{coins.randint(1, 3)},{coins.choice('uv')}\n" for _ in range(400)
    ))  # fmt: skip
    common = ("noise.csv", "--target", "y", "--forest", "60", "-o", "f.bough")
    found = train_json(desk, *common, "--ignore", "w", "--calibration-fraction", "0.2")
    assert 0.35 < found["out_of_bag"][0]["scores"]["accuracy"] < 0.65
    desk.ok("train", *common, "--weight", "w")
    refused = desk.run("forest", "f.bough", "noise.csv")
    assert refused.code != 0 and "grown with row weights" in refused.err and "--weight" in refused.err
    desk.ok("forest", "f.bough", "noise.csv", "--weight", "w")
    desk.ok("report", "f.bough", "--train-data", "noise.csv", "-o", "r.html")

# SPDX-License-Identifier: Apache-2.0
"""bough predict and evaluate: forms of output, streaming, scores."""

import csv
import io
import json
import os
import subprocess

import pytest


def table_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_labels_come_row_by_row_under_a_header(desk, model, table):
    out = table_of(desk.ok("predict", model, table))
    truth = [row["y"] for row in table_of(desk.read(table))]
    assert [row["prediction"] for row in out] == truth, "a tree without limits knows its training rows"


def test_chances_leaves_and_ids_are_further_columns(desk, model, table):
    out = table_of(desk.ok("predict", model, table, "--proba", "--leaf", "--id", "color,b"))
    assert list(out[0]) == ["color", "b", "prediction", "proba_no", "proba_yes", "leaf"]
    for row, source in zip(out, table_of(desk.read(table)), strict=True):
        assert row["color"] == source["color"] and float(row["b"]) == float(source["b"])
        assert float(row["proba_no"]) + float(row["proba_yes"]) == 1
        assert int(row["leaf"]) > 0


def test_copied_columns_keep_their_spelling(desk, model):
    desk.write("rows.csv", "id,a,color,b\n007,1,red,0.5\n1e3,2,blue,0.5\n")
    assert desk.ok("predict", model, "rows.csv", "--id", "id") == "id,prediction\n007,no\n1e3,no\n"
    desk.write("rows.csv", 'id,a,color,b\n"x, ""y""",2,blue,0.5\n')
    assert desk.ok("predict", model, "rows.csv", "--id", "id") == 'id,prediction\n"x, ""y""",no\n'


def test_an_unknown_id_is_refused_with_a_near_name(desk, model, table):
    error = desk.fails(2, "predict", model, table, "--id", "colour")
    assert '"colour"' in error and '"color"' in error


def test_labels_are_quoted_when_they_must_be(desk):
    desk.write("odd.csv", 'a,y\n1,"u, v"\n2,"say ""w"""\n1,"u, v"\n2,"say ""w"""\n')
    desk.train("odd.csv")
    out = desk.ok("predict", "m.bough", "odd.csv")
    assert out == 'prediction\n"u, v"\n"say ""w"""\n"u, v"\n"say ""w"""\n'


def test_json_lines(desk, model, table):
    out = desk.ok("predict", model, table, "--to", "jsonl", "--proba", "--leaf")
    lines = [json.loads(line) for line in out.splitlines()]
    assert len(lines) == 60
    assert set(lines[0]) == {"prediction", "proba", "leaf"}
    assert set(lines[0]["proba"]) == {"no", "yes"}
    # --output was the form once: it still is, with a word, where it names one.
    old = desk.run("predict", model, table, "--output", "jsonl", "--proba", "--leaf")
    assert old.out == out and "--to jsonl now" in old.err
    desk.ok("predict", model, table, "--output", "out.csv")
    assert desk.read("out.csv").startswith("prediction\n")


def test_numbers_are_numbers_in_json_lines(desk):
    desk.write("steps.csv", "a,y\n" + "".join(f"{a},{a / 8}\n" for a in range(16)))
    desk.train("steps.csv")
    lines = desk.ok("predict", "m.bough", "steps.csv", "--to", "jsonl").splitlines()
    assert [json.loads(line)["prediction"] for line in lines] == [a / 8 for a in range(16)]
    numbers = desk.ok("predict", "m.bough", "steps.csv").split()[1:]
    assert numbers == [f"{a / 8:g}" for a in range(16)]
    desk.fails(2, "predict", "m.bough", "steps.csv", "--proba")


def test_several_targets_have_columns_of_their_own(desk):
    desk.write("two.csv", "a,u,v\n" + "".join(f"{a},{'pq'[a % 2]},{'rs'[a // 10]}\n" for a in range(20)))
    desk.train("two.csv", target="u,v")
    out = table_of(desk.ok("predict", "m.bough", "two.csv", "--proba"))
    assert list(out[0]) == [
        "prediction_u",
        "prediction_v",
        "proba_u_p",
        "proba_u_q",
        "proba_v_r",
        "proba_v_s",
    ]
    answers = [row["prediction_u"] + row["prediction_v"] for row in out]
    assert answers == ["pq"[a % 2] + "rs"[a // 10] for a in range(20)]


@pytest.mark.parametrize("batch", [1, 7, 60, 1000])
def test_blocks_do_not_change_the_answer(desk, model, table, batch):
    words = ["predict", model, table, "--proba", "--leaf", "--id", "b"]
    assert desk.ok(*words, "--batch", batch) == desk.ok(*words)


def test_standard_input_is_the_default(desk, model, table):
    assert desk.ok("predict", model, stdin=desk.read(table)) == desk.ok("predict", model, table)


def test_a_file_is_written_at_once_and_whole(desk, model, table):
    desk.write("out.csv", "old")
    desk.path("out.csv").chmod(0o640)
    assert desk.ok("predict", model, table, "-o", "out.csv") == ""
    assert desk.read("out.csv") == desk.ok("predict", model, table)
    assert desk.path("out.csv").stat().st_mode & 0o777 == 0o640, "a replaced file keeps its permissions"


def test_missing_and_unseen_cells_have_an_answer(desk, model):
    desk.write("rows.csv", "a,color,b\n,,\n15,violet,0.5\n")
    assert len(desk.ok("predict", model, "rows.csv").splitlines()) == 3


def peak_memory(desk, model, n_rows):
    """Kilobytes that predicting n rows of standard input takes at most."""
    process = desk.start("predict", model, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    block = "12,red,0.123456789\n3,blue,0.987654321\n" * 5000
    process.stdin.write("a,color,b\n")
    for _ in range(n_rows // 10_000):
        process.stdin.write(block)
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss


def test_streams_take_constant_memory(desk, model, unsanitized):
    # 2,000,000 rows are 38 MB of text and would be more as columns.
    few, many = peak_memory(desk, model, 100_000), peak_memory(desk, model, 2_000_000)
    assert many < few + 10_000


def test_evaluate_prints_every_score(desk, model, table):
    out = desk.ok("evaluate", model, table)
    for name in ("accuracy", "balanced accuracy", "AUC", "KS", "log loss", "Brier score"):
        assert f"\n  {name} " in out
    assert "Confusion:" in out and "Lift for 'yes':" in out


def test_evaluate_counts_as_by_hand(desk, model):
    # The tree says yes for a > 9 unless red: rows 1 and 4 are right, 2 and 3 are wrong.
    rows = ["15,blue,0.5,yes,1,p", "15,red,0.5,yes,1,p", "3,blue,0.5,yes,1,q", "3,red,0.5,no,5,q"]
    desk.write("test.csv", "\n".join(["a,color,b,y,w,g", *rows]) + "\n")
    result = json.loads(desk.ok("evaluate", model, "test.csv", "--json"))["evaluations"][0]
    assert result["scores"]["accuracy"] == 0.5
    assert result["confusion"] == [[1, 0], [2, 1]]
    weighted = json.loads(desk.ok("evaluate", model, "test.csv", "--json", "--weight", "w"))["evaluations"][0]
    assert weighted["scores"]["accuracy"] == 6 / 8
    groups = json.loads(desk.ok("evaluate", model, "test.csv", "--json", "--group", "g"))["groups"]
    assert {name: part[0]["scores"]["accuracy"] for name, part in groups.items()} == {"p": 0.5, "q": 0.5}
    assert "all" in desk.ok("evaluate", model, "test.csv", "--group", "g").splitlines()[0]


def test_evaluate_needs_the_target_and_the_named_columns(desk, model, table):
    desk.write("rows.csv", "a,color,b\n1,red,0.5\n")
    assert "'y'" in desk.fails(3, "evaluate", model, "rows.csv")
    assert "did you mean 'color'" in desk.fails(3, "evaluate", model, table, "--group", "colr")
    assert "'w'" in desk.fails(3, "evaluate", model, table, "--weight", "w")


def test_evaluate_warns_of_labels_it_never_saw(desk, model):
    desk.write("test.csv", "a,color,b,y\n15,blue,0.5,yes\n15,blue,0.5,perhaps\n")
    result = desk.run("evaluate", model, "test.csv")
    assert result.code == 0 and "perhaps" in result.err
    assert "accuracy" in result.out and "0.5000" in result.out


def test_regression_scores(desk):
    # Leaf means 1 and 3 of (0, 2) and (2, 4): errors -1, 1, -1, 1, so RMSE = MAE = 1; R2 = 1 - 4 / 8.
    desk.write("four.csv", "a,y\n1,0\n1,2\n2,2\n2,4\n")
    desk.train("four.csv", "--task", "regression")
    scores = json.loads(desk.ok("evaluate", "m.bough", "four.csv", "--json"))["evaluations"][0]["scores"]
    assert scores["rmse"] == 1 and scores["mae"] == 1 and scores["r2"] == 0.5
    assert scores["pinball"] == 0.5

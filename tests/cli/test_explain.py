# SPDX-License-Identifier: Apache-2.0
"""bough explain: one verb, six questions."""

import csv
import io
import json

import pytest

HOSTILE = 'a",\n</script>\t\u202e; DROP TABLE x'


def test_reasons_add_up(desk, model, table):
    told = desk.ok("explain", model, "--data", table, "--row", "3", "--reasons")
    assert told.startswith("The probability of ")
    parts = json.loads(desk.ok("explain", model, "--data", table, "--row", "3", "--reasons", "--json"))
    total = parts["base"] + sum(one["change"] for one in parts["reasons"])
    assert total == pytest.approx(parts["value"])


def test_a_node_shows_its_arithmetic_and_its_curve(desk, model, table):
    text = desk.ok("explain", model, "--node", "0", "--data", table)
    assert "gini impurity = 1 - sum of p^2" in text and "This is the split the tree uses." in text
    parts = json.loads(desk.ok("explain", model, "--node", "0", "--data", table, "--json"))
    assert parts["agrees"] and parts["columns"][0]["best"]["merit"] > 0
    assert "no node 999" in desk.fails(2, "explain", model, "--node", "999", "--data", table)
    assert "needs a table" in desk.fails(2, "explain", model, "--node", "0")


def test_shapley_values_of_rows_add_up(desk, model, table):
    for more in ([], ["--background", table]):
        rows = list(csv.DictReader(io.StringIO(desk.ok("explain", model, "--shap", "--data", table, *more))))
        chances = list(csv.DictReader(io.StringIO(desk.ok("predict", model, table, "--proba"))))
        assert len(rows) == 2 * len(chances)
        for row in rows:
            total = sum(float(row[name]) for name in row if name not in ("row", "output"))
            answer = chances[int(row["row"]) - 1]
            chance = next(value for name, value in answer.items() if row["output"] in name)
            assert total == pytest.approx(float(chance), abs=1e-9)
    one = desk.ok("explain", model, "--shap", "--data", table, "--row", "2")
    assert one.startswith("Shapley values of the probability of ")
    assert desk.ok("explain", model, "--shap", "--data", table, "--threads", "1") == desk.ok(
        "explain", model, "--shap", "--data", table, "--threads", "2"
    )


def test_leaves_and_importances_are_listed(desk, model, table):
    leaves = desk.ok("explain", model, "--leaves").splitlines()
    assert leaves[0].startswith("leaf,output,")
    assert json.loads(desk.ok("explain", model, "--leaves", "--json"))[0]["leaf"] >= 0
    text = desk.ok("explain", model, "--importance", "--data", table, "--repeats", "5")
    assert text.startswith("accuracy ") and "mean of 5" in text
    parts = json.loads(
        desk.ok("explain", model, "--importance", "--data", table, "--score", "log_loss", "--json")
    )
    assert not parts["higher_is_better"] and len(parts["columns"][0]["losses"]) == 10
    assert "the scores are" in desk.fails(
        2, "explain", model, "--importance", "--data", table, "--score", "r2"
    )


def test_a_counterfactual_is_another_answer(desk, model, table):
    parts = json.loads(desk.ok("explain", model, "--counterfactual", "--data", table, "--row", "1", "--json"))
    assert parts["found"] and parts["before"] != parts["after"]
    text = desk.ok("explain", model, "--counterfactual", "--data", table, "--row", "1")
    assert "It would be " in text
    columns = desk.read(table).splitlines()[0].split(",")[:-1]
    stuck = desk.ok("explain", model, "--counterfactual", "--data", table, "--fixed", ",".join(columns[:3]))
    assert "No change of the columns" in stuck
    assert "did you mean 'color'" in desk.fails(
        2, "explain", model, "--counterfactual", "--data", table, "--fixed", "colour"
    )


def test_one_question_at_a_time(desk, model, table):
    assert "one thing at a time" in desk.fails(2, "explain", model, "--shap", "--importance", "--data", table)


def test_names_cannot_break_the_output(desk):
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([HOSTILE, "b", "y"])
    for i in range(24):
        writer.writerow([i, "p<q" if i % 3 else HOSTILE, HOSTILE if i > 11 else "no"])
    desk.write("hostile.csv", out.getvalue())
    desk.ok("train", "hostile.csv", "--target", "y", "-o", "h.bough")
    for question in (
        ["--reasons"],
        ["--node", "0"],
        ["--importance"],
        ["--counterfactual"],
        ["--shap", "--row", "1"],
    ):
        text = desk.ok("explain", "h.bough", "--data", "hostile.csv", *question)
        assert "\u202e" not in text and "\t" not in text and "\n</script>" not in text
        json.loads(desk.ok("explain", "h.bough", "--data", "hostile.csv", *question, "--json"))
    rows = list(csv.DictReader(io.StringIO(desk.ok("explain", "h.bough", "--shap", "--data", "hostile.csv"))))
    assert HOSTILE in rows[0]


def test_the_expected_answer_of_a_model_with_losses_is_that_of_its_rows(desk):
    """One of nine rows is b, and two of three: 3 of 12, whatever the losses made of the split."""
    desk.write("l.csv", "x,y\n" + "1,a\n" * 8 + "1,b\n" + "2,b\n" * 2 + "2,a\n")
    desk.ok("train", "l.csv", "--target", "y", "--size", "full", "--holdout", "0", "-o", "l.bough",
            "--loss-matrix", "0,1;9,0")  # fmt: skip
    said = desk.ok("explain", "l.bough", "--values", "x=2", "--shap", "--class", "b").split()
    assert "0.25" in said and "+0.41667" in said  # 2/3 - 1/4

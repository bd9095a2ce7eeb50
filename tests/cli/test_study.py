# SPDX-License-Identifier: Apache-2.0
"""bough study and bough compare: JSON, hostile names, Ctrl-C, and what is refused."""

import json
import random
import signal
import subprocess
import time
import xml.etree.ElementTree as ElementTree

import pytest
from support import ROOT

HOSTILE = ['a"b', "</script>", "select", "naïve\u202e", "x'y", "tab\there"]
STUDIES = {
    "stability": ["--repeats", "5"],
    "leave-one-out": [],
    "rotation": ["--repeats", "1", "--angles", "30", "--planes", "random"],
    "permutation": ["--repeats", "9", "--score", "training"],
    "splits": ["--repeats", "9", "--all"],
}


def cell(text):
    return '"' + text.replace('"', '""') + '"'


@pytest.fixture
def hostile(desk):
    """A table whose columns, classes and categories are hostile text, and its model."""
    draw = random.Random(4)
    lines = [",".join(map(cell, [*HOSTILE, "y"]))]
    for _ in range(60):
        numbers = [f"{draw.random():.3f}" for _ in HOSTILE[:-1]]
        category = draw.choice(HOSTILE)
        truth = HOSTILE[0] if float(numbers[0]) + (category == HOSTILE[1]) * 0.5 > 0.6 else HOSTILE[1]
        lines.append(",".join(map(cell, [*numbers, category, truth])))
    desk.write("rows.csv", "\n".join(lines) + "\n")
    desk.ok("train", "rows.csv", "-t", "y", "--max-depth", "3", "--holdout", "0", "-o", "m.bough")
    return "m.bough", "rows.csv"


@pytest.mark.parametrize("what", STUDIES)
def test_every_study_tells_the_same_in_text_and_json_whatever_names_are(desk, hostile, what):
    text = desk.ok("study", what, *hostile, *STUDIES[what])
    assert "\u202e" not in text and "\t" not in text
    result = json.loads(desk.ok("study", what, *hostile, *STUDIES[what], "--json"))
    assert result.get("reproduced", True) is True
    two = json.loads(desk.ok("study", what, *hostile, *STUDIES[what], "--json", "--threads", "2"))
    assert two == result


def test_changes_are_drawn_as_one_svg_without_foreign_markup(desk, hostile):
    desk.ok("study", "leave-one-out", *hostile, "-o", "x.svg", "--most", "3")
    drawing = desk.read("x.svg")
    assert "</script>" not in drawing
    root = ElementTree.fromstring(drawing)
    assert len(root.findall("{http://www.w3.org/2000/svg}svg")) in (2, 4, 6)


def test_compare_tells_text_and_json(desk, hostile):
    model, rows = hostile
    desk.ok("train", rows, "-t", "y", "--max-depth", "1", "--holdout", "0", "-o", "n.bough")
    words = ["compare", model, "n.bough", "--data", rows]
    assert "McNemar's exact test" in desk.ok(*words)
    result = json.loads(desk.ok(*words, "--train", rows, "--splits", "5", "--json"))
    counts = result["outputs"][0]["mcnemar"]
    assert sum(counts[k] for k in ("both_right", "only_first", "only_second", "both_wrong")) == 60
    assert len(result["resampled"]["first"]) == 5
    assert result["params"] == [{"name": "max_depth", "first": "3", "second": "1"}]
    assert result["outputs"][0]["first"]["intervals"]["accuracy"]["method"] == "Wilson"


def test_evaluate_gives_intervals_at_the_confidence_asked_for(desk, hostile):
    wide = json.loads(desk.ok("evaluate", *hostile, "--json", "--confidence", "0.99"))["evaluations"][0]
    plain = json.loads(desk.ok("evaluate", *hostile, "--json"))["evaluations"][0]
    assert plain["confidence"] == 0.95 and wide["confidence"] == 0.99
    for name, own in plain["intervals"].items():
        assert own["low"] <= plain["scores"][name] <= own["high"]
        assert wide["intervals"][name]["low"] <= own["low"]
    assert "(in parentheses: 99% intervals)" in desk.ok("evaluate", *hostile, "--confidence", "0.99")
    assert "confidence" in desk.fails(2, "evaluate", *hostile, "--confidence", "1.5")


def test_a_weight_column_is_found_again(desk):
    # Unweighted the best cut is at 30, where the long run of b begins; the weights move it to 9.5.
    lines = ["x,n,y"] + [
        f"{i},{500 if i < 10 else 1},{'a' if i < 10 or 20 <= i < 30 else 'b'}" for i in range(60)
    ]
    desk.write("w.csv", "\n".join(lines) + "\n")
    desk.ok("train", "w.csv", "-t", "y", "-w", "n", "--max-depth", "1", "--holdout", "0", "-o", "m.bough")
    words = ["study", "stability", "m.bough", "w.csv", "--repeats", "2", "--json"]
    assert json.loads(desk.ok(*words, "-w", "n"))["reproduced"] is True
    assert json.loads(desk.ok(*words))["reproduced"] is False
    assert "Note: fitting these rows again does not give" in desk.ok(*words[:-1])


def test_wrong_words_are_refused_with_a_way_out(desk, hostile):
    model, rows = hostile
    assert "stability" in desk.fails(2, "study", "stabilty", model, rows)
    assert "--folds does nothing" in desk.fails(2, "study", "stability", model, rows, "--folds", "3")
    assert "not a number" in desk.fails(2, "study", "rotation", model, rows, "--angles", "steep")
    desk.write("other.csv", "a,b\n1,2\n")
    assert "lacks 6 columns" in desk.fails(3, "study", "stability", model, "other.csv")
    assert "--weight" in desk.fails(3, "study", "splits", model, rows, "-w", "heft")
    assert desk.run("study", "leave-one-out", model, rows, "-o", rows).code != 0


def test_ctrl_c_stops_a_study_and_writes_nothing(desk, hostile):
    model, rows = hostile
    pipe = subprocess.PIPE
    process = desk.start(
        "study", "stability", model, rows, "--repeats", "300000", stdin=pipe, stdout=pipe, stderr=pipe
    )
    time.sleep(1.0)
    assert process.poll() is None, "the job must still be running, or the test shows nothing"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130 and out == "" and "cancelled" in err


def test_the_page_about_studies_runs_and_its_table_of_iris_is_right(desk):
    page = (ROOT / "docs/study.md").read_text(encoding="utf-8")
    commands = page.split("```sh\n")[1].split("```")[0]
    result = desk.shell("set -e\n" + commands)
    assert result.code == 0, result.err
    found = json.loads(desk.ok("study", "leave-one-out", "iris.bough", "iris.csv", "--json"))["changed"]
    rows = [
        line.strip("| ").split(" | ") for line in page.split("\n") if line.startswith("| ") and " -> " in line
    ]
    assert [int(row[0]) for row in rows] == [tree["rows"][0] + 1 for tree in found]
    assert all(len(tree["rows"]) == 1 for tree in found)
    for row, tree in zip(rows, found, strict=True):
        first = tree["differences"][0]
        assert row[1].startswith(f"node {first['before']}: {first['from']} -> {first['to']}")
        assert row[2] == ("yes" if tree["structure"] else "no")


def test_the_truth_may_be_called_otherwise_in_the_table(desk):
    rows = "".join(f"{x},{x % 3},{'yes' if x > 9 else 'no'}\n" for x in range(20))
    desk.write("rows.csv", "a,b,y\n" + rows)
    desk.write("others.csv", "a,b,truth\n" + rows)
    desk.ok("train", "rows.csv", "-t", "y", "--holdout", "0", "-o", "m.bough")
    expected = desk.ok("evaluate", "m.bough", "rows.csv")
    assert desk.ok("evaluate", "m.bough", "others.csv", "--target", "truth") == expected
    desk.ok("study", "permutation", "m.bough", "others.csv", "--target", "truth", "--repeats", "1")
    desk.ok("compare", "m.bough", "m.bough", "--data", "others.csv", "--target", "truth")
    assert "predicts from" in desk.fails(2, "evaluate", "m.bough", "others.csv", "--target", "a")


def test_all_absent_columns_are_counted_and_named(desk):
    desk.write("rows.csv", "a,b,c,y\n" + "".join(f"{x},{x % 3},w{x % 2},v{x % 2}\n" for x in range(20)))
    desk.write("others.csv", "p,q\n1,2\n3,4\n")
    desk.ok("train", "rows.csv", "-t", "y", "--holdout", "0", "-o", "m.bough")
    assert "lacks 3 columns of the model: a, b, c" in desk.fails(
        3, "study", "stability", "m.bough", "others.csv"
    )


def test_rules_are_called_so_where_a_model_is_needed(desk):
    desk.write("rows.csv", "a,y\n" + "".join(f"{x},{'yes' if x > 9 else 'no'}\n" for x in range(20)))
    desk.ok("train", "rows.csv", "-t", "y", "--holdout", "0", "-o", "m.bough")
    desk.ok("rules", "m.bough", "-o", "rules.json")
    for verb in (["plot", "rules.json"], ["evaluate", "rules.json", "rows.csv"], ["show", "rules.json"]):
        said = desk.fails(4, *verb)
        assert "holds a rule set, not a model" in said and "bough predict" in said


def test_compare_says_when_a_fit_again_is_another_tree(desk):
    desk.ok("demo", "--write", "iris", "-o", "iris.csv")
    desk.ok("train", "iris.csv", "-t", "species", "--size", "full", "--no-scores", "-o", "a.bough")
    desk.ok("prune", "a.bough", "--critical-value", "0.2", "-o", "b.bough")
    said = desk.ok("compare", "a.bough", "b.bough", "-d", "iris.csv", "--train", "iris.csv", "--splits", "3")
    assert (
        "Note: a fit of all training rows with the parameters of the second model does not give its tree"
        in said
    )
    assert "parameters of the first model" not in said

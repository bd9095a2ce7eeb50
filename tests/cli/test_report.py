# SPDX-License-Identifier: Apache-2.0
"""bough report: where the page goes, and what is said when it cannot be complete."""

import json
import re

import pytest


@pytest.fixture
def trained(desk):
    desk.ok("demo", "--write", "iris", "-o", "iris.csv")
    desk.ok("train", "iris.csv", "--target", "species", "-o", "iris.bough")
    return desk


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page)[1])


def test_a_page_goes_to_a_file_or_to_standard_output(trained):
    said = trained.ok("report", "iris.bough", "--data", "iris.csv", "-o", "r.html")
    assert re.fullmatch(r"wrote r\.html \(\d+ KB\); open it in a browser\n", said)
    page = trained.read("r.html")
    assert page == trained.ok("report", "iris.bough", "--data", "iris.csv")
    assert data_of(page)["quality"][0]["rows"] == 150


def test_why_and_shuffles_are_told_when_asked_for(trained):
    page = trained.ok(
        "report", "iris.bough", "--data", "iris.csv", "--train-data", "iris.csv", "--repeats", "3"
    )
    data = data_of(page)
    assert data["permutation"]["repeats"] == 3
    assert data["why"]["0"]["agrees"] and data["why"]["0"]["arithmetic"]
    assert "permutation" not in data_of(
        trained.ok("report", "iris.bough", "--data", "iris.csv", "--repeats", "0")
    )
    assert "why" not in data_of(trained.ok("report", "iris.bough"))


def test_rows_without_the_target_are_warned_about(trained):
    lines = trained.read("iris.csv").splitlines()
    trained.write("bare.csv", "\n".join(line.rpartition(",")[0] for line in lines) + "\n")
    result = trained.run("report", "iris.bough", "--data", "bare.csv", "-o", "r.html")
    assert result.code == 0 and "no column 'species', so the report has no scores" in result.err
    assert "quality" not in data_of(trained.read("r.html"))


def test_training_rows_are_warned_about(trained):
    result = trained.run("report", "iris.bough", "--data", "iris.csv", "-o", "r.html")
    assert "iris.csv contains the training rows" in result.err
    assert data_of(trained.read("r.html"))["given"] == "training"
    lines = trained.read("iris.csv").splitlines()
    trained.write("half.csv", "\n".join(lines[:1] + lines[1::2]) + "\n")
    result = trained.run("report", "iris.bough", "--data", "half.csv", "-o", "r.html")
    data = data_of(trained.read("r.html"))
    assert result.err == "" and (data["given"], data["source"]) == ("rows", "half.csv")


def test_what_makes_no_sense_is_refused(trained):
    assert "is also an input" in trained.fails(2, "report", "iris.bough", "-o", "iris.bough")
    assert "a page of HTML, not 'r.pdf'" in trained.fails(2, "report", "iris.bough", "-o", "r.pdf")
    assert "--weight does nothing" in trained.fails(2, "report", "iris.bough", "-w", "w")
    assert "--max-rows" in trained.fails(2, "report", "iris.bough", "--data", "iris.csv", "--max-rows", "0")
    assert "petal" in trained.fails(3, "report", "iris.bough", "--data", trained.write("x.csv", "a,b\n1,2\n"))

# SPDX-License-Identifier: Apache-2.0
"""bough train --honest, and the columns of bough predict that say how far answers may be off."""

import csv
import io
import json
import random

import pytest


def table_of(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def rows(desk):
    draw = random.Random(20261115)
    lines = ["x,z,kind,y"]
    for _ in range(300):
        x, z = draw.random(), draw.random()
        kind = "big" if x + 0.2 * draw.gauss(0, 1) > 0.5 else "small"
        lines.append(f"{x:.4f},{z:.4f},{kind},{2 * x + draw.gauss(0, 0.3):.4f}")
    desk.write("rows.csv", "\n".join(lines) + "\n")
    return "rows.csv"


def test_intervals_means_and_quantiles_are_further_columns(desk, rows):
    desk.ok("train", rows, "--target", "y", "--ignore", "kind", "--honest", "--min-samples-leaf", "20",
            "--calibration-fraction", "0.3", "--leaf-samples", "-o", "m.bough")  # fmt: skip
    out = table_of(
        desk.ok(
            "predict", "m.bough", rows, "--interval", "0.9", "--mean-interval", "0.9", "--quantile", "0.1,0.9"
        )
    )
    assert list(out[0]) == [
        "prediction", "lower", "upper", "mean_lower", "mean_upper", "quantile_0.1", "quantile_0.9",
    ]  # fmt: skip
    for row in out:
        numbers = {name: float(cell) for name, cell in row.items()}
        assert numbers["lower"] < numbers["mean_lower"] < numbers["prediction"]
        assert numbers["prediction"] < numbers["mean_upper"] < numbers["upper"]
        assert numbers["quantile_0.1"] <= numbers["quantile_0.9"]
    held = sum(
        float(a["lower"]) <= float(b["y"]) <= float(a["upper"])
        for a, b in zip(out, table_of(desk.read(rows)), strict=True)
    )
    assert held > 0.85 * len(out)


def test_classes_get_sets_and_shares_with_ends(desk, rows):
    desk.ok("train", rows, "--target", "kind", "--ignore", "y", "--honest", "--max-depth", "3",
            "--calibration-fraction", "0.3", "-o", "m.bough")  # fmt: skip
    out = table_of(desk.ok("predict", "m.bough", rows, "--interval", "0.9", "--mean-interval", "0.9"))
    assert list(out[0])[1:3] == ["set", "mean_lower_big"]
    assert {row["set"] for row in out} <= {"", "big", "small", "big;small"}
    lines = desk.ok("predict", "m.bough", rows, "--interval", "0.95", "--to", "jsonl").splitlines()
    assert isinstance(json.loads(lines[0])["set"], list)


def test_forests_have_standard_errors(desk, rows):
    desk.ok("train", rows, "--target", "y", "--ignore", "kind", "--honest", "--forest", "20",
            "--little-bags", "2", "-o", "m.bough")  # fmt: skip
    out = table_of(desk.ok("predict", "m.bough", rows, "--std-error"))
    assert all(float(row["std_error"]) > 0 for row in out)


def test_what_a_model_cannot_say_is_refused_with_the_way_out(desk, rows):
    desk.ok("train", rows, "--target", "y", "--ignore", "kind", "-o", "m.bough")
    desk.write("few.csv", "".join(desk.read(rows).splitlines(keepends=True)[:20]))
    assert "--calibration-fraction" in desk.fails(6, "predict", "m.bough", rows, "--interval", "0.9")
    assert "--honest true" in desk.fails(6, "predict", "m.bough", rows, "--mean-interval", "0.9")
    assert "--leaf-samples true" in desk.fails(6, "predict", "m.bough", rows, "--quantile", "0.5")
    assert "--little-bags 2" in desk.fails(6, "predict", "m.bough", rows, "--std-error")
    words = ["--target", "kind", "--ignore", "y", "--honest", "--honest-fraction", "0.999"]
    assert "--honest-fraction" in desk.fails(2, "train", rows, *words, "-o", "n")
    words[-1] = "0.99"
    assert "--honest-fraction 0.99" in desk.fails(3, "train", "few.csv", *words, "-o", "n")


def test_training_says_which_rows_have_made_the_model(desk, rows):
    wish = ["train", rows, "--target", "y", "--ignore", "kind", "--max-depth", "2", "-o", "m.bough"]
    assert desk.ok(*wish).endswith("saved m.bough, grown on all 300 rows\n")
    held = desk.ok(*wish, "--calibration-fraction", "0.3")
    assert held.endswith("saved m.bough, grown on 300 rows less 30% held out to calibrate intervals\n")
    assert "grown on all" not in held
    honest = desk.ok(*wish, "--honest", "--honest-fraction", "0.4")
    assert honest.endswith("all 300 rows: in the tree 60% choose splits, 40% set leaf values\n")
    told = json.loads(desk.ok(*wish, "--honest", "--json"))["grown_on"]
    assert "50% set leaf values" in told

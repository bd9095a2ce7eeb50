# SPDX-License-Identifier: Apache-2.0
"""Printed numbers are those that decide: thresholds between close cells, targets far from 0 and near it."""

import json
import random
import re

import numpy as np
import pytest


def table(desk, name, head, rows):
    desk.write(name, head + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    return name


@pytest.fixture
def close(desk):
    """Cells that six digits do not tell apart, on both sides of the cut 1000.12085."""
    rows = [(1000.1201, "no", 1), (1000.1216, "yes", 2)] * 20
    desk.ok("train", table(desk, "close.csv", "x,y,n", rows), *("-t", "y", "--ignore", "n"), "-o", "m.bough")
    desk.ok("train", "close.csv", *("-t", "n", "--task", "regression", "--ignore", "y"), "-o", "n.bough")
    return desk


@pytest.mark.parametrize("model", ["m.bough", "n.bough"])
def test_thresholds_divide_in_print_as_in_fact(close, model):
    row = ("--data", "close.csv", "--row")
    wish = () if model == "m.bough" else ("--at-least", "2")
    for told in (
        close.ok("show", model),
        close.ok("show", model, "--style", "rpart"),
        close.ok("rules", model),
        close.ok("rules", model, "--to", "md"),
        close.ok("export", model, "--to", "dot"),
        close.ok("export", model, "--to", "text", "--precision", "4"),
        close.ok("explain", model, *row, "1"),
        close.ok("explain", model, *row, "1", "--reasons"),
        close.ok("explain", model, *row, "1", "--counterfactual", *wish),
        close.ok("explain", model, "--node", "0", "--data", "close.csv"),
    ):
        assert re.search(r"1,?000\.12085", told), told
        assert not re.search(r"1,?000\.121?\b", told), told
    close.ok("plot", model, "-o", "tree.svg")
    assert "1000.12085" in close.read("tree.svg")
    assert "x is 1000.1201, which is at most 1000.12085." in close.ok("explain", model, *row, "1")


def test_thresholds_between_computed_numbers_have_eight_digits(desk):
    dice = random.Random(3)
    rows = sorted((dice.random() / 3, "ab"[i % 2]) for i in range(60))
    rows = [(x, "ab"[i >= 30]) for i, (x, _) in enumerate(rows)]
    desk.ok("train", table(desk, "t.csv", "x,y", rows), "--target", "y", "--size", "full", "-o", "m.bough")
    cut = float(re.search(r"x ≤ ([0-9.]+)", desk.ok("show", "m.bough"))[1])
    low, high = rows[29][0], rows[30][0]
    assert cut == float(f"{(low + high) / 2:.8g}") and low < cut < high
    desk.ok(
        "plot", "m.bough", "-o", "tree.svg"
    )  # in a box there is no room for them, in its tooltip there is
    assert f"x ≤ {cut:.6g}<" in desk.read("tree.svg") and f"x ≤ {cut!r}" in desk.read("tree.svg")


def numbers(shift=0.0, scale=1.0):
    """Two columns that matter, errors of quarters: exact as doubles at any shift below 2^50."""
    dice = random.Random(8)
    rows = []
    for _ in range(240):
        x, z = round(dice.random(), 3), dice.choice("abc")
        y = 30 * (x > 0.5) + 10 * (z == "a") + dice.randrange(-8, 9) / 4
        rows.append((x, z, repr(y * scale + shift)))
    return rows


@pytest.mark.parametrize("size", [(), ("--pruning", "cost_complexity"), ("--pruning", "reduced_error")])
def test_trees_of_targets_far_from_0_are_those_near_it(desk, size):
    options = ("--target", "y", *size)
    shapes, errors = [], []
    for name, shift in (("near", 0.0), ("far", 2.0**40)):
        table(desk, f"{name}.csv", "x,z,y", numbers(shift))
        told = json.loads(desk.ok("train", f"{name}.csv", *options, "-o", f"{name}.bough", "--json"))
        pruning = told.get("pruning_table") or {"leaves": [], "error": []}
        shapes.append((told["trees"], pruning["leaves"]))
        errors.append(pruning["error"])
    assert shapes[0] == shapes[1]
    np.testing.assert_allclose(errors[1], errors[0], rtol=1e-4)  # means near 2^40 are so exact


def test_rows_prune_trees_of_targets_far_from_0_as_those_near_it(desk):
    leaves = []
    for shift in (0.0, 2.0**40):
        table(desk, "t.csv", "x,z,y", numbers(shift))
        desk.ok("train", "t.csv", "--target", "y", "--size", "full", "--no-scores", "-o", "m.bough")
        told = json.loads(desk.ok("prune", "m.bough", "--with", "t.csv", "--json"))
        leaves.append((told["before"][0]["leaves"], told["after"][0]["leaves"]))
    assert leaves[0] == leaves[1] and leaves[0][1] > 3


def test_errors_of_tiny_targets_are_no_0(desk):
    table(desk, "t.csv", "x,z,y", numbers(scale=1e-12))
    told = desk.ok("train", "t.csv", "--target", "y", "--max-depth", "2", "-o", "m.bough")
    rmse = next(line for line in told.splitlines() if "RMSE" in line)
    assert "0.0000" not in rmse and "e-12" in rmse
    table(desk, "same.csv", "x,z,y", [(x, z, 3 * (x > 0.5)) for x, z, _ in numbers()])
    how = ("--target", "y", "--task", "regression", "--size", "full")
    told = desk.ok("train", "same.csv", *how, "-o", "s.bough")
    assert "0.0000" in next(line for line in told.splitlines() if "RMSE" in line)


def test_a_deviance_is_never_negative(desk):
    table(desk, "t.csv", "x,z,y", numbers(1e12))
    desk.ok("train", "t.csv", "--target", "y", "--max-depth", "2", "--no-scores", "-o", "m.bough")
    scores = json.loads(desk.ok("evaluate", "m.bough", "t.csv", "--json"))["evaluations"][0]["scores"]
    # Of numbers so near each other it is their squared error over their mean.
    assert scores["deviance"] == pytest.approx(scores["rmse"] ** 2 / 1e12, rel=1e-6)


def test_sums_of_shapley_values_show_what_columns_add(desk):
    table(desk, "t.csv", "x,z,y", numbers(1e12))
    desk.ok("train", "t.csv", "--target", "y", "--max-depth", "2", "--no-scores", "-o", "m.bough")
    lines = desk.ok("explain", "m.bough", "--shap", "--data", "t.csv", "--row", "1").splitlines()[1:]
    values = {line.split()[0]: float(line.split()[1]) for line in lines}
    parts = values["expected"] + values["x"] + values["z"]
    assert abs(parts - values["sum"]) < 0.1 and values["sum"] != values["expected"]


def test_rows_say_how_far_columns_spread_beside_a_row_by_hand(desk):
    """A step of x is small among its cells, one of z is not; by themselves 40 is more than 0.2."""
    dice = random.Random(4)
    rows = []
    for _ in range(200):
        x, z = dice.randrange(0, 1000), round(dice.gauss(0, 0.05), 3)
        rows.append((x, z, "yes" if x > 500 or z > 0.15 else "no"))
    rows += [(100, 0.2, "yes")] * 20
    table(desk, "t.csv", "x,z,y", rows)
    desk.ok("train", "t.csv", "--target", "y", "--size", "full", "-o", "m.bough")
    ask = ("explain", "m.bough", "--counterfactual", "--values", "x=470,z=0")
    alone, among = desk.ok(*ask), desk.ok(*ask, "--background", "t.csv")
    assert "if z were more than" in alone and "if x were more than" in among
    assert "How far columns spread is not known from one row" in alone
    assert "How far columns spread" not in among
    whole = desk.ok("explain", "m.bough", "--counterfactual", "--data", "t.csv", "--row", "1")
    assert "How far columns spread" not in whole

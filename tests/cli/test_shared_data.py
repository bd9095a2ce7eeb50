# SPDX-License-Identifier: Apache-2.0
"""Larger public tables, where they are at hand: only the target is given."""

import json

import pytest


@pytest.mark.parametrize(
    ("file", "target", "score", "least"),
    [
        ("adult.csv.gz", "income", "accuracy", 0.80),
        ("mushroom.csv", "class", "accuracy", 0.99),
        ("california_housing.csv.gz", "median_house_value", "r2", 0.60),
    ],
)
def test_only_the_target_is_needed(desk, shared_data, file, target, score, least):
    result = json.loads(desk.ok("train", shared_data / file, "--target", target, "-o", "m.bough", "--json"))
    assert result["held_out"][0]["scores"][score] > least
    evaluated = json.loads(desk.ok("evaluate", "m.bough", shared_data / file, "--json"))
    assert evaluated["evaluations"][0]["n_rows"] == result["rows"]
    lines = desk.ok("predict", "m.bough", shared_data / file).count("\n")
    assert lines == result["rows"] + 1


def test_none_is_a_value_and_not_missing(desk, shared_data):
    desk.ok("train", shared_data / "contact_lenses.csv", "--target", "contact-lenses", "-o", "m.bough")
    targets = json.loads(desk.ok("info", "m.bough", "--json"))["targets"]["columns"]
    assert targets[0]["levels"] == ["hard", "none", "soft"]

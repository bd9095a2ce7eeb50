# SPDX-License-Identifier: Apache-2.0
"""Commands give a true answer or an error: no other answer without a word."""

import random

import pytest


def write_rows(desk, name, head, rows):
    lines = [",".join(map(str, row)) for row in rows]
    return desk.write(name, head + "\n" + "\n".join(lines) + "\n")


@pytest.fixture
def grown(desk):
    """The rows that a forest was grown on."""
    dice = random.Random(3)
    rows = []
    for _ in range(150):
        a, b = round(dice.gauss(0, 1), 2), dice.choice("uvw")
        rows.append((a, b, "yes" if a + (b == "u") + dice.gauss(0, 0.7) > 0.3 else "no"))
    write_rows(desk, "rows.csv", "a,b,y", rows)
    desk.ok("train", "rows.csv", "--target", "y", "--forest", 30, "-o", "f.bough")
    return rows


def test_forests_know_the_rows_that_they_were_grown_on(desk, grown):
    scores = desk.ok("forest", "f.bough", "rows.csv")
    assert "Out of bag" in scores
    sorted_rows = sorted(grown, key=lambda row: row[2])
    write_rows(desk, "sorted.csv", "a,b,y", sorted_rows)
    said = desk.fails(3, "forest", "f.bough", "sorted.csv")
    assert "not the rows that the forest was grown on, or not in their order" in said


def test_forests_notice_other_labels_of_their_rows(desk, grown):
    other = [(a, b, "no" if y == "yes" else "yes") if i == 17 else (a, b, y) for i, (a, b, y) in enumerate(grown)]
    write_rows(desk, "other.csv", "a,b,y", other)
    assert "does not hold the rows" in desk.fails(3, "forest", "f.bough", "other.csv")


def test_a_refused_table_leaves_no_proximity_file(desk, grown):
    write_rows(desk, "sorted.csv", "a,b,y", sorted(grown))
    desk.fails(3, "forest", "f.bough", "sorted.csv", "--proximity", "near.csv")
    assert not desk.path("near.csv").exists()

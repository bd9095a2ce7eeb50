# SPDX-License-Identifier: Apache-2.0
"""What a loss matrix means for pruning, pictures and rules: weighed, or refused by name."""

import re

import pytest

LOSSES = ["--loss-matrix", "0,1;5,0", "--max-depth", "3"]


@pytest.fixture
def model(desk):
    rows = [f"{i},{(i * 7) % 11},{'yes' if (i * i) % 7 < 3 else 'no'}" for i in range(200)]
    (desk.folder / "rows.csv").write_text("a,b,c\n" + "\n".join(rows) + "\n")
    desk.ok("train", "rows.csv", "-t", "c", "--holdout", "0", *LOSSES, "-o", "m.bough")
    return "m.bough"


@pytest.mark.parametrize(
    "words",
    [
        ["prune", "m.bough", "--with", "rows.csv", "-o", "x.bough"],
        ["prune", "m.bough", "--method", "simplify", "-o", "x.bough"],
        ["prune", "m.bough", "--alpha", "0.1", "--risk", "error", "-o", "x.bough"],
        ["train", "rows.csv", "-t", "c", *LOSSES, "--pruning", "reduced_error", "-o", "x.bough"],
        ["train", "rows.csv", "-t", "c", *LOSSES, "--pruning", "cost_complexity", "-o", "x.bough"],
        ["rules", "m.bough"],
    ],
)
def test_what_does_not_weigh_losses_says_so(desk, model, words):
    said = desk.fails(6, *words)  # not supported
    assert "loss" in said and "class-weight" in said
    assert not (desk.folder / "x.bough").exists()


def test_pessimistic_pruning_of_a_saved_model(desk, model):
    desk.ok("train", "rows.csv", "-t", "c", "--holdout", "0", "-o", "full.bough")
    plain = desk.ok("prune", "full.bough", "--method", "pessimistic", "-o", "less.bough")
    words = ["--confidence-factor", "0.1", "--with", "rows.csv"]
    raised = desk.ok("prune", "full.bough", *words, "-o", "least.bough")
    leaves = [int(re.search(r"after .* (\d+) lea", text).group(1)) for text in (plain, raised)]
    assert leaves[1] <= leaves[0]
    assert "confidence" in desk.fails(2, "prune", "full.bough", "--confidence-factor", "0.7", "-o", "x.bough")

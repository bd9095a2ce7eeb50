# SPDX-License-Identifier: Apache-2.0
"""Shrunken trees are pruned by their training rows; models of a treatment speak of effects."""

import json
import random

import pytest


@pytest.fixture
def credit(desk):
    dice = random.Random(11)
    lines = ["age,sum,kind,paid"]
    for _ in range(500):
        age, amount, kind = dice.randint(18, 80), dice.randint(1, 99), dice.choice("abcde")
        late = dice.random() < 0.15 + 0.5 * (amount > 70 and kind in "ab") + 0.3 * (age < 25)
        lines.append(f"{age},{amount},{kind},{'no' if late else 'yes'}")
    desk.write("credit.csv", "\n".join(lines) + "\n")
    for name, more in (("plain", []), ("shrunken", ["--shrinkage", 300])):
        desk.ok("train", "credit.csv", "--target", "paid", "--max-depth", 4, *more, "-o", f"{name}.bough")


@pytest.mark.parametrize(
    "how",
    [
        ["--cp", 0.02],
        ["--alpha", 0.004, "--risk", "error"],
        ["--leaves", 5, "--risk", "error"],
        ["--method", "mdl"],
        ["--method", "pessimistic"],
        ["--method", "pessimistic", "--with", "credit.csv"],
    ],
    ids=lambda how: " ".join(map(str, how)),
)
def test_pruning_leaves_the_tests_of_the_tree_without_shrinkage(desk, credit, how):
    tests = []
    for name in ("plain", "shrunken"):
        desk.ok("prune", f"{name}.bough", *how, "-o", "pruned.bough")
        tree = json.loads(desk.ok("export", "pruned.bough", "--to", "json", "-o", "-"))["trees"][0]["arrays"]
        tests.append([tree[part] for part in ("column", "threshold", "children", "n_rows")])
    assert tests[1] == tests[0]
    assert len(tests[0][0]) > 1


def test_cp_tables_are_those_of_the_training_rows(desk, credit):
    tables = [desk.ok("show", f"{name}.bough", "--style", "cp") for name in ("plain", "shrunken")]
    assert tables[1] == tables[0]


@pytest.fixture
def trial(desk):
    dice = random.Random(2)
    lines = ["x,z,drug,pain"]
    for _ in range(300):
        x, z, drug = dice.random(), dice.random(), dice.randint(0, 1)
        lines.append(f"{x:.3f},{z:.3f},{drug},{z + 2 * drug * (x > 0.5) + dice.gauss(0, 0.3):.3f}")
    desk.write("trial.csv", "\n".join(lines) + "\n")
    train = ["train", "trial.csv", "--target", "pain", "--treatment", "drug", "--max-depth", 2]
    desk.ok(*train, "-o", "m.bough")


def test_a_model_of_a_treatment_explains_the_effect(desk, trial):
    said = desk.ok("explain", "m.bough", "trial.csv", "--row", 1, "--reasons")
    assert said.startswith("The effect of drug on pain is ")
    said = desk.ok("explain", "m.bough", "trial.csv", "--row", 1, "--shap")
    assert said.startswith("Shapley values of the effect of drug on pain:\n")
    rows = desk.ok("explain", "m.bough", "trial.csv", "--shap").splitlines()
    assert rows[1].startswith("1,effect of drug on pain,")
    said = desk.ok("rules", "m.bough", "--data", "trial.csv")
    assert "effect of drug on pain; counts from 300 rows" in said
    assert "then effect " in said
    assert "spread" not in said


def test_a_model_of_a_treatment_has_no_scores_to_warn_of_and_no_forms_of_rpart(desk, trial):
    said = desk.fails(6, "evaluate", "m.bough", "trial.csv")
    assert "better than those of new rows" not in said
    for style in ("rpart", "cp"):
        assert "estimates effects" in desk.fails(6, "show", "m.bough", "--style", style)


def test_numbers_are_explained_without_an_article(desk):
    desk.write("cars.csv", "hp,price\n" + "".join(f"{i},{i * i}\n" for i in range(40)))
    desk.ok("train", "cars.csv", "--target", "price", "--max-depth", 2, "-o", "cars.bough")
    said = desk.ok("explain", "cars.bough", "cars.csv", "--row", 1, "--shap")
    assert said.startswith("Shapley values of price:\n")


@pytest.mark.parametrize(
    "words", [("--size", "full", "--shrinkage", "cv"), ("--forest", 10, "--shrinkage", "cv"), ()]
)
def test_the_unit_of_weights_does_not_choose_the_shrinkage(desk, words):
    """Powers of two change no digit of the weights."""
    dice = random.Random(3)
    rows = []
    for _ in range(300):
        x, z, weight = dice.random(), dice.random(), dice.choice([0.5, 1, 3])
        rows.append((x, z, weight, "a" if (x > 0.5) != (dice.random() < 0.25) else "b"))
    answers = []
    for unit in (1.0, 2.0**40, 2.0**-30):
        lines = [f"{x},{z},{weight * unit!r},{y}" for x, z, weight, y in rows]
        desk.write("w.csv", "\n".join(["x,z,w,y", *lines]) + "\n")
        desk.ok("train", "w.csv", "-t", "y", "-w", "w", "-o", "m.bough", "--holdout", 0, *words)
        answers.append(desk.ok("predict", "m.bough", "w.csv", "--proba"))
    assert len({len(set(answer.split())) for answer in answers}) == 1 and len(set(answers)) == 1

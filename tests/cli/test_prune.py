# SPDX-License-Identifier: Apache-2.0
"""bough prune, pruning while training, and the table of cross-validation."""

import json
import random

import pytest


def rows_text(n, seed, labels=("no", "yes")):
    draw = random.Random(seed)
    lines = ["x,z,c,y,when"]
    for i in range(n):
        x, z, c = draw.randrange(100), draw.randrange(50), draw.choice("abcd")
        truth = x > 50 or (c in "ab" and z > 25)
        label = labels[int(truth != (draw.random() < 0.2))]
        lines.append(f"{x},{z},{c},{label},{i // 7}")
    return "\n".join(lines) + "\n"


@pytest.fixture
def desk_with_model(desk):
    desk.write("train.csv", rows_text(300, 1))
    desk.write("unseen.csv", rows_text(200, 2))
    desk.ok("train", "train.csv", "--target", "y", "--ignore", "when", "--size", "full", "-o", "full.bough")
    return desk


def train(desk, *more):
    return desk.ok("train", "train.csv", "--target", "y", "--ignore", "when", *more)


def leaves(desk, model):
    return json.loads(desk.ok("info", model, "--json"))["trees"][0]["leaves"]


def accuracy(desk, model, data):
    result = json.loads(desk.ok("evaluate", model, data, "--json"))
    return result["evaluations"][0]["scores"]["accuracy"]


def test_rows_make_a_smaller_and_better_tree(desk_with_model):
    desk = desk_with_model
    out = desk.ok("prune", "full.bough", "--with", "unseen.csv", "-o", "small.bough")
    assert out.startswith("before") and "saved small.bough" in out
    assert leaves(desk, "small.bough") < leaves(desk, "full.bough")
    assert accuracy(desk, "small.bough", "unseen.csv") > accuracy(desk, "full.bough", "unseen.csv")
    info = desk.ok("info", "small.bough")
    assert "pruned by reduced error on 200 rows" in info
    assert "bough train" in info and "; bough prune" in info
    again = json.loads(desk.ok("prune", "small.bough", "--with", "unseen.csv", "--json"))
    assert again["before"] == again["after"] and again["method"] == "reduced_error" and again["model"] is None


@pytest.mark.parametrize(
    "options",
    [
        ["--alpha", "0.01"],
        ["--alpha", "0.01", "--risk", "error"],
        ["--critical-value", "0.01"],
        ["--method", "mdl"],
        ["--with", "unseen.csv", "--leaf-values", "both", "--measure", "squared"],
    ],
    ids=lambda options: options[1],
)
def test_every_method_cuts_something(desk_with_model, options):
    result = json.loads(desk_with_model.ok("prune", "full.bough", *options, "-o", "p.bough", "--json"))
    assert 1 <= result["after"][0]["leaves"] < result["before"][0]["leaves"]
    assert leaves(desk_with_model, "p.bough") == result["after"][0]["leaves"]


def test_leaves_that_agree_are_merged(desk_with_model):
    desk = desk_with_model
    train(desk, "--min-samples-leaf", "12", "-o", "coarse.bough")
    result = json.loads(
        desk.ok("prune", "coarse.bough", "--method", "simplify", "-o", "merged.bough", "--json")
    )
    assert 1 < result["after"][0]["leaves"] < result["before"][0]["leaves"]
    assert desk.ok("predict", "merged.bough", "unseen.csv") == desk.ok(
        "predict", "coarse.bough", "unseen.csv"
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "needs to be told how to prune"),
        (["--method", "reduced_error"], "--with"),
        (["--alpha", "-1"], "alpha"),
        (["--alpha", "much"], "must be a number"),
        (["--method", "mdl", "--alpha", "1"], "--alpha does nothing, because --method is mdl"),
        (["--critical-value", "-1"], "critical value"),
        (["--with", "other.csv"], "z"),
        (["--with", "strange.csv"], "'maybe' in row"),
        (["--with", "empty.csv"], "no rows"),
        (["--with", "unseen.csv", "--weight", "w"], "'w'"),
    ],
)
def test_what_makes_no_sense_is_refused(desk_with_model, options, words):
    desk = desk_with_model
    desk.write("other.csv", "x,c,y\n1,a,no\n")
    desk.write("strange.csv", "x,z,c,y\n1,1,a,no\n2,2,b,maybe\n")
    desk.write("empty.csv", "x,z,c,y\n")
    result = desk.run("prune", "full.bough", *options)
    assert result.code in (2, 3)
    assert words in result.err


def test_hints_name_methods_as_they_are_typed(desk_with_model):
    fails = desk_with_model.fails
    said = fails(2, "prune", "full.bough", "--alpha", "0.1", "--critical-value", "0.1")
    assert "use --method critical_value or leave --critical-value out" in said
    said = fails(2, "prune", "full.bough", "--critical-value", "0.1", "--method", "mdl")
    assert "--critical-value does nothing, because --method is mdl" in said
    said = fails(2, "prune", "full.bough", "--method", "critical_value", "--alpha", "0.1")
    assert "--alpha does nothing, because --method is critical_value" in said
    said = fails(2, "prune", "full.bough", "--method", "simplify", "--with", "unseen.csv")
    assert "use --method reduced_error, pessimistic or leaves, or leave --with out" in said
    said = fails(2, "prune", "full.bough", "--method", "foo")
    assert "pessimistic, critical_value, mdl" in said
    assert "--pruning critical_value" in fails(
        2, "train", "train.csv", "--target", "y", "--ignore", "when", "--critical-value", "0.1"
    )


def numbers_text(n, seed):
    draw = random.Random(seed)
    rows = [(draw.randrange(100), draw.randrange(50)) for _ in range(n)]
    return "x,z,y\n" + "".join(f"{x},{z},{(x > 50) * 8 + z * 0.1 + draw.gauss(0, 2):.2f}\n" for x, z in rows)


def test_errors_of_numbers_are_no_risk_of_their_own(desk):
    desk.write("train.csv", numbers_text(200, 3))
    train = ("train", "train.csv", "--target", "y", "--no-scores")
    desk.ok(*train, "--size", "full", "-o", "full.bough")
    for how in (("--leaves", "5"), ("--alpha", "0.1"), ("--leaves", "1000")):
        said = desk.fails(2, "prune", "full.bough", *how, "--risk", "error")
        assert "the risk error is of classes, and the model predicts numbers" in said
    for price in ((), ("--ccp-alpha", "0.1")):
        said = desk.fails(2, *train, "--pruning", "cost_complexity", "--pruning-risk", "error", *price)
        assert "--pruning-risk error does nothing, because the target is a number" in said
    assert "does nothing" in desk.fails(2, *train, "--search", "auto", "--pruning-risk", "error")


@pytest.mark.parametrize("risk", ["impurity", "error"])
def test_a_tree_of_so_many_leaves_has_a_price_that_other_rows_agree_with(desk_with_model, risk):
    """The price that is kept lies inside the interval of the tree: a little more or less gives it as well."""
    desk = desk_with_model
    for wanted in (3, 6, 12):
        desk.ok("prune", "full.bough", "--leaves", wanted, "--risk", risk, "-o", "some.bough")
        price = json.loads(desk.ok("info", "some.bough", "--json"))["params"]["ccp_alpha"]
        kept = leaves(desk, "some.bough")
        assert kept <= wanted
        for factor in (0.999, 1.001):
            desk.ok("prune", "full.bough", "--alpha", price * factor, "--risk", risk, "-o", "near.bough")
            assert leaves(desk, "near.bough") == kept


def test_leaving_one_row_out_of_a_tree_of_so_many_leaves_mostly_changes_nothing(desk):
    """Two steps, far from each other and from the noise: no row is needed for the two cuts."""
    draw = random.Random(9)
    rows = [(i % 30, 10 * (i % 30 > 9) + 4 * (i % 30 > 19) + draw.gauss(0, 1)) for i in range(240)]
    desk.write("train.csv", "x,y\n" + "".join(f"{x},{y:.3f}\n" for x, y in rows))
    desk.ok("train", "train.csv", "--target", "y", "--size", "full", "--no-scores", "-o", "full.bough")
    desk.ok("prune", "full.bough", "--leaves", "3", "-o", "three.bough")
    assert leaves(desk, "three.bough") == 3
    found = json.loads(desk.ok("study", "leave-one-out", "three.bough", "train.csv", "--json"))
    assert sum(len(tree["rows"]) for tree in found["changed"]) == 0


def test_splits_that_lower_no_error_are_cut_for_a_size(desk_with_model):
    """The first steps of such a path have the price 0, and lead to smaller trees all the same."""
    desk = desk_with_model
    train(desk, "--size", "full", "--min-samples-leaf", "12", "-o", "coarse.bough")
    whole = leaves(desk, "coarse.bough")
    for wanted in range(1, whole):
        desk.ok("prune", "coarse.bough", "--leaves", wanted, "--risk", "error", "-o", "some.bough")
        assert leaves(desk, "some.bough") <= wanted


def test_training_chooses_the_price_and_shows_the_table(desk):
    desk.write("train.csv", rows_text(300, 1))
    out = train(desk, "--pruning", "cost_complexity", "-o", "m.bough")
    assert "Cross-validated pruning, 10 folds, risk impurity, rule min, error class_error" in out
    table = json.loads(desk.ok("info", "m.bough", "--json"))["pruning_table"]
    assert table["leaves"][table["chosen"]] == leaves(desk, "m.bough")
    assert len(table["alpha"]) == len(table["error"]) == len(table["standard_error"])
    text = desk.ok("info", "m.bough")
    assert text.count("\n* ") == 1
    for options in (["--fold-groups", "when"], ["--fold-order", "when"], ["--fold-row-order"]):
        ignore = [] if "when" in options else ["--ignore", "when"]
        words = [
            "train",
            "train.csv",
            "--target",
            "y",
            "--pruning",
            "cost_complexity",
            "--pruning-folds",
            "4",
        ]
        result = json.loads(desk.ok(*words, *options, *ignore, "--json", "--holdout", "0"))
        assert result["pruning_table"]["folds"] == 4
        assert "when" not in result["importances"]
    both = desk.run(*words, "--fold-groups", "when", "--fold-order", "when")
    assert both.code == 2 and "one way" in both.err


def test_the_other_ways_to_prune_while_training(desk):
    desk.write("train.csv", rows_text(300, 1))
    train = ["train", "train.csv", "--target", "y", "--ignore", "when", "--holdout", "0", "--json"]
    full = json.loads(desk.ok(*train, "--size", "full"))["trees"][0]["leaves"]
    for options in (["reduced_error"], ["mdl"], ["critical_value", "--critical-value", "0.01"]):
        assert 1 < json.loads(desk.ok(*train, "--pruning", *options))["trees"][0]["leaves"] < full
    refused = desk.run(*train, "--pruning", "mdl", "--ccp-alpha", "0.1")
    assert refused.code == 2 and "--ccp-alpha" in refused.err


def test_the_preset_of_onedal(desk, shared_data):
    folder = shared_data / "onedal"
    train = [
        "train",
        folder / "decision_tree_train.csv",
        "--no-header",
        "--target",
        "x5",
        "--preset",
        "onedal",
    ]
    assert "task" in desk.run(*train).err
    words = [*train, "--task", "classification", "--holdout", "0"]
    desk.ok(*words, "--pruning", "none", "-o", "full.bough")
    desk.ok(
        *("prune", "full.bough", "--with", folder / "decision_tree_prune.csv", "--no-header"),
        *("--leaf-values", "prune", "-o", "pruned.bough"),
    )
    answers = desk.ok("predict", "pruned.bough", folder / "decision_tree_test.csv", "--no-header").split()[1:]
    expected = (folder / "expected_decision_tree_classification.csv").read_text().split()
    same = sum(float(a) == float(b) for a, b in zip(answers, expected, strict=True))
    assert same >= 0.995 * 4000
    desk.ok(*words, "-o", "held.bough")
    info = json.loads(desk.ok("info", "held.bough", "--json"))
    assert info["params"]["pruning"] == "reduced_error" and info["criterion"] == "entropy"


def test_training_says_how_many_rows_pruning_keeps_from_growing(desk_with_model):
    desk = desk_with_model
    out = train(desk, "--pruning", "reduced_error", "-o", "x.bough")
    assert "saved x.bough, grown on 300 rows less 30% held out to prune" in out
    assert "· 210 rows\n" in out  # the root: 0.7 * 300

# SPDX-License-Identifier: Apache-2.0
"""What users of rpart expect, against what rpart 4.1.19 printed for the same made table."""

import json

import pytest

LIMITS = ["--missing-policy", "surrogate", "--competitors", "2", "--min-samples-split", "10"]
LIMITS += ["--min-samples-leaf", "4", "--cp", "0.01", "--cp-groups", "fold"]

# rpart(y ~ ., d, method = "anova", control = rpart.control(minsplit = 10, minbucket = 4, cp = 0.01,
# xval = fold, maxcompete = 2)): CP, nsplit, rel error, xerror, xstd
NUMBER_TABLE = [
    [7.6200470662261621e-01, 0, 1.0000000000000000, 1.0240294467335644, 1.0193153236491115e-01],
    [9.4773255793207223e-02, 1, 2.3799529337738384e-01, 2.8162483066459615e-01, 5.9980760604426260e-02],
    [6.5840443718237621e-02, 2, 1.4322203758417662e-01, 2.3900025159883376e-01, 4.7980066582798575e-02],
    [1.4216354832907086e-02, 3, 7.7381593865939013e-02, 1.2825657924607409e-01, 2.7321955441705098e-02],
    [1.2629505117729931e-02, 4, 6.3165239033031922e-02, 9.8037179431975582e-02, 1.6724856384549819e-02],
    [1.0000000000000000e-02, 5, 5.0535733915302000e-02, 9.4595889158543112e-02, 1.6910906365814719e-02],
]
# The same with label ~ ., method = "class".
CLASS_TABLE = [
    [0.53125, 0, 1.0, 1.0, 1.2076147288491199e-01],
    [0.03125, 1, 0.46875, 0.625, 1.141088661469096e-01],
    [0.01, 3, 0.40625, 0.71875, 1.1768989531108154e-01],
]


def made_rows():
    """Sixty rows out of a small generator: numbers with gaps, a town, and what depends on them."""
    state = 12345

    def unit():
        nonlocal state
        state = (1103515245 * state + 12345) % 2**31
        return state / 2**31

    for i in range(60):
        base = unit()
        a = "" if i % 7 == 3 else f"{int(base * 20)}"
        b = "" if i % 11 == 5 else f"{int((base + 0.4 * unit()) * 20)}"
        c = f"{int(unit() * 10)}"
        town = "klmn"[min(3, int(base * 3 + unit()))]
        y = f"{base * 10 + unit():.3f}"
        label = "yes" if base + 0.5 * unit() > 0.8 else "perhaps" if unit() < 0.2 else "no"
        yield ",".join([a, b, c, town, y, label, str(i % 5 + 1)])


@pytest.fixture
def made(desk):
    return desk.write("made.csv", "\n".join(["a,b,c,town,y,label,fold", *made_rows()]) + "\n")


@pytest.mark.parametrize(
    ("target", "other", "expected"), [("y", "label", NUMBER_TABLE), ("label", "y", CLASS_TABLE)]
)
def test_the_cp_table_is_rparts(desk, made, target, other, expected):
    desk.train(made, "--ignore", other, *LIMITS, target=target, model="m.json")
    table = json.loads(desk.read("m.json"))["cp_table"]
    assert len(table) == len(expected)
    for ours, theirs in zip(table, expected, strict=True):
        assert ours == pytest.approx(theirs, rel=1e-9)


def test_the_printed_tree_has_rparts_numbers_and_facts(desk, made):
    model = desk.train(made, "--ignore", "y", *LIMITS, target="label")
    # rpart: number, n, loss, class.
    expected = {
        1: "root 60 32 no",
        2: "a<=12.5 37 12 no",
        4: "b<=9.5 23 4 no",
        5: "b> 9.5 14 8 no",
        10: "b> 13.5 6 2 no",
        11: "b<=13.5 8 4 perhaps",
        3: "a> 12.5 23 3 yes",
    }
    lines = desk.ok("show", model, "--style", "rpart").splitlines()[5:]
    shown = {}
    for line in lines:
        number, _, rest = line.strip().partition(") ")
        shown[int(number)] = rest
    assert list(shown) == list(expected)
    for number, words in expected.items():
        assert shown[number].startswith(words + " ("), number
        assert shown[number].endswith("*") == (2 * number not in expected), number


def test_the_summary_names_competitors_and_surrogates(desk, made):
    model = desk.train(made, "--ignore", "y", *LIMITS, target="label")
    text = desk.ok("show", model, "--style", "summary")
    node = text.split("Node number 5: ")[1].split("Node number")[0]
    # rpart: b 13.5 to the right 1.461538; town -RL- 1; a 8.5 0.75; surrogates c 0.846 0.667, town, a.
    assert "b <= 13.5 to the right, improve=1.461538" in node
    assert "town splits as -RL-, improve=1, (0 missing)" in node
    assert "a <= 8.5 to the left, improve=0.75, (2 missing)" in node
    assert "c <= 5 to the right, agree=0.846, adj=0.667, (1 split)" in node
    assert "town splits as -RL-, agree=0.769, adj=0.500, (0 split)" in node
    assert "a <= 5.5 to the right, agree=0.615, adj=0.167, (0 split)" in node


def test_the_cp_table_is_printed_and_drawn(desk, made):
    model = desk.train(made, "--ignore", "y", *LIMITS, target="label")
    text = desk.ok("show", model, "--style", "cp")
    assert "Root node error: 32/60 = 0.53333" in text
    assert text.splitlines()[-1].split() == ["3", "0.01", "3", "0.40625", "0.71875", "0.1176899"]
    picture = desk.ok("show", model, "--style", "cp-svg")
    assert picture.startswith("<svg") and picture.count("<circle") == 3


def test_prune_cuts_nodes_by_either_number(desk, made):
    model = desk.train(made, "--ignore", "y", *LIMITS, target="label")
    desk.ok("prune", model, "--nodes", "5", "--style", "rpart", "-o", "cut.bough")
    numbers = [
        line.split(")")[0].strip()
        for line in desk.ok("show", "cut.bough", "--style", "rpart").splitlines()[5:]
    ]
    assert numbers == ["1", "2", "4", "5", "3"]
    # In preorder from 0 the children of a <= 12.5 are nodes 1 to 5: node 3 is rpart's 5.
    desk.ok("prune", model, "--nodes", "3", "-o", "same.bough")
    assert desk.ok("show", "same.bough") == desk.ok("show", "cut.bough")
    assert "after   7 nodes, 4 leaves" in desk.ok("prune", model, "--cp", "0.03", "-o", "all.bough")
    assert "after   3 nodes, 2 leaves" in desk.ok("prune", model, "--cp", "0.04", "-o", "less.bough")
    rows = desk.ok("show", "less.bough", "--style", "cp").splitlines()[-2:]
    assert [row.split()[1] for row in rows] == ["0.53125", "0.04"]


def test_bad_wishes_are_refused(desk, made):
    model = desk.train(made, "--ignore", "y", *LIMITS, target="label")
    assert "no node 99" in desk.fails(2, "prune", model, "--nodes", "99", "-o", "x.bough")
    assert "no node 6" in desk.fails(2, "prune", model, "--nodes", "6", "--style", "rpart", "-o", "x.bough")
    assert "'x'" in desk.fails(2, "prune", model, "--nodes", "1,x", "-o", "x.bough")
    assert "--nodes" in desk.fails(2, "prune", model, "-o", "x.bough")
    desk.fails(2, "prune", model, "--cp", "-0.5", "-o", "x.bough")
    wrong = [
        (["--priors", "no=0.5,yes=0.4,perhaps=0.2"], "sum to 1.1"),
        (["--priors", "no=0.5,yes=0.5"], "'perhaps'"),
        (["--priors", "no=0.5,yes=0.3,maybe=0.2,perhaps=0"], "'maybe'"),
        (["--priors", "no=-0.5,yes=1,perhaps=0.5"], "priors must be"),
        (["--loss-matrix", "0,1;1,0"], "2 rows"),
        (["--loss-matrix", "1,1,1;1,0,1;1,1,0"], "diagonal"),
        (["--loss-matrix", "0,1;1,0,1;1,1,0"], "row 1 has 2"),
        (["--column-costs", "a=-1"], "--column-costs must be"),
        (["--column-costs", "q=2"], "'q'"),
        (["--missing-policy", "surrogates"], "did you mean 'surrogate'"),
    ]
    for flags, words in wrong:
        assert words in desk.fails(2, "train", made, "--target", "label", "--ignore", "y,fold", *flags), flags
    assert not desk.path("x.bough").exists()

# SPDX-License-Identifier: Apache-2.0
"""Names from files never steer the terminal that shows them: such signs come out as \\uXXXX."""

import csv
import re

import pytest

STEER = "a\x1b[31mred\x1b]0;title\x07\u202eturned\x9b2J"
TARGET = "y\x1b[2J"
WORDS = ["x\x1b[31m</script>", "*/ '; DROP TABLE--"]
CLASSES = ["c\x1b[1m", "d\u2066\r"]

VERBS = [
    ["show", "m"],
    ["show", "m", "--style", "rpart"],
    ["info", "m"],
    ["info", "m", "--json"],
    ["predict", "m", "d"],
    ["evaluate", "m", "d"],
    ["evaluate", "m", "d", "--json"],
    ["explain", "m", "--data", "d", "--row", "3"],
    ["explain", "m", "--data", "d", "--row", "3", "--reasons"],
    ["explain", "m", "--data", "d", "--node", "0"],
    ["explain", "m", "--data", "d", "--row", "3", "--shap"],
    ["explain", "m", "--leaves"],
    ["explain", "m", "--data", "d", "--importance", "--repeats", "2"],
    ["explain", "m", "--data", "d", "--counterfactual"],
    ["rules", "m"],
    ["schema", "d"],
    ["compare", "m", "m", "--data", "d"],
    ["prune", "m", "--method", "mdl"],
    *(
        ["export", "m", "--to", to]
        for to in ("c", "cpp", "dot", "json", "python", "rules", "sql", "svg", "text")
    ),
]
STUDIES = [
    ["train", "d", "--target", TARGET],
    ["train", "d", "--target", f"{TARGET},</b>", "-o", "two", "--holdout", "0.3"],
    ["evaluate", "two", "d"],
    ["info", "two"],
    ["train", "d", "--target", STEER, "-o", "number", "--holdout", "0"],
    ["evaluate", "number", "d"],
    ["explain", "number", "--data", "d", "--reasons"],
    ["train", "d", "--target", TARGET, "--forest", "3", "-o", "forest", "--holdout", "0"],
    ["forest", "forest", "d"],
    ["rules", "m", "--data", "d"],
    ["study", "stability", "m", "d", "--repeats", "3"],
    ["study", "splits", "m", "d", "--repeats", "3"],
    ["study", "leave-one-out", "m", "d"],
    ["study", "permutation", "m", "d", "--repeats", "3"],
    ["report", "m", "-o", "r.html"],
    ["plot", "m"],
]
FAILURES = [
    ["train", "d", "--target", "nope\x1b[2J"],
    ["explain", "m", "--values", "q=1"],
    ["predict", "m", "other"],
    ["export", "m", "--to", "pmml"],
    ["predict", "gone\x1b[2J.bough", "d"],
]


@pytest.fixture
def hostile(desk):
    rows = [[i, WORDS[i % 2], CLASSES[i > 30]] for i in range(60)]
    with open(desk.path("d"), "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([[STEER, "</b>", TARGET], *rows])
    desk.write("other", "z\x1b[2J,w\n1,2\n")
    desk.ok("train", "d", "--target", TARGET, "-o", "m", "--holdout", "0")
    return desk


def steering(text):
    """Signs that steer a terminal, its own line ends aside. A progress line may clear itself."""
    text = text.replace("\r\n", "\n").replace("\r\x1b[K", "")
    bad = {*range(0x20), *range(0x7F, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A)} - {9, 10}
    return sorted({hex(ord(c)) for c in text if ord(c) in bad})


def test_no_verb_lets_names_steer_the_terminal(hostile):
    for words in VERBS + STUDIES:
        code, text = hostile.on_a_terminal(*words)
        assert code == 0, f"{words}: {text}"
        assert steering(text) == [], f"{words}: {text!r}"


def test_no_error_lets_names_steer_the_terminal(hostile):
    for words in FAILURES:
        code, text = hostile.on_a_terminal(*words)
        assert code in (2, 3, 5, 6), f"{words}: {text}"
        assert "error:" in text and steering(text) == [], f"{words}: {text!r}"


def test_errors_in_files_are_harmless_too_and_data_is_as_it_was(hostile):
    error = hostile.fails(3, "train", "d", "--target", "nope")
    assert steering(error) == [] and "\\u001b[31mred" in error
    assert hostile.ok("predict", "m", "d").splitlines()[1] == CLASSES[0]


def test_a_tree_has_colours_on_a_terminal_that_wants_them(desk):
    desk.write("d.csv", "x,y\n" + "".join(f"{i},{'low' if i < 30 else 'high'}\n" for i in range(60)))
    desk.ok("train", "d.csv", "--target", "y", "-o", "m", "--holdout", "0", "--size", "full")
    plain = desk.ok("show", "m")
    assert "\x1b" not in plain and "→ low 100% · 30 rows" in plain
    assert "\x1b" not in desk.on_a_terminal("show", "m")[1]
    code, coloured = desk.on_a_terminal("show", "m", colours=True)
    colours = re.findall("→ \x1b\\[([0-9;]+)m(low|high) 100%", coloured)
    assert code == 0 and len(colours) == 2 and colours[0][0] != colours[1][0]
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured).replace("\r\n", "\n") == plain


def test_long_lines_of_train_and_help_end_between_words_on_a_terminal(desk):
    desk.write("t.csv", "x,y\n" + "".join(f"{i % 17},{i % 3 > 0}\n" for i in range(400)))
    for words in (("train", "t.csv", "--target", "y", "-o", "m.bough"), ("--help",), ("train", "--help-all")):
        text = desk.on_a_terminal(*words, width=80)[1]
        lines = [line.split("\r\x1b[K")[-1] for line in text.replace("\r\n", "\n").split("\n")]
        long = [line for line in lines if len(line) > 80 and "  bough " not in line]
        assert long == [], words
        assert any(line.startswith(("   ", "  error")) for line in lines), words


def test_classes_have_the_colours_of_the_pictures(desk):
    """Orange and sky blue, as far as sixteen colours go."""
    desk.write("t.csv", "x,y\n" + "".join(f"{i},{i // 10}\n" for i in range(20)))
    model = desk.train("t.csv")
    text = desk.on_a_terminal("show", model, colours=True)[1]
    assert "\x1b[33my = 0" in text and "\x1b[1;36my = 1" in text

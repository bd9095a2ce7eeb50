# SPDX-License-Identifier: Apache-2.0
"""The runner of pages runs what it should, and fails where a page is wrong."""

import os
import sys

import pytest

from docs.markdown import console_steps, parse, same
from docs.runner import Run

FENCE = "```"


def block(language, *lines):
    return "\n".join([FENCE + language, *lines, FENCE, ""])


@pytest.fixture
def failures(tmp_path):
    """Runs a page given as text; what is wrong with it."""

    def run(*parts):
        page, desk = tmp_path / "page.md", tmp_path / f"desk-{len(list(tmp_path.iterdir()))}"
        desk.mkdir()
        page.write_text("\n".join(parts), encoding="utf-8")
        found = Run(page, desk, tmp_path, lambda: pytest.fail("no C++ here")).all()
        return [failure.removeprefix(str(page)) for failure in found]

    return run


def test_a_good_page_passes(failures):
    assert (
        failures(
            "# Title",
            block("python", "a = [1, 2]", "print(a)"),
            block("text", "[1, 2]"),
            block("pycon", ">>> a.append(3)", ">>> a", "[1, 2, 3]"),
            block("python", "for number in a:", "    print(number)"),
            block("text", "1", "...", "3"),
            block(
                "console",
                "$ cat > x.csv <<'END'",
                "> y",
                "> 1",
                "> END",
                "$ wc -l < x.csv",
                "2",
                "$ echo a \\",
                "    b",
                "a b",
            ),
            block("sh", "wc -l < x.csv  # it's two"),
            block("text", "2"),
            "<!-- exit: 3 -->",
            block("console", "$ echo said >&2; exit 3", "said"),
            "<!-- setup\nhidden = 1\n-->",
            block(
                "python",
                "assert hidden == 1",
                "def f():",
                "    return 1",
                "import pickle",
                "assert pickle.loads(pickle.dumps(f)) is f",
            ),
            "<!-- not run: needs R -->",
            block("r", "library(rpart)"),
            block("json", "{"),
        )
        == []
    )


@pytest.mark.parametrize(
    ("page", "start", "words"),
    [
        ([block("python", "print(1)"), block("text", "2")], ":2: ", "-2\n    +1"),
        ([block("python", "1 / 0")], ":2: ", "ZeroDivisionError"),
        ([block("python", "x = 1", "raise SystemExit")], ":2: ", "SystemExit"),
        (["", block("pycon", ">>> 1 + 1", "3")], ":3: ", "Expected:\n    3\nGot:\n    2"),
        ([block("console", "$ true", "$ echo a", "b")], ":3: ", "$ echo a"),
        ([block("console", "$ false")], ":2: ", "ended with 1, not 0"),
        ([block("console", "$ bough-is-not-here --x")], ":2: ", "ended with 127"),
        ([block("console", "echo a")], ":2: ", "starts with `$ command`"),
        ([block("sh", "false", "true")], ":2: ", "ended with 1"),
        ([block("r", "library(rpart)")], ":2: ", "a block of `r` is not run"),
        ([block("", "x")], ":2: ", "without a language"),
        (["<!-- not run: -->", block("python", "1 / 0")], ":3: ", "without a reason"),
        (["![A tree](pictures/page-x.svg)"], ":1: ", "no block of it made that file"),
        (["![x](pictures/page-x.svg)", block("sh", "touch pictures/page-x.svg")], ":1: ", "is not beside"),
        (["![x](pictures/x.svg)", block("sh", "echo > pictures/x.svg")], ":1: ", "must start with"),
        (["![x](pictures/page.svg)", block("sh", "seq 90000 > pictures/page.svg")], ":1: ", "more than 15"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line(failures, page, start, words):
    found = failures(*page)
    assert found and found[0].startswith(start)
    assert words in found[0]


def test_errors_name_the_line_of_the_page(failures):
    (found,) = failures("", "", block("python", "x = 1", "y = undefined"))
    assert 'page.md", line 5' in found
    assert "y = undefined" in found


def test_an_exception_ends_the_page_and_wrong_output_does_not(failures):
    wrong = [block("python", "print(1)"), block("text", "2")]
    assert len(failures(*wrong, *wrong)) == 2
    assert len(failures(block("python", "1 / 0"), *wrong)) == 1


def test_pictures_are_copied_on_request(failures, tmp_path, monkeypatch):
    lines = ["import matplotlib.pyplot as plt", "plt.plot([1, 2])", 'plt.savefig("pictures/page-x.svg")']
    page = ["![x](pictures/page-x.svg)", block("python", *lines)]
    monkeypatch.setenv("BOUGH_UPDATE", "1")
    assert failures(*page) == []
    first = (tmp_path / "pictures/page-x.svg").read_bytes()
    assert failures(*page) == []
    assert (tmp_path / "pictures/page-x.svg").read_bytes() == first  # no date, no random names
    monkeypatch.delenv("BOUGH_UPDATE")
    assert failures(*page) == []
    assert failures(page[0], "<!-- not run: x -->", "![y](pictures/page-y.svg)", page[1]) != []


def test_pages_do_not_disturb_each_other(failures, tmp_path):
    numpy = pytest.importorskip("numpy")
    before = os.getcwd(), list(sys.path), dict(os.environ), numpy.get_printoptions(), sys.modules["__main__"]
    state = numpy.random.get_state()[1].tolist()
    lines = """import os, sys, numpy as np
np.set_printoptions(precision=1)
np.random.seed(1)
os.environ["A_B"] = "c"
os.chdir("pictures")
sys.path.append("x")
open("../mine.py", "w").close()
import mine""".splitlines()
    assert failures(block("python", *lines)) == []
    assert "mine" not in sys.modules
    assert before == (
        os.getcwd(),
        sys.path,
        dict(os.environ),
        numpy.get_printoptions(),
        sys.modules["__main__"],
    )
    assert numpy.random.get_state()[1].tolist() == state
    assert "NameError" in failures(block("python", "np"))[0]


def test_the_comparison_can_fail():
    assert same(["a", "...", "b"], ["a", "x", "y", "b"])
    assert same(["a", "..."], ["a"])
    assert same(["a"], ["a  ", ""])
    assert not same(["a", "..."], ["b"])
    assert not same(["a"], ["a", "b"])
    assert not same([], ["b"])


def test_the_head_of_a_page_is_read():
    page = parse("# A\n<!-- needs: adult, soybean.csv -->\n<!-- long -->\n")
    assert (page.needs, page.is_long) == (["adult", "soybean.csv"], True)
    assert not parse("\n" * 6 + "<!-- long -->\n").is_long


def test_blocks_are_found_in_lists_and_inside_longer_fences():
    inner = f"  {FENCE}python\n  if 1:\n      pass\n  {FENCE}\n"
    text = f"* point\n\n{inner}\n````markdown\n{FENCE}python\n1 / 0\n{FENCE}\n````\n"
    assert [(b.language, b.body) for b in parse(text).blocks] == [
        ("python", "if 1:\n    pass\n"), ("markdown", f"{FENCE}python\n1 / 0\n{FENCE}\n"),
    ]  # fmt: skip


def test_commands_go_on_where_a_shell_would_ask():
    steps = console_steps("$ a '1\n2' \\\n  b\nout\n$ c  # don't\nout\n$ d <<E\nx\nE\n", 10)
    assert steps == [("a '1\n2' \\\n  b", 10, ["out"]), ("c  # don't", 14, ["out"]), ("d <<E\nx\nE", 16, [])]

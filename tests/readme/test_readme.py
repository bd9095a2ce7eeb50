# SPDX-License-Identifier: Apache-2.0
"""What the README shows is run: console blocks with the built program, C++ against a copy, Python."""

import doctest
import os
import re

import pytest
from support import ROOT, pkg_config, run

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = [(language, body) for language, body in BLOCK.findall(TEXT)]


def steps(console):
    """The commands of a console block ("$ ..."), each with the output shown below it."""
    found = []
    for line in console.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def links(markdown):
    return re.findall(r"\]\(([^)#:]+)\)", markdown)


def same(shown, printed):
    """Whether the output is the one shown; a line "..." stands for any lines."""
    parts = [re.escape(line) + "\n" if line != "..." else "(?:.*\n)*?" for line in shown]
    return re.fullmatch("".join(parts), printed) is not None


def test_the_comparison_can_fail():
    assert same(["a", "...", "b"], "a\nx\ny\nb\n")
    assert same(["a", "..."], "a\n")
    assert not same(["a", "..."], "b\n")
    assert not same(["a"], "a\nb\n")


def test_the_readme_has_both_tours():
    assert [language for language, _ in BLOCKS].count("console") >= 2
    assert [language for language, _ in BLOCKS].count("cpp") == 1


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """The folder in which all the README's commands run, one after the other."""
    return tmp_path_factory.mktemp("readme")


@pytest.mark.parametrize("number", [i for i, (language, _) in enumerate(BLOCKS) if language == "console"])
def test_console_blocks_print_what_they_show(number, release_build, desk):
    path = f"{release_build}:{os.environ['PATH']}"
    for command, shown in steps(BLOCKS[number][1]):
        # make works in the repository, everything else on the desk.
        folder = ROOT if command.startswith("make ") else desk
        printed = run(
            "bash",
            "-c",
            command,
            cwd=folder,
            env={"PATH": path, "NO_COLOR": "1", "MAKEFLAGS": "", "MAKELEVEL": "0"},
        )
        assert not shown or same(shown, printed), f"$ {command}\nprinted\n{printed}"


@pytest.mark.parametrize("number", [i for i, (language, _) in enumerate(BLOCKS) if language == "cpp"])
def test_cpp_blocks_compile_and_run(number, installed, release_build, desk):
    source, program = desk / "tour.cpp", desk / "tour"
    source.write_text(BLOCKS[number][1], encoding="utf-8")
    warnings = ["-Wall", "-Wextra", "-Wconversion", "-Werror"]
    run("g++", "-std=c++20", *warnings, source, "-o", program, *pkg_config(installed))
    run(release_build / "bough", "demo", "--write", "iris", "-o", "iris.csv", cwd=desk)
    printed = run(program, cwd=desk)
    # Row 1 of iris is a setosa, and the root of the tree holds all rows.
    assert printed.startswith("150 rows: ")
    assert printed.endswith("\nsetosa\n")
    run(release_build / "bough", "info", "iris.bough", cwd=desk)


@pytest.mark.parametrize("number", [i for i, (language, _) in enumerate(BLOCKS) if language == "pycon"])
def test_python_blocks_print_what_they_show(number, desk, monkeypatch):
    pytest.importorskip("bough", reason="the package is not in this environment (make build)")
    monkeypatch.chdir(desk)
    test = doctest.DocTestParser().get_doctest(BLOCKS[number][1], {}, "README.md", "README.md", 0)
    assert test.examples
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_to_files(page):
    targets = links((ROOT / page).read_text(encoding="utf-8"))
    assert [target for target in targets if not (ROOT / target).exists()] == []

# SPDX-License-Identifier: Apache-2.0
"""Runs the sessions in transcripts/: commands with the output they must print.

A file is run in an empty folder, line by line:

    # a remark
    $ bough show m.bough        a command for bash; lines that start with "> " continue it
    text                        the standard output
    2> text                     the standard error
    => 3                        the exit code, when it is not 0

In expected text a line "..." stands for any lines and "[..]" for any part of a line. With BOUGH_UPDATE=1 in
the environment the output of commands that no longer match is rewritten; look at the difference before
keeping it.
"""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))


@dataclass
class Step:
    line: int
    source: list[str]
    command: str
    out: list[str] = field(default_factory=list)
    err: list[str] = field(default_factory=list)
    code: int = 0


def steps(text):
    """The commands of a transcript; remarks before the first one are a step without a command."""
    found = [Step(1, [], "")]
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("$ "):
            found.append(Step(number, [line], line[2:]))
        elif line.startswith("> ") and not found[-1].out:
            found[-1].command += "\n" + line[2:]
            found[-1].source.append(line)
        elif line.startswith("#"):
            found.append(Step(number, [line], ""))
        elif line.startswith("=> "):
            found[-1].code = int(line[3:])
        elif line.startswith("2> "):
            found[-1].err.append(line[3:])
        else:
            found[-1].out.append(line)
    return found


def pattern(expected):
    parts = []
    for line in expected:
        if line == "...":
            parts.append("(?:.*\n)*?")
        else:
            parts.append(".*?".join(re.escape(piece) for piece in line.split("[..]")) + "\n")
    return "".join(parts)


def matches(expected, printed):
    if printed and not printed.endswith("\n"):
        return False
    return re.fullmatch(pattern(expected), printed) is not None


def trimmed(lines):
    """Blank lines at the end only separate commands."""
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines


def rewritten(step, result):
    lines = [*step.source, *trimmed(result.out.splitlines()), *("2> " + e for e in result.err.splitlines())]
    if result.code != 0:
        lines.append(f"=> {result.code}")
    return [*lines, ""]


def as_written(step):
    lines = [*step.source, *step.out, *("2> " + e for e in step.err)]
    if step.code != 0:
        lines = [*step.source, *trimmed(step.out), *("2> " + e for e in step.err), f"=> {step.code}", ""]
    elif step.err:
        lines = [*step.source, *trimmed(step.out), *("2> " + e for e in step.err), ""]
    return lines


def test_expected_text_can_be_wrong():
    assert matches(["a", "...", "c [..] e"], "a\nb\nb\nc d e\n")
    assert matches(["..."], "")
    assert not matches(["a"], "a\nb\n")
    assert not matches(["a.b"], "axb\n")
    assert not matches([], "a\n")
    assert not matches(["a"], "a")


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_transcript(path, desk):
    update = os.environ.get("BOUGH_UPDATE") == "1"
    kept = []
    for step in steps(path.read_text(encoding="utf-8")):
        if not step.command:
            kept += as_written(step)
            continue
        result = desk.shell(step.command)
        good = (
            result.code == step.code
            and matches(trimmed(step.out), result.out.rstrip("\n") + "\n" if result.out.strip() else "")
            and matches(step.err, result.err)
        )
        kept += as_written(step) if good else rewritten(step, result)
        if not good and not update:
            shown = "\n".join(rewritten(step, result))
            pytest.fail(f"{path.name}, line {step.line}, now gives:\n{shown}", pytrace=False)
    if update:
        path.write_text("\n".join(kept).rstrip("\n") + "\n", encoding="utf-8")

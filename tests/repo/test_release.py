# SPDX-License-Identifier: Apache-2.0
"""What a release must agree on: the version in its one place, the changelog, the pages about formats."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def found(pattern, name):
    match = re.search(pattern, text(name), re.MULTILINE)
    assert match, f"{name} has no {pattern}"
    return match[1]


def test_the_changelog_starts_with_the_version_of_the_build():
    version = found(r"^project\(bough VERSION ([0-9.]+)", "CMakeLists.txt")
    newest, state = re.search(r"^## (\S+) \((.+)\)$", text("CHANGELOG.md"), re.MULTILINE).groups()
    assert newest == version
    assert state == "unreleased" or re.fullmatch(r"\d{4}-\d\d-\d\d", state)


def test_the_page_for_an_index_runs_and_has_no_link_that_an_index_cannot_follow(tmp_path):
    page = text(found(r'^readme = "(.+)"$', "pyproject.toml"))
    assert [link for link in re.findall(r"\]\(([^)]+)\)", page) if not link.startswith("https://")] == []
    code = re.search(r"```python\n(.*?)```", page, re.DOTALL)[1]
    wanted = {"cwd": tmp_path, "capture_output": True, "text": True, "check": True}
    done = subprocess.run([sys.executable, "-c", code], **wanted)
    assert [done.stdout.strip()] == re.findall(r"print\(.*\)  # (.*)", code)
    verbs = re.findall(r'^    \{"(\w+)", "', text("cli/main.cpp"), re.MULTILINE)
    for line in re.search(r"```sh\n(bough.*?)```", page, re.DOTALL)[1].splitlines():
        assert line.split()[1] in verbs


def test_the_page_of_the_format_has_the_version_that_is_written():
    major = found(r"kFormatMajor = (\d+)", "src/model/document.hpp")
    minor = found(r"kFormatMinor = (\d+)", "src/model/document.hpp")
    page = f"docs/format-v{major}.md"
    assert found(r"^# .*format version ([0-9.]+)$", page) == f"{major}.{minor}"
    assert found(r"format version, minor: (\d+)", page) == minor
    assert found(r"`format` \| `\[([0-9, ]+)\]`", page) == f"{major}, {minor}"

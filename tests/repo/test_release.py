# SPDX-License-Identifier: Apache-2.0
"""What a release must agree on: the version in its one place, the changelog, the pages about formats."""

import re
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


def test_the_page_of_the_format_has_the_version_that_is_written():
    major = found(r"kFormatMajor = (\d+)", "src/model/document.hpp")
    minor = found(r"kFormatMinor = (\d+)", "src/model/document.hpp")
    page = f"docs/format-v{major}.md"
    assert found(r"^# .*format version ([0-9.]+)$", page) == f"{major}.{minor}"
    assert found(r"format version, minor: (\d+)", page) == minor
    assert found(r"`format` \| `\[([0-9, ]+)\]`", page) == f"{major}, {minor}"

# SPDX-License-Identifier: Apache-2.0
"""House rules that a program can check: file sizes, licence lines, no machine's paths, no registry's name."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = {".c", ".cpp", ".h", ".hpp", ".inc", ".py", ".sh", ".cmake", ".js", ".css"}
MAX_LINES = 500
# Spelled in pieces, so that this file passes its own test.
MACHINE_PATHS = re.compile(
    "(?<![\\w.~])/(?:" + "|".join(["wo" + "rk", "ho" + "me", "ro" + "ot", "Us" + "ers"]) + ")/"
)
HOSTS = re.compile(
    "|".join(
        re.escape(name + end)
        for name, end in [
            ("py", "pi.org"),
            ("python", "hosted.org"),
            ("deb.", "debian.org"),
            ("archive.", "ubuntu.com"),
            ("crates", ".io"),
            ("npm", "js.org"),
            ("npm", "js.com"),
            ("conda", ".anaconda.org"),
            ("cran.", "r-project.org"),
            ("proxy.", "golang.org"),
        ]
    ),
    re.IGNORECASE,
)


def repository_files():
    listing = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode != 0:
        pytest.skip("not a git checkout, so the repository's files are unknown")
    return [
        ROOT / name for name in sorted(set(listing.stdout.split("\0"))) if name and (ROOT / name).is_file()
    ]


def text_of(path):
    data = path.read_bytes()
    return None if b"\0" in data[:4096] else data.decode("utf-8", errors="replace")


def name(path):
    return path.relative_to(ROOT).as_posix()


def too_long(path, text):
    return path.suffix in CODE and text.count("\n") > MAX_LINES


def lacks_licence_line(path, text):
    if path.suffix in {".c", ".cpp", ".h", ".hpp", ".inc"}:
        start = r"(?://|/\*) SPDX-License-Identifier: Apache-2\.0(?: \*/)?\n(?://|/\*) "
        return re.match(start, text) is None
    if path.suffix in {".py", ".sh", ".cmake"}:
        return "# SPDX-License-Identifier: Apache-2.0\n" not in text[:200]
    return False


def foreign_words(path, text):
    return [
        f"{name(path)}:{number}: {line.strip()}"
        for number, line in enumerate(text.splitlines(), 1)
        if MACHINE_PATHS.search(line) or HOSTS.search(line)
    ]


def offenders(rule):
    texts = ((path, text_of(path)) for path in repository_files())
    return [name(path) for path, text in texts if text is not None and rule(path, text)]


def test_no_source_file_is_longer_than_500_lines():
    assert offenders(too_long) == []


def test_every_source_starts_with_its_licence_line_and_a_sentence():
    assert offenders(lacks_licence_line) == []


def test_no_file_names_a_machine_path_or_a_package_registry():
    texts = ((path, text_of(path)) for path in repository_files())
    assert [line for path, text in texts if text is not None for line in foreign_words(path, text)] == []


def test_the_rules_catch_what_they_are_for():
    source = ROOT / "src/base/made_up.cpp"
    good = "// SPDX-License-Identifier: Apache-2.0\n// A file.\n"
    assert not lacks_licence_line(source, good)
    assert lacks_licence_line(source, "// A file.\n" + good)
    assert lacks_licence_line(source, "// SPDX-License-Identifier: Apache-2.0\n#include <a>\n")
    assert not too_long(source, "\n" * MAX_LINES)
    assert too_long(source, "\n" * (MAX_LINES + 1))
    assert foreign_words(source, "see /ho" + "me/me/x and\nnothing") == [
        "src/base/made_up.cpp:1: see /ho" + "me/me/x and"
    ]
    assert foreign_words(source, "https://py" + "pi.org/simple")
    assert not foreign_words(source, "build/home/x, tests/work/, framework/")

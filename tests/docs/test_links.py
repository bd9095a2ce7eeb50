# SPDX-License-Identifier: Apache-2.0
"""Every relative link of a page leads to a file of the repository, and every anchor to a heading there."""

import importlib.util
import subprocess

import pytest
from support import ROOT

SPEC = importlib.util.spec_from_file_location("doc_links", ROOT / "tools/docs/links.py")
links = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(links)

# Pages that tools/docs/reference.py makes.
MADE = "docs/reference/"


def pages():
    command = [
        "git",
        "-c",
        "safe.directory=*",
        "ls-files",
        "--cached",
        "--others",
        "--exclude-standard",
        "*.md",
    ]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listing.returncode == 0:
        return [name for name in sorted(set(listing.stdout.split())) if (ROOT / name).is_file()]
    return sorted(str(p.relative_to(ROOT)) for p in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def broken(page, text, read):
    """What is wrong with the links of a page; `read` gives the text of a path, None where there is none."""
    found = []
    for line, target in links.links(text):
        path = links.resolved(page, target)
        there = text if path == page else read(path)
        anchor = target.partition("#")[2]
        if there is None and not path.startswith(MADE):
            found.append(f"{page}:{line}: there is no {path}")
        elif there is not None and anchor and path.endswith(".md") and anchor not in links.anchors(there):
            found.append(f"{page}:{line}: {path} has no heading #{anchor}")
    return found


def read(path):
    file = ROOT / path
    if file.is_dir():
        return ""
    return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else None


@pytest.fixture(scope="module")
def texts():
    return {page: read(page) for page in pages()}


def test_links_lead_to_files_and_headings(texts):
    assert len(texts) > 30
    assert [words for page, text in texts.items() for words in broken(page, text, read)] == []


def test_a_broken_link_is_named():
    text = "# A b\n\n[x](no.md) [y](b.md#c-d) [z](#a-b) `[code](nothing.md)` [w](https://example.org)\n"
    text += "\n## A b\n[v](#a-b-1)\n"
    files = {"docs/b.md": "# C, d\n"}
    assert broken("docs/a.md", text, files.get) == ["docs/a.md:3: there is no docs/no.md"]
    assert broken("docs/a.md", "[y](b.md#d)", files.get) == ["docs/a.md:1: docs/b.md has no heading #d"]
    assert broken("docs/a.md", "![p](../pictures/p.svg)", files.get) == [
        "docs/a.md:1: there is no pictures/p.svg"
    ]
    fenced = "```text\n[x](no.md)\n```\n<!-- setup\n[x](no.md)\n-->\n"
    assert broken("docs/a.md", fenced, files.get) == []
    figure = "```{figure} pictures/no.svg\n```\n"
    assert broken("docs/a.md", figure, files.get) == ["docs/a.md:1: there is no docs/pictures/no.svg"]


def test_links_are_turned_to_where_the_site_has_them():
    text = "See [a](x.md#b), [folder](../src) and `[c](x.md)`.\n"
    moved = links.rewritten(text, lambda target: None if target == "../src" else "y/" + target)
    assert moved == "See [a](y/x.md#b), folder and `[c](x.md)`.\n"

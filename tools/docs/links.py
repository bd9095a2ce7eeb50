# SPDX-License-Identifier: Apache-2.0
"""Links and headings of Markdown pages, code left out: for staging the site and for the test of links."""

import re
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
# [text](target "title"), ![alt](target), <img src="target">, [name]: target
TARGET = re.compile(
    r"""(?P<before>\]\(|\ssrc="|\shref="|^\[[^\]]+\]:\s+)(?P<target>[^)\s"]+)(?=[)\s"]|$)""", re.MULTILINE
)
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
OUTSIDE = re.compile(r"^[a-zA-Z][a-zA-Z0-9+.-]*:|^//")
DIRECTIVE = re.compile(r"^(?P<before>\s*(?:`{3,}|:{3,})\{(?:figure|image)\}\s+)(?P<target>\S+)\s*$")


def lines_of_prose(text: str) -> Iterator[tuple[int, str, bool]]:
    """Number from 1, text and whether it is prose (neither in a fence nor in a comment of several lines)."""
    fence, comment = None, False
    for number, line in enumerate(text.splitlines(), 1):
        found = FENCE.match(line)
        if fence:
            if found and found[1].startswith(fence) and line.strip() == found[1]:
                fence = None
            yield number, line, False
        elif found and not comment:
            fence = found[1]
            yield number, line, False
        else:
            opens = "<!--" in line and "-->" not in line.split("<!--")[-1]
            yield number, line, not (comment or opens)
            comment = opens or (comment and "-->" not in line)


def spans_of_code(line: str) -> list[tuple[int, int]]:
    return [found.span() for found in CODE.finditer(line)]


def rewritten(text: str, change: Callable[[str], str | None]) -> str:
    """The page with every relative target replaced by `change(target)`; None leaves only the words."""
    out = []
    for _, line, prose in lines_of_prose(text):
        if not prose:
            shown = DIRECTIVE.match(line)
            new = change(shown["target"]) if shown and not OUTSIDE.match(shown["target"]) else None
            out.append(f"{shown['before']}{new}" if shown and new else line)
            continue
        code = spans_of_code(line)
        for found in reversed(list(TARGET.finditer(line))):
            target = found["target"]
            inside = any(a <= found.start("target") < b for a, b in code)
            if inside or OUTSIDE.match(target) or target.startswith("#"):
                continue
            new = change(target)
            if new is not None:
                line = line[: found.start("target")] + new + line[found.end("target") :]
            elif found["before"] == "](":
                start = line.rindex("[", 0, found.start())
                line = line[:start] + line[start + 1 : found.start()] + line[found.end("target") + 1 :]
        out.append(line)
    return "\n".join(out) + "\n"


def links(text: str) -> list[tuple[int, str]]:
    """Every target that is not on another host, with its line."""
    found = []
    for number, line, prose in lines_of_prose(text):
        shown = None if prose else DIRECTIVE.match(line)
        if shown:
            found.append((number, shown["target"]))
        if prose:
            code = spans_of_code(line)
            for match in TARGET.finditer(line):
                target, start = match["target"], match.start("target")
                if not OUTSIDE.match(target) and not any(a <= start < b for a, b in code):
                    found.append((number, target))
    return found


def slug(heading: str) -> str:
    """The anchor of a heading, as code hosts and MyST make it."""
    words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def anchors(text: str) -> set[str]:
    """Anchors of a page: its headings, those of equal headings numbered, and names given by hand."""
    found: set[str] = set()
    for _, line, prose in lines_of_prose(text):
        heading = re.match(r"^#{1,6}\s+(.*?)\s*#*$", line) if prose else None
        if heading:
            base = name = slug(heading[1])
            count = 0
            while name in found:
                count += 1
                name = f"{base}-{count}"
            found.add(name)
        found.update(re.findall(r"""<a (?:id|name)="([^"]+)">""", line) if prose else [])
        found.update(re.findall(r"^\(([\w-]+)\)=$", line))
    return found


def resolved(page: str, target: str) -> str:
    """The path in the repository that a target on `page` means, anchor left out."""
    path = target.split("#")[0]
    parts: list[str] = []
    for part in (PurePosixPath(page).parent / path).parts if path else PurePosixPath(page).parts:
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes JavaScript smaller without changing what it does: no comments, no idle blanks, short names.

A name is replaced by a short one, the same everywhere, when the script declares it and never uses it as the
name of a member (after a dot, or as a key or shorthand between braces). Being the same everywhere, the change
needs no idea of scopes. Inside strings nothing changes; inside templates only the expressions do.
"""

import itertools
import re
import string
from collections import Counter

PIECES = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<text>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")
    |(?P<template>`(?:\\.|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}|[^`\\])*`)
    |(?P<regex>(?<=[(=,:|&!?[])\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n\[])+/[a-z]*)
    |(?P<word>[A-Za-z_$][\w$]*)|(?P<number>\d[\w.]*)|(?P<blank>\s+)|(?P<sign>=>|\.\.\.|\?\.|.)""",
    re.VERBOSE | re.DOTALL,
)
HOLES = re.compile(r"(?<=\$\{)(?:[^{}`]|`[^`]*`|\{[^{}]*\})*(?=\})")
KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """async await break case catch class const continue default delete do else extends false finally for
        function if in instanceof let new null of return static super switch this throw true try typeof
        undefined var void while""",
    )
)


def pieces(text: str) -> list[tuple[str, str]]:
    return [(match.lastgroup or "", match[0]) for match in PIECES.finditer(text)]


def holes(template: str) -> list[str]:
    return HOLES.findall(template)


def words(text: str) -> list[tuple[str, str, str, str]]:
    """Every word as (word, piece before, piece after, innermost open bracket)."""
    solid = [(kind, piece.strip()) for kind, piece in pieces(text) if kind not in ("comment", "blank")]
    out, open_brackets = [], [""]
    for i, (kind, piece) in enumerate(solid):
        before = solid[i - 1][1] if i else ""
        after = solid[i + 1][1] if i + 1 < len(solid) else ""
        if kind == "word":
            out.append((piece, before, after, open_brackets[-1]))
        elif kind == "template":
            for hole in holes(piece):
                out += words(hole)
        elif kind == "sign" and piece in "([{":
            open_brackets.append(piece)
        elif kind == "sign" and piece in ")]}" and len(open_brackets) > 1:
            open_brackets.pop()
    return out


def declared(text: str) -> set[str]:
    """Names after const and the like, in lists of parameters, and patterns of names."""
    plain = "".join(" " if kind in ("comment", "text", "regex") else piece for kind, piece in pieces(text))
    names = set(re.findall(r"\b(?:const|let|function|class)\s+([\w$]+)", plain))
    names |= set(re.findall(r"\b([\w$]+)\s*=>", plain))
    lists = re.findall(r"\(([^()]*)\)\s*(?:=>|\{)", plain) + re.findall(
        r"\b(?:const|let)\s+\[([^\]]*)\]", plain
    )
    for group in lists:
        names |= set(re.findall(r"(?<![.\w$])([A-Za-z_$][\w$]*)", re.sub(r"=[^,]*", "", group)))
    for line in re.findall(r"\b(?:const|let)\s[^;]*;", plain):
        names |= set(re.findall(r"[,]\s*([A-Za-z_$][\w$]*)\s*=[^=>]", line))
    return names - KEYWORDS


def short_names(text: str) -> dict[str, str]:
    found = words(text)
    # Methods of classes: a name and its parameters on a line of their own, then a brace.
    members = set(re.findall(r"^ +(?:async |static )?([\w$]+)\([^\n]*\) \{", text, re.MULTILINE))
    for word, before, after, bracket in found:
        if before in (".", "?.") or (bracket == "{" and before in "{," and after in ":,}"):
            members.add(word)
    counts = Counter(word for word, *_ in found)
    long = [name for name in declared(text) - members if len(name) > 2]
    wanted = sorted(long, key=lambda name: (-counts[name] * len(name), name))
    taken = set(counts) | members | KEYWORDS
    letters = string.ascii_letters
    fresh = ("".join(name) for size in (1, 2) for name in itertools.product(letters, repeat=size))
    return dict(zip(wanted, (name for name in fresh if name not in taken), strict=False))


def squeezed(text: str, names: dict[str, str] | None = None) -> str:
    """Line ends stay where they may end a statement."""
    names = short_names(text) if names is None else names
    out, blank, last = "", "", ""
    for kind, piece in pieces(text):
        if kind in ("comment", "blank"):
            blank += piece if kind == "blank" else " "
            continue
        piece = piece.strip()
        if kind == "word" and last not in (".", "?."):
            piece = names.get(piece, piece)
        if kind == "template":
            piece = HOLES.sub(lambda match: squeezed(match[0], names).strip(), piece)
        before, after = out[-1:], piece[0]
        if "\n" in blank and before not in "{(,;[" and after not in "})],.?:":
            out += "\n"
        elif blank and (re.match(r"[\w$]{2}", before + after) or (before == after and before in "+-")):
            out += " "
        out, blank, last = out + piece, "", piece
    return out + "\n"

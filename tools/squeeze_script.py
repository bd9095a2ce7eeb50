#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes JavaScript smaller without changing what it does: no comments, no idle blanks, short names.

A name that the script declares is replaced by a short one, the same everywhere, so that the change needs no
idea of scopes. Names of members (after a dot, keys between braces) stay, and {a} becomes {a:b}. Inside
strings nothing changes; inside templates only the expressions do.
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

# Members of the page's own objects alone, neither of the browser nor of the data: they get short names too.
PRIVATE = frozenset(
    re.findall(
        r"\w+",
        """altAt altMapAt answerColour childAt classWeights cutAt descending folded foldedByHand
        hasStatistics isClass isLeaf isWrong layout losses mapAt negated ordinal output pitchX pitchY plot
        rowOf spec stopped subject termAt together valueAt weights xFormat xLabel yFormat yLabel""",
    )
)


def pieces(text: str) -> list[tuple[str, str]]:
    return [(match.lastgroup or "", match[0]) for match in PIECES.finditer(text)]


def holes(template: str) -> list[str]:
    return HOLES.findall(template)


def roles(text: str) -> list[tuple[str, str, str]]:
    """Every solid piece as (kind, piece, role): what a word is there for.

    "member" stands after a dot or is a key; "short" is a key and a name at once ({a} for {a: a}); "name" is
    neither.
    """
    solid = [(kind, piece.strip()) for kind, piece in pieces(text) if kind not in ("comment", "blank")]
    out, braces = [], [""]
    for i, (kind, piece) in enumerate(solid):
        before = solid[i - 1][1] if i else ""
        after = solid[i + 1][1] if i + 1 < len(solid) else ""
        role = ""
        if kind == "word":
            role = "name"
            starts = braces[-1] == "object" and before in ("{", ",")
            if before in (".", "?.") or (starts and after in (":", "(")):
                role = "member"
            elif starts and after in (",", "}", "="):
                role = "short"
        elif piece == "{" and kind == "sign":
            # Behind these a brace begins a value or a pattern, else a block.
            value = before in ("(", ",", "=", ":", "[", "?", "|", "&", "...", "return", "const", "let")
            braces.append("object" if value else "block")
        elif piece in ("(", "[") and kind == "sign":
            braces.append(piece)
        elif piece in (")", "]", "}") and kind == "sign" and len(braces) > 1:
            braces.pop()
        out.append((kind, piece, role))
    return out


def all_words(text: str) -> list[tuple[str, str]]:
    """(word, role) of every word, those in templates too."""
    out = []
    for kind, piece, role in roles(text):
        if kind == "word":
            out.append((piece, role))
        for hole in holes(piece) if kind == "template" else ():
            out += all_words(hole)
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
    found = all_words(text)
    # Methods of classes: a name and its parameters on a line of their own, then a brace.
    methods = set(re.findall(r"^ +(?:async |static )?([\w$]+)\([^\n]*\) \{", text, re.MULTILINE))
    members = ({word for word, role in found if role != "name"} | methods) - PRIVATE
    counts = Counter(word for word, role in found if role == "name" or word in PRIVATE)
    long = [name for name in (declared(text) - methods) | PRIVATE if len(name) > 2]
    wanted = sorted(long, key=lambda name: (-counts[name] * len(name), name))
    taken = set(counts) | members | KEYWORDS
    letters = string.ascii_letters
    fresh = ("".join(name) for size in (1, 2) for name in itertools.product(letters, repeat=size))
    return dict(zip(wanted, (name for name in fresh if name not in taken), strict=False))


def renamed(piece: str, role: str, names: dict[str, str]) -> str:
    if role == "name" or piece in PRIVATE:
        return names.get(piece, piece)
    return f"{piece}:{names[piece]}" if role == "short" and piece in names else piece


def squeezed(text: str, names: dict[str, str] | None = None) -> str:
    """Line ends stay where they may end a statement; declarations that follow one another are joined."""
    names = short_names(text) if names is None else names
    solid = iter(roles(text))
    out, blank = "", ""
    declares = [""]  # const or let, where the statement before does, in every open bracket
    for kind, piece in pieces(text):
        if kind in ("comment", "blank"):
            blank += piece if kind == "blank" else " "
            continue
        # After a brace that closes a value, the declaration goes on, unless the line ends as well.
        if out[-1:] in ("", ";", "{") or (out[-1:] == "}" and (not declares[-1] or "\n" in blank)):
            if piece == declares[-1] and out[-1:] == ";":
                next(solid)
                out, blank = out[:-1] + ",", ""
                continue
            declares[-1] = piece if piece in ("const", "let") else ""
        _, piece, role = next(solid)
        if kind == "word":
            piece = renamed(piece, role, names)
        if kind == "template":
            piece = HOLES.sub(lambda match: squeezed(match[0], names).strip(), piece)
        before, after = out[-1:], piece[0]
        if "\n" in blank and before not in "{(,;[" and after not in "})],.?:":
            out += "\n"
        elif blank and (re.match(r"[\w$]{2}", before + after) or (before == after and before in "+-")):
            out += " "
        out, blank = out + piece, ""
        if kind == "sign" and piece in "([{":
            declares.append("")
        elif kind == "sign" and piece in ")]}":
            declares.pop()
    return out + "\n"

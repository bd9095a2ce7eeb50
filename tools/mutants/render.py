# SPDX-License-Identifier: Apache-2.0
"""Writes sources with mutants woven in."""

import re


def render(text, begin, end, mutants):
    """text[begin:end] with its mutants, a list of (number, place), woven in."""
    inside = [m for m in mutants if begin <= m[1].begin and m[1].end <= end]
    out, at = [], begin
    while inside:
        # The outermost that begins first; others of the same stretch go into its alternatives.
        first = min(inside, key=lambda m: (m[1].begin, -m[1].end))
        number, place = first
        inner = [m for m in inside if m is not first and place.begin <= m[1].begin and m[1].end <= place.end]
        out.append(text[at : place.begin])
        plain = render(text, place.begin, place.end, inner)
        if place.operator == "statement":
            out.append(f"if (!::bough::mutant({number})) {plain}".encode())
        else:
            other = "".join(p if isinstance(p, str) else render(text, p[0], p[1], inner) for p in place.parts)
            out.append(f"(::bough::mutant({number}) ? ({other}) : ({plain}))".encode())
        at = place.end
        inside = [m for m in inside if m[1].begin >= place.end]
    out.append(text[at:end])
    return b"".join(out).decode()


def include_switch(text):
    """The include stands before the first one, on its line, so that lines keep their numbers."""
    return re.sub(r"^#include", '#include "base/mutant.hpp"\n#include', text, count=1, flags=re.M)


def write(file, text):
    if not file.exists() or file.read_text() != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

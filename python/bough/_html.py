# SPDX-License-Identifier: Apache-2.0
"""What notebooks show: small tables and lists of HTML, with every word escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from sklearn.utils import Bunch


def table(head: Sequence[str], rows: Iterable[Sequence[Any]], caption: str = "", strong: int = -1) -> str:
    """A table; row number `strong` is set in bold, and a list in a cell is joined by a bold "and"."""
    lines = []
    for i, row in enumerate(rows):
        cells = "".join(f'<td style="text-align: left">{_cell(cell)}</td>' for cell in row)
        weight = "bold" if i == strong else "normal"
        lines.append(f'<tr style="font-weight: {weight}">{cells}</tr>')
    top = "".join(f'<th style="text-align: left">{escape(name)}</th>' for name in head)
    words = f"<caption>{escape(caption)}</caption>" if caption else ""
    body = "".join(lines)
    return f"<table>{words}<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _cell(cell: Any) -> str:
    return " <b>and</b> ".join(map(escape, cell)) if isinstance(cell, list) else escape(str(cell))


def text(words: str) -> str:
    """Text of several lines as it stands."""
    return f'<pre style="white-space: pre-wrap">{escape(words)}</pre>'


class Sentences(Bunch):
    """An answer of which a notebook shows the sentences."""

    def _repr_html_(self) -> str:
        return "".join(f"<p>{escape(sentence)}</p>" for sentence in self["sentences"])


class Explanation(Bunch):
    """The path of one row; a notebook shows its sentences, the last of which is the answer."""

    def _repr_html_(self) -> str:
        *way, answer = self["sentences"]
        items = "".join(f"<li>{escape(sentence)}</li>" for sentence in way)
        return f"<div><ol>{items}</ol><p><b>{escape(answer)}</b></p></div>"

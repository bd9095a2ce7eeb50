# SPDX-License-Identifier: Apache-2.0
"""Tests of nodes in words: one condition per child, whatever the kind of test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import _core
from ._tree import EQUALITY, INTERVAL, MULTIWAY, NUMERIC, OBLIQUE, ORDINAL, SUBSET, Tree

_MOST_LISTED = 8


def conditions(
    tree: Tree,
    node: int,
    names: list[str],
    number: Callable[[float], str],
    less: str = "<=",
    more: str = "> ",
    escape: Callable[[str], str] = str,
) -> list[str]:
    """The condition under which a row goes to each child of an inner node; ``escape`` is for categories."""
    kind = tree.kind[node]
    if kind == OBLIQUE:
        name = " + ".join(
            f"{_weight(w, number)}*{names[c]}" for c, w in _core.node_terms(tree.model, int(node))
        )
    else:
        name = names[tree.feature[node]]
    if kind in (NUMERIC, OBLIQUE):
        cut = number(tree.threshold[node])
        return [f"{name} {less} {cut}", f"{name} {more} {cut}"]
    if kind == INTERVAL:
        return [tree.model.condition(int(node), child) for child in range(len(tree.children(node)))]
    if kind == ORDINAL:
        level = escape(_word(_values(tree, node)[int(tree.threshold[node])]))
        return [f"{name} < {level}", f"{name} >= {level}"]
    if kind == EQUALITY:
        level = escape(_word(tree.left_levels(node)[0]))
        return [f"{name} == {level}", f"{name} != {level}"]
    if kind == SUBSET:
        listed = escape(_listed(tree.left_levels(node)))
        return [f"{name} in {listed}", f"{name} not in {listed}"]
    assert kind == MULTIWAY
    return [f"{name} in {escape(_listed(levels))}" for levels in _levels_by_child(tree, node)]


def _values(tree: Tree, node: int) -> Any:
    _, _, (_, values) = tree.model.features[int(tree.feature[node])]
    return values


def _levels_by_child(tree: Tree, node: int) -> list[list[Any]]:
    values = _values(tree, node)
    parts: list[list[Any]] = [[] for _ in tree.children(node)]
    for level, child in zip(*_core.node_levels(tree.model, int(node)), strict=True):
        parts[child].append(values[level])
    return parts


def _word(value: Any) -> str:
    """A value on one line; quoted where its ends would not be seen."""
    if isinstance(value, float):
        return f"{value:g}"
    text = str(value)
    return text if text.isprintable() and text == text.strip() and text else repr(text)


def _listed(levels: list[Any]) -> str:
    words = [_word(level) for level in levels[:_MOST_LISTED]]
    if len(levels) > _MOST_LISTED:
        words.append(f"... {len(levels) - _MOST_LISTED} more")
    return "{" + ", ".join(words) + "}"


def _weight(weight: float, number: Callable[[float], str]) -> str:
    """A weight of a sum; one that decimals would round to nearly nothing has three digits instead."""
    shown = number(weight)
    return shown if abs(float(shown) - weight) <= 0.05 * abs(weight) else f"{weight:.3g}"

# SPDX-License-Identifier: Apache-2.0
"""What pictures and texts write about a node, and how pictures colour it."""

from __future__ import annotations

import colorsys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from . import _core
from ._answers import ours
from ._tree import EQUALITY, INTERVAL, LEAF, MULTIWAY, NUMERIC, OBLIQUE, ORDINAL, SUBSET, Tree, check_one_tree

_MOST_LISTED = 8


def conditions(
    tree: Tree,
    node: int,
    names: list[str],
    number: Callable[[float], str],
    less: str = "<=",
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
        return [f"{name} {less} {cut}", f"{name} >  {cut}"]
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


@dataclass
class Style:
    """The options of a picture, and the signs its format needs."""

    feature_names: list[str] | None = None
    class_names: Any = None
    label: str = "all"
    impurity: bool = True
    node_ids: bool = False
    proportion: bool = False
    precision: int = 3
    newline: str = "\n"
    less: str = "<="
    index: Callable[[str, int], str] = field(default=lambda name, i: f"{name}[{i}]")
    escape: Callable[[str], str] = field(default=lambda text: text)

    def number(self, x: float) -> str:
        return str(round(float(x), self.precision))

    def branches(self, tree: Tree, node: int) -> list[str]:
        """The condition of each child, unescaped."""
        names = self.feature_names or [f"x[{i}]" for i in range(tree.n_features)]
        return conditions(tree, node, names, self.number)


def style_of(tree: Tree, feature_names: Any, class_names: Any, *looks: Any) -> Style:
    """A style with names as lists, refused in scikit-learn's words."""
    names = None if feature_names is None else list(feature_names)
    if names is not None and len(names) != tree.n_features:
        raise ValueError(
            f"Length of feature_names, {len(names)} does not match number of features, {tree.n_features}"
        )
    if not all(isinstance(name, str) for name in names or ()):
        raise ValueError("All feature names must be strings.")
    listed = class_names is not None and not isinstance(class_names, bool)
    return Style(names, list(class_names) if listed else class_names, *looks)


def fitted_tree(estimator: Any) -> Tree:
    """The tree of a fitted estimator of ours, or of scikit-learn."""
    check_one_tree(estimator)
    return ours(estimator).tree_


def drawn_nodes(tree: Tree, max_depth: int | None) -> list[tuple[int, int, int]]:
    """(node, depth, parent) of all nodes of a picture in preorder; folded ones end their branches."""
    out, todo = [], [(0, 0, -1)]
    while todo:
        node, depth, parent = todo.pop()
        out.append((node, depth, parent))
        if tree.kind[node] != LEAF and (max_depth is None or depth <= max_depth):
            todo += [(child, depth + 1, node) for child in reversed(tree.children(node))]
    return out


def node_lines(estimator: Any, tree: Tree, node: int, style: Style) -> list[str]:
    """The lines of text of a node."""
    named = style.label == "all" or (style.label == "root" and node == 0)
    lines = []
    if style.node_ids:
        lines.append(f"{'node ' if named else ''}#{node}")
    if tree.kind[node] != LEAF:
        lines.append(_test(tree, node, style))
    if style.impurity:
        measure = "entropy" if estimator.criterion == "gain_ratio" else estimator.criterion
        prefix = f"{measure} = " if named else ""
        lines.append(prefix + style.number(tree.impurity[node]))
    rows = tree.n_node_samples
    share = f"{round(100.0 * rows[node] / rows[0], 1)}%" if style.proportion else str(rows[node])
    lines.append(("samples = " if named else "") + share)
    lines.append(("value = " if named else "") + _value(estimator, tree, node, style))
    one_of_classes = is_classifier(estimator) and tree.n_outputs == 1 and tree.n_classes[0] != 1
    if style.class_names is not None and style.class_names is not False and one_of_classes:
        lines.append(("class = " if named else "") + _class_name(tree, node, style))
    return lines


def _test(tree: Tree, node: int, style: Style) -> str:
    if style.feature_names is not None:
        names = [style.escape(name) for name in style.feature_names]
    else:
        names = [style.index("x", i) for i in range(tree.n_features)]
    if len(tree.children(node)) > 2:
        return names[tree.feature[node]]
    return conditions(tree, node, names, style.number, less=style.less, escape=style.escape)[0]


def _class_name(tree: Tree, node: int, style: Style) -> str:
    best = tree.answer(node)
    if style.class_names is True:
        return style.index("y", best)
    return style.escape(str(style.class_names[best]))


def _value(estimator: Any, tree: Tree, node: int, style: Style) -> str:
    values = tree.value[node]
    counts = is_classifier(estimator) and tree.n_classes[0] != 1
    if counts and not style.proportion:
        values = values * tree.weighted_n_node_samples[node]
    # Shares times weights miss whole numbers by their last bits.
    near = np.abs(values - np.rint(values)) <= 1e-12 * tree.weighted_n_node_samples[node]
    whole = counts and not style.proportion and bool(near.all())

    def word(x: float) -> str:
        return str(round(x)) if whole else str(float(np.around(x, style.precision)))

    if tree.n_outputs == 1 and tree.n_classes[0] == 1:
        return word(values[0, 0])
    rows = ["[" + ", ".join(word(x) for x in row) + "]" for row in values]
    return rows[0] if tree.n_outputs == 1 else "[" + style.newline.join(rows) + "]"


class Palette:
    """Fill colours: a hue per class, paler where it leads by less; one hue by value for numbers."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        n = int(tree.n_classes[0])
        self.hues = [_rgb(int(hue)) for hue in np.arange(25, 385, 360.0 / n)]
        self.bounds: tuple[float, float] | None = None
        if tree.n_outputs != 1:
            self.bounds = (-float(tree.impurity.max()), -float(tree.impurity.min()))
        elif n == 1 and len(np.unique(tree.value)) != 1:
            self.bounds = (float(tree.value.min()), float(tree.value.max()))

    def colour(self, node: int) -> str:
        if self.bounds is None:
            shares = self.tree.value[node][0]
            hue = self.hues[int(np.argmax(shares))]
            first, second = (*sorted(shares, reverse=True), None)[:2]
            alpha = 0.0 if second is None else (first - second) / (1 - second)
        else:
            hue = self.hues[0]
            one = self.tree.n_outputs == 1
            at = float(self.tree.value[node][0, 0]) if one else -float(self.tree.impurity[node])
            low, high = self.bounds
            alpha = (at - low) / (high - low) if high > low else 0.0
        mixed = [round(alpha * channel + (1 - alpha) * 255) for channel in hue]
        return "#" + "".join(f"{channel:02x}" for channel in mixed)


def _rgb(hue: int) -> tuple[int, int, int]:
    red, green, blue = colorsys.hsv_to_rgb(hue % 360 / 360.0, 0.75, 0.9)
    return int(255 * red), int(255 * green), int(255 * blue)

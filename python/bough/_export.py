# SPDX-License-Identifier: Apache-2.0
"""Trees as text and as Graphviz pictures, with scikit-learn's signatures, for every kind of test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import check_array

from . import _core
from ._labels import Palette, Style, conditions, drawn_nodes, fitted_tree, node_lines, style_of
from ._tree import LEAF, Tree

_FOLDED = "#C0C0C0"
_MOST_SIGNS = 200_000_000


def export_text(
    decision_tree: Any,
    *,
    feature_names: Any = None,
    class_names: Any = None,
    max_depth: int = 10,
    spacing: int = 3,
    decimals: int = 2,
    show_weights: bool = False,
) -> str:
    """Return the tree as indented text.

    Parameters
    ----------
    decision_tree : fitted estimator
    feature_names : array-like of shape (n_features,), default=None
        By default, the names of the training frame, or feature_0, feature_1, ...
    class_names : array-like of shape (n_classes,), default=None
        Names in the order of ``classes_``.
    max_depth : int, default=10
        Deeper branches are shortened to one line.
    spacing : int, default=3
        Characters of indentation per level.
    decimals : int, default=2
        Digits after the decimal point.
    show_weights : bool, default=False
        Whether leaves list the weights of the classes.

    Returns
    -------
    text : str

    Raises
    ------
    ValueError
        If the indentation alone would take more than 200 million characters. This happens for trees of
        thousands of levels with a large ``max_depth``.
    """
    for name, value, low in (("max_depth", max_depth, 0), ("spacing", spacing, 1), ("decimals", decimals, 0)):
        if not isinstance(value, (int, np.integer)) or value < low:
            raise ValueError(
                f"The {name!r} parameter of export_text must be an int of at least {low}. Got {value!r}."
            )
    tree = fitted_tree(decision_tree)
    names, labels = _text_names(decision_tree, tree, feature_names), _labels(decision_tree, class_names)
    return _TextWriter(tree, names, labels, max_depth, spacing, decimals, show_weights).write()


def _text_names(estimator: Any, tree: Tree, names: Any) -> list[str]:
    if names is None:
        given = getattr(estimator, "feature_names_in_", None)
        return [f"feature_{i}" for i in range(tree.n_features)] if given is None else list(given)
    names = check_array(names, ensure_2d=False, dtype=None, ensure_min_samples=0).tolist()
    if len(names) != tree.n_features:
        raise ValueError(f"feature_names must contain {tree.n_features} elements, got {len(names)}")
    return names


def _labels(estimator: Any, names: Any) -> Any:
    if not is_classifier(estimator):
        return None
    if names is None or estimator.n_outputs_ > 1:
        return estimator.classes_
    names = check_array(names, ensure_2d=False, dtype=None, ensure_min_samples=0)
    if len(names) != len(estimator.classes_):
        raise ValueError(
            "When `class_names` is an array, it should contain as many items as `decision_tree.classes_`. Got"
            f" {len(names)} while the tree was fitted with {len(estimator.classes_)} classes."
        )
    return names


@dataclass
class _TextWriter:
    tree: Tree
    names: list[str]
    labels: Any
    max_depth: int
    spacing: int
    decimals: int
    weights: bool

    def number(self, x: float) -> str:
        return f"{x:.{self.decimals}f}"

    def write(self) -> str:
        # A stack of lines to be written and nodes to be opened: trees may be deeper than Python's own.
        todo: list[Any] = [(0, 1)]
        lines, signs = [], 0
        while todo:
            item = todo.pop()
            if isinstance(item, str):
                lines.append(item)
                continue
            node, depth = item
            signs += (1 + self.spacing) * depth
            if signs > _MOST_SIGNS:
                raise ValueError(
                    f"the indents of this text are more than {_MOST_SIGNS} characters, because the tree is"
                    f" {self.tree.max_depth} levels deep: give a smaller max_depth, or export('text'), whose"
                    " indents end"
                )
            indent = ("|" + " " * self.spacing) * depth
            indent = indent[: -self.spacing] + "-" * self.spacing
            if self.tree.kind[node] == LEAF:
                lines.append(f"{indent} {self.leaf(node)}")
            elif depth > self.max_depth + 1:
                lines.append(f"{indent} truncated branch of depth {self.depth_below(node)}")
            else:
                words = conditions(self.tree, node, self.names, self.number)
                for child, text in reversed(list(zip(self.tree.children(node), words, strict=True))):
                    todo += [(child, depth + 1), f"{indent} {text}"]
        return "".join(line + "\n" for line in lines)

    def leaf(self, node: int) -> str:
        values = self.tree.value[node]
        if self.labels is None:
            return "value: [" + ", ".join(self.number(x) for x in values[:, 0]) + "]"
        if self.tree.n_outputs > 1:
            chosen = [
                str(labels[int(np.argmax(row))]) for labels, row in zip(self.labels, values, strict=True)
            ]
            return "class: [" + ", ".join(chosen) + "]"
        text = f"class: {self.labels[self.tree.answer(node)]}"
        if not self.weights:
            return text
        weights = values[0] * self.tree.weighted_n_node_samples[node]
        return "weights: [" + ", ".join(self.number(x) for x in weights) + "] " + text

    def depth_below(self, node: int) -> int:
        """Levels of the branch, its first node included."""
        deepest, todo = 0, [(node, 1)]
        while todo:
            at, depth = todo.pop()
            deepest = max(deepest, depth)
            todo += [(child, depth + 1) for child in self.tree.children(at)]
        return deepest


def export_graphviz(
    decision_tree: Any,
    out_file: Any = None,
    *,
    max_depth: int | None = None,
    feature_names: Any = None,
    class_names: Any = None,
    label: str = "all",
    filled: bool = False,
    leaves_parallel: bool = False,
    impurity: bool = True,
    node_ids: bool = False,
    proportion: bool = False,
    rotate: bool = False,
    rounded: bool = False,
    special_characters: bool = False,
    precision: int = 3,
    fontname: str = "helvetica",
) -> str | None:
    """Return or write the tree in the DOT language of Graphviz.

    Parameters
    ----------
    decision_tree : fitted estimator
    out_file : file, str or None, default=None
        Where to write the text; None: return it.
    max_depth : int, default=None
        Deeper nodes are folded.
    feature_names : array-like of str, default=None
        By default x[0], x[1], ...
    class_names : array-like of str or bool, default=None
        Names in the order of ``classes_``; True for y[0], y[1], ...
    label : {'all', 'root', 'none'}, default='all'
        Which nodes show labels such as "samples = ".
    filled, leaves_parallel, impurity, node_ids, proportion, rotate, rounded : bool
        Whether to colour nodes, put all leaves on one level, show impurities, show node numbers, show shares
        instead of counts, draw from left to right, and draw rounded corners.
    special_characters : bool, default=False
        Whether labels use HTML.
    precision : int, default=3
        Digits after the decimal point.
    fontname : str, default='helvetica'

    Returns
    -------
    dot : str or None
    """
    if not hasattr(decision_tree, "fit") and not hasattr(decision_tree, "estimators_"):
        raise TypeError(f"{decision_tree} is not an estimator instance.")
    tree = fitted_tree(decision_tree)
    style = style_of(tree, feature_names, class_names, label, impurity, node_ids, proportion, precision)
    if special_characters:
        style.newline, style.less = "<br/>", "&le;"
        style.index = lambda name, i: f"{name}<SUB>{i}</SUB>"
        style.escape = lambda text: text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    else:
        style.newline = "\\n"
        style.escape = lambda text: text.replace("\\", "\\\\").replace('"', '\\"')
    writer = _DotWriter(decision_tree, tree, style, max_depth, Palette(tree) if filled else None)
    text = writer.write(rounded, rotate, leaves_parallel, special_characters, fontname)
    if out_file is None:
        return text
    if isinstance(out_file, str):
        _core.write_file(out_file, text.encode())
    else:
        out_file.write(text)
    return None


@dataclass
class _DotWriter:
    estimator: Any
    tree: Tree
    style: Style
    max_depth: int | None
    palette: Palette | None

    def write(self, rounded: bool, rotate: bool, parallel: bool, html: bool, font: str) -> str:
        looks = [word for word, on in (("filled", self.palette is not None), ("rounded", rounded)) if on]
        style = f'style="{", ".join(looks)}", color="black", ' if looks else ""
        out = ["digraph Tree {", f'node [shape=box, {style}fontname="{font}"] ;']
        if parallel:
            out.append("graph [ranksep=equally, splines=polyline] ;")
        out.append(f'edge [fontname="{font}"] ;')
        if rotate:
            out.append("rankdir=LR ;")
        levels: dict[int, list[int]] = {}
        leaves: list[int] = []
        edges: dict[int, str] = {}
        for node, depth, parent in drawn_nodes(self.tree, self.max_depth):
            folded = self.max_depth is not None and depth > self.max_depth
            out.append(self.node(node, folded, html))
            if parent >= 0:
                out.append(f"{parent} -> {node}{edges[node]} ;")
            if folded or self.tree.kind[node] == LEAF:
                leaves.append(node)
            else:
                levels.setdefault(depth, []).append(node)
                edges.update(zip(self.tree.children(node), self.edges(node, depth, rotate), strict=True))
        if parallel:
            ranks = [levels[depth] for depth in sorted(levels)] + [leaves]
            out += ["{rank=same ; " + "; ".join(map(str, sorted(rank))) + "} ;" for rank in ranks]
        return "\n".join([*out, "}"])

    def node(self, node: int, folded: bool, html: bool) -> str:
        text = (
            "(...)"
            if folded
            else self.style.newline.join(node_lines(self.estimator, self.tree, node, self.style))
        )
        label = f"<{text}>" if html and not folded else f'"{text}"'
        fill = ""
        if self.palette is not None:
            fill = f', fillcolor="{_FOLDED if folded else self.palette.colour(node)}"'
        return f"{node} [label={label}{fill}] ;"

    def quoted(self, text: str) -> str:
        return f"<{text}>" if self.style.newline == "<br/>" else f'"{text}"'

    def edges(self, node: int, depth: int, rotate: bool) -> list[str]:
        """What stands at the edges: True and False below the root, values where a test has many answers."""
        children = self.tree.children(node)
        if len(children) > 2:
            words = self.style.branches(self.tree, node)
            return [f" [label={self.quoted(self.style.escape(word))}]" for word in words]
        if depth > 0 or self.max_depth == 0:
            return [""] * len(children)
        angle = -45 if rotate else 45
        return [
            f' [labeldistance=2.5, labelangle={angle}, headlabel="True"]',
            f' [labeldistance=2.5, labelangle={-angle}, headlabel="False"]',
        ]

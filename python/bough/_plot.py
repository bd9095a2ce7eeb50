# SPDX-License-Identifier: Apache-2.0
"""Trees drawn by matplotlib, with scikit-learn's signature."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from typing import Any

from . import _core
from ._labels import Palette, drawn_nodes, fitted_tree, node_lines, style_of

# The limit of the core's pictures, too.
_MOST_BOXES = 20_000


def plot_tree(
    decision_tree: Any,
    *,
    max_depth: int | None = None,
    feature_names: Any = None,
    class_names: Any = None,
    label: str = "all",
    filled: bool = False,
    impurity: bool = True,
    node_ids: bool = False,
    proportion: bool = False,
    rounded: bool = False,
    precision: int = 3,
    ax: Any = None,
    fontsize: int | None = None,
) -> list[Any]:
    """Draw a tree with matplotlib.

    Parameters
    ----------
    decision_tree : fitted estimator
    max_depth : int, default=None
        Deeper nodes are folded.
    feature_names, class_names, label, filled, impurity, node_ids, proportion, rounded, precision
        As in `export_graphviz`; by default, the names come from the frame that the tree was fitted on.
    ax : matplotlib axes, default=None
        By default, the current axes.
    fontsize : int, default=None
        By default, as large as fits.

    Returns
    -------
    annotations : list of matplotlib annotations
    """
    tree = fitted_tree(decision_tree)
    if max_depth is not None and max_depth < 0:
        raise ValueError(f"max_depth must be None or at least 0, but is {max_depth}")
    import matplotlib.pyplot as plt

    if feature_names is None:
        feature_names = getattr(decision_tree, "feature_names_in_", None)
    style = style_of(tree, feature_names, class_names, label, impurity, node_ids, proportion, precision)
    ax = plt.gca() if ax is None else ax
    ax.clear()
    ax.set_axis_off()
    drawn = drawn_nodes(tree, max_depth)
    places, width, height = _layout(drawn)
    if len(places) > _MOST_BOXES:
        raise ValueError(
            f"a picture of {len(places)} boxes cannot be read: give a smaller max_depth than"
            f" {tree.max_depth}, or use draw_tree, which chooses one"
        )
    pen = _Pen(ax, places, width, height, fontsize, rounded)
    palette = Palette(tree) if filled else None
    for node, depth, parent in drawn:
        if max_depth is not None and depth > max_depth:
            pen.box(node, parent, depth, "\n  (...)  \n", "grey")
            continue
        text = "\n".join(_wrapped(line) for line in node_lines(decision_tree, tree, node, style))
        pen.box(node, parent, depth, text, palette.colour(node) if palette else ax.get_facecolor())
        if parent == 0 and len(tree.children(0)) == 2:
            pen.answer(node, depth, left=node == tree.children_left[0])
        elif parent >= 0 and len(siblings := tree.children(parent)) > 2:
            column = tree.feature[parent]
            subject = style.feature_names[column] if style.feature_names else f"x[{column}]"
            words = style.branches(tree, parent)[siblings.index(node)]
            pen.condition(node, parent, depth, words.removeprefix(f"{subject} "))
    if fontsize is None:
        pen.fit_text()
    return pen.notes


def _wrapped(line: str) -> str:
    """A long list of values on several lines: one wide box would shrink the text of all."""
    return "\n".join(textwrap.wrap(line, 28, break_long_words=False, break_on_hyphens=False)) or line


def _layout(drawn: list[tuple[int, int, int]]) -> tuple[dict[int, tuple[float, int]], float, int]:
    """The places of the nodes by the layout of all pictures, a node being one wide; and the size."""
    position = {node: i for i, (node, _, _) in enumerate(drawn)}
    parents = [position.get(parent, -1) for _, _, parent in drawn]
    middles, _, width = _core.lay_out(parents, [1.0] * len(drawn), 0.0, 0.0)
    deepest = max(depth for _, depth, _ in drawn)
    places = {node: (x - 0.5, depth) for (node, depth, _), x in zip(drawn, middles.tolist(), strict=True)}
    return places, width, deepest + 1


@dataclass
class _Pen:
    ax: Any
    places: dict[int, tuple[float, int]]
    width: float
    height: int
    fontsize: Any
    rounded: bool
    notes: list[Any] = field(default_factory=list)

    def at(self, node: int) -> tuple[float, float]:
        x, y = self.places[node]
        return (x + 0.5) / self.width, (self.height - y - 0.5) / self.height

    def note(self, text: str, *where: Any, depth: int, **looks: Any) -> None:
        if self.fontsize is not None:
            looks["fontsize"] = self.fontsize
        self.notes.append(
            self.ax.annotate(text, *where, zorder=100 - 10 * depth, xycoords="axes fraction", **looks)
        )

    def box(self, node: int, parent: int, depth: int, text: str, colour: Any) -> None:
        import matplotlib.pyplot as plt

        frame = {"fc": colour, **({"boxstyle": "round"} if self.rounded else {})}
        looks: dict[str, Any] = {"ha": "center", "va": "center", "bbox": frame}
        if parent < 0:
            self.note(text, self.at(node), depth=depth, **looks)
        else:
            arrow = {"arrowstyle": "<-", "edgecolor": plt.rcParams["text.color"]}
            self.note(text, self.at(parent), self.at(node), depth=depth, arrowprops=arrow, **looks)

    def condition(self, node: int, parent: int, depth: int, words: str) -> None:
        """What leads to one of many children, on the way to it; the subject is known from the box above."""
        (x0, y0), (x1, y1) = self.at(parent), self.at(node)
        ground = {"fc": self.ax.get_facecolor(), "ec": "none", "pad": 0.5}
        at = ((x0 + 2 * x1) / 3, (y0 + 2 * y1) / 3)
        self.note(words, at, depth=depth, ha="center", va="center", bbox=ground)

    def answer(self, node: int, depth: int, left: bool) -> None:
        (x0, y0), (x1, y1) = self.at(0), self.at(node)
        text, side = ("True  ", "right") if left else ("  False", "left")
        self.note(text, ((x0 + x1) / 2, (y0 + y1) / 2), depth=depth, ha=side)

    def fit_text(self) -> None:
        """Shrinks or grows the text until the largest box fits its place."""
        renderer = self.ax.figure.canvas.get_renderer()
        boxes = []
        for note in self.notes:
            note.update_bbox_position_size(renderer)
            if note.get_bbox_patch() is not None:
                boxes.append(note.get_bbox_patch().get_window_extent())
        frame = self.ax.get_window_extent()
        room = min(
            frame.width / self.width / max(box.width for box in boxes),
            frame.height / self.height / max(box.height for box in boxes),
        )
        size = self.notes[0].get_fontsize() * room
        for note in self.notes:
            note.set_fontsize(size)

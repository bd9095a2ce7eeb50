# SPDX-License-Identifier: Apache-2.0
"""Models as SVG pictures: the tree, answers over columns, errors along the pruning path, importances."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils import Bunch

from . import _core
from ._answers import ours
from ._arguments import whole_number
from ._errors import BoughError
from ._odd_columns import level_text
from ._picture import Picture, framed, ran
from ._targets import rows_of


def draw_tree(
    estimator: Any,
    X: Any = None,
    y: Any = None,
    *,
    row: int | None = None,
    max_depth: int | None = None,
    collapsed: Any = (),
    most_children: int = 12,
    colour: bool = True,
    impurity: bool = True,
    bars: bool = True,
    node_ids: bool = False,
    missing: bool | None = None,
    most_names: int = 4,
    theme: str = "light",
    title: str | None = None,
    tree: int = 0,
    precision: int = 4,
) -> Picture:
    """Draw the tree.

    Parameters
    ----------
    estimator : fitted tree or forest, of bough or scikit-learn
    X : {array-like, sparse matrix, frame} of shape (n_samples, n_features), default=None
        Rows whose distribution is shown in the boxes, along the column that each node tests.
    y : array-like of shape (n_samples,), default=None
        Their true targets, which colour the bars. By default, the predictions colour them.
    row : int, default=None
        Number of a row of ``X``, counted from 0. Its path is marked, and its position in every distribution.
    max_depth : int, default=None
        Deeper branches are folded into dashed boxes with counts. None: chosen so that the picture is legible;
        -1: all nodes are shown.
    collapsed : sequence of int, default=()
        Nodes whose branches are folded, whatever their depth.
    most_children : int, default=12
        If a node has more children, the smallest ones share a box. 0: no limit.
    colour, impurity, bars, node_ids : bool
        Whether to fill boxes by class or value, show impurities, show bars of class shares or values, and
        show node numbers.
    missing : bool, default=None
        Whether to mark where missing cells go. None: only if the training data had missing cells.
    most_names : int, default=4
        Longer lists of categories are shortened.
    theme : {'light', 'dark', 'transparent'}, default='light'
    title : str, default=None
    tree : int, default=0
        Which tree of a forest to draw.
    precision : int, default=4
        Significant digits.

    Returns
    -------
    picture : Picture
    """
    estimator = ours(estimator)
    if X is None and (y is not None or row is not None):
        raise ValueError("y and row need X, the rows that they are about")
    rows, _ = rows_of(estimator, X, y)
    svg = _core.draw_tree(
        estimator._model,
        _look(theme, title, tree, precision),
        max_depth,
        [int(node) for node in collapsed],
        most_children,
        colour,
        impurity,
        bars,
        node_ids,
        missing,
        most_names,
        rows,
        row,
    )
    return Picture(svg, partial(_by_graphviz, estimator, max_depth=max_depth, tree=tree))


def plot_regions(
    estimator: Any,
    X: Any = None,
    y: Any = None,
    *,
    features: Any = None,
    at: dict[Any, Any] | None = None,
    max_depth: int | None = None,
    output: int = 0,
    points: bool = True,
    theme: str = "light",
    title: str | None = None,
    tree: int | None = None,
) -> Picture:
    """Draw the predictions over two columns as exact regions, together with the data.

    The deeper a test, the thinner its border. With ``max_depth``, the tree is cut at that depth, and the cuts
    of the next level are dotted.

    Parameters
    ----------
    estimator : fitted tree or forest, of bough or scikit-learn
    X : rows, default=None
        Rows drawn as points. All other columns are held at their median or most frequent value in these rows.
    y : targets of the rows, default=None
        They colour the points.
    features : two names or positions of columns, default=None
        By default, the two most important columns.
    at : dict, default=None
        Values at which to hold other columns, by name or position.
    max_depth : int, default=None
        Depth at which to cut the tree.
    output : int, default=0
        Which target to draw.
    points : bool, default=True
    theme, title : see `draw_tree`
    tree : int, default=None
        Which tree of a forest to draw. None: the predictions of the whole forest.

    Returns
    -------
    picture : Picture
    """
    estimator = ours(estimator)
    options = _slice(estimator, features, 2, at, max_depth, output, points)
    look = _look(theme, title, tree, 4)
    return Picture(_core.draw_regions(estimator._model, rows_of(estimator, X, y)[0], options, look))


def plot_fit(
    estimator: Any,
    X: Any = None,
    y: Any = None,
    *,
    feature: Any = None,
    at: dict[Any, Any] | None = None,
    max_depth: int | None = None,
    output: int = 0,
    points: bool = True,
    theme: str = "light",
    title: str | None = None,
    tree: int | None = None,
) -> Picture:
    """Draw the predictions over one column: numbers as steps through the data, or the shares of the classes.

    Parameters
    ----------
    feature : name or position of a column, default=None
        By default, the most important column.
    estimator, X, y, at, max_depth, output, points, theme, title, tree
        As in `plot_regions`.

    Returns
    -------
    picture : Picture
    """
    estimator = ours(estimator)
    chosen = None if feature is None else [feature]
    options = _slice(estimator, chosen, 1, at, max_depth, output, points)
    look = _look(theme, title, tree, 4)
    return Picture(_core.draw_fit(estimator._model, rows_of(estimator, X, y)[0], options, look))


def plot_path(estimator: Any, *, theme: str = "light", title: str | None = None, tree: int = 0) -> Picture:
    """Draw the errors along the cost-complexity path against the number of leaves.

    The picture always shows training errors. If the tree was pruned by cross-validation (``pruning_table_``,
    or ``cp_table_`` after ``cross_validate_cp``), it also shows the errors on unseen rows with a band of one
    standard error, and the chosen tree.

    Parameters
    ----------
    estimator : fitted tree or forest, of bough or scikit-learn
    theme, title, tree : see `draw_tree`

    Returns
    -------
    picture : Picture
    """
    return Picture(_core.draw_path(ours(estimator)._model, _look(theme, title, tree, 4)))


def plot_importances(
    estimator: Any,
    *,
    most: int = 25,
    theme: str = "light",
    title: str | None = None,
    tree: int | None = None,
) -> Picture:
    """Draw ``feature_importances_`` as bars, the largest first.

    Parameters
    ----------
    estimator : fitted tree or forest, of bough or scikit-learn
    most : int, default=25
        Maximum number of columns.
    theme, title : see `draw_tree`
    tree : int, default=None
        Which tree of a forest to use. None: all of them.

    Returns
    -------
    picture : Picture
    """
    return Picture(_core.draw_importances(ours(estimator)._model, _look(theme, title, tree, 4), most))


def decision_regions(
    estimator: Any,
    X: Any = None,
    *,
    features: Any = None,
    at: dict[Any, Any] | None = None,
    max_depth: int | None = None,
    output: int = 0,
    tree: int | None = None,
) -> Bunch:
    """Return the regions that `plot_regions` draws as numbers.

    Level i of a category or ordinal column reaches from i - 0.5 to i + 0.5.

    Parameters
    ----------
    estimator, X, features, at, max_depth, output, tree
        As in `plot_regions`.

    Returns
    -------
    result : Bunch
        ``features``: positions of the two columns. ``low``, ``high``: corners of the visible area.
        ``regions``: tuples of corners (ndarray), node (-1 if there are several), value (number or class code)
        and class shares. ``cuts``: tuples of two end points, depth, and whether the cut belongs to the level
        below ``max_depth``. ``held``: tuples of column, value, and where the value comes from. ``max_depth``.
    """
    estimator = ours(estimator)
    options = _slice(estimator, features, 2, at, max_depth, output, True)
    found = _core.decision_regions(estimator._model, rows_of(estimator, X, None)[0], options, tree)
    return Bunch(features=(found.pop("x"), found.pop("y")), **found)


def decision_steps(
    estimator: Any,
    X: Any = None,
    *,
    feature: Any = None,
    at: dict[Any, Any] | None = None,
    max_depth: int | None = None,
    output: int = 0,
    tree: int | None = None,
) -> list[tuple[float, float, float, np.ndarray]]:
    """Return the steps that `plot_fit` draws, as tuples of start, end, value and class shares, from low to
    high.
    """
    estimator = ours(estimator)
    chosen = None if feature is None else [feature]
    options = _slice(estimator, chosen, 1, at, max_depth, output, True)
    return _core.decision_steps(estimator._model, rows_of(estimator, X, None)[0], options, tree)


def lay_out(
    parents: Any, widths: Any, siblings: float = 16.0, cousins: float = 24.0
) -> tuple[np.ndarray, np.ndarray, float]:
    """Compute the positions of the boxes of a tree, as in all pictures (Reingold and Tilford; linear time).

    Parameters
    ----------
    parents : sequence of int
        Position of the parent of every box, with the boxes in preorder; -1 for the first.
    widths : sequence of float
    siblings, cousins : float
        Gaps between boxes with the same parent and with different parents.

    Returns
    -------
    x : ndarray
        Centres of the boxes.
    depth : ndarray
    width : float
    """
    return _core.lay_out(list(map(int, parents)), list(map(float, widths)), siblings, cousins)


def inline(estimator: Any) -> str:
    """The tree for a notebook, below scikit-learn's own display."""
    return framed(draw_tree(estimator).svg)


# -------------------------------------------------------------------------------- what they share
def _look(theme: str, title: str | None, tree: int | None, precision: int) -> _core.Look:
    return _core.Look(theme, title, None if tree is None else whole_number(tree, "tree"), precision)


def _column(estimator: Any, wish: Any) -> str:
    names = estimator._model.feature_names
    if isinstance(wish, (int, np.integer)) and not isinstance(wish, bool) and str(wish) not in names:
        if not -len(names) <= wish < len(names):
            raise BoughError(f"there is no column {wish}; the model has {len(names)}")
        return names[wish]
    return str(wish)


def _slice(
    estimator: Any, features: Any, n: int, at: Any, max_depth: Any, output: int, points: bool
) -> _core.Slice:
    chosen = ["", ""]
    if features is not None:
        if isinstance(features, str) or len(features) != n:
            raise BoughError(f"features names {n} columns")
        chosen[:n] = [_column(estimator, wish) for wish in features]
    held = {_column(estimator, name): level_text(value) for name, value in (at or {}).items()}
    targets = estimator._model.targets
    if not 0 <= output < len(targets):
        raise BoughError(f"there is no output {output}; the model has {len(targets)}")
    return _core.Slice(chosen[0], chosen[1], held, targets[output][0], max_depth, points)


def _by_graphviz(estimator: Any, path: Path, max_depth: int | None, tree: int) -> bool:
    """The tree by Graphviz, or by matplotlib, where no program reads SVG."""
    model = estimator._model
    boxes = _core.view_tree(model, tree, max_depth, [], 0)
    depth = max(box[4] for box in boxes)
    kind = path.suffix.lower().removeprefix(".")
    dot = model.export("dot", {"max_depth": str(depth), "tree": str(tree)})
    assert isinstance(dot, str)
    if ran(["dot", f"-T{kind}", "-o", str(path)], dot):
        return True
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return False
    from ._files import from_model
    from ._plot import plot_tree

    one = from_model(model.one_tree(tree)) if model.n_trees > 1 else estimator
    figure = Figure(figsize=(max(6, len(boxes) * 0.8), max(4, depth * 1.6)))
    FigureCanvasAgg(figure)
    plot_tree(one, max_depth=depth, filled=True, rounded=True, ax=figure.add_subplot())
    figure.savefig(path)
    return True

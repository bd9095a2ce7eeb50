# SPDX-License-Identifier: Apache-2.0
"""Models as SVG pictures: the tree, answers over columns, errors along the pruning path, importances."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils import Bunch

from . import _core
from ._errors import BoughError
from ._picture import Picture, framed, ran
from ._targets import labelled_rows
from ._tree import Tree


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
    """The tree as a picture.

    Parameters
    ----------
    estimator : fitted tree or forest, of bough or scikit-learn
    X : {array-like, sparse matrix, frame} of shape (n_samples, n_features), default=None
        Rows whose distributions the boxes show, along the column that each tests.
    y : array-like of shape (n_samples,), default=None
        Their truth, which colours the bars; without it the predictions do.
    row : int, default=None
        Number of a row of ``X``, from 0: its path is marked, and its place in every distribution.
    max_depth : int, default=None
        Deeper branches are folded into dashed boxes with counts. None: chosen so that the picture can be
        read; -1: all nodes.
    collapsed : sequence of int, default=()
        Nodes whose branches are folded, whatever the depth.
    most_children : int, default=12
        The lighter children of wider nodes share a box; 0: none do.
    colour, impurity, bars, node_ids : bool
        Boxes filled by class or value; impurities; bars of class shares or values; numbers of nodes.
    missing : bool, default=None
        Marks where missing cells go. None: when the tree shows that training met some.
    most_names : int, default=4
        Longer lists of categories are shortened.
    theme : {'light', 'dark', 'transparent'}, default='light'
    title : str, default=None
    tree : int, default=0
        Which tree of a forest.
    precision : int, default=4
        Significant digits.

    Returns
    -------
    picture : Picture
    """
    estimator = _ours(estimator)
    if X is None and (y is not None or row is not None):
        raise ValueError("y and row need X, the rows that they are about")
    rows = _rows(estimator, X, y)
    svg = _core.draw_tree(
        estimator._model,
        _core.Look(theme, title, tree, precision),
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
    return Picture(svg, lambda path: _by_graphviz(estimator, path, max_depth, tree))


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
    """The predictions over two columns, exactly, with the data on them.

    Borders are thinner the deeper their test is. With ``max_depth`` the tree is cut there, and the cuts of
    the next level are dotted.

    Parameters
    ----------
    estimator : fitted tree or forest, of bough or scikit-learn
    X : rows, default=None
        Drawn as points; other columns are held at the median or most frequent value of them.
    y : targets of the rows, default=None
        Colour the points.
    features : two names or positions of columns, default=None
        By default the two most important ones.
    at : dict, default=None
        Values of columns that are held, by name or position.
    max_depth : int, default=None
        Cuts the tree.
    output : int, default=0
        Which target.
    points : bool, default=True
    theme, title : see `draw_tree`
    tree : int, default=None
        One tree of a forest; None: the answers of all.

    Returns
    -------
    picture : Picture
    """
    estimator = _ours(estimator)
    options = _slice(estimator, features, 2, at, max_depth, output, points)
    look = _core.Look(theme, title, tree, 4)
    return Picture(_core.draw_regions(estimator._model, _rows(estimator, X, y), options, look))


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
    """The predictions over one column: values as steps through the data, or the shares of classes.

    Parameters
    ----------
    feature : name or position of a column, default=None
        By default the most important one.
    estimator, X, y, at, max_depth, output, points, theme, title, tree
        As in `plot_regions`.

    Returns
    -------
    picture : Picture
    """
    estimator = _ours(estimator)
    chosen = None if feature is None else [feature]
    options = _slice(estimator, chosen, 1, at, max_depth, output, points)
    look = _core.Look(theme, title, tree, 4)
    return Picture(_core.draw_fit(estimator._model, _rows(estimator, X, y), options, look))


def plot_path(estimator: Any, *, theme: str = "light", title: str | None = None, tree: int = 0) -> Picture:
    """Errors along the cost-complexity path against the number of leaves.

    In training; and where the tree was pruned by cross-validation (``pruning_table_``, or ``cp_table_`` after
    ``cross_validate_cp``) also of unseen rows, with the band of one standard error and the chosen tree.

    Parameters
    ----------
    estimator : fitted tree or forest, of bough or scikit-learn
    theme, title, tree : see `draw_tree`

    Returns
    -------
    picture : Picture
    """
    return Picture(_core.draw_path(_ours(estimator)._model, _core.Look(theme, title, tree, 4)))


def plot_importances(
    estimator: Any,
    *,
    most: int = 25,
    theme: str = "light",
    title: str | None = None,
    tree: int | None = None,
) -> Picture:
    """``feature_importances_`` as bars, the largest first.

    Parameters
    ----------
    estimator : fitted tree or forest, of bough or scikit-learn
    most : int, default=25
        How many columns.
    theme, title : see `draw_tree`
    tree : int, default=None
        One tree of a forest; None: all.

    Returns
    -------
    picture : Picture
    """
    return Picture(_core.draw_importances(_ours(estimator)._model, _core.Look(theme, title, tree, 4), most))


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
    """What `plot_regions` draws, as numbers.

    Level i of a category or ordinal column reaches from i - 0.5 to i + 0.5.

    Parameters
    ----------
    estimator, X, features, at, max_depth, output, tree
        As in `plot_regions`.

    Returns
    -------
    result : Bunch
        ``features``: positions of the two columns; ``low``, ``high``: corners of what is shown; ``regions``:
        tuples of corners (ndarray), node (-1: several), value (number or class code) and class shares;
        ``cuts``: tuples of two ends, depth and whether the cut is of the level below ``max_depth``;
        ``held``: tuples of column, value and where it is from; ``max_depth``.
    """
    estimator = _ours(estimator)
    options = _slice(estimator, features, 2, at, max_depth, output, True)
    found = _core.decision_regions(estimator._model, _rows(estimator, X, None), options, tree)
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
    """What `plot_fit` draws, as numbers: tuples of from, to, value and class shares, low to high."""
    estimator = _ours(estimator)
    chosen = None if feature is None else [feature]
    options = _slice(estimator, chosen, 1, at, max_depth, output, True)
    return _core.decision_steps(estimator._model, _rows(estimator, X, None), options, tree)


def lay_out(
    parents: Any, widths: Any, siblings: float = 16.0, cousins: float = 24.0
) -> tuple[np.ndarray, np.ndarray, float]:
    """Places the boxes of a tree, as all pictures do (Reingold and Tilford; linear time).

    Parameters
    ----------
    parents : sequence of int
        Position of the parent of every box in preorder; -1 for the first.
    widths : sequence of float
    siblings, cousins : float
        Gaps between boxes of one parent and of different ones.

    Returns
    -------
    x : ndarray
        Middles of the boxes.
    depth : ndarray
    width : float
    """
    return _core.lay_out(list(map(int, parents)), list(map(float, widths)), siblings, cousins)


def inline(estimator: Any) -> str:
    """The tree for a notebook, below scikit-learn's own display."""
    return framed(draw_tree(estimator).svg)


# -------------------------------------------------------------------------------- what they share
def _ours(estimator: Any) -> Any:
    if hasattr(estimator, "model_") or isinstance(getattr(estimator, "tree_", None), Tree):
        return estimator
    from ._base import BaseTree

    if isinstance(estimator, BaseTree):
        return estimator  # not fitted: _model says so
    from ._sklearn import from_sklearn

    return from_sklearn(estimator)


def _column(estimator: Any, wish: Any) -> str:
    names = estimator._model.feature_names
    if isinstance(wish, (int, np.integer)) and not isinstance(wish, bool) and str(wish) not in names:
        if not -len(names) <= wish < len(names):
            raise BoughError(f"there is no column {wish}; the model has {len(names)}")
        return names[wish]
    return str(wish)


def _cell(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value)).lower()
    if isinstance(value, (float, np.floating)):
        return repr(float(value)).removesuffix(".0")
    return str(value)


def _slice(
    estimator: Any, features: Any, n: int, at: Any, max_depth: Any, output: int, points: bool
) -> _core.Slice:
    chosen = ["", ""]
    if features is not None:
        if isinstance(features, str) or len(features) != n:
            raise BoughError(f"features names {n} columns")
        chosen[:n] = [_column(estimator, wish) for wish in features]
    held = {_column(estimator, name): _cell(value) for name, value in (at or {}).items()}
    targets = estimator._model.targets
    if not 0 <= output < len(targets):
        raise BoughError(f"there is no output {output}; the model has {len(targets)}")
    return _core.Slice(chosen[0], chosen[1], held, targets[output][0], max_depth, points)


def _rows(estimator: Any, X: Any, y: Any) -> _core.Table | None:
    if X is None:
        return None
    if y is not None:
        return labelled_rows(estimator, X, y, None, by_class=False)[0]
    return estimator._table(X)


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

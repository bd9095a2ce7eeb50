# SPDX-License-Identifier: Apache-2.0
"""What studies, tests and comparisons of trees give back: arrays, and a text that tells the story."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from os import fsdecode
from typing import Any, TypeAlias, TypeVar

import numpy as np
from sklearn.utils import Bunch

from . import _core, _html
from ._errors import BoughError
from ._tree import Tree

Integers: TypeAlias = np.ndarray
Floats: TypeAlias = np.ndarray
Counts: TypeAlias = dict[str, int]
_Made = TypeVar("_Made")


@dataclass(eq=False, repr=False)
class Result:
    """Something whose printed form is its text."""

    text: str = field(kw_only=True)

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return _html.text(self.text)


@dataclass(eq=False, repr=False)
class NodeStability:
    """What happens to one inner node in bootstrapped trees.

    Attributes
    ----------
    node, depth : int
    column, test : str
        The column and the test in the tree of all rows.
    met : int
        Number of repeats whose tree tests the same columns on the whole path to this node.
    same_column, same_test, leaves : int
        How many of these trees have the same column, the same test, or a leaf here.
    columns : dict of str to int
        Columns that these trees test here, the most frequent first.
    tests : dict of str to int
        The most frequent tests of the same column.
    thresholds : ndarray
        Thresholds of numeric tests of the same column, in increasing order.
    """

    node: int
    depth: int
    column: str
    test: str
    met: int
    same_column: int
    same_test: int
    leaves: int
    columns: Counts
    tests: Counts
    thresholds: Floats

    def __repr__(self) -> str:
        return (
            f"NodeStability(node={self.node}, test={self.test!r}, met={self.met}, "
            f"same_column={self.same_column}, same_test={self.same_test})"
        )


@dataclass(frozen=True)
class RootChoice:
    """The best tree found with a given column at the root.

    Attributes
    ----------
    column, test : str
        The column and the test at the root.
    errors : float
        Weight of the training rows that the tree predicts wrongly.
    leaves : int
    """

    column: str
    test: str
    errors: float
    leaves: int


@dataclass(eq=False, repr=False)
class Stability(Result):
    """Comparison of trees on bootstrapped rows with the tree of all rows. Print it to see everything.

    Attributes
    ----------
    n_rows, n_repeats, failed : int
        Number of rows, of repeats that gave a tree, and of repeats that did not.
    reproduced : bool
        Whether a fit on all rows gave the estimator's own tree again.
    same_columns, same_tree : int
        Number of repeats whose tree has the same columns, or the same tests, in all nodes.
    nodes : list of NodeStability
        Inner nodes of the tree of all rows, in preorder.
    used : dict of str to int
        Number of repeats whose tree tests the column anywhere.
    leaves, depths : ndarray of int64
        Number of leaves and depth of the tree of every repeat.
    answers : ndarray of float64
        For every repeat: the share of rows whose prediction stays the same (classes), or the root mean
        squared difference (numbers).
    roots : list of RootChoice
        The best tree found for each column at the root, with no more leaves than the tree, sorted by errors,
        at most ten. Empty for numbers, for more than 16 leaves, and for models that cannot be searched.
    root_slack : float
        One standard error of the errors of the first tree in ``roots``. Trees within this distance are about
        equally good.
    """

    n_rows: int
    n_repeats: int
    failed: int
    reproduced: bool
    same_columns: int
    same_tree: int
    nodes: list[NodeStability]
    used: Counts
    leaves: Integers
    depths: Integers
    answers: Floats
    roots: list[RootChoice]
    root_slack: float
    random_state: int

    def rows(self, repeat: int) -> np.ndarray:
        """Return the rows drawn for a repeat."""
        return _core.bootstrap_rows(self.n_rows, self.random_state, repeat)


@dataclass(eq=False, repr=False)
class ChangedTree:
    """A tree that results from leaving a row out.

    Attributes
    ----------
    rows : ndarray of int64
        Rows, counted from 0, each of which leads to this tree if left out.
    structure : bool
        Whether a column changed or a test was added or removed. Otherwise, only cuts moved.
    answers : int
        Number of rows whose predictions change.
    differences : list of dict
        Node before and after, depth, change, from and to, starting at the root.
    tree : Tree or None
        The tree itself, for the first trees of the list.
    """

    rows: Integers
    structure: bool
    answers: int
    differences: list[dict[str, Any]]
    tree: Tree | None

    def __repr__(self) -> str:
        first = self.differences[0]
        change = f"node {first['before']}: {first['from']} -> {first['to']}"
        return f"ChangedTree(rows={self.rows.tolist()}, {change})"


@dataclass(eq=False, repr=False)
class LeaveOneOut(Result):
    """Trees grown without each row in turn. Print it to see which rows change the tree and how.

    Attributes
    ----------
    n_rows, refits : int
    reproduced : bool
        Whether a fit on all rows gave the estimator's own tree again.
    structure_rows, cut_rows, failed_rows : ndarray of int64
        Rows, counted from 0, whose removal changes the structure, only moves cuts, or makes a fit impossible.
    changed : list of ChangedTree
        Changes of structure first; among them, those nearest to the root come first.
    before : Tree
        The tree of all rows.
    """

    n_rows: int
    refits: int
    reproduced: bool
    structure_rows: Integers
    cut_rows: Integers
    failed_rows: Integers
    changed: list[ChangedTree]
    before: Tree
    _core: Any

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_core": None}

    def svg(self, path: Any = None, *, most: int = 10, theme: str = "light") -> str:
        """Return the trees before and after, side by side, as SVG; also write them to ``path`` if given.

        Copies and pickles of a result cannot be drawn.
        """
        if self._core is None:
            raise BoughError("a copy or pickle of a result has its numbers and trees alone: draw the result")
        drawing = self._core.svg(most, theme)
        if path is not None:
            _core.write_file(fsdecode(path), drawing.encode())
        return drawing


@dataclass(eq=False, repr=False)
class Rotation(Result):
    """Cross-validated scores with the numeric columns rotated.

    Attributes
    ----------
    measure : str
        'accuracy' or 'mse'.
    angles : ndarray
        Angles in degrees; the first is 0.
    means, leaves : ndarray
        Mean score and mean number of leaves at every angle.
    scores : ndarray of shape (n_angles, n_repeats * folds)
    differences : list of Bunch
        For every angle except the first: mean, low, high, t, p, ... of the change (corrected resampled
        t-test).
    turned, left : list of str
        Columns that were rotated, and columns that were not.
    """

    measure: str
    angles: Floats
    means: Floats
    leaves: Floats
    scores: Floats
    differences: list[Bunch]
    turned: list[str]
    left: list[str]


@dataclass(eq=False, repr=False)
class PermutationTest(Result):
    """A tree compared with trees on shuffled targets, or its splits with splits on shuffled targets.

    Attributes
    ----------
    n_repeats : int
    reproduced : bool
        Whether a fit on all rows gave the estimator's own tree again.
    measure : str or None
        'accuracy' or 'mse' for the whole tree.
    score : float or None
    shuffled : ndarray or None
        Scores with shuffled targets.
    p : float or ndarray
        p-value of the tree or of every split: (1 + number of shuffles that are as good) / (1 + n_repeats).
    adjusted : ndarray or None
        p-values of the splits with Holm's correction.
    nodes : ndarray of int64 or None
        Nodes that were tested.
    tests : list of str or None
        The tests of these nodes.
    """

    n_repeats: int
    reproduced: bool
    p: Any
    measure: str | None = None
    score: float | None = None
    shuffled: Floats | None = None
    adjusted: Floats | None = None
    nodes: Integers | None = None
    tests: list[str] | None = None


@dataclass(eq=False, repr=False)
class Comparison(Result):
    """Comparison of two fitted trees on the same rows.

    Attributes
    ----------
    outputs : list of dict
        For each target: the scores of both trees with intervals, and McNemar's test or, for numbers, the sign
        test and a paired test of the squared errors.
    p : float
        p-value for the first target: McNemar's exact test, or the paired test of squared errors.
    resampled : Bunch or None
        Scores of both sets of parameters on divisions of the training rows, and the corrected resampled
        t-test of their difference.
    differences : list of dict
        Places where the tests differ, starting at the root.
    same_tests : bool
    columns : dict
        Names of columns tested by both trees, only by the first, and only by the second.
    params : list of dict
        Parameters that differ.
    """

    outputs: list[dict[str, Any]]
    p: float
    resampled: Bunch | None
    differences: list[dict[str, Any]]
    same_tests: bool
    columns: dict[str, list[str]]
    params: list[dict[str, str]]


@dataclass(eq=False, repr=False)
class Evaluation:
    """Scores of one target with their intervals.

    Attributes
    ----------
    target, task : str
    n_rows : int
    scores : dict of str to float
    intervals : dict of str to tuple of float
        (low, high) for the scores that have an interval.
    methods : dict of str to str
        Method of each interval: 'Wilson', 'DeLong', 't', ...
    confidence : float
    confusion : ndarray or None
        Counts by true class (rows) and predicted class (columns).
    """

    target: str
    task: str
    n_rows: int
    scores: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    methods: dict[str, str]
    confidence: float
    confusion: Floats | None

    def _rows(self) -> list[tuple[str, str, str]]:
        """Names, scores and intervals in words."""
        spans = {name: f"{low:.4f} to {high:.4f}" for name, (low, high) in self.intervals.items()}
        return [(name, f"{score:.4f}", spans.get(name, "")) for name, score in self.scores.items()]

    def __repr__(self) -> str:
        head = f"{self.task}, {self.n_rows} rows, {100 * self.confidence:.4g}% intervals"
        lines = [f"  {name:<18}{score}" + f" ({span})" * bool(span) for name, score, span in self._rows()]
        return "\n".join([head, *lines])

    def _repr_html_(self) -> str:
        head = ("score", "value", f"{100 * self.confidence:.4g}% interval")
        return _html.table(head, self._rows(), f"{self.target}: {self.task}, {self.n_rows:,} rows")


def integers(values: Any) -> Integers:
    return np.asarray(values, dtype=np.int64)


def floats(values: Any) -> Floats:
    return np.asarray([float(value) for value in values], dtype=np.float64)


# How the core's JSON becomes fields, by their types; numbers that are not finite are text there.
_READERS: dict[Any, Callable[[Any], Any]] = {
    "float": float,
    "Integers": integers,
    "Floats": floats,
    "Counts": lambda items: {item["name"]: item["count"] for item in items},
    "list[NodeStability]": lambda items: [read(NodeStability, item) for item in items],
    "list[RootChoice]": lambda items: [read(RootChoice, item) for item in items],
    "dict[str, float]": lambda items: {name: float(value) for name, value in items.items()},
}


def read(cls: type[_Made], data: dict[str, Any], **more: Any) -> _Made:
    """A result out of the core's JSON; `more` are fields that it does not have as they are."""
    for each in fields(cls):  # type: ignore[arg-type]
        if each.name not in more and each.name in data:
            reader = _READERS.get(str(each.type).removesuffix(" | None"))
            more[each.name] = reader(data[each.name]) if reader else data[each.name]
    return cls(**more)

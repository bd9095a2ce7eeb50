# SPDX-License-Identifier: Apache-2.0
"""Two trees over the same rows, ours and scikit-learn's, walked together with gains in exact arithmetic."""

import json
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np


class OurTree:
    """A tree of numeric tests from the JSON twin of a model."""

    def __init__(self, text):
        arrays = json.loads(text)["trees"][0]["arrays"]
        self.kind = np.array(arrays["kind"])
        self.column = np.array(arrays["column"])
        self.threshold = np.array([float(t) for t in arrays["threshold"]])
        self.missing_to = np.array(arrays["missing_to"])
        self.gain = np.array(arrays["gain"])
        self.n_rows = np.array(arrays["n_rows"])
        at = np.array(arrays.get("children_at", [0] * (len(self.kind) + 1)))
        self.children = np.array(arrays.get("children", []))
        self.first = at[:-1]

    def is_leaf(self, node):
        return self.kind[node] == 0

    def child(self, node, which):
        return self.children[self.first[node] + which]

    def goes_left(self, node, cells):
        x = cells[:, self.column[node]].astype(np.float64)
        return np.where(np.isnan(x), self.missing_to[node] == 0, x <= self.threshold[node])


class TheirTree:
    """The same questions to a fitted scikit-learn estimator."""

    def __init__(self, estimator):
        self.tree = estimator.tree_

    def is_leaf(self, node):
        return self.tree.children_left[node] < 0

    def child(self, node, which):
        return (self.tree.children_left, self.tree.children_right)[which][node]

    def goes_left(self, node, cells):
        x = cells[:, self.tree.feature[node]].astype(np.float64)
        to_left = bool(self.tree.missing_go_to_left[node])
        return np.where(np.isnan(x), to_left, x <= self.tree.threshold[node])


def gini_gain(y, left):
    """Decrease of rows * gini, exact: sum over classes of (b l - a r)^2 / (a b w)."""
    k = int(y.max()) + 1
    all_counts = np.bincount(y, minlength=k)
    left_counts = np.bincount(y[left], minlength=k)
    right_counts = all_counts - left_counts
    a, b = int(left_counts.sum()), int(right_counts.sum())
    differences = b * left_counts - a * right_counts
    return Fraction(sum(int(d) ** 2 for d in differences), a * b * (a + b))


def entropy_gain(y, left):
    """Decrease of rows * entropy in bits, in extended precision."""

    def weighted(values):
        counts = np.bincount(values).astype(np.longdouble)
        counts = counts[counts > 0]
        return -np.sum(counts * np.log2(counts / counts.sum()))

    return weighted(y) - weighted(y[left]) - weighted(y[~left])


def squared_error_gain(y, left):
    """Decrease of the sum of squares of whole numbers, exact: (b s_l - a s_r)^2 / (a b w)."""
    a = int(left.sum())
    b = len(y) - a
    total = int(y.sum())
    sum_left = int(y[left].sum())
    return Fraction((b * sum_left - a * (total - sum_left)) ** 2, a * b * (a + b))


GAINS = {"gini": gini_gain, "entropy": entropy_gain, "squared_error": squared_error_gain}


@dataclass
class Walk:
    """What a walk met."""

    compared: int = 0
    same: int = 0
    ties: int = 0
    better: int = 0
    wrong: list = field(default_factory=list)

    def __str__(self):
        known = f"{self.compared} nodes: {self.same} the same, {self.ties} ties"
        return f"{known}, {self.better} better than scikit-learn"


def can_still_be_split(cells):
    """True when a column has neighbouring values that scikit-learn tells apart (more than 1e-7), or both
    missing and known cells."""
    for column in range(cells.shape[1]):
        x = cells[:, column]
        known = np.unique(x[~np.isnan(x)])
        if 0 < np.isnan(x).sum() < len(x):
            return True
        if len(known) > 1 and np.any(np.diff(known) > 1e-7):
            return True
    return False


def walk_together(ours, theirs, cells, y, criterion):
    """Compares the two trees at every node that the same rows reach."""
    gain = GAINS[criterion]
    walk = Walk()
    stack = [(0, 0, np.arange(len(y)))]
    while stack:
        our_node, their_node, rows = stack.pop()
        walk.compared += 1
        here, targets = cells[rows], y[rows]
        if ours.n_rows[our_node] != len(rows):
            walk.wrong.append(f"node {our_node}: {ours.n_rows[our_node]} rows, but {len(rows)} come here")
            continue
        if theirs.is_leaf(their_node):
            # Ours may go on where only values closer than 1e-7 are left.
            if not ours.is_leaf(our_node) and can_still_be_split(here):
                walk.wrong.append(f"node {our_node}: scikit-learn stops here")
            walk.same += 1
            continue
        if ours.is_leaf(our_node):
            walk.wrong.append(f"node {our_node}: a leaf, but scikit-learn splits it")
            continue
        our_left = ours.goes_left(our_node, here)
        their_left = theirs.goes_left(their_node, here)
        our_gain = gain(targets, our_left)
        if abs(float(our_gain) - ours.gain[our_node]) > 1e-9 * float(our_gain) + 1e-9:
            walk.wrong.append(f"node {our_node}: gain {ours.gain[our_node]}, but {our_gain}")
        if np.array_equal(our_left, their_left):
            walk.same += 1
            for which, side in ((0, our_left), (1, ~our_left)):
                stack.append((ours.child(our_node, which), theirs.child(their_node, which), rows[side]))
            continue
        their_gain = gain(targets, their_left)
        # Another division of the rows must be as good (then theirs is not the only best one) or better.
        # Gains of gini and squared error are compared exactly; logarithms are rounded.
        slack = 1e-12 * float(their_gain) if criterion == "entropy" else 0
        if our_gain < their_gain - slack:
            walk.wrong.append(
                f"node {our_node} ({len(rows)} rows): column {ours.column[our_node]}, gain "
                f"{float(our_gain)}, but scikit-learn finds {float(their_gain)}"
            )
        elif our_gain > their_gain + slack:
            walk.better += 1
        else:
            walk.ties += 1
    return walk

# SPDX-License-Identifier: Apache-2.0
"""The read-only view of a fitted tree that scikit-learn calls ``tree_``."""

from __future__ import annotations

import json
from copy import copy
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._errors import BoughError

LEAF, NUMERIC, ORDINAL, EQUALITY, SUBSET, MULTIWAY, INTERVAL, OBLIQUE = range(8)


def check_one_tree(estimator: Any) -> None:
    """Refuses forests, and estimators that are not fitted, where one tree is needed."""
    members = None if hasattr(estimator, "tree_") else getattr(estimator, "estimators_", None)
    if members is None:
        check_is_fitted(estimator)
        return
    error = BoughError(
        f"the model has {len(members)} trees, and one is needed: give one of model.estimators_, as"
        " model.estimators_[0]"
    )
    error.code = "bad_model"
    raise error


def one_model(estimator: Any) -> _core.Model:
    """The core's model of an estimator of bough that is fitted and has one tree; refuses all others."""
    check_one_tree(estimator)
    return own_model(estimator)


def with_model(estimator: Any, model: _core.Model) -> Any:
    """A copy of a tree's estimator with another model."""
    other = copy(estimator)
    other.tree_ = Tree(model)
    return other


def own_model(estimator: Any) -> _core.Model:
    """The core's model of an estimator of bough; refuses all others."""
    if not hasattr(type(estimator), "_model"):
        kind = type(estimator)
        raise TypeError(
            f"{kind.__module__.partition('.')[0]}.{kind.__name__} is no tree or forest of bough: give the"
            " fitted tree itself, or what from_sklearn makes of one of scikit-learn"
        )
    return estimator._model


def plain_integers(values: np.ndarray) -> np.ndarray:
    """Whole numbers of the core as ``np.int64``: NumPy shows the type of its twin, C's ``long long``."""
    return values.view(np.int64) if values.dtype == np.int64 else values


def path_matrix(model: _core.Model, table: _core.Table, tree: int = 0) -> sparse.csr_matrix:
    """The nodes on the paths of rows through one of the trees, as an indicator matrix."""
    starts, nodes = model.decision_path(table, tree)
    ones = np.ones(len(nodes), dtype=np.int64)
    return sparse.csr_matrix((ones, nodes, starts), shape=(len(starts) - 1, model.tree_sizes[tree]))


def _stored(name: str) -> Any:
    """A property: an array of the core's tree."""
    return property(lambda tree: tree.array(name))


class Tree:
    """The nodes of a fitted tree as arrays with one entry per node.

    Nodes are in preorder: node 0 is the root, and left subtrees come before right ones.

    Attributes
    ----------
    node_count, n_leaves, max_depth, n_features, n_outputs, max_n_classes : int
    n_classes : ndarray of shape (n_outputs,)
    children_left, children_right : ndarray of int64
        Children; -1 at leaves. If a node has more than two children, ``children(node)`` returns all of them.
    feature : ndarray of int64
        Feature that is tested; -2 at leaves.
    threshold : ndarray of float64
        Rows with ``x <= threshold`` go left; -2 at leaves, NaN for tests on sets of values (see
        ``left_levels``).
    value : ndarray of shape (node_count, n_outputs, max_n_classes)
        Shares of the classes, or numbers.
    impurity, weighted_n_node_samples : ndarray of float64
    n_node_samples : ndarray of int64
    missing_go_to_left : ndarray of uint8
    extras : dict of str to ndarray of float64
        Further figures of some trees, one per node: ``structure_rows`` of honest trees; rows, means,
        variances and errors of the two arms of trees with a treatment.
    """

    __slots__ = ("_arrays", "_losses", "_model", "_value")

    def __init__(self, model: _core.Model) -> None:
        self._model = model
        self._arrays: dict[str, Any] | None = None
        self._value: np.ndarray | None = None
        self._losses: np.ndarray | None = None

    def __repr__(self) -> str:
        return f"Tree(node_count={self.node_count}, n_leaves={self.n_leaves}, max_depth={self.max_depth})"

    def __reduce__(self) -> Any:  # pickles are the model's own bytes
        return _tree_from_bytes, (self._model.to_bytes(),)

    @property
    def model(self) -> _core.Model:
        """The core's model."""
        return self._model

    def answer(self, node: int) -> int:
        """Return the predicted class of a node (one class target), by share or by expected loss."""
        if self._losses is None:
            self._losses = np.asarray(json.loads(self._model.params)["loss_matrix"] or [])
        shares = self.value[node][0]
        return int(np.argmin(shares @ self._losses) if self._losses.size else np.argmax(shares))

    @property
    def names(self) -> list[str]:
        """Feature names that the model uses."""
        return self._model.feature_names

    def array(self, name: str) -> np.ndarray:
        if self._arrays is None:
            arrays = _core.tree_arrays(self._model)
            for key, value in arrays.items():
                if isinstance(value, np.ndarray):
                    arrays[key] = plain_integers(value)
                    arrays[key].flags.writeable = False
            for value in arrays["extras"].values():
                value.flags.writeable = False
            self._arrays = arrays
        return self._arrays[name]

    # ---------------------------------------------------------------- sizes
    @property
    def node_count(self) -> int:
        return len(self.array("kind"))

    @property
    def capacity(self) -> int:
        return self.node_count

    @property
    def n_leaves(self) -> int:
        return int(np.count_nonzero(self.array("kind") == LEAF))

    @property
    def max_depth(self) -> int:
        return int(self.array("max_depth"))

    @property
    def n_features(self) -> int:
        return len(self.names)

    @property
    def n_outputs(self) -> int:
        return len(self.array("widths"))

    @property
    def n_classes(self) -> np.ndarray:
        return np.asarray(self.array("widths"), dtype=np.intp)

    @property
    def max_n_classes(self) -> int:
        return int(max(self.array("widths")))

    # ---------------------------------------------------------------- nodes
    children_left = _stored("children_left")
    children_right = _stored("children_right")
    feature = _stored("feature")
    threshold = _stored("threshold")
    impurity = _stored("impurity")
    n_node_samples = _stored("n_node_samples")
    weighted_n_node_samples = _stored("weighted_n_node_samples")

    @property
    def kind(self) -> np.ndarray:
        """Kind of each node: 0 leaf, 1 numeric, 2 ordinal, 3 equality, 4 subset, 5 multiway, 6 interval, 7
        oblique.
        """
        return self.array("kind")

    @property
    def missing_go_to_left(self) -> np.ndarray:
        return (self.array("missing_to") == 0).astype(np.uint8)

    @property
    def value(self) -> np.ndarray:
        if self._value is None:
            values, widths = self.array("values"), self.array("widths")
            out = np.zeros((len(values), len(widths), max(widths)))
            start = 0
            for k, width in enumerate(widths):
                part = values[:, start : start + width]
                if self._model.task == "classification":
                    total = part.sum(axis=1, keepdims=True)
                    part = np.divide(part, total, out=np.zeros_like(part), where=total > 0)
                out[:, k, :width] = part
                start += width
            out.flags.writeable = False
            self._value = out
        return self._value

    @property
    def extras(self) -> dict[str, np.ndarray]:
        """Further figures of the nodes by name; empty for most trees."""
        return dict(self.array("extras"))

    def children(self, node: int) -> list[int]:
        """Return all children of a node; [] for a leaf."""
        return [] if self.kind[node] == LEAF else _core.node_children(self._model, int(node))

    def left_levels(self, node: int) -> list[Any]:
        """Return the values that go left at a node that tests categories or ordered levels."""
        _, _, (_, values) = self._model.features[int(self.feature[node])]
        kind = self.kind[node]
        if kind == ORDINAL:
            return list(values[: int(self.threshold[node])])
        if kind == EQUALITY:
            return [values[int(self.threshold[node])]]
        levels, children = _core.node_levels(self._model, int(node))
        return [values[level] for level, child in zip(levels, children, strict=True) if child == 0]

    # ---------------------------------------------------------------- rows
    def _rows(self, X: Any) -> _core.Table:
        table = _core.Table()
        if sparse.issparse(X):
            X = X.tocsr()
            table.add_csr(X.data, X.indices, X.indptr, X.shape[0], self.names)
        elif isinstance(X, np.ndarray) and X.ndim == 2:
            if X.shape[1] != self.n_features:
                raise ValueError(f"X has {X.shape[1]} features, the tree {self.n_features}")
            table.add_matrix(X, self.names, X)
        else:
            raise ValueError(f"X should be a matrix of numbers, got {type(X)}")
        return table

    def apply(self, X: Any) -> np.ndarray:
        """Return the leaf of every row."""
        return plain_integers(self._model.apply(self._rows(X), 1))

    def predict(self, X: Any) -> np.ndarray:
        """Return the leaf value of every row: (n_samples, n_classes) or (n_samples, n_outputs, n_classes)."""
        values = self.value.take(self.apply(X), axis=0)
        return values[:, 0] if self.n_outputs == 1 else values

    def decision_path(self, X: Any) -> sparse.csr_matrix:
        """Return the nodes on the path of every row as an indicator matrix."""
        return path_matrix(self._model, self._rows(X))

    def compute_feature_importances(self, normalize: bool = True) -> np.ndarray:
        """Return the decrease in impurity by feature, by default as shares of the total."""
        shares = self._model.importances()
        if normalize:
            return shares
        total = self.array("gain").sum() / self.weighted_n_node_samples[0]
        return shares * total


def _tree_from_bytes(data: bytes) -> Tree:
    return Tree(_core.Model.from_bytes(data))

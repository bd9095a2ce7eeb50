# SPDX-License-Identifier: Apache-2.0
"""Trees from and to scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from . import _core, _estimators
from ._files import from_model
from ._tree import LEAF, NUMERIC

_NAMES = ("DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier", "ExtraTreeRegressor")


def from_sklearn(fitted: Any) -> Any:
    """A fitted tree of scikit-learn as one of ours, with the same answers.

    scikit-learn rounds cells to float32 before it compares them. The thresholds are moved to the last float64
    that rounds to the same side, so that the answers are equal for float64 data too.

    Parameters
    ----------
    fitted : fitted sklearn.tree estimator

    Returns
    -------
    estimator : the estimator of the same name
    """
    check_is_fitted(fitted)
    name = next(
        (
            c.__name__
            for c in type(fitted).__mro__
            if c.__module__.startswith("sklearn.tree") and c.__name__ in _NAMES
        ),
        None,
    )
    if name is None:
        raise TypeError(f"{type(fitted).__name__} is no tree of scikit-learn")
    model = _import(fitted)
    given = fitted.get_params()
    ours = getattr(_estimators, name)
    estimator = ours(
        **{key: value for key, value in given.items() if key in ours._names and key != "criterion"}
    )
    estimator.criterion = fitted.criterion if isinstance(fitted.criterion, str) else model.criterion
    made = from_model(model)
    for key, value in vars(made).items():
        if key.endswith("_") or key == "tree_":
            setattr(estimator, key, value)
    estimator.max_features_ = fitted.max_features_
    for key in ("classes_", "n_classes_", "feature_names_in_"):
        if hasattr(fitted, key):
            setattr(estimator, key, getattr(fitted, key))
    return estimator


def _import(fitted: Any) -> _core.Model:
    tree = fitted.tree_
    classify = is_classifier(fitted)
    widths = np.atleast_1d(fitted.n_classes_) if classify else np.ones(fitted.n_outputs_, dtype=int)
    parts = [tree.value[:, k, :width] for k, width in enumerate(widths)]
    values = np.concatenate(parts, axis=1)
    if classify:
        values = values * tree.weighted_n_node_samples[:, None]
    names = getattr(fitted, "feature_names_in_", None)
    names = [f"x{i}" for i in range(tree.n_features)] if names is None else [str(name) for name in names]
    arrays = {
        "children_left": np.ascontiguousarray(tree.children_left, dtype=np.int64),
        "children_right": np.ascontiguousarray(tree.children_right, dtype=np.int64),
        "feature": np.ascontiguousarray(tree.feature, dtype=np.int64),
        "threshold": float64_thresholds(tree.threshold),
        "impurity": np.ascontiguousarray(np.maximum(tree.impurity, 0.0)),
        "n_node_samples": np.ascontiguousarray(tree.n_node_samples, dtype=np.int64),
        "weighted_n_node_samples": np.ascontiguousarray(tree.weighted_n_node_samples),
        "missing_go_to_left": np.ascontiguousarray(tree.missing_go_to_left, dtype=bool),
        "values": np.ascontiguousarray(values),
    }
    from ._targets import free_names

    targets = free_names(names, fitted.n_outputs_)
    classes = (
        (fitted.classes_ if fitted.n_outputs_ > 1 else [fitted.classes_])
        if classify
        else [None] * len(targets)
    )
    described = [(target, _levels(labels)) for target, labels in zip(targets, classes, strict=True)]
    criterion = {"log_loss": "entropy", "friedman_mse": "squared_error"}.get(
        fitted.criterion, fitted.criterion
    )
    return _core.model_from_arrays(
        arrays, "classification" if classify else "regression", criterion, names, described
    )


def _levels(labels: Any) -> tuple[str, list[str], list[float]]:
    if labels is None:
        return "text", [], []
    if labels.dtype.kind in "fiub":
        numbers = [float(x) for x in labels]
        whole = all(x.is_integer() for x in numbers)
        kind = "boolean" if labels.dtype.kind == "b" else "integer" if whole else "real"
        names = (
            ["true" if x else "false" for x in numbers]
            if kind == "boolean"
            else [str(int(x)) if whole else repr(x) for x in numbers]
        )
        return kind, names, numbers
    return "text", [str(label) for label in labels], []


def float64_thresholds(thresholds: np.ndarray) -> np.ndarray:
    """The largest float64 that, rounded to float32, is not above each threshold."""
    out = np.array(thresholds, dtype=np.float64)
    finite = np.isfinite(out)
    low = out[finite].astype(np.float32)
    low = np.where(low.astype(np.float64) > out[finite], np.nextafter(low, np.float32(-np.inf)), low)
    high = np.nextafter(low, np.float32(np.inf))
    middle = low.astype(np.float64) / 2 + high.astype(np.float64) / 2
    # The middle itself rounds to the neighbour with an even last bit.
    even = low.view(np.int32) % 2 == 0
    out[finite] = np.where(even, middle, np.nextafter(middle, -np.inf))
    return out


def to_sklearn(estimator: Any) -> Any:
    """One of our fitted trees as scikit-learn's estimator of the same name."""
    import sklearn.tree as theirs
    from sklearn.tree._tree import Tree as TheirTree

    tree = estimator.tree_
    odd = np.flatnonzero((tree.kind != LEAF) & (tree.kind != NUMERIC))
    if odd.size:
        raise NotImplementedError(
            f"node {odd[0]} tests {tree.names[tree.feature[odd[0]]]!r} by sets or levels;"
            " scikit-learn's trees compare numbers only"
        )
    if (tree.array("missing_to") < 0).any():
        raise NotImplementedError(
            "a node spreads missing cells over its children; scikit-learn's trees cannot"
        )
    name = next(c.__name__ for c in type(estimator).__mro__ if c.__name__ in _NAMES)
    cls = getattr(theirs, name)
    known = set(cls().get_params())
    made = cls(**{key: value for key, value in estimator.get_params().items() if key in known})
    shape = TheirTree(tree.n_features, tree.n_classes, tree.n_outputs)
    shape.__setstate__(_their_state(tree, shape))
    made.tree_ = shape
    for key in (
        "n_features_in_",
        "n_outputs_",
        "max_features_",
        "classes_",
        "n_classes_",
        "feature_names_in_",
    ):
        if hasattr(estimator, key):
            setattr(made, key, getattr(estimator, key))
    return made


def _their_state(tree: Any, shape: Any) -> dict[str, Any]:
    nodes = np.zeros(tree.node_count, dtype=shape.__getstate__()["nodes"].dtype)
    columns = {
        "left_child": tree.children_left,
        "right_child": tree.children_right,
        "feature": tree.feature,
        "threshold": tree.threshold,
        "impurity": tree.impurity,
        "n_node_samples": tree.n_node_samples,
        "weighted_n_node_samples": tree.weighted_n_node_samples,
        "missing_go_to_left": tree.missing_go_to_left,
    }
    for key, values in columns.items():
        if key in nodes.dtype.names:
            nodes[key] = values
    return {
        "max_depth": tree.max_depth,
        "node_count": tree.node_count,
        "nodes": nodes,
        "values": np.array(tree.value),
    }

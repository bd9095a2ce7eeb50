# SPDX-License-Identifier: Apache-2.0
"""Trees and forests from and to scikit-learn."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any, NoReturn

import numpy as np
import sklearn
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from . import _core, _estimators
from ._files import from_model
from ._input import default_names
from ._targets import free_names
from ._tree import LEAF, NUMERIC

_NAMES = ("DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier", "ExtraTreeRegressor")


# Larger whole numbers are no longer different doubles.
_EXACT = 2**53
_FORESTS = ("RandomForestClassifier", "RandomForestRegressor", "ExtraTreesClassifier", "ExtraTreesRegressor")
# Sums of trees, each with a factor and a link: no mean of trees, and their leaves are no shares of classes.
_SUMS = ("GradientBoosting", "HistGradientBoosting", "AdaBoost")
_SHAPE = ("n_features_in_", "n_outputs_")


def from_sklearn(fitted: Any) -> Any:
    """Convert a fitted tree or forest of scikit-learn to bough, with the same predictions.

    scikit-learn rounds cells to float32 before it compares them with a threshold. bough does not, so each
    threshold is moved to the largest float64 that rounds to the same side. Predictions are therefore equal
    for float64 data too. Nodes are in preorder, while scikit-learn numbers the nodes of trees with
    ``max_leaf_nodes`` in the order of growth.

    Parameters that both libraries have are copied, so studies that fit again use the same settings. These
    fits are done by bough.

    Parameters
    ----------
    fitted : fitted estimator
        DecisionTree*, ExtraTree*, RandomForest* or ExtraTrees*, Classifier or Regressor.

    Returns
    -------
    estimator : fitted estimator
        For a tree, the estimator of the same name; for a forest, `ImportedForestClassifier` or
        `ImportedForestRegressor`.
    """
    homes = ("sklearn.tree", "sklearn.ensemble")
    theirs = [c.__name__ for c in type(fitted).__mro__ if c.__module__.startswith(homes)]
    name = next((name for name in theirs if name in _NAMES + _FORESTS), None)
    if name is None:
        _refuse(fitted)
    check_is_fitted(fitted)
    if name in _FORESTS:
        member = getattr(_estimators, name.replace("RandomForest", "DecisionTree").replace("Trees", "Tree"))
        model = _import(fitted, fitted.estimators_, _alike(member, fitted), name)
        return _dressed(from_model(model), fitted)
    estimator = _alike(getattr(_estimators, name), fitted)
    model = _import(fitted, None, estimator, name)
    estimator.criterion = fitted.criterion if isinstance(fitted.criterion, str) else model.criterion
    estimator._adopt(model)
    # Trees that other programs put together have no such attribute.
    if hasattr(fitted, "max_features_"):
        estimator.max_features_ = fitted.max_features_
    return _dressed(estimator, fitted)


def _alike(ours: Any, fitted: Any) -> Any:
    """An estimator of ours with the parameters that mean the same in both."""
    given = fitted.get_params(deep=False)
    made = ours(**{key: value for key, value in given.items() if key in ours._names})
    if not isinstance(made.criterion, str):
        made.criterion = ours().criterion
    return made


def _params_of(estimator: Any, names: list[str], outputs: int, classes: Any, n_rows: int) -> _core.Params:
    """The parameters by which refits of the model are grown."""
    state = estimator.random_state
    # A generator is left where it stands.
    seed = int(state) if isinstance(state, (int, np.integer)) and state >= 0 else 0
    rows = SimpleNamespace(names=names, n_rows=n_rows)
    targets = SimpleNamespace(names=[None] * outputs, classes=classes)
    return _core.Params(estimator._core_values(rows, targets, seed))


def _dressed(made: Any, fitted: Any, *more: str) -> Any:
    """Labels and names in the very types that the fitted estimator has, and more that it knows."""
    for key in ("classes_", "n_classes_", "feature_names_in_", *more):
        if hasattr(fitted, key):
            setattr(made, key, getattr(fitted, key))
    return made


def _refuse(fitted: Any) -> NoReturn:
    name = type(fitted).__name__
    if any(name.startswith(word) for word in _SUMS):
        raise TypeError(
            f"{name} adds up weighted trees, which is no mean of trees; from_sklearn takes trees, random"
            " forests and extra trees"
        )
    if hasattr(fitted, "steps"):
        raise TypeError(
            f"{name} is a chain of steps; give from_sklearn its last step and transform the rows first"
        )
    if name in _NAMES + _FORESTS:
        raise TypeError(
            f"{type(fitted).__module__}.{name} is not scikit-learn's own class, and may answer otherwise"
            f" than its trees do; fit sklearn's {name}, or bough.{name}"
        )
    raise TypeError(f"{name} is no tree of scikit-learn; from_sklearn takes {', '.join(_NAMES + _FORESTS)}")


def _import(fitted: Any, members: Any, alike: Any, kind: str) -> _core.Model:
    classify = is_classifier(fitted)
    given = getattr(fitted, "feature_names_in_", None)
    names = default_names(fitted.n_features_in_) if given is None else [str(name) for name in given]
    targets = free_names(names, fitted.n_outputs_)
    classes: Any = [None] * len(targets)
    if classify:
        classes = fitted.classes_ if fitted.n_outputs_ > 1 else [fitted.classes_]
    described = [(target, _levels(labels)) for target, labels in zip(targets, classes, strict=True)]
    aliases = {"log_loss": "entropy", "friedman_mse": "squared_error"}
    criterion = aliases.get(fitted.criterion, fitted.criterion)
    widths = np.atleast_1d(fitted.n_classes_) if classify else np.ones(fitted.n_outputs_, dtype=int)
    trees = [_arrays(member, widths, classify) for member in ([fitted] if members is None else members)]
    task = "classification" if classify else "regression"
    whole = f"scikit-learn {sklearn.__version__}"
    n_rows = _rows_of(fitted, members)
    return _core.model_from_arrays(
        trees,
        members is not None,
        task,
        criterion,
        names,
        described,
        _params_of(alike, names, fitted.n_outputs_, classes if classify else None, n_rows),
        n_rows,
        f"imported from {whole} {kind}",
        [f"grown by {whole}" + ("; studies that refit it grow trees of bough" if members is None else "")],
    )


def _rows_of(fitted: Any, members: Any) -> int:
    """Number of training rows; 0 when it is not known: roots of bootstrapped trees count the rows drawn."""
    if members is None:
        return int(fitted.tree_.n_node_samples[0])
    known = int(getattr(fitted, "_n_samples", 0) or 0)
    if known == 0 and not getattr(fitted, "bootstrap", True):
        return int(members[0].tree_.n_node_samples[0])
    return known


def _arrays(fitted: Any, widths: Any, classify: bool) -> dict[str, np.ndarray]:
    tree = fitted.tree_
    parts = [tree.value[:, k, :width] for k, width in enumerate(widths)]
    if classify:
        parts = [_class_weights(part, tree.weighted_n_node_samples) for part in parts]
    # Before scikit-learn 1.3 there were no missing cells.
    missing = getattr(tree, "missing_go_to_left", np.zeros(tree.node_count))
    whole = ("children_left", "children_right", "feature", "n_node_samples")
    return {
        **{name: np.ascontiguousarray(getattr(tree, name), dtype=np.int64) for name in whole},
        "threshold": float64_thresholds(tree.threshold),
        "impurity": np.ascontiguousarray(np.maximum(tree.impurity, 0.0)),
        "weighted_n_node_samples": np.ascontiguousarray(tree.weighted_n_node_samples),
        "missing_go_to_left": np.ascontiguousarray(missing, dtype=bool),
        "values": np.ascontiguousarray(np.concatenate(parts, axis=1)),
    }


def _class_weights(shares: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Weights of the classes that, divided by their sum, give these very shares, where that can be."""
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = shares * weight[:, None]
        for guess in (np.rint(weights), shares):
            good = ((guess / np.cumsum(guess, axis=1)[:, -1:]) == shares).all(axis=1)
            now = ((weights / np.cumsum(weights, axis=1)[:, -1:]) == shares).all(axis=1)
            weights = np.where((good & ~now)[:, None], guess, weights)
    return weights


def _levels(labels: Any) -> tuple[str, list[str], list[float]]:
    if labels is None:
        return "text", [], []
    if labels.dtype.kind in "fiub" and all(float(x) == x and abs(float(x)) < _EXACT for x in labels):
        numbers = [float(x) for x in labels]
        whole = all(x.is_integer() for x in numbers)
        kind = "boolean" if labels.dtype.kind == "b" else "integer" if whole else "real"
        names = (
            ["true" if x else "false" for x in numbers]
            if kind == "boolean"
            else [str(int(x)) if whole else repr(x) for x in numbers]
        )
        return kind, names, numbers
    words = [str(label) for label in labels]
    # Labels that look alike as text are told apart by their number.
    return "text", words if len(set(words)) == len(words) else [str(i) for i in range(len(words))], []


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


def tree_to_sklearn(estimator: Any) -> Any:
    """One of our fitted trees as scikit-learn's estimator of the same name."""
    import sklearn.tree as theirs

    name = next((c.__name__ for c in type(estimator).__mro__ if c.__name__ in _NAMES), None)
    if name is None:
        name = f"DecisionTree{'Classifier' if is_classifier(estimator) else 'Regressor'}"
    cls = getattr(theirs, name)
    known = set(cls().get_params())
    made = cls(**{key: value for key, value in estimator.get_params().items() if key in known})
    made.tree_ = _their_tree(estimator.tree_)
    return _dressed(made, estimator, *_SHAPE, "max_features_")


def forest_to_sklearn(forest: Any) -> Any:
    """A model of several trees as scikit-learn's random forest."""
    import sklearn.ensemble as theirs

    if forest.model_.combine != "mean":
        raise NotImplementedError(
            "the trees vote; scikit-learn's forests take the mean of the class shares of their trees"
        )
    classify = is_classifier(forest)
    members = [tree_to_sklearn(tree) for tree in forest.estimators_]
    made = (theirs.RandomForestClassifier if classify else theirs.RandomForestRegressor)(
        n_estimators=len(members)
    )
    made.estimator_ = type(members[0])()
    made.estimators_ = members
    for member in members:
        # Members of forests know class numbers only.
        if classify:
            labels = forest.classes_ if forest.n_outputs_ > 1 else [forest.classes_]
            numbers = [np.arange(len(part), dtype=np.float64) for part in labels]
            member.classes_ = numbers if forest.n_outputs_ > 1 else numbers[0]
        vars(member).pop("feature_names_in_", None)
    return _dressed(made, forest, *_SHAPE)


def _their_tree(tree: Any) -> Any:
    from sklearn.tree._tree import Tree as TheirTree

    odd = np.flatnonzero((tree.kind != LEAF) & (tree.kind != NUMERIC))
    if odd.size:
        column = tree.feature[odd[0]]
        test = f"{tree.names[column]!r} by sets or levels" if column >= 0 else "a weighted sum of columns"
        raise NotImplementedError(
            f"node {odd[0]} tests {test}, which scikit-learn's trees cannot: they compare single numbers."
            " Other exports can: bough export --help"
        )
    spread = np.flatnonzero((tree.kind != LEAF) & (tree.array("missing_to") < 0))
    if spread.size:
        raise NotImplementedError(
            f"node {spread[0]} sends missing cells to no single child; scikit-learn's trees cannot"
        )
    params = json.loads(tree.model.params)
    if params["loss_matrix"]:
        raise NotImplementedError("the tree weighs losses when it answers; scikit-learn's trees cannot")
    shape = TheirTree(tree.n_features, tree.n_classes, tree.n_outputs)
    shape.__setstate__(_their_state(tree, shape, params["leaf_probability"] == "laplace"))
    return shape


def _their_state(tree: Any, shape: Any, laplace: bool) -> dict[str, Any]:
    nodes = np.zeros(tree.node_count, dtype=shape.__getstate__()["nodes"].dtype)
    own = {"left_child": "children_left", "right_child": "children_right"}
    for key in nodes.dtype.names:
        if hasattr(tree, name := own.get(key, key)):
            nodes[key] = getattr(tree, name)
    return {
        "max_depth": tree.max_depth,
        "node_count": tree.node_count,
        "nodes": nodes,
        "values": _shares(tree, 1.0 if laplace else 0.0)
        if tree.model.task == "classification"
        else np.array(tree.value),
    }


def _shares(tree: Any, extra: float) -> np.ndarray:
    """The shares of the classes as the model answers them, with `extra` more weight of each."""
    weights, start = tree.array("values"), 0
    out = np.zeros_like(tree.value)
    for k, width in enumerate(tree.n_classes):
        part = weights[:, start : start + width] + extra
        total = np.cumsum(part, axis=1)[:, -1:]
        out[:, k, :width] = np.divide(part, total, out=np.full_like(part, 1.0 / width), where=total > 0)
        start += width
    return out

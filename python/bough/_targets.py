# SPDX-License-Identifier: Apache-2.0
"""Targets and weights on their way into the core: labels as levels, class weights as row weights."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from sklearn.utils import check_array, compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight

from . import _core
from ._errors import BoughError
from ._frames import is_missing, readable
from ._input import pointing_at
from ._odd_columns import level_text
from ._tree import own_model

# Larger whole numbers are no longer different doubles, and levels are doubles.
_EXACT = 2**53


@dataclass
class Targets:
    """The columns to learn, as they were added to a table."""

    names: list[str]
    classes: list[np.ndarray]  # per output; empty for numbers
    original: np.ndarray  # the checked y


def check_y(estimator: Any, y: Any) -> np.ndarray:
    """y as an array of one or two dimensions, checked as scikit-learn does."""
    if type(y) is np.ndarray and y.ndim == 1 and y.size and y.dtype.isnative and y.flags.aligned:
        if y.dtype.kind in "iub" or (y.dtype == np.float64 and _core.finiteness(y) == 0):
            return y
    elif y is None:
        raise ValueError(
            f"This {type(estimator).__name__} estimator requires y to be passed, but the target y is None."
        )
    _refuse_missing(y)
    with pointing_at(y, missing=True):
        y = check_array(y, ensure_2d=False, dtype=None, input_name="y", estimator=estimator)
    return readable(np.atleast_1d(y))


def _refuse_missing(y: Any) -> None:
    """Labels may be any objects, of which scikit-learn's check knows NaN alone."""
    if str(getattr(y, "dtype", "")) not in ("object", "string", "str"):
        return
    labels = np.asarray(y, dtype=object)
    for cell, label in enumerate(labels.ravel()):
        if is_missing(label):
            row = cell // (labels.size // len(labels))
            raise ValueError(
                f"Input y contains NaN.\nThe first one is in row {row} (counted from 0): leave the row out."
            )


def names_of(y: Any) -> list[str]:
    """The names that y itself has: of a Series, or of the columns of a frame; [] where it has none."""
    if type(y) is np.ndarray:
        return []
    names: list[Any] = list(y.columns) if hasattr(y, "columns") else [getattr(y, "name", None)]
    return names if all(isinstance(name, str) and name for name in names) else []


def target_names(wished: list[str], taken: list[str], count: int) -> list[str]:
    """The wished names where they name every target and nothing else, else free ones."""
    if len(wished) == count == len(set(wished)) and not set(wished) & set(taken):
        return wished
    return free_names(taken, count)


def free_names(taken: list[str], count: int) -> list[str]:
    """Names of target columns that no feature has."""
    base, text = "y", "\0" + "\0".join(taken)
    while "\0" + base in text:  # some name begins like that
        base += "_"
    return [base] if count == 1 else [f"{base}{k}" for k in range(count)]


def add_numbers(table: _core.Table, y: np.ndarray, taken: list[str], wished: list[str]) -> Targets:
    """Adds y as number columns."""
    numbers = y if y.dtype == np.float64 else y.astype(np.float64)
    columns = [numbers] if numbers.ndim == 1 else [numbers[:, k] for k in range(numbers.shape[1])]
    names = target_names(wished, taken, len(columns))
    for name, column in zip(names, columns, strict=True):
        table.add_column(name, column, column)
    return Targets(names, [], y)


def add_labels(table: _core.Table, y: np.ndarray, taken: list[str], wished: list[str]) -> Targets:
    """Adds y as class columns whose levels are the labels, where these can be levels."""
    if y.ndim == 1 and y.dtype.kind in "iub" and _fits(y):
        names = target_names(wished, taken, 1)
        table.add_column(names[0], y, y)
        return Targets(names, [], y)
    check_classification_targets(y)
    columns = y.reshape(-1, 1) if y.ndim == 1 else y
    names = target_names(wished, taken, columns.shape[1])
    classes = []
    for name, column in zip(names, columns.T, strict=True):
        values, codes = np.unique(column, return_inverse=True)
        _add_classes(table, name, values, np.ascontiguousarray(codes.ravel(), dtype=np.int32))
        classes.append(values)
    return Targets(names, classes, y)


def _fits(y: np.ndarray) -> bool:
    if y.dtype == np.int64:
        return _core.exact_as_doubles(y)
    return y.dtype.itemsize < 8 or (int(y.min()) > -_EXACT and int(y.max()) < _EXACT)


def _add_classes(table: _core.Table, name: str, values: np.ndarray, codes: np.ndarray) -> None:
    """Class codes with the labels as dictionary; labels that are no levels stay with the estimator alone."""
    if values.dtype.kind == "O" and all(isinstance(v, (int, float)) for v in values):
        values = np.asarray(values.tolist())
    if values.dtype.kind == "f":
        values = values.astype(np.float64)
    if values.dtype.kind in "bf" or (values.dtype.kind in "iu" and _fits(values)):
        table.add_coded(name, codes, values, (codes, values))
    elif _are_words(values, words := [str(value) for value in values]):
        table.add_coded_text(name, codes, words)
    else:
        table.add_column(name, codes, codes)


def _are_words(values: np.ndarray, words: list[str]) -> bool:
    """Whether labels that are not taken as numbers can be levels of text."""
    return values.dtype.kind not in "iu" and words == sorted(set(words), key=str.encode)


def core_names(targets: Targets) -> tuple[list[str], list[Any]]:
    """The core's names of the classes of the first output, and the labels they stand for."""
    values = targets.classes[0] if targets.classes else np.unique(targets.original)
    labels = values.tolist()
    if values.dtype.kind in "bf" or (values.dtype.kind in "iu" and _fits(values)):
        return [level_text(label) for label in labels], labels
    words = [str(label) for label in labels]
    return (words if _are_words(values, words) else [str(i) for i in range(len(labels))]), labels


def classes_of(model: _core.Model, targets: Targets) -> list[np.ndarray]:
    """The labels per output, in y's own type."""
    if targets.classes:
        return targets.classes
    _, _, (_, numbers) = model.targets[0]
    return [numbers.astype(targets.original.dtype)]


def labels_of(fields: list[tuple[str, str, Any]]) -> list[np.ndarray]:
    """The labels of each of a model's targets or treatments, in the type that they came in."""
    types = {"integer": np.int64, "boolean": np.bool_}
    return [
        np.asarray(values, dtype=object if not len(values) else None)
        if kind == "text"
        else values.astype(types.get(kind, np.float64))
        for _, _, (kind, values) in fields
    ]


def class_words(model: _core.Model, output: int) -> list[str]:
    """The classes as the core writes them."""
    _, _, (kind, values) = model.targets[output]
    return [level_text(bool(value) if kind == "boolean" else value) for value in values]


def row_weights(X: Any, sample_weight: Any, class_weight: Any, y: np.ndarray) -> np.ndarray | None:
    """Weights of the rows with those of their classes multiplied in; None when all are 1."""
    weights = None
    if sample_weight is not None:
        with pointing_at(sample_weight, missing=True):
            weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
    if isinstance(class_weight, str) and class_weight == "balanced_subsample":
        raise NotImplementedError(
            "class_weight='balanced_subsample' weighs the rows that every tree of a forest draws, which are"
            " not known here; studies grow a single tree again: give them one that was grown alone"
        )
    if class_weight is not None:
        weights = with_class_weights(weights, class_factors(class_weight, y, weights))
    if weights is not None and weights.size and weights.min() < 0:
        raise ValueError("Negative values in data passed to `sample_weight`; bough needs weights >= 0.")
    return None if weights is None else np.ascontiguousarray(weights)


def with_class_weights(weights: np.ndarray | None, factors: np.ndarray) -> np.ndarray:
    """The weights of the rows (None: all 1) times those of their classes."""
    if factors.size and not (np.isfinite(factors).all() and factors.min() >= 0):
        raise ValueError("class_weight holds a weight that is negative or not finite; weights are 0 or more")
    return factors if weights is None else weights * factors


def class_factors(class_weight: Any, y: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """What the weights of the rows (None: all 1) are multiplied by, row by row."""
    if not isinstance(class_weight, str) or class_weight != "balanced":
        return np.asarray(compute_sample_weight(class_weight, y))
    each = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=np.float64)
    factors = np.ones(len(y))
    for column in y.reshape(len(y), -1).T:
        labels, codes = np.unique(column, return_inverse=True)
        sums = class_sums(codes.ravel(), each, len(labels))
        factors *= balancing_factors(np.array([float(total) for total in sums]))[codes.ravel()]
    return factors


def balancing_factors(sums: np.ndarray) -> np.ndarray:
    """By class: what makes all classes that have any weight weigh the same, as the core computes it."""
    present = sums > 0
    factors = np.ones(len(sums))
    if present.any():
        factors[present] = np.add.accumulate(np.sort(sums))[-1] / (present.sum() * sums[present])
    return factors


def class_sums(codes: np.ndarray, weights: np.ndarray, n_classes: int) -> list[Fraction]:
    """The exact sum of the weights (float64, finite) of every class, in any order of the rows.

    Mantissas are whole numbers of 53 bits, added in two halves for every exponent and class.
    """
    mantissas, exponents = np.frexp(weights)
    whole = np.ldexp(mantissas, 53).astype(np.int64)
    lowest = int(exponents.min(initial=0))
    span = int(exponents.max(initial=0)) - lowest + 1
    groups = codes.astype(np.int64) * span + (exponents - lowest)
    used, places = np.unique(groups, return_inverse=True)
    halves = np.zeros((2, len(used)), dtype=np.int64)
    np.add.at(halves[0], places, whole >> 27)
    np.add.at(halves[1], places, whole & ((1 << 27) - 1))
    sums = [Fraction(0)] * n_classes
    for group, high, low in zip(used.tolist(), *halves.tolist(), strict=True):
        exponent = group % span + lowest - 53
        sums[group // span] += Fraction((high << 27) + low) * Fraction(2) ** exponent
    return sums


def add_truth(
    table: _core.Table,
    targets: list[tuple[str, str, Any]],
    classes: list[np.ndarray] | None,
    X: Any,
    y: np.ndarray,
    sample_weight: Any = None,
    class_weight: Any = None,
) -> str:
    """Adds y under a model's names of its targets (name, type and values of levels), and weights of the rows.

    Gives the name of the column of weights, "" without any. ``classes``: labels per target; None: numbers.
    """
    if len(y) != table.n_rows:
        raise ValueError(f"Number of labels={len(y)} does not match number of samples={table.n_rows}")
    columns = y.reshape(len(y), -1)
    if columns.shape[1] != len(targets):
        raise BoughError(f"y has {columns.shape[1]} columns, the model {len(targets)} targets")
    for k, (name, kind, levels) in enumerate(targets):
        if classes is None:
            numbers = np.ascontiguousarray(columns[:, k], dtype=np.float64)
            table.add_column(name, numbers, numbers)
            continue
        codes = _known_codes(columns[:, k], classes[k])
        if kind == "text":
            table.add_coded_text(name, codes, list(levels))
        else:
            numbers = levels.astype(bool) if kind == "boolean" else levels
            table.add_coded(name, codes, numbers, (codes, numbers))
    weights = row_weights(X, sample_weight, class_weight, y)
    if weights is None:
        return ""
    name = free_names(table.names, 1)[0]
    table.add_column(name, weights, weights)
    return name


def _known_codes(labels: np.ndarray, classes: np.ndarray) -> np.ndarray:
    known, codes = np.unique(labels, return_inverse=True)
    place = {label: i for i, label in enumerate(classes.tolist())}
    if unseen := [label for label in known.tolist() if label not in place]:
        raise BoughError(
            f"y holds a label that the model has never seen: {unseen[0]!r} is not a class of the tree; they"
            f" are {list(place)[:12]}"
        )
    order = np.asarray([place[label] for label in known.tolist()], dtype=np.int32)
    return np.ascontiguousarray(order[codes.ravel()])


def rows_of(estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> tuple[_core.Table | None, str]:
    """X as a table, with y and weights where y is given, and the name of the weights; None without X."""
    if X is None:
        return None, ""
    if y is None:
        return estimator._table(X), ""
    return labelled_rows(estimator, X, y, sample_weight, by_class=False)


def labelled_rows(
    estimator: Any, X: Any, y: Any, sample_weight: Any, by_class: bool = True
) -> tuple[_core.Table, str]:
    """X, y and weights as a table with the model's names, and the name of the weights ("": none);
    ``by_class``: class weights multiplied in."""
    model = own_model(estimator)
    y, table = check_y(estimator, y), estimator._table(X)
    classes = None
    if model.task == "classification":
        classes = estimator.classes_ if isinstance(estimator.classes_, list) else [estimator.classes_]
    targets = [(name, *levels) for name, _, levels in model.targets]
    class_weight = getattr(estimator, "class_weight", None) if by_class else None
    return table, add_truth(table, targets, classes, X, y, sample_weight, class_weight)

# SPDX-License-Identifier: Apache-2.0
"""Rows on their way into the core: arrays, sparse matrices and frames become tables, mostly uncopied."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import (
    _check_feature_names,
    _check_n_features,
    _get_feature_names,
    check_array,
    validate_data,
)

from . import _core, _frames
from ._errors import BoughError
from ._odd_columns import date_columns


@dataclass
class Rows:
    """A table of features and what is known about its columns."""

    table: Any  # _core.Table; None where the rows are elsewhere
    n_rows: int
    names: list[str]
    categories: list[str] = field(default_factory=list)  # columns whose type says that they have no order
    booleans: list[str] = field(default_factory=list)
    orders: dict[str, list[str]] = field(default_factory=dict)  # ordered columns and their values as text

    def note(self, name: str, kind: str, order: list[str]) -> None:
        """Notes what the type of a column says."""
        if kind == "ordered":
            self.orders[name] = order
        elif kind == "category":
            self.categories.append(name)
        elif kind == "boolean":
            self.booleans.append(name)


@lru_cache(maxsize=64)
def _numbered(count: int) -> tuple[str, ...]:
    return tuple(f"x{i}" for i in range(count))


def default_names(count: int) -> list[str]:
    return list(_numbered(count))


def set_features(estimator: Any, names: list[str]) -> None:
    """What a fit would have set for a model of these columns."""
    estimator.n_features_in_ = len(names)
    if names != default_names(len(names)):
        estimator.feature_names_in_ = np.asarray(names, dtype=object)


def as_rows(X: Any) -> Any:
    """X, or a frame of one row where X is a row of a frame (a Series named by columns)."""
    if getattr(X, "ndim", None) == 1 and hasattr(X, "to_frame") and hasattr(X, "index"):
        return X.to_frame().T.infer_objects()
    return X


def read_rows(estimator: Any, X: Any, *, names: list[str] | None = None, check: bool = True) -> Rows:
    """X as a table.

    Without ``names`` this is a fit, which sets n_features_in_ and feature_names_in_; with them a prediction,
    whose columns get these names after they were compared with the fit's.
    """
    if not _is_matrix(estimator, X, fitting=names is None):
        if sparse.issparse(X):
            return _read_sparse(estimator, X, names)
        return (_read_frame if _frames.is_frame(X) else _read_words)(estimator, X, names)
    X = _check_matrix(estimator, X, names is None, check)
    names = default_names(X.shape[1]) if names is None else names
    table = _core.Table()
    table.add_matrix(X, names, X)
    return Rows(table, X.shape[0], names)


def read_cells(estimator: Any, model: _core.Model, X: Any, check: bool = True) -> _core.Table | np.ndarray:
    """X for an answer of the model: the matrix that it is where the model takes one, else a table.

    Whether the cells of a matrix are finite is left to the core.
    """
    if model.takes_matrix:
        if _is_plain(X):
            _check_width(estimator, X, False)
            return X
        if _frames.is_frame(X):
            cells = _frames.matrix(X)
            if cells is not None and cells.size and _has_names(estimator, X):
                return cells
        elif _is_matrix(estimator, X):
            return _check_matrix(estimator, X, False, check)
    return read_rows(estimator, X, names=model.feature_names, check=check).table


def _has_names(estimator: Any, X: Any) -> bool:
    """Whether the columns of a frame are called as those of the fit, in their order."""
    names = estimator.__dict__.get("feature_names_in_")
    return names is not None and list(X.columns) == names.tolist()


def _check_width(estimator: Any, X: np.ndarray, fitting: bool) -> None:
    """The number of columns and their names, by a short way where a matrix has what was fitted."""
    state = estimator.__dict__
    if fitting:
        state.pop("feature_names_in_", None)
        state["n_features_in_"] = X.shape[1]
    elif "feature_names_in_" in state or X.shape[1] != state["n_features_in_"]:
        _check_feature_names(estimator, X, reset=False)
        _check_n_features(estimator, X, reset=False)


def _is_plain(X: Any) -> bool:
    return (
        type(X) is np.ndarray and X.dtype in _frames.FLOATS and X.ndim == 2 and X.size > 0 and X.flags.aligned
    )


def _is_matrix(estimator: Any, X: Any, fitting: bool = False) -> bool:
    """Whether all cells of X are numbers of one type, as far as its own type says."""
    if _is_plain(X):
        return True
    if sparse.issparse(X) or _frames.is_frame(X):
        return False
    return not (_may_hold_words(X) and _wants_words(estimator, X, fitting))


def _check_matrix(estimator: Any, X: Any, fitting: bool, check: bool) -> np.ndarray:
    """X as an array of floats, checked as scikit-learn does; the usual case by a shorter way."""
    if _is_plain(X):
        _check_width(estimator, X, fitting)
        if _core.finiteness(X) == 2:
            with pointing_at(X):
                validate_data(
                    estimator, X, reset=False, skip_check_array=False, ensure_all_finite="allow-nan"
                )
        return X
    if not check and isinstance(X, np.ndarray):
        _check_n_features(estimator, X, reset=fitting)
    _warn_of_integers(X)
    if isinstance(X, np.ma.MaskedArray):
        X = np.ma.filled(X.astype(np.float64), np.nan)
    with pointing_at(X):
        cells = validate_data(
            estimator, X, dtype=[np.float64, np.float32], reset=fitting, ensure_all_finite="allow-nan"
        )
    return _frames.readable(cells)


@contextmanager
def pointing_at(values: Any, *, missing: bool = False) -> Iterator[None]:
    """Adds the way out to scikit-learn's complaint, and where the first infinite (or missing) number is."""
    try:
        yield
    except ValueError as error:
        text = str(error)
        if text.startswith("could not convert string to float"):
            raise ValueError(
                f"{text}\nThe columns of a frame (pandas, polars, Arrow) may hold words; of an array, those "
                "that categorical_features or ordinal_features names."
            ) from None
        if " infinity " not in text and not (missing and "contains NaN" in text):
            raise
        numbers = np.asarray(getattr(values, "values", values))
        if numbers.dtype.kind != "f":
            raise
        bad = ~np.isfinite(numbers) if missing else np.isinf(numbers)
        if not bad.any():
            raise
        place = np.unravel_index(int(bad.argmax()), numbers.shape)
        where = f"row {place[0]}" + (f", column {place[1]}" if len(place) > 1 else "")
        way_out = "leave the row out" if missing else "give a finite number, or NaN where it is missing"
        raise ValueError(f"{text}\nThe first one is in {where} (counted from 0): {way_out}.") from None


def _warn_of_integers(X: Any) -> None:
    if isinstance(X, np.ndarray) and X.dtype.kind in "iu" and X.dtype.itemsize == 8 and X.size:
        most = max(abs(int(X.min())), abs(int(X.max())))
        if most > 2**53:
            _warn_of_neighbours("X", 5)


def _warn_of_neighbours(what: str, level: int) -> None:
    warnings.warn(
        f"{what} holds whole numbers beyond 2^53, which become the nearest doubles: neighbours may be one "
        "value. Subtract a common offset, or give such a column as a category of a frame.",
        UserWarning,
        stacklevel=level,
    )


def _read_sparse(estimator: Any, X: Any, names: list[str] | None) -> Rows:
    X = validate_data(
        estimator,
        X,
        dtype=[np.float64, np.float32],
        accept_sparse=("csr", "csc"),
        reset=names is None,
        ensure_all_finite="allow-nan",
    )
    names = default_names(X.shape[1]) if names is None else names
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    table = _core.Table()
    if X.format == "csc":
        table.add_csc(X.data, X.indices, X.indptr, X.shape[0], names, X)
    else:
        table.add_csr(X.data, X.indices, X.indptr, X.shape[0], names)
    return Rows(table, X.shape[0], names)


def _read_frame(estimator: Any, X: Any, names: list[str] | None) -> Rows:
    fitting = names is None
    columns = list(_frames.column_names(X))
    if not columns or _frames.n_rows(X) == 0:
        # Raises; a fitted estimator keeps its names.
        check_array(np.empty((_frames.n_rows(X), len(columns))), estimator=estimator)
    _check_frame_names(estimator, X, columns, fitting)
    if fitting:
        estimator.n_features_in_ = len(columns)
    elif len(columns) != estimator.n_features_in_:
        _check_n_features(estimator, np.empty((1, len(columns))), reset=False)
    if names is None:
        names = columns if hasattr(estimator, "feature_names_in_") else default_names(len(columns))
    table = _frames.to_table(X, columns, names)
    rows = Rows(table, table.n_rows, names)
    if (column := table.infinite_column()) is not None:
        raise ValueError(
            f"Input X contains infinity or a value too large for dtype('float64') (column {column!r})."
        )
    _check_dates(estimator, X, columns, fitting)
    if fitting:
        _frames.describe(X, rows)
        # Codes of categories and dates in another unit are no such numbers.
        column = table.inexact_column()
        if column is not None and column not in rows.categories and column not in rows.orders:
            _warn_of_neighbours(f"column {column!r}", 6)
    elif (model := getattr(estimator, "_model", None)) is not None and not model.takes_matrix:
        _frames.warn_of_unseen(model, X)
    return rows


def _check_dates(estimator: Any, X: Any, columns: list[Any], fitting: bool) -> None:
    """Dates are days only where they were in training; of models from elsewhere, nobody knows."""
    if fitting:
        estimator._date_columns = date_columns(X)
    elif (known := getattr(estimator, "_date_columns", None)) is not None:
        for j in sorted(date_columns(X) - known):
            if estimator._model.features[j][1] == "numeric":
                raise ValueError(
                    f"column {columns[j]!r} holds dates, but held plain numbers in training: convert it"
                    " as then"
                )


def _check_frame_names(estimator: Any, X: Any, columns: list[Any], fitting: bool) -> None:
    """scikit-learn's check of names, and the same for frames that it does not know."""
    if _get_feature_names(X) is not None or not all(isinstance(name, str) for name in columns):
        _check_feature_names(estimator, X, reset=fitting)
    elif fitting:
        estimator.feature_names_in_ = np.asarray(columns, dtype=object)
    elif hasattr(estimator, "feature_names_in_") and columns != estimator.feature_names_in_.tolist():
        raise ValueError(
            "The feature names should match those that were passed during fit: "
            f"got {columns[:12]}, fitted with {estimator.feature_names_in_.tolist()[:12]}"
        )


def _may_hold_words(X: Any) -> bool:
    dtype = getattr(X, "dtype", None)
    return isinstance(X, np.ndarray) and X.ndim == 2 and X.size > 0 and getattr(dtype, "kind", "") in "OUT"


def _wants_words(estimator: Any, X: np.ndarray, fitting: bool) -> bool:
    """Whether columns of X may be categories: they were named, or X was a frame with columns of words.

    Bagging and boosting make one array of objects of a frame and give the trees that.
    """
    features = getattr(estimator, "categorical_features", None)
    if (features is not None and not isinstance(features, str)) or getattr(
        estimator, "ordinal_features", None
    ):
        return True
    model = None if fitting else getattr(estimator, "_model", None)
    if model is not None and not model.takes_matrix:
        return True
    return X.dtype.kind == "O" and any(_frames.are_words(X[:, j]) for j in range(X.shape[1]))


def _read_words(estimator: Any, X: np.ndarray, names: list[str] | None) -> Rows:
    """A matrix of mixed cells: columns that hold only numbers are numbers, the others text."""
    _check_n_features(estimator, X, reset=names is None)
    _check_feature_names(estimator, X, reset=names is None)
    names = default_names(X.shape[1]) if names is None else names
    table = _core.Table()
    for j, name in enumerate(names):
        _frames.add_object_column(table, name, X[:, j])
    return Rows(table, X.shape[0], names)


def categorical_names(wish: Any, rows: Rows) -> tuple[list[str], list[str]]:
    """Names of the columns to take as categories, and of those to take as numbers against their type."""
    if isinstance(wish, str):
        return [*rows.categories, *rows.booleans], []
    if wish is None:
        return list(rows.categories), list(rows.booleans)
    values = np.asarray(wish)
    if values.ndim != 1:
        raise ValueError(f"categorical_features must be a list of features, but is {wish!r}")
    n = len(rows.names)
    if values.size == 0:
        return [], list(rows.booleans)
    if values.dtype.kind == "b":
        if values.shape != (n,):
            raise ValueError(
                f"categorical_features as a boolean mask must have shape (n_features,), got {values.shape}"
            )
        chosen = {rows.names[i] for i in np.flatnonzero(values)}
    elif values.dtype.kind in "iu":
        if values.max() >= n or values.min() < 0:
            raise ValueError(
                f"categorical_features set as integer indices must be in [0, n_features - 1] (n_features={n})"
            )
        chosen = {rows.names[i] for i in values}
    elif values.dtype.kind in "UOT" and all(isinstance(v, str) for v in values):
        if unknown := [v for v in values.tolist() if v not in rows.names]:
            raise ValueError(f"categorical_features names {unknown[0]!r}, which is not in the training data")
        chosen = set(values.tolist())
    else:
        raise ValueError(
            f"categorical_features must be an array-like of bool, int or str, got {values.dtype.name}"
        )
    # Words cannot be numbers: text that is not chosen stays a category.
    return [name for name in rows.names if name in chosen or name in rows.categories], [
        name for name in rows.booleans if name not in chosen
    ]


def ordinal_orders(wish: dict[Any, Any] | None, rows: Rows) -> dict[str, list[str]]:
    """Ordered columns and their values as text, low to high; [] means their own order."""
    from ._params import feature_position

    orders = dict(rows.orders)
    for key, values in (wish or {}).items():
        name = rows.names[feature_position(key, rows.names, "ordinal_features")]
        orders[name] = [] if values is None else [_level_text(value) for value in values]
    return orders


def check_one_kind(wish: Any, ordinal: dict[Any, Any] | None, categories: list[str], rows: Rows) -> None:
    """Raises for a column that is named as a category and given an order."""
    from ._params import feature_position

    if wish is None or isinstance(wish, str) or np.asarray(wish).dtype.kind == "b":
        return
    named = set(categories) - set(rows.categories)
    named |= {name for name in np.asarray(wish).tolist() if isinstance(name, str)}
    for key in ordinal or {}:
        name = rows.names[feature_position(key, rows.names, "ordinal_features")]
        if name in named:
            raise ValueError(
                f"column {name!r} is in categorical_features and in ordinal_features; name it in one of them"
            )


def _level_text(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer, str)):
        return str(value)
    if isinstance(value, (float, np.floating)):
        return str(int(value)) if float(value).is_integer() else repr(float(value))
    raise BoughError(f"ordinal_features holds {value!r}; levels are numbers, truth values or text")

# SPDX-License-Identifier: Apache-2.0
"""One partition: what it says about itself, and its rows as a table once all partitions agree.

Everything that a fit in memory would decide by looking at all rows (classes, kinds of columns, class weights)
is decided by the driver out of what partitions say (`_agree`); here it is only applied.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_array
from sklearn.utils.multiclass import check_classification_targets

from .. import _core, _frames, _input, _targets
from .._odd_columns import cell_text
from ._tasks import hinted, of_partition

LOOSE = frozenset(["text", "object", "null"])  # types that cells decide


class _Reader(BaseEstimator):
    """Stands for the estimator where rows are read: it has nothing but names of columns."""


@dataclass
class Wish:
    """What the caller has said about the partitions."""

    task: str
    targets: list[str] = field(default_factory=list)  # columns of X that are targets
    weight: str = ""  # column of X that holds weights


@dataclass
class Facts:
    """What one partition says about itself."""

    n_rows: int
    matrix: bool  # an array, not a frame
    columns: list[Any] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    kinds: list[tuple[str, list[str]]] = field(default_factory=list)  # as _frames has them
    voids: list[bool] = field(default_factory=list)  # columns typed by their cells, all of them missing
    y_dtype: Any = None
    y_columns: int = 0  # 0: one dimension
    labels: list[np.ndarray] = field(default_factory=list)  # classification: those present, per output
    counts: list[np.ndarray] = field(default_factory=list)
    weighty: bool = True  # some weight is not 0
    least: float = np.inf  # regression: of y
    most: float = -np.inf


@dataclass
class Agreed:
    """How every partition becomes a table."""

    wish: Wish
    names: list[str]  # of targets
    taken: list[str]  # of features
    weight_name: str = ""
    classes: list[np.ndarray] = field(default_factory=list)  # [] where the core takes the labels as they are
    labels: list[np.ndarray] = field(default_factory=list)  # classification: all of them, per output
    factors: list[np.ndarray] = field(default_factory=list)  # class weights per output, by class
    casts: dict[Any, str] = field(default_factory=dict)  # what columns are that a partition may have empty

    def __call__(self, X: Any, y: Any, w: Any) -> _core.Table:
        """The table of a partition."""
        X, y, w = _divide(X, y, w, self.wish)
        rows = _input.read_rows(_Reader(), _cast(X, self.casts))
        checked = _targets.check_y(_Reader(), y)
        codes = _add_targets(rows.table, checked, self)
        if self.weight_name:
            weights = _check_weights(w, rows.n_rows) if w is not None else np.ones(rows.n_rows)
            if self.factors:
                parts = [by_class[code] for by_class, code in zip(self.factors, codes, strict=True)]
                weights = weights * np.prod(parts, axis=0, dtype=np.float64)
            weights = np.ascontiguousarray(weights)
            rows.table.add_column(self.weight_name, weights, weights)
        return rows.table


# ---------------------------------------------------------------- reading a partition
def _divide(X: Any, y: Any, w: Any, wish: Wish) -> tuple[Any, Any, Any]:
    """Takes targets and weights out of X where they are columns of it."""
    drop = list(wish.targets)
    if wish.targets:
        y = _column(X, wish.targets[0]) if len(wish.targets) == 1 else _several(X, wish.targets)
    if wish.weight:
        w = _column(X, wish.weight)
        drop.append(wish.weight)
    if drop:
        if missing := [name for name in drop if name not in _frames.column_names(X)]:
            raise _no_column(X, missing[0])
        X = X.drop(columns=drop) if hasattr(X, "iloc") else X.drop_columns(drop)
    return X, y, w


def _no_column(X: Any, name: str) -> Any:
    there = ", ".join(map(str, _frames.column_names(X)))
    return hinted(ValueError, f"there is no column {name!r}", f"the columns are {there}")


def _column(X: Any, name: str) -> Any:
    if name not in _frames.column_names(X):
        raise _no_column(X, name)
    return X[name] if hasattr(X, "iloc") else X.column(name).to_pandas()


def _several(X: Any, names: list[str]) -> Any:
    import pandas as pd

    return pd.concat([_column(X, name).rename(name) for name in names], axis=1)


def _check_weights(w: Any, n_rows: int) -> np.ndarray:
    weights = check_array(w, ensure_2d=False, dtype=np.float64, input_name="sample_weight")
    if weights.ndim == 2 and weights.shape[1] == 1:
        weights = weights[:, 0]
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight has shape {weights.shape}, but there are {n_rows} rows")
    if weights.size and weights.min() < 0:
        raise ValueError("Negative values in data passed to `sample_weight`; bough needs weights >= 0.")
    return weights


def _codes_of(labels: np.ndarray, column: np.ndarray) -> np.ndarray:
    return np.searchsorted(labels, column).astype(np.int32)


def _add_targets(table: _core.Table, y: np.ndarray, agreed: Agreed) -> list[np.ndarray]:
    """Adds y as a fit in memory would; gives class codes per output where they are needed."""
    if agreed.wish.task != "classification":
        _targets.add_numbers(table, y, agreed.taken, agreed.names)
        return []
    columns = [y] if y.ndim == 1 else list(y.T)
    codes = (
        [_codes_of(labels, column) for labels, column in zip(agreed.labels, columns, strict=True)]
        if agreed.classes or agreed.factors
        else []
    )
    if not agreed.classes:
        table.add_column(agreed.names[0], y, y)
        return codes
    for name, values, code in zip(agreed.names, agreed.classes, codes, strict=True):
        _targets._add_classes(table, name, values, code)
    return codes


def _cast(X: Any, casts: dict[Any, str]) -> Any:
    """Columns without any value get the type that they have elsewhere."""
    if not casts:
        return X
    if hasattr(X, "iloc"):
        empty = {
            name: {"category": "string", "boolean": "boolean"}.get(kind, "float64")
            for name, kind in casts.items()
            if X[name].isna().all()
        }
        return X.astype(empty) if empty else X
    import pyarrow as pa

    for name, kind in casts.items():
        at = X.schema.get_field_index(name)
        if pa.types.is_null(X.schema.field(at).type):
            target = {"category": pa.string(), "boolean": pa.bool_()}.get(kind, pa.float64())
            X = X.set_column(at, name, X.column(at).cast(target))
    return X


# ---------------------------------------------------------------- facts
def describe(name: str, X: Any, y: Any, w: Any, wish: Wish) -> Facts:
    """What a partition says about itself."""
    with of_partition(name):
        X, y, w = _divide(X, y, w, wish)
        facts = _about_columns(X)
        for what, values in (("y", y), ("sample_weight", w)):
            if values is not None and len(values) != facts.n_rows:
                raise ValueError(f"X has {facts.n_rows} rows, but {what} has {len(values)}")
        if facts.n_rows:
            _about_targets(y, wish, facts)
            facts.weighty = w is None or bool(_check_weights(w, facts.n_rows).any())
        return facts


def _about_columns(X: Any) -> Facts:
    if not _frames.is_frame(X):
        if not isinstance(X, np.ndarray) or X.ndim != 2:
            raise NotImplementedError(
                f"partitions of an array must be numpy arrays of two dimensions, not {type(X).__name__}"
            )
        if X.dtype.kind in "OUT":
            raise NotImplementedError(
                "arrays of words cannot be trained on in parts; give their columns types in a Dask DataFrame"
            )
        return Facts(len(X), True, list(range(X.shape[1])), [X.dtype.name] * X.shape[1])
    rows = _frames.n_rows(X)
    columns = list(_frames.column_names(X))
    # Without rows a type that is found by looking at cells says nothing.
    kinds = _frames._column_types(X) if rows else [("", [])] * len(columns)
    kinds = [(kind, [cell_text(value) for value in order]) for kind, order in kinds]
    types = _types(X)
    return Facts(rows, False, columns, types, kinds, [_is_void(X, j, t) for j, t in enumerate(types)])


def _is_void(X: Any, column: int, kind: str) -> bool:
    if kind not in LOOSE:
        return False
    if hasattr(X, "iloc"):
        return bool(X.iloc[:, column].isna().all())
    return X.column(column).null_count == X.num_rows


def _types(X: Any) -> list[str]:
    """Types of columns as far as partitions must agree on them."""
    if not hasattr(X, "iloc"):
        return [_arrow_name(str(kind)) for kind in X.schema.types]
    import pandas as pd

    out = []
    for dtype in X.dtypes:
        if isinstance(dtype, pd.CategoricalDtype):
            out.append("ordered category" if dtype.ordered else "category")
        elif isinstance(dtype, pd.ArrowDtype):
            out.append(_arrow_name(str(dtype.pyarrow_dtype)))
        else:
            out.append("text" if isinstance(dtype, pd.StringDtype) else str(dtype))
    return out


def _arrow_name(words: str) -> str:
    if words.startswith("dictionary<") and "ordered=1" in words:
        return "ordered category"
    if words in ("string", "large_string", "string_view") or words.startswith("dictionary<values=string"):
        return "text"
    return words


def _about_targets(y: Any, wish: Wish, facts: Facts) -> None:
    if y is None:
        raise ValueError("there is no y")
    y = _targets.check_y(_Reader(), y)
    facts.y_dtype, facts.y_columns = y.dtype, 0 if y.ndim == 1 else y.shape[1]
    if wish.task != "classification":
        numbers = y.astype(np.float64)
        facts.least, facts.most = float(numbers.min()), float(numbers.max())
        return
    if y.ndim > 1 or y.dtype.kind not in "iub":
        check_classification_targets(y)
    for column in [y] if y.ndim == 1 else y.T:
        labels, counts = np.unique(column, return_counts=True)
        facts.labels.append(labels)
        facts.counts.append(counts)


def weigh(
    before: list[list[Fraction]], X: Any, y: Any, w: Any, wish: Wish, labels: list[np.ndarray]
) -> list[list[Fraction]]:
    """Adds the rows' weights to the sums by class."""
    X, y, w = _divide(X, y, w, wish)
    y = _targets.check_y(_Reader(), y)
    weights = _check_weights(w, len(y))
    sums = []
    for total, names, column in zip(before, labels, [y] if y.ndim == 1 else y.T, strict=True):
        found = _targets.class_sums(_codes_of(names, column), weights, len(names))
        sums.append([one + more for one, more in zip(total, found, strict=True)])
    return sums

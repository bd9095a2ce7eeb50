# SPDX-License-Identifier: Apache-2.0
"""Columns of frames that are no plain numbers, text or truth values, but have a plain meaning.

Dates and times become days since 1970-01-01 (UTC), as on the command line, durations days, decimals and long
doubles floats; categories that are intervals, dates or the like go by their text.
"""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import numpy as np

# Types of Arrow whose cells have a plain meaning as numbers; a time of day has none.
_ARROW_NUMBERS = ("timestamp", "date", "duration", "decimal")


def days(values: np.ndarray) -> np.ndarray:
    """Days since 1970-01-01, or days of durations; NaN for NaT."""
    origin = np.datetime64(0, "D") if values.dtype.kind == "M" else np.timedelta64(0, "D")
    return np.asarray((values - origin) / np.timedelta64(1, "D"), dtype=np.float64)


def date_columns(X: Any) -> frozenset[int]:
    """The columns of a frame that hold dates or times, by their place."""
    if hasattr(X, "iloc"):
        return frozenset(j for j, dtype in enumerate(X.dtypes) if _is_date(dtype, X, j))
    schema = getattr(X, "schema", None)
    types = getattr(schema, "types", None) or list(getattr(schema, "values", list)())
    words = [str(kind).lower() for kind in types]
    return frozenset(j for j, kind in enumerate(words) if kind.startswith(("timestamp", "date")))


def _is_date(dtype: Any, X: Any, j: int) -> bool:
    if isinstance(dtype, np.dtype) and dtype.kind != "O":
        return dtype.kind == "M"
    if isinstance(dtype, np.dtype):
        present = X.iloc[:, j].dropna()
        return len(present) > 0 and isinstance(present.iloc[0], datetime.date)
    return str(dtype).startswith(("datetime", "period", "timestamp", "date"))


def plain_cell(value: Any) -> Any:
    """A cell in Python's own types; dates and decimals as numbers."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    if isinstance(value, (datetime.date, datetime.timedelta)):
        kind = "m8[us]" if isinstance(value, datetime.timedelta) else "M8[us]"
        return float(days(np.asarray(value, dtype=kind)))
    return value


def plain_pandas(X: Any) -> Any:
    """The frame with odd columns replaced; the frame itself where there are none."""
    replaced = {}
    for j, dtype in enumerate(X.dtypes):
        if isinstance(dtype, np.dtype) and dtype.kind in "fiub" and dtype.itemsize <= 8 and dtype.isnative:
            continue
        column = _plain_column(X.iloc[:, j], dtype)
        if column is not None:
            replaced[j] = column
    if not replaced:
        return X
    import pandas as pd

    columns = [replaced.get(j, X.iloc[:, j]) for j in range(X.shape[1])]
    return pd.concat([pd.Series(c, index=X.index) for c in columns], axis=1).set_axis(X.columns, axis=1)


def _plain_column(column: Any, dtype: Any) -> Any:
    """Numbers or text in place of the column; None: it is plain."""
    import pandas as pd

    if isinstance(dtype, pd.CategoricalDtype):
        kind = dtype.categories.dtype
        plain = (isinstance(kind, np.dtype) and kind.kind in "fiub") or isinstance(kind, pd.StringDtype)
        if plain or (kind.kind == "O" and len(sorts := _sorts(dtype.categories)) < 2 and "" not in sorts):
            return None
        return column.cat.rename_categories([cell_text(c) for c in dtype.categories])
    if isinstance(dtype, pd.IntervalDtype):
        return column.astype(str).where(column.notna(), None)
    if isinstance(dtype, pd.PeriodDtype):
        column = column.dt.to_timestamp()
        dtype = column.dtype
    if isinstance(dtype, pd.DatetimeTZDtype):
        column = column.dt.tz_convert("UTC").dt.tz_localize(None)
        dtype = column.dtype
    if isinstance(dtype, pd.ArrowDtype):
        words = str(dtype.pyarrow_dtype)
        if words == "halffloat":
            return column.to_numpy(dtype=np.float32, na_value=np.nan)
        if words.startswith(_ARROW_NUMBERS):
            return _arrow_numbers(column.array.__arrow_array__(), words)
        return None
    if not isinstance(dtype, np.dtype):
        return None
    if dtype.kind in "mM":
        return days(column.to_numpy())
    if dtype.kind in "fiu":
        return column.to_numpy().astype(np.float64 if dtype.itemsize > 8 else dtype.newbyteorder("="))
    if dtype.kind == "O":
        first = column.first_valid_index()
        if first is not None and isinstance(
            column.dropna().iloc[0], (Decimal, datetime.date, datetime.timedelta)
        ):
            return np.array([np.nan if pd.isna(v) else plain_cell(v) for v in column], dtype=float)
        sorts = _sorts(column.dropna())
        if len(sorts) > 1 and "words" in sorts and "" not in sorts:  # Arrow does not mix them
            return column.map(cell_text, na_action="ignore").where(column.notna(), None)
    return None


_SORTS: dict[str, Any] = {
    "words": str,
    "truth values": (bool, np.bool_),
    "numbers": (int, float, np.integer, np.floating),
}


def _sorts(cells: Any) -> set[str]:
    """Which of words, truth values, numbers and ("") other things the cells are."""
    kinds = {type(cell) for cell in cells}
    return {next((name for name, of in _SORTS.items() if issubclass(kind, of)), "") for kind in kinds}


def cell_text(value: Any) -> str:
    """A cell among words."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    return str(value)


def level_text(value: Any) -> str:
    """A level as the core writes it: whole numbers without a point."""
    if isinstance(value, (float, np.floating)):
        return repr(float(value)).removesuffix(".0")
    return cell_text(value)


def _arrow_numbers(cells: Any, kind: str) -> np.ndarray:
    """Dates, durations or decimals of a column of Arrow as numbers; NaN where one is missing."""
    if kind.startswith("decimal"):
        return np.array([np.nan if value is None else float(value) for value in cells.to_pylist()])
    return days(cells.to_numpy(zero_copy_only=False))


def plain_arrow(X: Any) -> Any:
    """A table or record batch of pyarrow, or a frame of polars, with dates and decimals as numbers."""
    types = getattr(getattr(X, "schema", None), "types", None)
    if types is not None and hasattr(X, "set_column"):
        import pyarrow as pa

        for j, kind in enumerate(types):
            if pa.types.is_float16(kind):
                X = X.set_column(j, X.schema.names[j], X.column(j).cast(pa.float32()))
            if str(kind).startswith(_ARROW_NUMBERS):
                cells = _arrow_numbers(X.column(j), str(kind))
                X = X.set_column(j, X.schema.names[j], pa.array(cells, from_pandas=True))
        return X
    if type(X).__module__.startswith("polars") and hasattr(X, "with_columns"):
        import polars as pl

        for name, kind in X.schema.items():
            if str(kind) == "Float16":
                X = X.with_columns(X[name].cast(pl.Float32))
            if kind.is_decimal() or (kind.is_temporal() and kind != pl.Time):
                cells = _arrow_numbers(X[name].to_arrow(), "decimal" if kind.is_decimal() else "")
                X = X.with_columns(pl.Series(name, cells, nan_to_null=True))
    return X

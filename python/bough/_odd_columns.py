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


def days(values: np.ndarray) -> np.ndarray:
    """Days since 1970-01-01, or days of durations; NaN for NaT."""
    origin = np.datetime64(0, "D") if values.dtype.kind == "M" else np.timedelta64(0, "D")
    return np.asarray((values - origin) / np.timedelta64(1, "D"), dtype=np.float64)


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
        if isinstance(dtype, np.dtype) and dtype.kind in "fiub" and dtype.itemsize <= 8:
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
        plain = (isinstance(kind, np.dtype) and kind.kind in "fiubO") or isinstance(kind, pd.StringDtype)
        return None if plain else column.cat.rename_categories([str(c) for c in dtype.categories])
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
        if words.startswith(("timestamp", "date", "duration", "decimal")):
            return np.array([plain_cell(v) if v is not pd.NA else np.nan for v in column.array], dtype=float)
        return None
    if not isinstance(dtype, np.dtype):
        return None
    if dtype.kind in "mM":
        return days(column.to_numpy())
    if dtype.kind == "f":
        return column.to_numpy().astype(np.float64)
    if dtype.kind == "O":
        first = column.first_valid_index()
        if first is not None and isinstance(
            column.dropna().iloc[0], (Decimal, datetime.date, datetime.timedelta)
        ):
            return np.array([np.nan if pd.isna(v) else plain_cell(v) for v in column], dtype=float)
    return None


def plain_arrow(X: Any) -> Any:
    """A table or record batch of pyarrow, or a frame of polars, with dates and decimals as numbers."""
    types = getattr(getattr(X, "schema", None), "types", None)
    if types is not None and hasattr(X, "set_column"):
        import pyarrow as pa

        for j, kind in enumerate(types):
            if pa.types.is_temporal(kind) or pa.types.is_decimal(kind):
                cells = [np.nan if v is None else plain_cell(v) for v in X.column(j).to_pylist()]
                X = X.set_column(j, X.schema.names[j], pa.array(cells, pa.float64(), from_pandas=True))
        return X
    if type(X).__module__.startswith("polars") and hasattr(X, "with_columns"):
        import polars as pl

        for name, kind in X.schema.items():
            if kind.is_temporal() or kind.is_decimal():
                cells = [None if v is None else plain_cell(v) for v in X[name].to_list()]
                X = X.with_columns(pl.Series(name, cells, dtype=pl.Float64))
    return X

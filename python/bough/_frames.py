# SPDX-License-Identifier: Apache-2.0
"""Data frames of any library: through the Arrow C stream, or column by column for pandas without pyarrow."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._errors import BoughError
from ._odd_columns import cell_text, plain_arrow, plain_cell, plain_pandas

if TYPE_CHECKING:
    from ._input import Rows

FLOATS = (np.dtype(np.float64), np.dtype(np.float32))


def _is_pandas(X: Any) -> bool:
    return hasattr(X, "iloc") and hasattr(X, "dtypes") and hasattr(X, "columns")


def is_frame(X: Any) -> bool:
    """True for pandas frames and all that hand out an Arrow stream of columns."""
    if _is_pandas(X):
        return True
    if type(X).__name__ == "LazyFrame":
        raise BoughError("a LazyFrame has no rows yet (give X.collect())")
    if not hasattr(X, "__arrow_c_stream__") or isinstance(X, np.ndarray):
        return False
    return hasattr(X, "columns") or hasattr(X, "column_names") or hasattr(X, "schema")


def column_names(X: Any) -> list[Any]:
    names = getattr(X, "column_names", None)
    if names is None:
        names = getattr(X, "columns", None)
    if names is None:
        names = X.schema.names
    return list(names)


def n_rows(X: Any) -> int:
    shape = getattr(X, "shape", None)
    if shape is not None:
        return int(shape[0])
    count = getattr(X, "num_rows", None)
    return int(count) if count is not None else -1


def to_table(X: Any, columns: list[Any], names: list[str]) -> _core.Table:
    """The frame's columns as a table under `names`."""
    if _is_pandas(X):
        X = _plain_pandas(X, columns, names)
        if isinstance(X, _core.Table):
            return X
    else:
        X = plain_arrow(X)
    try:
        stream = X.__arrow_c_stream__()
    except Exception as error:  # every library has exceptions of its own here
        raise BoughError(f"the data frame could not be read as Arrow columns: {error}") from error
    table = _core.Table.from_arrow(stream)
    return table if table.names == names else table.renamed(names)


def _plain_pandas(X: Any, columns: list[Any], names: list[str]) -> Any:
    """A frame that pyarrow can take, or the table itself where there is no pyarrow or nothing but numbers."""
    import pandas as pd

    if all(_is_number(dtype) for dtype in X.dtypes):
        return _numeric_table(X, names)
    X = plain_pandas(X)
    if any(isinstance(dtype, pd.SparseDtype) for dtype in X.dtypes):
        X = X.astype({c: t.subtype for c, t in X.dtypes.items() if isinstance(t, pd.SparseDtype)})
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return _columns_table(X, names)
    if not isinstance(X.index, pd.RangeIndex):
        X = X.reset_index(drop=True)  # pyarrow would take it for a column
    return X if columns == names else X.set_axis(names, axis=1)


def _is_number(dtype: Any) -> bool:
    """Whether the cells of a column of this type are numbers that the core reads."""
    if not isinstance(dtype, np.dtype) or not dtype.isnative:
        return False
    return dtype.kind in "iu" or (dtype.kind == "f" and dtype.itemsize <= 8)


def readable(cells: np.ndarray) -> np.ndarray:
    """The cells in this machine's byte order and at whole addresses: those of packed records are not."""
    return np.require(cells, cells.dtype.newbyteorder("="), "A")


def matrix(X: Any) -> np.ndarray | None:
    """The cells of a pandas frame of numbers as one array of floats, uncopied where they lie as one; None for
    other frames."""
    if not _is_pandas(X):
        return None
    types = set(X.dtypes)
    if not all(_is_number(dtype) for dtype in types):
        return None
    return readable(X.to_numpy(dtype=None if types <= {FLOATS[0]} or types <= {FLOATS[1]} else np.float64))


def _numeric_table(X: Any, names: list[str]) -> _core.Table:
    """Columns of numbers, taken out of the frame type by type: one by one takes longer than a small fit."""
    places: dict[np.dtype, list[int]] = {}
    for j, dtype in enumerate(X.dtypes):
        places.setdefault(dtype, []).append(j)
    columns: dict[int, np.ndarray] = {}
    for dtype, chosen in places.items():
        cells = readable((X if len(places) == 1 else X.iloc[:, chosen]).to_numpy())
        if dtype == np.float16:
            cells = cells.astype(np.float32)
        columns.update((j, cells[:, k]) for k, j in enumerate(chosen))
    table = _core.Table()
    for j, name in enumerate(names):
        table.add_column(name, columns[j], columns[j])
    return table


def _columns_table(X: Any, names: list[str]) -> _core.Table:
    """Without pyarrow: numbers as they are, the rest by codes."""
    import pandas as pd

    table = _core.Table()
    for j, name in enumerate(names):
        column = X.iloc[:, j]
        if isinstance(column.dtype, pd.CategoricalDtype):
            codes = column.cat.codes.to_numpy().astype(np.int32)
            _add_coded(table, name, codes, column.cat.categories.to_numpy())
        elif isinstance(column.dtype, np.dtype) and column.dtype.kind in "fiub":
            values = np.ascontiguousarray(column.to_numpy())
            table.add_column(name, values, values)
        else:
            add_object_column(table, name, column.to_numpy(dtype=object))
    return table


def _add_coded(table: _core.Table, name: str, codes: np.ndarray, values: np.ndarray) -> None:
    """Codes into values, which may be numbers or text; -1 is missing."""
    if values.dtype.kind in "fiu":
        cells = np.append(values.astype(np.float64), np.nan)[codes]
        table.add_column(name, cells, cells)
    else:
        table.add_coded_text(name, codes, [cell_text(value) for value in values])


def is_missing(value: Any) -> bool:
    return (
        value is None
        or (isinstance(value, float) and value != value)
        or type(value).__name__ in ("NAType", "NaTType")
    )


def are_words(cells: np.ndarray) -> bool:
    """Whether all present cells are text, and not all of them text of numbers."""
    first = next((value for value in cells if not is_missing(value)), None)
    if not isinstance(first, str):
        return False
    present = [value for value in cells.tolist() if not is_missing(value)]
    return all(isinstance(value, str) for value in present) and not all(map(_reads_as_number, present))


def _reads_as_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def add_object_column(table: _core.Table, name: str, cells: np.ndarray) -> None:
    """Python objects: numbers if all present ones are, else text; booleans where nothing is missing."""
    plain = [plain_cell(value) for value in cells.tolist()]
    present = [value for value in plain if not is_missing(value)]
    if all(isinstance(value, bool) for value in present) and len(present) == len(cells):
        values: np.ndarray = np.array(plain, dtype=bool)
        table.add_column(name, values, values)
        return
    if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in present):
        values = np.array([np.nan if is_missing(v) else float(v) for v in plain])
        table.add_column(name, values, values)
        return
    if bad := next((v for v in present if not isinstance(v, (str, bool, int, float))), None):
        raise BoughError(f"column {name!r} holds {bad!r}; cells are numbers, truth values or text")
    words = sorted({cell_text(value) for value in present})
    code_of = {word: i for i, word in enumerate(words)}
    codes = np.array([-1 if is_missing(v) else code_of[cell_text(v)] for v in plain], dtype=np.int32)
    table.add_coded_text(name, codes, words)


def warn_of_unseen(model: _core.Model, X: Any) -> None:
    """Says which category columns hold nothing that training has seen: other spellings, another column."""
    for j, (name, kind, (values, levels)) in enumerate(model.features):
        if kind != "category" or values != "text" or not hasattr(X, "iloc"):
            continue
        column, seen = X.iloc[:, j], set(levels)
        # Mostly one of the first cells is known; only where none is, all are looked at.
        for cells in (column.iloc[:64].dropna().tolist(), column.dropna().unique().tolist()):
            if not cells or any(cell_text(cell) in seen for cell in cells):
                break
        else:
            some = ", ".join(repr(level) for level in levels[:3])
            warnings.warn(
                f"column {name!r} holds only categories that were never seen in training ({cells[0]!r}, not"
                f" {some}): its tests send all rows the same way",
                UserWarning,
                stacklevel=6,
            )


def describe(X: Any, rows: Rows) -> None:
    """Notes which columns are categories, booleans or ordered by their type."""
    for name, (kind, order) in zip(rows.names, _column_types(X), strict=True):
        rows.note(name, kind, [cell_text(value) for value in order])


def _column_types(X: Any) -> list[tuple[str, list[Any]]]:
    if _is_pandas(X):
        return [_pandas_type(X.iloc[:, j]) for j in range(X.shape[1])]
    schema = getattr(X, "schema", None)
    types = getattr(schema, "types", None)
    if types is not None and hasattr(X, "column"):  # pyarrow
        return [_arrow_type(X, j, kind) for j, kind in enumerate(types)]
    if schema is not None and hasattr(schema, "items"):  # polars
        return [_polars_type(kind) for _, kind in schema.items()]
    return [("", [])] * len(column_names(X))


def _named_type(words: str) -> tuple[str, list[Any]]:
    if words.startswith("bool"):
        return "boolean", []
    if any(
        words.startswith(start)
        for start in ("str", "utf8", "large_string", "categorical", "enum", "dictionary")
    ):
        return "category", []
    return "", []


def _polars_type(kind: Any) -> tuple[str, list[Any]]:
    words = str(kind).lower()
    if words.startswith("enum"):  # as its Arrow form has it
        return "ordered", list(kind.categories)
    return _named_type(words)


def _arrow_type(X: Any, column: int, kind: Any) -> tuple[str, list[Any]]:
    if getattr(kind, "ordered", False):
        cells = X.column(column)
        if hasattr(cells, "unify_dictionaries"):  # of a table, in chunks; a record batch has one
            cells = cells.unify_dictionaries().chunk(0)
        return "ordered", cells.dictionary.to_pylist()
    return _named_type(str(kind))


def _pandas_type(column: Any) -> tuple[str, list[Any]]:
    import pandas as pd

    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return ("ordered", list(dtype.categories)) if dtype.ordered else ("category", [])
    if str(dtype) in ("bool", "boolean"):
        return "boolean", []
    if isinstance(dtype, pd.ArrowDtype):
        return _named_type(str(dtype.pyarrow_dtype))
    if str(dtype) == "object" or isinstance(dtype, pd.StringDtype):
        present = column.dropna()
        if len(present) and all(isinstance(v, bool) for v in present):
            return "boolean", []
        return ("category", []) if any(isinstance(v, str) for v in present) else ("", [])
    return "", []

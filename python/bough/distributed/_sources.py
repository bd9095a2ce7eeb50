# SPDX-License-Identifier: Apache-2.0
"""Where partitions come from: Dask collections, and files that workers read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import dask.base

from .._errors import BoughError
from ._dask import DaskExecutor
from ._partition import Wish
from ._tasks import hinted, of_partition
from ._train import Partitions

_PART_BYTES = 128 << 20  # row groups are put together up to this size


def is_array(X: Any) -> bool:
    """True for Dask arrays."""
    return dask.base.is_dask_collection(X) and hasattr(X, "chunks") and hasattr(X, "map_blocks")


def is_frame(X: Any) -> bool:
    """True for Dask DataFrames and Series."""
    return dask.base.is_dask_collection(X) and hasattr(X, "map_partitions") and hasattr(X, "npartitions")


# ---------------------------------------------------------------- collections
def of_collections(
    executor: DaskExecutor, X: Any, y: Any, w: Any, wish: Wish
) -> tuple[Partitions, list[str]]:
    """Partitions of collections, computed by the workers, and the names that y has. Fills in the wish where y
    or w are names of columns."""
    if not (is_array(X) or is_frame(X)):
        raise TypeError(
            f"X must be a Dask DataFrame, a Dask Array or paths of Parquet files, not {type(X).__name__}; "
            "rows in the memory of this process are for the estimators of bough itself, or for "
            "dask.dataframe.from_pandas and dask.array.from_array"
        )
    check_shape(X)
    if y is None:
        raise BoughError("fit needs y: a Dask collection with the partitions of X, or names of columns of X")
    wished: list[str] = []
    names = [y] if isinstance(y, str) else y
    if isinstance(names, (list, tuple)) and names and all(isinstance(name, str) for name in names):
        wish.targets, wished, y = list(names), list(names), None
    elif is_frame(y):
        found = list(y.columns) if hasattr(y, "columns") else [y.name]
        wished = found if all(isinstance(name, str) and name for name in found) else []
    if isinstance(w, str):
        wish.weight, w = w, None
    _check_names(X, wish)
    _check_lengths(X, y, w)
    columns: list[Any] = [_delayed(X, None, "X")]
    for values, what in ((y, "y"), (w, "sample_weight")):
        columns.append(None if values is None else _delayed(values, X, what))
    n = len(columns[0] or [])
    for part, what in zip(columns[1:], ("y", "sample_weight"), strict=True):
        if part is not None and len(part) != n:
            raise ValueError(
                f"{what} has {len(part)} partitions, X has {n}; take both from one collection, or "
                "repartition them to the same divisions (rechunk them to the same chunks)"
            )
    flat = executor.client.compute([item for part in columns if part is not None for item in part])
    out: list[list[Any]] = []
    for part in columns:
        out.append([None] * n if part is None else flat[:n])
        flat = flat if part is None else flat[n:]
        if part is not None:
            executor.keep(out[-1], "computing the input")
    return Partitions(*out), wished


def check_shape(X: Any) -> None:
    """Raises where a collection cannot be rows of cells."""
    if is_array(X) and X.ndim != 2:
        raise BoughError(
            f"X must be two-dimensional, but this Dask Array has {X.ndim} "
            f"dimension{'s' * (X.ndim != 1)}; a single column is X.reshape(-1, 1)"
        )
    if is_frame(X) and X.ndim != 2:
        raise BoughError(
            "X must be two-dimensional, but this is a Dask Series; a single column is X.to_frame()"
        )


def _check_names(X: Any, wish: Wish) -> None:
    """Columns that y and the weights are said to be are there."""
    for what, names in (("y", wish.targets), ("sample_weight", [wish.weight] if wish.weight else [])):
        for name in names:
            if is_array(X):
                raise BoughError(
                    f"{what} is the name {name!r}, but the columns of a Dask Array have no names; give it "
                    "as a Dask Array"
                )
            if name not in list(X.columns):
                there = ", ".join(map(str, list(X.columns)[:20]))
                raise BoughError(f"{what} is {name!r}, but X has no such column; the columns are {there}")


def _check_lengths(X: Any, y: Any, w: Any) -> None:
    for values, what, most in ((y, "y", 2), (w, "sample_weight", 1)):
        if values is None or not is_array(values):
            continue
        if values.ndim > most and not (values.ndim == 2 and values.shape[1] == 1):
            raise BoughError(f"{what} has {values.ndim} dimensions, at most {most} can be trained with")
        if is_array(X) and _known(values) and _known(X) and len(values) != len(X):
            raise BoughError(f"X has {len(X)} rows, but {what} has {len(values)}")


def _delayed(values: Any, X: Any, what: str) -> list[Any]:
    if is_array(values):
        if values.ndim == 2 and len(values.chunks[1]) > 1:
            values = values.rechunk({1: -1})
        if X is not None and is_array(X) and values.chunks[0] != X.chunks[0] and _known(values) and _known(X):
            values = values.rechunk({0: X.chunks[0]})
        return list(values.to_delayed().ravel())
    if is_frame(values):
        return list(values.to_delayed())
    raise TypeError(
        f"{what} must be a Dask collection with the partitions of X, or the name of a column of X, not "
        f"{type(values).__name__}"
    )


def _known(values: Any) -> bool:
    return all(size == size for size in values.chunks[0])


# ---------------------------------------------------------------- files
@dataclass(frozen=True)
class FilePart:
    """Some row groups of a Parquet file, or a whole file of another kind."""

    path: str
    groups: tuple[int, ...] | None = None
    n_rows: int = -1  # -1: only reading tells

    @property
    def name(self) -> str:
        if self.groups is None:
            return self.path
        first, last = self.groups[0], self.groups[-1]
        return f"{self.path} row group{f's {first} to {last}' if last > first else f' {first}'}"


def kind_of(path: str) -> str:
    """parquet, arrow, or "" for what the core's own readers know."""
    lower = path.lower()
    if lower.endswith((".parquet", ".parq", ".pq")):
        return "parquet"
    return "arrow" if lower.endswith((".arrow", ".feather", ".ipc")) else ""


def list_parts(paths: Sequence[str], part_bytes: int = _PART_BYTES) -> list[FilePart]:
    """Runs on a worker: the files behind paths, patterns and folders, divided by row groups."""
    from fsspec.core import url_to_fs

    out: list[FilePart] = []
    for path in paths:
        files, inside = url_to_fs(path)
        scheme = path[: path.index("://") + 3] if "://" in path else ""
        if any(sign in inside for sign in "*?["):
            found = sorted(files.glob(inside))
        elif files.isdir(inside):
            found = sorted(
                name for name in files.glob(inside.rstrip("/") + "/**") if kind_of(name) == "parquet"
            )
        else:
            found = [inside]
        if not found or not files.exists(found[0]):
            raise hinted(
                FileNotFoundError,
                f"no file of this worker is {path!r}",
                "workers must see the files that they read",
            )
        for name in found:
            out += _divided(files, scheme + name if scheme else name, name, part_bytes)
    return out


def _divided(files: Any, path: str, inside: str, part_bytes: int) -> list[FilePart]:
    if kind_of(path) != "parquet":
        return [FilePart(path)]
    import pyarrow.parquet as pq

    with of_partition(path), files.open(inside) as opened:
        meta = pq.ParquetFile(opened).metadata
    parts, now, size, rows = [], [], 0, 0
    for g in range(meta.num_row_groups):
        group = meta.row_group(g)
        now.append(g)
        size += group.total_byte_size
        rows += group.num_rows
        if size >= part_bytes:
            parts.append(FilePart(path, tuple(now), rows))
            now, size, rows = [], 0, 0
    if now or not parts:
        parts.append(FilePart(path, tuple(now), rows))
    return parts


def read_part(part: FilePart, columns: list[str] | None = None, unwanted: tuple[str, ...] = ()) -> Any:
    """The rows of a part as a pyarrow Table; only the columns that are wanted are read."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from fsspec.core import url_to_fs

    with of_partition(part.name):
        files, inside = url_to_fs(part.path)
        with files.open(inside) as opened:
            if kind_of(part.path) == "parquet":
                file: Any = pq.ParquetFile(opened)
                wanted = _wanted(file.schema_arrow.names, columns, unwanted)
                return file.read_row_groups(
                    list(part.groups or ()), columns=wanted, use_threads=False
                ).select(wanted)
            table = pa.ipc.open_file(opened).read_all()
            return table.select(_wanted(table.column_names, columns, unwanted))


def _wanted(there: list[str], columns: list[str] | None, unwanted: tuple[str, ...]) -> list[str]:
    if columns is None:
        return [name for name in there if name not in unwanted]
    if missing := [name for name in columns if name not in there]:
        raise hinted(ValueError, f"there is no column {missing[0]!r}", f"the columns are {', '.join(there)}")
    return columns


def of_files(
    executor: DaskExecutor, paths: Sequence[str], columns: list[str] | None, part_bytes: int = _PART_BYTES
) -> Partitions:
    """Parts of Parquet and Arrow files, read by the workers."""
    for path in paths:
        if not kind_of(path) and "." in path.rsplit("/", 1)[-1]:
            raise NotImplementedError(
                f"{path!r} is no Parquet or Arrow file by its name; read it with dask.dataframe, or use "
                "'bough train --dask'"
            )
    what = "looking at files"
    (parts,) = executor.gather(executor.map(list_parts, [list(paths)], common=(part_bytes,), what=what), what)
    handles = executor.map(read_part, parts, common=(columns,), what="reading files")
    nothing = [None] * len(parts)
    return Partitions(handles, nothing, list(nothing), [part.name for part in parts])

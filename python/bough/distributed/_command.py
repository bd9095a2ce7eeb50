# SPDX-License-Identifier: Apache-2.0
"""``bough train --dask``: the command line's job, done by the workers of a cluster."""

from __future__ import annotations

import json
import sys
import traceback
from itertools import accumulate
from pathlib import Path
from typing import Any

_CONNECT = "15s"  # the first answer of a scheduler comes within this, or there is none
_CODES = (
    (NotImplementedError, "not_supported"),
    (MemoryError, "out_of_memory"),
    (OSError, "io"),
    (ValueError, "bad_data"),
)


class TableOf:
    """A part of the files as a table, on a worker."""

    def __init__(self, reading: dict[str, Any]) -> None:
        self.reading = reading

    def __call__(self, X: Any, y: Any, w: Any) -> Any:
        from .. import _core

        if hasattr(X, "__arrow_c_stream__"):
            return _core.Table.from_arrow(X.__arrow_c_stream__())
        return _core.read_table(X.path, **self.reading)


def count_rows(name: str, part: Any, make: TableOf) -> tuple[int, list[str]]:
    """Rows and columns of a part that is not read yet."""
    from ._tasks import of_partition

    with of_partition(name):
        table = make(part, None, None)
        return table.n_rows, table.names


def run(path: str) -> int:
    """Does the job that the file at `path` describes; an error goes into a file that it names."""
    job = json.loads(Path(path).read_text("utf-8"))
    try:
        _train(job).save(job["model"])
    except KeyboardInterrupt:
        return 130
    except ImportError as error:
        lacks = f"--dask needs the Python packages dask, distributed and pyarrow ({error})"
        _tell(job, "not_supported", lacks, f"install them: {sys.executable} -m pip install 'bough[dask]'")
        return 6
    except Exception as error:  # whatever it is, the command line says it
        code = next((code for kind, code in _CODES if isinstance(error, kind)), "")
        if not code and type(error).__name__ != "ClusterError":
            traceback.print_exc()
        hint = getattr(error, "hint", "")
        text = str(error).removesuffix(f" ({hint})") if hint else str(error)
        _tell(job, getattr(error, "code", "") or code or "io", text, hint)
        return 1
    return 0


def _tell(job: dict[str, Any], code: str, message: str, hint: str) -> None:
    Path(job["error"]).write_text(json.dumps({"code": code, "message": message, "hint": hint}), "utf-8")


def _train(job: dict[str, Any]) -> Any:
    import pyarrow  # noqa: F401
    from distributed import Client

    from ._dask import ClusterError, DaskExecutor

    try:
        client = Client(job["address"], timeout=_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"no Dask scheduler answers at {job['address']!r}: {error}",
            "start one with 'dask scheduler', which prints its address, and workers with 'dask worker'",
        ) from error
    try:
        with DaskExecutor(client) as executor:
            return _fit(executor, job)
    finally:
        client.close(timeout=5)


def _fit(executor: Any, job: dict[str, Any]) -> Any:
    from .. import _core
    from ._sources import kind_of, list_parts, read_part
    from ._tasks import hinted
    from ._trace import Trace
    from ._train import Partitions, code_blocks, fit_blocks

    spec = _core.FitSpec(
        job["targets"], job["weight"], [tuple(column) for column in job["columns"]], job["ignored"]
    )
    params = _core.Params(job["params"])
    _core.check_scale_params(spec, params)
    make = TableOf(job["reading"])
    what = "looking at files"
    (files,) = executor.gather(executor.map(list_parts, [[job["data"]]], common=(), what=what), what)
    names = [part.name for part in files]
    X: list[Any] = files
    what = "reading files"
    if all(kind_of(part.path) for part in files):
        X = executor.map(read_part, files, common=(None, tuple(job["ignored"])), what=what)
    found = executor.gather(executor.map(count_rows, names, X, common=(make,), what=what), what)
    columns = found[0][1]
    for (_, other), name in zip(found, names, strict=True):
        if set(other) != set(columns):
            raise hinted(
                ValueError,
                f"{name} has the columns {', '.join(other)}, but {names[0]} has {', '.join(columns)}",
                "all files must have the same columns; --ignore leaves some out",
            )
    full = [i for i, (rows, _) in enumerate(found) if rows]
    if not full:
        raise ValueError(f"there are no rows in {job['data']}")
    first_rows = [0, *accumulate(rows for rows, _ in found)]
    nothing: list[Any] = [None] * len(files)
    parts = Partitions(X, nothing, list(nothing), names).some(full)
    trace = Trace()
    plan, blocks = code_blocks(executor, parts, [first_rows[i] for i in full], make, spec, params, trace)
    if X is not files:
        executor.release(X)
    say = _said if sys.stderr.isatty() else None
    model = fit_blocks(executor, plan, blocks, trace, progress=say)
    if say:
        print("\r\033[K", end="", file=sys.stderr)
    return model


def _said(row: dict[str, Any]) -> None:
    print(
        f"\r\033[Ktraining: depth {row['level']}, {row['phase']}, {row['nodes']} nodes",
        end="",
        file=sys.stderr,
    )

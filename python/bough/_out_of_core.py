# SPDX-License-Identifier: Apache-2.0
"""Training on files that are larger than memory."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from os import PathLike, fspath
from typing import Any

from . import _core, _files, _groups

Paths = str | PathLike[str] | Sequence[str | PathLike[str]]


def train_from_files(
    paths: Paths,
    target: str | Sequence[str],
    *,
    memory: str = "2GB",
    scratch: str | PathLike[str] | None = None,
    weight: str | None = None,
    ignore: Sequence[str] = (),
    kinds: dict[str, str] | None = None,
    n_jobs: int | None = None,
    progress: Callable[[str, float, int], bool] | None = None,
    **params: Any,
) -> Any:
    r"""Train on tables that are larger than memory; the model is the same as from ``bough train`` on all
    rows.

    bough reads the rows twice, in blocks, and keeps them in a scratch file from which it grows the trees
    level by level.

    Parameters
    ----------
    paths : str, path or list of them
        CSV, TSV and ARFF files (plain, gzip, zstd), Parquet and Arrow files. A folder stands for the files in
        it, and a pattern for the files that match it. All files must have the same columns.
    target : str or list of str
        Columns to predict.
    memory : str
        Approximate memory that the whole process may use: ``"500MB"``, ``"2GB"``, ``"1.5GiB"``.
    scratch : str or path, optional
        Folder of the scratch file. The file has no name and disappears when training ends, for whatever
        reason. By default ``$TMPDIR``, or else ``/tmp``. A folder that is itself in memory saves nothing.
    weight : str, optional
        Column of row weights.
    ignore : list of str
        Columns to leave out.
    kinds : dict of str to str, optional
        ``"numeric"`` or ``"category"`` for columns whose kind would be guessed wrongly.
    n_jobs : int, optional
        Threads; by default all cores.
    progress : callable, optional
        Called with the stage, the progress within it and the number of nodes. If it returns False, training
        stops.
    **params
        Parameters as in ``bough train --help``: ``max_depth=8``, ``criterion="entropy"``, ``forest=100``; or
        groups of them, as for estimators: ``pruning=CostComplexity(folds=5)``.

    Returns
    -------
    estimator
        A fitted tree or forest, as :func:`load` returns it.

    Examples
    --------
    >>> import bough, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "rows.csv")
    >>> _ = path.write_text("x,y\n" + "".join(f"{i},{'ab'[i > 5]}\n" for i in range(10)))
    >>> tree = bough.train_from_files(path, "y", memory="500MB", max_depth=2)
    >>> tree.get_n_leaves()
    2
    """
    files = [paths] if isinstance(paths, (str, PathLike)) else list(paths)
    # Parquet and Arrow files are read by the pyarrow of this interpreter, in a process of its own.
    os.environ.setdefault("BOUGH_PYTHON", sys.executable)
    model = _core.fit_files(
        [fspath(path) for path in files],
        [target] if isinstance(target, str) else list(target),
        weight or "",
        list(ignore),
        [(name, kind, []) for name, kind in (kinds or {}).items()],
        _core.Params(_groups.expanded(params)),
        memory,
        fspath(scratch) if scratch is not None else "",
        0 if n_jobs is None or n_jobs < 0 else n_jobs,
        progress,
    )
    return _files.from_model(model.signed_by("bough.train_from_files"))

# SPDX-License-Identifier: Apache-2.0
"""Answers for Dask collections, computed by the workers when they are asked for."""

from __future__ import annotations

from typing import Any

import dask
import numpy as np
from sklearn.utils.validation import _check_n_features

from .. import _input
from . import _sources


def answers(estimator: Any, method: str, X: Any) -> Any:
    """method(X) of the estimator: at once for what lies in memory, lazily for Dask collections."""
    if not (_sources.is_array(X) or _sources.is_frame(X)):
        return getattr(estimator._local, method)(estimator, X)
    local = estimator.to_local()
    if local.n_jobs != 1:
        local.n_jobs = 1  # a worker's threads have a partition each
    local._model  # noqa: B018  (says so when it is not fitted)
    _check_columns(local, X)
    if local.n_outputs_ > 1 and method in ("predict_proba", "predict_log_proba"):
        return [_one(local, method, X, output) for output in range(local.n_outputs_)]
    return _one(local, method, X, None)


def _check_columns(local: Any, X: Any) -> None:
    """What is known to be wrong is said at once, in the words of an answer in memory."""
    _sources.check_shape(X)
    if _sources.is_frame(X):
        _input._check_frame_names(local, X._meta, list(X.columns), False)
    if X.shape[1] == X.shape[1]:  # else unknown
        _check_n_features(local, np.empty((1, X.shape[1])), reset=False)


def _one(local: Any, method: str, X: Any, output: int | None) -> Any:
    columns, dtype = _shape(local, method, output)
    model = dask.delayed(local, pure=True)  # once in the graph, however many partitions there are
    if _sources.is_array(X):
        if X.ndim == 2 and len(X.chunks[1]) > 1:
            X = X.rechunk({1: -1})
        width = None if columns is None else len(columns)
        shape = {"drop_axis": 1} if width is None else {"chunks": (X.chunks[0], (width,))}
        nothing = np.empty(0 if width is None else (0, 0), dtype)
        return X.map_blocks(_of_array, model, method, output, width, dtype=dtype, meta=nothing, **shape)
    import pandas as pd

    index = X._meta.index
    meta: Any = (
        pd.Series(np.empty(0, dtype), index=index, name=_name(local, method))
        if columns is None
        else pd.DataFrame(np.empty((0, len(columns)), dtype), index=index, columns=columns)
    )
    return X.map_partitions(_of_frame, model, method, output, meta, meta=meta)


def _name(local: Any, method: str) -> str | None:
    return local._model.targets[0][0] if method == "predict" else None


def _shape(local: Any, method: str, output: int | None) -> tuple[list[Any] | None, Any]:
    """Columns of an answer (None: one number per row) and its type."""
    if method == "apply":
        several = hasattr(local, "model_")
        return (list(range(local.model_.n_trees)) if several else None), np.dtype(np.int64)
    if method == "predict":
        names = [name for name, _, _ in local._model.targets]
        classes = getattr(local, "classes_", None)
        if classes is None:
            dtype = np.dtype(np.float64)
        else:
            dtype = np.result_type(*classes) if isinstance(classes, list) else classes.dtype
        return (names if local.n_outputs_ > 1 else None), dtype
    labels = local.classes_ if output is None else local.classes_[output]
    return list(labels), np.dtype(np.float64)


def _values(local: Any, method: str, X: Any, output: int | None) -> Any:
    found = getattr(local, method)(X)
    return found if output is None else found[output]


def _of_array(
    block: np.ndarray, local: Any, method: str, output: int | None, width: int | None
) -> np.ndarray:
    if not len(block):
        return np.empty(0 if width is None else (0, width), _shape(local, method, output)[1])
    return _values(local, method, block, output)


def _of_frame(part: Any, local: Any, method: str, output: int | None, meta: Any) -> Any:
    import pandas as pd

    if not len(part):
        return meta.set_axis(part.index, axis=0) if len(meta) == len(part) else meta
    found = _values(local, method, part, output)
    if meta.ndim == 1:
        return pd.Series(found, index=part.index, name=meta.name).astype(meta.dtype)
    return pd.DataFrame(found, index=part.index, columns=meta.columns)

# SPDX-License-Identifier: Apache-2.0
"""Estimators that train on Dask collections and on Parquet files that workers read.

The models are the same, byte for byte, as those trained in memory. Rows stay with the workers. The driver
asks the workers level by level for the sums it needs, with pure tasks only. If a worker is lost, its blocks
are computed again, and nothing else is affected.
"""

from __future__ import annotations

try:
    import dask  # noqa: F401
    import distributed  # noqa: F401
except ImportError as _error:  # pragma: no cover
    raise ImportError(
        "bough.dask needs dask and distributed: install them with pip install 'bough[dask]'"
    ) from _error

from . import _estimators, _random_forests
from .distributed._dask import ClusterError, DaskExecutor
from .distributed._estimator import DaskClassifier, DaskForest, DaskLearner
from .distributed._trace import Trace

__all__ = [
    "ClusterError",
    "DaskExecutor",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "Trace",
]

# Their fit and answers take other arguments than those in memory, so that type checkers object.


class DecisionTreeClassifier(DaskClassifier, _estimators.DecisionTreeClassifier):  # type: ignore[misc]
    __doc__ = _estimators.DecisionTreeClassifier.__doc__


class DecisionTreeRegressor(DaskLearner, _estimators.DecisionTreeRegressor):  # type: ignore[misc]
    __doc__ = _estimators.DecisionTreeRegressor.__doc__


class RandomForestClassifier(  # type: ignore[misc]
    DaskForest, DaskClassifier, _random_forests.RandomForestClassifier
):
    __doc__ = _random_forests.RandomForestClassifier.__doc__


class RandomForestRegressor(DaskForest, DaskLearner, _random_forests.RandomForestRegressor):  # type: ignore[misc]
    __doc__ = _random_forests.RandomForestRegressor.__doc__


for _class in (DecisionTreeClassifier, DecisionTreeRegressor, RandomForestClassifier, RandomForestRegressor):
    _class._local = next(base for base in _class.__mro__[1:] if base.__name__ == _class.__name__)

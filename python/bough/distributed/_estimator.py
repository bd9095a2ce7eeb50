# SPDX-License-Identifier: Apache-2.0
"""Mixins that make estimators fit on the workers of a Dask cluster and answer lazily."""

from __future__ import annotations

import time
from fractions import Fraction
from os import PathLike
from typing import Any, ClassVar

import joblib
import numpy as np

from .. import _core, _targets
from .._callback import unchanged_by_errors
from . import _agree, _lazy, _partition, _sources
from ._dask import DaskExecutor, find_client
from ._executor import Executor
from ._partition import Wish
from ._trace import Trace
from ._train import Limits, Partitions, code_blocks, fit_blocks


class DaskLearner:
    """Mixin in front of an estimator of bough: fit and answers on Dask collections. Everything else is
    inherited."""

    _local: ClassVar[Any]
    trace_: Trace

    # ---------------------------------------------------------------- fitting
    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        client: Any = None,
        timeout: float | str | None = None,
    ) -> Any:
        """Grow the model on the workers of a Dask cluster.

        The model is the same, byte for byte, as after a fit on all rows in memory.

        Parameters
        ----------
        X : dask.dataframe.DataFrame, dask.array.Array, or paths of Parquet files
            Rows. The workers read the files of paths, see `fit_parquet`.
        y : dask Series, DataFrame or Array, or the name of a column of X, or a list of names
            Class labels, or numbers; partitioned as X.
        sample_weight : dask Series or Array, or the name of a column of X, default=None
            Weights of the rows, 0 or more.
        client : distributed.Client, default=None
            None: the current client.
        timeout : float or str, default=None
            Seconds (or a duration such as "1h") to wait for the next result of a worker before giving up; the
            whole fit may take longer. None: ``bough.timeout`` of Dask's configuration, or else 10 minutes.

        Returns
        -------
        self
        """
        if isinstance(X, (str, PathLike)) or (
            isinstance(X, (list, tuple)) and X and all(isinstance(path, (str, PathLike)) for path in X)
        ):
            return self.fit_parquet(X, y, sample_weight, client=client, timeout=timeout)
        return self._fit_on(
            client,
            timeout,
            lambda executor, wish: _sources.of_collections(executor, X, y, sample_weight, wish),
        )

    def fit_parquet(
        self,
        paths: Any,
        target: Any,
        sample_weight: str | None = None,
        *,
        columns: list[str] | None = None,
        client: Any = None,
        timeout: float | str | None = None,
    ) -> Any:
        """Fit on Parquet (or Arrow) files that every worker can read; the rows never come to this process.

        Parameters
        ----------
        paths : str, path or list of them
            Files, patterns ("data/*.parquet"), folders, or URLs that fsspec can read ("s3://...").
        target : str or list of str
            The columns to predict.
        sample_weight : str, default=None
            Column of the row weights.
        columns : list of str, default=None
            Features; None: all other columns. Only these columns are read.
        client, timeout
            As for `fit`.

        Returns
        -------
        self
        """
        targets = [target] if isinstance(target, str) else list(target or [])
        if not targets or not all(isinstance(name, str) for name in targets):
            raise ValueError("files need the name of the target column, or a list of names, as target")
        if sample_weight is not None and not isinstance(sample_weight, str):
            raise TypeError(
                "the weights of rows in files are a column of them: give its name as sample_weight"
            )
        given = [paths] if isinstance(paths, (str, PathLike)) else list(paths)
        read = None if columns is None else [*columns, *targets, *([sample_weight] if sample_weight else [])]

        def parts(executor: DaskExecutor, wish: Wish) -> tuple[Partitions, list[str]]:
            wish.targets, wish.weight = targets, sample_weight or ""
            return _sources.of_files(executor, [str(path) for path in given], read), targets

        return self._fit_on(client, timeout, parts)

    def _fit_on(self, client: Any, timeout: float | str | None, parts: Any) -> Any:
        self._check_params()  # type: ignore[attr-defined]
        self._refuse()
        with unchanged_by_errors(self), DaskExecutor(find_client(client), timeout) as executor:
            wish = Wish(self._task)  # type: ignore[attr-defined]
            found, wished = parts(executor, wish)
            self._fit_parts(executor, found, wish, wished)
        return self

    def _refuse(self) -> None:
        """Raises for what cannot be done on partitions and is not the core's to refuse."""

    def _fit_parts(
        self,
        executor: Executor,
        parts: Partitions,
        wish: Wish,
        wished: list[str],
        limits: Limits | None = None,
        progress: Any = None,
    ) -> None:
        """The fit, through any executor."""
        trace = Trace()
        start = time.perf_counter()
        what = "describing partitions"
        asked = executor.map(_partition.describe, parts.names, *parts.rows, common=(wish,), what=what)
        facts = executor.gather(asked, what)
        trace.note("partitions", time.perf_counter() - start, tasks=len(parts))
        found = _agree.agree(self, facts, parts.names, wish, wished)
        given = wish.weight != "" or any(item is not None for item in parts.w)
        used = parts.some(found.full)
        found.agreed.factors = self._class_factors(executor, used, wish, found, given)
        if given or found.agreed.factors:
            taken = [*found.rows.names, *found.targets.names]
            found.agreed.weight_name = _targets.free_names(taken, 1)[0]
        spec = _core.FitSpec(
            found.targets.names,
            found.agreed.weight_name,
            self._column_specs(found.rows),  # type: ignore[attr-defined]
        )
        params = self._core_params(found.rows, found.targets)  # type: ignore[attr-defined]
        first_rows = [found.first_rows[i] for i in found.full]
        plan, blocks = code_blocks(executor, used, first_rows, found.agreed, spec, params, trace)
        executor.release(parts.handles())
        model = fit_blocks(
            executor,
            plan,
            blocks,
            trace,
            limits or getattr(self, "_limits", None) or Limits(),
            progress or getattr(self, "_on_round", None),
            int(joblib.effective_n_jobs(self.n_jobs)),  # type: ignore[attr-defined]
        )
        executor.release(blocks)
        self._note_rows(found.rows.n_rows, bool(found.agreed.weight_name))
        self._accept(model, found.targets)  # type: ignore[attr-defined]
        self.trace_ = trace

    def _class_factors(
        self, executor: Executor, parts: Partitions, wish: Wish, found: _agree.Agreement, weighted: bool
    ) -> list[np.ndarray]:
        class_weight = getattr(self, "class_weight", None)
        if class_weight is None or not found.agreed.labels:
            return []
        sums = found.counts
        if isinstance(class_weight, str):
            class_weight = "balanced"
            if weighted:
                sums = _weighted_sums(executor, parts, wish, found)
        return _agree.class_factors(class_weight, found.agreed.labels, sums)

    def _note_rows(self, n_rows: int, weighted: bool) -> None:
        pass

    # ---------------------------------------------------------------- answers
    def to_local(self) -> Any:
        """Return the same model as an ordinary estimator of bough, which does not need Dask."""
        local = self._local(**self.get_params(deep=False))  # type: ignore[attr-defined]
        own = ("trace_", "_limits", "_on_round")
        local.__dict__.update({name: value for name, value in self.__dict__.items() if name not in own})
        return local

    def predict(self, X: Any) -> Any:
        """Predict as in memory. For a Dask collection, the result is a lazy Series, DataFrame or Array.

        Several outputs give a DataFrame.

        Parameters
        ----------
        X : Dask DataFrame or Array, or any X that bough's other estimators accept
        """
        return _lazy.answers(self, "predict", X)

    def apply(self, X: Any) -> Any:
        """Return the leaf of every row (for forests, in every tree); lazily for a Dask collection."""
        return _lazy.answers(self, "apply", X)


class DaskClassifier(DaskLearner):
    """Mixin of classifiers."""

    def predict_proba(self, X: Any) -> Any:
        """Return the class probabilities. X is as for `predict`.

        For a Dask collection, the result is a lazy Array, or a DataFrame with the classes as columns.
        """
        return _lazy.answers(self, "predict_proba", X)

    def predict_log_proba(self, X: Any) -> Any:
        """Return the natural logarithm of `predict_proba`; -inf where the probability is 0."""
        return _lazy.answers(self, "predict_log_proba", X)


class DaskForest:
    """Mixin of forests, in front of the others."""

    def _refuse(self) -> None:
        if self.oob_score:  # type: ignore[attr-defined]
            raise NotImplementedError(
                "oob_score is not computed on a cluster: hold some rows back and score the forest on them"
            )
        if self.warm_start:  # type: ignore[attr-defined]
            raise NotImplementedError(
                "warm_start cannot add trees on a cluster: fit with all n_estimators at once"
            )

    def _class_factors(
        self, executor: Executor, parts: Partitions, wish: Wish, found: _agree.Agreement, weighted: bool
    ) -> list[np.ndarray]:
        class_weight = getattr(self, "class_weight", None)
        by_bag = isinstance(class_weight, str) and class_weight == "balanced_subsample"
        if by_bag and self.bootstrap:  # type: ignore[attr-defined]
            return []
        return super()._class_factors(executor, parts, wish, found, weighted)  # type: ignore[misc]

    def _note_rows(self, n_rows: int, weighted: bool) -> None:
        self._n_samples = n_rows
        self._sample_weight: Any = None
        self._n_samples_bootstrap = self._bag_size()  # type: ignore[attr-defined]
        self._weights_elsewhere = weighted

    @property
    def estimators_samples_(self) -> list[np.ndarray]:
        """The rows that each tree was grown on, numbered in the order of the partitions."""
        if self.__dict__.get("_weights_elsewhere"):
            raise AttributeError("rows were drawn by weights that stayed with the workers")
        return super().estimators_samples_  # type: ignore[misc]


def _weighted_sums(
    executor: Executor, parts: Partitions, wish: Wish, found: _agree.Agreement
) -> list[np.ndarray]:
    """Sums of the rows' weights by class, exact until the last step."""
    labels = found.agreed.labels
    what = "weighing classes"
    before = executor.share([[Fraction(0)] * len(names) for names in labels])
    steps = [before]
    for X, y, w in zip(*parts.rows, strict=True):
        steps += executor.map(_partition.weigh, [steps[-1]], [X], [y], [w], common=(wish, labels), what=what)
    (sums,) = executor.gather(steps[-1:], what)
    executor.release(steps)
    return [np.array([float(total) for total in output]) for output in sums]

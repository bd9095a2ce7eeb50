# SPDX-License-Identifier: Apache-2.0
"""How far answers may be off: mixins of trees and forests. docs/honest.md says what each interval covers."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._answers import FittedModel
from ._errors import BoughError
from ._targets import labelled_rows

if TYPE_CHECKING:
    from typing_extensions import Self


def real_number(value: Any, name: str) -> float:
    """The value of an argument that is one number; the core knows its range."""
    if not isinstance(value, Real) or isinstance(value, (bool, np.bool_)):
        raise BoughError(f"{name} must be a number between 0 and 1, not {value!r}")
    return float(value)


class _Calibrated(FittedModel):
    def calibrate(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Measure the errors on rows that the model has not seen, for intervals of new targets.

        The arguments are those of `fit`. Rows of weight 0 are left out, and all others count once. Returns
        self.
        """
        table, weight = labelled_rows(self, X, y, sample_weight, by_class=False)
        self._renew(_core.calibrate(self._model, table, weight, self._threads(table.n_rows)))
        return self

    @property
    def calibration_rows_(self) -> int:
        """Number of rows that the model was calibrated with; 0 if it is not calibrated."""
        return _core.calibration_rows(self._model)


class NumberIntervals(_Calibrated):
    """Intervals and quantiles of models for numbers."""

    def predict_interval(
        self, X: Any, coverage: float = 0.9, method: str = "conformal"
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return intervals that contain a new target with at least the given probability.

        The model must be calibrated: set ``calibration_fraction`` for the fit, or call `calibrate`
        afterwards. The coverage holds for rows from the same distribution as the calibration rows, whatever
        the model (split conformal prediction).

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
        coverage : float, default=0.9
        method : {'conformal', 'leaf'}, default='conformal'
            Which errors to use: those of all calibration rows, or those of calibration rows in the same leaf.
            A leaf with too few calibration rows is joined with its neighbours. With 'leaf', the width of an
            interval depends on the errors in the leaf; it is only for single trees.

        Returns
        -------
        lower, upper : ndarray of shape (n_samples,) or (n_samples, n_outputs)
            Infinite if there are too few calibration rows for the coverage.
        """
        model, table, threads = self._asked(X)
        return _squeezed(
            _core.predict_interval(model, table, real_number(coverage, "coverage"), method, threads)
        )

    def predict_mean_interval(self, X: Any, coverage: float = 0.9) -> tuple[np.ndarray, np.ndarray]:
        """Return confidence intervals of the mean in an honest tree's leaf or of an honest forest's
        prediction.

        For trees, they are Student's t intervals. Returns lower and upper ends in the shape of `predict`.
        """
        model, table, threads = self._asked(X)
        return _squeezed(
            _core.predict_mean_interval(model, table, real_number(coverage, "coverage"), 0, threads)
        )

    def predict_std_error(self, X: Any) -> np.ndarray:
        """Return the standard errors of an honest forest with ``little_bags``, in the shape of `predict`."""
        model, table, threads = self._asked(X)
        errors = _core.predict_std_error(model, table, 0, threads)
        return errors[:, 0] if errors.shape[1] == 1 else errors

    def predict_quantile(self, X: Any, q: float | Sequence[float] = 0.5) -> np.ndarray:
        """Return quantiles of the targets in the leaf of a row, or weighted over the leaves of a forest.

        This needs ``leaf_samples=True`` for the fit, and one target.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
        q : float or sequence of float, default=0.5
            Levels from 0 to 1.

        Returns
        -------
        values : ndarray of shape (n_samples,), or (n_samples, n_levels) for a sequence
        """
        model, table, threads = self._asked(X)
        levels = [real_number(level, "q") for level in np.atleast_1d(q)]
        values = _core.predict_quantile(model, table, levels, threads)
        return values[:, 0] if np.ndim(q) == 0 else values


class ClassIntervals(_Calibrated):
    """Sets of classes and intervals of class shares."""

    def predict_set(self, X: Any, coverage: float = 0.9, method: str = "conformal") -> Any:
        """Return sets of classes that contain a new label with at least the given probability.

        The model must be calibrated: set ``calibration_fraction`` for the fit, or call `calibrate`
        afterwards.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
        coverage : float, default=0.9
        method : {'conformal', 'leaf'}, default='conformal'
            Which errors to use: those of all calibration rows, or those of calibration rows in the same leaf.

        Returns
        -------
        members : ndarray of bool of shape (n_samples, n_classes), or a list of them for several outputs
            In the order of ``classes_``.
        """
        model, table, threads = self._asked(X)
        return self._by_output(
            lambda k: _core.predict_set(
                model, table, real_number(coverage, "coverage"), method, k, threads
            ).astype(bool)
        )

    def predict_mean_interval(self, X: Any, coverage: float = 0.9) -> Any:
        """Return confidence intervals of the class shares in an honest tree's leaf or of an honest forest.

        For trees, they are Wilson intervals.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
        coverage : float, default=0.9

        Returns
        -------
        lower, upper : ndarray of shape (n_samples, n_classes)
            For several outputs, a list of such pairs.
        """
        model, table, threads = self._asked(X)
        return self._by_output(
            lambda k: _core.predict_mean_interval(model, table, real_number(coverage, "coverage"), k, threads)
        )

    def predict_std_error(self, X: Any) -> Any:
        """Return the standard errors of an honest forest with ``little_bags``, in the shape of
        `predict_proba`.
        """
        model, table, threads = self._asked(X)
        return self._by_output(lambda k: _core.predict_std_error(model, table, k, threads))


def _squeezed(ends: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    lower, upper = ends
    return (lower[:, 0], upper[:, 0]) if lower.shape[1] == 1 else (lower, upper)

# SPDX-License-Identifier: Apache-2.0
"""How trees of classes and trees of numbers fit and answer."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin

from . import _input
from ._base import BaseTree
from ._intervals import ClassIntervals, NumberIntervals


class _Classifier(ClassifierMixin, ClassIntervals, BaseTree):
    _task = "classification"

    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Any:
        """Grows the tree.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
            Rows; float32 and float64 are used as they are. NaN and null are missing cells.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Class labels: numbers, text or truth values.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows, 0 or more; 0 leaves a row out.
        check_input : bool, default=True
            Kept for compatibility.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, check_input)

    def predict(self, X: Any, check_input: bool = True) -> np.ndarray:
        """The most frequent class of every row's leaf; of equals the first.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
        check_input : bool, default=True
            Kept for compatibility.

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        cells = _input.read_cells(self, self._model, X, check_input)
        codes = self._model.predict(cells, self._threads(len(cells)))
        if self.n_outputs_ == 1:
            return self.classes_.take(codes[:, 0])
        columns = [labels.take(codes[:, k]) for k, labels in enumerate(self.classes_)]
        return np.stack(columns, axis=1)

    def predict_proba(self, X: Any, check_input: bool = True) -> Any:
        """Shares of the classes in every row's leaf.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
        check_input : bool, default=True
            Kept for compatibility.

        Returns
        -------
        proba : ndarray of shape (n_samples, n_classes), or a list of them for several outputs
        """
        cells = _input.read_cells(self, self._model, X, check_input)
        threads = self._threads(len(cells))
        parts = [self._model.predict_proba(cells, k, threads) for k in range(self.n_outputs_)]
        return parts[0] if self.n_outputs_ == 1 else parts

    def predict_log_proba(self, X: Any) -> Any:
        """Natural logarithms of predict_proba; -inf for 0.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)

        Returns
        -------
        log_proba : ndarray of shape (n_samples, n_classes), or a list of them for several outputs
        """
        proba = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(proba) if self.n_outputs_ == 1 else [np.log(part) for part in proba]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags


class _Regressor(RegressorMixin, NumberIntervals, BaseTree):
    _task = "regression"

    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Any:
        """Grows the tree.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
            Rows; float32 and float64 are used as they are. NaN and null are missing cells.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Numbers.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows, 0 or more; 0 leaves a row out.
        check_input : bool, default=True
            Kept for compatibility.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, check_input)

    def predict(self, X: Any, check_input: bool = True) -> np.ndarray:
        """The value of every row's leaf.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
        check_input : bool, default=True
            Kept for compatibility.

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        cells = _input.read_cells(self, self._model, X, check_input)
        values = self._model.predict(cells, self._threads(len(cells)))
        return values[:, 0] if self.n_outputs_ == 1 else values

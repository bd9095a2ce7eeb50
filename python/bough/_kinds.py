# SPDX-License-Identifier: Apache-2.0
"""Trees of classes and trees of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from sklearn.base import RegressorMixin
from sklearn.utils import metadata_routing

from ._answers import ClassAnswers, MultiLabelMixin, NumberAnswers
from ._base import BaseTree
from ._intervals import ClassIntervals, NumberIntervals

if TYPE_CHECKING:
    from typing_extensions import Self


class _LabelledTree(BaseTree):
    __metadata_request__fit: ClassVar = {"check_input": metadata_routing.UNUSED}

    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
            Rows; float32 and float64 are used without conversion. NaN and null are missing cells.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Class labels (numbers, text or booleans), or numbers.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows, 0 or more; a row with weight 0 is left out.
        check_input : bool, default=True
            Has no effect; accepted for compatibility with scikit-learn.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, check_input)

    fit.__qualname__ = "fit"  # what Python names where y was forgotten


class _Classifier(MultiLabelMixin, ClassAnswers, ClassIntervals, _LabelledTree):
    _task = "classification"


class _Regressor(RegressorMixin, NumberAnswers, NumberIntervals, _LabelledTree):
    _task = "regression"

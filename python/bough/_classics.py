# SPDX-License-Identifier: Apache-2.0
"""Quinlan's trees as estimators: ID3 and C4.5."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import column_or_1d

from . import _signatures
from ._described import _described
from ._kinds import _Classifier


class _Quinlan(_Classifier):
    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Any:
        """Grows the tree.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
            Rows; float32 and float64 are used as they are. NaN and null are missing cells.
        y : array-like of shape (n_samples,)
            Class labels: numbers, text or truth values.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows, 0 or more; 0 leaves a row out.
        check_input : bool, default=True
            Kept for compatibility.

        Returns
        -------
        self
        """
        shape = np.asarray(y).shape
        if len(shape) > 1 and shape[1] > 1:
            raise ValueError(f"{type(self).__name__} takes one target, but y has {shape[1]} columns")
        if len(shape) > 1:
            y = column_or_1d(y, warn=True)
        return self._fit(X, y, sample_weight, check_input)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        tags.classifier_tags.multi_label = False
        return tags


@_described(())
class ID3Classifier(_signatures.ID3Classifier, _Quinlan):
    """ID3 (Quinlan 1986): a branch for every value of a category, by information gain.

    Numeric columns are cut into intervals first (``discretize``; 'none' refuses them). A category is tested
    once on a path.
    """

    _algorithm = "id3"
    criterion = "entropy"


@_described(())
class C45Classifier(_signatures.C45Classifier, _Quinlan):
    """C4.5 (Quinlan 1993): by gain ratio, fractions of rows for missing cells, pruned pessimistically.

    ``j48=True`` gives the trees of Weka's J48.
    """

    _algorithm = "c45"
    criterion = "gain_ratio"

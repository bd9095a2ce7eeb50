# SPDX-License-Identifier: Apache-2.0
"""Quinlan's trees as estimators: ID3 and C4.5."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import column_or_1d

from . import _params, _signatures
from ._kinds import _Classifier


class _Quinlan(_Classifier):
    def _fit(self, X: Any, y: Any, sample_weight: Any, check_input: bool = True, **more: Any) -> Any:
        shape = np.asarray(y).shape
        if len(shape) > 1 and shape[1] > 1:
            raise ValueError(f"{type(self).__name__} takes one target, but y has {shape[1]} columns")
        if len(shape) > 1:
            y = column_or_1d(y, warn=True)
        return super()._fit(X, y, sample_weight, check_input, **more)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        tags.classifier_tags.multi_label = False
        return tags


@_params.described
class ID3Classifier(_signatures.ID3Classifier, _Quinlan):
    """ID3 (Quinlan 1986): splits by information gain, with one branch for every value of a category.

    Numeric columns are first divided into intervals (``discretize``; with 'none', numeric columns are
    refused). A category is tested at most once on a path.
    """

    _algorithm = "id3"
    criterion = "entropy"


@_params.described
class C45Classifier(_signatures.C45Classifier, _Quinlan):
    """C4.5 (Quinlan 1993): splits by gain ratio, fractional rows for missing cells, pessimistic pruning.

    ``j48=True`` grows the trees of Weka's J48.
    """

    _algorithm = "c45"
    criterion = "gain_ratio"

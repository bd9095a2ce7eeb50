# SPDX-License-Identifier: Apache-2.0
"""Oblique trees: a node may test a weighted sum of features, drawn in every node (Forest-RC, SPORF)."""

from __future__ import annotations

from . import _params, _signatures
from ._kinds import _Classifier, _Regressor


@_params.described(_params.CLASS_CRITERIA)
class ObliqueDecisionTreeClassifier(_signatures.ObliqueDecisionTreeClassifier, _Classifier):
    """A decision tree for classes whose nodes may test weighted sums of features."""


@_params.described(_params.NUMBER_CRITERIA)
class ObliqueDecisionTreeRegressor(_signatures.ObliqueDecisionTreeRegressor, _Regressor):
    """A decision tree for numbers whose nodes may test weighted sums of features."""


@_params.described(_params.CLASS_CRITERIA)
class ExtraObliqueDecisionTreeClassifier(
    _signatures.ExtraObliqueDecisionTreeClassifier, ObliqueDecisionTreeClassifier
):
    """An oblique tree for classes with random cuts: the best of one per feature and sum."""


@_params.described(_params.NUMBER_CRITERIA)
class ExtraObliqueDecisionTreeRegressor(
    _signatures.ExtraObliqueDecisionTreeRegressor, ObliqueDecisionTreeRegressor
):
    """An oblique tree for numbers with random cuts: the best of one per feature and sum."""

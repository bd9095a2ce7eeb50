# SPDX-License-Identifier: Apache-2.0
"""Oblique trees: a node may test a weighted sum of features, drawn in every node (Forest-RC, SPORF)."""

from __future__ import annotations

from . import _params, _signatures
from ._kinds import _Classifier, _Regressor


@_params.described
class ObliqueDecisionTreeClassifier(_signatures.ObliqueDecisionTreeClassifier, _Classifier):
    """A decision tree classifier whose nodes may test weighted sums of features."""


@_params.described
class ObliqueDecisionTreeRegressor(_signatures.ObliqueDecisionTreeRegressor, _Regressor):
    """A decision tree regressor whose nodes may test weighted sums of features."""


@_params.described
class ExtraObliqueDecisionTreeClassifier(
    _signatures.ExtraObliqueDecisionTreeClassifier, ObliqueDecisionTreeClassifier
):
    """An oblique tree classifier with random cuts: every split is the best of one cut per feature and sum."""


@_params.described
class ExtraObliqueDecisionTreeRegressor(
    _signatures.ExtraObliqueDecisionTreeRegressor, ObliqueDecisionTreeRegressor
):
    """An oblique tree regressor with random cuts: every split is the best of one cut per feature and sum."""

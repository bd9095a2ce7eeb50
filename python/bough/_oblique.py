# SPDX-License-Identifier: Apache-2.0
"""Oblique trees and forests: nodes may test weighted sums of features drawn in each (Forest-RC, SPORF)."""

from __future__ import annotations

from typing import Any

from . import _params, _signatures
from ._grown_forest import ForestClassifier, ForestRegressor
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


@_params.described
class ObliqueRandomForestClassifier(_signatures.ObliqueRandomForestClassifier, ForestClassifier):
    """A forest classifier of oblique trees, each grown on rows drawn with replacement (SPORF, Forest-RC)."""

    _member: Any = ObliqueDecisionTreeClassifier


@_params.described
class ObliqueRandomForestRegressor(_signatures.ObliqueRandomForestRegressor, ForestRegressor):
    """A forest regressor of oblique trees, each grown on rows drawn with replacement."""

    _member: Any = ObliqueDecisionTreeRegressor


@_params.described
class ExtraObliqueRandomForestClassifier(
    _signatures.ExtraObliqueRandomForestClassifier, ObliqueRandomForestClassifier
):
    """A forest classifier of oblique trees with random cuts: the best of one cut per feature and sum."""

    _member: Any = ExtraObliqueDecisionTreeClassifier
    _splitter = "random"


@_params.described
class ExtraObliqueRandomForestRegressor(
    _signatures.ExtraObliqueRandomForestRegressor, ObliqueRandomForestRegressor
):
    """A forest regressor of oblique trees with random cuts: the best of one cut per feature and sum."""

    _member: Any = ExtraObliqueDecisionTreeRegressor
    _splitter = "random"

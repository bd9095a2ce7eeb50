# SPDX-License-Identifier: Apache-2.0
"""Forests of oblique trees."""

from __future__ import annotations

from typing import Any

from . import _params, _signatures
from ._grown_forest import ForestClassifier, ForestRegressor
from ._oblique import (
    ExtraObliqueDecisionTreeClassifier,
    ExtraObliqueDecisionTreeRegressor,
    ObliqueDecisionTreeClassifier,
    ObliqueDecisionTreeRegressor,
)


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

# SPDX-License-Identifier: Apache-2.0
"""Forests of oblique trees."""

from __future__ import annotations

from typing import Any

from . import _core, _params, _signatures
from ._grown_forest import ForestClassifier, ForestRegressor
from ._oblique import (
    ExtraObliqueDecisionTreeClassifier,
    ExtraObliqueDecisionTreeRegressor,
    ObliqueDecisionTreeClassifier,
    ObliqueDecisionTreeRegressor,
)


@_params.described
class ObliqueRandomForestClassifier(_signatures.ObliqueRandomForestClassifier, ForestClassifier):
    """Oblique trees for classes, each grown on rows drawn with replacement (SPORF, Forest-RC)."""

    _member: Any = ObliqueDecisionTreeClassifier


@_params.described
class ObliqueRandomForestRegressor(_signatures.ObliqueRandomForestRegressor, ForestRegressor):
    """Oblique trees for numbers, each grown on rows drawn with replacement; predictions are averaged."""

    _member: Any = ObliqueDecisionTreeRegressor


@_params.described
class ExtraObliqueRandomForestClassifier(
    _signatures.ExtraObliqueRandomForestClassifier, ObliqueRandomForestClassifier
):
    """Oblique trees for classes with random cuts: the best of one per feature and sum."""

    _member: Any = ExtraObliqueDecisionTreeClassifier
    _splitter = "random"


@_params.described
class ExtraObliqueRandomForestRegressor(
    _signatures.ExtraObliqueRandomForestRegressor, ObliqueRandomForestRegressor
):
    """Oblique trees for numbers with random cuts: the best of one per feature and sum."""

    _member: Any = ExtraObliqueDecisionTreeRegressor
    _splitter = "random"


def class_of(model: _core.Model, stored: dict[str, Any]) -> Any:
    """The estimator of a forest's model, by its core parameters."""
    classify = model.task == "classification"
    if stored["splitter"] == "random":
        return ExtraObliqueRandomForestClassifier if classify else ExtraObliqueRandomForestRegressor
    return ObliqueRandomForestClassifier if classify else ObliqueRandomForestRegressor

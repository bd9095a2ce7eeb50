# SPDX-License-Identifier: Apache-2.0
"""Random forests and extra trees. What scikit-learn has means what it means there; more comes after it."""

from __future__ import annotations

from typing import Any

from . import _params, _signatures
from ._estimators import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
)
from ._grown_forest import ForestClassifier, ForestRegressor


@_params.described
class RandomForestClassifier(_signatures.RandomForestClassifier, ForestClassifier):
    """A random forest classifier.

    Each tree is grown on rows drawn with replacement, and each split considers only some of the features.
    """

    _member: Any = DecisionTreeClassifier


@_params.described
class RandomForestRegressor(_signatures.RandomForestRegressor, ForestRegressor):
    """A random forest regressor: the mean prediction of trees grown on rows drawn with replacement."""

    _member: Any = DecisionTreeRegressor


@_params.described
class ExtraTreesClassifier(_signatures.ExtraTreesClassifier, RandomForestClassifier):
    """A forest classifier with random cuts: every split is the best of one random cut for some of the
    features.
    """

    _member: Any = ExtraTreeClassifier
    _splitter = "random"


@_params.described
class ExtraTreesRegressor(_signatures.ExtraTreesRegressor, RandomForestRegressor):
    """A forest regressor with random cuts, which predicts the mean of its trees."""

    _member: Any = ExtraTreeRegressor
    _splitter = "random"

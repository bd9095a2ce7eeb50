# SPDX-License-Identifier: Apache-2.0
"""Random forests and extra trees. What scikit-learn has means what it means there; more comes after it."""

from __future__ import annotations

from typing import Any

from . import _core, _params, _signatures
from ._estimators import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
)
from ._grown_forest import ForestClassifier, ForestRegressor

_ATTRIBUTES = """Attributes
----------
estimators_ : list of trees
    Every tree as an estimator of its own.
estimators_samples_ : list of ndarray
    For every tree the rows that it has drawn.
n_features_in_ : int
feature_names_in_ : ndarray of shape (n_features_in_,)
    Only when X had names.
n_outputs_ : int
feature_importances_ : ndarray of shape (n_features_in_,)
oob_score_ : float
    Only with ``oob_score``."""
_CLASS_ATTRIBUTES = (
    _ATTRIBUTES
    + """
oob_decision_function_ : ndarray of shape (n_samples, n_classes) or (n_samples, n_classes, n_outputs)
    Shares of the classes by the trees that have not drawn a row; 0 where all have."""
)
_NUMBER_ATTRIBUTES = (
    _ATTRIBUTES
    + """
oob_prediction_ : ndarray of shape (n_samples,) or (n_samples, n_outputs)
    Answers of the trees that have not drawn a row; 0 where all have."""
)


@_params.described(_params.CLASS_CRITERIA, _CLASS_ATTRIBUTES)
class RandomForestClassifier(_signatures.RandomForestClassifier, ForestClassifier):
    """Trees for classes, each grown on rows drawn with replacement and on some features per split."""

    _member: Any = DecisionTreeClassifier


@_params.described(_params.NUMBER_CRITERIA, _NUMBER_ATTRIBUTES)
class RandomForestRegressor(_signatures.RandomForestRegressor, ForestRegressor):
    """Trees for numbers, each grown on rows drawn with replacement, whose answers are averaged."""

    _member: Any = DecisionTreeRegressor


@_params.described(_params.CLASS_CRITERIA, _CLASS_ATTRIBUTES)
class ExtraTreesClassifier(_signatures.ExtraTreesClassifier, RandomForestClassifier):
    """Trees for classes with random cuts: of some features per split the best of one cut each."""

    _member: Any = ExtraTreeClassifier
    _splitter = "random"


@_params.described(_params.NUMBER_CRITERIA, _NUMBER_ATTRIBUTES)
class ExtraTreesRegressor(_signatures.ExtraTreesRegressor, RandomForestRegressor):
    """Trees for numbers with random cuts, whose answers are averaged."""

    _member: Any = ExtraTreeRegressor
    _splitter = "random"


def class_of(model: _core.Model, stored: dict[str, Any]) -> Any:
    """The estimator of a forest's model, by its core parameters."""
    classify = model.task == "classification"
    if stored["splitter"] == "random":
        return ExtraTreesClassifier if classify else ExtraTreesRegressor
    return RandomForestClassifier if classify else RandomForestRegressor

# SPDX-License-Identifier: Apache-2.0
"""Forests of oblique trees."""

from __future__ import annotations

from typing import Any

from . import _core, _params
from ._estimators import _described
from ._grown_forest import ForestClassifier, ForestRegressor
from ._oblique import (
    ExtraObliqueDecisionTreeClassifier,
    ExtraObliqueDecisionTreeRegressor,
    Oblique,
    ObliqueDecisionTreeClassifier,
    ObliqueDecisionTreeRegressor,
)
from ._random_forests import _CLASS_ATTRIBUTES, _NUMBER_ATTRIBUTES


@_described(_params.CLASS_CRITERIA, _CLASS_ATTRIBUTES)
class ObliqueRandomForestClassifier(Oblique, ForestClassifier):
    """Oblique trees for classes, each grown on rows drawn with replacement (SPORF, Forest-RC)."""

    _member = ObliqueDecisionTreeClassifier

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = "sqrt",
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = True,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        max_samples: Any = None,
        feature_combinations: float | None = None,
        projection_weights: str = "sign",
        projection_scale: str = "none",
        axis_candidates: bool = True,
        categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset",
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.feature_combinations = feature_combinations
        self.projection_weights = projection_weights
        self.projection_scale = projection_scale
        self.axis_candidates = axis_candidates
        self.categorical_features = categorical_features
        self.ordinal_features = ordinal_features
        self.category_split = category_split


@_described(_params.NUMBER_CRITERIA, _NUMBER_ATTRIBUTES)
class ObliqueRandomForestRegressor(Oblique, ForestRegressor):
    """Oblique trees for numbers, each grown on rows drawn with replacement, whose answers are averaged."""

    _member = ObliqueDecisionTreeRegressor

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = 1.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = True,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        ccp_alpha: float = 0.0,
        max_samples: Any = None,
        feature_combinations: float | None = None,
        projection_weights: str = "sign",
        projection_scale: str = "none",
        axis_candidates: bool = True,
        quantile: float = 0.5,
        categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset",
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.feature_combinations = feature_combinations
        self.projection_weights = projection_weights
        self.projection_scale = projection_scale
        self.axis_candidates = axis_candidates
        self.quantile = quantile
        self.categorical_features = categorical_features
        self.ordinal_features = ordinal_features
        self.category_split = category_split


@_described(_params.CLASS_CRITERIA, _CLASS_ATTRIBUTES)
class ExtraObliqueRandomForestClassifier(ObliqueRandomForestClassifier):
    """Oblique trees for classes with random cuts: the best of one per feature and sum."""

    _member = ExtraObliqueDecisionTreeClassifier
    _splitter = "random"

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = "sqrt",
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = False,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        max_samples: Any = None,
        feature_combinations: float | None = None,
        projection_weights: str = "sign",
        projection_scale: str = "none",
        axis_candidates: bool = True,
        categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset",
    ) -> None:
        super().__init__(
            n_estimators=n_estimators,
            criterion=criterion,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            max_features=max_features,
            max_leaf_nodes=max_leaf_nodes,
            min_impurity_decrease=min_impurity_decrease,
            bootstrap=bootstrap,
            oob_score=oob_score,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
            warm_start=warm_start,
            class_weight=class_weight,
            ccp_alpha=ccp_alpha,
            max_samples=max_samples,
            feature_combinations=feature_combinations,
            projection_weights=projection_weights,
            projection_scale=projection_scale,
            axis_candidates=axis_candidates,
            categorical_features=categorical_features,
            ordinal_features=ordinal_features,
            category_split=category_split,
        )


@_described(_params.NUMBER_CRITERIA, _NUMBER_ATTRIBUTES)
class ExtraObliqueRandomForestRegressor(ObliqueRandomForestRegressor):
    """Oblique trees for numbers with random cuts: the best of one per feature and sum."""

    _member = ExtraObliqueDecisionTreeRegressor
    _splitter = "random"

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = 1.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = False,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        ccp_alpha: float = 0.0,
        max_samples: Any = None,
        feature_combinations: float | None = None,
        projection_weights: str = "sign",
        projection_scale: str = "none",
        axis_candidates: bool = True,
        quantile: float = 0.5,
        categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset",
    ) -> None:
        super().__init__(
            n_estimators=n_estimators,
            criterion=criterion,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            max_features=max_features,
            max_leaf_nodes=max_leaf_nodes,
            min_impurity_decrease=min_impurity_decrease,
            bootstrap=bootstrap,
            oob_score=oob_score,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
            warm_start=warm_start,
            ccp_alpha=ccp_alpha,
            max_samples=max_samples,
            feature_combinations=feature_combinations,
            projection_weights=projection_weights,
            projection_scale=projection_scale,
            axis_candidates=axis_candidates,
            quantile=quantile,
            categorical_features=categorical_features,
            ordinal_features=ordinal_features,
            category_split=category_split,
        )


def class_of(model: _core.Model, stored: dict[str, Any]) -> Any:
    """The estimator of a forest's model, by its core parameters."""
    classify = model.task == "classification"
    if stored["splitter"] == "random":
        return ExtraObliqueRandomForestClassifier if classify else ExtraObliqueRandomForestRegressor
    return ObliqueRandomForestClassifier if classify else ObliqueRandomForestRegressor

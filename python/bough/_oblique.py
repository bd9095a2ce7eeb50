# SPDX-License-Identifier: Apache-2.0
"""Oblique trees: a node may test a weighted sum of features, drawn in every node (Forest-RC, SPORF)."""

from __future__ import annotations

from typing import Any, ClassVar

from . import _params
from ._estimators import _Classifier, _described, _Regressor


class Oblique:
    """What oblique trees and forests of them share."""

    # What the shared code asks for and sums of features do not have.
    monotonic_cst: ClassVar[None] = None
    interaction_cst: ClassVar[None] = None
    column_costs: ClassVar[None] = None

    def _core_values(self) -> dict[str, Any]:
        return {**super()._core_values(), "oblique": True}  # type: ignore[misc]


@_described(_params.CLASS_CRITERIA)
class ObliqueDecisionTreeClassifier(Oblique, _Classifier):
    """A decision tree for classes whose nodes may test weighted sums of features."""

    def __init__(
        self,
        *,
        criterion: str = "gini",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        feature_combinations: float | None = None,
        projection_weights: str = "sign",
        projection_scale: str = "none",
        axis_candidates: bool = True,
        categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset",
        pruning: str = "auto",
        pruning_fraction: float = 0.3,
        pruning_leaf_values: str = "train",
        pruning_risk: str = "impurity",
        pruning_folds: int = 10,
        pruning_rule: str = "min",
        critical_value: float = 0.0,
        cp: float = -1.0,
        priors: Any = None,
        loss_matrix: Any = None,
        tao: int = 0,
        tao_fraction: float = 0.2,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.feature_combinations = feature_combinations
        self.projection_weights = projection_weights
        self.projection_scale = projection_scale
        self.axis_candidates = axis_candidates
        self.categorical_features = categorical_features
        self.ordinal_features = ordinal_features
        self.category_split = category_split
        self.pruning = pruning
        self.pruning_fraction = pruning_fraction
        self.pruning_leaf_values = pruning_leaf_values
        self.pruning_risk = pruning_risk
        self.pruning_folds = pruning_folds
        self.pruning_rule = pruning_rule
        self.critical_value = critical_value
        self.cp = cp
        self.priors = priors
        self.loss_matrix = loss_matrix
        self.tao = tao
        self.tao_fraction = tao_fraction
        self.n_jobs = n_jobs


@_described(_params.NUMBER_CRITERIA)
class ObliqueDecisionTreeRegressor(Oblique, _Regressor):
    """A decision tree for numbers whose nodes may test weighted sums of features."""

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        feature_combinations: float | None = None,
        projection_weights: str = "sign",
        projection_scale: str = "none",
        axis_candidates: bool = True,
        quantile: float = 0.5,
        categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset",
        pruning: str = "auto",
        pruning_fraction: float = 0.3,
        pruning_leaf_values: str = "train",
        pruning_risk: str = "impurity",
        pruning_folds: int = 10,
        pruning_rule: str = "min",
        critical_value: float = 0.0,
        cp: float = -1.0,
        tao: int = 0,
        tao_fraction: float = 0.2,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.feature_combinations = feature_combinations
        self.projection_weights = projection_weights
        self.projection_scale = projection_scale
        self.axis_candidates = axis_candidates
        self.quantile = quantile
        self.categorical_features = categorical_features
        self.ordinal_features = ordinal_features
        self.category_split = category_split
        self.pruning = pruning
        self.pruning_fraction = pruning_fraction
        self.pruning_leaf_values = pruning_leaf_values
        self.pruning_risk = pruning_risk
        self.pruning_folds = pruning_folds
        self.pruning_rule = pruning_rule
        self.critical_value = critical_value
        self.cp = cp
        self.tao = tao
        self.tao_fraction = tao_fraction
        self.n_jobs = n_jobs


@_described(_params.CLASS_CRITERIA)
class ExtraObliqueDecisionTreeClassifier(ObliqueDecisionTreeClassifier):
    """An oblique tree for classes with random cuts: the best of one per feature and sum."""

    def __init__(
        self,
        *,
        criterion: str = "gini",
        splitter: str = "random",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        feature_combinations: float | None = None,
        projection_weights: str = "sign",
        projection_scale: str = "none",
        axis_candidates: bool = True,
        categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset",
        pruning: str = "auto",
        pruning_fraction: float = 0.3,
        pruning_leaf_values: str = "train",
        pruning_risk: str = "impurity",
        pruning_folds: int = 10,
        pruning_rule: str = "min",
        critical_value: float = 0.0,
        cp: float = -1.0,
        priors: Any = None,
        loss_matrix: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(
            criterion=criterion,
            splitter=splitter,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            max_features=max_features,
            random_state=random_state,
            max_leaf_nodes=max_leaf_nodes,
            min_impurity_decrease=min_impurity_decrease,
            class_weight=class_weight,
            ccp_alpha=ccp_alpha,
            feature_combinations=feature_combinations,
            projection_weights=projection_weights,
            projection_scale=projection_scale,
            axis_candidates=axis_candidates,
            categorical_features=categorical_features,
            ordinal_features=ordinal_features,
            category_split=category_split,
            pruning=pruning,
            pruning_fraction=pruning_fraction,
            pruning_leaf_values=pruning_leaf_values,
            pruning_risk=pruning_risk,
            pruning_folds=pruning_folds,
            pruning_rule=pruning_rule,
            critical_value=critical_value,
            cp=cp,
            priors=priors,
            loss_matrix=loss_matrix,
            n_jobs=n_jobs,
        )


@_described(_params.NUMBER_CRITERIA)
class ExtraObliqueDecisionTreeRegressor(ObliqueDecisionTreeRegressor):
    """An oblique tree for numbers with random cuts: the best of one per feature and sum."""

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        splitter: str = "random",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        feature_combinations: float | None = None,
        projection_weights: str = "sign",
        projection_scale: str = "none",
        axis_candidates: bool = True,
        quantile: float = 0.5,
        categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset",
        pruning: str = "auto",
        pruning_fraction: float = 0.3,
        pruning_leaf_values: str = "train",
        pruning_risk: str = "impurity",
        pruning_folds: int = 10,
        pruning_rule: str = "min",
        critical_value: float = 0.0,
        cp: float = -1.0,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(
            criterion=criterion,
            splitter=splitter,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            max_features=max_features,
            random_state=random_state,
            max_leaf_nodes=max_leaf_nodes,
            min_impurity_decrease=min_impurity_decrease,
            ccp_alpha=ccp_alpha,
            feature_combinations=feature_combinations,
            projection_weights=projection_weights,
            projection_scale=projection_scale,
            axis_candidates=axis_candidates,
            quantile=quantile,
            categorical_features=categorical_features,
            ordinal_features=ordinal_features,
            category_split=category_split,
            pruning=pruning,
            pruning_fraction=pruning_fraction,
            pruning_leaf_values=pruning_leaf_values,
            pruning_risk=pruning_risk,
            pruning_folds=pruning_folds,
            pruning_rule=pruning_rule,
            critical_value=critical_value,
            cp=cp,
            n_jobs=n_jobs,
        )

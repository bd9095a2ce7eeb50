# SPDX-License-Identifier: Apache-2.0
"""The four estimators. What scikit-learn has means what it means there; other parameters come after it."""

from __future__ import annotations

import warnings
from typing import Any

from . import _params
from ._described import _described
from ._kinds import _Classifier, _Regressor


@_described(_params.CLASS_CRITERIA)
class DecisionTreeClassifier(_Classifier):
    """A decision tree for classes."""

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
        monotonic_cst: Any = None,
        categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset",
        interaction_cst: Any = None,
        pruning: str = "auto",
        pruning_fraction: float = 0.3,
        pruning_leaf_values: str = "train",
        pruning_risk: str = "impurity",
        pruning_folds: int = 10,
        pruning_rule: str = "min",
        critical_value: float = 0.0,
        missing_policy: str = "learn",
        surrogates: int = 5,
        surrogate_else: str = "majority",
        surrogate_agreement: str = "all",
        competitors: int = 0,
        column_costs: Any = None,
        cp: float = -1.0,
        priors: Any = None,
        loss_matrix: Any = None,
        lookahead: int = 1,
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
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features
        self.ordinal_features = ordinal_features
        self.category_split = category_split
        self.interaction_cst = interaction_cst
        self.pruning = pruning
        self.pruning_fraction = pruning_fraction
        self.pruning_leaf_values = pruning_leaf_values
        self.pruning_risk = pruning_risk
        self.pruning_folds = pruning_folds
        self.pruning_rule = pruning_rule
        self.critical_value = critical_value
        self.missing_policy = missing_policy
        self.surrogates = surrogates
        self.surrogate_else = surrogate_else
        self.surrogate_agreement = surrogate_agreement
        self.competitors = competitors
        self.column_costs = column_costs
        self.cp = cp
        self.priors = priors
        self.loss_matrix = loss_matrix
        self.lookahead = lookahead
        self.tao = tao
        self.tao_fraction = tao_fraction
        self.n_jobs = n_jobs


@_described(_params.NUMBER_CRITERIA)
class DecisionTreeRegressor(_Regressor):
    """A decision tree for numbers."""

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
        monotonic_cst: Any = None,
        quantile: float = 0.5,
        categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset",
        interaction_cst: Any = None,
        pruning: str = "auto",
        pruning_fraction: float = 0.3,
        pruning_leaf_values: str = "train",
        pruning_risk: str = "impurity",
        pruning_folds: int = 10,
        pruning_rule: str = "min",
        critical_value: float = 0.0,
        missing_policy: str = "learn",
        surrogates: int = 5,
        surrogate_else: str = "majority",
        surrogate_agreement: str = "all",
        competitors: int = 0,
        column_costs: Any = None,
        cp: float = -1.0,
        lookahead: int = 1,
        tao: int = 0,
        tao_fraction: float = 0.2,
        leaf_samples: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        if isinstance(criterion, str) and criterion == "friedman_mse":
            warnings.warn(
                "criterion 'friedman_mse' is deprecated; 'squared_error' means the same",
                FutureWarning,
                stacklevel=3,
            )
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
        self.monotonic_cst = monotonic_cst
        self.quantile = quantile
        self.categorical_features = categorical_features
        self.ordinal_features = ordinal_features
        self.category_split = category_split
        self.interaction_cst = interaction_cst
        self.pruning = pruning
        self.pruning_fraction = pruning_fraction
        self.pruning_leaf_values = pruning_leaf_values
        self.pruning_risk = pruning_risk
        self.pruning_folds = pruning_folds
        self.pruning_rule = pruning_rule
        self.critical_value = critical_value
        self.missing_policy = missing_policy
        self.surrogates = surrogates
        self.surrogate_else = surrogate_else
        self.surrogate_agreement = surrogate_agreement
        self.competitors = competitors
        self.column_costs = column_costs
        self.cp = cp
        self.lookahead = lookahead
        self.tao = tao
        self.tao_fraction = tao_fraction
        self.leaf_samples = leaf_samples
        self.n_jobs = n_jobs


@_described(_params.CLASS_CRITERIA)
class ExtraTreeClassifier(DecisionTreeClassifier):
    """A decision tree for classes with random cuts: the best of one per feature."""

    def __init__(
        self,
        *,
        criterion: str = "gini",
        splitter: str = "random",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = "sqrt",
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        monotonic_cst: Any = None,
        categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset",
        interaction_cst: Any = None,
        pruning: str = "auto",
        pruning_fraction: float = 0.3,
        pruning_leaf_values: str = "train",
        pruning_risk: str = "impurity",
        pruning_folds: int = 10,
        pruning_rule: str = "min",
        critical_value: float = 0.0,
        missing_policy: str = "learn",
        surrogates: int = 5,
        surrogate_else: str = "majority",
        surrogate_agreement: str = "all",
        competitors: int = 0,
        column_costs: Any = None,
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
            monotonic_cst=monotonic_cst,
            categorical_features=categorical_features,
            ordinal_features=ordinal_features,
            category_split=category_split,
            interaction_cst=interaction_cst,
            pruning=pruning,
            pruning_fraction=pruning_fraction,
            pruning_leaf_values=pruning_leaf_values,
            pruning_risk=pruning_risk,
            pruning_folds=pruning_folds,
            pruning_rule=pruning_rule,
            critical_value=critical_value,
            missing_policy=missing_policy,
            surrogates=surrogates,
            surrogate_else=surrogate_else,
            surrogate_agreement=surrogate_agreement,
            competitors=competitors,
            column_costs=column_costs,
            cp=cp,
            priors=priors,
            loss_matrix=loss_matrix,
            n_jobs=n_jobs,
        )


@_described(_params.NUMBER_CRITERIA)
class ExtraTreeRegressor(DecisionTreeRegressor):
    """A decision tree for numbers with random cuts: the best of one per feature."""

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        splitter: str = "random",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = 1.0,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        monotonic_cst: Any = None,
        quantile: float = 0.5,
        categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset",
        interaction_cst: Any = None,
        pruning: str = "auto",
        pruning_fraction: float = 0.3,
        pruning_leaf_values: str = "train",
        pruning_risk: str = "impurity",
        pruning_folds: int = 10,
        pruning_rule: str = "min",
        critical_value: float = 0.0,
        missing_policy: str = "learn",
        surrogates: int = 5,
        surrogate_else: str = "majority",
        surrogate_agreement: str = "all",
        competitors: int = 0,
        column_costs: Any = None,
        cp: float = -1.0,
        leaf_samples: bool = False,
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
            monotonic_cst=monotonic_cst,
            quantile=quantile,
            categorical_features=categorical_features,
            ordinal_features=ordinal_features,
            category_split=category_split,
            interaction_cst=interaction_cst,
            pruning=pruning,
            pruning_fraction=pruning_fraction,
            pruning_leaf_values=pruning_leaf_values,
            pruning_risk=pruning_risk,
            pruning_folds=pruning_folds,
            pruning_rule=pruning_rule,
            critical_value=critical_value,
            missing_policy=missing_policy,
            surrogates=surrogates,
            surrogate_else=surrogate_else,
            surrogate_agreement=surrogate_agreement,
            competitors=competitors,
            column_costs=column_costs,
            cp=cp,
            leaf_samples=leaf_samples,
            n_jobs=n_jobs,
        )

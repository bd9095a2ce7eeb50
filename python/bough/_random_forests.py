# SPDX-License-Identifier: Apache-2.0
"""Random forests and extra trees. What scikit-learn has means what it means there; more comes after it."""

from __future__ import annotations

import warnings
from typing import Any

from . import _core, _params
from ._described import _described
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


def warn_of_friedman(criterion: Any) -> None:
    """scikit-learn gives the name up; the meaning stays."""
    if isinstance(criterion, str) and criterion == "friedman_mse":
        warnings.warn(
            "criterion 'friedman_mse' is deprecated; 'squared_error' means the same",
            FutureWarning,
            stacklevel=4,
        )


@_described(_params.CLASS_CRITERIA, _CLASS_ATTRIBUTES)
class RandomForestClassifier(ForestClassifier):
    """Trees for classes, each grown on rows drawn with replacement and on some features per split."""

    _member = DecisionTreeClassifier

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
        monotonic_cst: Any = None,
        categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset",
        interaction_cst: Any = None,
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
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features
        self.ordinal_features = ordinal_features
        self.category_split = category_split
        self.interaction_cst = interaction_cst


@_described(_params.NUMBER_CRITERIA, _NUMBER_ATTRIBUTES)
class RandomForestRegressor(ForestRegressor):
    """Trees for numbers, each grown on rows drawn with replacement, whose answers are averaged."""

    _member = DecisionTreeRegressor

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
        monotonic_cst: Any = None,
        quantile: float = 0.5,
        leaf_samples: bool = False,
        categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset",
        interaction_cst: Any = None,
    ) -> None:
        warn_of_friedman(criterion)
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
        self.monotonic_cst = monotonic_cst
        self.quantile = quantile
        self.leaf_samples = leaf_samples
        self.categorical_features = categorical_features
        self.ordinal_features = ordinal_features
        self.category_split = category_split
        self.interaction_cst = interaction_cst


@_described(_params.CLASS_CRITERIA, _CLASS_ATTRIBUTES)
class ExtraTreesClassifier(RandomForestClassifier):
    """Trees for classes with random cuts: of some features per split the best of one cut each."""

    _member = ExtraTreeClassifier
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
        monotonic_cst: Any = None,
        categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset",
        interaction_cst: Any = None,
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
            monotonic_cst=monotonic_cst,
            categorical_features=categorical_features,
            ordinal_features=ordinal_features,
            category_split=category_split,
            interaction_cst=interaction_cst,
        )


@_described(_params.NUMBER_CRITERIA, _NUMBER_ATTRIBUTES)
class ExtraTreesRegressor(RandomForestRegressor):
    """Trees for numbers with random cuts, whose answers are averaged."""

    _member = ExtraTreeRegressor
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
        monotonic_cst: Any = None,
        quantile: float = 0.5,
        leaf_samples: bool = False,
        categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset",
        interaction_cst: Any = None,
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
            monotonic_cst=monotonic_cst,
            quantile=quantile,
            leaf_samples=leaf_samples,
            categorical_features=categorical_features,
            ordinal_features=ordinal_features,
            category_split=category_split,
            interaction_cst=interaction_cst,
        )


def class_of(model: _core.Model, stored: dict[str, Any]) -> Any:
    """The estimator of a forest's model, by its core parameters."""
    classify = model.task == "classification"
    if stored["splitter"] == "random":
        return ExtraTreesClassifier if classify else ExtraTreesRegressor
    return RandomForestClassifier if classify else RandomForestRegressor

# SPDX-License-Identifier: Apache-2.0
"""Constructors of estimators and of groups of parameters, by tools/python_signatures.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

if TYPE_CHECKING:
    from ._groups import ParameterGroup

# fmt: off

ClassCriterion = Literal["gini", "entropy", "misclassification", "hellinger", "gain_ratio", "log_loss"]
NumberCriterion = Literal["squared_error", "absolute_error", "poisson", "quantile", "friedman_mse"]
Splitter = Literal["best", "random", "hist"]
MaxFeatures = float | Literal["sqrt", "log2", "square", "auto"] | None


class Arguments:
    def _set(self, arguments: dict[str, Any]) -> None:
        """Every argument of a constructor becomes the attribute of its name."""
        state = self.__dict__  # setattr() one by one would take several times as long
        state.update(arguments)
        del state["self"]


class Parameters(Arguments):
    """The types of all parameters of estimators; every class has some of them."""

    criterion: str
    max_depth: int | None
    min_samples_leaf: float
    max_leaf_nodes: int | None
    random_state: Any
    class_weight: Any
    monotonic_cst: Any
    categorical_features: Any
    ordinal_features: dict[Any, Any] | None
    category_split: str
    interaction_cst: Any
    pruning_folds: int
    pruning_rule: str
    shrinkage: float | str | None
    work_limit: int | None
    n_jobs: int | None
    splitter: Splitter
    min_samples_split: float
    min_weight_fraction_leaf: float
    max_features: MaxFeatures
    min_impurity_decrease: float
    ccp_alpha: float
    pruning: str | ParameterGroup
    missing: str | ParameterGroup
    competitors: int
    column_costs: Any
    priors: Any
    loss_matrix: Any
    search: str
    leaf_price: float
    time_limit: float | None
    refine: str | ParameterGroup | None
    feature_combinations: float | None
    projection: ParameterGroup | None
    n_estimators: int
    bootstrap: bool
    oob_score: Any
    verbose: int
    warm_start: bool
    max_samples: float | None
    tree_estimator: Any
    honest: bool | ParameterGroup
    cross_fit: bool
    calibration_fraction: float
    leaf_probability: str
    little_bags: int
    quantile: float
    leaf_samples: bool
    min_samples_branch: int | None
    discretize: str
    category_branches: str
    collapse: bool
    j48: bool
    min_samples_arm: int
    causal_split: str
    center: bool

class CostComplexity(Arguments):
    _fields: ClassVar[dict[str, str]] = {
        "folds": "pruning_folds", "rule": "pruning_rule", "risk": "pruning_risk", "cp": "cp"
    }

    def __init__(
        self, folds: int = 10, rule: str = "min", risk: str = "impurity", cp: float | None = None
    ) -> None: self._set(locals())

class ReducedError(Arguments):
    _fields: ClassVar[dict[str, str]] = {"fraction": "pruning_fraction", "leaf_values": "pruning_leaf_values"}

    def __init__(self, fraction: float = 0.3, leaf_values: str = "train") -> None: self._set(locals())

class Pessimistic(Arguments):
    _fields: ClassVar[dict[str, str]] = {
        "confidence": "confidence_factor", "subtree_raising": "subtree_raising"
    }

    def __init__(self, confidence: float = 0.25, subtree_raising: bool = True) -> None: self._set(locals())

class CriticalValue(Arguments):
    _fields: ClassVar[dict[str, str]] = {"value": "critical_value"}

    def __init__(self, value: float) -> None: self._set(locals())

class Surrogates(Arguments):
    _fields: ClassVar[dict[str, str]] = {
        "count": "surrogates", "otherwise": "surrogate_else", "agreement": "surrogate_agreement"
    }

    def __init__(
        self, count: int = 5, otherwise: str = "majority", agreement: str = "all"
    ) -> None: self._set(locals())

class TAO(Arguments):
    _fields: ClassVar[dict[str, str]] = {"passes": "tao", "fraction": "tao_fraction"}

    def __init__(self, passes: int = 10, fraction: float = 0.2) -> None: self._set(locals())

class Honest(Arguments):
    _fields: ClassVar[dict[str, str]] = {
        "fraction": "honest_fraction", "prior": "honest_prior", "method": "honest_method",
        "stratify": "honest_stratify", "min_rows": "min_honest_rows"
    }

    def __init__(
        self, fraction: float = 0.5, prior: str = "ancestor", method: str = "apply", stratify: bool = True,
        min_rows: int = 1
    ) -> None: self._set(locals())

class Projection(Arguments):
    _fields: ClassVar[dict[str, str]] = {
        "weights": "projection_weights", "scale": "projection_scale", "axis_candidates": "axis_candidates"
    }

    def __init__(
        self, weights: str = "sign", scale: str = "none", axis_candidates: bool = True
    ) -> None: self._set(locals())

class TreeClassifier(Arguments):
    def __init__(
        self, *, criterion: ClassCriterion = "gini", max_depth: int | None = None,
        min_samples_leaf: float = 1, max_leaf_nodes: int | None = None, random_state: Any = None,
        class_weight: Any = None, monotonic_cst: Any = None, categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None, category_split: str = "subset",
        interaction_cst: Any = None, pruning_folds: int = 10, pruning_rule: str = "min",
        shrinkage: float | str | None = None, work_limit: int | None = None, n_jobs: int | None = None
    ) -> None: self._set(locals())

class DecisionTreeClassifier(Arguments):
    def __init__(
        self, *, criterion: ClassCriterion = "gini", splitter: Splitter = "best",
        max_depth: int | None = None, min_samples_split: float = 2, min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0, max_features: MaxFeatures = None, random_state: Any = None,
        max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0, class_weight: Any = None,
        ccp_alpha: float = 0.0, monotonic_cst: Any = None, categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None, category_split: str = "subset",
        interaction_cst: Any = None, pruning: str | ParameterGroup = "auto",
        missing: str | ParameterGroup = "learn", competitors: int = 0, column_costs: Any = None,
        priors: Any = None, loss_matrix: Any = None, shrinkage: float | str | None = None,
        search: str = "greedy", leaf_price: float = 0.0, work_limit: int | None = None,
        time_limit: float | None = None, refine: str | ParameterGroup | None = None, n_jobs: int | None = None
    ) -> None: self._set(locals())

class ExtraTreeClassifier(Arguments):
    def __init__(
        self, *, criterion: ClassCriterion = "gini", splitter: Splitter = "random",
        max_depth: int | None = None, min_samples_split: float = 2, min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0, max_features: MaxFeatures = "sqrt", random_state: Any = None,
        max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0, class_weight: Any = None,
        ccp_alpha: float = 0.0, monotonic_cst: Any = None, categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None, category_split: str = "subset",
        interaction_cst: Any = None, pruning: str | ParameterGroup = "auto",
        missing: str | ParameterGroup = "learn", competitors: int = 0, column_costs: Any = None,
        priors: Any = None, loss_matrix: Any = None, shrinkage: float | str | None = None,
        n_jobs: int | None = None
    ) -> None: self._set(locals())

class ObliqueDecisionTreeClassifier(Arguments):
    def __init__(
        self, *, criterion: ClassCriterion = "gini", splitter: Splitter = "best",
        max_depth: int | None = None, min_samples_split: float = 2, min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0, max_features: MaxFeatures = None, random_state: Any = None,
        max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0, class_weight: Any = None,
        ccp_alpha: float = 0.0, feature_combinations: float | None = None,
        projection: ParameterGroup | None = None, categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None, category_split: str = "subset",
        pruning: str | ParameterGroup = "auto", priors: Any = None, loss_matrix: Any = None,
        shrinkage: float | str | None = None, refine: str | ParameterGroup | None = None,
        n_jobs: int | None = None
    ) -> None: self._set(locals())

class ExtraObliqueDecisionTreeClassifier(Arguments):
    def __init__(
        self, *, criterion: ClassCriterion = "gini", splitter: Splitter = "random",
        max_depth: int | None = None, min_samples_split: float = 2, min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0, max_features: MaxFeatures = None, random_state: Any = None,
        max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0, class_weight: Any = None,
        ccp_alpha: float = 0.0, feature_combinations: float | None = None,
        projection: ParameterGroup | None = None, categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None, category_split: str = "subset",
        pruning: str | ParameterGroup = "auto", priors: Any = None, loss_matrix: Any = None,
        shrinkage: float | str | None = None, n_jobs: int | None = None
    ) -> None: self._set(locals())

class RandomForestClassifier(Arguments):
    def __init__(
        self, n_estimators: int = 100, *, criterion: ClassCriterion = "gini", max_depth: int | None = None,
        min_samples_split: float = 2, min_samples_leaf: float = 1, min_weight_fraction_leaf: float = 0.0,
        max_features: MaxFeatures = "sqrt", max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0, bootstrap: bool = True, oob_score: Any = False,
        n_jobs: int | None = None, random_state: Any = None, verbose: int = 0, warm_start: bool = False,
        class_weight: Any = None, ccp_alpha: float = 0.0, max_samples: float | None = None,
        monotonic_cst: Any = None, categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None, category_split: str = "subset",
        interaction_cst: Any = None, shrinkage: float | str | None = None
    ) -> None: self._set(locals())

class ExtraTreesClassifier(Arguments):
    def __init__(
        self, n_estimators: int = 100, *, criterion: ClassCriterion = "gini", max_depth: int | None = None,
        min_samples_split: float = 2, min_samples_leaf: float = 1, min_weight_fraction_leaf: float = 0.0,
        max_features: MaxFeatures = "sqrt", max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0, bootstrap: bool = False, oob_score: Any = False,
        n_jobs: int | None = None, random_state: Any = None, verbose: int = 0, warm_start: bool = False,
        class_weight: Any = None, ccp_alpha: float = 0.0, max_samples: float | None = None,
        monotonic_cst: Any = None, categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None, category_split: str = "subset",
        interaction_cst: Any = None, shrinkage: float | str | None = None
    ) -> None: self._set(locals())

class ObliqueRandomForestClassifier(Arguments):
    def __init__(
        self, n_estimators: int = 100, *, criterion: ClassCriterion = "gini", max_depth: int | None = None,
        min_samples_split: float = 2, min_samples_leaf: float = 1, min_weight_fraction_leaf: float = 0.0,
        max_features: MaxFeatures = "sqrt", max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0, bootstrap: bool = True, oob_score: Any = False,
        n_jobs: int | None = None, random_state: Any = None, verbose: int = 0, warm_start: bool = False,
        class_weight: Any = None, ccp_alpha: float = 0.0, max_samples: float | None = None,
        feature_combinations: float | None = None, projection: ParameterGroup | None = None,
        categorical_features: Any = "from_dtype", ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset", shrinkage: float | str | None = None
    ) -> None: self._set(locals())

class ExtraObliqueRandomForestClassifier(Arguments):
    def __init__(
        self, n_estimators: int = 100, *, criterion: ClassCriterion = "gini", max_depth: int | None = None,
        min_samples_split: float = 2, min_samples_leaf: float = 1, min_weight_fraction_leaf: float = 0.0,
        max_features: MaxFeatures = "sqrt", max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0, bootstrap: bool = False, oob_score: Any = False,
        n_jobs: int | None = None, random_state: Any = None, verbose: int = 0, warm_start: bool = False,
        class_weight: Any = None, ccp_alpha: float = 0.0, max_samples: float | None = None,
        feature_combinations: float | None = None, projection: ParameterGroup | None = None,
        categorical_features: Any = "from_dtype", ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset", shrinkage: float | str | None = None
    ) -> None: self._set(locals())

class HonestTreeClassifier(Arguments):
    def __init__(
        self, tree_estimator: Any = None, *, criterion: ClassCriterion = "gini", splitter: Splitter = "best",
        max_depth: int | None = None, min_samples_split: float = 2, min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0, max_features: MaxFeatures = None, random_state: Any = None,
        max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0, class_weight: Any = None,
        ccp_alpha: float = 0.0, honest: bool | ParameterGroup = True, cross_fit: bool = False,
        calibration_fraction: float = 0.0, leaf_probability: str = "plain",
        categorical_features: Any = "from_dtype", ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset", n_jobs: int | None = None
    ) -> None: self._set(locals())

class HonestForestClassifier(Arguments):
    def __init__(
        self, n_estimators: int = 100, *, criterion: ClassCriterion = "gini", max_depth: int | None = None,
        min_samples_split: float = 2, min_samples_leaf: float = 1, min_weight_fraction_leaf: float = 0.0,
        max_features: MaxFeatures = "sqrt", max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0, bootstrap: bool = False, oob_score: Any = False,
        n_jobs: int | None = None, random_state: Any = None, verbose: int = 0, warm_start: bool = False,
        class_weight: Any = None, ccp_alpha: float = 0.0, max_samples: float | None = None,
        honest: bool | ParameterGroup = True, tree_estimator: Any = None, little_bags: int = 0,
        calibration_fraction: float = 0.0, categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None, category_split: str = "subset"
    ) -> None: self._set(locals())

class TreeRegressor(Arguments):
    def __init__(
        self, *, criterion: NumberCriterion = "squared_error", max_depth: int | None = None,
        min_samples_leaf: float = 1, max_leaf_nodes: int | None = None, random_state: Any = None,
        monotonic_cst: Any = None, quantile: float = 0.5, categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None, category_split: str = "subset",
        interaction_cst: Any = None, pruning_folds: int = 10, pruning_rule: str = "min",
        shrinkage: float | str | None = None, work_limit: int | None = None, n_jobs: int | None = None
    ) -> None: self._set(locals())

class DecisionTreeRegressor(Arguments):
    def __init__(
        self, *, criterion: NumberCriterion = "squared_error", splitter: Splitter = "best",
        max_depth: int | None = None, min_samples_split: float = 2, min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0, max_features: MaxFeatures = None, random_state: Any = None,
        max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0, ccp_alpha: float = 0.0,
        monotonic_cst: Any = None, quantile: float = 0.5, categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None, category_split: str = "subset",
        interaction_cst: Any = None, pruning: str | ParameterGroup = "auto",
        missing: str | ParameterGroup = "learn", competitors: int = 0, column_costs: Any = None,
        shrinkage: float | str | None = None, search: str = "greedy", leaf_price: float = 0.0,
        work_limit: int | None = None, time_limit: float | None = None,
        refine: str | ParameterGroup | None = None, leaf_samples: bool = False, n_jobs: int | None = None
    ) -> None: self._set(locals())

class ExtraTreeRegressor(Arguments):
    def __init__(
        self, *, criterion: NumberCriterion = "squared_error", splitter: Splitter = "random",
        max_depth: int | None = None, min_samples_split: float = 2, min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0, max_features: MaxFeatures = 1.0, random_state: Any = None,
        max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0, ccp_alpha: float = 0.0,
        monotonic_cst: Any = None, quantile: float = 0.5, categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None, category_split: str = "subset",
        interaction_cst: Any = None, pruning: str | ParameterGroup = "auto",
        missing: str | ParameterGroup = "learn", competitors: int = 0, column_costs: Any = None,
        shrinkage: float | str | None = None, leaf_samples: bool = False, n_jobs: int | None = None
    ) -> None: self._set(locals())

class ObliqueDecisionTreeRegressor(Arguments):
    def __init__(
        self, *, criterion: NumberCriterion = "squared_error", splitter: Splitter = "best",
        max_depth: int | None = None, min_samples_split: float = 2, min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0, max_features: MaxFeatures = None, random_state: Any = None,
        max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0, ccp_alpha: float = 0.0,
        feature_combinations: float | None = None, projection: ParameterGroup | None = None,
        quantile: float = 0.5, categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None, category_split: str = "subset",
        pruning: str | ParameterGroup = "auto", shrinkage: float | str | None = None,
        refine: str | ParameterGroup | None = None, n_jobs: int | None = None
    ) -> None: self._set(locals())

class ExtraObliqueDecisionTreeRegressor(Arguments):
    def __init__(
        self, *, criterion: NumberCriterion = "squared_error", splitter: Splitter = "random",
        max_depth: int | None = None, min_samples_split: float = 2, min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0, max_features: MaxFeatures = None, random_state: Any = None,
        max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0, ccp_alpha: float = 0.0,
        feature_combinations: float | None = None, projection: ParameterGroup | None = None,
        quantile: float = 0.5, categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None, category_split: str = "subset",
        pruning: str | ParameterGroup = "auto", shrinkage: float | str | None = None,
        n_jobs: int | None = None
    ) -> None: self._set(locals())

class RandomForestRegressor(Arguments):
    def __init__(
        self, n_estimators: int = 100, *, criterion: NumberCriterion = "squared_error",
        max_depth: int | None = None, min_samples_split: float = 2, min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0, max_features: MaxFeatures = 1.0,
        max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0, bootstrap: bool = True,
        oob_score: Any = False, n_jobs: int | None = None, random_state: Any = None, verbose: int = 0,
        warm_start: bool = False, ccp_alpha: float = 0.0, max_samples: float | None = None,
        monotonic_cst: Any = None, quantile: float = 0.5, leaf_samples: bool = False,
        categorical_features: Any = "from_dtype", ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset", interaction_cst: Any = None, shrinkage: float | str | None = None
    ) -> None: self._set(locals())

class ExtraTreesRegressor(Arguments):
    def __init__(
        self, n_estimators: int = 100, *, criterion: NumberCriterion = "squared_error",
        max_depth: int | None = None, min_samples_split: float = 2, min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0, max_features: MaxFeatures = 1.0,
        max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0, bootstrap: bool = False,
        oob_score: Any = False, n_jobs: int | None = None, random_state: Any = None, verbose: int = 0,
        warm_start: bool = False, ccp_alpha: float = 0.0, max_samples: float | None = None,
        monotonic_cst: Any = None, quantile: float = 0.5, leaf_samples: bool = False,
        categorical_features: Any = "from_dtype", ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset", interaction_cst: Any = None, shrinkage: float | str | None = None
    ) -> None: self._set(locals())

class ObliqueRandomForestRegressor(Arguments):
    def __init__(
        self, n_estimators: int = 100, *, criterion: NumberCriterion = "squared_error",
        max_depth: int | None = None, min_samples_split: float = 2, min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0, max_features: MaxFeatures = 1.0,
        max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0, bootstrap: bool = True,
        oob_score: Any = False, n_jobs: int | None = None, random_state: Any = None, verbose: int = 0,
        warm_start: bool = False, ccp_alpha: float = 0.0, max_samples: float | None = None,
        feature_combinations: float | None = None, projection: ParameterGroup | None = None,
        quantile: float = 0.5, categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None, category_split: str = "subset",
        shrinkage: float | str | None = None
    ) -> None: self._set(locals())

class ExtraObliqueRandomForestRegressor(Arguments):
    def __init__(
        self, n_estimators: int = 100, *, criterion: NumberCriterion = "squared_error",
        max_depth: int | None = None, min_samples_split: float = 2, min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0, max_features: MaxFeatures = 1.0,
        max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0, bootstrap: bool = False,
        oob_score: Any = False, n_jobs: int | None = None, random_state: Any = None, verbose: int = 0,
        warm_start: bool = False, ccp_alpha: float = 0.0, max_samples: float | None = None,
        feature_combinations: float | None = None, projection: ParameterGroup | None = None,
        quantile: float = 0.5, categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None, category_split: str = "subset",
        shrinkage: float | str | None = None
    ) -> None: self._set(locals())

class HonestTreeRegressor(Arguments):
    def __init__(
        self, tree_estimator: Any = None, *, criterion: NumberCriterion = "squared_error",
        splitter: Splitter = "best", max_depth: int | None = None, min_samples_split: float = 2,
        min_samples_leaf: float = 1, min_weight_fraction_leaf: float = 0.0, max_features: MaxFeatures = None,
        random_state: Any = None, max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0, quantile: float = 0.5, honest: bool | ParameterGroup = True,
        cross_fit: bool = False, calibration_fraction: float = 0.0, leaf_samples: bool = False,
        categorical_features: Any = "from_dtype", ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset", n_jobs: int | None = None
    ) -> None: self._set(locals())

class HonestForestRegressor(Arguments):
    def __init__(
        self, n_estimators: int = 100, *, criterion: NumberCriterion = "squared_error",
        max_depth: int | None = None, min_samples_split: float = 2, min_samples_leaf: float = 5,
        min_weight_fraction_leaf: float = 0.0, max_features: MaxFeatures = 1.0,
        max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0, bootstrap: bool = False,
        oob_score: Any = False, n_jobs: int | None = None, random_state: Any = None, verbose: int = 0,
        warm_start: bool = False, ccp_alpha: float = 0.0, max_samples: float | None = None,
        quantile: float = 0.5, honest: bool | ParameterGroup = True, tree_estimator: Any = None,
        little_bags: int = 0, calibration_fraction: float = 0.0, leaf_samples: bool = False,
        categorical_features: Any = "from_dtype", ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset"
    ) -> None: self._set(locals())

class ID3Classifier(Arguments):
    def __init__(
        self, *, max_depth: int | None = None, min_samples_split: float = 2,
        min_samples_branch: int | None = None, min_impurity_decrease: float = 0.0, discretize: str = "mdl",
        category_branches: str = "multiway", class_weight: Any = None, ccp_alpha: float = 0.0,
        pruning: str | ParameterGroup = "auto", leaf_probability: str = "plain",
        shrinkage: float | str | None = None, categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None, n_jobs: int | None = None
    ) -> None: self._set(locals())

class C45Classifier(Arguments):
    def __init__(
        self, *, max_depth: int | None = None, min_samples_split: float = 2,
        min_samples_branch: int | None = None, min_impurity_decrease: float = 0.0, discretize: str = "none",
        category_branches: str = "multiway", class_weight: Any = None, ccp_alpha: float = 0.0,
        pruning: str | ParameterGroup = "auto", leaf_probability: str = "plain",
        shrinkage: float | str | None = None, collapse: bool = True, j48: bool = False,
        categorical_features: Any = "from_dtype", ordinal_features: dict[Any, Any] | None = None,
        n_jobs: int | None = None
    ) -> None: self._set(locals())

class CausalTree(Arguments):
    def __init__(
        self, *, splitter: Splitter = "best", max_depth: int | None = None, min_samples_split: float = 2,
        min_samples_leaf: float = 1, min_weight_fraction_leaf: float = 0.0, max_features: MaxFeatures = None,
        random_state: Any = None, max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0, min_samples_arm: int = 5, honest: bool | ParameterGroup = True,
        categorical_features: Any = "from_dtype", ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset", interaction_cst: Any = None, n_jobs: int | None = None
    ) -> None: self._set(locals())

class PropensityTree(Arguments):
    def __init__(
        self, *, splitter: Splitter = "best", max_depth: int | None = None, min_samples_split: float = 2,
        min_samples_leaf: float = 1, min_weight_fraction_leaf: float = 0.0, max_features: MaxFeatures = None,
        random_state: Any = None, max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0, min_samples_arm: int = 5, honest: bool | ParameterGroup = False,
        categorical_features: Any = "from_dtype", ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset", interaction_cst: Any = None, n_jobs: int | None = None
    ) -> None: self._set(locals())

class CausalForest(Arguments):
    def __init__(
        self, n_estimators: int = 100, *, causal_split: str = "effect", splitter: Splitter = "best",
        max_depth: int | None = None, min_samples_split: float = 2, min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0, max_features: MaxFeatures = None, random_state: Any = None,
        max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0, ccp_alpha: float = 0.0,
        min_samples_arm: int = 5, max_samples: float | None = None, little_bags: int = 2,
        center: bool = False, honest: bool | ParameterGroup = True, categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None, category_split: str = "subset",
        interaction_cst: Any = None, n_jobs: int | None = None
    ) -> None: self._set(locals())

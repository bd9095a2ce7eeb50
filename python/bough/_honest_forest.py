# SPDX-License-Identifier: Apache-2.0
"""Honest forests: every tree divides the rows that it draws; standard errors by halves that trees share."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from . import _core, _params
from ._base import BaseTree
from ._described import _described
from ._errors import BoughError
from ._grown_forest import BaseForest, ForestClassifier, ForestRegressor
from ._honest import HonestTreeClassifier, HonestTreeRegressor, honest_values
from ._random_forests import _CLASS_ATTRIBUTES, _NUMBER_ATTRIBUTES


class _HonestForest(BaseForest):
    monotonic_cst: ClassVar[None] = None
    interaction_cst: ClassVar[None] = None

    def _bag_size(self) -> int | None:
        return None if self.little_bags else super()._bag_size()

    def _make_params(self, rows: Any, targets: Any, seed: int) -> _core.Params:
        if rows.n_rows < 2:
            raise BoughError(
                f"n_samples={rows.n_rows}: honest trees divide the rows, so they need two at least"
            )
        values = json.loads(super()._make_params(rows, targets, seed).to_json())
        if self.tree_estimator is not None:
            given = self.tree_estimator
            if not isinstance(given, BaseTree) or given._task != self._task:
                raise BoughError(
                    f"tree_estimator must be a tree of bough for {self._task}, but it is"
                    f" {type(given).__name__}"
                )
            # What the forest has itself is the forest's; all else is the tree's.
            own = {*type(self)._names, "forest", "seed", "task", "algorithm"} - {"splitter"}
            inner = json.loads(given._make_params(rows, targets, seed).to_json())
            values = {**inner, **{name: value for name, value in values.items() if name in own}}
        values.update(honest_values(self))
        return _params.make_params(values)


@_described(_params.CLASS_CRITERIA, _CLASS_ATTRIBUTES)
class HonestForestClassifier(_HonestForest, ForestClassifier):
    """Honest trees for classes, whose answers are averaged.

    Every tree divides the rows that it draws (by default all of them) anew. With ``little_bags`` groups of so
    many trees share one half of the rows, and `predict_std_error` and `predict_mean_interval` are known. Of a
    ``tree_estimator`` only the parameters count that the forest has not itself.
    """

    _member = HonestTreeClassifier

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
        honest_prior: str = "ancestor",
        honest_fraction: float = 0.5,
        honest_method: str = "apply",
        tree_estimator: Any = None,
        stratify: bool = True,
        min_honest_rows: int = 1,
        little_bags: int = 0,
        calibration_fraction: float = 0.0,
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
        self.honest_prior = honest_prior
        self.honest_fraction = honest_fraction
        self.honest_method = honest_method
        self.tree_estimator = tree_estimator
        self.stratify = stratify
        self.min_honest_rows = min_honest_rows
        self.little_bags = little_bags
        self.calibration_fraction = calibration_fraction
        self.categorical_features = categorical_features
        self.ordinal_features = ordinal_features
        self.category_split = category_split


@_described(_params.NUMBER_CRITERIA, _NUMBER_ATTRIBUTES)
class HonestForestRegressor(_HonestForest, ForestRegressor):
    """Honest trees for numbers, whose answers are averaged.

    Every tree divides the rows that it draws (by default all of them) anew. With ``little_bags`` groups of so
    many trees share one half of the rows, and `predict_std_error` and `predict_mean_interval` are known. Of a
    ``tree_estimator`` only the parameters count that the forest has not itself.
    """

    _member = HonestTreeRegressor
    stratify: ClassVar[bool] = False

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 5,
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
        quantile: float = 0.5,
        honest_prior: str = "ancestor",
        honest_fraction: float = 0.5,
        honest_method: str = "apply",
        tree_estimator: Any = None,
        min_honest_rows: int = 1,
        little_bags: int = 0,
        calibration_fraction: float = 0.0,
        leaf_samples: bool = False,
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
        self.quantile = quantile
        self.honest_prior = honest_prior
        self.honest_fraction = honest_fraction
        self.honest_method = honest_method
        self.tree_estimator = tree_estimator
        self.min_honest_rows = min_honest_rows
        self.little_bags = little_bags
        self.calibration_fraction = calibration_fraction
        self.leaf_samples = leaf_samples
        self.categorical_features = categorical_features
        self.ordinal_features = ordinal_features
        self.category_split = category_split


def class_of(model: _core.Model) -> Any:
    """The estimator of an honest forest's model."""
    return HonestForestClassifier if model.task == "classification" else HonestForestRegressor

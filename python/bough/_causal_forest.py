# SPDX-License-Identifier: Apache-2.0
"""Forests of effects, and models with a treatment as estimators."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import _core, _input, _params, _targets
from ._base import Learner
from ._causal import Causal, CausalTree, PropensityTree
from ._estimators import _described
from ._forest import SeveralTrees

_FOREST_ATTRIBUTES = """Attributes
----------
estimators_ : list of CausalTree or PropensityTree
    Every tree as an estimator of its own.
treatment_values_ : ndarray of shape (2,)
    The values of the treatment, the treated one last.
n_features_in_ : int
feature_names_in_ : ndarray of shape (n_features_in_,)
    Only when X had names.
feature_importances_ : ndarray of shape (n_features_in_,)"""


@_described((), _FOREST_ATTRIBUTES)
class CausalForest(Causal, SeveralTrees, Learner):
    """Causal trees on halves of the rows, whose effects are averaged (Wager and Athey 2018).

    Groups of ``little_bags`` trees share one half of the rows; how far the groups are apart gives standard
    errors. ``n_estimators`` is a multiple of it. See docs/causal.md.
    """

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        causal_split: str = "effect",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_samples_arm: int = 5,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        max_samples: Any = None,
        little_bags: int = 2,
        center: bool = False,
        honest: bool = True,
        honest_fraction: float = 0.5,
        honest_method: str = "apply",
        honest_prior: str = "ancestor",
        honest_stratify: bool = True,
        min_honest_rows: int = 1,
        categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset",
        interaction_cst: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.causal_split = causal_split
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_samples_arm = min_samples_arm
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.little_bags = little_bags
        self.center = center
        self.honest = honest
        self.honest_fraction = honest_fraction
        self.honest_method = honest_method
        self.honest_prior = honest_prior
        self.honest_stratify = honest_stratify
        self.min_honest_rows = min_honest_rows
        self.categorical_features = categorical_features
        self.ordinal_features = ordinal_features
        self.category_split = category_split
        self.interaction_cst = interaction_cst
        self.n_jobs = n_jobs

    def _outcome(self, X: Any, y: Any, sample_weight: Any) -> Any:
        if not self.center:
            return y
        from ._random_forests import RandomForestRegressor

        foreseen = RandomForestRegressor(
            max(200, self.n_estimators),
            min_samples_leaf=5,
            oob_score=True,
            random_state=_params.seed_of(self.random_state),
            categorical_features=self.categorical_features,
            ordinal_features=self.ordinal_features,
            n_jobs=self.n_jobs,
        ).fit(X, y, sample_weight)
        return np.asarray(y, dtype=np.float64).ravel() - foreseen.oob_prediction_

    def _more_values(self) -> dict[str, Any]:
        # Rows are drawn without putting them back: in halves by little_bags, else all of them or max_samples.
        bootstrap = self.little_bags == 0 and self.max_samples is not None
        return {"forest": self.n_estimators, "causal_split": self.causal_split, "bootstrap": bootstrap}

    def _fit_threads(self, n_rows: int) -> int:
        return self._threads(n_rows * self.n_estimators)

    def _accept(self, model: _core.Model, targets: Any = None) -> None:
        self.__dict__.pop("_members", None)
        self.model_ = model
        self.n_outputs_ = 1

    def _answer_threads(self, n_rows: int) -> int:
        return self._threads(n_rows)


def from_causal(model: _core.Model) -> Any:
    """A fitted estimator around a core model with a treatment."""
    stored = json.loads(model.params)
    cls: Any = PropensityTree if stored["causal_split"] == "propensity" else CausalTree
    if model.n_trees > 1:
        cls = CausalForest
    wanted = {name: value for name, value in stored.items() if name in cls._names}
    wanted["random_state"] = stored.get("seed") or None
    if "interaction_cst" in wanted:
        wanted["interaction_cst"] = wanted["interaction_cst"] or None
    estimator = cls(**wanted)
    if model.n_trees > 1:
        estimator.set_params(n_estimators=model.n_trees)
    names = [name for name, _, _ in model.features]
    estimator.n_features_in_ = len(names)
    if names != _input.default_names(len(names)):
        estimator.feature_names_in_ = np.asarray(names, dtype=object)
    estimator._accept(model, _targets.Targets(["y"], [], np.empty(0)))
    estimator._set_treatment(model)
    return estimator

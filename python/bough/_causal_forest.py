# SPDX-License-Identifier: Apache-2.0
"""Forests of effects, and models with a treatment as estimators."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from . import _core, _input, _params, _targets
from ._base import BaseTree
from ._causal import Causal, CausalTree, PropensityTree
from ._estimators import _described

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
class CausalForest(Causal, BaseTree):
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
        self.model_ = model
        self.n_outputs_ = 1

    def __sklearn_is_fitted__(self) -> bool:
        return "model_" in self.__dict__

    @property
    def _model(self) -> _core.Model:
        check_is_fitted(self)
        return self.model_

    @property
    def estimators_(self) -> list[Any]:
        """Every tree as an estimator of its own."""
        return [from_causal(self._model.one_tree(tree)) for tree in range(self._model.n_trees)]

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share of every feature in what splits gained, over all trees."""
        return self._model.importances()

    def apply(self, X: Any) -> np.ndarray:  # type: ignore[override]
        """Leaf of every row in every tree.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)

        Returns
        -------
        leaves : ndarray of shape (n_samples, n_trees)
        """
        model, table, threads = self._rows(X)
        return np.stack([model.apply(table, threads, tree) for tree in range(model.n_trees)], axis=1)

    def decision_path(self, X: Any) -> tuple[Any, np.ndarray]:  # type: ignore[override]
        """Nodes that every row passes, the trees side by side, and where the columns of each tree begin."""
        parts = [tree.decision_path(X) for tree in self.estimators_]
        return sparse.hstack(parts).tocsr(), np.cumsum([0, *(part.shape[1] for part in parts)])

    def explain(self, X: Any, row: int = 0, tree: int = 0) -> dict[str, Any]:  # type: ignore[override]
        """The way of one row through one of the trees in words, and what all trees say together."""
        model, table, _ = self._rows(_input.as_rows(X))
        return json.loads(model.explain(table, row, tree))

    def save(self, path: Any) -> None:
        """Writes the model file that the command line reads too; a name in .json gives the JSON form."""
        from ._files import signed

        signed(self, self._model).save(str(path))

    def get_depth(self) -> int:
        """Edges on the longest path of all trees."""
        return max(tree.get_depth() for tree in self.estimators_)

    def get_n_leaves(self) -> int:
        """Leaves of all trees together."""
        return sum(tree.get_n_leaves() for tree in self.estimators_)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        if "model_" in state:
            state["model_"] = state["model_"].to_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        if isinstance(state.get("model_"), (bytes, bytearray)):
            state = {**state, "model_": _core.Model.from_bytes(bytes(state["model_"]))}
        super().__setstate__(state)


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

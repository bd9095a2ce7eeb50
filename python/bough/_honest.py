# SPDX-License-Identifier: Apache-2.0
"""Honest trees: some rows choose the splits, the others give the leaves their values."""

from __future__ import annotations

import json
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from . import _core, _params
from ._base import BaseTree
from ._described import _described
from ._errors import BoughError
from ._kinds import _Classifier, _Regressor
from ._tree import Tree

# What honest trees have beyond the trees whose structure they take.
_OWN = ("honest_fraction", "honest_method", "honest_prior", "min_honest_rows")


def honest_values(estimator: Any) -> dict[str, Any]:
    """The core's parameters of an honest tree or forest."""
    values = {name: getattr(estimator, name) for name in _OWN}
    return {**values, "honest": True, "honest_stratify": estimator.stratify}


class _Honest(BaseTree):
    # What the shared code asks for; trees with more than these come as tree_estimator.
    monotonic_cst: ClassVar[None] = None
    interaction_cst: ClassVar[None] = None
    column_costs: ClassVar[None] = None
    priors: ClassVar[None] = None
    loss_matrix: ClassVar[None] = None

    def _structure(self) -> Any:
        """The estimator whose parameters say how the structure is grown."""
        given = self.tree_estimator
        if given is None:
            return self
        if not isinstance(given, BaseTree) or isinstance(given, _Honest) or given._task != self._task:
            raise BoughError(
                f"tree_estimator must be a tree of bough for {self._task}, which is not honest itself, but"
                f" it is {type(given).__name__}"
            )
        if getattr(given, "class_weight", None) is not None:
            raise BoughError(
                "class_weight weighs all rows: give it to the honest tree, not to its tree_estimator"
            )
        defaults = type(self)()
        for name in self._grown_by:
            if getattr(self, name) != getattr(defaults, name):
                raise BoughError(
                    f"{name} was given beside a tree_estimator, whose {name} holds: set it there"
                )
        given._check_params()
        return given

    @property
    def _grown_by(self) -> list[str]:
        elsewhere = {
            "tree_estimator",
            "stratify",
            "cross_fit",
            "random_state",
            "class_weight",
            "n_jobs",
            *_OWN,
        }
        elsewhere |= {"calibration_fraction", "leaf_samples"}
        return [name for name in type(self)._names if name not in elsewhere]

    def _core_params(self, rows: Any, targets: Any) -> _core.Params:
        if rows.n_rows < 2:
            raise BoughError(
                f"n_samples={rows.n_rows}: honest trees divide the rows, so they need two at least"
            )
        structure, seed = self._structure(), _params.seed_of(self.random_state)
        make = super()._make_params if structure is self else structure._make_params
        values = json.loads(make(rows, targets, seed).to_json())
        values.update(honest_values(self))
        for name in ("cross_fit", "calibration_fraction", "leaf_samples"):
            if name in type(self)._names:
                values[name] = getattr(self, name)
        return _params.make_params(values)

    def _column_specs(self, rows: Any) -> Any:
        structure = self._structure()
        return super()._column_specs(rows) if structure is self else structure._column_specs(rows)

    def _accept(self, model: _core.Model, targets: Any) -> None:
        super()._accept(model, targets)
        if self.tree_estimator is not None:
            from ._base import _max_features

            self.max_features_ = _max_features(self.tree_estimator.max_features, self.n_features_in_)

    @property
    def trees_(self) -> list[Tree]:
        """The tree, or with ``cross_fit`` both of them; ``tree_`` is the first."""
        model = self._model
        return [Tree(model.one_tree(i)) for i in range(model.n_trees)] if model.n_trees > 1 else [self.tree_]

    def apply(self, X: Any, check_input: bool = True) -> np.ndarray:
        """Leaf of every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
        check_input : bool, default=True
            Kept for compatibility.

        Returns
        -------
        leaves : ndarray of shape (n_samples,); with ``cross_fit`` (n_samples, 2), a column for each tree
        """
        table = self._table(X, check_input)
        model, threads = self.tree_.model, self._threads(table.n_rows)
        if model.n_trees == 1:
            return model.apply(table, threads)
        return np.stack([model.apply(table, threads, tree) for tree in range(model.n_trees)], axis=1)

    def decision_path(self, X: Any, check_input: bool = True) -> sparse.csr_matrix:
        """Nodes that every row passes.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
        check_input : bool, default=True
            Kept for compatibility.

        Returns
        -------
        indicator : sparse matrix of shape (n_samples, n_nodes)
            With ``cross_fit`` those of both trees side by side.
        """
        table = self._table(X, check_input)
        paths = [tree.path_matrix(table) for tree in self.trees_]
        return paths[0] if len(paths) == 1 else sparse.hstack(paths, format="csr")


@_described(_params.CLASS_CRITERIA)
class HonestTreeClassifier(_Honest, _Classifier):
    """A tree for classes whose leaves count other rows than those that chose the splits.

    ``stratify`` divides the rows class by class. A ``tree_estimator`` gives the structure its parameters;
    without one they are set here.
    """

    def __init__(
        self,
        tree_estimator: Any = None,
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
        honest_prior: str = "ancestor",
        honest_fraction: float = 0.5,
        honest_method: str = "apply",
        stratify: bool = True,
        min_honest_rows: int = 1,
        cross_fit: bool = False,
        calibration_fraction: float = 0.0,
        leaf_probability: str = "plain",
        categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset",
        n_jobs: int | None = None,
    ) -> None:
        self.tree_estimator = tree_estimator
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
        self.honest_prior = honest_prior
        self.honest_fraction = honest_fraction
        self.honest_method = honest_method
        self.stratify = stratify
        self.min_honest_rows = min_honest_rows
        self.cross_fit = cross_fit
        self.calibration_fraction = calibration_fraction
        self.leaf_probability = leaf_probability
        self.categorical_features = categorical_features
        self.ordinal_features = ordinal_features
        self.category_split = category_split
        self.n_jobs = n_jobs


@_described(_params.NUMBER_CRITERIA)
class HonestTreeRegressor(_Honest, _Regressor):
    """A tree for numbers whose leaves answer with the mean of other rows than those that chose the splits.

    A ``tree_estimator`` gives the structure its parameters; without one they are set here.
    """

    stratify: ClassVar[bool] = False

    def __init__(
        self,
        tree_estimator: Any = None,
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
        quantile: float = 0.5,
        honest_prior: str = "ancestor",
        honest_fraction: float = 0.5,
        honest_method: str = "apply",
        min_honest_rows: int = 1,
        cross_fit: bool = False,
        calibration_fraction: float = 0.0,
        leaf_samples: bool = False,
        categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None,
        category_split: str = "subset",
        n_jobs: int | None = None,
    ) -> None:
        self.tree_estimator = tree_estimator
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
        self.quantile = quantile
        self.honest_prior = honest_prior
        self.honest_fraction = honest_fraction
        self.honest_method = honest_method
        self.min_honest_rows = min_honest_rows
        self.cross_fit = cross_fit
        self.calibration_fraction = calibration_fraction
        self.leaf_samples = leaf_samples
        self.categorical_features = categorical_features
        self.ordinal_features = ordinal_features
        self.category_split = category_split
        self.n_jobs = n_jobs

# SPDX-License-Identifier: Apache-2.0
"""How models of several trees answer; and those grown elsewhere, which are exported, but do not learn."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, MultiOutputMixin, RegressorMixin

from . import _core
from ._answers import ClassAnswers, NumberAnswers
from ._arguments import whole_number
from ._explain import ExplainMixin
from ._export_mixin import ExportMixin
from ._html import Explanation
from ._intervals import ClassIntervals, NumberIntervals


class SeveralTrees(ExplainMixin):
    """Answers of all trees together, out of `model_`, the core's model."""

    model_: _core.Model
    _member: Any = None  # the class of single trees; by default the one that fits the model

    def apply(self, X: Any) -> np.ndarray:
        """Return the leaf of every row in every tree: an ndarray of shape (n_samples, n_trees)."""
        return np.stack(self._leaves(X), axis=1)

    @property
    def estimators_(self) -> list[Any]:
        """List of the trees as estimators."""
        from ._files import from_model

        # Not fitted: hasattr() must say so.
        if "model_" not in self.__dict__:
            raise AttributeError(f"this {type(self).__name__} is not fitted, so it has no estimators_")
        if "_members" not in self.__dict__:
            self._members = [
                from_model(self.model_.one_tree(tree), self._member) for tree in range(self.model_.n_trees)
            ]
        return self._members

    def __len__(self) -> int:
        return self._model.n_trees

    def __getitem__(self, tree: int) -> Any:
        return self.estimators_[tree]

    def __iter__(self) -> Any:
        return iter(self.estimators_)

    def decision_path(self, X: Any) -> tuple[sparse.csr_matrix, np.ndarray]:
        """Return the nodes on the path of every row in every tree.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)

        Returns
        -------
        indicator : sparse matrix of shape (n_samples, n_nodes of all trees)
            The nodes of the trees are side by side.
        n_nodes_ptr : ndarray of shape (n_trees + 1,)
            The first column of each tree.
        """
        paths = self._paths(X)
        return sparse.hstack(paths, format="csr"), np.cumsum([0, *self.model_.tree_sizes])

    def explain(self, X: Any, row: int = 0, tree: int = 0) -> Explanation:
        """Explain the path of one row through one of the trees in words, and the prediction of all trees
        together.
        """
        return self._explanation(X, row, whole_number(tree, "tree"))


class _ImportedForest(SeveralTrees, ExportMixin, MultiOutputMixin, BaseEstimator):
    _names: ClassVar[tuple[str, ...]] = ()  # it cannot be fitted, so it has no parameters

    @property
    def n_estimators(self) -> int:
        """Number of trees."""
        return self.model_.n_trees


class ImportedForestClassifier(ClassifierMixin, ClassAnswers, ClassIntervals, _ImportedForest):
    """A forest classifier that was grown by another program, from `from_sklearn` or a model file.

    It predicts, explains, saves and exports, but it cannot be fitted.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,) or list of them
    estimators_ : list of DecisionTreeClassifier
    n_features_in_, n_outputs_ : int
    """


class ImportedForestRegressor(RegressorMixin, NumberAnswers, NumberIntervals, _ImportedForest):
    """A forest regressor that was grown by another program, from `from_sklearn` or a model file.

    It predicts, explains, saves and exports, but it cannot be fitted.

    Attributes
    ----------
    estimators_ : list of DecisionTreeRegressor
    n_features_in_, n_outputs_ : int
    """

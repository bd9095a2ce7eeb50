# SPDX-License-Identifier: Apache-2.0
"""How models of several trees answer; and those grown elsewhere, which are exported, but do not learn."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from . import _core, _input, _targets
from ._answers import ClassAnswers, FittedModel, NumberAnswers
from ._arguments import whole_number
from ._explain import ExplainMixin
from ._export_mixin import ExportMixin
from ._html import Explanation
from ._intervals import ClassIntervals, NumberIntervals


class SeveralTrees(FittedModel):
    """Answers of all trees together, out of `model_`, the core's model, which files and pickles carry."""

    model_: _core.Model
    _own_answer: Any  # of ExplainMixin

    def __sklearn_is_fitted__(self) -> bool:
        return "model_" in self.__dict__

    def apply(self, X: Any) -> np.ndarray:
        """Return the leaf of every row in every tree: an ndarray of shape (n_samples, n_trees)."""
        cells, threads = self._cells(X)
        columns = [
            self._finite(X, self.model_.apply(cells, threads, tree)) for tree in range(self.model_.n_trees)
        ]
        return np.stack(columns, axis=1)

    @property
    def _model(self) -> _core.Model:
        if "model_" not in self.__dict__:
            check_is_fitted(self)
        return self.model_

    def _renew(self, model: _core.Model) -> None:
        self.__dict__.pop("_members", None)
        self.model_ = model

    _member: Any = None  # the class of single trees; by default the one that fits the model

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

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share of every feature in the decrease of impurity, averaged over the trees that have any."""
        return self._model.importances()

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
        table = self._table(X)
        parts = []
        for tree, size in enumerate(self.model_.tree_sizes):
            starts, nodes = self.model_.decision_path(table, tree)
            ones = np.ones(len(nodes), dtype=np.int64)
            parts.append(sparse.csr_matrix((ones, nodes, starts), shape=(len(starts) - 1, size)))
        return sparse.hstack(parts).tocsr(), np.cumsum([0, *self.model_.tree_sizes])

    def explain(self, X: Any, row: int = 0, tree: int = 0) -> Explanation:
        """Explain the path of one row through one of the trees in words, and the prediction of all trees
        together.
        """
        tree = whole_number(tree, "tree")
        told = json.loads(self._model.explain(self._table(_input.as_rows(X)), row, tree))
        if self.n_outputs_ == 1:
            told["prediction"] = self._own_answer(told["prediction"])
        return Explanation(**told)

    def to_sklearn(self) -> Any:
        """Convert the trees to a fitted forest of scikit-learn, for float32 data.

        Raises
        ------
        NotImplementedError
            If a node contains a test that scikit-learn's trees do not support.
        """
        from ._sklearn import forest_to_sklearn

        self._model  # noqa: B018  (says so when there is none yet)
        return forest_to_sklearn(self)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())  # type: ignore[misc]
        state.pop("_members", None)
        if "model_" in state:
            state["model_"] = state["model_"].to_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        if isinstance(state.get("model_"), (bytes, bytearray)):
            state = {**state, "model_": _core.Model.from_bytes(bytes(state["model_"]))}
        super().__setstate__(state)  # type: ignore[misc]


def adopt(forest: Any, model: _core.Model) -> None:
    """Takes over a model that came from elsewhere, with what it knows about its features."""
    forest.model_ = model
    forest.n_outputs_ = len(model.targets)
    _input.set_features(forest, model.feature_names)


class _ImportedForest(SeveralTrees, ExplainMixin, ExportMixin, MultiOutputMixin, BaseEstimator):
    def _accept(self, model: _core.Model) -> Any:
        adopt(self, model)
        if model.task == "classification":
            classes = _targets.labels_of(model)
            self.classes_ = classes[0] if len(classes) == 1 else classes
            self.n_classes_ = len(classes[0]) if len(classes) == 1 else [len(labels) for labels in classes]
        return self

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


def forest_of(model: _core.Model) -> ImportedForestClassifier | ImportedForestRegressor:
    """The estimator around a model of several trees."""
    classify = model.task == "classification"
    return (ImportedForestClassifier if classify else ImportedForestRegressor)()._accept(model)

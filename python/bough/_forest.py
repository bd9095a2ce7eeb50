# SPDX-License-Identifier: Apache-2.0
"""Models of several trees that were grown elsewhere: they answer and are exported, but do not learn."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, MultiOutputMixin, RegressorMixin

from . import _core, _input, _targets
from ._explain import ExplainMixin
from ._ship import ShipMixin

_FEW_ROWS = 5000  # not worth a second thread


class _ImportedForest(ExplainMixin, ShipMixin, MultiOutputMixin, BaseEstimator):
    """What both kinds share. `model_` is the core's model, which files and pickles carry."""

    model_: _core.Model
    classes_: Any

    def _accept(self, model: _core.Model) -> Any:
        names = [name for name, _, _ in model.features]
        self.model_ = model
        self.n_features_in_ = len(names)
        self.n_outputs_ = len(model.targets)
        if names != _input.default_names(len(names)):
            self.feature_names_in_ = np.asarray(names, dtype=object)
        if model.task == "classification":
            classes = _targets.labels_of(model)
            self.classes_ = classes[0] if len(classes) == 1 else classes
            self.n_classes_ = len(classes[0]) if len(classes) == 1 else [len(labels) for labels in classes]
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return "model_" in self.__dict__

    def _table(self, X: Any) -> tuple[_core.Table, int]:
        names = [name for name, _, _ in self.model_.features]
        table = _input.read_rows(self, X, names=names).table
        return table, 1 if table.n_rows < _FEW_ROWS else 0

    def apply(self, X: Any) -> np.ndarray:
        """Leaf of every row in every tree.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)

        Returns
        -------
        leaves : ndarray of shape (n_samples, n_trees)
        """
        table, threads = self._table(X)
        columns = [self.model_.apply(table, threads, tree) for tree in range(self.model_.n_trees)]
        return np.stack(columns, axis=1)

    @property
    def _model(self) -> _core.Model:
        return self.model_

    @property
    def estimators_(self) -> list[Any]:
        """Every tree as an estimator of its own."""
        from ._files import from_model

        return [from_model(self.model_.one_tree(tree)) for tree in range(self.model_.n_trees)]

    @property
    def n_estimators(self) -> int:
        """Number of trees."""
        return self.model_.n_trees

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share of every feature in the decrease of impurity: the mean of the trees that split at all."""
        each = np.array([tree.feature_importances_ for tree in self.estimators_ if tree.get_n_leaves() > 1])
        if not len(each):
            return np.zeros(self.n_features_in_)
        mean = each.mean(axis=0)
        return mean / mean.sum() if mean.sum() > 0 else mean

    def decision_path(self, X: Any) -> tuple[sparse.csr_matrix, np.ndarray]:
        """Nodes that every row passes, the trees side by side, and where the columns of each tree begin."""
        parts = [tree.decision_path(X) for tree in self.estimators_]
        starts = np.cumsum([0, *(part.shape[1] for part in parts)])
        return sparse.hstack(parts).tocsr(), starts

    def explain(self, X: Any, row: int = 0, tree: int = 0) -> dict[str, Any]:
        """The way of one row through one of the trees in words, and what all trees say together."""
        return json.loads(self.model_.explain(self._table(_input.as_rows(X))[0], row, tree))

    def save(self, path: Any) -> None:
        """Writes the model file that the command line reads too; a name in .json gives the JSON form."""
        self.model_.save(str(path))

    def to_sklearn(self) -> Any:
        """The same trees as a fitted forest of scikit-learn, for data of float32.

        Raises
        ------
        NotImplementedError
            When a node tests something that scikit-learn's trees cannot.
        """
        from ._sklearn import forest_to_sklearn

        return forest_to_sklearn(self)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        if "model_" in state:
            state["model_"] = state["model_"].to_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        if isinstance(state.get("model_"), (bytes, bytearray)):
            state = {**state, "model_": _core.Model.from_bytes(bytes(state["model_"]))}
        super().__setstate__(state)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


class ImportedForestClassifier(ClassifierMixin, _ImportedForest):
    """Several classification trees that answer together, from `from_sklearn` or a model file.

    It cannot be fitted; it predicts, explains, saves and exports.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,) or list of them
    estimators_ : list of DecisionTreeClassifier
    n_features_in_, n_outputs_ : int
    """

    def predict(self, X: Any) -> np.ndarray:
        """The class of the largest mean share (or of the most votes); of equals the first.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        codes = self.model_.predict(*self._table(X))
        if self.n_outputs_ == 1:
            return self.classes_.take(codes[:, 0])
        return np.stack([labels.take(codes[:, k]) for k, labels in enumerate(self.classes_)], axis=1)

    def predict_proba(self, X: Any) -> Any:
        """Shares of the classes, the mean over the trees (or shares of the votes).

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)

        Returns
        -------
        proba : ndarray of shape (n_samples, n_classes), or a list of them for several outputs
        """
        table, threads = self._table(X)
        parts = [self.model_.predict_proba(table, k, threads) for k in range(self.n_outputs_)]
        return parts[0] if self.n_outputs_ == 1 else parts

    def predict_log_proba(self, X: Any) -> Any:
        """Natural logarithms of predict_proba; -inf for 0."""
        proba = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(proba) if self.n_outputs_ == 1 else [np.log(part) for part in proba]


class ImportedForestRegressor(RegressorMixin, _ImportedForest):
    """Several regression trees that answer with their mean, from `from_sklearn` or a model file.

    It cannot be fitted; it predicts, explains, saves and exports.

    Attributes
    ----------
    estimators_ : list of DecisionTreeRegressor
    n_features_in_, n_outputs_ : int
    """

    def predict(self, X: Any) -> np.ndarray:
        """The mean of what the trees say.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        values = self.model_.predict(*self._table(X))
        return values[:, 0] if self.n_outputs_ == 1 else values


def forest_of(model: _core.Model) -> ImportedForestClassifier | ImportedForestRegressor:
    """The estimator around a model of several trees."""
    classify = model.task == "classification"
    return (ImportedForestClassifier if classify else ImportedForestRegressor)()._accept(model)

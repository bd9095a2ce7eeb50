# SPDX-License-Identifier: Apache-2.0
"""How fitted trees and forests answer: rows on their way to the core's model, classes and numbers back."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.base import ClassifierMixin
from sklearn.utils import metadata_routing
from sklearn.utils.validation import check_is_fitted

from . import _core, _input, _targets
from ._tree import Tree, path_matrix, plain_integers

FEW_ROWS = 5000  # not worth a second thread unless it is asked for


class FittedModel:
    """What all mixins of fitted estimators build on: the core's model, which pickles carry as its bytes."""

    _holder: ClassVar[str] = "model_"  # the attribute that has the model once there is one
    n_outputs_: int
    n_features_in_: int
    classes_: Any
    n_classes_: Any

    def __sklearn_is_fitted__(self) -> bool:
        return self._holder in self.__dict__

    @property
    def _model(self) -> _core.Model:
        """The core's model; raises when there is none yet."""
        held: Any = self.__dict__.get(self._holder)
        if held is None:
            check_is_fitted(self)
        return held.model if isinstance(held, Tree) else held

    def _renew(self, model: _core.Model) -> None:
        """Takes over the model with something added to it."""
        self.__dict__.pop("_members", None)
        self.__dict__[self._holder] = model

    def _adopt(self, model: _core.Model) -> Any:
        """Takes over a model that came from elsewhere, with what it knows about features and classes."""
        _input.set_features(self, model.feature_names)
        self.n_outputs_ = len(model.targets)
        self._renew(model)
        if model.task == "classification":
            self._set_classes(_targets.labels_of(model.targets))
        return self

    def _set_classes(self, classes: list[np.ndarray]) -> None:
        if len(classes) == 1:
            self.classes_, self.n_classes_ = classes[0], np.intp(len(classes[0]))
        else:
            self.classes_ = classes
            self.n_classes_ = np.array([len(labels) for labels in classes], dtype=np.intp)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())  # type: ignore[misc]
        state.pop("_members", None)
        if self._holder in state:
            state[self._holder] = self._model.to_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        data = state.get(self._holder)
        model = _core.Model.from_bytes(bytes(data)) if isinstance(data, (bytes, bytearray)) else None
        super().__setstate__(state)  # type: ignore[misc]
        if model is not None:
            self._renew(model)

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share of every feature in the decrease in impurity, averaged over the trees that have any."""
        return self._model.importances()

    def _leaves(self, X: Any, check_input: bool = True) -> list[np.ndarray]:
        """The leaves of the rows in each tree."""
        cells, threads = self._cells(X, check_input)
        model = self._model
        return [self._finite(X, model.apply(cells, threads, tree)) for tree in range(model.n_trees)]

    def _paths(self, X: Any, check_input: bool = True) -> list[sparse.csr_matrix]:
        """The nodes on the paths of the rows in each tree."""
        table, model = self._table(X, check_input), self._model
        return [path_matrix(model, table, tree) for tree in range(model.n_trees)]

    def _threads(self, n_rows: int) -> int:
        return 1 if n_rows < FEW_ROWS else 0

    def _table(self, X: Any, check_input: bool = True) -> _core.Table:
        """X as a table under the model's names."""
        names = self._model.feature_names  # first: it says when there is no model
        return _input.read_rows(self, X, names=names, check=check_input).table

    def _cells(self, X: Any, check_input: bool = True) -> tuple[_core.Table | np.ndarray, int]:
        """X as a matrix where the model takes one, else as a table; and how many threads are worth it.

        Whether all cells of a matrix are finite is seen while it is answered: `_finite` must get the answer.
        """
        cells = _input.read_cells(self, self._model, X, check_input)
        return cells, self._threads(len(cells))

    def _finite(self, X: Any, answer: Any) -> Any:
        """The core's answer about X; raises where there is none, because a cell is infinite."""
        if answer is None:
            _input.read_rows(self, X, names=self._model.feature_names)
            return answer
        return plain_integers(answer)

    def _asked(self, X: Any) -> tuple[_core.Model, _core.Table, int]:
        """The model, X as its table, and how many threads are worth it."""
        table = self._table(X)
        return self._model, table, self._threads(table.n_rows)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags

    def _by_output(self, answer: Any) -> Any:
        return answer(0) if self.n_outputs_ == 1 else [answer(k) for k in range(self.n_outputs_)]


class MultiLabelMixin(ClassifierMixin):
    """What a classifier is to scikit-learn that takes several targets of classes."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags


class Answers(FittedModel):
    """Predictions of trees and forests."""

    __metadata_request__predict: ClassVar = {"check_input": metadata_routing.UNUSED}

    def predict(self, X: Any, check_input: bool = True) -> np.ndarray:
        """Predict the class or the number of every row.

        A classifier predicts the class with the largest share in the leaf of the row. A model of several
        trees predicts the class with the largest mean share or the most votes. If several classes are equal,
        it predicts the first. A regressor predicts the value of the leaf, or its mean over several trees.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
        check_input : bool, default=True
            Has no effect; accepted for compatibility with scikit-learn.

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        cells, threads = self._cells(X, check_input)
        return self._from_core(self._finite(X, self._model.predict(cells, threads)))

    def _from_core(self, values: np.ndarray) -> np.ndarray:
        """What the core's numbers, a column per output, mean to the user."""
        raise NotImplementedError


class ClassAnswers(Answers):
    """Predictions of classes and class probabilities."""

    def _from_core(self, values: np.ndarray) -> np.ndarray:
        if self.n_outputs_ > 1:
            return np.stack([labels.take(values[:, k]) for k, labels in enumerate(self.classes_)], axis=1)
        codes, labels = values[:, 0], self.classes_
        if labels.dtype == codes.dtype and labels[0] == 0 and labels[-1] == len(labels) - 1:
            return codes  # sorted labels: these are 0, 1, 2, ...
        return labels.take(codes)

    def predict_proba(self, X: Any, check_input: bool = True) -> Any:
        """Predict the class probabilities of every row.

        These are the shares of the classes in the leaf of the row. A model of several trees returns the mean
        of the shares over the trees, or the shares of the votes.

        Parameters
        ----------
        X, check_input
            As for `predict`.

        Returns
        -------
        proba : ndarray of shape (n_samples, n_classes), or a list of them for several outputs
        """
        cells, threads = self._cells(X, check_input)
        return self._by_output(
            lambda k: self._finite(X, self._model.predict_proba(cells, k, threads)),
        )

    def predict_log_proba(self, X: Any) -> Any:
        """Return the natural logarithm of `predict_proba`; -inf where the probability is 0."""
        proba = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(proba) if self.n_outputs_ == 1 else [np.log(part) for part in proba]


class NumberAnswers(Answers):
    """Predictions of numbers."""

    def _from_core(self, values: np.ndarray) -> np.ndarray:
        return values[:, 0] if self.n_outputs_ == 1 else values


def ours(estimator: Any) -> Any:
    """An estimator of bough as it is, or what `from_sklearn` makes of one of scikit-learn."""
    if isinstance(estimator, FittedModel):
        return estimator
    from ._sklearn import from_sklearn

    return from_sklearn(estimator)

# SPDX-License-Identifier: Apache-2.0
"""What forests that are grown here do beyond answering: fit with bags, more trees, out-of-bag scores."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar
from warnings import warn

import numpy as np
from scipy import sparse
from sklearn.base import RegressorMixin, is_classifier
from sklearn.exceptions import DataConversionWarning
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _core, _input, _targets
from ._answers import ClassAnswers, MultiLabelMixin, NumberAnswers
from ._base import Learner
from ._forest import SeveralTrees
from ._forest_views import ForestViews
from ._intervals import ClassIntervals, NumberIntervals

if TYPE_CHECKING:
    from typing_extensions import Self


class BaseForest(ForestViews, SeveralTrees, Learner):
    """Base of forests. A derived class has their parameters, says what its trees are (`_member`, `_splitter`)
    and adds core parameters in `_core_values`."""

    _splitter: ClassVar[str] = "best"
    _attributes = """
estimators_ : list of trees
    The trees as estimators.
estimators_samples_ : list of ndarray
    The rows that each tree has drawn.
oob_score_ : float
    Only with ``oob_score``."""
    _n_samples: int
    _sample_weight: Any

    # ---------------------------------------------------------------- fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
            Rows; float32 and float64 are used without conversion. NaN and null are missing cells.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Class labels, or numbers.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows, 0 or more. With bootstrap, rows are drawn in proportion to their weights.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, True)

    def _grow(self, X: Any, y: Any, sample_weight: Any, check_input: bool, folds: Any = None) -> Any:
        y = self._check_y(y)
        rows, targets, weight_name = self._training_table(X, y, sample_weight, check_input)
        self._n_samples = rows.n_rows
        self._n_samples_bootstrap = self._bag_size()
        if not self.bootstrap and self.oob_score:
            raise ValueError("Out of bag estimation only available if bootstrap=True")
        so_far: Any = self.__dict__.get("model_") if self.warm_start else None
        n_more = self.n_estimators - (so_far.n_trees if so_far else 0)
        if n_more < 0:
            raise ValueError(
                f"n_estimators={self.n_estimators} must be larger or equal to "
                f"len(estimators_)={so_far.n_trees} when warm_start==True"
            )
        if n_more == 0:
            warn("Warm-start fitting without increasing n_estimators does not fit new trees.", stacklevel=4)
        else:
            progress = _said(self.n_estimators) if self.verbose else None
            model = self._grow_model(rows, targets, weight_name, progress=progress, so_far=so_far)
            for note in model.notes if so_far else []:
                if note.startswith("the added trees were grown on other rows or row weights"):
                    warn(
                        f"warm_start: {note}. A forest from a file does not remember sample_weight and"
                        " class_weight: give the weights of the first fit to fit.",
                        UserWarning,
                        stacklevel=4,
                    )
            self._accept(model, targets)
        if self.oob_score and (n_more > 0 or not hasattr(self, "oob_score_")):
            self._check_oob(targets.original)
            self._set_oob_score_and_attributes(
                rows.table,
                _codes(targets.original) if is_classifier(self) else targets.original,
                self.oob_score if callable(self.oob_score) else None,
            )
        return self

    def _check_y(self, y: Any) -> np.ndarray:
        if sparse.issparse(y):
            raise ValueError("sparse multilabel-indicator for y is not supported.")
        checked = _targets.check_y(self, y)
        if checked.ndim == 2 and checked.shape[1] == 1:
            warn(
                "A column-vector y was passed when a 1d array was expected. Please change the shape of y to "
                "(n_samples,), for example using ravel().",
                DataConversionWarning,
                stacklevel=5,
            )
        if self.criterion == "poisson" and not np.any(checked < 0) and np.sum(checked) <= 0:
            raise ValueError("Sum of y is not strictly positive which is necessary for Poisson regression.")
        return y if hasattr(y, "columns") or hasattr(y, "name") else checked

    def _row_weights(self, X: Any, y: np.ndarray, sample_weight: Any) -> np.ndarray | None:
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
            if weights.size and weights.min() < 0:
                raise ValueError(
                    "Negative values in data passed to `sample_weight`; bough needs weights >= 0."
                )
        _, by_class = self._validate_y_class_weight(y.reshape(len(y), -1), weights)
        if by_class is not None:
            weights = _targets.with_class_weights(weights, by_class)
        self._sample_weight = None if weights is None else np.ascontiguousarray(weights)
        return self._sample_weight

    def _validate_y_class_weight(self, y: np.ndarray, sample_weight: Any) -> tuple[np.ndarray, Any]:
        """y (n_samples, n_outputs), and the weights that rows have for their class; None: all 1. The name is
        scikit-learn's, whose tests ask for it."""
        return y, None

    def _bag_size(self) -> int | None:
        """Rows that every tree draws, as the core counts them; None without bootstrap."""
        if not self.bootstrap:
            if self.max_samples is not None:
                raise ValueError(
                    "`max_sample` cannot be set if `bootstrap=False`. "
                    "Either switch to `bootstrap=True` or set `max_sample=None`."
                )
            return None
        if self.max_samples is None:
            return self._n_samples
        if isinstance(self.max_samples, (int, np.integer)):
            return int(self.max_samples)
        weighted = self._sample_weight is not None
        total = self._n_samples if not weighted else float(np.cumsum(self._sample_weight)[-1])
        size = max(int(self.max_samples * total), 1)
        if size < max(10, self._n_samples ** (1 / 3)):
            what = "the total sum of sample weights" if weighted else "the number of samples"
            warn(
                f"Using the fractional value max_samples={self.max_samples} when {what} is {total} results"
                f" in a low number ({size}) of bootstrap samples. We recommend passing `max_samples` as an"
                " integer instead.",
                stacklevel=5,
            )
        return size

    def _seed(self) -> int:
        # A forest has one seed, that of its first trees: it says which rows they have drawn.
        if self.warm_start and "model_" in self.__dict__:
            return int(json.loads(self.model_.params)["seed"])
        return super()._seed()

    def _core_values(self, rows: _input.Rows, targets: Any, seed: int) -> dict[str, Any]:
        values = super()._core_values(rows, targets, seed)
        values |= {"forest": self.n_estimators, "splitter": self._splitter}
        if getattr(self, "class_weight", None) == "balanced_subsample" and self.bootstrap:
            values["class_weight"] = "balanced_subsample"
        return values

    # ---------------------------------------------------------------- rows that trees have drawn
    @property
    def estimator(self) -> Any:
        """An unfitted tree with the parameters of the trees of the forest."""
        return self._member()

    @property
    def estimator_(self) -> Any:
        """The same as ``estimator``, for a fitted forest."""
        check_is_fitted(self)
        return self._member()

    @property
    def estimator_params(self) -> tuple[str, ...]:
        """Names of the parameters that the forest passes to its trees."""
        return tuple(name for name in self._names if name in self._member._names)

    @property
    def estimators_samples_(self) -> list[np.ndarray]:
        """The rows that each tree was grown on, sorted; a row is repeated as often as it was drawn."""
        check_is_fitted(self)
        if "_n_samples" not in self.__dict__:
            raise AttributeError("a forest from a file does not know the rows that it was fitted on")
        weights = [] if self._sample_weight is None else self._sample_weight.tolist()
        return [self.model_.bag(tree, self._n_samples, weights) for tree in range(self.model_.n_trees)]

    def _check_oob(self, y: np.ndarray) -> None:
        kind = type_of_target(y)
        if kind == "unknown" or (is_classifier(self) and kind == "multiclass-multioutput"):
            raise ValueError(
                f"The type of target cannot be used to compute OOB estimates. Got {kind} while only the"
                " following are supported: continuous, continuous-multioutput, binary, multiclass,"
                " multilabel-indicator."
            )

    def _out_of_bag(self, table: _core.Table) -> list[np.ndarray]:
        """Answers of the trees that have not drawn a row, output by output; 0 where all have."""
        weights = [] if self._sample_weight is None else self._sample_weight.tolist()
        threads = self._threads(table.n_rows * self.n_estimators)
        values, n_trees = _core.out_of_bag(self.model_, table, weights, threads)
        if (n_trees == 0).any():
            warn(
                "Some inputs do not have OOB scores. This probably means too few trees were used to compute "
                "any reliable OOB estimates.",
                UserWarning,
                stacklevel=6,
            )
            values = np.where(n_trees[:, None] == 0, 0.0, values)
        widths = [max(1, len(levels)) for _, _, (_, levels) in self.model_.targets]
        return np.split(values, np.cumsum(widths)[:-1], axis=1)

    def _set_oob_score_and_attributes(self, table: Any, y: Any, scoring_function: Any = None) -> None:
        raise NotImplementedError


class ForestClassifier(MultiLabelMixin, ClassAnswers, ClassIntervals, BaseForest):
    """Base of forests for classes."""

    _task = "classification"
    _attributes = f"""{BaseForest._attributes}
oob_decision_function_ : ndarray of shape (n_samples, n_classes) or (n_samples, n_classes, n_outputs)
    Shares of the classes by the trees that have not drawn a row; 0 where all have."""

    def _validate_y_class_weight(self, y: np.ndarray, sample_weight: Any) -> tuple[np.ndarray, Any]:
        if not _few_whole_numbers(y):
            check_classification_targets(y)
        wish = self.class_weight
        if wish is None:
            return y, None
        if isinstance(wish, (dict, list)):
            return y, compute_sample_weight(wish, y)
        if self.warm_start:
            warn(
                f'class_weight preset "{wish}" is not recommended for warm_start if the fitted data differs'
                " from the full dataset. Compute the weights of the classes once, on all rows or a large"
                " sample of them, and pass them as class_weight.",
                stacklevel=6,
            )
        if wish == "balanced_subsample" and self.bootstrap:
            return y, None
        return y, _targets.class_factors("balanced", y, sample_weight)

    def _set_oob_score_and_attributes(self, table: Any, y: Any, scoring_function: Any = None) -> None:
        parts = self._out_of_bag(table)
        self.oob_decision_function_ = parts[0] if len(parts) == 1 else np.stack(parts, axis=-1)
        chosen = np.argmax(self.oob_decision_function_, axis=1)
        self.oob_score_ = (scoring_function or accuracy_score)(y, chosen)


class ForestRegressor(RegressorMixin, NumberAnswers, NumberIntervals, BaseForest):
    """Base of forests for numbers."""

    _task = "regression"
    _attributes = f"""{BaseForest._attributes}
oob_prediction_ : ndarray of shape (n_samples,) or (n_samples, n_outputs)
    Answers of the trees that have not drawn a row; 0 where all have."""

    def _set_oob_score_and_attributes(self, table: Any, y: Any, scoring_function: Any = None) -> None:
        values = np.concatenate(self._out_of_bag(table), axis=1)
        self.oob_prediction_ = values[:, 0] if values.shape[1] == 1 else values
        self.oob_score_ = (scoring_function or r2_score)(y, self.oob_prediction_)


def _few_whole_numbers(y: np.ndarray) -> bool:
    """Whether y is one output of whole numbers out of a range so small that scikit-learn's check of labels,
    which counts the different ones, has nothing to say."""
    if y.shape[1] > 1 or y.dtype.kind not in "iu" or y.size == 0:
        return False
    return int(y.max()) - int(y.min()) < y.size // 2


def _codes(y: np.ndarray) -> np.ndarray:
    """Labels as numbers of classes, output by output; one output has one dimension."""
    columns = [np.unique(column, return_inverse=True)[1].ravel() for column in y.reshape(len(y), -1).T]
    return columns[0] if len(columns) == 1 else np.stack(columns, axis=1)


def _said(n_trees: int) -> Callable[[str, float, int], bool]:
    """Progress in words, at every tenth."""
    done = 0

    def say(stage: str, fraction: float, nodes: int) -> bool:
        nonlocal done
        if stage == "forest" and int(10 * fraction) > done:
            done = int(10 * fraction)
            print(f"grew {round(fraction * n_trees)} of {n_trees} trees, {nodes} nodes", flush=True)
        return True

    return say

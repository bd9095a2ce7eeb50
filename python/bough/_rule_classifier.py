# SPDX-License-Identifier: Apache-2.0
"""An estimator that predicts by rules: a tree is grown, and C4.5rules makes a list of it."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import column_or_1d, get_tags
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from ._callback import unchanged_by_errors
from ._rules import rules


class RuleClassifier(ClassifierMixin, BaseEstimator):
    """A classifier that predicts with an ordered list of rules.

    It grows a tree and turns it into rules with C4.5rules.

    Parameters
    ----------
    tree : estimator, default=None
        The tree to start from, a classifier of bough. None: ``DecisionTreeClassifier()``.
    confidence : float in (0, 0.5], default=0.25
        Confidence factor of the pessimistic error; a smaller value drops more conditions.
    order : {"accuracy", "class"}, default="accuracy"
        Order of the rules: the most accurate first, or class by class.
    theory_weight : float, default=0.5
        Weight of the description length of the rules relative to that of their exceptions; a larger value
        keeps fewer rules.

    Attributes
    ----------
    rules_ : bough.RuleSet
    tree_estimator_ : the fitted tree
    classes_ : ndarray of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only if X had names.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "tree": [HasMethods(["fit", "predict"]), None],
        "confidence": [Interval(Real, 0.0, 0.5, closed="right")],
        "order": [StrOptions({"accuracy", "class"})],
        "theory_weight": [Interval(Real, 0.0, None, closed="left")],
    }

    def __init__(
        self,
        tree: Any = None,
        *,
        confidence: float = 0.25,
        order: str = "accuracy",
        theory_weight: float = 0.5,
    ) -> None:
        self.tree = tree
        self.confidence = confidence
        self.order = order
        self.theory_weight = theory_weight

    def _tree(self) -> Any:
        from ._estimators import DecisionTreeClassifier

        return DecisionTreeClassifier() if self.tree is None else clone(self.tree)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RuleClassifier:
        """Grow the tree and turn it into rules.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None

        Returns
        -------
        self
        """
        with unchanged_by_errors(self):
            self._validate_params()
            if y is not None:
                y = column_or_1d(y, warn=True)
            tree = self._tree().fit(X, y, sample_weight=sample_weight)
            self.rules_ = rules(
                tree,
                X,
                y,
                sample_weight=sample_weight,
                method="c45",
                confidence=self.confidence,
                order=self.order,
                theory_weight=self.theory_weight,
            )
            self.tree_estimator_ = tree
            self.classes_ = tree.classes_
            self.n_features_in_ = tree.n_features_in_
            self.__dict__.pop("feature_names_in_", None)
            if hasattr(tree, "feature_names_in_"):
                self.feature_names_in_ = tree.feature_names_in_
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predict the class of the first rule that covers a row, or the default if none does."""
        check_is_fitted(self)
        return self.rules_.predict(X)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the shares of the classes among the training rows of the rule that decides."""
        check_is_fitted(self)
        return self.rules_.predict_proba(X)

    def apply(self, X: Any) -> np.ndarray:
        """Return the index of the rule that decides for every row; -1 if the default does."""
        check_is_fitted(self)
        return self.rules_.apply(X)

    def __sklearn_is_fitted__(self) -> bool:
        return "rules_" in self.__dict__

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self._tree()).input_tags
        tags.input_tags.sparse = inner.sparse
        tags.input_tags.allow_nan = inner.allow_nan
        tags.input_tags.categorical = inner.categorical
        return tags

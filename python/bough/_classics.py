# SPDX-License-Identifier: Apache-2.0
"""Quinlan's trees as estimators: ID3 and C4.5."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.utils import column_or_1d

from ._estimators import _Classifier, _described


class _Quinlan(_Classifier):
    # What the shared code asks for and these trees do not have.
    max_features: ClassVar[None] = None
    monotonic_cst: ClassVar[None] = None
    column_costs: ClassVar[None] = None
    loss_matrix: ClassVar[None] = None
    priors: ClassVar[None] = None
    interaction_cst: ClassVar[None] = None
    random_state: ClassVar[None] = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Any:
        """Grows the tree.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
            Rows; float32 and float64 are used as they are. NaN and null are missing cells.
        y : array-like of shape (n_samples,)
            Class labels: numbers, text or truth values.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows, 0 or more; 0 leaves a row out.
        check_input : bool, default=True
            Kept for compatibility.

        Returns
        -------
        self
        """
        shape = np.asarray(y).shape
        if len(shape) > 1 and shape[1] > 1:
            raise ValueError(f"{type(self).__name__} takes one target, but y has {shape[1]} columns")
        if len(shape) > 1:
            y = column_or_1d(y, warn=True)
        return self._fit(X, y, sample_weight, check_input)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        tags.classifier_tags.multi_label = False
        return tags


@_described(())
class ID3Classifier(_Quinlan):
    """ID3 (Quinlan 1986): a branch for every value of a category, by information gain.

    Numeric columns are cut into intervals first (``discretize``; 'none' refuses them). A category is tested
    once on a path.
    """

    _algorithm = "id3"
    criterion: ClassVar[str] = "entropy"

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_branch: int | None = None,
        min_impurity_decrease: float = 0.0,
        discretize: str = "mdl",
        category_branches: str = "multiway",
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        pruning: str = "auto",
        pruning_fraction: float = 0.3,
        pruning_leaf_values: str = "train",
        pruning_risk: str = "impurity",
        pruning_folds: int = 10,
        pruning_rule: str = "min",
        critical_value: float = 0.0,
        confidence_factor: float = 0.25,
        subtree_raising: bool = True,
        leaf_probability: str = "plain",
        categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_branch = min_samples_branch
        self.min_impurity_decrease = min_impurity_decrease
        self.discretize = discretize
        self.category_branches = category_branches
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.pruning = pruning
        self.pruning_fraction = pruning_fraction
        self.pruning_leaf_values = pruning_leaf_values
        self.pruning_risk = pruning_risk
        self.pruning_folds = pruning_folds
        self.pruning_rule = pruning_rule
        self.critical_value = critical_value
        self.confidence_factor = confidence_factor
        self.subtree_raising = subtree_raising
        self.leaf_probability = leaf_probability
        self.categorical_features = categorical_features
        self.ordinal_features = ordinal_features
        self.n_jobs = n_jobs


@_described(())
class C45Classifier(_Quinlan):
    """C4.5 (Quinlan 1993): by gain ratio, fractions of rows for missing cells, pruned pessimistically.

    ``j48=True`` gives the trees of Weka's J48.
    """

    _algorithm = "c45"
    criterion: ClassVar[str] = "gain_ratio"

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_branch: int | None = None,
        min_impurity_decrease: float = 0.0,
        discretize: str = "none",
        category_branches: str = "multiway",
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        pruning: str = "auto",
        pruning_fraction: float = 0.3,
        pruning_leaf_values: str = "train",
        pruning_risk: str = "impurity",
        pruning_folds: int = 10,
        pruning_rule: str = "min",
        critical_value: float = 0.0,
        confidence_factor: float = 0.25,
        subtree_raising: bool = True,
        collapse: bool = True,
        leaf_probability: str = "plain",
        j48: bool = False,
        categorical_features: Any = "from_dtype",
        ordinal_features: dict[Any, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_branch = min_samples_branch
        self.min_impurity_decrease = min_impurity_decrease
        self.discretize = discretize
        self.category_branches = category_branches
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.pruning = pruning
        self.pruning_fraction = pruning_fraction
        self.pruning_leaf_values = pruning_leaf_values
        self.pruning_risk = pruning_risk
        self.pruning_folds = pruning_folds
        self.pruning_rule = pruning_rule
        self.critical_value = critical_value
        self.confidence_factor = confidence_factor
        self.subtree_raising = subtree_raising
        self.collapse = collapse
        self.leaf_probability = leaf_probability
        self.j48 = j48
        self.categorical_features = categorical_features
        self.ordinal_features = ordinal_features
        self.n_jobs = n_jobs

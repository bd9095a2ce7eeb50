# SPDX-License-Identifier: Apache-2.0
"""Trees of classes and of numbers: scikit-learn's four, and those whose size cross-validation chooses.

What scikit-learn has means what it means there; other parameters come after it.
"""

from __future__ import annotations

import re
from typing import Any

from . import _params, _signatures
from ._base import BaseTree
from ._kinds import _Classifier, _Regressor


@_params.described
class DecisionTreeClassifier(_signatures.DecisionTreeClassifier, _Classifier):
    """A decision tree classifier."""


@_params.described
class DecisionTreeRegressor(_signatures.DecisionTreeRegressor, _Regressor):
    """A decision tree regressor."""


@_params.described
class ExtraTreeClassifier(_signatures.ExtraTreeClassifier, DecisionTreeClassifier):
    """A decision tree classifier with random cuts: every split is the best of one random cut per feature."""


@_params.described
class ExtraTreeRegressor(_signatures.ExtraTreeRegressor, DecisionTreeRegressor):
    """A decision tree regressor with random cuts: every split is the best of one random cut per feature."""


class _ChosenTree(BaseTree):
    min_samples_split = 2
    _attributes = (
        BaseTree._attributes
        + """
choice_ : str
    What was chosen and why, in two lines.
size_table_ : Bunch
    All trees that were tried.
shrinkage_ : float
    The strength of shrinkage that was chosen."""
    )

    def _core_values(self, rows: Any, targets: Any, seed: int) -> dict[str, Any]:
        return super()._core_values(rows, targets, seed) | {"search": "auto"}

    def _own_words(self, text: str) -> str:
        # Its parameters of cross-validation are in no group.
        text = re.sub(r"pruning=CostComplexity\((\w+)=\.\.\.\)", r"pruning_\1", text)
        return re.sub(r"pruning=CostComplexity\((\w+)=([^)]*)\)", r"pruning_\1=\2", text)


@_params.described
class TreeClassifier(_signatures.TreeClassifier, _ChosenTree, _Classifier):
    """A small classification tree that needs no parameters.

    Cross-validation chooses the number of leaves, whether the tree is grown and pruned or searched for the
    fewest errors (see ``search`` of `DecisionTreeClassifier`), and how strongly its leaves are shrunken. It
    compares the log loss on unseen rows. ``choice_`` describes the result.

    Every additional leaf must lower the log loss by 0.3 % of the loss of a single leaf. This rule does not
    apply if a larger tree makes half the errors, if ``max_leaf_nodes`` is given, or if the table is too large
    to be searched.
    """


@_params.described
class TreeRegressor(_signatures.TreeRegressor, _ChosenTree, _Regressor):
    """A regression tree that needs no parameters.

    Cross-validation chooses the number of leaves, as with ``pruning="cost_complexity"``, and how strongly the
    leaves are shrunken. ``choice_`` describes the result. Up to 32 leaves, trees are also searched (see
    ``search`` of `DecisionTreeRegressor`). Of those with no more leaves and no higher error, the smallest
    replaces the pruned tree.
    """

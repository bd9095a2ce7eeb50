# SPDX-License-Identifier: Apache-2.0
"""Trees that need no parameters: cross-validation chooses size, way and shrinkage."""

from __future__ import annotations

from typing import Any

from . import _params, _signatures
from ._base import BaseTree
from ._kinds import _Classifier, _Regressor


class _ChosenTree(BaseTree):
    min_samples_split = 2
    _attributes = (
        BaseTree._attributes
        + """
choice_ : str
    What was chosen and why, in two lines.
size_table_ : Bunch
    Every tree that was tried, see there.
shrinkage_ : float
    The strength that was chosen."""
    )

    def _core_values(self, rows: Any, targets: Any, seed: int) -> dict[str, Any]:
        return super()._core_values(rows, targets, seed) | {"search": "auto"}


@_params.described
class TreeClassifier(_signatures.TreeClassifier, _ChosenTree, _Classifier):
    """A small classification tree that needs no parameters.

    Cross-validation chooses how many leaves it has, whether it is grown and pruned or searched for the
    fewest errors (see ``search`` of `DecisionTreeClassifier`), and how strongly its leaves are shrunken, by
    the log loss of unseen rows; ``choice_`` has the result. Every leaf has to lower that loss by 0.3 % of
    the loss of a single leaf, unless a larger tree makes half the errors, ``max_leaf_nodes`` is given or the
    table is too large to be searched.
    """


@_params.described
class TreeRegressor(_signatures.TreeRegressor, _ChosenTree, _Regressor):
    """A regression tree that needs no parameters.

    Cross-validation chooses how many leaves it has, as ``pruning="cost_complexity"`` does, and how strongly
    they are shrunken; ``choice_`` has the result. Where that is at most 32 leaves, trees are searched, too
    (see ``search`` of `DecisionTreeRegressor`): one that has no more leaves and no higher error is taken.
    """

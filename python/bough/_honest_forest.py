# SPDX-License-Identifier: Apache-2.0
"""Honest forests: every tree divides the rows that it draws; standard errors by halves that trees share."""

from __future__ import annotations

from typing import Any

from . import _params, _signatures
from ._base import BaseTree
from ._errors import BoughError
from ._grown_forest import BaseForest, ForestClassifier, ForestRegressor
from ._honest import HonestTreeClassifier, HonestTreeRegressor, check_rows, own_values


class _HonestForest(BaseForest):
    def _bag_size(self) -> int | None:
        return None if self.little_bags else super()._bag_size()

    def _core_values(self, rows: Any, targets: Any, seed: int) -> dict[str, Any]:
        check_rows(rows.n_rows)
        values = super()._core_values(rows, targets, seed) | own_values(self)
        given = self.tree_estimator
        if given is None:
            return values
        if not isinstance(given, BaseTree) or given._task != self._task:
            raise BoughError(
                f"tree_estimator must be a tree of bough for {self._task}, but it is {type(given).__name__}"
            )
        # What the forest has itself is the forest's; all else is the tree's.
        if idle := [name for name in given._given() if name in self._names]:
            raise BoughError(
                f"{idle[0]} of the tree_estimator does nothing: {type(self).__name__} has {idle[0]} itself,"
                " set it there"
            )
        given._check_params()
        del values["splitter"]
        return given._core_values(rows, targets, seed) | values


@_params.described
class HonestForestClassifier(_signatures.HonestForestClassifier, _HonestForest, ForestClassifier):
    """A forest classifier of honest trees, whose predictions are averaged.

    Every tree makes its own division of the rows that it draws (by default all rows). With ``little_bags``,
    groups of that many trees share one half of the rows, and `predict_std_error` and `predict_mean_interval`
    are available. From a ``tree_estimator``, the forest takes only parameters that it does not have itself.
    """

    _member = HonestTreeClassifier


@_params.described
class HonestForestRegressor(_signatures.HonestForestRegressor, _HonestForest, ForestRegressor):
    """A forest regressor of honest trees, whose predictions are averaged.

    Otherwise it is like `HonestForestClassifier`.
    """

    _member = HonestTreeRegressor
    _stratifies = False

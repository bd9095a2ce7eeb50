# SPDX-License-Identifier: Apache-2.0
"""Honest trees and forests: some rows choose the splits, the others give the leaves their values.

Every tree of a forest divides the rows that it draws; standard errors come from halves that trees share.
"""

from __future__ import annotations

from typing import Any

from . import _core, _params, _signatures
from ._base import BaseTree
from ._errors import BoughError
from ._grown_forest import BaseForest, ForestClassifier, ForestRegressor
from ._kinds import _Classifier, _Regressor
from ._params import max_features_of

# What is the honest tree's own beside a tree_estimator.
_OWN = ("honest", "cross_fit", "calibration_fraction", "leaf_samples")


def check_rows(n_rows: int) -> None:
    """Raises where there is nothing to divide."""
    if n_rows < 2:
        raise BoughError(f"n_samples={n_rows}: honest trees divide the rows, so they need two at least")


def own_values(estimator: Any) -> dict[str, Any]:
    """The core's parameters that are the honest tree's or forest's own."""
    values = _params.core_values({name: value for name, value in vars(estimator).items() if name in _OWN})
    if estimator._stratifies or values.get("honest") is False:
        return values
    return values | {"honest_stratify": False}


class _Honest(BaseTree):
    def _structure(self) -> Any:
        """The estimator whose parameters say how the structure is grown."""
        given = self.tree_estimator
        if given is None:
            return self
        if not isinstance(given, BaseTree) or isinstance(given, _Honest) or given._task != self._task:
            raise BoughError(
                f"tree_estimator must be a tree of bough for {self._task}, which is not honest itself, but"
                f" it is {type(given).__name__}"
            )
        if getattr(given, "class_weight", None) is not None:
            raise BoughError(
                "class_weight weighs all rows: give it to the honest tree, not to its tree_estimator"
            )
        defaults = type(self)()
        for name in self._grown_by:
            if getattr(self, name) != getattr(defaults, name):
                raise BoughError(
                    f"{name} was given beside a tree_estimator, whose {name} holds: set it there"
                )
        given._check_params()
        return given

    @property
    def _grown_by(self) -> list[str]:
        elsewhere = {"tree_estimator", "random_state", "class_weight", "n_jobs", *_OWN}
        return [name for name in type(self)._names if name not in elsewhere]

    def _core_values(self, rows: Any, targets: Any, seed: int) -> dict[str, Any]:
        check_rows(rows.n_rows)
        structure = self._structure()
        grown = super()._core_values if structure is self else structure._core_values
        return grown(rows, targets, seed) | own_values(self)

    def _column_specs(self, rows: Any) -> Any:
        structure = self._structure()
        return super()._column_specs(rows) if structure is self else structure._column_specs(rows)

    def _accept(self, model: _core.Model, targets: Any) -> None:
        super()._accept(model, targets)
        if self.tree_estimator is not None:
            self.max_features_ = max_features_of(self.tree_estimator, self.n_features_in_)


@_params.described
class HonestTreeClassifier(_signatures.HonestTreeClassifier, _Honest, _Classifier):
    """A classification tree whose leaf values come from rows that did not choose the splits.

    The parameters of the tree are set here or, if it is given, taken from ``tree_estimator``.
    """


@_params.described
class HonestTreeRegressor(_signatures.HonestTreeRegressor, _Honest, _Regressor):
    """A regression tree whose leaf values come from rows that did not choose the splits.

    The parameters of the tree are set here or, if it is given, taken from ``tree_estimator``.
    """

    _stratifies = False


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

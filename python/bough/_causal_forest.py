# SPDX-License-Identifier: Apache-2.0
"""Forests of effects."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _params, _signatures
from ._causal import Causal
from ._forest import SeveralTrees


@_params.described
class CausalForest(_signatures.CausalForest, SeveralTrees, Causal):
    """A forest of causal trees, each grown on half of the rows (Wager and Athey 2018).

    The effect is the mean over the trees. Groups of ``little_bags`` trees share one half of the rows, and the
    differences between the groups give standard errors. ``n_estimators`` must be a multiple of
    ``little_bags``. See docs/causal.md.
    """

    _attributes = f"estimators_ : list\n    The trees as estimators.{Causal._attributes}"

    def _outcome(self, X: Any, y: Any, sample_weight: Any) -> Any:
        if not self.center:
            return y
        from ._random_forests import RandomForestRegressor

        foreseen = RandomForestRegressor(
            max(200, self.n_estimators),
            min_samples_leaf=5,
            oob_score=True,
            random_state=_params.seed_of(self.random_state),
            categorical_features=self.categorical_features,
            ordinal_features=self.ordinal_features,
            n_jobs=self.n_jobs,
        ).fit(X, y, sample_weight)
        return np.asarray(y, dtype=np.float64).ravel() - foreseen.oob_prediction_

    def _core_values(self, rows: Any, targets: Any, seed: int) -> dict[str, Any]:
        values = super()._core_values(rows, targets, seed)
        # Rows are drawn without putting them back: in halves by little_bags, else all of them or max_samples.
        little_bags = self.little_bags
        if values.get("honest") is False and little_bags == self._defaults["little_bags"]:
            little_bags = 0  # groups are for standard errors, which only honest forests have
        bootstrap = little_bags == 0 and self.max_samples is not None
        return values | {"forest": self.n_estimators, "bootstrap": bootstrap, "little_bags": little_bags}

# SPDX-License-Identifier: Apache-2.0
"""Trees and forests of effects: fit(X, y, treatment), effect(X) and how sure it is."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import Bunch

from . import _core, _input, _params, _signatures, _targets
from ._base import BaseTree, Learner
from ._forest import SeveralTrees
from ._frames import readable
from ._intervals import real_number

if TYPE_CHECKING:
    from typing_extensions import Self


def _as_column(treatment: Any, n_rows: int) -> np.ndarray:
    """The treatment as one column without gaps."""
    if treatment is None:
        raise ValueError(
            "fit needs a treatment, one of two values per row; the second of them in order means treated:"
            " fit(X, y, treatment)"
        )
    column = readable(np.asarray(treatment))
    if column.ndim == 2 and column.shape[1] == 1:
        column = column[:, 0]
    if column.ndim != 1:
        raise ValueError(f"the treatment must have one value per row, but has shape {column.shape}")
    if len(column) != n_rows:
        raise ValueError(f"the treatment has {len(column)} values, but there are {n_rows} rows")
    missing = column != column if column.dtype.kind in "fO" else np.zeros(0, dtype=bool)
    if column.dtype.kind == "O":
        missing = np.array([value is None or value != value for value in column], dtype=bool)
    if missing.any():
        raise ValueError(
            f"the treatment is missing in {int(missing.sum())} of {n_rows} rows, first in row"
            f" {int(np.argmax(missing))} (counted from 0); remove those rows, or say what they are"
        )
    return column


def _add_treatment(table: _core.Table, treatment: Any, n_rows: int, taken: list[str]) -> str:
    """Adds the column of the treatment; its name."""
    column = _as_column(treatment, n_rows)
    wished = _targets.names_of(treatment)
    name = wished[0] if len(wished) == 1 and wished[0] not in taken else "treatment"
    while name in taken:
        name += "_"
    values, codes = np.unique(column, return_inverse=True)
    _targets._add_classes(table, name, values, np.ascontiguousarray(codes.ravel(), dtype=np.int32))
    return name


class Causal(Learner):
    """What trees and forests of effects share. Beside it stands what holds the core's model."""

    _task = "regression"
    _causal_split: str = "effect"
    _attributes = """
treatment_values_ : ndarray of shape (2,)
    The two values of the treatment; the second means treated."""
    criterion = "auto"

    def fit(self, X: Any, y: Any, treatment: Any = None, sample_weight: Any = None) -> Self:
        """Grow the model on treated and untreated rows.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
            What is known about the rows before the treatment. NaN and null are missing cells.
        y : array-like of shape (n_samples,)
            The outcome, a number. If it is 0 or 1, effects are changes of the probability of 1.
        treatment : array-like of shape (n_samples,)
            Two values: booleans, 0 and 1, or two labels, of which the second in sorted order means treated.
            It is required; X and y come first because scikit-learn's tools pass them in this order.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows, 0 or more; a row with weight 0 is left out.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, treatment=treatment)

    def _grow(  # type: ignore[override]
        self, X: Any, y: Any, sample_weight: Any, check_input: bool, treatment: Any
    ) -> Any:
        y = self._outcome(X, y, sample_weight)
        rows, targets, weight_name = self._training_table(X, y, sample_weight, check_input)
        if len(targets.names) != 1:
            raise ValueError(f"an effect is on one number, but y has {len(targets.names)} columns")
        name = _add_treatment(rows.table, treatment, rows.n_rows, rows.table.names)
        model = self._grow_model(rows, targets, weight_name, treatment=name)
        self._accept(model, targets)
        self.treatment_values_ = np.unique(np.asarray(treatment))
        for note in model.notes:
            if note.startswith("the arms do not overlap"):
                warnings.warn(note, UserWarning, stacklevel=4)
        return self

    def _outcome(self, X: Any, y: Any, sample_weight: Any) -> Any:
        """What effects are on."""
        return y

    def _adopt(self, model: _core.Model) -> Self:
        (self.treatment_values_,) = _targets.labels_of(model.treatment)
        return super()._adopt(model)

    def _core_values(self, rows: _input.Rows, targets: Any, seed: int) -> dict[str, Any]:
        values = super()._core_values(rows, targets, seed)
        values["min_samples_split"] = _params.plain(self.min_samples_split)  # a fraction stays one
        return {"causal_split": self._causal_split, **values}

    def effect(self, X: Any) -> np.ndarray:
        """Estimate the effect of the treatment on y for every row.

        The effect is the mean of y among the treated rows minus the mean among the untreated rows, in the
        leaf of the row.
        """
        cells, threads = self._cells(X)
        return self._finite(X, self._model.predict(cells, threads))[:, 0]

    def predict(self, X: Any) -> np.ndarray:
        """Return the same as `effect`."""
        return self.effect(X)

    def arm_means(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the mean of y among the untreated and among the treated rows in the leaf of every row.

        The difference of the two means is the effect.
        """
        model, table, threads = self._asked(X)
        _, control, treated = _core.effects(model, table, threads)
        return control, treated

    def effect_interval(self, X: Any, coverage: float = 0.9) -> tuple[np.ndarray, np.ndarray]:
        """Return confidence intervals of the effects.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
        coverage : float, default=0.9
            Probability that an interval contains the true effect.

        Returns
        -------
        low, high : ndarray of shape (n_samples,)
            For a tree, the intervals are for the average effect among the rows of the leaf (Welch's t
            interval). For a forest, they are for the effect at the row, from little bags; they do not account
            for bias.
        """
        model, table, threads = self._asked(X)
        low, high, _ = _core.effect_intervals(model, table, real_number(coverage, "coverage"), threads)
        return low, high

    def effect_error(self, X: Any) -> np.ndarray:
        """Return the standard errors of the effects, row by row; see `effect_interval`."""
        model, table, threads = self._asked(X)
        return _core.effect_intervals(model, table, 0.9, threads)[2]


class _CausalTree(Causal, BaseTree):
    """What both trees share."""

    _attributes = f"tree_ : bough.Tree\n    The nodes as arrays; values are effects.{Causal._attributes}"

    def cost_complexity_pruning_path(  # type: ignore[override]
        self, X: Any, y: Any, treatment: Any = None, sample_weight: Any = None
    ) -> Bunch:
        """Compute the steps of minimal cost-complexity pruning.

        The tree is grown on all rows, before honest rows set its values.

        Parameters
        ----------
        X, y, treatment, sample_weight
            As for `fit`.

        Returns
        -------
        path : Bunch
            ``ccp_alphas``: the effective alphas. ``impurities``: the total impurity of the leaves after each
            step.
        """
        fitted = clone(self).set_params(ccp_alpha=0.0).fit(X, y, treatment, sample_weight=sample_weight)
        alphas, impurities = _core.pruning_path(fitted.tree_.model)
        return Bunch(ccp_alphas=alphas, impurities=impurities)


@_params.described
class CausalTree(_signatures.CausalTree, _CausalTree):
    """A tree that splits where the effect of a treatment differs (Athey and Imbens 2016).

    One part of the rows chooses the splits and the other part estimates the effects in the leaves
    (``honest=True``). The intervals of `effect_interval` are valid because the two parts are different. See
    docs/causal.md.
    """


@_params.described
class PropensityTree(_signatures.PropensityTree, _CausalTree):
    """A tree that splits where the probability of being treated differs (Wager and Athey 2018, procedure 2).

    All rows in a leaf had about the same probability of being treated. The difference between treated and
    untreated rows in a leaf is therefore an effect of the treatment and not of how it was assigned. The
    splits do not depend on y, so all rows can be used both for splitting and for estimating. See
    docs/causal.md.
    """

    _causal_split = "propensity"


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

# SPDX-License-Identifier: Apache-2.0
"""What a grown forest knows about the rows it was grown on and about its trees."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from sklearn.utils import Bunch
from sklearn.utils.validation import _check_sample_weight

from . import _core, _params, _targets
from ._explain import ExplainMixin


class ForestViews(ExplainMixin):
    """Out-of-bag figures, proximity and the representative tree of a forest.

    For out-of-bag figures, rows and targets must be those of the fit, in the same order, because the rows
    that each tree drew are computed again from the seed.
    """

    estimators_: list[Any]

    def _bagged_table(self, X: Any, y: Any, sample_weight: Any) -> tuple[_core.Table, str]:
        table, _ = _targets.labelled_rows(self, X, y, None, by_class=False)
        return table, self._add_weights(table, X, sample_weight)

    def _add_weights(self, table: _core.Table, X: Any, sample_weight: Any) -> str:
        """Adds the weights of the fit to a table; the name of the column, "" when there are none."""
        weights = self.__dict__.get("_sample_weight")
        if sample_weight is not None:
            weights = np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
        if weights is None:
            return ""
        if len(weights) != table.n_rows:
            raise ValueError(f"the forest was fitted on {len(weights)} rows, but {table.n_rows} are given")
        name = _targets.free_names(table.names, 1)[0]
        table.add_column(name, weights, weights)
        return name

    def oob_error_curve(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Compute the out-of-bag error for every number of trees.

        Parameters
        ----------
        X, y
            The rows that the forest was fitted on.
        sample_weight : array-like of shape (n_samples,), default=None
            The weights of the fit, multiplied by those of ``class_weight``. Only a forest from a file that
            was fitted with weights needs them; other forests remember them.

        Returns
        -------
        curve : Bunch
            ``n_trees``: 1, 2, ... ``errors`` for this number of trees: the share of wrong classes, or the
            mean squared error, where every row counts once. ``n_rows``: rows that at least one of these trees
            has not drawn. ``measure``.
        """
        table, weight = self._bagged_table(X, y, sample_weight)
        found = json.loads(_core.oob_curve(self._model, table, weight, False, self._threads(table.n_rows)))
        errors = np.array(found["errors"], dtype=float)
        return Bunch(
            n_trees=np.arange(1, len(errors) + 1),
            errors=errors,
            n_rows=np.array(found["n_rows"], dtype=np.int64),
            measure=found["measure"],
        )

    def oob_permutation_importance(
        self, X: Any, y: Any, random_state: Any = 0, sample_weight: Any = None
    ) -> Bunch:
        """Compute Breiman's permutation importance.

        This is the increase of the error of a tree on its out-of-bag rows when the cells of a feature are
        shuffled among these rows, averaged over the trees.

        Parameters
        ----------
        X, y
            The rows that the forest was fitted on.
        random_state : int, default=0
            Seed of the shuffles.
        sample_weight : array-like of shape (n_samples,), default=None
            As in `oob_error_curve`.

        Returns
        -------
        importances : Bunch
            ``importances_mean``, ``standard_errors`` over the trees, ``base`` (mean error of a tree),
            ``measure``.
        """
        table, weight = self._bagged_table(X, y, sample_weight)
        seed, threads = _params.seed_of(random_state), self._threads(table.n_rows)
        found = json.loads(_core.oob_importance(self._model, table, weight, False, seed, threads))
        return Bunch(
            importances_mean=np.array([column["mean"] for column in found["columns"]]),
            standard_errors=np.array([column["standard_error"] for column in found["columns"]]),
            base=found["base"],
            measure=found["measure"],
        )

    def proximity(self, X: Any, others: Any = None, oob: bool = False) -> np.ndarray:
        """Return the share of the trees in which two rows end in the same leaf.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
        others : like X, default=None
            Rows to compare with; by default X itself.
        oob : bool, default=False
            Whether to count only trees that have drawn neither row (NaN if there are none). X must then be
            the rows that the forest was fitted on.

        Returns
        -------
        shares : ndarray of shape (n_samples, n_samples) or (n_samples, n_others)
        """
        table = self._table(X)
        if oob and others is not None:
            raise ValueError("oob=True compares the rows of the fit with each other: leave others out")
        other = None if others is None else self._table(others)
        weight = self._add_weights(table, X, None) if oob else ""
        if oob and weight == "" and "_n_samples" not in self.__dict__:
            raise ValueError("a forest from a file does not know the rows that it was fitted on")
        return _core.proximity(self._model, table, other, oob, weight, self._threads(table.n_rows))

    def representative_tree(self, X: Any) -> Bunch:
        """Find the tree whose predictions are closest to those of the forest.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
            Rows on which to compare the predictions.

        Returns
        -------
        nearest : Bunch
            ``index`` of the tree, ``estimator`` (the tree itself), ``distances`` of all trees: mean squared
            differences of class shares, or for numbers the mean squared difference divided by the variance of
            the forest's predictions.
        """
        table = self._table(X)
        found = json.loads(_core.tree_likeness(self._model, table, self._threads(table.n_rows)))
        index = found["representative"]
        return Bunch(
            index=index,
            estimator=self.estimators_[index],
            distances=np.array(found["distances"]),
        )

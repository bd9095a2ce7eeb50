# SPDX-License-Identifier: Apache-2.0
"""Why a fitted model answers as it does: reasons, splits, Shapley values, importances, counterfactuals."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.utils import Bunch

from . import _core, _input, _params, _targets
from ._answers import FittedModel
from ._arguments import refuse_idle, whole_number
from ._errors import BoughError
from ._html import Explanation, Sentences


class ExplainMixin(FittedModel):
    """Methods of all fitted models, trees and forests."""

    def _explained(self, X: Any) -> tuple[_core.Model, _core.Table]:
        """The core's model, and X as its table."""
        return self._model, self._table(_input.as_rows(X))

    def _other(self, X: Any) -> _core.Table | None:
        return None if X is None else self._explained(X)[1]

    def _explanation(self, X: Any, row: int, tree: int = 0) -> Explanation:
        """The path of a row through one of the trees in words."""
        model, table = self._explained(X)
        told = json.loads(model.explain(table, row, tree))
        if self.n_outputs_ == 1:
            told["prediction"] = self._own_answer(told["prediction"])
        return Explanation(**told)

    def _output(self, output: Any) -> int:
        """The number of a target."""
        if whole_number(output, "output") >= self.n_outputs_:
            raise BoughError(f"there is no output {output}; the model has {self.n_outputs_}")
        return int(output)

    def _labels(self, output: int) -> np.ndarray:
        return self.classes_[output] if isinstance(self.classes_, list) else self.classes_

    def _class_number(self, output: int, label: Any) -> int:
        """Number of a class; -1 for None."""
        if label is None:
            return -1
        found = np.flatnonzero(self._labels(output) == label)
        if not len(found):
            raise ValueError(f"{label!r} is not a class; the classes are {list(self._labels(output))}")
        return int(found[0])

    def _own_answer(self, told: Any, output: int = 0) -> Any:
        """An answer to one output as the core tells it, in the type of `predict`."""
        if not isinstance(told, str):
            return told
        if self._model.task == "regression":
            return float(told)
        words = _targets.class_words(self._model, output)
        return self._labels(output).tolist()[words.index(told)] if told in words else told

    def _column_names(self, columns: Iterable[Any] | None, param: str) -> list[str]:
        """Names of columns that are given by name or number."""
        names = self._model.feature_names
        wished = [columns] if isinstance(columns, (str, int, np.integer)) else columns
        return [names[_params.feature_position(column, names, param)] for column in wished or ()]

    # ---------------------------------------------------------------- Shapley values
    def shap_values(self, X: Any, background: Any = None) -> Any:
        """Compute exact Shapley values of the predicted probabilities or numbers.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
        background : like X, default=None
            Rows that supply the values of unknown features (interventional values). By default, an unknown
            feature sends a row to every child, in proportion to the training weight of the child
            (path-dependent values).

        Returns
        -------
        values : ndarray of shape (n_samples, n_features, n_classes), or (n_samples, n_features) for numbers
            For several targets, a list of such arrays. The sum over the features plus `expected_value` equals
            the result of ``predict_proba`` or ``predict``.
        """
        model, table = self._explained(X)
        values, _ = _core.shap_values(model, table, self._other(background), self._threads(table.n_rows))
        return _per_target(model, values)

    def expected_value(self, background: Any = None) -> Any:
        """Return the prediction when no feature is known, which is the base of `shap_values`.

        Parameters
        ----------
        background : like X, default=None
            As in `shap_values`.

        Returns
        -------
        expected : ndarray of shape (n_classes,), or a float for numbers
            For several targets, a list.
        """
        return _per_target(self._model, _core.shap_expected(self._model, self._other(background)))

    def to_shap(self, X: Any, background: Any = None) -> Any:
        """Return `shap_values` as a ``shap.Explanation``, for the plots of the package shap (one target).

        Example: ``shap.plots.beeswarm(model.to_shap(X)[..., 1])``. `shap_values` itself needs no other
        package.
        """
        if len(self._model.targets) != 1:
            raise NotImplementedError("shap.Explanation holds one target; use shap_values")
        try:
            from shap import Explanation
        except ImportError:
            raise ImportError("to_shap needs the package shap: pip install shap") from None
        values, expected = self.shap_values(X, background), self.expected_value(background)
        base = np.tile(expected, (len(values), 1)) if np.ndim(expected) else np.full(len(values), expected)
        names = self._model.feature_names
        return Explanation(values, base_values=base, data=np.asarray(X), feature_names=names)

    # ---------------------------------------------------------------- reasons
    def reasons(self, X: Any, row: int = 0, label: Any = None, output: int = 0, most: int = 3) -> Bunch:
        """Return the tests that changed the prediction of one row most.

        The changes are the differences of the node values along the path of the row.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
        row : int, default=0
        label : default=None
            The class whose probability is explained; by default, the predicted class.
        output : int, default=0
            Which target to explain.
        most : int, default=3
            Maximum number of reasons in the sentences.

        Returns
        -------
        reasons : Bunch
            ``base``, ``value``, ``reasons`` (dicts of column, tests and change, the largest change first),
            ``sentences``.
        """
        model, table = self._explained(X)
        output, most = self._output(output), whole_number(most, "most")
        number = self._class_number(output, label)
        return Sentences(**json.loads(_core.top_reasons(model, table, row, output, number, most)))

    def path_contributions(self, X: Any) -> Any:
        """Return the change of the node values along the path of every row, by feature.

        The shape is that of `shap_values`.
        """
        model, table = self._explained(X)
        values, _ = _core.path_changes(model, table, self._threads(table.n_rows))
        return _per_target(model, values)

    def leaf_contributions(self, tree: int = 0) -> tuple[np.ndarray, Any]:
        """Return the leaves of a tree, and for each leaf the `path_contributions` of its rows."""
        leaves, values = _core.leaf_changes(self._model, whole_number(tree, "tree"))
        return leaves, _per_target(self._model, values)

    # ---------------------------------------------------------------- splits
    def why_split(
        self, X: Any, y: Any, node: int = 0, sample_weight: Any = None, tree: int = 0, max_points: int = 0
    ) -> Bunch:
        """Show the best test of every feature at a node, and how good each of them would have been.

        Parameters
        ----------
        X, y, sample_weight
            The rows that the model was fitted on.
        node : int, default=0
        tree : int, default=0
        max_points : int, default=0
            Maximum number of points of a curve; longer curves keep the best of neighbouring cuts. 0: all
            cuts.

        Returns
        -------
        why : Bunch
            ``columns``: dicts, the best first, of column, test, best, left, right, and the ``curve`` over the
            thresholds or the table of ``levels``. ``arithmetic``: the formula with its numbers. ``test`` and
            ``agrees``: the split of the tree, and whether the search finds it again. ``text``: everything as
            readable text. ``notes``.
        """
        model, tree = self._model, whole_number(tree, "tree")
        max_points = whole_number(max_points, "max_points")
        table, weight = _targets.labelled_rows(self, X, y, sample_weight)
        why = Bunch(**json.loads(_core.why_split(model, table, node, weight, tree, max_points)))
        why.text = _core.why_split_text(model, table, node, weight, tree)
        return why

    # ---------------------------------------------------------------- importance
    def permutation_importance(
        self,
        X: Any,
        y: Any,
        scoring: str | None = None,
        n_repeats: int = 10,
        random_state: Any = 0,
        sample_weight: Any = None,
        level: float = 0.95,
    ) -> Bunch:
        """Measure how much a score falls when the cells of a feature are shuffled.

        Parameters
        ----------
        X, y : rows that the model was not fitted on, with their true targets
        scoring : str, default=None
            A score of ``bough evaluate``: accuracy, balanced_accuracy, auc, log_loss, brier; r2, rmse, mae,
            deviance, pinball. By default accuracy or r2.
        n_repeats : int, default=10
        random_state : int, default=0
        sample_weight : array-like of shape (n_samples,), default=None
        level : float, default=0.95
            Confidence level of the intervals (Student's t, over the repeats).

        Returns
        -------
        result : Bunch
            ``importances`` of shape (n_features, n_repeats), ``importances_mean``, ``importances_std``,
            ``importances_low`` and ``importances_high``, ``score`` (the name of the score), ``base`` (its
            value without shuffling).
        """
        table, weight = _targets.labelled_rows(self, X, y, sample_weight, by_class=False)
        seed = _params.seed_of(random_state)
        found = json.loads(
            _core.permutation_importance(
                self._model, table, scoring or "", n_repeats, level, seed, weight, self._threads(table.n_rows)
            )
        )

        def column(name: str) -> np.ndarray:
            return np.array([one[name] for one in found["columns"]], dtype=float)

        return Bunch(
            importances=column("losses").reshape(len(found["columns"]), -1),
            importances_mean=column("mean"),
            importances_std=column("deviation"),
            importances_low=column("low"),
            importances_high=column("high"),
            score=found["score"],
            base=found["base"],
        )

    # ---------------------------------------------------------------- counterfactuals
    def counterfactual(
        self,
        X: Any,
        row: int = 0,
        wanted: Any = None,
        fixed: Iterable[Any] | None = None,
        increase: Iterable[Any] | None = None,
        decrease: Iterable[Any] | None = None,
        at_least: float | None = None,
        at_most: float | None = None,
        reference: Any = None,
        output: int = 0,
    ) -> Bunch:
        """Find the smallest change of a row that changes its prediction; exact, for single trees.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
        row : int, default=0
        wanted : default=None
            The class to reach; by default, any class other than the predicted one.
        fixed, increase, decrease : lists of names or numbers of features, default=None
            Features that cannot change, that can only increase, and that can only decrease.
        at_least, at_most : float, default=None
            The number to reach (regression).
        reference : like X, default=None
            Rows that show how much each feature varies and which features are integers; by default X.
        output : int, default=0
            Which target to change.

        Returns
        -------
        nearest : Bunch
            ``found``, ``changes`` (dicts of column, from, to, condition and size), ``distance``, ``before``,
            ``after``, ``leaf``, ``cells`` (the changed row, with categories by name), ``sentences``.
        """
        model, table = self._explained(X)
        output = self._output(output)
        if model.task == "regression":
            refuse_idle("where numbers are predicted: give at_least or at_most", wanted=(wanted, None))
        text, cells = _core.counterfactual(
            model,
            table,
            row,
            self._column_names(fixed, "fixed"),
            self._column_names(increase, "increase"),
            self._column_names(decrease, "decrease"),
            output,
            self._class_number(output, wanted) if model.task == "classification" else -1,
            at_least,
            at_most,
            self._other(reference),
        )
        found = json.loads(text)
        kinds = {name: kind for name, kind, _ in model.features}
        for change in found["changes"]:
            if kinds[change["column"]] == "numeric":
                change |= {end: _number(change[end]) for end in ("from", "to")}
        for end in ("before", "after"):
            if end in found:
                found[end] = self._own_answer(found[end], output)
        return Sentences(**found, cells=_own_cells(model, cells))


def _number(text: Any) -> Any:
    """A number that is told as text; what is no number stays."""
    try:
        return float(text)
    except (TypeError, ValueError):
        return text


def _own_cells(model: _core.Model, cells: np.ndarray) -> np.ndarray:
    """A row of the core as `predict` takes it in a frame: categories by name, all else as it is."""
    levels = [values if kind != "numeric" else [] for _, kind, (_, values) in model.features]
    if not any(len(values) for values in levels):
        return cells
    named = [
        values[int(cell)] if len(values) and 0 <= cell < len(values) else None if len(values) else cell
        for cell, values in zip(cells.tolist(), levels, strict=True)
    ]
    return np.array(named, dtype=object)


def _per_target(model: _core.Model, values: np.ndarray) -> Any:
    """The last axis cut into targets; numbers lose it."""
    if model.task == "regression":
        columns = [values[..., k] for k in range(values.shape[-1])]
        parts: list[Any] = [column if column.ndim else float(column) for column in columns]
    else:
        ends = np.cumsum([len(levels) for _, _, (_, levels) in model.targets])
        parts = np.split(values, ends[:-1], axis=-1)
    return parts[0] if len(parts) == 1 else parts

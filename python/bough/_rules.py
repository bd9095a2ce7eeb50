# SPDX-License-Identifier: Apache-2.0
"""Rules out of trees: one per leaf, or fewer and shorter ones by C4.5rules."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any

import numpy as np

from . import _core, _files, _html, _input, _targets
from ._arguments import refuse_idle
from ._errors import BoughError
from ._tree import one_model, plain_integers


@dataclass(frozen=True)
class Rule:
    """A rule: its conditions in words, its prediction and its quality.

    For several outputs, ``prediction``, ``support``, ``confidence`` and ``lift`` are tuples.
    """

    conditions: tuple[str, ...]
    prediction: Any
    n_rows: int
    weight: float
    coverage: float
    support: Any
    confidence: Any
    lift: Any
    estimated_error: float | None
    spread: float | None
    node: int
    values: tuple[float, ...]

    def __str__(self) -> str:
        return f"if {' and '.join(self.conditions) or 'always'} then {self.prediction}"


class RuleSet:
    """A set of rules that predicts without the tree; see :func:`bough.rules` and :meth:`RuleSet.load`."""

    def __init__(self, core: _core.RuleSet, reader: Any, classes: list[np.ndarray] | None) -> None:
        self._core = core
        self._reader = reader  # an estimator that knows how X looked in fit
        self._classes = classes

    # ---------------------------------------------------------------- answers
    def predict(self, X: Any) -> np.ndarray:
        """Predict every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        table = self._table(X)
        values = self._core.predict(table, self._threads(table))
        if self._classes is None:
            return values[:, 0] if values.shape[1] == 1 else values
        columns = [labels.take(values[:, k]) for k, labels in enumerate(self._classes)]
        return columns[0] if len(columns) == 1 else np.stack(columns, axis=1)

    def predict_proba(self, X: Any) -> Any:
        """Return the shares of the classes among the training rows of the rule that decides.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)

        Returns
        -------
        proba : ndarray of shape (n_samples, n_classes), or a list of them for several outputs
        """
        if self._classes is None:
            raise NotImplementedError("rules for numbers have no class probabilities; use predict")
        table = self._table(X)
        threads = self._threads(table)
        parts = [self._core.predict_proba(table, k, threads) for k in range(len(self._classes))]
        return parts[0] if len(parts) == 1 else parts

    def apply(self, X: Any) -> np.ndarray:
        """Return the index of the rule that decides for every row; -1 if the default does."""
        table = self._table(X)
        return plain_integers(self._core.apply(table, self._threads(table)))

    def measure(self, X: Any, y: Any, sample_weight: Any = None) -> RuleSet:
        """Return the same rules with their counts and shares computed on other rows."""
        table = self._table(X)
        weight = _targets.add_truth(table, self._core.targets, self._classes, X, np.asarray(y), sample_weight)
        return RuleSet(self._core.measure(table, weight, self._threads(table)), self._reader, self._classes)

    # ---------------------------------------------------------------- about the rules
    @property
    def classes_(self) -> Any:
        if self._classes is None:
            raise AttributeError("rules for numbers have no classes")
        return self._classes[0] if len(self._classes) == 1 else self._classes

    @property
    def n_conditions(self) -> int:
        """Number of conditions of all rules: bounds, sets of levels and tests for missing cells."""
        return self._core.n_conditions

    @property
    def rules(self) -> list[Rule]:
        """The rules in order."""
        return [self._rule(stored) for stored in json.loads(self._core.to_json())["rules"]]

    @property
    def default(self) -> Any:
        """The prediction for rows that no rule covers."""
        return self._answers(json.loads(self._core.to_json())["default"])

    def __len__(self) -> int:
        return len(self._core)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __getitem__(self, index: int) -> Rule:
        return self.rules[index]

    def __str__(self) -> str:
        return self.export("text")

    def _repr_html_(self) -> str:
        most = 100
        rows = [
            (i + 1, list(rule.conditions) or "always", rule.prediction, f"{rule.n_rows:,}")
            for i, rule in enumerate(self.rules[:most])
        ]
        caption = f"{len(self)} rules" + (f", the first {most}" if len(self) > most else "")
        return _html.table(("rule", "if", "then", "rows"), rows, caption)

    def __repr__(self) -> str:
        return f"<RuleSet: {len(self)} rules, {self.n_conditions} conditions>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RuleSet) and self._core.to_json() == other._core.to_json()

    __hash__ = None  # type: ignore[assignment]

    # ---------------------------------------------------------------- files and formats
    def export(self, format: str = "text", *, dialect: str | None = None) -> str:
        """Return the rules as ``"text"``, ``"md"``, ``"csv"``, ``"sql"`` or ``"json"``.

        Parameters
        ----------
        format : str, default="text"
        dialect : {"duckdb", "postgresql", "sqlite"}, default="duckdb"
            The engine that ``"sql"`` is for. Its cells are typed as in the SQL of trees.
        """
        if format != "sql":
            refuse_idle(f"with format={format!r}", dialect=(dialect, None))
        return self._core.write(format, dialect or "duckdb")

    def save(self, path: str | PathLike[str]) -> None:
        """Write the rules as JSON, which :meth:`load` and the command line can read."""
        self._core.save(fspath(path))

    @staticmethod
    def load(path: str | PathLike[str]) -> RuleSet:
        """Read rules from a file that :meth:`save` or ``bough rules`` wrote."""
        return from_core(_core.RuleSet.load(fspath(path)))

    def __getstate__(self) -> dict[str, Any]:
        return {"json": self._core.to_json(), "reader": self._reader, "classes": self._classes}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._core = _core.RuleSet.from_json(state["json"])
        self._reader, self._classes = state["reader"], state["classes"]

    # ---------------------------------------------------------------- inside
    def _table(self, X: Any) -> _core.Table:
        return _input.read_rows(self._reader, X, names=[name for name, _, _ in self._core.features]).table

    def _threads(self, table: _core.Table) -> int:
        return self._reader._threads(table.n_rows)

    def _answers(self, values: list[float]) -> Any:
        if self._classes is None:
            return values[0] if len(values) == 1 else tuple(values)
        out, at = [], 0
        for labels in self._classes:
            out.append(labels[int(np.argmax(values[at : at + len(labels)]))])
            at += len(labels)
        return out[0] if len(out) == 1 else tuple(out)

    def _rule(self, stored: dict[str, Any]) -> Rule:
        scores = stored["score"]

        def of(name: str) -> Any:
            found = tuple(score.get(name) for score in scores)
            return found[0] if len(found) == 1 else found

        return Rule(
            **{name: stored[name] for name in ("n_rows", "weight", "node")},
            **{name: of(name) for name in ("support", "confidence", "lift")},
            conditions=tuple(condition["text"] for condition in stored["if"]),
            prediction=self._answers(stored["values"]),
            coverage=scores[0]["coverage"],
            estimated_error=stored.get("estimated_error"),
            spread=stored.get("spread"),
            values=tuple(stored["values"]),
        )


def rules(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    sample_weight: Any = None,
    method: str = "tree",
    confidence: float = 0.25,
    order: str = "accuracy",
    theory_weight: float = 0.5,
) -> RuleSet:
    """Return the rules of a fitted tree.

    Parameters
    ----------
    model : estimator of bough, or the path of a model file
    X, y : rows and targets, default=None
        With ``method="tree"``, the figures of the rules are computed on these rows instead of the training
        rows. With ``"c45"``, they are required and must be the training rows.
    sample_weight : array-like of shape (n_samples,), default=None
    method : {"tree", "c45"}, default="tree"
        ``"tree"``: one rule per leaf, with the same predictions as the tree. ``"c45"``: C4.5rules, which
        drops conditions, keeps the rules that are worth their length, and orders them; for one class target.
    confidence : float in (0, 0.5], default=0.25
        Confidence factor of the pessimistic error ("c45").
    order : {"accuracy", "class"}, default="accuracy"
        Order of the rules ("c45").
    theory_weight : float, default=0.5
        Weight of the description length of the rules relative to that of their exceptions ("c45").

    Returns
    -------
    rules : RuleSet
    """
    if method not in ("tree", "c45"):
        raise BoughError(f"method is {method!r}; it must be 'tree' or 'c45'")
    if (X is None) != (y is None):
        raise BoughError("X and y go together: give both or none")
    if X is None:
        refuse_idle("without X and y", sample_weight=(sample_weight, None))
    if method == "tree":
        refuse_idle(
            "with method='tree'",
            confidence=(confidence, 0.25),
            order=(order, "accuracy"),
            theory_weight=(theory_weight, 0.5),
        )
    if isinstance(model, (str, PathLike)):
        model = _files.load(model)
    core = one_model(model)
    classes = None
    if core.task == "classification":
        classes = [model.classes_] if model.n_outputs_ == 1 else list(model.classes_)
    if method == "c45":
        if X is None:
            raise BoughError("method 'c45' needs X and y, the rows that the tree was grown on")
        table, weight = _targets.labelled_rows(model, X, y, sample_weight, by_class=False)
        made = _core.c45_rules(
            core, table, weight, confidence, order, theory_weight, 0, model._threads(table.n_rows)
        )
        return RuleSet(made, model, classes)
    out = RuleSet(_core.tree_rules(core), model, classes)
    return out if X is None else out.measure(X, y, sample_weight)


def from_core(core: _core.RuleSet) -> RuleSet:
    """A rule set that came from a file."""
    from ._estimators import DecisionTreeClassifier, DecisionTreeRegressor

    reader = DecisionTreeClassifier() if core.task == "classification" else DecisionTreeRegressor()
    _input.set_features(reader, [name for name, _, _ in core.features])
    targets = [(name, "", levels) for name, *levels in core.targets]
    return RuleSet(core, reader, _targets.labels_of(targets) if core.task == "classification" else None)

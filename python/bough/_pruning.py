# SPDX-License-Identifier: Apache-2.0
"""Pruning fitted trees, choosing the price per leaf by cross-validation, and the picture of that choice."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import column_or_1d

from . import _core, _html
from ._arguments import refuse_idle
from ._errors import BoughError
from ._groups import CostComplexity
from ._params import from_core
from ._targets import labelled_rows
from ._tree import check_one_tree, one_model, with_model

METHODS = ("cost_complexity", "reduced_error", "pessimistic", "critical_value", "mdl", "simplify")


def prune(
    estimator: Any,
    X: Any = None,
    y: Any = None,
    *,
    method: str | None = None,
    alpha: float | None = None,
    critical_value: float | None = None,
    confidence_factor: float = 0.25,
    risk: str = "impurity",
    leaf_values: str = "train",
    measure: str = "natural",
    sample_weight: Any = None,
) -> Any:
    """Prune a fitted tree without growing it again.

    Parameters
    ----------
    estimator : fitted estimator
        It is not changed.
    X, y : array-likes, default=None
        Rows that the tree was not grown on, for reduced-error pruning.
    method : str or None, default=None
        'cost_complexity', 'reduced_error', 'pessimistic', 'critical_value', 'mdl' or 'simplify'. None: the
        method that the other arguments belong to. 'simplify' merges sibling leaves that predict the same.
    alpha : float or None, default=None
        Price per leaf, for cost-complexity pruning.
    critical_value : float or None, default=None
        Decrease of impurity, weighted by the node's share of all rows, that a split or a split below it must
        reach.
    confidence_factor : float, default=0.25
        For pessimistic pruning, in (0, 0.5]; smaller values prune more. Branches are cut, but not raised.
    risk : {'impurity', 'error'}, default='impurity'
        The risk that is weighed against the number of leaves times ``alpha``.
    leaf_values : {'train', 'prune', 'both'}, default='train'
        Which rows give a node its value when reduced-error pruning turns it into a leaf.
    measure : {'natural', 'squared'}, default='natural'
        Error for reduced-error pruning. 'natural': wrong classes, or the error that the criterion minimises.
        'squared': squared differences (for classes, between shares and truth).
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows of X.

    Returns
    -------
    pruned : estimator
        A copy with the smaller tree.
    """
    model = one_model(estimator)
    method = _method(method, X, alpha, critical_value)
    rows = {"y": (y, None), "sample_weight": (sample_weight, None)}
    own: dict[str, dict[str, tuple[Any, Any]]] = {
        "reduced_error": {**rows, "leaf_values": (leaf_values, "train"), "measure": (measure, "natural")},
        "cost_complexity": {"risk": (risk, "impurity")},
        "pessimistic": {"confidence_factor": (confidence_factor, 0.25)},
    }
    for other, arguments in own.items():
        if other != method:
            refuse_idle(f"with method={method!r}", **arguments)
    if method == "reduced_error":
        if X is None or y is None:
            raise BoughError("reduced-error pruning needs X and y, rows that the tree was not grown on")
        table, weight = labelled_rows(estimator, X, y, sample_weight)
        model = _core.reduced_error(
            model, table, weight, leaf_values, measure, estimator._threads(table.n_rows)
        )
    elif method == "cost_complexity":
        if alpha is None:
            raise BoughError("cost-complexity pruning needs alpha; cost_complexity_cv chooses one")
        model = _core.prune_by_price(model, float(alpha), risk)
    elif method == "critical_value":
        if critical_value is None:
            raise BoughError("critical value pruning needs critical_value")
        model = _core.critical_value(model, float(critical_value))
    elif method == "pessimistic":
        model = _core.prune_pessimistic(model, float(confidence_factor))
    elif method == "mdl":
        model = _core.minimum_description(model)
    else:
        model = _core.simplify(model)
    return with_model(estimator, model)


def _method(method: str | None, X: Any, alpha: Any, critical_value: Any) -> str:
    if method is not None and method not in METHODS:
        raise BoughError(f"there is no pruning method {method!r}; use one of {', '.join(METHODS)}")
    for_method = {"reduced_error": X, "cost_complexity": alpha, "critical_value": critical_value}
    given = [name for name, value in for_method.items() if value is not None]
    if method is None:
        if len(given) != 1:
            raise BoughError("give rows X and y, alpha, or critical_value, or name a method")
        return given[0]
    strangers = [name for name in given if name != method]
    if strangers:
        raise BoughError(f"arguments of {strangers[0]} were given for method={method!r}")
    return method


@dataclass(repr=False)
class PruningCV:
    """Cross-validation results for the trees of a cost-complexity path, by increasing price.

    Attributes
    ----------
    estimator : fitted estimator
        Grown on all rows and pruned at the chosen price.
    alphas, errors, standard_errors : ndarray of float64
        Price per leaf, mean error on unseen rows, and standard error of this mean.
    n_leaves : ndarray of int64
        Number of leaves of the tree grown on all rows, pruned at each price.
    chosen : int
        Position of the chosen price.
    alpha : float
        The chosen price.
    folds : int
    risk, rule, measure : str
    """

    estimator: Any
    alphas: np.ndarray
    n_leaves: np.ndarray
    errors: np.ndarray
    standard_errors: np.ndarray
    chosen: int
    folds: int
    risk: str
    rule: str
    measure: str

    @property
    def alpha(self) -> float:
        return float(self.alphas[self.chosen])

    def __repr__(self) -> str:
        error, spread = self.errors[self.chosen], self.standard_errors[self.chosen]
        return (
            f"<PruningCV: {len(self.alphas)} trees, {self.folds} folds; chosen by {self.rule}: "
            f"{self.n_leaves[self.chosen]} leaves, alpha={self.alpha:.6g}, "
            f"{self.measure} {error:.4g} ± {spread:.2g}>"
        )

    def _repr_html_(self) -> str:
        some = np.unique(np.r_[np.linspace(0, len(self.alphas) - 1, 20).round().astype(int), self.chosen])
        rows = [
            (
                f"{self.n_leaves[i]:,}",
                f"{self.alphas[i]:.4g}",
                f"{self.errors[i]:.4g} ± {self.standard_errors[i]:.2g}",
            )
            for i in some
        ]
        strong = int(np.flatnonzero(some == self.chosen)[0])
        head = ("leaves", "alpha", f"{self.measure} ({self.folds} folds)")
        return _html.table(
            head, rows, f"Chosen by {self.rule}: {self.n_leaves[self.chosen]:,} leaves", strong
        )

    def plot(self, ax: Any = None) -> Any:
        """Plot the errors and their standard errors against the number of leaves; see `plot_pruning`."""
        return plot_pruning(self, ax)


def cost_complexity_cv(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    folds: int = 10,
    rule: str = "min",
    risk: str = "impurity",
    groups: Any = None,
    times: Any = None,
    fold_ids: Any = None,
    sample_weight: Any = None,
) -> PruningCV:
    """Choose the price per leaf by cross-validation, with folds + 1 fits for any number of prices.

    Parameters
    ----------
    estimator : estimator
        Its parameters are used. It is not changed.
    X, y : array-likes
        All rows.
    folds : int, default=10
        Number of folds, drawn with ``random_state`` and stratified by class unless one of the following
        arguments defines the folds.
    rule : {'min', 'one_se'}, default='min'
        'min': the price with the lowest error. 'one_se': the highest price whose error is within one standard
        error of the lowest.
    risk : {'impurity', 'error'}, default='impurity'
        The risk that is weighed against the number of leaves.
    groups : array-like of shape (n_samples,), default=None
        Rows of the same group stay in the same fold.
    times : array-like of shape (n_samples,) or 'rows', default=None
        Folds follow the order of time, and each is predicted by trees grown on earlier rows only. 'rows': the
        rows are already in order of time.
    fold_ids : array-like of shape (n_samples,), default=None
        The fold of every row. ``folds`` is then ignored.
    sample_weight : array-like of shape (n_samples,), default=None

    Returns
    -------
    result : PruningCV
    """
    if hasattr(estimator, "model_"):
        check_one_tree(estimator)
    grown = clone(estimator).set_params(
        pruning=CostComplexity(folds=folds, rule=rule, risk=risk), ccp_alpha=0.0
    )
    if fold_ids is not None:
        refuse_idle("beside fold_ids, which say how many there are", folds=(folds, 10))
    grown._fit(X, y, sample_weight, folds=_fold_spec(groups, times, fold_ids))
    table = grown.pruning_table_
    return PruningCV(estimator=grown, **table)


def _fold_spec(groups: Any, times: Any, fold_ids: Any) -> tuple[str, np.ndarray | None] | None:
    given = {"grouped": groups, "ordered": times, "given": fold_ids}
    given = {kind: values for kind, values in given.items() if values is not None}
    if len(given) > 1:
        raise BoughError("give only one of groups, times and fold_ids")
    for kind, values in given.items():
        if isinstance(values, str):
            if (kind, values) == ("ordered", "rows"):
                return kind, None
            raise BoughError(f"{values!r} is no array with an entry per row")
        # Ranks keep the order of times and the names of groups apart from the core's types.
        _, numbers = np.unique(column_or_1d(values), return_inverse=True)
        return kind, np.ascontiguousarray(numbers.ravel(), dtype=np.int32)
    return None


def plot_pruning(result: Any, ax: Any = None) -> Any:
    """Plot the cross-validated error against the number of leaves, with a band of one standard error.

    Parameters
    ----------
    result : PruningCV, or an estimator fitted with ``pruning="cost_complexity"``
    ax : matplotlib axes, default=None
        By default, the current axes.

    Returns
    -------
    ax : matplotlib axes
        A ring marks the chosen tree, and a dashed line lies one standard error above the lowest error.
    """
    import matplotlib.pyplot as plt
    from matplotlib.ticker import LogLocator

    if not isinstance(result, PruningCV):
        one_model(result)
    table = result if isinstance(result, PruningCV) else result.pruning_table_
    ax = plt.gca() if ax is None else ax
    low, high = table.errors - table.standard_errors, table.errors + table.standard_errors
    best = int(np.flatnonzero(table.errors == table.errors.min())[-1])
    ax.fill_between(table.n_leaves, low, high, color="#0072b2", alpha=0.15, linewidth=0)
    ax.plot(
        table.n_leaves,
        table.errors,
        ".-",
        linewidth=1.5,
        color="#0072b2",
        label="with a band of one standard error",
    )
    ax.axhline(
        high[best], linestyle="--", linewidth=1, color="gray", label="one standard error above the lowest"
    )
    at = (table.n_leaves[table.chosen], table.errors[table.chosen])
    ring = {"fillstyle": "none", "markersize": 10, "markeredgewidth": 2, "color": "#d55e00"}
    ax.plot(*at, "o", label="chosen tree", linestyle="none", **ring)
    ax.legend(frameon=False)
    ax.set_xscale("log")
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.xaxis.set_minor_formatter("")
    ax.set_xlabel("leaves")
    ax.set_ylabel(f"{table.measure.replace('_', ' ')}, {table.folds}-fold cross-validation")
    return ax


def preset(name: str, task: str = "classification") -> dict[str, Any]:
    """Return the parameters of another program's trees, for the constructor of an estimator.

    Parameters
    ----------
    name : {'onedal'}
    task : {'classification', 'regression'}, default='classification'

    Returns
    -------
    params : dict
        Use it as in ``DecisionTreeClassifier(**bough.preset("onedal"))``.
    """
    from ._estimators import DecisionTreeClassifier, DecisionTreeRegressor

    cls = DecisionTreeClassifier if task == "classification" else DecisionTreeRegressor
    chosen, plain = json.loads(_core.preset(name, task)), json.loads(_core.Params({}).to_json())
    given = from_core(cls, plain, plain["criterion"])
    return {
        key: value
        for key, value in from_core(cls, chosen, chosen["criterion"]).items()
        if value != given[key]
    }

# SPDX-License-Identifier: Apache-2.0
"""Parameters of the estimators: constraints, documentation and core values, from the core's one table."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, RealNotInt, StrOptions

from . import _groups
from ._errors import BoughError, spelt
from ._table import TABLE, row_constraints, row_docs

_MOST = 2**31 - 1


def _criteria(task: str) -> tuple[str, ...]:
    """Names of a task's criteria, then their aliases."""
    rows = [row for row in TABLE["criterion"]["criteria"] if row["task"] == task]
    return tuple(row["name"] for row in rows) + tuple(row["alias"] for row in rows if "alias" in row)


CLASS_CRITERIA = _criteria("classification")
NUMBER_CRITERIA = _criteria("regression")

# What only Python has, with the type as numpydoc writes it.
# The default comes from the signature.
PYTHON_DOCS: dict[str, tuple[str, str]] = {
    "random_state": (
        "int, RandomState instance or None",
        "Seed of all random draws: max_features, splitter='random', and the rows held out for pruning."
        " None means 0, so the same data gives the same tree or forest. Single trees with splitter='random'"
        " are an exception: without a seed, they draw one from NumPy's global generator, so that the trees"
        " of an ensemble differ. If features have equal scores, a single tree tests the one with the lower"
        " number. With max_features (even 1.0), splitter='random' and in forests, the seed decides.",
    ),
    "ccp_alpha": (
        "non-negative float",
        "Cost per leaf in cost-complexity pruning. A branch is cut if it lowers the impurity by no more than"
        " this per extra leaf. 0: no such pruning or, with pruning='cost_complexity', a cost chosen by"
        " cross-validation.",
    ),
    "class_weight": (
        "dict, list of dict, 'balanced' or None",
        "Weights of the classes, {label: weight}; for several outputs, a list of them. 'balanced': inversely"
        " proportional to the class's share of the total weight.",
    ),
    "monotonic_cst": (
        "array-like of int of shape (n_features,), dict or None",
        "Features along which the prediction may only rise (1) or fall (-1); 0 means no constraint. A dict"
        " maps names to signs. For two classes, this applies to the probability of the second class.",
    ),
    "interaction_cst": (
        "list of lists of int or str, 'no_interactions' or None",
        "Groups of features, by position or name, that may be tested together on one path. A feature in no"
        " group forms its own group.",
    ),
    "priors": (
        "dict, array-like of shape (n_classes,) or None",
        "Prior probabilities of the classes, {label: share} or in the order of classes_; they sum to 1."
        " None: the shares of the classes in the total weight of the rows.",
    ),
    "loss_matrix": (
        "array-like of shape (n_classes, n_classes) or None",
        "Cost of predicting one class (column) for a row of another class (row), in the order of classes_,"
        " with zeros on the diagonal. None: every error costs 1.",
    ),
    "column_costs": (
        "dict, array-like of shape (n_features,) or None",
        "Cost of testing each feature, above 0. The gain of a split is divided by the cost of its feature. A"
        " dict maps names or positions to costs, and all other features cost 1.",
    ),
    "n_estimators": ("int", "Number of trees."),
    "oob_score": (
        "bool or callable",
        "Whether to score every row with the trees that did not draw it, by accuracy or R2, or by a"
        " function of the true and the predicted values. Needs bootstrap.",
    ),
    "warm_start": (
        "bool",
        "Whether fit adds trees to those of an earlier fit. The seed, bootstrap and max_samples of the"
        " first fit are kept, so the forest is the same as one grown in a single fit.",
    ),
    "center": (
        "bool",
        "Whether to subtract a random forest's out-of-bag prediction from y first. This removes variation"
        " that treated and untreated rows have in common, which matters if the treatment was not randomised."
        " The means of the arms are then means of the residuals.",
    ),
    "verbose": ("int", "Above 0: fit prints how many trees have been grown."),
    "max_samples": (
        "int, float or None",
        "Number of rows drawn for each tree: a count, or a fraction of the sum of the row weights (of the"
        " rows, if there are no weights), which may exceed 1. None: as many as there are. Rows are drawn in"
        " proportion to their weights.",
    ),
    "shrinkage": (
        "float, 'cv' or None",
        "Strength of hierarchical shrinkage. A leaf then predicts the value of the root plus the changes"
        " along its path, each divided by 1 + shrinkage / weight of the node where the step starts. The"
        " splits stay the same. 'cv': the strength with the lowest cross-validated loss, see"
        " ``shrinkage_``. None: no shrinkage.",
    ),
    "categorical_features": (
        "'from_dtype', array-like of bool, int or str, or None",
        "Features without an order: a mask, positions, names, or 'from_dtype'. 'from_dtype' selects the"
        " text, category and boolean columns of a frame, and the columns of words in an array of objects,"
        " which meta-estimators make from a frame. In oblique trees and forests, booleans are numbers,"
        " because sums need numbers. None: only text and category columns, which cannot be numbers.",
    ),
    "ordinal_features": (
        "dict of {int or str: list or None} or None",
        "Features whose values have an order: a list of the values from low to high, or None for their"
        " natural order.",
    ),
    "feature_combinations": (
        "float or None",
        "Average number of features in a sum, from 1 to the number of numeric features. None: 1.5, or 1 if"
        " there is only one numeric feature.",
    ),
    "tree_estimator": (
        "tree of bough or None",
        "An unfitted estimator whose parameters define how the tree is grown. None: the parameters given"
        " here.",
    ),
    "pruning": (
        "str or one of `CostComplexity`, `ReducedError`, `Pessimistic`, `CriticalValue`",
        "How the grown tree is pruned: a group with its parameters, or the name of a method with default"
        " parameters ('cost_complexity', 'reduced_error', 'pessimistic' or 'mdl'). 'none': only if ccp_alpha"
        " is set. 'auto': pessimistic with C4.5, otherwise none.",
    ),
    "missing": (
        "{'learn', 'surrogate', 'stop'} or `Surrogates`",
        "What happens to rows whose tested cell is missing. 'learn': they go to the side that gives the"
        " better split. 'surrogate': splits are scored on known cells, and other rows follow the test on"
        " another feature that agrees best with the split. 'stop': they stay at the node.",
    ),
    "refine": (
        "`TAO`, 'tao' or None",
        "How the grown tree is improved: by tree alternating optimisation, or not at all (None).",
    ),
    "honest": (
        "bool or `Honest`",
        "Whether separate rows choose the splits and set the leaf values, and how the rows are divided."
        " True: Honest().",
    ),
    "projection": (
        "`Projection` or None",
        "Which weighted sums of features are drawn. None: Projection().",
    ),
    "n_jobs": (
        "int or None",
        "Number of threads. None means 1, unless in a joblib.parallel_config context; -1 means all cores."
        " The tree is the same for any number of threads.",
    ),
}

FOREST_CLASS_WEIGHT = (
    "dict, list of dict, 'balanced', 'balanced_subsample' or None",
    "Weights of the classes, {label: weight}; for several outputs, a list of them. 'balanced': inversely"
    " proportional to the class's share of the total weight. 'balanced_subsample': inversely proportional to"
    " how often the class is drawn, for each tree.",
)


# What the documentation says about all fitted estimators, and about those of classes.
_ATTRIBUTES = """n_outputs_, n_features_in_ : int
feature_names_in_ : ndarray of shape (n_features_in_,)
    Only if X had names.
feature_importances_ : ndarray of shape (n_features_in_,)
"""
_CLASS_ATTRIBUTES = """classes_ : ndarray of shape (n_classes,), or a list of them for several outputs
n_classes_ : int, or an ndarray of them for several outputs
"""


def constraints(names: Sequence[str], criteria: Sequence[str]) -> dict[str, list[Any]]:
    """scikit-learn's ``_parameter_constraints`` of an estimator with these parameters."""
    special: dict[str, list[Any]] = {
        "pruning": [StrOptions({*TABLE["pruning"]["choices"]} - {"critical_value"})],  # that needs the value
        "missing": [StrOptions(set(TABLE["missing_policy"]["choices"]))],
        "refine": [StrOptions({"tao"}), None],
        "honest": ["boolean"],
        "projection": [None],
        "criterion": [StrOptions(set(criteria))],
        "random_state": ["random_state"],
        "class_weight": [dict, list, StrOptions({"balanced"}), None],
        "monotonic_cst": ["array-like", dict, None],
        "interaction_cst": [list, tuple, StrOptions({"no_interactions"}), None],
        "priors": [dict, "array-like", None],
        "loss_matrix": ["array-like", None],
        "column_costs": [dict, "array-like", None],
        "shrinkage": [Interval(Real, 0.0, None, closed="left"), StrOptions({"cv"}), None],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
        "ordinal_features": [dict, None],
        "feature_combinations": [Interval(Real, 1.0, None, closed="left"), None],
        "tree_estimator": [BaseEstimator, None],
        "n_jobs": [Integral, None],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "oob_score": ["boolean", callable],
        "warm_start": ["boolean"],
        "verbose": ["verbose"],
        "center": ["boolean"],
        "max_samples": [
            None,
            Interval(RealNotInt, 0.0, None, closed="neither"),
            Interval(Integral, 1, None, closed="left"),
        ],
    }
    for argument in _groups.ARGUMENTS:
        special[argument] += _groups.groups_of(argument)
    if "n_estimators" in names:
        special["class_weight"] = [dict, list, StrOptions({"balanced", "balanced_subsample"}), None]
    if "feature_combinations" in names:  # sums may be more than features
        counts, _, *others = row_constraints(TABLE["max_features"])
        special["max_features"] = [counts, Interval(RealNotInt, 0.0, None, closed="neither"), *others]
    return {name: special[name] if name in special else row_constraints(TABLE[name]) for name in names}


def parameter_docs(defaults: dict[str, Any], criteria: Sequence[str]) -> str:
    """The ``Parameters`` section of an estimator, in numpydoc."""
    lines = ["Parameters", "----------"]
    for name, default in defaults.items():
        if name == "class_weight" and "n_estimators" in defaults:
            kind, text = FOREST_CLASS_WEIGHT
        elif name in PYTHON_DOCS:
            kind, text = PYTHON_DOCS[name]
        elif name == "criterion":
            kind = "{" + ", ".join(repr(choice) for choice in criteria) + "}"
            text = "How splits are scored. log_loss means entropy, friedman_mse means squared_error."
            text = text.replace(
                ", friedman_mse means squared_error" if "gini" in criteria else "log_loss means entropy, ", ""
            )
        else:
            lines += row_docs(name, TABLE[name], default)
            continue
        lines += [f"{name} : {kind}, default={default!r}", f"    {text}", ""]
    return "\n".join(lines)


def feature_position(wish: Any, names: Sequence[str], param: str) -> int:
    """Index of the feature that a position or a name means."""
    if isinstance(wish, str):
        if wish not in names:
            raise BoughError(
                f"{param} names {str(wish)!r}, which is not a feature; the features are {list(names)[:12]}"
            )
        return list(names).index(wish)
    if isinstance(wish, (bool, np.bool_)) or not isinstance(wish, Integral):
        raise BoughError(f"{param} must hold positions or names of features, not {wish!r}")
    if not -len(names) <= int(wish) < len(names):
        raise BoughError(f"{param} holds {wish}, but there are {len(names)} features")
    return int(wish) % len(names)


def monotone_signs(cst: Any, names: Sequence[str], n_outputs: int, n_classes: int | None) -> dict[str, int]:
    """The constraints by feature name; scikit-learn's refusals in its words."""
    if n_outputs > 1:
        raise ValueError("Monotonicity constraints are not supported with multiple outputs.")
    if isinstance(cst, dict):
        values = np.zeros(len(names), dtype=int)
        for wish, sign in cst.items():
            values[feature_position(wish, names, "monotonic_cst")] = sign
        cst = values
    signs = np.asarray(cst)
    if signs.shape[0] != len(names):
        raise ValueError(
            f"monotonic_cst has shape {signs.shape[0]} but the input data X has {len(names)} features."
        )
    if not np.isin(signs, (-1, 0, 1)).all():
        raise ValueError(
            f"monotonic_cst must be None or an array-like of -1, 0 or 1, but got {np.unique(signs)}"
        )
    if n_classes is not None and n_classes > 2:
        raise ValueError("Monotonicity constraints are not supported with multiclass classification")
    return {names[i]: int(sign) for i, sign in enumerate(signs) if sign}


def interaction_groups(cst: Any, names: Sequence[str]) -> list[list[str]]:
    """Groups of feature names."""
    if isinstance(cst, str):
        return [[name] for name in names]
    for group in cst:
        if isinstance(group, str) or not isinstance(group, Iterable):
            raise ValueError(
                f"interaction_cst is a list of groups of features, such as [[0, 1], [2]], but holds {group!r}"
            )
    return [[names[feature_position(wish, names, "interaction_cst")] for wish in group] for group in cst]


def class_priors(priors: Any, names: Sequence[str], labels: Sequence[Any]) -> dict[str, float]:
    """Priors by the core's names of the classes."""
    if not isinstance(priors, dict):
        shares = np.asarray(priors, dtype=np.float64)
        if shares.shape != (len(names),):
            raise ValueError(f"priors has shape {shares.shape}, but there are {len(names)} classes")
        return dict(zip(names, shares.tolist(), strict=True))
    known = {**dict(zip(names, names, strict=True)), **dict(zip(labels, names, strict=True))}
    for label in priors:
        if label not in known:
            raise ValueError(f"priors names {label!r}, which is not a class; the classes are {list(labels)}")
    return {known[label]: float(share) for label, share in priors.items()}


def loss_rows(loss: Any) -> list[list[float]]:
    """A loss matrix as lists."""
    try:
        grid = np.asarray(loss, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"loss_matrix is a square of numbers, one row per class, but is {loss!r}") from None
    if grid.ndim != 2 or grid.shape[0] != grid.shape[1]:
        raise ValueError(f"loss_matrix has shape {grid.shape}; it needs a row and a column per class")
    for i, losses in enumerate(grid):
        for loss in losses[~(np.isfinite(losses) & (losses >= 0))]:
            raise ValueError(f"loss_matrix: row {i} (counted from 0) holds {loss:g}; losses are 0 or more")
        if losses[i] != 0:
            raise ValueError(f"loss_matrix: row {i} (counted from 0) charges right answers {losses[i]:g}")
    return grid.tolist()


def costs_by_name(costs: Any, names: Sequence[str]) -> dict[str, float]:
    """Prices of features by their names."""
    if isinstance(costs, dict):
        by_name = {names[feature_position(k, names, "column_costs")]: float(v) for k, v in costs.items()}
    else:
        prices = np.asarray(costs, dtype=np.float64)
        if prices.shape != (len(names),):
            raise ValueError(f"column_costs has shape {prices.shape}, but there are {len(names)} features")
        by_name = dict(zip(names, prices.tolist(), strict=True))
    for name, price in by_name.items():
        if not 0 < price < np.inf:
            raise ValueError(f"column_costs: the cost of {name!r} is {price}, but costs are numbers above 0")
    return by_name


def seed_of(random_state: Any) -> int:
    """The core's seed: 0 without a seed, so that nothing is left to chance."""
    if random_state is None:
        return 0
    if isinstance(random_state, Integral) and int(random_state) >= 0:
        return int(random_state)
    return int(check_random_state(random_state).randint(0, np.iinfo(np.int32).max))


# What names columns or classes, which only the data has: see Learner._core_values.
_BY_NAME = ("monotonic_cst", "interaction_cst", "column_costs", "loss_matrix", "priors")
_PLAIN = frozenset(TABLE) - {"class_weight", *_BY_NAME}
_COUNTS = frozenset({"pruning_folds", "little_bags", "tao"})
_SIZES = frozenset(TABLE) - _COUNTS - {"work_limit", "forest"}


def core_values(given: dict[str, Any]) -> dict[str, Any]:
    """The core's parameters that these of an estimator's are or stand for."""
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name in _groups.ARGUMENTS:
            values |= _groups.core_values(name, value)
        elif name in _PLAIN and not (name == "feature_combinations" and value is None):
            values[name] = value
    for name in _COUNTS.intersection(values):
        if isinstance(values[name], Integral) and values[name] > _MOST:
            raise BoughError(spelt(f"{name} must be at most {_MOST}, but is {values[name]}"))
    return {name: plain(value, name in _SIZES) for name, value in values.items()}


def from_core(cls: Any, stored: dict[str, Any], criterion: str | None = None) -> dict[str, Any]:
    """Arguments of an estimator out of the core's parameters, with what the criterion was in the end."""
    wanted = {name: stored[name] for name in cls._names if name in stored and name != "class_weight"}
    if not cls._stratifies:
        stored = stored | {"honest_stratify": True}
    for argument in _groups.ARGUMENTS.intersection(cls._names):
        wanted[argument] = _groups.from_core(argument, stored)
    # Random cuts without a seed are other ones every time.
    seed = stored["seed"] if stored["splitter"] == "random" else stored["seed"] or None
    wanted |= {"random_state": seed, "criterion": criterion}
    # An empty constraint is none.
    for name in ("monotonic_cst", "interaction_cst"):
        wanted[name] = stored[name] or None
    return {name: value for name, value in wanted.items() if name in cls._names}


def plain(value: Any, is_size: bool = True) -> Any:
    """A value in Python's own types; no tree comes near 2^31 rows, levels or leaves, so larger sizes are all
    the same."""
    if isinstance(value, np.generic):
        value = value.item()
    return min(value, _MOST) if is_size and type(value) is int else value


_Class = TypeVar("_Class", bound=type)


def described(decorated: _Class) -> _Class:
    """Class decorator: documentation and constraints out of the table of parameters."""
    cls: Any = decorated
    signature = inspect.signature(cls.__init__).parameters
    defaults = {name: p.default for name, p in signature.items() if name != "self"}
    classify = cls._task == "classification"
    criteria = CLASS_CRITERIA if classify else NUMBER_CRITERIA
    cls._names, cls._defaults, cls._core_defaults = tuple(defaults), defaults, core_values(defaults)
    cls._parameter_constraints = constraints(cls._names, criteria)
    attributes = cls._attributes.strip() + "\n" + _ATTRIBUTES + _CLASS_ATTRIBUTES * classify
    parts = [inspect.cleandoc(cls.__doc__ or ""), parameter_docs(defaults, criteria).rstrip()]
    cls.__doc__ = "\n\n".join([*parts, f"Attributes\n----------\n{attributes}"])
    return decorated


def check_poisson(y: np.ndarray) -> None:
    if np.any(y < 0):
        raise ValueError("Some value(s) of y are negative which is not allowed for Poisson regression.")
    if np.sum(y) <= 0:
        raise ValueError("Sum of y is not positive which is necessary for Poisson regression.")


def max_features_of(estimator: Any, n_features: int) -> int:
    """Features that a node looks at."""
    wish = getattr(estimator, "max_features", None)
    if wish is None:
        return n_features
    named = {"sqrt": np.sqrt, "log2": np.log2, "square": np.square}
    if wish == "auto":
        return max(1, int(np.sqrt(n_features)) if hasattr(estimator, "predict_proba") else n_features // 3)
    if isinstance(wish, str):
        return max(1, int(named[wish](n_features)))
    return int(wish) if isinstance(wish, Integral) else max(1, int(wish * n_features))

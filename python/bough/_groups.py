# SPDX-License-Identifier: Apache-2.0
"""Parameters that matter only together, as one argument of an estimator: pruning=CostComplexity(folds=5)."""

from __future__ import annotations

from inspect import cleandoc, signature
from typing import Any, ClassVar

from sklearn.base import BaseEstimator

from . import _signatures
from ._errors import BoughError
from ._table import TABLE, row_constraints, row_docs


class ParameterGroup(BaseEstimator):
    """Base of the groups. They are compared by value; ``pruning__folds`` reaches into them."""

    _argument: ClassVar[str]  # of the estimators
    _short: ClassVar[Any]  # what may be given in place of a group of defaults
    _means: ClassVar[dict[str, Any]] = {}  # the core's parameters that the group itself stands for
    _fields: ClassVar[dict[str, str]]  # the core's names of its own

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        defaults = {name: p.default for name, p in signature(cls).parameters.items()}
        rows = {own: TABLE[core] | {"none": defaults[own] is None} for own, core in cls._fields.items()}
        cls._parameter_constraints = {own: row_constraints(row) for own, row in rows.items()}
        lines = [line for own, row in rows.items() for line in row_docs(own, row, defaults[own])]
        cls.__doc__ = "\n".join([cleandoc(cls.__doc__ or ""), "", "Parameters", "----------", *lines])

    def core_values(self) -> dict[str, Any]:
        """The core's parameters."""
        return {**self._means, **{core: vars(self)[own] for own, core in self._fields.items()}}

    @classmethod
    def holds(cls, values: dict[str, Any]) -> bool:
        """Whether the core's parameters use the group."""
        return all(values[name] == value for name, value in cls._means.items())

    @classmethod
    def from_core(cls, values: dict[str, Any]) -> Any:
        """The group that the core's parameters make, or what is short for it."""
        group = cls(**{own: values[core] for own, core in cls._fields.items()})
        return cls._short if hasattr(cls, "_short") and group == cls() else group

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).items()))

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._fields and not name.startswith("_"):
            raise AttributeError(f"{type(self).__name__} has no parameter {name!r}: it has {[*self._fields]}")
        super().__setattr__(name, value)


class CostComplexity(_signatures.CostComplexity, ParameterGroup):
    """Minimal cost-complexity pruning.

    The cost per leaf is ``ccp_alpha``, or one chosen by cross-validation if ``ccp_alpha`` is 0.
    Alternatively, ``cp`` sets rpart's complexity parameter; it cannot be combined with the others.
    """

    _argument, _short = "pruning", "cost_complexity"
    _means: ClassVar = {"pruning": "cost_complexity"}

    def core_values(self) -> dict[str, Any]:
        values = super().core_values()
        cp = values.pop("cp")
        if cp is None:
            return values
        plain = vars(type(self)())
        for name, value in vars(self).items():
            if name != "cp" and value != plain[name]:
                raise BoughError(
                    f"pruning=CostComplexity({name}={value!r}) does nothing, because cp is the price of a"
                    f" split: leave {name} or cp out"
                )
        return {"cp": cp}

    @classmethod
    def holds(cls, values: dict[str, Any]) -> bool:
        return values["cp"] >= 0 or super().holds(values)

    @classmethod
    def from_core(cls, values: dict[str, Any]) -> Any:
        return super().from_core({**values, "cp": values["cp"] if values["cp"] >= 0 else None})


class ReducedError(_signatures.ReducedError, ParameterGroup):
    """Pruning by the errors on held-out rows."""

    _argument, _short = "pruning", "reduced_error"
    _means: ClassVar = {"pruning": "reduced_error"}


class Pessimistic(_signatures.Pessimistic, ParameterGroup):
    """C4.5's pruning: a branch is cut if the upper limit of the error is no higher without it."""

    _argument, _short = "pruning", "pessimistic"
    _means: ClassVar = {"pruning": "pessimistic"}


class CriticalValue(_signatures.CriticalValue, ParameterGroup):
    """Pruning of branches in which no split reaches a given decrease in impurity."""

    _argument = "pruning"
    _means: ClassVar = {"pruning": "critical_value"}


class Surrogates(_signatures.Surrogates, ParameterGroup):
    """Rows whose tested cell is missing follow other tests, those that agree best with the split."""

    _argument, _short = "missing", "surrogate"
    _means: ClassVar = {"missing_policy": "surrogate"}


class TAO(_signatures.TAO, ParameterGroup):
    """Tree alternating optimisation.

    Every test of the grown tree is chosen again while the rest of the tree stays fixed.
    """

    _argument, _short = "refine", "tao"

    def core_values(self) -> dict[str, Any]:
        values = super().core_values()
        return values if values["tao"] else {}  # a grid may turn it off

    @classmethod
    def holds(cls, values: dict[str, Any]) -> bool:
        return values["tao"] > 0


class Honest(_signatures.Honest, ParameterGroup):
    """How rows are divided between choosing splits and estimating the values of leaves."""

    _argument, _short = "honest", True
    _means: ClassVar = {"honest": True}


class Projection(_signatures.Projection, ParameterGroup):
    """Which weighted sums of features an oblique tree draws."""

    _argument, _short = "projection", None
    _means: ClassVar = {"oblique": True}


GROUPS: tuple[type[ParameterGroup], ...] = (
    CostComplexity,
    ReducedError,
    Pessimistic,
    CriticalValue,
    Surrogates,
    TAO,
    Honest,
    Projection,
)
_SHORT = {(group._argument, group._short): group for group in GROUPS if hasattr(group, "_short")}
# The core's names of arguments that are more than their groups.
_CORE_NAMES = {"pruning": "pruning", "missing": "missing_policy", "honest": "honest"}
ARGUMENTS = frozenset(group._argument for group in GROUPS)
# How Python spells the core's parameters that are part of a group, or renamed with it.
SPELLINGS = {"missing_policy": "missing=..."} | {
    core: f"{group._argument}={group.__name__}({own}=...)"
    for group in GROUPS
    for own, core in group._fields.items()
}


def groups_of(argument: str) -> list[type[ParameterGroup]]:
    """The groups that may be given for an argument."""
    return [group for group in GROUPS if group._argument == argument]


def group_of(argument: str, value: Any) -> Any:
    """The group that a value of an argument is or is short for; else the value."""
    group = None if isinstance(value, ParameterGroup) else _SHORT.get((argument, value))
    return value if group is None else group()


def core_values(argument: str, value: Any) -> dict[str, Any]:
    """The core's parameters that the value of an argument stands for."""
    value = group_of(argument, value)
    if isinstance(value, ParameterGroup):
        return value.core_values()
    return {_CORE_NAMES[argument]: value} if argument in _CORE_NAMES else {}


def expanded(params: dict[str, Any]) -> dict[str, Any]:
    """The core's parameters among which groups stand for theirs."""
    values: dict[str, Any] = {}
    for name, value in params.items():
        values |= value.core_values() if isinstance(value, ParameterGroup) else {name: value}
    return values


def from_core(argument: str, values: dict[str, Any]) -> Any:
    """The value of an argument that the core's parameters mean."""
    for group in groups_of(argument):
        if group.holds(values):
            return group.from_core(values)
    return values[_CORE_NAMES[argument]] if argument in _CORE_NAMES else None

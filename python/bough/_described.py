# SPDX-License-Identifier: Apache-2.0
"""Documentation and constraints of an estimator, out of the core's table of parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from . import _params

_Class = TypeVar("_Class", bound=type)


def _described(criteria: tuple[str, ...], attributes: str = "") -> Callable[[_Class], _Class]:
    """Class decorator: documentation and constraints out of the table of parameters."""

    def decorate(decorated: _Class) -> _Class:
        cls: Any = decorated
        signature = inspect.signature(cls.__init__).parameters
        defaults = {name: p.default for name, p in signature.items() if name != "self"}
        cls._names, cls._defaults = tuple(defaults), defaults
        cls._parameter_constraints = _params.constraints(cls._names, criteria)
        parameters = _params.parameter_docs(defaults, criteria).rstrip()
        cls.__doc__ = "\n\n".join(
            [(cls.__doc__ or "").strip(), parameters, attributes or _params.TREE_ATTRIBUTES]
        ) + ("\n" + _params.CLASS_ATTRIBUTES if cls._task == "classification" else "\n")
        return decorated

    return decorate

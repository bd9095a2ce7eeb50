# SPDX-License-Identifier: Apache-2.0
"""Arguments of functions: those that do nothing as they are called, and numbers of things."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from ._errors import BoughError


def refuse_idle(reason: str, **given: tuple[Any, Any]) -> None:
    """Raises for the first argument, given as (value, default), that is not its default.

    ``reason`` goes on after "alpha does nothing", such as "without X".
    """
    for name, (value, default) in given.items():
        if value is default or (isinstance(value, (str, int, float)) and value == default):
            continue
        raise BoughError(f"{name} does nothing {reason}")


def whole_number(value: Any, name: str, least: int = 0) -> int:
    """The value of an argument that counts something, or is the number of a row, a tree or the like."""
    if not isinstance(value, Integral) or value < least:
        raise BoughError(f"{name} must be a whole number of {least} or more, not {value!r}")
    return int(value)

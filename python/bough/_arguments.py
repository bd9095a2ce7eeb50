# SPDX-License-Identifier: Apache-2.0
"""Arguments of functions that do nothing as they are called."""

from __future__ import annotations

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

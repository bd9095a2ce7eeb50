# SPDX-License-Identifier: Apache-2.0
"""Parameters that an earlier fit has checked and made ready: a small table needs less time than they do."""

from __future__ import annotations

from typing import Any

_PLAIN = frozenset({int, float, str, bool, type(None)})
_MOST = 1024


class Memory(dict[Any, Any]):
    """Values by key_of(); what has no key is not kept."""

    def keep(self, key: tuple[Any, ...] | None, value: Any) -> None:
        if key is not None:
            if len(self) >= _MOST:
                self.clear()
            self[key] = value


checked = Memory()  # wishes that were checked
params = Memory()  # the core's parameters that they mean


def key_of(cls: type, given: dict[str, Any]) -> tuple[Any, ...] | None:
    """What stands for the parameters of a class; None where one is no plain value and may change."""
    parts: list[Any] = [cls]
    for name, value in given.items():
        kind = type(value)
        if kind not in _PLAIN:
            return None
        parts += (name, kind, value)  # the type: 1, 1.0 and True are equal
    return tuple(parts)

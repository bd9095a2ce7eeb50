# SPDX-License-Identifier: Apache-2.0
"""Parameters that an earlier fit has checked and made ready: a small table needs less time than they do."""

from __future__ import annotations

from typing import Any

from . import _core

_PLAIN = frozenset({int, float, str, bool, type(None)})
_MOST = 1024

# Wishes that were checked, and the core's parameters that they mean, by key_of().
_checked: set[tuple[Any, ...]] = set()
_params: dict[tuple[Any, ...], _core.Params] = {}


def key_of(cls: type, given: dict[str, Any]) -> tuple[Any, ...] | None:
    """What stands for the parameters of a class; None where one is no plain value and may change."""
    parts: list[Any] = [cls]
    for name, value in given.items():
        kind = type(value)
        if kind not in _PLAIN:
            return None
        parts += (name, kind, value)  # the type: 1, 1.0 and True are equal
    return tuple(parts)


def is_checked(key: tuple[Any, ...] | None) -> bool:
    return key is not None and key in _checked


def remember_check(key: tuple[Any, ...] | None) -> None:
    if key is not None:
        if len(_checked) >= _MOST:
            _checked.clear()
        _checked.add(key)


def params(key: tuple[Any, ...] | None) -> _core.Params | None:
    return None if key is None else _params.get(key)


def remember_params(key: tuple[Any, ...] | None, made: _core.Params) -> None:
    if key is not None:
        if len(_params) >= _MOST:
            _params.clear()
        _params[key] = made

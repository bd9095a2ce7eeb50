# SPDX-License-Identifier: Apache-2.0
"""The core's one table of parameters: its rows as scikit-learn's constraints, and in numpydoc."""

from __future__ import annotations

import json
from inspect import Parameter
from numbers import Integral, Real
from typing import Any

from sklearn.utils._param_validation import Interval, RealNotInt, StrOptions

from . import _core

TABLE: dict[str, dict[str, Any]] = {row["name"]: row for row in json.loads(_core.params_table())}


def row_constraints(row: dict[str, Any]) -> list[Any]:
    """scikit-learn's constraints of a row of the table."""
    none = [None] if row["none"] else []
    low, high = row.get("low", 0.0), row.get("high")
    if row["type"] == "choice":
        return [StrOptions(set(row["choices"]))]
    if row["type"] == "bool":
        return ["boolean"]
    if row["type"] == "int":
        if high is not None and high < 2**31 - 1:
            return [Interval(Integral, int(low), int(high), closed="both"), *none]
        return [Interval(Integral, int(low), None, closed="left"), *none]
    if row["type"] == "amount":
        # A fraction of all rows may not ask for every row in each leaf; other fractions may be 1.
        closed = "neither" if row["name"] == "min_samples_leaf" else "right"
        named = [StrOptions(set(row["names"]))] if row.get("names") else []
        fraction = Interval(RealNotInt, 0.0, 1.0, closed=closed)
        return [Interval(Integral, int(low), None, closed="left"), fraction, *named, *none]
    if high is None:
        return [Interval(Real, low, None, closed="left"), *none]
    return [Interval(Real, low, high, closed="right" if row.get("open_low") else "both"), *none]


def row_docs(name: str, row: dict[str, Any], default: Any) -> list[str]:
    """A row of the table in numpydoc, under a name."""
    words = {"choice": "str", "int": "int", "number": "float", "amount": "int or float", "bool": "bool"}
    kind = words[row["type"]]
    if row["type"] == "choice":
        kind = "{" + ", ".join(repr(choice) for choice in row["choices"]) + "}"
    if row.get("names"):
        kind += " or {" + ", ".join(repr(choice) for choice in row["names"]) + "}"
    none = " or None" if row["none"] else ""
    value = "" if default is Parameter.empty else f", default={default!r}"
    return [f"{name} : {kind}{none}{value}", f"    {row['doc'].replace('none:', 'None:')}", ""]

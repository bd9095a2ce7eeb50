# SPDX-License-Identifier: Apache-2.0
"""The data sets that are included in bough; nothing is downloaded."""

from __future__ import annotations

import csv
import json
from importlib import resources
from typing import Any

import numpy as np
from sklearn.utils import Bunch

_MISSING = {"", "NA"}


def _text(name: str) -> str:
    return (resources.files("bough") / "data" / name).read_text(encoding="utf-8")


def list_datasets() -> dict[str, str]:
    """Return the names of the data sets with a description of each."""
    return {entry["name"]: entry["description"] for entry in json.loads(_text("sets.json"))}


def load(name: str, *, as_frame: bool = False, return_X_y: bool = False) -> Any:
    """Load one of the embedded data sets.

    Parameters
    ----------
    name : str
        See `list_datasets`.
    as_frame : bool, default=False
        Whether data and target are pandas objects. Otherwise, sets with text columns give an array of
        objects.
    return_X_y : bool, default=False
        Whether to return only (data, target).

    Returns
    -------
    set : Bunch
        ``data``, ``target``, ``feature_names``, ``target_name``, ``sample_weight`` (None if all rows have
        weight 1), ``frame`` (data and target together, with `as_frame`) and ``DESCR``.
    """
    sets = {entry["name"]: entry for entry in json.loads(_text("sets.json"))}
    if name not in sets:
        raise ValueError(f"there is no set {name!r}; there are {', '.join(sets)}")
    entry = sets[name]
    header, *lines = list(csv.reader(_text(f"{name}.csv").splitlines()))
    columns = {title: _cells([line[j] for line in lines]) for j, title in enumerate(header)}
    target = columns.pop(entry["target"])
    weight = columns.pop(entry["weight"]) if "weight" in entry else None
    data: Any
    frame = None
    if as_frame:
        import pandas as pd

        data, target = pd.DataFrame(columns), pd.Series(target, name=entry["target"])
        frame = pd.concat([data, target], axis=1)
    else:
        words = any(column.dtype.kind not in "fiu" for column in columns.values())
        data = np.empty((len(lines), len(columns)), dtype=object if words else np.float64)
        for j, column in enumerate(columns.values()):
            data[:, j] = column
    if return_X_y:
        return data, target
    return Bunch(
        data=data,
        target=target,
        frame=frame,
        feature_names=list(columns),
        target_name=entry["target"],
        sample_weight=weight,
        DESCR=entry["description"],
    )


def _cells(cells: list[str]) -> np.ndarray:
    try:
        numbers = np.array([np.nan if cell in _MISSING else float(cell) for cell in cells])
    except ValueError:
        return np.array(cells)
    whole = not np.isnan(numbers).any() and all("." not in cell for cell in cells)
    return numbers.astype(np.int64) if whole else numbers

# SPDX-License-Identifier: Apache-2.0
"""What all partitions agree on: columns, kinds, classes and class weights, as a fit on all rows would find
them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import compute_class_weight, compute_sample_weight
from sklearn.utils.validation import validate_data

from .. import _input, _targets
from .._errors import BoughError
from .._params import check_poisson
from ._partition import LOOSE, Agreed, Facts, Wish


@dataclass
class Agreement:
    """What the driver knows about all rows without having any."""

    agreed: Agreed
    rows: _input.Rows  # without a table
    targets: _targets.Targets
    first_rows: list[int]  # by partition
    full: list[int]  # partitions that have rows
    counts: list[np.ndarray]  # classification: rows by class, per output


def agree(estimator: Any, facts: list[Facts], names: list[str], wish: Wish, wished: list[str]) -> Agreement:
    """Raises BoughError naming the partition that does not fit the others. Sets the names of features of the
    estimator; `wished` are names that the targets have."""
    n_rows = sum(part.n_rows for part in facts)
    full = [i for i, part in enumerate(facts) if part.n_rows]
    _same_columns(facts, names)
    if not full:
        width = len(facts[0].columns) if facts else 0
        validate_data(estimator, np.empty((0, width)), skip_check_array=False)
    present, present_names = [facts[i] for i in full], [names[i] for i in full]
    if not any(part.weighty for part in present):
        where = f"the column {wish.weight!r}, given as sample_weight," if wish.weight else "sample_weight"
        raise BoughError(f"every weight in {where} is 0; give some rows a weight")
    rows, casts = _agree_columns(estimator, present, present_names)
    rows.n_rows = n_rows
    targets, labels, counts = _agree_targets(estimator, present, present_names, wish, rows.names, wished)
    agreed = Agreed(wish, targets.names, rows.names, classes=targets.classes, labels=labels, casts=casts)
    starts = np.cumsum([0, *[part.n_rows for part in facts]])[:-1]
    return Agreement(agreed, rows, targets, [int(start) for start in starts], full, counts)


# ---------------------------------------------------------------- columns
def _same_columns(facts: list[Facts], names: list[str]) -> None:
    first = facts[0]
    for part, name in zip(facts, names, strict=True):
        if part.columns == first.columns:
            continue
        more = [column for column in part.columns if column not in first.columns]
        less = [column for column in first.columns if column not in part.columns]
        what = "; ".join(
            [f"it also has {more[:5]}"] * bool(more)
            + [f"it lacks {less[:5]}"] * bool(less)
            + ["their order differs"] * (not more and not less)
        )
        raise BoughError(f"{name} has other columns than {names[0]}: {what}")


def _agree_columns(
    estimator: Any, facts: list[Facts], names: list[str]
) -> tuple[_input.Rows, dict[Any, str]]:
    first = facts[0]
    estimator.__dict__.pop("feature_names_in_", None)
    if first.matrix:
        for part, name in zip(facts, names, strict=True):
            if part.types != first.types:
                raise BoughError(
                    f"{name} holds {part.types[0]}, {names[0]} holds {first.types[0]}; convert them with "
                    "astype"
                )
        estimator.n_features_in_ = len(first.columns)
        return _input.Rows(None, 0, _input.default_names(len(first.columns))), {}
    import pandas as pd

    empty = pd.DataFrame(columns=first.columns)
    if not first.columns:
        validate_data(estimator, np.empty((1, 0)), skip_check_array=False)
    _input._check_frame_names(estimator, empty, first.columns, True)
    estimator.n_features_in_ = len(first.columns)
    named = hasattr(estimator, "feature_names_in_")
    rows = _input.Rows(None, 0, first.columns if named else _input.default_names(len(first.columns)))
    casts: dict[Any, str] = {}
    for j, name in enumerate(rows.names):
        rows.note(name, *_agree_column(facts, names, j, casts))
    return rows, casts


def _agree_column(
    facts: list[Facts], names: list[str], j: int, casts: dict[Any, str]
) -> tuple[str, list[str]]:
    column = facts[0].columns[j]
    by_type: dict[Any, str] = {}  # what was found, and who has said it first
    for part, name in zip(facts, names, strict=True):
        loose = part.types[j] in LOOSE
        if loose and part.voids[j]:
            continue
        kind, order = part.kinds[j]
        key = (kind or "number" if loose else part.types[j], tuple(order) if kind == "ordered" else (), kind)
        # Text is text, whichever type holds it.
        by_type.setdefault(("category", (), "category") if key[0] == "category" else key, name)
    if any(part.voids[j] for part in facts) and by_type:
        casts[column] = next(iter(by_type))[2]
    if len(by_type) > 1:
        (one, at), (other, there) = list(by_type.items())[:2]
        if one[0] == other[0]:
            raise BoughError(
                f"the levels of the ordered column {column!r} are {list(other[1])[:8]} in {there}, but "
                f"{list(one[1])[:8]} in {at}; give all partitions the same categories in the same order"
            )
        raise BoughError(
            f"column {column!r} is {other[0]} in {there}, but {one[0]} in {at}; convert it with astype"
        )
    if not by_type:
        return facts[0].kinds[j]
    (_, order, kind), _ = next(iter(by_type.items()))
    return kind, list(order)


# ---------------------------------------------------------------- targets
def _agree_targets(
    estimator: Any, facts: list[Facts], names: list[str], wish: Wish, taken: list[str], wished: list[str]
) -> tuple[_targets.Targets, list[np.ndarray], list[np.ndarray]]:
    first = facts[0]
    dtype = first.y_dtype
    for part, name in zip(facts, names, strict=True):
        if part.y_columns != first.y_columns:
            raise BoughError(
                f"y has {part.y_columns or 1} columns in {name}, {first.y_columns or 1} in {names[0]}"
            )
        if part.y_dtype.kind == dtype.kind == "U":
            dtype = np.result_type(dtype, part.y_dtype)
        elif part.y_dtype != dtype:
            raise BoughError(
                f"y is {part.y_dtype} in {name}, but {dtype} in {names[0]}; convert it with astype"
            )
    width = max(1, first.y_columns)
    target_names = _targets.target_names(wished, taken, width)
    if wish.task != "classification":
        if getattr(estimator, "criterion", "") == "poisson":
            check_poisson(np.array([min(p.least for p in facts), max(p.most for p in facts)]))
        return _targets.Targets(target_names, [], np.empty((0, width), dtype)), [], []
    labels, counts = [], []
    for k in range(width):
        all_labels = np.concatenate([part.labels[k] for part in facts])
        values, codes = np.unique(all_labels.astype(dtype, copy=False), return_inverse=True)
        labels.append(values)
        all_counts = np.concatenate([part.counts[k] for part in facts])
        counts.append(np.bincount(codes.ravel(), weights=all_counts).astype(np.int64))
    # As the core takes whole numbers themselves (add_labels).
    plain = first.y_columns == 0 and dtype.kind in "iub" and _targets._fits(labels[0])
    original = labels[0] if plain else np.empty((0, width), dtype)
    return _targets.Targets(target_names, [] if plain else labels, original), labels, counts


# ---------------------------------------------------------------- class weights
def class_factors(class_weight: Any, labels: list[np.ndarray], sums: list[np.ndarray]) -> list[np.ndarray]:
    """What class_weight makes of a weight, per output and class; `sums`: rows or weights by class."""
    length = max(map(len, labels))
    tall = np.stack([np.resize(names.astype(object), length) for names in labels], axis=1)
    if not isinstance(class_weight, str):
        compute_sample_weight(class_weight, tall)  # scikit-learn's checks and words
    out = []
    for k, (names, total) in enumerate(zip(labels, sums, strict=True)):
        wish = class_weight if isinstance(class_weight, (str, dict)) else class_weight[k]
        if isinstance(wish, str) and wish == "balanced":
            out.append(_targets.balancing_factors(np.asarray(total, float)))
        else:
            out.append(compute_class_weight(wish, classes=names, y=names))
        if not out[-1].any():
            raise BoughError("class_weight makes every weight 0; give some class a weight")
    return out

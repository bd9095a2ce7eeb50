# SPDX-License-Identifier: Apache-2.0
"""How stable a tree is: refits on other rows, tests, comparisons, scores with intervals."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import Bunch

from . import _core
from ._arguments import refuse_idle, whole_number
from ._base import BaseTree, n_threads
from ._errors import BoughError
from ._study_results import (
    ChangedTree,
    Comparison,
    Evaluation,
    LeaveOneOut,
    PermutationTest,
    Rotation,
    Stability,
    floats,
    integers,
    read,
)
from ._targets import labelled_rows
from ._tree import Tree, own_model


def _threads(estimator: Any, n_jobs: int | None) -> int:
    wish = getattr(estimator, "n_jobs", None) if n_jobs is None else n_jobs
    return 0 if wish is None else n_threads(wish)


def _refits(
    estimator: Any, X: Any, y: Any, sample_weight: Any, n_jobs: int | None
) -> tuple[_core.Model, _core.Table, str, int]:
    """The model, the rows, the name of their weights and the threads; what is not fitted yet is fitted."""
    if isinstance(estimator, BaseTree) and not estimator.__sklearn_is_fitted__():
        estimator = clone(estimator).fit(X, y, sample_weight=sample_weight)
    table, weight = labelled_rows(estimator, X, y, sample_weight)
    return estimator._model, table, weight, _threads(estimator, n_jobs)


def _seed(random_state: int) -> int:
    return whole_number(random_state, "random_state")


def _depth(max_depth: int | None) -> int:
    return -1 if max_depth is None else int(max_depth)


def _test(data: dict[str, Any]) -> Bunch:
    return Bunch(**{name: float(value) for name, value in data.items()})


def stability(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    n_repeats: int = 200,
    random_state: int = 0,
    max_depth: int | None = 4,
    sample_weight: Any = None,
    n_jobs: int | None = None,
) -> Stability:
    """Measure how often the splits of a tree recur when its rows are drawn again with replacement.

    Parameters
    ----------
    estimator : estimator, fitted or not
        Its parameters are used for the new fits.
    X, y : array-likes
        The rows that it was fitted on.
    n_repeats : int, default=200
    random_state : int, default=0
        Seed of the draws; the result is the same for any number of threads.
    max_depth : int or None, default=4
        Nodes of at most this depth are reported; None: all.
    sample_weight : array-like of shape (n_samples,), default=None
    n_jobs : int or None, default=None
        Threads; None: the estimator's n_jobs, or all cores.

    Returns
    -------
    result : Stability
    """
    model, table, weight, threads = _refits(estimator, X, y, sample_weight, n_jobs)
    seed = _seed(random_state)
    told, text = _core.stability(model, table, weight, n_repeats, seed, _depth(max_depth), threads)
    data = json.loads(told)
    return read(Stability, data, n_repeats=data["repeats"], random_state=seed, text=text)


def leave_one_out(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    max_trees: int = 20,
    sample_weight: Any = None,
    n_jobs: int | None = None,
) -> LeaveOneOut:
    """Find the rows whose removal changes the tree.

    Parameters
    ----------
    estimator : estimator, fitted or not
        Its parameters are used for the new fits, one per row.
    X, y : array-likes
        The rows that it was fitted on.
    max_trees : int, default=20
        Maximum number of changed trees that are kept, for pictures.
    sample_weight : array-like of shape (n_samples,), default=None
    n_jobs : int or None, default=None
        Threads; None: the estimator's n_jobs, or all cores.

    Returns
    -------
    result : LeaveOneOut
    """
    model, table, weight, threads = _refits(estimator, X, y, sample_weight, n_jobs)
    result = _core.leave_one_out(model, table, weight, whole_number(max_trees, "max_trees"), threads)
    data = json.loads(result.to_json())
    changed = [
        read(ChangedTree, item, tree=None if model is None else Tree(model))
        for item, model in zip(data["changed"], result.models, strict=True)
    ]

    def rows_of(structure: bool) -> np.ndarray:
        parts = [item.rows for item in changed if item.structure == structure]
        return np.sort(np.concatenate(parts)) if parts else np.empty(0, dtype=np.int64)

    return read(
        LeaveOneOut,
        data,
        structure_rows=rows_of(True),
        cut_rows=rows_of(False),
        failed_rows=integers(data["failed"]),
        changed=changed,
        before=Tree(result.before),
        _core=result,
        text=result.text(),
    )


def rotation(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    angles: Sequence[float] = (15.0, 30.0, 45.0),
    planes: str = "pairs",
    folds: int = 5,
    n_repeats: int = 3,
    random_state: int = 0,
    sample_weight: Any = None,
    n_jobs: int | None = None,
) -> Rotation:
    """Measure how the score of a tree changes when the numeric columns are rotated.

    Parameters
    ----------
    estimator : estimator, fitted or not
        Its parameters are used for the new fits.
    X, y : array-likes
    angles : sequence of float, default=(15, 30, 45)
        Angles in degrees.
    planes : {'pairs', 'random'}, default='pairs'
        Whether to rotate in the planes of two (standardised) columns or in random planes. The planes are
        drawn again in every repeat.
    folds, n_repeats : int
        Folds and repeats of the cross-validation.
    random_state : int, default=0
    sample_weight : array-like of shape (n_samples,), default=None
    n_jobs : int or None, default=None

    Returns
    -------
    result : Rotation
    """
    model, table, weight, threads = _refits(estimator, X, y, sample_weight, n_jobs)
    degrees, seed = [float(angle) for angle in angles], _seed(random_state)
    told, text = _core.rotation(model, table, weight, degrees, planes, folds, n_repeats, seed, threads)
    data = json.loads(told)
    parts = [data["before"], *data["after"]]
    return read(
        Rotation,
        data,
        angles=floats(part["angle"] for part in parts),
        means=floats(part["mean"] for part in parts),
        leaves=floats(part["leaves"] for part in parts),
        scores=np.stack([floats(part["scores"]) for part in parts]),
        differences=[_test(part["difference"]) for part in data["after"]],
        text=text,
    )


def permutation_test(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    of: str = "tree",
    n_repeats: int | None = None,
    score: str = "held_out",
    folds: int = 5,
    max_depth: int | None = 3,
    random_state: int = 0,
    sample_weight: Any = None,
    n_jobs: int | None = None,
) -> PermutationTest:
    """Test whether a tree, or each of its splits, is better than with shuffled targets.

    Parameters
    ----------
    estimator : estimator, fitted or not
        Its parameters are used for the new fits.
    X, y : array-likes
        The rows that it was fitted on.
    of : {'tree', 'splits'}, default='tree'
        'tree': the whole tree. 'splits': every split. The targets are shuffled among the rows of the node,
        and the best split of all columns is searched again.
    n_repeats : int or None, default=None
        Number of shuffles; the smallest possible p-value is 1 / (1 + n_repeats). None: 199 for the tree; for
        splits, from 199 to 999, so that the adjusted p-values can fall well below 0.05.
    score : {'held_out', 'training'}, default='held_out'
        Score of the whole tree: by cross-validation, or on the training rows.
    folds : int, default=5
    max_depth : int or None, default=3
        Splits of nodes of at most this depth are tested; None: all.
    random_state : int, default=0
    sample_weight : array-like of shape (n_samples,), default=None
        Weights are shuffled together with the targets.
    n_jobs : int or None, default=None

    Returns
    -------
    result : PermutationTest
    """
    model, table, weight, threads = _refits(estimator, X, y, sample_weight, n_jobs)
    seed = _seed(random_state)
    if of == "tree":
        refuse_idle("with of='tree', whose splits are not judged one by one", max_depth=(max_depth, 3))
        if score == "training":
            refuse_idle("with score='training'", folds=(folds, 5))
        told, text = _core.permutation_test(model, table, weight, n_repeats, seed, score, folds, threads)
        data = json.loads(told)
        return read(PermutationTest, data, n_repeats=data["repeats"], p=float(data["p"]), text=text)
    if of != "splits":
        raise BoughError(f"of must be 'tree' or 'splits', not {of!r}")
    refuse_idle("with of='splits'", score=(score, "held_out"), folds=(folds, 5))
    told, text = _core.permutation_test_splits(
        model, table, weight, n_repeats, seed, _depth(max_depth), threads
    )
    data = json.loads(told)
    nodes = data["nodes"]
    return read(
        PermutationTest,
        data,
        n_repeats=data["repeats"],
        p=floats(node["p"] for node in nodes),
        adjusted=floats(node["adjusted"] for node in nodes),
        nodes=integers([node["node"] for node in nodes]),
        tests=[node["test"] for node in nodes],
        text=text,
    )


def compare(
    first: Any,
    second: Any,
    X: Any,
    y: Any,
    *,
    training: tuple[Any, ...] | None = None,
    n_splits: int = 30,
    fraction: float = 0.2,
    confidence: float = 0.95,
    random_state: int = 0,
    sample_weight: Any = None,
    n_jobs: int | None = None,
) -> Comparison:
    """Compare the predictions, the parameters and the nodes of two fitted trees.

    Parameters
    ----------
    first, second : fitted estimators
        They must have the same columns and targets.
    X, y : array-likes
        Rows that neither was fitted on.
    training : tuple (X, y) or (X, y, sample_weight), default=None
        Training rows. If given, both sets of parameters are fitted again on random divisions of these rows,
        for the corrected resampled t-test.
    n_splits : int, default=30
        Number of these divisions.
    fraction : float, default=0.2
        Share of the training rows that a division holds out.
    confidence : float, default=0.95
        Confidence level of the intervals.
    random_state : int, default=0
    sample_weight : array-like of shape (n_samples,), default=None
        Weights for the scores; the tests count every row of weight above 0 once.
    n_jobs : int or None, default=None

    Returns
    -------
    result : Comparison
    """
    table, weight = labelled_rows(first, X, y, sample_weight, by_class=False)
    rows, rows_weight = None, ""
    if training is None:
        refuse_idle("without training rows", n_splits=(n_splits, 30), fraction=(fraction, 0.2))
    else:
        if getattr(first, "class_weight", None) != getattr(second, "class_weight", None):
            raise BoughError("the refits share their weights, but the trees differ in class_weight")
        rows, rows_weight = labelled_rows(first, *training, *[None] * (3 - len(training)))
    names = [_same_names(own_model(model)) for model in (first, second)]
    if names[0] != names[1]:
        raise BoughError(f"the trees know different columns or targets: {names[0]} and {names[1]}")
    told, text = _core.compare(
        first._model,
        second._model,
        table,
        weight,
        rows,
        rows_weight,
        {
            "confidence": float(confidence),
            "splits": int(n_splits),
            "fraction": float(fraction),
            "seed": _seed(random_state),
        },
        _threads(first, n_jobs),
    )
    data = json.loads(told)
    resampled = data.get("resampled")
    if resampled is not None:
        test = _test(resampled.pop("test"))
        sides = {side: floats(resampled[side]) for side in ("first", "second")}
        resampled = Bunch(**resampled | sides | test)
    head = data["outputs"][0]
    p = float((head.get("mcnemar") or head.get("squared_errors"))["p"])
    return read(Comparison, data, p=p, resampled=resampled, text=text)


def _same_names(model: _core.Model) -> tuple[list[str], list[str]]:
    return [name for name, *_ in model.features], [name for name, *_ in model.targets]


def evaluate(
    estimator: Any, X: Any, y: Any, *, sample_weight: Any = None, confidence: float = 0.95
) -> Evaluation | list[Evaluation]:
    """Compute the scores of a fitted tree on labelled rows, each with an interval.

    Parameters
    ----------
    estimator : fitted estimator
    X, y : array-likes
        Rows that it was not fitted on.
    sample_weight : array-like of shape (n_samples,), default=None
    confidence : float, default=0.95
        Confidence level of the intervals.

    Returns
    -------
    result : Evaluation, or a list of them for several targets
    """
    table, weight = labelled_rows(estimator, X, y, sample_weight, by_class=False)
    told = _core.evaluate(
        estimator._model,
        table,
        weight,
        float(confidence),
        _threads(estimator, None if table.n_rows > 5000 else 1),
    )
    results = [
        read(
            Evaluation,
            data,
            intervals={name: (float(i["low"]), float(i["high"])) for name, i in data["intervals"].items()},
            methods={name: i["method"] for name, i in data["intervals"].items()},
            confusion=np.asarray(rows, np.float64) if (rows := data.get("confusion")) else None,
        )
        for data in json.loads(told)
    ]
    return results[0] if len(results) == 1 else results

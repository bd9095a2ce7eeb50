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
    NodeStability,
    PermutationTest,
    RootChoice,
    Rotation,
    Stability,
)
from ._targets import labelled_rows
from ._tree import Tree, own_model


def _threads(estimator: Any, n_jobs: int | None) -> int:
    wish = getattr(estimator, "n_jobs", None) if n_jobs is None else n_jobs
    return 0 if wish is None else n_threads(wish)


def _fitted(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Any:
    """The estimator, or a fitted copy of one that is not fitted yet."""
    if not isinstance(estimator, BaseTree) or estimator.__sklearn_is_fitted__():
        return estimator
    return clone(estimator).fit(X, y, sample_weight=sample_weight)


def _seed(random_state: int) -> int:
    return whole_number(random_state, "random_state")


def _numbers(values: Sequence[Any]) -> np.ndarray:
    return np.asarray([float(value) for value in values], dtype=np.float64)


def _test(data: dict[str, Any]) -> Bunch:
    return Bunch(**{name: float(value) for name, value in data.items()})


def _counts(items: list[dict[str, Any]]) -> dict[str, int]:
    return {item["name"]: item["count"] for item in items}


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
    estimator = _fitted(estimator, X, y, sample_weight)
    table, weight = labelled_rows(estimator, X, y, sample_weight)
    depth = -1 if max_depth is None else int(max_depth)
    seed = _seed(random_state)
    told, text = _core.stability(
        estimator._model, table, weight, n_repeats, seed, depth, _threads(estimator, n_jobs)
    )
    data = json.loads(told)
    nodes = [
        NodeStability(
            **{
                key: node[key]
                for key in ("node", "depth", "column", "test", "met", "same_column", "same_test", "leaves")
            },
            columns=_counts(node["columns"]),
            tests=_counts(node["tests"]),
            thresholds=_numbers(node["thresholds"]),
        )
        for node in data["nodes"]
    ]
    return Stability(
        **{key: data[key] for key in ("n_rows", "failed", "reproduced", "same_columns", "same_tree")},
        n_repeats=data["repeats"],
        nodes=nodes,
        used=_counts(data["used"]),
        leaves=np.asarray(data["leaves"], dtype=np.int64),
        depths=np.asarray(data["depths"], dtype=np.int64),
        answers=_numbers(data["answers"]),
        roots=[RootChoice(**root) for root in data["roots"]],
        root_slack=data["root_slack"],
        random_state=seed,
        text=text,
    )


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
    estimator = _fitted(estimator, X, y, sample_weight)
    table, weight = labelled_rows(estimator, X, y, sample_weight)
    most, threads = whole_number(max_trees, "max_trees"), _threads(estimator, n_jobs)
    result = _core.leave_one_out(estimator._model, table, weight, most, threads)
    data = json.loads(result.to_json())
    changed = [
        ChangedTree(
            rows=np.asarray(item["rows"], dtype=np.int64),
            structure=item["structure"],
            answers=item["answers"],
            differences=item["differences"],
            tree=None if model is None else Tree(model),
        )
        for item, model in zip(data["changed"], result.models, strict=True)
    ]

    def rows_of(structure: bool) -> np.ndarray:
        parts = [item.rows for item in changed if item.structure == structure]
        return np.sort(np.concatenate(parts)) if parts else np.empty(0, dtype=np.int64)

    return LeaveOneOut(
        n_rows=data["n_rows"],
        refits=data["refits"],
        reproduced=data["reproduced"],
        structure_rows=rows_of(True),
        cut_rows=rows_of(False),
        failed_rows=np.asarray(data["failed"], dtype=np.int64),
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
    estimator = _fitted(estimator, X, y, sample_weight)
    table, weight = labelled_rows(estimator, X, y, sample_weight)
    told, text = _core.rotation(
        estimator._model,
        table,
        weight,
        [float(angle) for angle in angles],
        planes,
        folds,
        n_repeats,
        _seed(random_state),
        _threads(estimator, n_jobs),
    )
    data = json.loads(told)
    parts = [data["before"], *data["after"]]
    return Rotation(
        measure=data["measure"],
        angles=_numbers([part["angle"] for part in parts]),
        means=_numbers([part["mean"] for part in parts]),
        leaves=_numbers([part["leaves"] for part in parts]),
        scores=np.stack([_numbers(part["scores"]) for part in parts]),
        differences=[_test(part["difference"]) for part in data["after"]],
        turned=data["turned"],
        left=data["left"],
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
    estimator = _fitted(estimator, X, y, sample_weight)
    table, weight = labelled_rows(estimator, X, y, sample_weight)
    model, seed, threads = estimator._model, _seed(random_state), _threads(estimator, n_jobs)
    if of == "tree":
        refuse_idle("with of='tree', whose splits are not judged one by one", max_depth=(max_depth, 3))
        if score == "training":
            refuse_idle("with score='training'", folds=(folds, 5))
        told, text = _core.permutation_test(model, table, weight, n_repeats, seed, score, folds, threads)
        data = json.loads(told)
        return PermutationTest(
            n_repeats=data["repeats"],
            reproduced=data["reproduced"],
            p=float(data["p"]),
            measure=data["measure"],
            score=float(data["score"]),
            shuffled=_numbers(data["shuffled"]),
            text=text,
        )
    if of != "splits":
        raise BoughError(f"of must be 'tree' or 'splits', not {of!r}")
    refuse_idle("with of='splits'", score=(score, "held_out"), folds=(folds, 5))
    depth = -1 if max_depth is None else int(max_depth)
    told, text = _core.permutation_test_splits(model, table, weight, n_repeats, seed, depth, threads)
    data = json.loads(told)
    return PermutationTest(
        n_repeats=data["repeats"],
        reproduced=data["reproduced"],
        p=_numbers([node["p"] for node in data["nodes"]]),
        adjusted=_numbers([node["adjusted"] for node in data["nodes"]]),
        nodes=np.asarray([node["node"] for node in data["nodes"]], dtype=np.int64),
        tests=[node["test"] for node in data["nodes"]],
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
        resampled = Bunch(
            measure=resampled["measure"],
            n_train=resampled["n_train"],
            n_test=resampled["n_test"],
            first=_numbers(resampled["first"]),
            second=_numbers(resampled["second"]),
            **_test(resampled["test"]),
        )
    head = data["outputs"][0]
    return Comparison(
        outputs=data["outputs"],
        p=float((head.get("mcnemar") or head.get("squared_errors"))["p"]),
        resampled=resampled,
        differences=data["differences"],
        same_tests=data["same_tests"],
        columns=data["columns"],
        params=data["params"],
        text=text,
    )


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
        Evaluation(
            target=data["target"],
            task=data["task"],
            n_rows=data["n_rows"],
            scores={name: float(score) for name, score in data["scores"].items()},
            intervals={name: (float(i["low"]), float(i["high"])) for name, i in data["intervals"].items()},
            methods={name: i["method"] for name, i in data["intervals"].items()},
            confidence=data["confidence"],
            confusion=_numbers_grid(data.get("confusion")),
        )
        for data in json.loads(told)
    ]
    return results[0] if len(results) == 1 else results


def _numbers_grid(rows: list[list[float]] | None) -> np.ndarray | None:
    return np.asarray(rows, dtype=np.float64) if rows else None

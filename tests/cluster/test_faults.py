# SPDX-License-Identifier: Apache-2.0
"""What may go wrong on a cluster: bad partitions, lost workers, no memory, nobody there. Nothing hangs,
nothing stays."""

import contextlib
import os
import time

import bough
import bough.dask
import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from distributed.client import CancelledFuturesGroup, FutureCancelledError, FuturesCancelledError

from cluster.tables import bytes_of, divided, made

X, Y, NUMBER, WEIGHTS = made(300)
Tree = bough.dask.DecisionTreeClassifier


def frames(*pieces):
    """A Dask frame of these very partitions, whatever they are."""
    return dd.from_delayed(
        [dask.delayed(piece) for piece in pieces], meta=pieces[0].iloc[:0], verify_meta=False
    )


def halves(frame):
    return frame.iloc[:150], frame.iloc[150:]


def both(first, second, client, **params):
    """The model of a fit on two partitions."""
    return Tree(max_depth=4, **params).fit(frames(first, second), divided(Y, 2), client=client)


def test_a_partition_with_other_columns_is_named(client):
    first, second = halves(X)
    with pytest.raises(
        bough.BoughError, match=r"partition 1 has other columns than partition 0: .*\['extra'\].*\['wide'\]"
    ):
        both(first, second.rename(columns={"wide": "extra"}), client)
    with pytest.raises(bough.BoughError, match=r"partition 1 has other columns .*order differs"):
        both(first, second[second.columns[::-1]], client)


@pytest.mark.parametrize(
    "column, dtype, words",
    [
        ("wide", "float32", "'wide' is float32 in partition 1, but float64 in partition 0"),
        ("whole", "str", "'whole' is category in partition 1, but int64 in partition 0"),
        ("word", "category", None),
    ],
)
def test_a_partition_with_other_types_is_named(client, column, dtype, words):
    first, second = halves(X)
    second = second.astype({column: dtype})
    if words is None:  # text is text, whichever type holds it
        wanted = bough.DecisionTreeClassifier(max_depth=4).fit(X, Y)
        assert bytes_of(both(first, second, client)) == bytes_of(wanted)
        return
    with pytest.raises(bough.BoughError, match=words):
        both(first, second, client)


def test_rows_and_labels_that_do_not_match_are_named(client):
    with pytest.raises(bough.BoughError, match="partition 1: X has 150 rows, but y has 140"):
        Tree().fit(frames(*halves(X)), frames(Y[:150], Y[150:290]), client=client)
    with pytest.raises(ValueError, match="y has 3 partitions, X has 2"):
        Tree().fit(divided(X, 2), divided(Y, 3), client=client)
    with pytest.raises(bough.BoughError, match="y is float64 in partition 1, but int64 in partition 0"):
        Tree().fit(frames(*halves(X)), frames(Y[:150], Y[150:].astype(float)), client=client)
    with pytest.raises(bough.BoughError, match=r"partition 1: .*NaN"):
        holes = Y.astype(float)
        holes[200] = np.nan
        Tree().fit(divided(X, 2), divided(holes, 2), client=client)
    with pytest.raises(bough.BoughError, match=r"partition 0: .*infinity.*'wide'"):
        Tree().fit(divided(X.assign(wide=np.inf), 2), divided(Y, 2), client=client)


def test_empty_partitions_say_nothing(client):
    wanted = bytes_of(bough.DecisionTreeClassifier(max_depth=4).fit(X, Y))
    pieces = [X[:0], X[:100], X[:0], X[100:], X[:0]]
    labels = [Y[:0], Y[:100], Y[:0], Y[100:], Y[:0]]
    found = Tree(max_depth=4).fit(frames(*pieces), frames(*labels), client=client)
    assert bytes_of(found) == wanted
    with pytest.raises(ValueError, match="0 sample"):
        Tree().fit(frames(X[:0]), frames(Y[:0]), client=client)


def test_arrays_of_unknown_chunks_are_fine(client):
    cells = X[["wide", "holes"]].to_numpy()
    taken = da.from_array(cells, chunks=100)
    keep = taken[:, 0] > -0.5
    found = Tree(max_depth=4).fit(taken[keep], da.from_array(Y.to_numpy(), chunks=100)[keep], client=client)
    rows = cells[:, 0] > -0.5
    wanted = bough.DecisionTreeClassifier(max_depth=4).fit(cells[rows], Y.to_numpy()[rows])
    assert bytes_of(found) == bytes_of(wanted)


def test_a_class_and_levels_that_one_partition_alone_has(client):
    order = np.argsort(Y.to_numpy(), kind="stable")
    X2, Y2 = X.iloc[order].reset_index(drop=True), Y.iloc[order].reset_index(drop=True)
    for labels in (Y2, Y2.map({0: "a", 1: "b", 2: "c"})):
        found = Tree(max_depth=4).fit(divided(X2, 7), divided(labels, 7), client=client)
        assert bytes_of(found) == bytes_of(bough.DecisionTreeClassifier(max_depth=4).fit(X2, labels))
    order = np.argsort(X["level"].astype(str).to_numpy(), kind="stable")
    X3, Y3 = X.iloc[order].reset_index(drop=True), Y.iloc[order].reset_index(drop=True)
    pieces = [X3.iloc[piece] for piece in np.array_split(np.arange(300), 5)]
    pieces = [piece.assign(level=piece["level"].cat.remove_unused_categories()) for piece in pieces]
    found = Tree(max_depth=6).fit(frames(*pieces), divided(Y3, 5), client=client)
    assert bytes_of(found) == bytes_of(bough.DecisionTreeClassifier(max_depth=6).fit(X3, Y3))


def test_a_column_that_is_empty_in_one_partition(client):
    for column in ("word", "level", "holes"):
        cells = X.copy()
        cells.loc[:149, column] = None
        found = Tree(max_depth=5).fit(divided(cells, 2), divided(Y, 2), client=client)
        assert bytes_of(found) == bytes_of(bough.DecisionTreeClassifier(max_depth=5).fit(cells, Y)), column


def test_ordered_categories_must_be_the_same(client):
    ordered = X.assign(level=X["level"].astype(pd.CategoricalDtype(list("dbca"), ordered=True)))
    found = Tree(max_depth=5).fit(divided(ordered, 3), divided(Y, 3), client=client)
    assert bytes_of(found) == bytes_of(bough.DecisionTreeClassifier(max_depth=5).fit(ordered, Y))
    first, second = halves(ordered)
    other = second.assign(level=second["level"].cat.reorder_categories(list("abcd")))
    with pytest.raises(
        bough.BoughError, match=r"ordered column 'level' are \['a'.* in partition 1, but \['d'"
    ):
        both(first, other, client)


@pytest.mark.parametrize(
    "name, params, words",
    [
        ("DecisionTreeRegressor", dict(criterion="absolute_error"), "absolute_error"),
        ("DecisionTreeRegressor", dict(criterion="quantile"), "quantile"),
        ("DecisionTreeRegressor", dict(missing="surrogate"), "surrogate"),
        ("DecisionTreeRegressor", dict(max_leaf_nodes=5), "max_leaf_nodes"),
        ("RandomForestRegressor", dict(oob_score=True), "oob_score"),
        ("RandomForestRegressor", dict(warm_start=True), "warm_start"),
    ],
)
def test_what_a_cluster_cannot_train_is_refused_by_name(client, name, params, words):
    with pytest.raises(NotImplementedError, match=words):
        getattr(bough.dask, name)(**params).fit(divided(X, 2), divided(NUMBER, 2), client=client)


def test_rows_of_this_process_are_refused(client):
    with pytest.raises(TypeError, match="from_pandas"):
        Tree().fit(X, Y, client=client)
    with pytest.raises(TypeError, match="y must be a Dask collection"):
        Tree().fit(divided(X, 2), Y, client=client)


CELLS = da.from_array(X[["wide", "holes"]].to_numpy(), chunks=100)


@pytest.mark.parametrize(
    "rows, y, weights, options, words",
    [
        (CELLS[:, 0], CELLS[:, 0], None, {}, "X must be two-dimensional, .* has 1 dimension;"),
        (CELLS[:, :, None], CELLS[:, 0], None, {}, "X must be two-dimensional, .* has 3 dimensions"),
        (divided(X, 2)["wide"], divided(Y, 2), None, {}, "X must be two-dimensional, .* Series.*to_frame"),
        (divided(X, 2), None, None, {}, "fit needs y"),
        (divided(X, 2), "z", None, {}, "y is 'z', but X has no such column; the columns are wide, narrow"),
        (divided(X, 2), "wide", "z", {}, "sample_weight is 'z', but X has no such column"),
        (CELLS, "z", None, {}, "y is the name 'z', but the columns of a Dask Array have no names"),
        (CELLS, CELLS[:200, 0], None, {}, "X has 300 rows, but y has 200"),
        (CELLS, CELLS[:, 0], CELLS, {}, "sample_weight has 2 dimensions"),
        (CELLS, CELLS[:, 0], None, {"timeout": 0}, "timeout must be seconds above 0 .*'1h', not 0"),
        (CELLS, CELLS[:, 0], None, {"timeout": "soon"}, "timeout must be .*, not 'soon'"),
    ],
)
def test_what_is_seen_without_the_rows_is_refused_without_tasks(
    client, monkeypatch, rows, y, weights, options, words
):
    def forbidden(*args, **kwargs):
        raise AssertionError("a task was submitted")

    for name in ("submit", "compute", "map"):
        monkeypatch.setattr(client, name, forbidden)
    with pytest.raises(bough.BoughError, match=words):
        Tree().fit(rows, y, weights, client=client, **options)


def test_times_may_be_durations(client):
    assert bough.dask.DaskExecutor(client, "1h", "2 minutes").timeout == 3600
    with (
        dask.config.set({"bough.timeout": "-1s"}),
        pytest.raises(bough.BoughError, match=r"bough\.timeout of"),
    ):
        bough.dask.DaskExecutor(client)


@pytest.mark.parametrize("column", [False, True])
def test_weights_that_are_all_0_are_called_sample_weight(client, column):
    zeros = Y * 0.0
    rows = divided(X.assign(w=zeros), 2) if column else divided(X, 2)
    with pytest.raises(
        bough.BoughError, match="'w', given as sample_weight, is" if column else "in sample_weight is 0"
    ):
        Tree().fit(rows, divided(Y, 2), "w" if column else divided(zeros, 2), client=client)


def test_a_column_that_a_partition_lacks_when_it_is_computed(client):
    first, second = halves(X)
    cells = frames(first, second.drop(columns="holes"))[["wide", "holes"]]
    with pytest.raises(bough.BoughError, match=r"\(partition 1\).*KeyError.*holes"):
        Tree().fit(cells, divided(Y, 2), client=client)


def left_over(client):
    """Keys that the cluster still holds, after it had time to let go."""
    for _ in range(50):
        found = [key for key in client.run_on_scheduler(lambda dask_scheduler: list(dask_scheduler.tasks))]
        if not found:
            return []
        time.sleep(0.1)
    return found


def test_nothing_stays_on_the_cluster(client):
    Tree(max_depth=3).fit(divided(X, 3), divided(Y, 3), client=client)
    assert left_over(client) == []
    with pytest.raises(bough.BoughError):
        both(*[piece.rename(columns={"wide": str(i)}) for i, piece in enumerate(halves(X))], client)
    assert left_over(client) == []


def test_ctrl_c_stops_the_tasks(client):
    rounds = []

    def interrupt(row):
        rounds.append(row)
        raise KeyboardInterrupt

    model = Tree()
    model._on_round = interrupt
    with pytest.raises(KeyboardInterrupt):
        model.fit(divided(X, 3), divided(Y, 3), client=client)
    assert len(rounds) == 1
    assert left_over(client) == []
    assert not model.__sklearn_is_fitted__()


def _dies(piece):
    os.kill(os.getpid(), 9)


@pytest.mark.long
def test_a_partition_that_kills_its_workers_is_named(own_cluster):
    _, client = own_cluster(2)
    client.run_on_scheduler(lambda dask_scheduler: setattr(dask_scheduler, "allowed_failures", 1))
    pieces = [dask.delayed(X[:100]), dask.delayed(_dies)(X[:1]), dask.delayed(X[100:])]
    frame = dd.from_delayed(pieces, meta=X.iloc[:0], verify_meta=False)
    with pytest.raises(bough.dask.ClusterError, match=r"partition 1.*out of memory.*repartition"):
        Tree().fit(frame, frames(Y[:100], Y[:1], Y[100:]), client=client)


def _too_large(piece):
    raise MemoryError("not enough")


def test_a_worker_without_memory_says_which_partition(client):
    pieces = [dask.delayed(X[:100]), dask.delayed(_too_large)(X[:1])]
    frame = dd.from_delayed(pieces, meta=X.iloc[:0], verify_meta=False)
    with pytest.raises(MemoryError):
        Tree().fit(frame, frames(Y[:100], Y[:1]), client=client)


@pytest.mark.long
def test_a_scheduler_that_goes_away_is_an_error(own_cluster):
    cluster, client = own_cluster(1)
    model = Tree()
    model._on_round = lambda row: cluster.close(timeout=5)
    with (
        dask.config.set({"bough.workers-timeout": "5s"}),
        pytest.raises(
            bough.dask.ClusterError, match=r"the Dask scheduler is gone .* while .*depth"
        ) as caught,
    ):
        model.fit(divided(X, 3), divided(Y, 3), client=client)
    assert "scatter" not in str(caught.value) and "bough-" not in str(caught.value)


class Cancelled:
    """A client whose tasks were cancelled for this reason."""

    asynchronous, status = False, "running"

    def __init__(self, reason):
        self.reason = reason

    def as_current(self):
        return contextlib.nullcontext()

    def sync(self, *args, **kwargs):
        errors = [FutureCancelledError("bough-answer-1", self.reason)]
        raise FuturesCancelledError([CancelledFuturesGroup(errors, self.reason)])

    _gather = None


@pytest.mark.parametrize(
    "reason, words",
    [
        ("scheduler-connection-lost", "the Dask scheduler is gone .* while waiting"),
        ("scheduler-restart", "the Dask cluster was restarted while waiting"),
        ("lost dependencies", "tasks were cancelled, .* while waiting .*scattered"),
    ],
)
def test_cancelled_tasks_say_why(monkeypatch, reason, words):
    executor = bough.dask.DaskExecutor(Cancelled(reason))
    monkeypatch.setattr(executor, "_await", lambda handles, what: None)
    with pytest.raises(bough.dask.ClusterError, match=words) as caught:
        executor.gather([None], "waiting")
    assert "bough-answer" not in str(caught.value) and caught.value.hint in str(caught.value)


def _sleeps(piece):
    time.sleep(4)


def test_waiting_is_bounded_and_says_for_what(client):
    frame = dd.from_delayed([dask.delayed(_sleeps)(X)], meta=X.iloc[:0], verify_meta=False)
    with pytest.raises(
        bough.dask.ClusterError, match=r"nothing came back for 1 s while describing partitions; .*partition 0"
    ):
        Tree().fit(frame, frames(Y), client=client, timeout=1)


def test_no_client_is_said(monkeypatch):
    def nobody(*args, **kwargs):
        raise ValueError("no clients found")

    monkeypatch.setattr("distributed.get_client", nobody)
    with pytest.raises(bough.BoughError, match="there is no Dask client: connect to a cluster first"):
        Tree().fit(divided(X, 2), divided(Y, 2))

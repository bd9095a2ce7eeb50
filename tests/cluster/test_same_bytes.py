# SPDX-License-Identifier: Apache-2.0
"""A cluster grows the model of a fit in memory, byte by byte, whatever the workers, partitions and losses."""

import os
import signal
import time

import bough
import bough.dask
import dask
import dask.array as da
import numpy as np
import pandas as pd
import pytest
from bough.distributed import Limits

from cluster.tables import SEED, bytes_of, divided, made, real

X, Y, NUMBER, WEIGHTS = made()
KINDS = {
    "classes": ("DecisionTreeClassifier", dict(max_depth=6), Y, None),
    "deep": ("DecisionTreeClassifier", dict(min_samples_leaf=3), Y, None),
    "words": (
        "DecisionTreeClassifier",
        dict(max_depth=5, criterion="entropy"),
        Y.map({0: "lo", 1: "mid", 2: "hi"}),
        None,
    ),
    "weights": ("DecisionTreeClassifier", dict(max_depth=6, class_weight="balanced"), Y, WEIGHTS),
    "numbers": ("DecisionTreeRegressor", dict(max_depth=6), NUMBER, WEIGHTS),
    "several": (
        "DecisionTreeRegressor",
        dict(max_depth=5),
        pd.DataFrame({"a": NUMBER, "b": NUMBER**2}),
        None,
    ),
    "forest": (
        "RandomForestClassifier",
        dict(n_estimators=5, max_depth=6, random_state=SEED),
        Y,
        None,
    ),
    "number forest": (
        "RandomForestRegressor",
        dict(n_estimators=4, max_depth=5, random_state=SEED, max_features=0.5),
        NUMBER,
        None,
    ),
}


def in_rounds(model, gather_bytes=3000):
    """So small a table would be brought together at once: histograms are wanted here."""
    model._limits = Limits(gather_bytes=gather_bytes)
    return model


def fitted(kind, n_partitions, client, order=None):
    name, params, y, weights = KINDS[kind]
    Xd, yd = divided(X, n_partitions, order), divided(y, n_partitions, order)
    wd = None if weights is None else divided(weights, n_partitions, order)
    return in_rounds(getattr(bough.dask, name)(**params)).fit(Xd, yd, wd, client=client)


def in_memory(kind):
    name, params, y, weights = KINDS[kind]
    return getattr(bough, name)(**params).fit(X, y, sample_weight=weights)


@pytest.mark.parametrize("kind", KINDS)
def test_two_workers_grow_the_model_of_a_fit_in_memory(client, kind):
    found, wanted = fitted(kind, 7, client), in_memory(kind)
    assert bytes_of(found) == bytes_of(wanted)
    assert bytes_of(found.to_local()) == bytes_of(wanted)
    assert type(found.to_local()) is type(wanted)
    assert np.array_equal(found.predict(X), wanted.predict(X))
    if hasattr(wanted, "classes_"):
        assert found.classes_.dtype == wanted.classes_.dtype


@pytest.mark.parametrize(
    "kind, n_partitions",
    [("classes", 1), ("forest", 1), ("classes", 64), pytest.param("forest", 64, marks=pytest.mark.long)],
)
def test_the_number_of_partitions_does_not_matter(client, kind, n_partitions):
    assert bytes_of(fitted(kind, n_partitions, client)) == bytes_of(in_memory(kind))


@pytest.mark.parametrize("kind", ["weights", "numbers"])
def test_the_order_of_partitions_does_not_matter_to_a_tree(client, kind):
    order = np.random.default_rng(SEED).permutation(7)
    assert bytes_of(fitted(kind, 7, client, order)) == bytes_of(in_memory(kind))


def killing(model, client, after):
    """Makes the model's fit kill a worker after so many rounds; the rounds come into the list."""
    pid, rounds = next(iter(client.run(os.getpid).values())), []

    def kill(row):
        rounds.append(row)
        if len(rounds) == after:
            os.kill(pid, signal.SIGKILL)

    model._on_round = kill
    return rounds


@pytest.mark.parametrize("kind, after", [("deep", 3), ("forest", 4)])
def test_a_worker_killed_in_the_middle_changes_nothing(client, kind, after):
    name, params, y, _ = KINDS[kind]
    model = in_rounds(getattr(bough.dask, name)(**params))
    rounds = killing(model, client, after)
    model.fit(divided(X, 7), divided(y, 7), client=client)
    assert len(rounds) > after
    assert bytes_of(model) == bytes_of(in_memory(kind))
    client.wait_for_workers(2, timeout=60)


@pytest.mark.long
def test_all_workers_gone_is_an_error_in_bounded_time(own_cluster):
    cluster, client = own_cluster(2)

    def leave(row):
        cluster.scale(0)
        time.sleep(0.5)

    model = in_rounds(bough.dask.DecisionTreeClassifier())
    model._on_round = leave
    start = time.monotonic()
    with (
        dask.config.set({"bough.workers-timeout": "2s"}),
        pytest.raises(bough.dask.ClusterError, match=r"no workers for 2 s while .* depth"),
    ):
        model.fit(divided(X, 3), divided(Y, 3), client=client)
    assert time.monotonic() - start < 60


def test_workers_merge_the_answers_of_many_workers(own_cluster, monkeypatch):
    monkeypatch.setattr("bough.distributed._dask._FAN_IN", 2)
    _, client = own_cluster(3)
    assert bytes_of(fitted("classes", 7, client)) == bytes_of(in_memory("classes"))


@pytest.mark.long
@pytest.mark.parametrize("n_workers, threads", [(1, 1), (1, 3), (3, 1)])
def test_other_numbers_of_workers_and_threads_grow_the_same_models(own_cluster, n_workers, threads):
    _, client = own_cluster(n_workers, threads=threads)
    for kind in KINDS:
        assert bytes_of(fitted(kind, 7, client)) == bytes_of(in_memory(kind)), kind


def test_arrays_are_trained_on_as_matrices(client):
    draw = np.random.default_rng(SEED)
    for dtype in (np.float64, np.float32, np.int16):
        cells = (draw.normal(size=(900, 5)) * 10).astype(dtype)
        y = (cells[:, 0] + cells[:, 1] > 3).astype(int)
        found = bough.dask.DecisionTreeClassifier(max_depth=5).fit(
            da.from_array(cells, chunks=(130, 2)), da.from_array(y, chunks=200), client=client
        )
        assert bytes_of(found) == bytes_of(bough.DecisionTreeClassifier(max_depth=5).fit(cells, y))
        assert not hasattr(found, "feature_names_in_")


def test_parquet_files_are_read_by_the_workers(client, tmp_path):
    import pyarrow.parquet as pq

    frame = X.assign(y=Y, weights=WEIGHTS, unused=1.0)
    for i, piece in enumerate(np.array_split(np.arange(len(frame)), 3)):
        frame.iloc[piece].to_parquet(tmp_path / f"part{i}.parquet", row_group_size=150)
    table = pq.read_table(tmp_path)
    params = dict(max_depth=6)
    wanted = bough.DecisionTreeClassifier(**params).fit(
        table.select(X.columns.tolist()),
        table.column("y").to_pandas().rename("y"),
        sample_weight=table.column("weights").to_pandas(),
    )
    found = bough.dask.DecisionTreeClassifier(**params).fit_parquet(
        tmp_path / "*.parquet", "y", "weights", columns=X.columns.tolist(), client=client
    )
    assert bytes_of(found) == bytes_of(wanted)
    assert found.feature_names_in_.tolist() == X.columns.tolist()
    small = bough.dask.DecisionTreeClassifier(**params).fit(
        [tmp_path / f"part{i}.parquet" for i in range(3)], "y", client=client
    )
    assert "unused" in small.feature_names_in_


REAL = {
    "covtype_100k.csv.gz": ("Cover_Type", {}),
    "adult.csv.gz": ("income", {"na_values": "?"}),
    "california_housing.csv.gz": ("median_house_value", {}),
    "kddcup99_10pct.csv.gz": ("label", {}),
}


@pytest.mark.long
@pytest.mark.parametrize("name", REAL)
def test_real_tables(client, own_cluster, name):
    target, options = REAL[name]
    cells, y = real(name, target, **options)
    task = "Regressor" if y.dtype.kind == "f" else "Classifier"
    order = np.random.default_rng(SEED).permutation(64)
    for kind, params in (
        ("DecisionTree", dict(min_samples_leaf=5)),
        ("RandomForest", dict(n_estimators=3, max_depth=10, random_state=SEED)),
    ):
        wanted = bytes_of(getattr(bough, kind + task)(**params).fit(cells, y))
        for n_partitions in (1, 7, 64):
            found = in_rounds(getattr(bough.dask, kind + task)(**params), 200_000)
            found.fit(divided(cells, n_partitions), divided(y, n_partitions), client=client)
            assert bytes_of(found) == wanted
        if kind == "DecisionTree":
            found.fit(divided(cells, 64, order), divided(y, 64, order), client=client)
            assert bytes_of(found) == wanted
        for n_workers in (1, 3):
            _, other = own_cluster(n_workers)
            found.fit(divided(cells, 7), divided(y, 7), client=other)
            assert bytes_of(found) == wanted
            if n_workers == 3:
                rounds = killing(found, other, 6)
                found.fit(divided(cells, 7), divided(y, 7), client=other)
                assert len(rounds) > 6
                assert bytes_of(found) == wanted
            other.close()

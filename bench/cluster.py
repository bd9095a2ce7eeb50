# SPDX-License-Identifier: Apache-2.0
"""A fit by worker processes of a Dask cluster on this machine beside the fit in memory with as many threads.

.venv/bin/python bench/cluster.py --rows 5000000: both times, their ratio, whether the models are the same
bytes, and where the time of the cluster goes. Rows are made and held by the workers before the clock starts:
reading is excluded.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import resource
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np


def made(first: int, rows: int, columns: int, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """A slice of a table that depends on nothing but its rows' numbers."""
    draw = np.random.default_rng([20261115, first])
    X = draw.standard_normal((rows, columns), dtype=np.float32).astype(dtype, copy=False)
    score = X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * np.abs(X[:, 3]) - 0.4
    y = (score + draw.standard_normal(rows, dtype=np.float32) > 0).astype(np.int64)
    return X, y


def collections(options: argparse.Namespace) -> tuple[Any, Any]:
    import dask
    import dask.array as da

    edges = np.linspace(0, options.rows, options.partitions + 1).astype(int)
    Xs, ys = [], []
    for first, last in pairwise(edges):
        size = int(last - first)
        piece = dask.delayed(made, nout=2)(int(first), size, options.columns, options.dtype)
        Xs.append(da.from_delayed(piece[0], (size, options.columns), dtype=options.dtype))
        ys.append(da.from_delayed(piece[1], (size,), dtype=np.int64))
    return da.concatenate(Xs), da.concatenate(ys)


def on_cluster(options: argparse.Namespace) -> tuple[list[float], Any]:
    import bough.dask
    from distributed import Client, LocalCluster, wait

    times, model = [], None
    with (
        LocalCluster(
            n_workers=options.workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            memory_limit=0,
            silence_logs=logging.ERROR,
        ) as cluster,
        Client(cluster) as client,
    ):
        X, y = client.persist(collections(options))
        wait([X, y])
        for _ in range(options.rounds):
            start = time.perf_counter()
            model = bough.dask.DecisionTreeClassifier(max_depth=options.depth, n_jobs=options.workers)
            model.fit(X, y, client=client)
            times.append(time.perf_counter() - start)
    return times, model


def in_memory(options: argparse.Namespace) -> tuple[list[float], Any]:
    import bough

    edges = np.linspace(0, options.rows, options.partitions + 1).astype(int)
    X = np.empty((options.rows, options.columns), options.dtype)
    y = np.empty(options.rows, np.int64)
    for first, last in pairwise(edges):
        X[first:last], y[first:last] = made(int(first), int(last - first), options.columns, options.dtype)
    times, model = [], None
    for _ in range(options.rounds):
        start = time.perf_counter()
        model = bough.DecisionTreeClassifier(max_depth=options.depth, n_jobs=options.workers).fit(X, y)
        times.append(time.perf_counter() - start)
    return times, model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--columns", type=int, default=28)
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--partitions", type=int, default=8)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--out", type=Path, default=None, help="a folder for cluster.json")
    options = parser.parse_args()
    there, model = on_cluster(options)
    here, same = in_memory(options)
    equal = model.tree_.model.to_bytes() == same.tree_.model.to_bytes()
    print(model.trace_)
    for row in model.trace_.by_phase():
        print(
            f"{row['phase']:<10} {row['rounds']:>4} rounds {row['seconds']:>8.3f} s,"
            f" workers {row['working']:>7.3f} s"
            f" {row['answer_bytes']:>12} B"
        )
    asked = sum(row["seconds"] for row in model.trace_)
    print(f"in the driver: {there[-1] - asked:.3f} s")
    print(
        f"{options.workers} workers {min(there):.2f} s, in memory with {options.workers} threads"
        f" {min(here):.2f} s, ratio {min(there) / min(here):.2f}, same bytes: {equal}"
    )
    if options.out is not None:
        facts = {
            "rows": options.rows,
            "columns": options.columns,
            "depth": options.depth,
            "partitions": options.partitions,
            "workers": options.workers,
            "cores": len(os.sched_getaffinity(0)),
            "cluster_s": there,
            "memory_s": here,
            "equal": equal,
            "driver_peak_kb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
        }
        (options.out / "cluster.json").write_text(json.dumps(facts, indent=1) + "\n")
        (options.out / "cluster_trace.json").write_text(json.dumps(list(model.trace_), indent=1) + "\n")
    if not equal:
        raise SystemExit("the models differ")


if __name__ == "__main__":
    main()

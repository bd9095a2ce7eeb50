# SPDX-License-Identifier: Apache-2.0
"""Training on blocks beside training in one memory: Dask workers against threads, the disk against memory.

usage: scale.py BENCH_TASKS BOUGH [--only dask|disk] [--rows N] [--turns N] [--quick] [--results FOLDER]

Both parts take made data (data.py), depth 8, and turn about. Reading is left out of the Dask part: partitions
lie in the workers' memory before the fit, as the matrix lies in this process's. Models are compared byte by
byte; the rounds of the last fit are set against the cost model. Writes scale_blocks.md, scale_blocks.csv and
scale_trace.csv; ends with status 1 when models differ or the Dask fit takes more than 1.5 times as long.
"""

import argparse
import csv
import os
import subprocess
import sys
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cost_check
import cost_model
import numpy as np

import report
from data import Made, folder_of

COLUMNS = 28
DEPTH = 8
MOST = 1.5  # time of two Dask workers over that of two threads


def read_part(path, first, n, dtype, width):
    """Rows of a raw file, on a worker."""
    shape = (n, width) if width else (n,)
    itemsize = np.dtype(dtype).itemsize * max(1, width)
    return np.array(np.memmap(path, dtype, "r", offset=first * itemsize, shape=shape))


def as_dask(folder, rows, partitions):
    import dask
    import dask.array as da

    ends = [rows * i // partitions for i in range(partitions + 1)]

    def array(name, dtype, width):
        read = dask.delayed(read_part, pure=True)
        parts = [
            da.from_delayed(
                read(str(folder / name), a, b - a, dtype, width),
                (b - a, width) if width else (b - a,),
                dtype,
            )
            for a, b in pairwise(ends)
        ]
        return da.concatenate(parts)

    return array("x.f32", np.float32, COLUMNS), array("y.i32", np.int32, 0)


def timed(function):
    start = time.perf_counter()
    value = function()
    return value, time.perf_counter() - start


def dask_part(arguments, rows):
    """Two worker processes of one thread each against two threads."""
    import bough
    import bough.dask
    from distributed import Client, LocalCluster, wait

    folder = folder_of(Made(rows, COLUMNS, quick=rows), False, arguments.bench_tasks)
    x = np.fromfile(folder / "x.f32", np.float32).reshape(rows, COLUMNS)
    y = np.fromfile(folder / "y.i32", np.int32)
    times = {"local": [], "dask": []}
    same = True
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, memory_limit=0, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        dx, dy = client.persist(as_dask(folder, rows, arguments.partitions))
        wait([dx, dy])
        for _ in range(arguments.turns):
            local, seconds = timed(lambda: bough.DecisionTreeClassifier(max_depth=DEPTH, n_jobs=2).fit(x, y))
            times["local"].append(seconds)
            far, seconds = timed(lambda: bough.dask.DecisionTreeClassifier(max_depth=DEPTH).fit(dx, dy))
            times["dask"].append(seconds)
            same = same and far._model.to_bytes() == local._model.to_bytes()
    write_trace(arguments, far.trace_)
    parts = {row["phase"]: row["seconds"] for row in far.trace_.by_phase()}
    return {
        "part": "dask",
        "work": f"{rows:,} x {COLUMNS}, depth {DEPTH}, {arguments.partitions} partitions",
        "ours": "2 Dask workers of one thread",
        "ours_s": min(times["dask"]),
        "against": "one process, 2 threads",
        "against_s": min(times["local"]),
        "ratio": min(times["dask"]) / min(times["local"]),
        "same_model": same,
        "detail": ", ".join(f"{name} {seconds:.2f} s" for name, seconds in parts.items()),
        "trace": far.trace_,
        "rows": rows,
    }


def write_trace(arguments, trace):
    with open(Path(arguments.results) / "scale_trace.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, trace[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(trace)


def train(arguments, path, out, *words):
    """Seconds, peak memory, and the model of the command line."""
    command = [arguments.bough, "train", str(path), "--target", "y", "--task", "classification"]
    command += ["--max-depth", str(DEPTH), "--threads", "2", "-o", str(out), *words]
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"scale: {' '.join(command)} ended with status {child.returncode}")
    return time.perf_counter() - start, usage.ru_maxrss * 1024


def without_command(path):
    """The bytes of a model but for the command that made it."""
    from bough import _core

    return _core.Model.load(str(path)).signed_by("").to_bytes()


def disk_part(arguments, rows):
    """A Parquet file in little memory against the same file in memory."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = folder_of(Made(rows, COLUMNS, quick=rows), False, arguments.bench_tasks)
    path = folder / "table.parquet"
    if not path.exists():
        x = np.memmap(folder / "x.f32", np.float32, "r", shape=(rows, COLUMNS))
        columns = {f"x{j}": np.ascontiguousarray(x[:, j]) for j in range(COLUMNS)}
        y = np.fromfile(folder / "y.i32", np.int32)
        pq.write_table(pa.table(columns | {"y": y}), path, row_group_size=250_000)
    memory, disk = folder / "memory.bough", folder / "disk.bough"
    whole, blocks = [], []
    for _ in range(arguments.turns):
        whole.append(train(arguments, path, memory, "--holdout", "0"))
        blocks.append(train(arguments, path, disk, "--memory", arguments.memory))
    ours, against = min(blocks), min(whole)
    return {
        "part": "disk",
        "work": f"{rows:,} x {COLUMNS} in Parquet, depth {DEPTH}, reading included",
        "ours": f"--memory {arguments.memory}",
        "ours_s": ours[0],
        "against": "all rows in memory",
        "against_s": against[0],
        "ratio": ours[0] / against[0],
        "same_model": without_command(memory) == without_command(disk),
        "detail": f"{rows / ours[0]:,.0f} against {rows / against[0]:,.0f} rows per second; "
        f"{ours[1] / 1e6:,.0f} against {against[1] / 1e6:,.0f} MB at most",
        "rows": rows,
    }


def page(found, text):
    out = ["# Training on blocks", "", f"{report.machine()}, commit {report.commit()}.", ""]
    head = ["part", "work", "ours", "s", "against", "s", "ratio", "same model", "detail"]
    out += ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for row in found:
        cells = [row["part"], row["work"], row["ours"], f"{row['ours_s']:.2f}", row["against"]]
        cells += [f"{row['against_s']:.2f}", f"{row['ratio']:.2f}", str(row["same_model"]), row["detail"]]
        out.append("| " + " | ".join(cells) + " |")
    return "\n".join(out) + "\n" + text


def beside_model(row):
    """The rounds of the Dask fit and those of the cost model."""
    cluster, trace = cost_model.Cluster(workers=2), [dict(r) for r in row["trace"]]
    job = cost_model.Job(rows=row["rows"], columns=COLUMNS, depth=DEPTH)
    job = replace(job, buckets=cost_check.buckets_of_root(job, cluster, trace))
    text, ratio = cost_check.table(job, cluster, trace)
    return f"\n## Bytes of the Dask fit beside the cost model\n\n{text}", ratio


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("bench_tasks")
    parser.add_argument("bough")
    parser.add_argument("--only", choices=["dask", "disk"])
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--partitions", type=int, default=8)
    parser.add_argument("--memory", default="500MB")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="200,000 rows, one turn")
    parser.add_argument("--results", default=str(Path(__file__).resolve().parent / "results"))
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rows, arguments.turns = 200_000, 1
    found, text = [], ""
    if arguments.only != "disk":
        found.append(dask_part(arguments, arguments.rows))
        text, _ = beside_model(found[-1])
    if arguments.only != "dask":
        found.append(disk_part(arguments, arguments.rows))
    written = page(found, text)
    print(written)
    (Path(arguments.results) / "scale_blocks.md").write_text(written)
    with open(Path(arguments.results) / "scale_blocks.csv", "w", newline="") as file:
        names = [name for name in found[0] if name not in ("trace", "rows")]
        writer = csv.DictWriter(file, names, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(found)
    slow = [row for row in found if row["part"] == "dask" and row["ratio"] > MOST and not arguments.quick]
    return 0 if all(row["same_model"] for row in found) and not slow else 1


if __name__ == "__main__":
    sys.exit(main())

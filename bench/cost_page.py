# SPDX-License-Identifier: Apache-2.0
"""The table of the cost model, as a page, as CSV, and one case round by round as JSON."""

import csv
import json
from dataclasses import asdict
from pathlib import Path

import cost_simulation
from cost_model import Cluster, Job, plan_rounds

WHAT_HAPPENS = ("quiet", "stragglers", "lost worker")
HEAD = """# What a cluster costs: {rows:g} rows x {columns} columns, two classes, one tree

By `bench/cost_model.py table`: formulas, and a simulation of rounds beside them. Coded rows are in the
workers' memory; reading and coding them is not in the times. A worker has 16 threads. `histograms`, `parts`
(counts inside alive buckets), `cells` and `rows` are bytes that travel in the whole fit. `local` is work on
rows, `network` moving and merging answers, `driver` deciding, `waiting` what rounds take without work and
what the slowest worker adds. The simulation has workers of different speed; *stragglers* take three times
as long in one of fifty rounds; *lost* loses a worker in a random round.
"""


def size_text(value):
    for size, unit in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.0f} B" if value else "-"


def time_text(seconds):
    return f"{seconds:.3g} s" if seconds < 120 else f"{seconds / 60:.3g} min"


def moved(rounds, *phases):
    return sum(r.moved for r in rounds if r.phase in phases)


def figures(job, cluster):
    rounds = plan_rounds(job, cluster)
    busy = {
        "local_s": sum(r.local for r in rounds),
        "network_s": sum(r.network for r in rounds),
        "driver_s": sum(r.decide for r in rounds),
    }
    formula = sum(r.seconds for r in rounds)
    return {
        "rows": job.rows,
        "columns": job.columns,
        "depth": job.depth,
        "workers": cluster.workers,
        "bandwidth": cluster.bandwidth,
        "latency": cluster.latency,
        "rounds": len(rounds),
        "block_bytes": job.rows / cluster.workers * job.stored_row(),
        "histogram_bytes": moved(rounds, "count"),
        "part_bytes": moved(rounds, "parts"),
        "cell_bytes": moved(rounds, "collect"),
        "row_bytes": moved(rounds, "regroup"),
        **busy,
        "waiting_s": formula - sum(busy.values()),
        "formula_s": formula,
        **{
            f"{what.replace(' ', '_')}_s": cost_simulation.simulate(job, cluster, rounds, what)
            for what in WHAT_HAPPENS
        },
    }


def wanted(arguments):
    for depth in (arguments.depth, 24):
        job = Job(rows=arguments.rows, columns=arguments.columns, depth=depth)
        for workers in (16, 64, 256):
            for bandwidth, latency in ((1e9, 0.1), (10e9, 0.033)):
                yield job, Cluster(workers=workers, bandwidth=bandwidth, latency=latency)


def table(arguments):
    found = [figures(job, cluster) for job, cluster in wanted(arguments)]
    folder = Path(arguments.results)
    with open(folder / "cost_model.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, found[0].keys(), lineterminator="\n")
        writer.writeheader()
        for row in found:
            writer.writerow({k: f"{v:.6g}" if isinstance(v, float) else v for k, v in row.items()})
    job = Job(rows=arguments.rows, columns=arguments.columns, depth=arguments.depth)
    cluster = Cluster(workers=64)
    rounds = plan_rounds(job, cluster)
    listed = ",\n".join(json.dumps(asdict(r)) for r in rounds)
    document = f'{{"job": {json.dumps(asdict(job))},\n"cluster": {json.dumps(asdict(cluster))},\n'
    (folder / "cost_model.json").write_text(document + f'"rounds": [\n{listed}\n]}}\n')
    text = HEAD.format(rows=job.rows, columns=job.columns) + whole(found) + levels(job, cluster, rounds)
    (folder / "cost_model.md").write_text(text)
    print(text)
    return 0


def lines(head, rows):
    out = [head, ["---"] * len(head), *rows]
    return "\n" + "\n".join("| " + " | ".join(row) + " |" for row in out) + "\n"


def whole(found):
    sizes = {
        "block_bytes": "a worker's blocks",
        "histogram_bytes": "histograms",
        "part_bytes": "parts",
        "cell_bytes": "cells",
        "row_bytes": "rows",
    }
    times = ["local", "network", "driver", "waiting", "formula", "quiet", "stragglers", "lost worker"]
    rows = [
        [
            f"{row['depth']}",
            f"{row['workers']}",
            f"{row['bandwidth'] / 1e9:g} GB/s, {row['latency'] * 1e3:g} ms",
            f"{row['rounds']}",
            *[size_text(row[key]) for key in sizes],
            *[time_text(row[f"{name.replace(' ', '_')}_s"]) for name in times],
        ]
        for row in found
    ]
    head = ["depth", "workers", "network", "rounds", *sizes.values(), *times[:5]]
    return lines([*head, *[f"simulated: {name}" for name in times[5:]]], rows)


def levels(job, cluster, rounds):
    title = f"\n## By level: depth {job.depth}, {cluster.workers} workers, 1 GB/s, 50 ms\n"
    rows = []
    for level in sorted({r.level for r in rounds if r.phase == "count"}):
        own = [r for r in rounds if r.level == level and r.phase in ("count", "parts", "collect")]
        nodes = sum(r.nodes for r in own if r.phase == "count")
        sent = [size_text(moved(own, phase)) for phase in ("count", "parts", "collect")]
        rows.append([f"{level}", f"{nodes:.0f}", *sent, f"{sum(r.seconds for r in own):.2f} s"])
    return title + lines(["level", "nodes counted", "histograms", "parts", "cells", "time"], rows)

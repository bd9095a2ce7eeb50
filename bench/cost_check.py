# SPDX-License-Identifier: Apache-2.0
"""Measured bytes of a fit beside those of the formulas, level by level."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import cost_model


def add_options(parser):
    parser.add_argument(
        "trace",
        help="rounds of a fit: CSV or JSON with phase, level, nodes, request_bytes, answer_bytes, seconds",
    )
    parser.add_argument("--rows", type=float, required=True)
    parser.add_argument("--columns", type=int, required=True)
    parser.add_argument("--workers", type=int, required=True)
    parser.add_argument("--classes", type=int, default=2, help="0: a number target")
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--trees", type=int, default=1)
    parser.add_argument(
        "--buckets", type=float, help="per column, the mean; else that of the root's histogram"
    )
    parser.add_argument("--cell-bytes", type=int, default=4)
    parser.add_argument("--gather-bytes", type=float, default=2**26)
    parser.add_argument("--slack", type=float, default=0.1, help="of the histograms' bytes, given the nodes")


def read(path):
    text = Path(path).read_text()
    rows = (
        json.loads(text) if text.lstrip().startswith(("[", "{")) else list(csv.DictReader(text.splitlines()))
    )
    number = ("level", "nodes", "tasks", "request_bytes", "answer_bytes", "seconds")
    return [{"phase": row["phase"], **{k: float(row.get(k) or 0) for k in number}} for row in rows]


def measured_levels(trace):
    """Sums by level and phase; what happens once is of level -1."""
    out = {}
    for row in trace:
        if row["phase"] not in ("count", "collect", "regroup", "sums"):
            continue
        level = int(row["level"]) if row["phase"] in ("count", "collect") else -1
        into = out.setdefault(
            (level, row["phase"]),
            {"rounds": 0, "nodes": 0.0, "bytes": 0.0, "sent": 0.0, "seconds": 0.0},
        )
        into["rounds"] += 1
        for to, name in (
            ("nodes", "nodes"),
            ("bytes", "answer_bytes"),
            ("sent", "request_bytes"),
            ("seconds", "seconds"),
        ):
            into[to] += row[name]
    return out


def ratio(a, b):
    return f"{a / b:.2f}" if b else "-"


def compare(job, cluster, trace):
    """Rows of the table; and measured over modelled bytes of all histograms, given how many were counted."""
    measured = measured_levels(trace)
    model = {}
    for r in cost_model.plan_rounds(job, cluster):
        phase = "collect" if r.phase == "parts" else r.phase  # as traces call them
        level = r.level if phase in ("count", "collect") else -1
        into = model.setdefault((level, phase), {"nodes": 0.0, "bytes": 0.0, "seconds": 0.0})
        into["nodes"] += r.nodes
        into["bytes"] += r.moved
        into["seconds"] += r.seconds
    rows, known, given = [], 0.0, 0.0
    answers = sum(cluster.hops())
    for level, phase in sorted(
        set(measured) | {key for key in model if key[1] in ("count", "collect", "regroup", "sums")}
    ):
        found = measured.get(
            (level, phase), {"rounds": 0, "nodes": 0.0, "bytes": 0.0, "sent": 0.0, "seconds": 0.0}
        )
        expected = model.get((level, phase), {"nodes": 0.0, "bytes": 0.0, "seconds": 0.0})
        by_nodes = found["nodes"] * job.histogram() * answers if phase == "count" else 0.0
        known += found["bytes"] if phase == "count" else 0.0
        given += by_nodes
        rows.append(
            {
                "level": level,
                "phase": phase,
                "found": found,
                "model_nodes": expected["nodes"],
                "model_bytes": expected["bytes"],
                "given_nodes": by_nodes,
            }
        )
    return rows, known / given if given else float("nan")


WORDS = {"count": "histograms", "collect": "parts and cells", "all": "all"}
HEAD = ["level", "phase", "rounds", "nodes", "by the model", "bytes", "by the model", "ratio"]
HEAD += ["given the nodes", "ratio", "s"]


def buckets_of_root(job, cluster, trace):
    """Buckets per column, by the first histogram that came: columns of few values have fewer."""
    root = next((row for row in trace if row["phase"] == "count" and row["nodes"]), None)
    if root is None:
        return job.buckets
    return root["answer_bytes"] / root["nodes"] / sum(cluster.hops()) / job.columns / job.bucket_bytes()


def table(job, cluster, trace):
    """The comparison as text, and measured over modelled bytes of the histograms, given the nodes."""
    rows, histograms = compare(job, cluster, trace)
    out = [HEAD, ["---"] * len(HEAD)]
    for r in rows:
        found = r["found"]
        sizes = (found["bytes"], r["model_bytes"])
        nodes = [f"{n:.0f}" for n in (found["nodes"], r["model_nodes"])]
        line = [r["level"], r["phase"], found["rounds"], *nodes, *[f"{n:.0f}" for n in sizes], ratio(*sizes)]
        given = [f"{r['given_nodes']:.0f}", ratio(found["bytes"], r["given_nodes"])]
        out.append([*line, *given, f"{found['seconds']:.3f}"])
    sums = {name: [0.0, 0.0] for name in ("count", "collect", "all")}
    for r in rows:
        for name in {"all", r["phase"]} & sums.keys():
            sums[name][0] += r["found"]["bytes"]
            sums[name][1] += r["model_bytes"]
    collected = sums["collect"][0]
    depth = len({r["level"] for r in rows if r["phase"] == "count" and r["found"]["rounds"]})
    row_levels = job.rows * max(1, depth) * job.trees
    text = "\n".join("| " + " | ".join(map(str, row)) + " |" for row in out)
    text += f"\n\nBuckets per column: {job.buckets:.1f}.\n"
    text += f"Histograms: measured over modelled bytes, given the nodes: {histograms:.3f}.\n"
    told = [f"{words} {ratio(*sums[name])}" for name, words in WORDS.items()]
    text += f"Measured over modelled bytes: {', '.join(told)}.\n"
    return text + f"Bytes of parts and cells per row and level: {collected / row_levels:.4f}.\n", histograms


def check(arguments):
    names = ("rows", "columns", "classes", "depth", "trees", "cell_bytes", "gather_bytes")
    job = cost_model.Job(**{name: getattr(arguments, name) for name in names})
    cluster, trace = cost_model.Cluster(workers=arguments.workers), read(arguments.trace)
    job = replace(job, buckets=arguments.buckets or buckets_of_root(job, cluster, trace))
    text, histograms = table(job, cluster, trace)
    print(text)
    if abs(histograms - 1.0) > arguments.slack:
        print(f"off by more than {arguments.slack:.0%}")
        return 1
    return 0

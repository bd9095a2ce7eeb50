# SPDX-License-Identifier: Apache-2.0
"""Rows of results: figures against targets, as a table on the screen, as CSV and as a page."""

import csv
import os
import platform
import subprocess
from datetime import datetime, timezone
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = [
    "row",
    "work",
    "against",
    "rival",
    "rows",
    "columns",
    "first_s",
    "best_s",
    "rival_first_s",
    "rival_best_s",
    "rival_parts",
    "figure",
    "first_figure",
    "measure",
    "target",
    "first_target",
    "reached",
    "answer",
    "nodes",
    "rival_nodes",
    "peak_of_input",
    "simd",
    "rounds",
    "commit",
    "machine",
    "versions",
]


def commit():
    def git(*words):
        return subprocess.run(
            ["git", *words], cwd=ROOT, capture_output=True, text=True, check=False
        ).stdout.strip()

    return git("rev-parse", "--short", "HEAD") + ("+changes" if git("status", "--porcelain", "-uno") else "")


def machine():
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [
            line.split(":")[1].strip()
            for line in cpuinfo.read_text().splitlines()
            if line.startswith("model name")
        ]
        model = names[0] if names else model
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{model}, {os.cpu_count()} cores, {memory:.0f} GiB"


def figure_of(row, outcomes):
    """The figure of a row, the one of the first fit (or None), and the rival that counts (or None)."""
    mine = outcomes[row.contender]
    if row.measure == "memory":
        figures = mine.figures
        peak = figures["peak_bytes"]
        return (float("nan") if peak is None else peak / figures["input_bytes"]), None, None
    if row.measure == "growth":
        times = [outcomes[name].best for name in row.rivals]
        return max(b / a for a, b in pairwise(times)), None, None
    name = min(row.rivals, key=lambda rival: outcomes[rival].best)
    rival = outcomes[name]
    if row.measure == "cost":
        return mine.best / rival.best, mine.first / rival.first, name
    # The rival's best time even against our first one: the harder comparison.
    return rival.best / mine.best, rival.best / mine.first, name


def reached(row, figure, first):
    good = figure >= row.target if row.measure == "speed" else figure <= row.target
    return good and (row.first_target is None or first >= row.first_target)


def parts_text(outcome):
    """Where a rival's last fit spent its time, when it says so."""
    parts = outcome.figures.get("parts", {}) if outcome else {}
    return ", ".join(f"{name} {seconds(value)}" for name, value in parts.items())


def result(row, outcomes, problems, context):
    """One line of the CSV as a dict."""
    figure, first, rival = figure_of(row, outcomes)
    mine, other = outcomes[row.contender], outcomes.get(rival)
    figures = mine.figures
    peak = figures.get("peak_bytes")
    versions = {o.figures["version"] for o in outcomes.values() if "simd" not in o.figures}  # of peers
    return {
        "row": row.name,
        "work": row.work,
        "against": row.against,
        "rival": rival or "",
        "rows": figures["rows"],
        "columns": figures["columns"],
        "first_s": mine.first,
        "best_s": mine.best,
        "rival_first_s": other.first if other else "",
        "rival_best_s": other.best if other else "",
        "rival_parts": parts_text(other),
        "figure": figure,
        "first_figure": "" if first is None else first,
        "measure": row.measure,
        "target": row.target,
        "first_target": row.first_target or "",
        "reached": "" if context["quick"] else "yes" if reached(row, figure, first) else "no",
        "answer": "; ".join(p for name, p in problems if name == row.contender) or "ok",
        "nodes": figures.get("nodes", ""),
        "rival_nodes": other.figures.get("nodes", "") if other else "",
        "peak_of_input": "" if peak is None else peak / figures["input_bytes"],
        "simd": figures.get("simd", ""),
        "rounds": context["rounds"],
        "commit": context["commit"],
        "machine": context["machine"],
        "versions": ", ".join(sorted(versions)),
    }


def contender_lines(session, outcomes):
    """What every contender of a session did, rivals that do not count included."""
    keys = ("nodes", "leaves", "depth", "score", "peak_bytes", "simd", "engine", "version")
    return [
        {
            "session": session.name,
            "contender": name,
            "first_s": outcome.first,
            "best_s": outcome.best,
            "turns_s": " ".join(f"{min(turn):.6g}" for turn in outcome.turns),
            "parts": parts_text(outcome),
            **{key: outcome.figures.get(key, "") for key in keys},
        }
        for name, outcome in outcomes.items()
    ]


def scale_line(results, context):
    """The row of bench_scale from its CSV, which another machine wrote; None without one of the full size."""
    path = results / "scale.csv"
    if not path.exists():
        return None
    with path.open(newline="") as file:
        runs = {int(run["threads"]): run for run in csv.DictReader(file) if int(run["rows"]) >= 10_000_000}
    if 1 not in runs or 16 not in runs:
        return None
    one, many = runs[1], runs[16]
    figure = float(one["best_s"]) / float(many["best_s"])
    known = {
        "row": "threads_16",
        "work": f"made 10M x 28, gini, 16 threads, a machine of {many['cores']} cores (scale.csv)",
        "against": "bough, 1 thread",
        "rows": int(many["rows"]),
        "columns": int(many["columns"]),
        "first_s": float(many["first_s"]),
        "best_s": float(many["best_s"]),
        "rival_first_s": float(one["first_s"]),
        "rival_best_s": float(one["best_s"]),
        "figure": figure,
        "measure": "speed",
        "target": 8,
        "reached": "yes" if figure >= 8 else "no",
        "answer": "ok" if many["same_model"] == "1" else "the models differ",
        "simd": many["simd"],
        "commit": context["commit"],
    }
    return dict.fromkeys(COLUMNS, "") | known


def short(value):
    if value == "" or value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.0f}" if value >= 99.5 else f"{value:.1f}" if value >= 9.95 else f"{value:.2f}"
    return str(value)


def seconds(value):
    if value == "":
        return "-"
    return (
        f"{value:.3g} s"
        if value >= 1
        else f"{value * 1e3:.3g} ms"
        if value >= 1e-3
        else f"{value * 1e6:.3g} us"
    )


def target_text(line):
    sign = ">=" if line["measure"] == "speed" else "<="
    text = f"{sign} {short(float(line['target']))}"
    return text + (f" (first {sign} {short(float(line['first_target']))})" if line["first_target"] else "")


HEADER = [
    "work",
    "against",
    "bough",
    "first",
    "rival",
    "ratio",
    "ratio of first",
    "target",
    "reached",
    "answer",
]


def rival_time(line):
    return seconds(line["rival_best_s"]) + (f" ({line['rival_parts']})" if line["rival_parts"] else "")


def cells(line):
    against = line["against"] + (f" ({line['rival']})" if line["against"].startswith("fastest") else "")
    work = line["work"] if line["reached"] else f"{line['work']} (here {line['rows']} x {line['columns']})"
    return [
        work,
        against,
        seconds(line["best_s"]),
        seconds(line["first_s"]),
        rival_time(line),
        short(line["figure"]),
        short(line["first_figure"]),
        target_text(line),
        line["reached"] or "-",
        line["answer"],
    ]


def table(lines):
    """The results as a Markdown table whose columns line up."""
    rows = [HEADER, *map(cells, lines)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADER))]
    texts = ["| " + " | ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) + " |" for row in rows]
    return "\n".join([texts[0], "|" + "|".join("-" * (w + 2) for w in widths) + "|", *texts[1:]])


def write_csv(path, lines, columns=None):
    columns = columns or list(lines[0] if lines else COLUMNS)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        for line in lines:
            writer.writerow({k: f"{v:.6g}" if isinstance(v, float) else v for k, v in line.items()})


def write_summary(path, lines, context):
    versions = sorted({v for line in lines for v in line["versions"].split(", ") if v})
    day = datetime.now(timezone.utc).strftime("%Y-%m-%d")
    text = [
        f"# Results of `make bench`: {path.stem}",
        "",
        f"{day}, commit {context['commit']}, {context['machine']}; {', '.join(versions)}.",
        "",
        f"Times are the best of {context['rounds']} turns; the programs took turns, each in one process.",
        "`first` is the first fit of the process. `ratio` is the rival's best time over bough's best (for",
        "costs, memory and growth: the figure itself); `ratio of first` takes bough's first fit instead.",
        "bench/README.md says what is timed.",
        "Small sizes for a smoke test: nothing is judged." if context["quick"] else "",
        "",
        table(lines),
        "",
    ]
    path.write_text("\n".join(text), encoding="utf-8")

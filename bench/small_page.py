# SPDX-License-Identifier: Apache-2.0
"""The page and the picture of the suite `small`."""

import numpy as np
import small_tables
from svg import Frontier, draw_frontier

SIZES = (4, 6, 8, 16)
WORDS = {
    **{f"grown_{leaves}": f"bough, grown to {leaves} leaves" for leaves in SIZES},
    **{f"searched_{leaves}": f"bough, searched, {leaves} leaves" for leaves in SIZES},
    "pruned": "bough, cost_complexity",
    "one_call": "bough.TreeClassifier()",
    "sklearn": "scikit-learn, grid of 100 fits",
    "rpart": "rpart, default",
    "j48": "J48, default",
    "hs_tree": "imodels HSTreeClassifierCV, 16 leaves",
    "figs": "imodels FIGS, 15 rules (two classes)",
    "contree": "pycontree, depth 3, 10 s of the clock",
    "streed": "pystreed, depth 3, 5 cuts a column",
    "dl85": "pydl8.5, depth 3, 5 cuts a column",
}
FIGURES = ("accuracy", "auc", "log_loss", "leaves", "seconds")


def means(lines, name, tables):
    """Means over tables of the means over splits."""
    out = {}
    for figure in FIGURES:
        by_table = [
            np.mean([line[figure] for line in lines if line["program"] == name and line["table"] == table])
            for table in tables
        ]
        out[figure] = float(np.mean(by_table))
    return out


def mean_rows(lines, names, tables):
    yield "| | accuracy | AUC | log loss | leaves | CPU s |"
    yield "|---|---|---|---|---|---|"
    for name in names:
        m = means(lines, name, tables)
        yield (
            f"| {WORDS[name]} | {100 * m['accuracy']:.2f} | {m['auc']:.4f} | {m['log_loss']:.4f}"
            f" | {m['leaves']:.1f} | {m['seconds']:.2f} |"
        )


def losses(lines, tables, names):
    """Where another program beats bough's one call clearly: by a point of accuracy or 5 % of log loss."""
    for table in tables:
        ours = means(lines, "one_call", [table])
        for name in names:
            if name == "one_call" or name.startswith(("grown", "searched")):
                continue
            if not any(line["program"] == name and line["table"] == table for line in lines):
                continue
            theirs = means(lines, name, [table])
            ahead = []
            if theirs["accuracy"] > ours["accuracy"] + 0.01:
                ahead.append(f"accuracy {100 * theirs['accuracy']:.1f} against {100 * ours['accuracy']:.1f}")
            if theirs["log_loss"] < 0.95 * ours["log_loss"]:
                ahead.append(f"log loss {theirs['log_loss']:.3f} against {ours['log_loss']:.3f}")
            if ahead:
                yield (
                    f"* {table}: {WORDS[name]} ({theirs['leaves']:.0f} leaves against {ours['leaves']:.0f}), "
                    + ", ".join(ahead)
                )


def study_rows(lines, names, tables):
    """Where all of small_tables.STUDY is there: means, and what searching adds at as many leaves."""
    study = small_tables.STUDY
    if not set(study) <= set(tables):
        return
    yield from [
        "",
        f"The {len(study)} tables of the study that searched trees were designed by (small_tables.STUDY):",
        "",
    ]
    yield from mean_rows(lines, names, study)
    gains = []
    for leaves in SIZES:
        ways = [means(lines, f"{way}_{leaves}", study)["accuracy"] for way in ("searched", "grown")]
        gains.append(f"{leaves} leaves {100 * (ways[0] - ways[1]):+.2f}")
    yield from ["", f"Points of accuracy of searched over grown trees: {', '.join(gains)}."]
    geometric = {
        name: np.exp(np.mean([np.log(means(lines, name, [table])["log_loss"]) for table in study]))
        for name in ("one_call", "sklearn")
    }
    yield (
        f"Geometric mean of log loss: bough.TreeClassifier() {geometric['one_call']:.4f}, "
        f"scikit-learn's grid {geometric['sklearn']:.4f}."
    )


def splits_told(splits):
    """How many splits the tables have."""
    most = max(splits.values())
    fewer = sorted(table for table in splits if splits[table] < most)
    if not fewer:
        return f"{most} splits"
    return f"{most} splits ({splits[fewer[0]]} of {', '.join(fewer)})"


def page(lines, context):
    tables = list(dict.fromkeys(line["table"] for line in lines))
    ran = [name for name in WORDS if any(line["program"] == name for line in lines)]
    everywhere = [
        name for name in ran if {line["table"] for line in lines if line["program"] == name} == set(tables)
    ]
    two = [t for t in tables if any(line["program"] == "figs" and line["table"] == t for line in lines)]
    lost = list(losses(lines, tables, ran))
    text = [
        "# Small trees",
        "",
        f"`bench/small.py{context['options']}` at {context['commit']} on {context['machine']}; "
        + "; ".join(f"{name} {version}" for name, version in context["versions"].items())
        + f". {len(tables)} tables, {splits_told(context['splits'])} of 70 % and 30 %; means over tables. "
        f"Tables have at most {small_tables.MOST_ROWS:,} rows ({', '.join(small_tables.SAMPLED)} "
        f"{small_tables.SAMPLED_ROWS:,}), else a sample of them. "
        f"{context['jobs']} tables side by side, so limits of the clock bite a little earlier than alone.",
        *(
            [f"Left out: {', '.join(WORDS[name] for name in context['absent'])}."]
            if context["absent"]
            else []
        ),
        "",
        *mean_rows(lines, everywhere, tables),
    ]
    if two and "figs" in ran:
        text += ["", f"The {len(two)} tables of two classes alone:", "", *mean_rows(lines, ran, two)]
    text += [
        *study_rows(lines, everywhere, tables),
        "",
        f"![Accuracy against leaves]({context['stem']}.svg)",
        "",
        "## Where bough.TreeClassifier() loses",
        "",
        "By more than a point of accuracy, or 5 % of log loss:",
        "",
        *(lost or ["* nowhere"]),
        "",
        "## Accuracy and leaves by table",
        "",
        "| table | " + " | ".join(WORDS[name] for name in everywhere) + " |",
        "|---" * (1 + len(everywhere)) + "|",
    ]
    for table in tables:
        cells = [means(lines, name, [table]) for name in everywhere]
        text.append(
            f"| {table} | "
            + " | ".join(f"{100 * m['accuracy']:.1f} ({m['leaves']:.0f})" for m in cells)
            + " |"
        )
    return "\n".join(text) + "\n"


def frontier(lines):
    """Accuracy against leaves, means over the tables that every program ran."""
    tables = list(dict.fromkeys(line["table"] for line in lines))
    names = [
        name for name in WORDS if {line["table"] for line in lines if line["program"] == name} == set(tables)
    ]
    spot = {}
    for name in names:
        m = means(lines, name, tables)
        spot[name] = (m["leaves"], 100 * m["accuracy"])
    curves = [
        (f"bough, {way}", [spot[f"{way}_{leaves}"] for leaves in SIZES], colour)
        for colour, way in enumerate(("searched", "grown"))
    ]
    points = [
        (*spot[name], WORDS[name] if name == "pruned" else WORDS[name].split(",")[0])
        for name in names
        if not name.startswith(("grown", "searched"))
    ]
    chart = Frontier("Accuracy on fresh rows against leaves", "leaves", points, curves)
    return draw_frontier(chart, f"Means over {len(tables)} tables (bench/small.py).")

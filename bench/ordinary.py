#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trees, forests and extra trees on tables of the usual kind, fitted and asked, beside their peers.

    .venv/bin/python bench/ordinary.py [--quick] [--only WORD ...] [--rounds N] [--list]

writes bench/results/ordinary.csv and ordinary.md (--only: partial_ordinary.*). --quick: 4,000 rows and 10
trees at the most, one turn each. One thread each, CPU time, the best of the rounds; programs take turns at
every row. Number columns only, as float32. Peers run in bench/.venv where it is there; those that are not
installed are left out by name. Ends with status 1 when bough's score on the training rows is far below
scikit-learn's.
"""

import argparse
import contextlib
import csv
import math
import sys
from pathlib import Path

import ordinary_race
from ordinary_means import NAMES, PEERS, mean_table, ratio, shown
from ordinary_rows import QUICK_ROWS, QUICK_TREES, ROOT, ROWS

import report

RESULTS = ROOT / "bench" / "results"
# How far the score of a model may lie below scikit-learn's: trees differ by ties, forests by chance.
SLACK = {"tree": 0.002, "depth8": 0.01, "forest": 0.02, "extra": 0.02}


def workers(peers):
    """bough and those of the peers that run here, and the names of the others."""
    own = ROOT / "bench/.venv/bin/python"
    python = own if own.exists() else sys.executable
    found = {"bough": ordinary_race.python_worker(sys.executable, "bough")}
    for name in peers:
        with contextlib.suppress(OSError):  # no R
            found[name] = (
                ordinary_race.Worker(["Rscript", ordinary_race.HERE / "ordinary_worker.R"])
                if name == "ranger"
                else ordinary_race.python_worker(python, name)
            )
    left_out = [name for name in PEERS if name not in found or not found[name].version]
    return {name: worker for name, worker in found.items() if worker.version}, left_out


def problems(row, scores):
    """What is wrong with the answers of a row."""
    least = scores.get("sklearn", 0.0) - SLACK[row.model]
    if "bough" in scores and scores["bough"] < least:
        yield f"{row.name}: score {scores['bough']:.4f}, scikit-learn's is {scores['sklearn']:.4f}"


def line_of(row, sizes, best, scores, quick):
    line = {"row": row.name, "work": row.work, "model": row.model, "table": row.table.name, **sizes}
    line |= {"trees": row.trees(quick), "bough_s": f"{best['bough']:.6g}"}
    for name in PEERS:
        line[f"{name}_s"] = f"{best[name]:.6g}" if name in best else ""
    return line | {
        "score": f"{scores['bough']:.4f}",
        "sklearn_score": f"{scores.get('sklearn', math.nan):.4f}",
    }


def page(lines, context):
    text = [
        "# Tables of the usual kind",
        "",
        f"`.venv/bin/python bench/ordinary.py` at {context['commit']} on {context['machine']}; "
        f"{'; '.join(context['versions'])}. One thread, CPU time, best of {context['rounds']} turns each, "
        "which alternate. How many times as fast bough is as each peer; the geometric mean over "
        f"{len({line['table'] for line in lines})} tables, and the worst of them.{context['size']}",
        *([f"Left out: {', '.join(context['left_out'])}."] if context["left_out"] else []),
        "",
        *mean_table(lines),
        "",
        "## All rows, the worst against scikit-learn first",
        "",
        "| row | rows x columns | trees | bough | " + " | ".join(NAMES[peer] for peer in PEERS) + " |",
        "|---" * (4 + len(PEERS)) + "|",
    ]
    for line in sorted(lines, key=lambda line: ratio(line, "sklearn") or math.inf):
        ratios = [ratio(line, peer) for peer in PEERS]
        cells = " | ".join("" if value is None else shown(value) for value in ratios)
        size = f"{line['rows']} x {line['columns']}"
        text.append(
            f"| {line['row']} | {size} | {line['trees']} | {float(line['bough_s']) * 1e3:.3g} ms | {cells} |"
        )
    return "\n".join(text) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", default=[], metavar="WORD", help="rows that hold WORD")
    parser.add_argument("--peers", nargs="+", default=PEERS, choices=PEERS, help="only these, not all")
    parser.add_argument("--quick", action="store_true", help="smaller tables and forests")
    parser.add_argument("--rounds", type=int, help="turns of every program (default: 3, with --quick 1)")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder that they are written to")
    parser.add_argument("--list", action="store_true", help="show the rows and stop")
    options = parser.parse_args()
    options.rounds = options.rounds or (1 if options.quick else 3)
    rows = [row for row in ROWS if not options.only or any(word in row.name for word in options.only)]
    if options.list:
        print("\n".join(row.name for row in rows))
        return 0
    programs, left_out = workers(options.peers)
    print(
        "\n".join(
            [worker.version for worker in programs.values()] + [f"{name}: left out" for name in left_out]
        )
    )
    lines, wrong = [], []
    try:
        for row, sizes, best, scores in ordinary_race.race(rows, programs, options.quick, options.rounds):
            lines.append(line_of(row, sizes, best, scores, options.quick))
            wrong += problems(row, scores)
            others = "  ".join(
                f"{name} {shown(best[name] / best['bough'])}" for name in best if name != "bough"
            )
            print(f"{row.name:<28} {best['bough'] * 1e3:9.3f} ms   {others}", flush=True)
    except KeyboardInterrupt:
        print("stopped: the results are those of the rows so far")
    context = {
        "commit": report.commit(),
        "machine": report.machine(),
        "versions": [worker.version for worker in programs.values()],
        "rounds": options.rounds,
        "left_out": [NAMES[name] for name in left_out],
        "size": f" Tables end after {QUICK_ROWS:,} rows, forests after {QUICK_TREES} trees (`--quick`)."
        if options.quick
        else "",
    }
    for worker in programs.values():
        worker.close()
    name = "partial_ordinary" if options.only else "ordinary"
    options.results.mkdir(parents=True, exist_ok=True)
    extra = {
        "versions": "; ".join(context["versions"]),
        "commit": context["commit"],
        "machine": context["machine"],
    }
    with open(options.results / f"{name}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, {**lines[0], **extra}.keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows({**line, **extra} for line in lines)
    (options.results / f"{name}.md").write_text(page(lines, context), encoding="utf-8")
    print("\n".join([*mean_table(lines), *(f"WRONG ANSWER {problem}" for problem in wrong)]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

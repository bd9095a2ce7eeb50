# SPDX-License-Identifier: Apache-2.0
"""Time and peak memory of one fit over rows and columns, for bough and scikit-learn, drawn to an SVG.

usage: curves.py BENCH_TASKS [--quick] [--peer-limit SECONDS] [--most-rows N] [--most-columns N]
                 [--results FOLDER]
Made data, two classes, gini, depth 8, one thread; best of three fits (scikit-learn: a single fit once they
take a second). scikit-learn stops where a fit would take longer than the limit, judged by its last one.
"""

import argparse
import sys
from pathlib import Path

from svg import Chart, Series, bytes_text, draw, seconds_text
from tasks import Contender, Session
from workers import play

import report
from data import Made

ROWS = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
COLUMNS = (10, 30, 100, 300, 1_000)
ROWS_OF_COLUMNS = 100_000
OPTIONS = {"criterion": "gini", "depth": 8, "threads": 1}
FIELDS = [
    "axis",
    "program",
    "rows",
    "columns",
    "first_s",
    "best_s",
    "peak_bytes",
    "input_bytes",
    "commit",
    "machine",
]


def sizes(args):
    """(axis, rows, columns) of every point."""
    if args.quick:
        by_rows = [("rows", n, 28) for n in (1_000, 3_000, 10_000)]
        return by_rows + [("columns", 2_000, n) for n in (10, 30, 100)]
    by_rows = [("rows", n, 28) for n in ROWS if n <= args.most_rows]
    return by_rows + [("columns", ROWS_OF_COLUMNS, n) for n in COLUMNS if n <= args.most_columns]


def point(program, rows, columns, rounds, binary):
    inner = max(1, 20_000 // rows)
    data = Made(rows, columns)
    session = Session(f"{rows} x {columns}", data, {program: Contender(program, OPTIONS)}, inner)
    return play(
        session, binary, rounds=rounds, note=lambda text: print(f"  {session.name}{text}", flush=True)
    )[program]


class PeerLimit:
    """Whether the peer may try a size: its last fit, scaled by the cells, must stay below the limit."""

    def __init__(self, limit):
        self.limit, self.cells, self.seconds = limit, None, 0.0

    def allows(self, cells):
        return self.cells is None or self.seconds * cells / self.cells <= self.limit

    def seen(self, cells, seconds):
        self.cells, self.seconds = cells, seconds


def measure(args):
    lines = []
    where = {"commit": report.commit(), "machine": report.machine()}
    for axis in ("rows", "columns"):
        limit = PeerLimit(args.peer_limit)
        for _, rows, columns in [size for size in sizes(args) if size[0] == axis]:
            for program in ("bough", "sklearn"):
                if program == "sklearn" and not limit.allows(rows * columns):
                    continue
                slow = program == "sklearn" and limit.seconds > 0.3
                outcome = point(program, rows, columns, 1 if slow else 3, args.binary)
                if program == "sklearn":
                    limit.seen(rows * columns, outcome.best)
                lines.append(
                    {
                        "axis": axis,
                        "program": program,
                        "rows": rows,
                        "columns": columns,
                        "first_s": outcome.first,
                        "best_s": outcome.best,
                        "peak_bytes": outcome.figures["peak_bytes"],
                        "input_bytes": rows * columns * 4,
                        **where,
                    }
                )
    return lines


def chart(lines, axis, field, title, x_label, unit):
    def points(program, key):
        own = [line for line in lines if line["axis"] == axis and line["program"] == program]
        return [(line[axis], line[key]) for line in own if line[key]]

    series = [
        Series("scikit-learn", points("sklearn", field), 1),
        Series("bough", points("bough", field), 0),
    ]
    if field == "peak_bytes":
        series.append(Series("size of the input", points("bough", "input_bytes"), 2))
    return Chart(title, x_label, unit, [s for s in series if s.points])


def picture(lines, peer_limit):
    rows_label = "rows, 28 columns"
    fixed = next(line["rows"] for line in lines if line["axis"] == "columns")
    columns_label = f"columns, {fixed:,} rows"
    charts = [
        [
            chart(lines, "rows", "best_s", "Time of a fit over rows", rows_label, seconds_text),
            chart(lines, "rows", "peak_bytes", "Peak memory above the input", rows_label, bytes_text),
        ],
        [
            chart(lines, "columns", "best_s", "Time of a fit over columns", columns_label, seconds_text),
            chart(lines, "columns", "peak_bytes", "Peak memory above the input", columns_label, bytes_text),
        ],
    ]
    note = (
        "Made data, two classes, gini, depth 8, one thread. scikit-learn stops where a fit would take over "
        f"{peer_limit:g} s. {lines[0]['machine']}."
    )
    return draw(charts, note)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", help="the program bench_tasks")
    parser.add_argument("--quick", action="store_true", help="small sizes: does everything work?")
    parser.add_argument("--peer-limit", type=float, default=60.0, metavar="SECONDS")
    parser.add_argument("--most-rows", type=int, default=ROWS[-1], metavar="N")
    parser.add_argument("--most-columns", type=int, default=COLUMNS[-1], metavar="N")
    parser.add_argument("--results", type=Path, default=report.ROOT / "bench" / "results")
    args = parser.parse_args()
    lines = measure(args)
    name = "curves_quick" if args.quick else "curves"
    report.write_csv(args.results / f"{name}.csv", lines, FIELDS)
    (args.results / f"{name}.svg").write_text(picture(lines, args.peer_limit), encoding="utf-8")
    print(f"wrote {args.results}/{name}.csv and {name}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())

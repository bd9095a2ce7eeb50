# SPDX-License-Identifier: Apache-2.0
"""Runs bough beside its peers and compares the figures with the project's targets.

usage: run.py BENCH_TASKS [--only WORD ...] [--quick] [--threads N] [--rounds N] [--results FOLDER] [--list]
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import checks
from tasks import ROWS, SESSIONS
from workers import play

import report
from data import Absent, Real


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", help="the program bench_tasks")
    parser.add_argument(
        "--only", action="append", default=[], metavar="WORD", help="rows whose name holds WORD"
    )
    parser.add_argument("--quick", action="store_true", help="small sizes: does everything work?")
    parser.add_argument("--threads", type=int, default=1, help="threads of every contender that names none")
    parser.add_argument("--rounds", type=int, default=3, help="turns of every contender")
    parser.add_argument("--results", type=Path, default=report.ROOT / "bench" / "results")
    parser.add_argument("--list", action="store_true", help="show the rows and stop")
    return parser.parse_args()


def with_threads(session, threads):
    def one(contender):
        return replace(contender, options={"threads": threads, **contender.options})

    return replace(session, contenders={name: one(c) for name, c in session.contenders.items()})


def needed(session, rows):
    """The session without contenders that no chosen row needs; peers that check a needed one stay."""
    wanted = {name for row in rows for name in (row.contender, *row.rivals)}
    for name in list(wanted):
        mine = session.contenders[name]
        wanted |= {
            other
            for other, rival in session.contenders.items()
            if rival.program == "sklearn" and checks.same_work(mine, rival)
        }
    return replace(session, contenders={n: c for n, c in session.contenders.items() if n in wanted})


def measure(session, rows, args, context):
    """Results of the rows of one session; none, with a message, when its data is absent."""
    try:
        outcomes = play(session, args.binary, args.quick, args.rounds)
    except Absent as absent:
        print(f"  skipped: {absent}", flush=True)
        return []
    except RuntimeError as error:
        print(f"  failed: {error}", flush=True)
        context["failed"] = True
        return []
    problems = checks.check_session(session, outcomes, has_categories=session.data == Real("adult"))
    for name, problem in problems:
        print(f"  WRONG ANSWER {name}: {problem}", flush=True)
        context["failed"] = True
    context["contenders"] += report.contender_lines(session, outcomes)
    return [report.result(row, outcomes, problems, context) for row in rows]


def main():
    args = arguments()
    chosen = [row for row in ROWS if not args.only or any(word in row.name for word in args.only)]
    if args.list or not chosen:
        print("\n".join(f"{row.name:<16} {row.work}, against {row.against}" for row in ROWS))
        return 0 if args.list else 2
    context = {
        "quick": args.quick,
        "rounds": args.rounds,
        "commit": report.commit(),
        "machine": report.machine(),
        "failed": False,
        "contenders": [],
    }
    lines = []
    for session in SESSIONS:
        rows = [row for row in chosen if row.session == session.name]
        if rows:
            print(session.name, flush=True)
            lines += measure(with_threads(needed(session, rows), args.threads), rows, args, context)
    lines.sort(key=lambda line: [row.name for row in ROWS].index(line["row"]))
    scale = report.scale_line(args.results, context)
    if scale and not args.quick and not args.only:
        lines.append(scale)
    print("\n" + report.table(lines))
    name = "quick" if args.quick else "partial" if args.only else "targets"
    report.write_csv(args.results / f"{name}.csv", lines, report.COLUMNS)
    report.write_csv(args.results / f"{name}_contenders.csv", context["contenders"])
    report.write_summary(args.results / f"{name}.md", lines, context)
    print(f"\nwrote {args.results}/{name}.md, {name}.csv and {name}_contenders.csv")
    return 1 if context["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())

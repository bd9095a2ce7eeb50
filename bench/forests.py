# SPDX-License-Identifier: Apache-2.0
"""Forests, oblique trees and honest forests beside their peers, each called as its users call it.

usage: forests.py BENCH_TASKS [--only WORD ...] [--quick] [--rounds N] [--results FOLDER] [--list]

bough runs in .venv, treeple in bench/.venv-treeple, ranger in R, the others in bench/.venv: one process each,
which take turns. A peer that is not installed is named and left out.
"""

import argparse
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from rivals import environment

import report
from data import Absent, Made, Real, folder_of

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PYTHONS = {
    "bough": ROOT / ".venv" / "bin" / "python",
    "treeple": HERE / ".venv-treeple" / "bin" / "python",
}
LONG_TURN = 25.0  # seconds: whoever takes longer for a turn has no second one
SCORE_SLACK = 0.01  # held-out accuracy or share of variance
OTHER_ANSWERS = {
    "ranger"
}  # its trees use all their rows for both purposes: another model, with another score


@dataclass(frozen=True)
class Session:
    name: str
    data: object
    options: dict
    rivals: tuple


@dataclass(frozen=True)
class Row:
    name: str
    session: str
    work: str
    rival: str
    job: str
    target: float


SESSIONS = [
    Session(
        "covtype_forest",
        Real("covtype"),
        {"kind": "forest", "trees": 100, "threads": 2},
        ("sklearn", "sklearnex"),
    ),
    Session(
        "oblique",
        Made(100_000, columns=50, quick=3_000),
        {"kind": "oblique", "threads": 1},
        ("treeple",),
    ),
    Session(
        "honest",
        Made(10_000, columns=28, quick=1_000),
        {"kind": "honest", "trees": 500, "threads": 2, "leaf": 5, "columns": 1 / 3, "sample": 0.5},
        ("econml", "ranger"),
    ),
]
FOREST = "forest of 100 trees, covtype 100k x 54, 2 threads"
HONEST = "honest forest of 500 trees, made 10k x 28, 2 threads"
ROWS = [
    Row("forest_sklearn", "covtype_forest", FOREST, "sklearn", "fit", 5),
    Row("forest_sklearnex", "covtype_forest", FOREST, "sklearnex", "fit", 3),
    Row("forest_predict", "covtype_forest", FOREST + ": predict the rows", "sklearn", "predict", 5),
    Row("oblique", "oblique", "oblique tree, made 100k x 50, full, 1 thread", "treeple", "fit", 20),
    Row("honest_econml", "honest", HONEST, "econml", "fit", 1),
    Row("honest_ranger", "honest", HONEST + " (ranger: not honest)", "ranger", "fit", 1),
]
COLUMNS = [
    *("row", "work", "rival", "rows", "columns", "first_s", "best_s", "turns_s"),
    *("rival_first_s", "rival_best_s", "rival_turns_s", "ratio", "target", "reached", "score", "rival_score"),
    *("answer", "commit", "machine", "versions"),
]


class Worker:
    def __init__(self, program, folder, options):
        meta = json.loads((folder / "meta.json").read_text())
        if program == "ranger":
            count = max(1, round(options["columns"] * meta["columns"]))
            words = [folder, meta["rows"], meta["columns"], options["trees"], options["threads"]]
            words += [options["leaf"], count, options["sample"]]
            command = ["Rscript", HERE / "ranger_worker.R", *map(str, words)]
        else:
            python = PYTHONS.get(program, sys.executable)
            command = [python, HERE / "forest_worker.py", program, folder, json.dumps(options)]
        if not shutil.which(command[0]):
            raise Absent(f"{command[0]} is not there (tools/setup.sh python bench treeple)")
        self.program, self.seconds, self.figures = program, {"fit": [], "predict": []}, {}
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(options["threads"]),
        )

    def hear(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.program} ended with status {self.process.wait()}")
        return json.loads(line)

    def tell(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        return self.hear()

    def turn(self, job):
        if not any(past > LONG_TURN for past in self.seconds[job]):
            self.seconds[job].append(self.tell(job)["seconds"])

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        if not self.figures:
            self.process.kill()
        self.process.wait()


def play(session, jobs, wanted, args):
    """Workers that have had their turns, by program; those that cannot start are named and left out."""
    folder = folder_of(session.data, args.quick, args.binary)
    options = dict(session.options)
    if args.quick and "trees" in options:
        options["trees"] = 20
    workers = {}
    try:
        for program in ("bough", *(rival for rival in session.rivals if rival in wanted)):
            try:
                worker = Worker(program, folder, options)
                workers[program] = worker
                worker.hear()  # ready: nobody loads while another is timed
            except (Absent, RuntimeError) as error:
                workers.pop(program, None)
                print(f"  {program} left out: {error}", flush=True)
        for job in jobs:
            for _ in range(args.rounds):
                for worker in workers.values():
                    worker.turn(job)
        for worker in workers.values():
            worker.figures = worker.tell("end")
            times = {job: f"{min(worker.seconds[job]):.4g} s" for job in jobs}
            print(f"  {worker.program:<10} {times}, held-out score {worker.figures['score']:.4f}", flush=True)
        return workers
    finally:
        for worker in workers.values():
            worker.close()


def line_of(row, workers, args, context):
    ours, theirs = workers["bough"], workers[row.rival]
    mine, other = ours.seconds[row.job], theirs.seconds[row.job]
    ratio = min(other) / min(mine)
    short = theirs.figures["score"] - ours.figures["score"]
    judged = not args.quick and row.rival not in OTHER_ANSWERS
    wrong = f"{short:.3f} below the peer on held-out rows" if short > SCORE_SLACK else "ok"
    versions = (ours.figures["version"], theirs.figures["version"])
    return {
        "row": row.name,
        "work": row.work,
        "rival": row.rival,
        "rows": ours.figures["rows"],
        "columns": ours.figures["columns"],
        "first_s": mine[0],
        "best_s": min(mine),
        "turns_s": " ".join(f"{s:.4g}" for s in mine),
        "rival_first_s": other[0],
        "rival_best_s": min(other),
        "rival_turns_s": " ".join(f"{s:.4g}" for s in other),
        "ratio": ratio,
        "target": row.target,
        "reached": "-" if args.quick else "yes" if ratio >= row.target else "no",
        "score": ours.figures["score"],
        "rival_score": theirs.figures["score"],
        "answer": wrong if judged else "-",
        "commit": context["commit"],
        "machine": context["machine"],
        "versions": ", ".join(versions),
    }


def table(lines):
    head = ["work", "against", "bough", "rival", "ratio", "target", "reached", "score", "rival's", "answer"]
    rows = [head] + [
        [
            line["work"],
            line["rival"],
            report.seconds(line["best_s"]),
            report.seconds(line["rival_best_s"]),
            report.short(line["ratio"]),
            f">= {line['target']}",
            line["reached"],
            f"{line['score']:.4f}",
            f"{line['rival_score']:.4f}",
            line["answer"],
        ]
        for line in lines
    ]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    texts = ["| " + " | ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) + " |" for row in rows]
    return "\n".join([texts[0], "|" + "|".join("-" * (w + 2) for w in widths) + "|", *texts[1:]])


def write(lines, args, context):
    name = "forests_quick" if args.quick else "forests_partial" if args.only else "forests"
    report.write_csv(args.results / f"{name}.csv", lines, COLUMNS)
    versions = sorted({v for line in lines for v in line["versions"].split(", ")})
    text = [
        "# Forests, oblique trees and honest forests beside their peers",
        "",
        f"Commit {context['commit']}, {context['machine']}; {', '.join(versions)}.",
        "",
        f"Best of {args.rounds} turns, taken in alternation, one process each; whoever needs more than",
        f"{LONG_TURN:.0f} s for a turn has one. `score`: accuracy (honest: share of variance) on every fifth",
        "row after a fit of at most 28 trees to the others; bench/README.md says what is timed.",
        "",
        table(lines),
        "",
    ]
    (args.results / f"{name}.md").write_text("\n".join(text), encoding="utf-8")
    print(f"\n{table(lines)}\n\nwrote {args.results}/{name}.md and {name}.csv")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", help="the program bench_tasks, which makes the data")
    parser.add_argument(
        "--only", action="append", default=[], metavar="WORD", help="rows whose name holds WORD"
    )
    parser.add_argument("--quick", action="store_true", help="small sizes: does everything work?")
    parser.add_argument("--rounds", type=int, default=3, help="turns of every contender")
    parser.add_argument("--results", type=Path, default=HERE / "results")
    parser.add_argument("--list", action="store_true", help="show the rows and stop")
    args = parser.parse_args()
    chosen = [row for row in ROWS if not args.only or any(word in row.name for word in args.only)]
    if args.list or not chosen:
        print("\n".join(f"{row.name:<18} {row.work}, against {row.rival}" for row in ROWS))
        return 0 if args.list else 2
    context = {"commit": report.commit(), "machine": report.machine()}
    lines, failed = [], False
    for session in SESSIONS:
        rows = [row for row in chosen if row.session == session.name]
        if not rows:
            continue
        print(session.name, flush=True)
        jobs = [job for job in ("fit", "predict") if job == "fit" or any(row.job == job for row in rows)]
        try:
            workers = play(session, jobs, {row.rival for row in rows}, args)
        except (Absent, RuntimeError) as error:
            print(f"  skipped: {error}", flush=True)
            failed = True
            continue
        if "bough" in workers:
            lines += [line_of(row, workers, args, context) for row in rows if row.rival in workers]
        failed |= "bough" not in workers or any(row.rival not in workers for row in rows)
    if lines:
        write(lines, args, context)
    return 1 if failed or any(line["answer"] not in ("ok", "-") for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Programs of the suite `ordinary` as processes that take turns at its rows."""

import json
import os
import subprocess
from pathlib import Path

import ordinary_rows

HERE = Path(__file__).resolve().parent
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
LONG = 2.0  # seconds of a turn: whoever needs more has no second one


class Worker:
    """A process that answers lines; `version` is "" where it cannot start."""

    def __init__(self, command, packages=None):
        env = dict(os.environ, **dict.fromkeys(ONE_THREAD, "1"))
        if packages:
            env["PYTHONPATH"] = str(packages)
        self.process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=env,
        )
        try:
            self.version = self.ask("version")
        except OSError:
            self.version = ""

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def python_worker(python, program, packages=None):
    return Worker([python, HERE / "ordinary_worker.py", program], packages)


def turns(workers, row, folder, quick, rounds):
    """Least seconds and score of every program that has the model of a row, by turns."""
    best, scores, done = {}, {}, set()
    for _ in range(rounds):
        for name, worker in workers.items():
            if name in done:
                continue
            told = worker.ask(f"{folder} {row.model} {row.trees(quick)} {row.work}")
            if told == "none":
                done.add(name)
                continue
            if not told:
                raise RuntimeError(f"{name} ended at {row.name}")
            seconds, scores[name] = map(float, told.split())
            best[name] = min(seconds, best.get(name, seconds))
            if seconds > LONG:
                done.add(name)
    return best, scores


def race(rows, workers, quick, rounds):
    """Yields a row, the sizes of its table, least seconds and scores by program; says what data is absent."""
    absent = set()
    for row in rows:
        folder = ordinary_rows.write(row.table, quick)
        if folder is None:
            if row.table.name not in absent:
                print(f"{row.table.name}: skipped, {row.table.source} is not in {ordinary_rows.REAL}")
            absent.add(row.table.name)
            continue
        sizes = json.loads((folder / "meta.json").read_text())
        yield row, sizes, *turns(workers, row, folder, quick, rounds)

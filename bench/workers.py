# SPDX-License-Identifier: Apache-2.0
"""Contenders as processes that take turns, and what they said."""

import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from rivals import environment

from data import folder_of

HERE = Path(__file__).resolve().parent


@dataclass
class Outcome:
    """Seconds of every turn (several runs each when inner > 1) and the figures of the last result."""

    turns: list = field(default_factory=list)
    figures: dict = field(default_factory=dict)

    @property
    def first(self):
        return self.turns[0][0]

    @property
    def best(self):
        return min(min(turn) for turn in self.turns)


class Worker:
    def __init__(self, contender, folder, binary, inner):
        options = {**contender.options, "inner": inner}
        if contender.program == "bough":
            job = options.pop("job", "fit")
            words = [f"{key}={value}" for key, value in options.items()]
            command = [binary, job, f"data={folder}", "serve=1", *words]
        else:
            command = [
                sys.executable,
                HERE / "peer_worker.py",
                contender.program,
                folder,
                json.dumps(options),
            ]
        self.name = contender.program
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(contender.options.get("threads", 1)),
        )
        self.outcome = Outcome()

    def hear(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.name} ended with status {self.process.wait()}")
        return json.loads(line)

    def tell(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        return self.hear()

    def turn(self):
        self.outcome.turns.append(self.tell("go")["seconds"])

    def finish(self):
        self.outcome.figures = self.tell("end")
        self.close()
        return self.outcome

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        if self.process.poll() is None:
            self.process.kill() if not self.outcome.figures else self.process.wait()


def play(session, binary, quick=False, rounds=3, note=print):
    """Lets the contenders of a session take turns; outcomes by name. Raises Absent without the data."""
    workers = {}
    try:
        for name, contender in session.contenders.items():
            folder = folder_of(contender.data or session.data, quick, binary)
            workers[name] = Worker(contender, folder, binary, session.inner)
            workers[name].hear()  # ready: nobody loads data while another is timed
        for _ in range(rounds):
            for worker in workers.values():
                worker.turn()
        outcomes = {}
        for name, worker in workers.items():
            outcomes[name] = worker.finish()
            note(f"  {name:<16} first {worker.outcome.first:.6g} s, best {worker.outcome.best:.6g} s")
        return outcomes
    finally:
        for worker in workers.values():
            if not worker.outcome.figures:
                worker.close()

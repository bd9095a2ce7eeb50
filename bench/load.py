# SPDX-License-Identifier: Apache-2.0
"""Prediction as a long-lived service does it, through Python.

Threads ask for single rows and batches while the model's file is replaced and loaded again. Every answer is
compared with what the model that gave it said alone, and memory is watched.
"""

import argparse
import os
import pathlib
import tempfile
import threading
import time

import bough
import numpy as np

KINDS = {"one row": 1, "256 rows": 256}


def resident_mb():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


class Service:
    def __init__(self, threads, every):
        rng = np.random.default_rng(1)
        self.X = rng.normal(size=(8192, 28)).astype(np.float32)
        y = (self.X[:, 0] * self.X[:, 1] + 0.3 * rng.normal(size=len(self.X)) > 0).astype(int)
        self.models = [
            bough.RandomForestClassifier(n_estimators=n, random_state=n, n_jobs=1).fit(self.X, y)
            for n in (40, 21)
        ]
        self.answers = [model.predict(self.X) for model in self.models]
        self.threads, self.every = threads, every
        self.stop = threading.Event()
        self.times = {kind: [] for kind in KINDS}
        self.problems, self.saves, self.loads, self.memory = [], 0, 0, []

    def guarded(self, work, *args):
        try:
            work(*args)
        except BaseException as error:
            self.problems.append(repr(error))
            self.stop.set()

    def save(self, path):
        while not self.stop.wait(self.every):
            self.saves += 1
            self.models[self.saves % 2].save(path)

    def load(self, path):
        while not self.stop.wait(self.every):
            self.put(path)

    def put(self, path):
        model = bough.load(path)
        model.n_jobs = 1
        self.now = (model, 0 if len(model.estimators_) == 40 else 1)
        self.loads += 1

    def ask(self, seed):
        rng = np.random.default_rng(seed)
        own = {kind: [] for kind in KINDS}
        while not self.stop.is_set():
            kind = "256 rows" if rng.integers(16) == 0 else "one row"
            first = int(rng.integers(len(self.X) - KINDS[kind]))
            rows = slice(first, first + KINDS[kind])
            start = time.perf_counter_ns()
            model, which = self.now
            said = model.predict(self.X[rows])
            own[kind].append(time.perf_counter_ns() - start)
            if not np.array_equal(said, self.answers[which][rows]):
                self.problems.append(f"a wrong answer for rows {rows}")
            if len(own[kind]) >= 1000:
                self.keep(own)
        self.keep(own)

    def keep(self, own):
        """Times beyond the last million of a kind are not kept: the list must not look like a leak."""
        for kind, values in own.items():
            if len(self.times[kind]) < 1_000_000:
                self.times[kind].extend(values)
            values.clear()

    def run(self, seconds):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.bough")
            self.models[0].save(path)
            self.put(path)
            works = [(self.save, path), (self.load, path), *((self.ask, i) for i in range(self.threads))]
            workers = [threading.Thread(target=self.guarded, args=work) for work in works]
            for worker in workers:
                worker.start()
            end = time.monotonic() + seconds
            while time.monotonic() < end and not self.stop.wait(min(1.0, seconds / 50)):
                if time.monotonic() > end - 0.8 * seconds:
                    self.memory.append(resident_mb())
            self.stop.set()
            for worker in workers:
                worker.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0, help="at most 60 are used here")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--every-ms", type=float, default=50.0)
    parser.add_argument("--trees", help="of bench_load, not used here")
    parser.add_argument("--out", default="load_python")
    wish = parser.parse_args()
    seconds = min(60.0, wish.seconds)
    service = Service(wish.threads, wish.every_ms / 1000)
    service.run(seconds)
    rows = []
    for kind, nanoseconds in service.times.items():
        shares = np.percentile(nanoseconds, [50, 90, 99, 99.9, 100]) / 1000
        rows.append((kind, len(nanoseconds), *shares))
    third = max(1, len(service.memory) // 3)
    # The times themselves are kept: 36 bytes each or so.
    kept = sum(len(values) for values in service.times.values()) * 40 / 1e6
    grows = max(service.memory[-third:]) > max(service.memory[:third]) * 1.1 + 10 + kept
    n_answers = sum(row[1] for row in rows)
    first, last, most = service.memory[0], service.memory[-1], max(service.memory)
    memory = f"{first:.1f} MB first, {last:.1f} MB last, {most:.1f} MB at most"
    words = (
        f"{wish.threads} threads on {os.cpu_count()} cores for {seconds:.0f} s: {n_answers} answers, "
        f"{len(service.problems)} wrong; {service.saves} times the file was replaced, "
        f"{service.loads} times a model loaded. Resident memory after the warm-up: "
        f"{memory}{' (IT GROWS)' if grows else ''}."
    )
    with open(wish.out + ".csv", "w", encoding="utf-8") as file:
        file.write("what,answers,p50_us,p90_us,p99_us,p999_us,max_us\n")
        file.writelines(
            ",".join([row[0], str(row[1]), *(f"{v:.1f}" for v in row[2:])]) + "\n" for row in rows
        )
    page = "| answer | how many | p50 | p90 | p99 | p99.9 | longest |\n|---|---|---|---|---|---|---|\n"
    for row in rows:
        page += f"| {row[0]} | {row[1]} | " + " | ".join(f"{v:.0f} µs" for v in row[2:]) + " |\n"
    with open(wish.out + ".md", "w", encoding="utf-8") as file:
        file.write(
            f"# Prediction as a service, through Python\n\nWritten by `bench/load.py`.\n\n{words}\n\n{page}"
        )
    print(words + "\n\n" + page)
    for problem in service.problems[:10]:
        print(problem)
    return 1 if service.problems or grows else 0


if __name__ == "__main__":
    raise SystemExit(main())

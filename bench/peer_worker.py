# SPDX-License-Identifier: Apache-2.0
"""One peer as a process that works when told: a step for every line "go", the result for "end".

usage: peer_worker.py PEER FOLDER JSON, with the options of bench_tasks as JSON. Speaks like `bench_tasks
serve=1`.
"""

import ctypes
import gc
import json
import sys
import time
from pathlib import Path

from rivals import PEERS

from data import Arrays


def say(line):
    print(json.dumps(line), flush=True)


class PeakMemory:
    """Most resident bytes above those at the start; None where the kernel does not tell."""

    def __init__(self):
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)  # what is free already must not be counted as there
        try:
            Path("/proc/self/clear_refs").write_text("5")
            self.start = self.status("VmRSS:")
        except OSError:
            self.start = None

    @staticmethod
    def status(name):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith(name):
                return int(line.split()[1]) * 1024
        raise OSError(f"no {name} in /proc/self/status")

    def above_start(self):
        return None if self.start is None else max(0, self.status("VmHWM:") - self.start)


def job_of(peer, options):
    """The timed call, and how its result is described."""
    job = options.get("job", "fit")
    if job == "fit":
        return peer.fit, lambda model: {**peer.describe(model), "score": peer.score(model)}
    model = peer.fit()
    figures = peer.describe(model)
    if job == "predict":
        return lambda: peer.predict(model), lambda answer: {**figures, "score": float(answer.mean())}
    if job == "path":
        return lambda: peer.path(model), lambda path: {**figures, "score": float(path["ccp_alphas"][-1])}
    raise SystemExit(f"unknown job {job!r}")


def main():
    name, folder, text = sys.argv[1:]
    options = json.loads(text)
    peer = PEERS[name](Arrays(folder), options)
    work, describe = job_of(peer, options)
    memory = PeakMemory()
    say({"ready": True})
    result = None
    for line in sys.stdin:
        if line.strip() != "go":
            break
        seconds = []
        for _ in range(int(options.get("inner", 1))):
            result = None
            begin = time.perf_counter()
            result = work()
            seconds.append(time.perf_counter() - begin)
        say({"seconds": seconds})
    peak = memory.above_start()
    say({**describe(result), "version": peer.version(), "peak_bytes": peak, "parts": peer.parts})


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Threads, signals and memory: the lock is released, Ctrl-C is heard, nothing leaks."""

import gc
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import weakref

import bough
import numpy as np
import pytest
from bough import _core

RNG = np.random.default_rng(0)
X = RNG.normal(size=(4000, 8))
Y = (X[:, 0] * X[:, 1] > 0).astype(int)


def test_two_threads_fit_and_predict_at_once():
    expected = bough.DecisionTreeClassifier().fit(X, Y).tree_.model.to_bytes()
    shared = bough.DecisionTreeClassifier(max_depth=5).fit(X, Y)
    answers = shared.predict(X)
    problems = []

    def work(n_jobs):
        try:
            for _ in range(15):
                model = bough.DecisionTreeClassifier(n_jobs=n_jobs).fit(X, Y)
                assert model.tree_.model.to_bytes() == expected
                np.testing.assert_array_equal(shared.predict(X), answers)
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []


def test_python_runs_while_a_tree_grows():
    big = RNG.normal(size=(60_000, 20))
    y = RNG.integers(0, 2, 60_000)
    model = bough.DecisionTreeClassifier()
    thread = threading.Thread(target=model.fit, args=(big, y))
    thread.start()
    turns = 0
    while thread.is_alive():
        turns += 1
        time.sleep(0.001)
    thread.join()
    assert turns > 10
    assert model.tree_.node_count > 1000


CTRL_C = """
import numpy as np, signal, sys, threading, time, os, bough
rng = np.random.default_rng(0)
X, y = rng.normal(size=(150_000, 40)), rng.normal(size=150_000)
def press():
    time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGINT)
model = bough.DecisionTreeRegressor(criterion="absolute_error", n_jobs={jobs})
model.fit(X[:9], y[:9])
del model.tree_
threading.Thread(target=press).start()
start = time.monotonic()
try:
    model.fit(X, y)
except KeyboardInterrupt:
    print("stopped", hasattr(model, "tree_"), time.monotonic() - start < 60)
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_stops_a_fit(jobs):
    done = subprocess.run(
        [sys.executable, "-c", CTRL_C.format(jobs=jobs)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout.strip() == "stopped False True", done.stderr


def fit_core(progress, threads=1):
    table = _core.Table()
    big = RNG.normal(size=(50_000, 10))
    table.add_matrix(big, [f"x{i}" for i in range(10)], big)
    y = RNG.normal(size=50_000)
    table.add_column("y", y, y)
    return _core.fit(table, ["y"], "", [], _core.Params('{"task": "regression"}'), threads, progress)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_callback_sees_progress_and_may_stop_or_raise(threads):
    stages = []
    fit_core(lambda stage, fraction, nodes: stages.append((stage, fraction, nodes)) or True, threads)
    assert stages and all(0 <= fraction <= 1.001 for _, fraction, _ in stages)
    with pytest.raises(KeyboardInterrupt):
        fit_core(lambda *_: False, threads)

    def fail(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        fit_core(fail, threads)


class Cells(np.ndarray):
    """An array that can be referred to weakly."""


def test_arrays_are_let_go_when_the_work_is_done():
    for order in "CF":
        cells = np.asarray(RNG.normal(size=(50, 3)), order=order).view(Cells)
        target = RNG.integers(0, 2, 50).view(Cells)
        gone = [weakref.ref(cells), weakref.ref(target)]
        model = bough.DecisionTreeClassifier().fit(cells, target)
        model.predict(cells)
        model.decision_path(cells)
        del cells, target
        gc.collect()
        assert [ref() for ref in gone] == [None, None]
    counts = sys.getrefcount(X)
    for _ in range(20):
        bough.DecisionTreeClassifier(max_depth=2).fit(X, Y).predict(X)
        with pytest.raises(ValueError, match="samples"):
            bough.DecisionTreeClassifier().fit(X, Y[:5])
    assert sys.getrefcount(X) == counts


def test_frames_are_let_go_too():
    pa = pytest.importorskip("pyarrow")
    gc.collect()
    before = pa.total_allocated_bytes()
    for _ in range(5):
        table = pa.table(
            {"a": pa.array(RNG.normal(size=10_000)), "b": pa.array(["u", "v"] * 5_000).dictionary_encode()}
        )
        bough.DecisionTreeClassifier(max_depth=3).fit(table, Y[:1].repeat(10_000)).predict(table)
    del table
    gc.collect()
    assert pa.total_allocated_bytes() == before


def test_memory_does_not_grow_with_the_number_of_fits():
    def peak():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    model = bough.DecisionTreeClassifier()
    for _ in range(30):
        model.fit(X, Y).predict(X)
    settled = peak()
    for _ in range(150):
        model.fit(X, Y).predict(X)
        bough._core.Model.from_bytes(model.tree_.model.to_bytes())
    assert peak() - settled < 20_000  # KiB; one leaked model a time would be 150 times 300 KiB


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_can_fit():
    bough.DecisionTreeClassifier(n_jobs=2).fit(X, Y)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os._exit(0 if bough.DecisionTreeClassifier(n_jobs=2).fit(X, Y).score(X, Y) == 1.0 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

# SPDX-License-Identifier: Apache-2.0
"""Cancelled fits leave the estimator as it was; forked children fit; threads get the results of one run."""

import multiprocessing
import os
import random
import signal
import threading
import time

import bough
import joblib
import numpy as np
import pytest
from sklearn.base import clone

SEED = int(os.environ.get("BOUGH_SEED", "0") or 0)
RNG = np.random.default_rng(SEED)
OLD_X = RNG.normal(size=(300, 4))
OLD_Y = (OLD_X[:, 0] * OLD_X[:, 1] > 0).astype(int)
NEW_X = RNG.normal(size=(3000, 6))  # other rows, other columns
NEW_Y = (NEW_X[:, 0] * NEW_X[:, 1] > 0).astype(int)

ESTIMATORS = {
    "tree": bough.DecisionTreeClassifier(),
    "tree, two threads": bough.DecisionTreeClassifier(n_jobs=2),
    "distances": bough.DecisionTreeRegressor(criterion="absolute_error", n_jobs=2),
    "forest": bough.RandomForestClassifier(n_estimators=8, n_jobs=2, random_state=1),
    "pruned by folds": bough.DecisionTreeClassifier(pruning=bough.CostComplexity(folds=4)),
    "rules": bough.RuleClassifier(),
    "honest": bough.HonestTreeRegressor(random_state=1),
    "c45": bough.C45Classifier(),
}


def interrupted(estimator, delay, *data):
    """Fits, and raises in the middle after so many seconds; true when that came before the end."""

    def press(*_):
        raise KeyboardInterrupt

    old = signal.signal(signal.SIGALRM, press)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, delay)
            estimator.fit(*data)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt as error:
        # On a busy machine the alarm may ring here, before the fit has begun or after its end.
        return error.__traceback__.tb_next.tb_frame.f_code is not press.__code__
    finally:
        signal.signal(signal.SIGALRM, old)
    return False


def same_answers(one, other):
    if one.n_features_in_ != other.n_features_in_:
        return False
    return np.array_equal(one.predict(NEW_X), other.predict(NEW_X))


def check_cancelling(name, moments):
    estimator = clone(ESTIMATORS[name])
    start = time.perf_counter()
    finished = clone(estimator).fit(NEW_X, NEW_Y)
    whole = time.perf_counter() - start
    draw = random.Random(SEED)
    stopped = 0
    for fitted in (False, True):
        if fitted:
            estimator.fit(OLD_X, OLD_Y)
            answers = estimator.predict(OLD_X)
        before = dict(estimator.__dict__)
        for _ in range(moments):
            if not interrupted(estimator, max(1e-4, draw.random() * whole), NEW_X, NEW_Y):
                estimator.__dict__ = dict(before)
                continue
            # The alarm may also ring when all is done and fit() is about to return.
            if estimator.__dict__.keys() == finished.__dict__.keys() and same_answers(estimator, finished):
                estimator.__dict__ = dict(before)
                continue
            stopped += 1
            assert estimator.__dict__.keys() == before.keys()
            assert all(estimator.__dict__[key] is before[key] for key in before)
            if fitted:
                np.testing.assert_array_equal(estimator.predict(OLD_X), answers)
    return stopped


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_cancelled_fit_leaves_the_estimator_as_it_was(name):
    # A machine under load may finish before every alarm; then the next round tries again.
    assert any(check_cancelling(name, 4) > 0 for _ in range(5))


@pytest.mark.long
@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_fit_cancelled_at_many_moments_leaves_the_estimator_as_it_was(name):
    stopped = check_cancelling(name, 150)
    print(f"{name}: cancelled {stopped} times of 300")
    assert stopped > 30


def test_a_cancelled_warm_start_keeps_the_trees_that_are_there():
    forest = bough.RandomForestClassifier(n_estimators=3, warm_start=True, random_state=1, n_jobs=2)
    forest.fit(NEW_X, NEW_Y)
    answers, before = forest.predict_proba(NEW_X), forest.model_
    forest.set_params(n_estimators=3000)  # a second or more: no alarm rings after the end
    for delay in (0.001, 0.02, 0.05):
        assert interrupted(forest, delay, NEW_X, NEW_Y)
        assert forest.model_ is before
        np.testing.assert_array_equal(forest.predict_proba(NEW_X), answers)
    forest.set_params(n_estimators=6).fit(NEW_X, NEW_Y)
    once = bough.RandomForestClassifier(n_estimators=6, warm_start=True, random_state=1, n_jobs=2)
    assert forest.model_.to_bytes() == once.fit(NEW_X, NEW_Y).model_.to_bytes()


def test_a_fit_that_is_refused_changes_nothing_either():
    tree = bough.DecisionTreeClassifier().fit(OLD_X, OLD_Y)
    before = dict(tree.__dict__)
    with pytest.raises(ValueError, match="samples"):
        tree.fit(NEW_X, OLD_Y)
    assert tree.n_features_in_ == 4
    assert tree.__dict__.keys() == before.keys() and all(tree.__dict__[k] is v for k, v in before.items())


def model_bytes(estimator):
    fitted = estimator.fit(NEW_X, NEW_Y)
    return (fitted.model_ if hasattr(fitted, "model_") else fitted.tree_.model).to_bytes()


FORKED = ["tree, two threads", "forest", "distances"]


def fit_in_child(name):
    signal.alarm(100)  # a child that hangs ends
    return model_bytes(clone(ESTIMATORS[name]))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_forked_children_fit_what_the_parent_fits():
    expected = [model_bytes(clone(ESTIMATORS[name])) for name in FORKED]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(fit_in_child, FORKED).get(timeout=110) == expected


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_in_the_middle_of_another_threads_fit_does_not_hang():
    expected = model_bytes(clone(ESTIMATORS["forest"]))
    done = threading.Event()

    def work():
        while not done.is_set():
            clone(ESTIMATORS["forest"]).fit(NEW_X, NEW_Y)

    busy = threading.Thread(target=work)
    busy.start()
    try:
        for _ in range(4):
            time.sleep(0.01)
            child = os.fork()
            if child == 0:
                os._exit(0 if fit_in_child("forest") == expected else 1)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        done.set()
        busy.join()


@pytest.mark.parametrize(
    "backend", [pytest.param("loky", marks=pytest.mark.long), "multiprocessing", "threading"]
)
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_joblib_of_every_kind_gives_the_same_models(backend):
    expected = [model_bytes(clone(ESTIMATORS[name])) for name in FORKED]
    with joblib.parallel_config(backend=backend, n_jobs=2):
        jobs = (joblib.delayed(model_bytes)(clone(ESTIMATORS[name])) for name in FORKED)
        assert joblib.Parallel(timeout=110)(jobs) == expected


def test_fits_and_answers_of_all_kinds_at_once_are_those_of_single_runs():
    names = [name for name in ESTIMATORS if name != "rules"]
    fitted = {name: clone(ESTIMATORS[name]).fit(OLD_X, OLD_Y) for name in names}
    answers = {name: fitted[name].predict(OLD_X) for name in names}
    expected = {name: model_bytes(clone(ESTIMATORS[name])) for name in names}
    problems = []

    def work(which):
        try:
            for name in names[which:] + names[:which]:
                if which < 2:
                    assert model_bytes(clone(ESTIMATORS[name])) == expected[name], name
                for row in range(30 if which >= 2 else 5):
                    assert fitted[name].predict(OLD_X[row : row + 1]) == answers[name][row], name
                np.testing.assert_array_equal(fitted[name].predict(OLD_X), answers[name])
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=work, args=(which,)) for which in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []


TOO_MUCH = """
import resource, numpy as np, bough
X = np.random.default_rng(0).normal(size=(20_000, 50)); y = (X[:, 0] > 0).astype(int)
tree = bough.DecisionTreeClassifier(max_depth=3).fit(X[:500], y[:500])
answers = tree.predict(X[:500])
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 3_000_000, -1))
try:
    tree.fit(X, y)
except MemoryError as error:
    resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
    print("MemoryError", bool((tree.predict(X[:500]) == answers).all()))
"""


def test_a_fit_without_memory_is_a_memory_error():
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-c", TOO_MUCH], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.strip() == "MemoryError True", (done.returncode, done.stderr[-2000:])

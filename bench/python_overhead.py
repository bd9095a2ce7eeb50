# SPDX-License-Identifier: Apache-2.0
"""What Python costs: small fits and predictions beside scikit-learn's, the estimator beside the core.

.venv/bin/python bench/python_overhead.py [rows], in the environment that `make build` leaves."""

import sys
import time

import bough
import numpy as np
import sklearn.tree
from bough import _core
from sklearn.datasets import load_iris


def best(job, times, repeats=7):
    """Seconds of the fastest of several runs of `times` calls, per call."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(times):
            job()
        seconds.append((time.perf_counter() - start) / times)
    return min(seconds)


def small():
    X, y = load_iris(return_X_y=True)
    one = X[:1]
    ours = bough.DecisionTreeClassifier().fit(X, y)
    theirs = sklearn.tree.DecisionTreeClassifier(random_state=0).fit(X, y)
    assert (ours.predict(X) == theirs.predict(X)).all()
    for name, a, b, times in (
        ("fit iris", lambda: ours.fit(X, y), lambda: theirs.fit(X, y), 200),
        ("predict one row", lambda: ours.predict(one), lambda: theirs.predict(one), 2000),
    ):
        mine, other = best(a, times), best(b, times)
        print(
            f"{name:16} bough {mine * 1e6:7.1f} us  scikit-learn {other * 1e6:7.1f} us  "
            f"{other / mine:5.1f} times"
        )


def large(rows):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 28)).astype(np.float32)
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(np.int64)
    names = [f"x{i}" for i in range(28)]
    table = _core.Table()
    table.add_matrix(X, names, X)
    table.add_column("y", y, y)
    params = _core.Params('{"task": "classification", "criterion": "gini", "max_depth": 6}')
    model = bough.DecisionTreeClassifier(max_depth=6)
    core = best(lambda: _core.fit(table, ["y"], "", [], params, 1), 1, 3)
    whole = best(lambda: model.fit(X, y), 1, 3)
    assert model.tree_.model.to_bytes() == _core.fit(table, ["y"], "", [], params, 1).to_bytes()
    print(
        f"{rows} x 28, depth 6: core {core:.3f} s, estimator {whole:.3f} s: "
        f"{(whole - core) * 1e3:.0f} ms more"
    )


if __name__ == "__main__":
    small()
    large(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)

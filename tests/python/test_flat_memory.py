# SPDX-License-Identifier: Apache-2.0
"""Memory stays flat in a process that lives long: fits and answers from Python, again and again."""

import gc
import os

import bough
import numpy as np

RNG = np.random.default_rng(4)
X = RNG.normal(size=(300, 5))
Y = (X[:, 0] * X[:, 1] + 0.3 * RNG.normal(size=300) > 0).astype(int)
KINDS = [
    lambda: bough.DecisionTreeClassifier(),
    lambda: bough.DecisionTreeClassifier(criterion="entropy", max_leaf_nodes=8),
    lambda: bough.DecisionTreeRegressor(max_depth=6),
    lambda: bough.RandomForestClassifier(n_estimators=8),
    lambda: bough.RandomForestRegressor(n_estimators=5, n_jobs=2),
    lambda: bough.ExtraTreesClassifier(n_estimators=5),
    lambda: bough.C45Classifier(),
    lambda: bough.HonestTreeRegressor(),
    lambda: bough.DecisionTreeClassifier(search="optimal", max_depth=2),
    lambda: bough.DecisionTreeClassifier(search="anytime", max_leaf_nodes=5, work_limit=50_000),
]
# What the first tenth has taken (arenas, caches, free lists) may grow by this much, whatever comes after.
MORE_MB = 6.0


def resident_mb():
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


def test_a_thousand_fits_take_no_more_memory_than_a_hundred():
    for i in range(1000):
        if i == 100:
            before = resident_mb()
        KINDS[i % len(KINDS)]().fit(X, Y).predict(X)
    after = resident_mb()
    print(f"{before:.1f} MB after 100 fits, {after:.1f} MB after 1000")
    assert after - before < MORE_MB


def test_a_hundred_thousand_answers_take_no_more_memory_than_ten_thousand():
    models = [make().fit(X, Y) for make in KINDS]
    row = X[:1]
    for i in range(100_000):
        if i == 10_000:
            before = resident_mb()
        models[i % len(models)].predict(X if i % 200 == 0 else row)
    after = resident_mb()
    print(f"{before:.1f} MB after 10,000 answers, {after:.1f} MB after 100,000")
    assert after - before < MORE_MB

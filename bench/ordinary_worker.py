# SPDX-License-Identifier: Apache-2.0
"""One program of the suite `ordinary` as a process that works when told.

usage: ordinary_worker.py PROGRAM (bough, sklearn, sklearnex, lightgbm), in its environment

Every line FOLDER MODEL TREES WORK is answered by a line: SECONDS SCORE, the least CPU time of some runs and
the score on the training rows; "none" where the program has no such model. "version" is answered by it.
"""

import importlib
import json
import math
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np

PACKAGES = {"sklearn": "scikit-learn", "sklearnex": "scikit-learn-intelex"}
NAMES = {"tree": "DecisionTree", "depth8": "DecisionTree", "forest": "RandomForest", "extra": "ExtraTrees"}
ENOUGH, MOST = 0.03, 30  # seconds of a turn after which it ends, and runs of a turn


def lightgbm_forest(classes, trees, rows, columns):
    import lightgbm

    kind = lightgbm.LGBMClassifier if classes else lightgbm.LGBMRegressor
    return kind(
        boosting_type="rf",
        n_estimators=trees,
        bagging_freq=1,
        bagging_fraction=0.632,
        feature_fraction_bynode=max(1, int(math.sqrt(columns))) / columns if classes else 1.0,
        num_leaves=max(2, min(131072, rows // 2)),
        histogram_pool_size=256,
        min_child_samples=1,
        min_child_weight=0.0,
        n_jobs=1,
        random_state=0,
        verbose=-1,
    )


def make(program, model, classes, trees, rows, columns):
    """The estimator, or None where the program has none."""
    if program == "lightgbm":  # grows a tree per class and round
        return (
            lightgbm_forest(classes > 0, trees, rows, columns) if model == "forest" and classes <= 8 else None
        )
    forest = model in ("forest", "extra")
    if program == "sklearnex" and not forest:
        return None
    module = program if program == "bough" else f"{program}.{'ensemble' if forest else 'tree'}"
    kind = getattr(importlib.import_module(module), NAMES[model] + ("Classifier" if classes else "Regressor"))
    if forest:
        return kind(n_estimators=trees, n_jobs=1, random_state=0)
    return kind(max_depth=8 if model == "depth8" else None, random_state=0)


def least(job):
    """The least CPU time of some runs."""
    taken = []
    while sum(taken) < ENOUGH and len(taken) < MOST:
        begin = time.process_time()
        job()
        taken.append(time.process_time() - begin)
    return min(taken)


class Program:
    def __init__(self, name):
        self.name, self.key, self.model = name, None, None

    def answer(self, folder, model, trees, work):
        meta = json.loads((Path(folder) / "meta.json").read_text())
        x = np.fromfile(Path(folder) / "x.f32", np.float32).reshape(meta["rows"], -1)
        y = np.fromfile(Path(folder) / "y.f64")
        classes = meta["classes"] > 0
        y = y.astype(np.int64) if classes else y
        new = make(self.name, model, meta["classes"], int(trees), meta["rows"], meta["columns"])
        if new is None:
            return "none"
        if work == "fit":
            seconds = least(lambda: new.fit(x, y))
            self.key, self.model = (folder, model, trees), new
        elif self.key != (folder, model, trees):
            self.key, self.model = (folder, model, trees), new.fit(x, y)
        if work == "predict":
            seconds = least(lambda: self.model.predict(x))
        told = np.ravel(self.model.predict(x))
        score = np.mean(told == y) if classes else 1.0 - np.mean((told - y) ** 2) / np.var(y)
        return f"{seconds} {score}"


def main():
    program = Program(sys.argv[1])
    package = PACKAGES.get(program.name, program.name)
    importlib.import_module(program.name)
    for line in sys.stdin:
        words = line.split()
        print(f"{package} {version(package)}" if words == ["version"] else program.answer(*words), flush=True)


if __name__ == "__main__":
    main()

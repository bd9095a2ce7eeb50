# SPDX-License-Identifier: Apache-2.0
"""One trainer of forests or oblique trees as a process that works when told.

usage: forest_worker.py PROGRAM FOLDER JSON, in the environment of that program. It answers every line: "fit"
and "predict" with seconds, "end" with what was fitted. FOLDER holds the raw files of data.py; the JSON says
what to fit: kind (forest, oblique, honest), trees, threads, leaf, columns, sample.
"""

import importlib
import json
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np

SEED = 20261115
CHECKED_TREES = 28  # of the forest that is fitted to four fifths of the rows and scored on the others


def classifier_of(module, options, trees):
    name = "RandomForestClassifier" if options["kind"] == "forest" else "ObliqueDecisionTreeClassifier"
    kind = getattr(importlib.import_module(module), name)
    if options["kind"] == "forest":
        return kind(n_estimators=trees, n_jobs=options["threads"], random_state=SEED)
    own = {"n_jobs": options["threads"]} if module == "bough" else {}
    # λ = 1.5 columns per projection and as many projections as columns: treeple's defaults, said aloud.
    return kind(feature_combinations=1.5, max_features=None, random_state=SEED, **own)


def honest_of(program, options, trees):
    same = {
        "n_estimators": trees,
        "n_jobs": options["threads"],
        "random_state": SEED,
        "min_samples_leaf": options["leaf"],
        "max_features": options["columns"],
    }
    if program == "econml":
        from econml.grf import RegressionForest

        bags = {"inference": True, "subforest_size": 4, "max_samples": options["sample"]}
        return RegressionForest(honest=True, min_impurity_decrease=0.0, **bags, **same)
    from bough import Honest, HonestForestRegressor

    # As econml's: four trees share a half of the rows, half of it for the leaves, a leaf has enough of both.
    return HonestForestRegressor(little_bags=4, honest=Honest(min_rows=options["leaf"]), **same)


MODULES = {
    "bough": "bough",
    "sklearn": "sklearn.ensemble",
    "sklearnex": "sklearnex.ensemble",
    "treeple": "treeple.tree",
    "econml": "econml.grf",
}
PACKAGES = {"sklearn": "scikit-learn", "sklearnex": "scikit-learn-intelex"}


class Trainer:
    def __init__(self, program, folder, options):
        importlib.import_module(MODULES[program])  # before anything is timed
        self.program, self.options = program, options
        meta = json.loads((folder / "meta.json").read_text())
        self.x = np.fromfile(folder / "x.f32", np.float32).reshape(meta["rows"], -1)
        self.classes = options["kind"] != "honest"
        name, dtype = ("y.i32", np.int32) if self.classes else ("z.f64", np.float64)
        self.y = np.fromfile(folder / name, dtype)
        self.model = None

    def make(self, trees):
        if self.options["kind"] == "honest":
            return honest_of(self.program, self.options, trees)
        return classifier_of(MODULES[self.program], self.options, trees)

    def fit(self):
        self.model = None
        begin = time.perf_counter()
        self.model = self.make(self.options.get("trees", 1)).fit(self.x, self.y)
        taken = time.perf_counter() - begin
        if self.program == "sklearnex" and not hasattr(self.model, "_onedal_estimator"):
            raise RuntimeError("scikit-learn-intelex handed the fit to scikit-learn")
        return taken

    def predict(self):
        begin = time.perf_counter()
        self.model.predict(self.x)
        return time.perf_counter() - begin

    def held_out_score(self):
        """Accuracy, or the share of variance explained, on every fifth row after a fit to the others."""
        held = np.arange(len(self.y)) % 5 == 0
        trees = min(CHECKED_TREES, self.options.get("trees", 1))
        answer = self.make(trees).fit(self.x[~held], self.y[~held]).predict(self.x[held])
        answer, truth = np.ravel(answer), self.y[held]
        if self.classes:
            return float(np.mean(answer == truth))
        return float(1.0 - np.mean((answer - truth) ** 2) / np.var(truth))

    def figures(self):
        return {
            "version": f"{PACKAGES.get(self.program, self.program)} "
            + version(PACKAGES.get(self.program, self.program)),
            "score": self.held_out_score(),
            "rows": self.x.shape[0],
            "columns": self.x.shape[1],
        }


def main():
    program, folder, text = sys.argv[1:]
    trainer = Trainer(program, Path(folder), json.loads(text))
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        word = line.strip()
        if word == "end":
            print(json.dumps(trainer.figures()), flush=True)
            break
        seconds = trainer.fit() if word == "fit" else trainer.predict()
        print(json.dumps({"seconds": seconds}), flush=True)


if __name__ == "__main__":
    main()

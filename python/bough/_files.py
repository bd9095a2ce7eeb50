# SPDX-License-Identifier: Apache-2.0
"""Model files as estimators."""

from __future__ import annotations

import json
import os
import re
from os import PathLike
from typing import Any

import bough

from . import _core, _params


def load(path: str | PathLike[str]) -> Any:
    """Load an estimator from a model file, whether Python or the command line wrote it.

    Parameters
    ----------
    path : str or path
        A ``.bough`` file or its JSON form.

    Returns
    -------
    estimator : a fitted estimator of the class that the model belongs to
        For example `DecisionTreeClassifier`, `C45Classifier`, `CausalTree` or `RandomForestRegressor`. Models
        of several trees that were grown by another program become `ImportedForestClassifier` or
        `ImportedForestRegressor`.
    """
    return from_model(_core.Model.load(os.fsdecode(path)))


def from_model(model: _core.Model, cls: Any = None) -> Any:
    """A fitted estimator around a core model; of the class `cls`, or of the one that fits."""
    stored = json.loads(model.params)
    cls = cls or getattr(bough, _class_name(model, stored))
    given = _params.from_core(cls, stored, model.criterion) if cls._names else {}
    if "n_estimators" in cls._names:
        given["n_estimators"] = model.n_trees
    return cls(**given)._adopt(model)


def signed(estimator: Any, model: _core.Model) -> _core.Model:
    """The model with the call that made it, unless it says already where it comes from."""
    return model if model.command else model.signed_by(f"bough.{type(estimator).__name__}.fit")


def _class_name(model: _core.Model, stored: dict[str, Any]) -> str:
    forest, honest = stored.get("forest"), stored.get("honest")
    if model.treatment:
        tree = "PropensityTree" if stored["causal_split"] == "propensity" else "CausalTree"
        return "CausalForest" if model.n_trees > 1 else tree
    algorithm = stored.get("algorithm", "cart")
    if algorithm != "cart":
        return "ID3Classifier" if algorithm == "id3" else "C45Classifier"
    task = "Classifier" if model.task == "classification" else "Regressor"
    several = model.combine != "single" and bool(forest or not honest)  # two honest trees may be cross-fitted
    extra = "Extra" if stored.get("splitter") == "random" else ""
    if several and not forest:
        return "ImportedForest" + task
    if honest:
        return ("HonestForest" if several else "HonestTree") + task
    if stored.get("oblique"):
        return f"{extra}Oblique{'RandomForest' if several else 'DecisionTree'}{task}"
    if several:
        return ("ExtraTrees" if extra else "RandomForest") + task
    if re.match(r"bough\.Tree(Classifier|Regressor)\.", model.command):
        return "Tree" + task
    # "bough.ExtraTreeClassifier.fit", "imported from scikit-learn 1.9.1 ExtraTreeClassifier"
    random_cuts = re.match(r"(bough\.|imported from .* )ExtraTree(Classifier|Regressor)", model.command)
    return ("ExtraTree" if random_cuts else "DecisionTree") + task

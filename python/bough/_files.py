# SPDX-License-Identifier: Apache-2.0
"""Model files as estimators."""

from __future__ import annotations

import json
import os
import re
import warnings
from os import PathLike
from typing import Any

import numpy as np

from . import (
    _causal_forest,
    _chosen,
    _classics,
    _core,
    _estimators,
    _forest,
    _honest,
    _honest_forest,
    _input,
    _oblique,
    _oblique_forests,
    _params,
    _random_forests,
    _targets,
)
from ._params import max_features_of
from ._tree import Tree


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
    if model.treatment:
        return _causal_forest.from_causal(model)
    stored = json.loads(model.params)
    crossed = stored.get("honest") and not stored.get("forest")
    if model.combine != "single" and not crossed:
        return _forest_around(model, stored)
    cls = cls or _class_of(model, stored)
    estimator = cls(**_params.from_core(cls, stored, model.criterion))
    _input.set_features(estimator, model.feature_names)
    estimator.n_outputs_ = len(model.targets)
    estimator.tree_ = Tree(model)
    estimator.max_features_ = max_features_of(estimator, estimator.n_features_in_)
    if model.task == "classification":
        estimator._set_classes(_targets.labels_of(model))
    return estimator


def _forest_around(model: _core.Model, stored: dict[str, Any]) -> Any:
    if not stored.get("forest"):
        return _forest.forest_of(model)
    kinds = _oblique_forests if stored.get("oblique") else _random_forests
    cls = _honest_forest.class_of(model) if stored.get("honest") else kinds.class_of(model, stored)
    estimator = cls(**_params.from_core(cls, stored, model.criterion)).set_params(n_estimators=model.n_trees)
    return estimator._take(model)


def signed(estimator: Any, model: _core.Model) -> _core.Model:
    """The model with the call that made it, unless it says already where it comes from."""
    return model if model.command else model.signed_by(f"bough.{type(estimator).__name__}.fit")


def _class_of(model: _core.Model, stored: dict[str, Any]) -> Any:
    algorithm = stored.get("algorithm", "cart")
    if algorithm != "cart":
        return _classics.ID3Classifier if algorithm == "id3" else _classics.C45Classifier
    task = "Classifier" if model.task == "classification" else "Regressor"
    if stored.get("honest"):
        return getattr(_honest, "HonestTree" + task)
    if stored.get("oblique", False):
        extra = "Extra" if stored["splitter"] == "random" else ""
        return getattr(_oblique, f"{extra}ObliqueDecisionTree{task}")
    if re.match(r"bough\.Tree(Classifier|Regressor)\.", model.command):
        return getattr(_chosen, "Tree" + task)
    # "bough.ExtraTreeClassifier.fit", "imported from scikit-learn 1.9.1 ExtraTreeClassifier"
    random_cuts = re.match(r"(bough\.|imported from .* )ExtraTree(Classifier|Regressor)", model.command)
    return getattr(_estimators, ("ExtraTree" if random_cuts else "DecisionTree") + task)


def write_export(model: _core.Model, to: str, path: Any, options: dict[str, Any]) -> str | bytes | None:
    """An export of a core model: written to `path`, or returned when that is None."""
    texts = {
        name: str(value).lower() if isinstance(value, (bool, np.bool_)) else str(value)
        for name, value in options.items()
        if value is not None
    }
    written = model.export(to, texts)
    for note in model.export_notes(to, texts):
        warnings.warn(f"{to}: {note}", UserWarning, stacklevel=3)
    if path is None:
        return written
    data = written if isinstance(written, bytes) else written.encode("utf-8")
    _core.write_file(os.fsdecode(path), data)
    return None

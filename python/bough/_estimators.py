# SPDX-License-Identifier: Apache-2.0
"""The four estimators. What scikit-learn has means what it means there; other parameters come after it."""

from __future__ import annotations

from . import _params, _signatures
from ._kinds import _Classifier, _Regressor


@_params.described
class DecisionTreeClassifier(_signatures.DecisionTreeClassifier, _Classifier):
    """A decision tree classifier."""


@_params.described
class DecisionTreeRegressor(_signatures.DecisionTreeRegressor, _Regressor):
    """A decision tree regressor."""


@_params.described
class ExtraTreeClassifier(_signatures.ExtraTreeClassifier, DecisionTreeClassifier):
    """A decision tree classifier with random cuts: every split is the best of one random cut per feature."""


@_params.described
class ExtraTreeRegressor(_signatures.ExtraTreeRegressor, DecisionTreeRegressor):
    """A decision tree regressor with random cuts: every split is the best of one random cut per feature."""

# SPDX-License-Identifier: Apache-2.0
"""scikit-learn's checks of estimators: all of them, none expected to fail."""

import bough
from sklearn.utils.estimator_checks import parametrize_with_checks

ESTIMATORS = [
    bough.DecisionTreeClassifier(),
    bough.DecisionTreeRegressor(),
    bough.ExtraTreeClassifier(),
    bough.ExtraTreeRegressor(),
    bough.DecisionTreeRegressor(criterion="absolute_error", max_depth=4),
    bough.DecisionTreeClassifier(max_leaf_nodes=8, n_jobs=2),
    bough.DecisionTreeClassifier(criterion="gain_ratio"),
    bough.ID3Classifier(),
    bough.C45Classifier(),
    bough.C45Classifier(discretize="mdl_node", leaf_probability="laplace", pruning="none"),
]


@parametrize_with_checks(ESTIMATORS)
def test_an_estimator_keeps_the_ecosystems_manners(estimator, check):
    check(estimator)

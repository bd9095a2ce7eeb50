# SPDX-License-Identifier: Apache-2.0
"""scikit-learn's checks of estimators: all of them. Forests that draw rows are let off what scikit-learn lets
its own off: a row of weight 2 is drawn in proportion, which is not the same draw as that of two rows. Honest
trees divide rows: a row of weight 2 is on one side, two rows may be on both."""

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
    bough.ObliqueDecisionTreeClassifier(),
    bough.ObliqueDecisionTreeRegressor(),
    bough.ExtraObliqueDecisionTreeClassifier(),
    bough.ExtraObliqueDecisionTreeRegressor(),
    bough.ObliqueRandomForestClassifier(n_estimators=5),
    bough.ObliqueRandomForestRegressor(n_estimators=5),
    bough.ExtraObliqueRandomForestClassifier(n_estimators=5),
    bough.ExtraObliqueRandomForestRegressor(n_estimators=5),
    bough.ID3Classifier(),
    bough.C45Classifier(),
    bough.RandomForestClassifier(n_estimators=10),
    bough.RandomForestRegressor(n_estimators=10),
    bough.ExtraTreesClassifier(n_estimators=10),
    bough.ExtraTreesRegressor(n_estimators=10),
    bough.C45Classifier(discretize="mdl_node", leaf_probability="laplace", pruning="none"),
    bough.TreeClassifier(work_limit=100_000, pruning_folds=3),
    bough.TreeRegressor(pruning_folds=3),
    bough.HonestTreeClassifier(),
    bough.HonestTreeRegressor(),
    bough.HonestForestClassifier(n_estimators=10),
    bough.HonestForestRegressor(n_estimators=10, little_bags=2),
]


def let_off(estimator):
    why = "rows are drawn in proportion to their weights, or divided one by one"
    checks = (
        "check_sample_weight_equivalence_on_dense_data",
        "check_sample_weight_equivalence_on_sparse_data",
    )
    draws = getattr(estimator, "bootstrap", False) or hasattr(estimator, "honest")
    return dict.fromkeys(checks, why) if draws else {}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=let_off)
def test_an_estimator_keeps_the_ecosystems_manners(estimator, check):
    check(estimator)

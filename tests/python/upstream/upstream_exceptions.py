# SPDX-License-Identifier: Apache-2.0
"""Tests of scikit-learn's files that cannot apply to bough, each with its reason."""

TIE = "of two equally good features expects the one scikit-learn's random stream draws; bough takes the first"
PRIVATE = "calls scikit-learn's compiled pruning with its private type of tree"
NEVER_TOO_CLOSE = "expects values closer than 1e-7 to count as equal; bough has no hidden tolerance"
FLOAT64 = "expects an error because the cells leave the range of float32; bough keeps float64"
SPARSE_MISSING = "expects missing cells in sparse input to be refused; bough handles them"
EXACT_MEAN = "expects a mean of exactly 0 of numbers whose exact mean is -8.9e-17"
ON_DEMAND = "expects memory for max_leaf_nodes to be asked for in advance; bough's trees take what they need"
KNOWN_OR_NOT = (
    "expects a finite threshold between known and missing cells; bough and the best splitter say inf"
)
OWN_BAGS = "draws the bags again with scikit-learn's private function; bough's come from its own generator"
OWN_THREADS = "counts calls of a joblib backend; bough's threads are its own"
PRIVATE_CRITERION = "passes scikit-learn's compiled criterion object"

# Test (or one case of it) -> why it cannot apply. Every one of them must fail, or it leaves the list.
EXCEPTIONS = {
    "test_export_text": TIE,
    "test_export_text_feature_class_names_array_support[list]": TIE,
    "test_export_text_feature_class_names_array_support[array]": TIE,
    "test_build_pruned_tree_py": PRIVATE,
    "test_build_pruned_tree_infinite_loop": PRIVATE,
    "test_almost_constant_feature[DecisionTreeClassifier]": NEVER_TOO_CLOSE,
    "test_almost_constant_feature[DecisionTreeRegressor]": NEVER_TOO_CLOSE,
    "test_almost_constant_feature[ExtraTreeClassifier]": NEVER_TOO_CLOSE,
    "test_almost_constant_feature[ExtraTreeRegressor]": NEVER_TOO_CLOSE,
    "test_big_input": FLOAT64,
    "test_missing_value_errors[tree0-csr_matrix]": SPARSE_MISSING,
    "test_missing_value_errors[tree0-csr_array]": SPARSE_MISSING,
    "test_missing_value_errors[tree1-csr_matrix]": SPARSE_MISSING,
    "test_missing_value_errors[tree1-csr_array]": SPARSE_MISSING,
    "test_1d_opposite_monotonicity_cst_data[DecisionTreeRegressor]": EXACT_MEAN,
    "test_1d_opposite_monotonicity_cst_data[ExtraTreeRegressor]": EXACT_MEAN,
    "test_huge_allocations": ON_DEMAND,
    "test_random_splitter_missing_values_uses_non_missing_min_max[single-non-missing]": KNOWN_OR_NOT,
    "test_forest_multioutput_integral_regression_target[ExtraTreesRegressor]": OWN_BAGS,
    "test_forest_multioutput_integral_regression_target[RandomForestRegressor]": OWN_BAGS,
    "test_backend_respected": OWN_THREADS,
    "test_mse_criterion_object_segfault_smoke_test[ExtraTreesRegressor]": PRIVATE_CRITERION,
    "test_mse_criterion_object_segfault_smoke_test[RandomForestRegressor]": PRIVATE_CRITERION,
}

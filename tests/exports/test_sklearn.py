# SPDX-License-Identifier: Apache-2.0
"""Random models as trees and forests of scikit-learn: the same leaves and numbers for rows of float32."""

import json

import numpy as np
import pytest
import sklearn
from bough._files import from_model
from exports.models import Wish, random_case

pytestmark = pytest.mark.filterwarnings("ignore:X .* feature names")
WISHES = {
    "classes": Wish(kinds=("numeric",), float32=True, leaves=40),
    "several": Wish(kinds=("numeric",), outputs=(3, 2), leaves=40),
    "numbers": Wish(kinds=("numeric",), task="regression", outputs=(1, 1), leaves=40),
    "one leaf": Wish(kinds=("numeric",), leaves=1),
    "laplace": Wish(kinds=("numeric",), params={"leaf_probability": "laplace"}),
    "mean of classes": Wish(kinds=("numeric",), combine="mean", trees=5),
    "mean of several": Wish(kinds=("numeric",), combine="mean", trees=5, outputs=(2, 4)),
    "mean of numbers": Wish(kinds=("numeric",), combine="mean", trees=5, task="regression", outputs=(1,)),
}


def numeric_case(name, wish):
    """A random model whose columns are all numbers: the categories are no longer there."""
    case = random_case(name, wish)
    places = [i for i, spec in enumerate(case.features) if spec["kind"] == "numeric"]
    case.features = [case.features[i] for i in places]
    for _, nodes in case.trees:
        for node in nodes:
            if node["kind"]:
                node["column"] = places.index(node["column"])
    case.float32 = True
    return case


def finite_rows(case, n):
    """Rows as scikit-learn takes them: float32, missing cells, but no infinities."""
    rows = case.probes(n)
    with np.errstate(over="ignore"):
        rows = [np.asarray(column, dtype=np.float32) for column in rows]
    return [np.where(np.isinf(column), np.nan, column).astype(np.float64) for column in rows]


def check(case, n=200):
    rows = finite_rows(case, n)
    judge = case.judge(rows)
    theirs = from_model(case.model).to_sklearn()
    X = np.stack(rows, axis=1).astype(np.float32)
    leaves = theirs.apply(X)
    leaves = leaves[:, None] if leaves.ndim == 1 else leaves
    np.testing.assert_array_equal(leaves, np.stack(judge.leaves, axis=1), err_msg=str(case))
    values = theirs.predict(X)
    values = values[:, None] if values.ndim == 1 else values
    if case.task == "regression":
        np.testing.assert_array_equal(values, judge.values, err_msg=str(case))
        return
    shares = theirs.predict_proba(X)
    shares = [shares] if len(case.targets) == 1 else shares
    for k, (got, wanted) in enumerate(zip(shares, judge.shares, strict=True)):
        # A forest divides by the number of trees, we by the sum of the shares: the last digit may differ.
        tolerance = 0.0 if case.combine == "single" else 1e-15
        np.testing.assert_allclose(got, wanted, rtol=tolerance, atol=tolerance, err_msg=str(case))
        labels = theirs.classes_ if len(case.targets) == 1 else theirs.classes_[k]
        np.testing.assert_array_equal(values[:, k].astype(str), labels[got.argmax(axis=1)].astype(str))


@pytest.mark.parametrize("name", WISHES)
def test_models_of_numbers_become_estimators_of_scikit_learn(name):
    print(f"scikit-learn {sklearn.__version__}")
    check(numeric_case(name, WISHES[name]))


@pytest.mark.parametrize("name", WISHES)
def test_the_arrays_in_json_are_those_of_the_estimator(name):
    case = numeric_case(name, WISHES[name])
    written = json.loads(case.model.export("sklearn"))
    theirs = from_model(case.model).to_sklearn()
    assert written["estimator"] == type(theirs).__name__
    assert written["feature_names"] == [spec["name"] for spec in case.features]
    trees = [theirs] if case.combine == "single" else theirs.estimators_
    for arrays, tree in zip(written["trees"], trees, strict=True):
        for key, values in arrays.items():
            np.testing.assert_array_equal(values, getattr(tree.tree_, key), err_msg=f"{case} {key}")


@pytest.mark.long
@pytest.mark.parametrize("name", WISHES)
def test_many_models_become_estimators_of_scikit_learn(name):
    for round_ in range(30):
        check(numeric_case(f"{name} {round_}", WISHES[name]))


def test_what_scikit_learn_has_no_trees_for_is_refused_by_node():
    for kind in ("subset", "ordinal", "equality", "multiway", "interval", "oblique"):
        case = random_case("refused", kinds=(kind,))
        with pytest.raises(NotImplementedError, match="node 0 tests"):
            from_model(case.model).to_sklearn()
        with pytest.raises(NotImplementedError, match="node 0 of tree 0 does not compare a number"):
            case.model.export("sklearn")
    for way in ("by_share", "stops", "surrogate"):
        case = random_case("refused", kinds=("numeric",), missing=(way,))
        with pytest.raises(NotImplementedError, match="node 0 sends missing"):
            from_model(case.model).to_sklearn()
        with pytest.raises(NotImplementedError, match="node 0 of tree 0 sends missing"):
            case.model.export("sklearn")
    vote = random_case("vote", kinds=("numeric",), combine="vote", trees=3)
    with pytest.raises(NotImplementedError, match="vote"):
        from_model(vote.model).to_sklearn()

# SPDX-License-Identifier: Apache-2.0
"""Groups of parameters are values: compared, printed, cloned, pickled, searched in grids, stored flat."""

import json
import pickle
import sys
from pathlib import Path

import bough
import numpy as np
import pandas as pd
import pytest
from bough import _input
from bough._groups import GROUPS
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV
from sklearn.utils._param_validation import InvalidParameterError

ROOT = Path(__file__).resolve().parents[2]
X, Y = load_breast_cancer(return_X_y=True)
SOME = [
    bough.CostComplexity(folds=3, rule="one_se", risk="error"),
    bough.CostComplexity(cp=0.01),
    bough.ReducedError(fraction=0.4, leaf_values="both"),
    bough.Pessimistic(confidence=0.1, subtree_raising=False),
    bough.CriticalValue(0.02),
]


def stored(tree):
    return json.loads(tree.tree_.model.params)


def test_the_written_signatures_are_those_of_the_table():
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        import python_signatures
    finally:
        sys.path.remove(str(ROOT / "tools"))
    assert python_signatures.text() == python_signatures.TARGET.read_text(), (
        "python/bough/_signatures.py is stale: run .venv/bin/python tools/python_signatures.py"
    )


@pytest.mark.parametrize("group", SOME, ids=repr)
def test_groups_are_values(group):
    assert clone(group) == group and clone(group) is not group
    assert pickle.loads(pickle.dumps(group)) == group
    assert eval(repr(group), vars(bough)) == group
    assert group != bough.TAO() and group != repr(group)
    name, value = next(iter(group.get_params().items()))
    assert clone(group).set_params(**{name: 0.125 if value != 0.125 else 1}) != group


def test_groups_reach_the_core_under_its_flat_names():
    tree = bough.DecisionTreeClassifier(
        pruning=bough.CostComplexity(folds=3, rule="one_se", risk="error"),
        missing=bough.Surrogates(2, otherwise="stop", agreement="known"),
    )
    flat = stored(tree.fit(X, Y))
    wanted = {
        "pruning": "cost_complexity",
        "pruning_folds": 3,
        "pruning_rule": "one_se",
        "pruning_risk": "error",
        "missing_policy": "surrogate",
        "surrogates": 2,
        "surrogate_else": "stop",
        "surrogate_agreement": "known",
    }
    assert {name: flat[name] for name in wanted} == wanted
    refined = stored(bough.DecisionTreeClassifier(refine=bough.TAO(3, fraction=0.1), max_depth=3).fit(X, Y))
    assert (refined["tao"], refined["tao_fraction"]) == (3, 0.1)


@pytest.mark.parametrize(
    ("argument", "name", "group"),
    [
        ("pruning", "cost_complexity", bough.CostComplexity()),
        ("pruning", "reduced_error", bough.ReducedError()),
        ("pruning", "pessimistic", bough.Pessimistic()),
        ("missing", "surrogate", bough.Surrogates()),
        ("refine", "tao", bough.TAO()),
    ],
)
def test_a_name_is_short_for_a_group_of_defaults(argument, name, group):
    short, long = (
        bough.DecisionTreeClassifier(max_depth=3, **{argument: value}).fit(X, Y) for value in (name, group)
    )
    assert short.tree_.model.to_bytes() == long.tree_.model.to_bytes()


@pytest.mark.parametrize("group", SOME, ids=repr)
def test_groups_come_back_from_files(group, tmp_path):
    bough.DecisionTreeClassifier(pruning=group).fit(X, Y).save(tmp_path / "m.bough")
    assert bough.load(tmp_path / "m.bough").pruning == group
    bough.DecisionTreeClassifier(pruning="cost_complexity").fit(X, Y).save(tmp_path / "m.bough")
    assert bough.load(tmp_path / "m.bough").pruning == "cost_complexity"


def test_other_groups_come_back_from_files(tmp_path):
    for tree, argument in [
        (bough.DecisionTreeClassifier(missing=bough.Surrogates(2)), "missing"),
        (bough.DecisionTreeClassifier(refine=bough.TAO(3), max_depth=3), "refine"),
        (bough.HonestTreeClassifier(honest=bough.Honest(0.4, stratify=False)), "honest"),
        (bough.HonestTreeRegressor(), "honest"),
        (bough.ObliqueDecisionTreeClassifier(projection=bough.Projection("continuous")), "projection"),
        (bough.ObliqueDecisionTreeClassifier(), "projection"),
    ]:
        tree.fit(X, Y).save(tmp_path / "m.bough")
        assert getattr(bough.load(tmp_path / "m.bough"), argument) == getattr(tree, argument)


def test_a_name_becomes_a_group_where_a_part_of_it_is_set():
    tree = bough.DecisionTreeClassifier(pruning="cost_complexity").set_params(pruning__folds=3)
    assert tree.pruning == bough.CostComplexity(folds=3)
    assert bough.CausalTree().set_params(honest__fraction=0.3).honest == bough.Honest(0.3)
    other = bough.DecisionTreeClassifier().set_params(pruning=bough.ReducedError(), pruning__fraction=0.2)
    assert other.pruning == bough.ReducedError(0.2)


def test_a_grid_reaches_into_groups():
    search = GridSearchCV(
        bough.DecisionTreeClassifier(pruning=bough.CostComplexity()),
        {"pruning__rule": ["min", "one_se"], "pruning__folds": [3, 5]},
        cv=3,
    ).fit(X, Y)
    best = search.best_estimator_
    assert best.pruning.get_params() == {"cp": None, "risk": "impurity"} | {
        name.removeprefix("pruning__"): value for name, value in search.best_params_.items()
    }
    groups = [bough.ReducedError(fraction) for fraction in (0.2, 0.3)]
    other = GridSearchCV(bough.DecisionTreeClassifier(), {"pruning": ["none", *groups]}, cv=3).fit(X, Y)
    assert other.best_params_["pruning"] in ["none", *groups]


@pytest.mark.parametrize(
    ("group", "word"),
    [
        (bough.CostComplexity(folds=1), "'folds' parameter of CostComplexity"),
        (bough.CostComplexity(rule="luck"), "'rule' parameter of CostComplexity"),
        (bough.Pessimistic(confidence=0.9), "'confidence' parameter of Pessimistic"),
        (bough.Surrogates(), "'pruning' parameter of DecisionTreeClassifier"),
    ],
)
def test_wrong_values_are_told_in_scikit_learns_words(group, word):
    with pytest.raises(InvalidParameterError, match=word):
        bough.DecisionTreeClassifier(pruning=group).fit(X, Y)


def test_names_of_the_core_are_answered_with_where_they_went():
    for name, spelling in [
        ("pruning_folds", r"pruning=CostComplexity\(folds=...\)"),
        ("missing_policy", "missing=..."),
        ("tao", r"refine=TAO\(passes=...\)"),
    ]:
        with pytest.raises(TypeError, match=spelling):
            bough.DecisionTreeClassifier(**{name: 3})
    with pytest.raises(TypeError, match=r"honest=Honest\(fraction=...\)"):
        bough.HonestTreeClassifier(honest_fraction=0.3)
    with pytest.raises(TypeError, match="unexpected keyword argument 'depth'"):
        bough.DecisionTreeClassifier(depth=3)


def test_every_group_says_what_its_parameters_are():
    for group in GROUPS:
        for own in group._fields:
            assert f"{own} : " in group.__doc__, (group, own)


def test_the_same_answers_whether_a_matrix_or_its_columns_are_given():
    pandas = pytest.importorskip("pandas")
    for estimator in (bough.DecisionTreeClassifier(), bough.RandomForestRegressor(5)):
        fitted = estimator.fit(X, Y)
        frame = pandas.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])])
        for rows in (X, X.astype(np.float32), np.asfortranarray(X), X[::3], X[:, ::-1][:, ::-1]):
            assert fitted._model.takes_matrix
            table = _input.read_rows(fitted, rows, names=fitted._model.feature_names).table
            for answer in ("predict", "apply"):
                by_matrix = getattr(fitted._model, answer)(rows, 1)
                np.testing.assert_array_equal(by_matrix, getattr(fitted._model, answer)(table, 1))
        fitted.fit(frame, Y)
        np.testing.assert_array_equal(fitted.predict(frame), fitted.predict(frame.astype(np.float64)))


def test_setting_a_part_of_a_shared_group_leaves_the_other_estimator_alone():
    group = bough.CostComplexity(folds=5)
    one, other = bough.DecisionTreeClassifier(pruning=group), bough.DecisionTreeClassifier(pruning=group)
    one.set_params(pruning__folds=9)
    assert one.pruning == bough.CostComplexity(folds=9)
    assert other.pruning == group == bough.CostComplexity(folds=5)


def test_a_part_of_no_group_is_refused_with_the_groups_that_there_are():
    with pytest.raises(
        ValueError, match="pruning='auto' has no parameters to set; give pruning one of CostComp"
    ):
        bough.DecisionTreeClassifier().set_params(pruning__folds=7)
    both = bough.DecisionTreeClassifier().set_params(pruning="cost_complexity", pruning__folds=4)
    assert both.pruning == bough.CostComplexity(folds=4)


@pytest.mark.parametrize("forest", [bough.HonestForestRegressor, bough.HonestForestClassifier])
def test_honest_may_be_turned_off(forest):
    y = X[:, 0] if forest is bough.HonestForestRegressor else Y
    assert forest(4, honest=False, random_state=0).fit(X, y).score(X, y) > 0.9
    treated = np.arange(len(X)) % 2
    assert np.isfinite(
        bough.CausalForest(4, honest=False, random_state=0).fit(X, X[:, 0], treated).predict(X)
    ).all()


@pytest.mark.parametrize("idle", [{"folds": 3}, {"rule": "one_se"}, {"risk": "error"}])
def test_cp_stands_alone(idle):
    name = next(iter(idle))
    tree = bough.DecisionTreeClassifier(pruning=bough.CostComplexity(cp=0.01, **idle))
    with pytest.raises(bough.BoughError, match=rf"CostComplexity\({name}=.*does nothing, because cp"):
        tree.fit([[0], [1]], [0, 1])


def test_a_column_is_of_one_kind():
    frame = pd.DataFrame({"c": [1, 2, 3, 4] * 5, "d": list("abcd") * 5})
    for name in "cd":
        tree = bough.DecisionTreeClassifier(categorical_features=[name], ordinal_features={name: None})
        with pytest.raises(ValueError, match=f"column '{name}' is in categorical_features and in ordinal"):
            tree.fit(frame, [0, 1, 0, 1] * 5)

# SPDX-License-Identifier: Apache-2.0
"""Signatures, documentation and validation follow scikit-learn and the core's one table of parameters."""

import inspect
import json
import re

import bough
import numpy as np
import pytest
import sklearn.tree
from bough import _core
from bough._groups import GROUPS
from bough._params import CLASS_CRITERIA, NUMBER_CRITERIA, PYTHON_DOCS
from bough._table import TABLE
from sklearn.utils._param_validation import InvalidParameterError

NAMES = ["DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier", "ExtraTreeRegressor"]
X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]])
Y = np.array([0, 1, 0, 1])


def defaults(cls):
    return {
        name: p.default for name, p in inspect.signature(cls.__init__).parameters.items() if name != "self"
    }


@pytest.mark.parametrize("name", NAMES)
def test_parameters_defaults_and_order_are_scikit_learns_then_ours(name):
    ours, theirs = defaults(getattr(bough, name)), defaults(getattr(sklearn.tree, name))
    shared = {key: value for key, value in ours.items() if key in theirs}
    assert shared == theirs
    assert set(list(ours)[: len(theirs)]) == set(theirs)


@pytest.mark.parametrize("name", NAMES)
def test_methods_and_their_arguments_are_scikit_learns(name):
    ours, theirs = getattr(bough, name), getattr(sklearn.tree, name)
    for method, function in inspect.getmembers(theirs, inspect.isfunction):
        if method.startswith("_"):
            continue
        assert hasattr(ours, method), method
        wanted = list(inspect.signature(function).parameters)
        assert list(inspect.signature(getattr(ours, method)).parameters)[: len(wanted)] == wanted, method


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_is_in_the_table_or_pythons_own(name):
    cls = getattr(bough, name)
    for key, default in defaults(cls).items():
        assert key in TABLE or key in PYTHON_DOCS
        plain = key in TABLE and key not in PYTHON_DOCS and key != "criterion"
        if plain and not (name.startswith("Extra") and key in ("splitter", "max_features")):
            assert TABLE[key]["default"] == default, key


def test_every_parameter_of_the_table_can_be_set_from_python():
    classes = [getattr(bough, name) for name in bough.__all__]
    known = set().union(*(defaults(cls) for cls in classes if hasattr(cls, "fit")))
    known |= {core for group in GROUPS for core in group._fields.values()}
    # task, algorithm and oblique are the class, seed is random_state, forest is n_estimators, missing_policy
    # is missing.
    assert set(TABLE) - known == {"task", "algorithm", "oblique", "seed", "forest", "missing_policy"}


def test_every_criterion_of_the_core_can_be_asked_for():
    assert set(CLASS_CRITERIA) | set(NUMBER_CRITERIA) | {"auto"} == set(TABLE["criterion"]["choices"])
    for criterion in CLASS_CRITERIA:
        assert bough.DecisionTreeClassifier(criterion=criterion).fit(X, Y).score(X, Y) == 1.0
    for criterion in set(NUMBER_CRITERIA) - {"friedman_mse"}:
        assert bough.DecisionTreeRegressor(criterion=criterion).fit(X, Y + 1.0).score(X, Y + 1.0) == 1.0


@pytest.mark.parametrize("name", NAMES)
def test_documentation_is_numpydoc_with_the_tables_words(name):
    text = getattr(bough, name).__doc__
    for key in defaults(getattr(bough, name)):
        assert re.search(rf"^{key} : ", text, re.MULTILINE), key
    assert TABLE["min_samples_leaf"]["doc"] in text
    assert "tree_ : bough.Tree" in text
    assert "none:" not in text


@pytest.mark.parametrize(
    ("key", "bad"),
    [
        ("criterion", "giny"),
        ("splitter", "worst"),
        ("max_depth", 0),
        ("max_depth", 2.5),
        ("min_samples_split", 1),
        ("min_samples_split", 1.5),
        ("min_samples_leaf", 0),
        ("min_samples_leaf", 1.0),
        ("min_weight_fraction_leaf", 0.6),
        ("max_features", "all"),
        ("max_features", 0),
        ("max_leaf_nodes", 1),
        ("min_impurity_decrease", -0.1),
        ("ccp_alpha", -1.0),
        ("category_split", "binary"),
        ("categorical_features", "all"),
        ("interaction_cst", "pairs"),
        ("n_jobs", 1.5),
    ],
)
def test_a_bad_value_is_refused_in_scikit_learns_words(key, bad):
    with pytest.raises(
        InvalidParameterError, match=f"The '{key}' parameter of DecisionTreeClassifier must be"
    ):
        bough.DecisionTreeClassifier(**{key: bad}).fit(X, Y)


def test_values_reach_the_core():
    model = bough.DecisionTreeClassifier(
        max_depth=3, min_samples_leaf=0.25, max_features="sqrt", random_state=7
    )
    stored = json.loads(model.fit(X, Y).tree_.model.params)
    wanted = {
        "max_depth": 3,
        "min_samples_leaf": 0.25,
        "max_features": "sqrt",
        "seed": 7,
        "task": "classification",
    }
    assert {key: stored[key] for key in wanted} == wanted


def test_without_a_seed_nothing_is_left_to_chance():
    rng = np.random.default_rng(0)
    A, b = rng.normal(size=(300, 6)), rng.integers(0, 3, 300)
    # Single trees of random cuts are the exception: tests/python/test_messages.py.
    for make in (
        lambda **seed: bough.ExtraTreesClassifier(3, **seed),
        lambda **seed: bough.DecisionTreeRegressor(max_features=2, **seed),
    ):
        first, second = make().fit(A, b), make().fit(A, b)
        assert first._model.to_bytes() == second._model.to_bytes()
        other = make(random_state=1).fit(A, b)
        assert first._model.to_bytes() != other._model.to_bytes()
    generator = np.random.RandomState(0)
    draws = [bough.ExtraTreeClassifier(random_state=generator).fit(A, b).tree_.node_count for _ in range(4)]
    assert len(set(draws)) > 1


def test_the_number_of_threads_changes_nothing():
    rng = np.random.default_rng(0)
    A, b = rng.normal(size=(8000, 6)), rng.integers(0, 3, 8000)
    models = [bough.DecisionTreeClassifier(n_jobs=n).fit(A, b) for n in (None, 1, 2, -1)]
    assert len({model.tree_.model.to_bytes() for model in models}) == 1
    np.testing.assert_array_equal(models[2].predict(A), models[0].predict(A))


def test_interactions_are_kept_apart():
    rng = np.random.default_rng(1)
    A = rng.normal(size=(400, 3))
    b = A[:, 0] * A[:, 1] + A[:, 2]
    model = bough.DecisionTreeRegressor(interaction_cst=[[0, 2], [1]], max_depth=5).fit(A, b)
    paths = model.decision_path(A).toarray().astype(bool)
    for path in np.unique(paths, axis=0):
        used = set(model.tree_.feature[path]) - {-2}
        assert used <= {0, 2} or used <= {1}
    alone = bough.DecisionTreeRegressor(interaction_cst="no_interactions").fit(A, b)
    for path in np.unique(alone.decision_path(A).toarray().astype(bool), axis=0):
        assert len(set(alone.tree_.feature[path]) - {-2}) <= 1


def test_constraints_may_name_features():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(1)
    frame = pandas.DataFrame({"a": rng.normal(size=200), "b": rng.normal(size=200)})
    y = frame["a"] + rng.normal(size=200)
    by_name = bough.DecisionTreeRegressor(monotonic_cst={"a": 1}).fit(frame, y)
    by_place = bough.DecisionTreeRegressor(monotonic_cst=[1, 0]).fit(frame, y)
    assert by_name.tree_.model.to_bytes() == by_place.tree_.model.to_bytes()
    with pytest.raises(ValueError, match="'c'"):
        bough.DecisionTreeRegressor(monotonic_cst={"c": 1}).fit(frame, y)
    with pytest.raises(ValueError, match="5"):
        bough.DecisionTreeRegressor(interaction_cst=[[5]]).fit(frame, y)


def test_the_core_refuses_what_python_lets_through():
    with pytest.raises(bough.BoughError, match="max_depht") as caught:
        _core.Params('{"max_depht": 3}')
    assert caught.value.code == "bad_params"
    assert caught.value.hint


GOOD = {
    "max_depth": 8.0,
    "min_samples_leaf": 0.25,
    "min_samples_split": 4,
    "max_features": "sqrt",
    "max_leaf_nodes": None,
    "ccp_alpha": 1,
    "oblique": True,
    "criterion": "entropy",
    "class_weight": {"a": 1, "b": 2.5},
    "priors": {"a": 0.25, "b": 0.75},
    "loss_matrix": [[0, 1], [2.5, 0]],
    "monotonic_cst": {"x": -1},
    "interaction_cst": [["x", "y"], ["z"]],
    "seed": 2**40,
}


def test_values_mean_what_they_mean_as_json():
    for values in [GOOD, {}, {"class_weight": "balanced_subsample"}, {"class_weight": None, "priors": None}]:
        assert _core.Params(values).to_json() == _core.Params(json.dumps(values)).to_json()


@pytest.mark.parametrize(
    "bad",
    [
        {"max_depht": 3},
        {"max_depth": 0},
        {"max_depth": "deep"},
        {"max_depth": True},
        {"min_samples_leaf": 1.5},
        {"max_features": "all"},
        {"criterion": "giny"},
        {"oblique": 1},
        {"ccp_alpha": "0.1"},
        {"monotonic_cst": {"x": 2}},
        {"loss_matrix": [[0, 1]]},
        {"class_weight": "heavy"},
        {"task": "regression", "criterion": "gini"},
        {"max_depth": 0, "min_samples_split": 1},
    ],
)
def test_values_are_refused_in_the_words_of_json(bad):
    told = []
    for given in (bad, json.dumps(bad)):
        with pytest.raises(bough.BoughError) as caught:
            _core.Params(given)
        told.append((str(caught.value), caught.value.code, caught.value.hint))
    assert told[0] == told[1]


def test_generators_are_not_kept_by_what_remembers_good_parameters():
    import gc
    import weakref

    class Generator(np.random.RandomState):
        pass

    generator = Generator(0)
    gone = weakref.ref(generator)
    model = bough.ExtraTreeClassifier(random_state=generator).fit(X, Y)
    del generator, model
    gc.collect()
    assert gone() is None

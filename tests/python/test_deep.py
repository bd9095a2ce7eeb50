# SPDX-License-Identifier: Apache-2.0
"""Chains of splits, one for every row, in threads with small stacks; what cannot take them says so."""

import copy
import pickle
import threading
import time

import bough
import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.tree import DecisionTreeClassifier as TheirTree

STACK = 512 * 1024  # a recursion of 10,000 levels would need less than 53 bytes a level to pass


def on_a_small_stack(call):
    """What `call` gives in a thread of a small stack."""
    out = {}

    def run():
        try:
            out["value"] = call()
        except BaseException as error:  # handed over, whatever it is
            out["error"] = error

    before = threading.stack_size(STACK)
    try:
        thread = threading.Thread(target=run)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    if "error" in out:
        raise out["error"]
    return out["value"]


def alternating(n):
    """Rows whose best cut is always the one that takes off the first of them."""
    return np.arange(float(n)).reshape(-1, 1), np.arange(n) % 2


@pytest.fixture(scope="module")
def chain():
    X, y = alternating(10_001)
    model = on_a_small_stack(lambda: bough.DecisionTreeClassifier().fit(X, y))
    assert model.get_depth() == 10_000
    return model


def missing_cells(X):
    X = X.copy()
    X[::7] = np.nan
    return X


FITS = {
    "entropy": lambda X, y: bough.DecisionTreeClassifier(criterion="entropy").fit(X, y),
    "squared error": lambda X, y: bough.DecisionTreeRegressor().fit(X, y + 0.5),
    "poisson": lambda X, y: bough.DecisionTreeRegressor(criterion="poisson").fit(X, y + 0.5),
    "absolute error": lambda X, y: bough.DecisionTreeRegressor(criterion="absolute_error").fit(X, y + 0.5),
    "best first": lambda X, y: bough.DecisionTreeClassifier(max_leaf_nodes=len(y)).fit(X, y),
    "outputs": lambda X, y: bough.DecisionTreeClassifier().fit(X, np.c_[y, 1 - y]),
    "numbers": lambda X, y: bough.DecisionTreeRegressor().fit(X, np.c_[y, 1 - y]),
    "sparse": lambda X, y: bough.DecisionTreeClassifier().fit(scipy.sparse.csc_matrix(X), y),
    "ordinal": lambda X, y: bough.DecisionTreeClassifier().fit(
        pd.DataFrame({"c": pd.Categorical([f"{i:05d}" for i in range(len(y))], ordered=True)}), y
    ),
    "oblique": lambda X, y: bough.ObliqueDecisionTreeClassifier(random_state=0).fit(np.c_[X, 0 * X], y),
    "forest": lambda X, y: bough.RandomForestClassifier(n_estimators=2, bootstrap=False).fit(X, y),
}


@pytest.mark.parametrize("name", FITS)
def test_every_engine_grows_chains(name):
    X, y = alternating(2001)
    model = on_a_small_stack(lambda: FITS[name](X, y))
    trees = getattr(model, "estimators_", [model])
    assert [tree.get_depth() for tree in trees] == [2000] * len(trees)
    again = on_a_small_stack(lambda: pickle.loads(pickle.dumps(model)))
    rows = pd.DataFrame({"c": [f"{i:05d}" for i in range(2001)]}) if name == "ordinal" else X
    rows = np.c_[X, 0 * X] if name == "oblique" else rows
    assert np.array_equal(on_a_small_stack(lambda: again.predict(rows)), model.predict(rows))


def test_missing_cells_categories_and_honest_values_make_deep_trees_too():
    X, y = alternating(2000)
    levels = pd.DataFrame({"c": pd.Categorical([f"{i:05d}" for i in range(2000)])})
    for fit, least in (
        (lambda: bough.DecisionTreeClassifier().fit(missing_cells(X), y), 1000),
        (lambda: bough.DecisionTreeClassifier(category_split="equality").fit(levels, y), 900),
        (lambda: bough.HonestTreeClassifier(random_state=0).fit(X, y), 60),
    ):
        assert on_a_small_stack(fit).get_depth() >= least


def test_a_chain_is_copied_kept_and_imported(chain, tmp_path):
    X, y = alternating(10_001)
    assert np.array_equal(on_a_small_stack(lambda: chain.predict(X)), y)
    assert on_a_small_stack(lambda: chain.predict(X[-2:-1]))[0] == y[-2]
    for name in ("m.bough", "m.json"):
        on_a_small_stack(lambda name=name: chain.save(tmp_path / name))
        assert on_a_small_stack(lambda name=name: bough.load(tmp_path / name)).get_depth() == 10_000
    for again in (copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))):
        assert on_a_small_stack(lambda again=again: again(chain)).get_depth() == 10_000
    theirs = on_a_small_stack(chain.to_sklearn)
    assert on_a_small_stack(lambda: bough.from_sklearn(theirs)).get_depth() == 10_000
    grown = TheirTree(random_state=0).fit(X[:2001], y[:2001])
    assert on_a_small_stack(lambda: bough.from_sklearn(grown)).get_depth() == grown.get_depth()


def test_a_chain_is_shown_explained_and_pruned(chain):
    X, y = alternating(10_001)
    calls = [
        lambda: bough.export_text(chain),
        lambda: bough.export_graphviz(chain, leaves_parallel=True),
        lambda: chain._repr_html_(),
        lambda: repr(chain),
        lambda: str(bough.draw_tree(chain)),
        lambda: bough.plot_path(chain),
        lambda: bough.decision_steps(chain),
        lambda: chain.decision_path(X[-3:]),
        lambda: chain.reasons(X[-3:]),
        lambda: chain.path_contributions(X[-3:]),
        lambda: chain.leaf_contributions(),
        lambda: chain.why_split(X, y, node=5000),
        lambda: chain.counterfactual(X[5000:5001]),
        lambda: chain.permutation_importance(X[:100], y[:100], n_repeats=1),
        lambda: bough.rules(chain).export("json"),
        lambda: bough.prune(chain, alpha=1e-9),
        lambda: bough.prune(chain, method="pessimistic"),
        lambda: bough.prune(chain, method="mdl"),
        lambda: bough.prune(chain, method="reduced_error", X=X[:500], y=y[:500]),
        lambda: bough.prune_cp(chain, 1e-6),
        lambda: bough.cut_nodes(chain, [5000]),
        lambda: bough.compare(chain, chain, X[:200], y[:200]),
        lambda: chain.tree_.value,
    ]
    for call in calls:
        assert on_a_small_stack(call) is not None


def test_what_would_be_quadratic_in_depth_says_so(chain):
    for call, words in (
        (lambda: bough.export_text(chain, max_depth=10**6), "more than 200000000 characters.*max_depth"),
        (lambda: bough.plot_tree(chain), "20001 boxes.*max_depth"),
        (lambda: bough.rpart_text(chain), "end at 61"),
        (lambda: bough.summary(chain), "end at 61"),
        (lambda: chain.export("onnx"), "10000 levels deep in ONNX"),
        (lambda: chain.export("pmml"), "levels deep"),
        (lambda: chain.shap_values(np.zeros((1, 1))), "up to 2000"),
    ):
        with pytest.raises((ValueError, NotImplementedError), match=words):
            on_a_small_stack(call)


@pytest.mark.long
def test_a_chain_of_100000_splits_is_grown_kept_and_answers():
    X, y = alternating(100_001)
    print()

    def timed(name, call):
        begun = time.monotonic()
        out = on_a_small_stack(call)
        print(f"{time.monotonic() - begun:8.2f} s  {name}")
        return out

    chain = timed("fit", lambda: bough.DecisionTreeClassifier().fit(X, y))
    assert chain.get_depth() == 100_000
    assert np.array_equal(timed("predict 100,001 rows", lambda: chain.predict(X)), y)
    again = timed("pickle and back", lambda: pickle.loads(pickle.dumps(chain)))
    assert timed("predict one row", lambda: again.predict(X[-1:]))[0] == y[-1]
    theirs = timed("to scikit-learn", chain.to_sklearn)
    back = timed("and back", lambda: bough.from_sklearn(theirs))
    assert back.get_depth() == 100_000
    with pytest.raises(NotImplementedError, match="more than 536870912 nodes together"):
        timed("paths of all rows", lambda: chain.decision_path(X))
    treelite = pytest.importorskip("treelite")
    model = timed("to treelite", chain.to_treelite)
    leaves = timed("GTIL, 100 rows", lambda: treelite.gtil.predict_leaf(model, X[-100:]))
    assert np.array_equal(leaves[:, 0].astype(int), chain.apply(X[-100:]))
    module = {"__name__": "chain"}
    text = timed("to Python", lambda: chain.export("python"))
    timed("run as Python", lambda: exec(compile(text, "chain.py", "exec"), module))
    assert module["predict"]([99_999.0]) == y[99_999]

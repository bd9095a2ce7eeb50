# SPDX-License-Identifier: Apache-2.0
"""Rules in Python: of trees, by C4.5rules, and as an estimator."""

import pickle
import sqlite3

import bough
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks


@parametrize_with_checks([bough.RuleClassifier(), bough.RuleClassifier(order="class", confidence=0.1)])
def test_the_estimator_keeps_the_ecosystems_manners(estimator, check):
    check(estimator)


def mixed(n=300, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n).astype(float),
            "job": pd.Categorical(rng.choice(["cook", "dean", "nurse"], n)),
        }
    )
    y = np.where((frame.age > 40) & (frame.job != "dean"), "yes", "no")
    frame.loc[rng.random(n) < 0.1, "age"] = np.nan
    return frame, y


def test_the_rules_of_a_tree_say_what_it_says():
    X, y = load_iris(return_X_y=True)
    tree = bough.DecisionTreeClassifier().fit(X, y)
    rules = bough.rules(tree)
    assert len(rules) == tree.get_n_leaves()
    np.testing.assert_array_equal(rules.predict(X), tree.predict(X))
    np.testing.assert_array_equal(rules.predict_proba(X), tree.predict_proba(X))
    nodes = np.array([rule.node for rule in rules])
    np.testing.assert_array_equal(nodes[rules.apply(X)], tree.apply(X))
    assert sum(rule.n_rows for rule in rules) == len(X)


def test_a_rule_knows_its_numbers():
    X, y = load_iris(return_X_y=True)
    rules = bough.rules(bough.DecisionTreeClassifier(max_depth=2).fit(X, y))
    first = rules[0]
    assert len(first.conditions) == 1 and first.conditions[0].endswith("≤ 2.45, or missing") is False
    assert first.prediction == 0 and first.n_rows == 50 and first.confidence == 1.0
    assert first.coverage == pytest.approx(1 / 3) and first.lift == pytest.approx(3.0)
    for rule in rules:
        hit = (rules.apply(X) == rules.rules.index(rule)) & (y == rule.prediction)
        assert rule.support == pytest.approx(hit.mean())


def test_regression_and_several_outputs():
    X, y = load_diabetes(return_X_y=True)
    tree = bough.DecisionTreeRegressor(max_depth=4).fit(X, y)
    rules = bough.rules(tree)
    np.testing.assert_array_equal(rules.predict(X), tree.predict(X))
    leaf = tree.apply(X)
    for rule in rules:
        assert rule.spread == pytest.approx(np.std(y[leaf == rule.node]), rel=1e-9, abs=1e-9)
    with pytest.raises(NotImplementedError):
        rules.predict_proba(X)
    Y = np.column_stack([y > 100, y > 200]).astype(int)
    several = bough.DecisionTreeClassifier(max_depth=3).fit(X, Y)
    both = bough.rules(several)
    np.testing.assert_array_equal(both.predict(X), several.predict(X))
    assert len(both[0].prediction) == 2
    with pytest.raises(NotImplementedError, match="one target"):
        bough.rules(several, X, Y, method="c45")


def test_c45_rules_on_a_frame_find_what_made_the_labels():
    X, y = mixed()
    tree = bough.DecisionTreeClassifier().fit(X, y)
    rules = bough.rules(tree, X, y, method="c45")
    assert len(rules) < tree.get_n_leaves()
    known = X.age.notna()
    assert (rules.predict(X[known]) == y[known]).mean() > 0.99
    assert set(rules.classes_) == {"yes", "no"} and rules.default in rules.classes_
    # The shares are those of the training rows of the rule that answers.
    which, shares = rules.apply(X), rules.predict_proba(X)
    for index in range(len(rules)):
        values = np.array(rules[index].values)
        np.testing.assert_allclose(
            shares[which == index], np.broadcast_to(values / values.sum(), shares[which == index].shape)
        )


def test_weights_count_as_rows():
    X, y = load_breast_cancer(return_X_y=True)
    X, y = X[:150], y[:150]
    tree = bough.DecisionTreeClassifier(min_samples_leaf=2).fit(X, y)
    twice = bough.rules(tree, np.repeat(X, 2, axis=0), np.repeat(y, 2), method="c45")
    weighed = bough.rules(tree, X, y, sample_weight=np.full(150, 2.0), method="c45")
    assert [r.conditions for r in twice] == [r.conditions for r in weighed]


def test_files_and_pickles_come_back(tmp_path):
    X, y = mixed()
    rules = bough.rules(bough.DecisionTreeClassifier().fit(X, y), X, y, method="c45")
    rules.save(tmp_path / "rules.json")
    loaded = bough.RuleSet.load(tmp_path / "rules.json")
    assert loaded == rules == pickle.loads(pickle.dumps(rules))
    np.testing.assert_array_equal(loaded.predict(X), rules.predict(X))
    np.testing.assert_array_equal(loaded.predict_proba(X), rules.predict_proba(X))
    assert str(rules) == rules.export("text") and rules.export("md").startswith("| rule |")
    assert "CASE" in rules.export("sql") and "conditions" in rules.export("csv")


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_sql_reads_tables_of_texts_as_the_rules_do(dialect):
    X, y = mixed()
    rules = bough.rules(bough.DecisionTreeClassifier(max_depth=3).fit(X, y))
    if dialect == "sqlite":
        base = sqlite3.connect(":memory:")
    else:
        base = pytest.importorskip("duckdb").connect(config={"threads": 1})
    base.execute("CREATE TABLE t (k INTEGER, age TEXT, job TEXT)")
    cells = [(k, "NA" if np.isnan(age) else str(age), job) for k, (age, job) in enumerate(X.to_numpy())]
    base.executemany("INSERT INTO t VALUES (?, ?, ?)", cells)
    found = base.execute(f"SELECT k, {rules.export('sql', dialect=dialect)} FROM t ORDER BY k").fetchall()
    assert [answer for _, answer in found] == list(rules.predict(X))
    with pytest.raises(bough.BoughError, match="dialect does nothing with format='text'"):
        rules.export(dialect=dialect)
    with pytest.raises(ValueError, match="there is no dialect"):
        rules.export("sql", dialect="oracle")


def test_model_files_have_rules_too(tmp_path):
    X, y = mixed()
    tree = bough.DecisionTreeClassifier(max_depth=3).fit(X, y)
    tree.save(tmp_path / "m.bough")
    assert bough.rules(tmp_path / "m.bough").export() == bough.rules(tree).export()
    again = bough.rules(tmp_path / "m.bough", X, y, method="c45")
    assert again.export() == bough.rules(tree, X, y, method="c45").export()


def test_counting_on_other_rows():
    X, y = load_iris(return_X_y=True)
    tree = bough.DecisionTreeClassifier(max_depth=2).fit(X[::2], y[::2])
    rules = bough.rules(tree, X[1::2], y[1::2])
    assert sum(rule.n_rows for rule in rules) == 75
    for index, rule in enumerate(rules):
        hit = rules.apply(X[1::2]) == index
        assert rule.n_rows == hit.sum()
        assert rule.confidence == pytest.approx((y[1::2][hit] == rule.prediction).mean())


def test_the_classifier_is_shorter_and_nearly_as_good():
    X, y = load_breast_cancer(return_X_y=True)
    model = bough.RuleClassifier().fit(X, y)
    assert len(model.rules_) < bough.DecisionTreeClassifier().fit(X, y).get_n_leaves()
    assert cross_val_score(bough.RuleClassifier(), X, y, cv=5).mean() > 0.9


def test_wrong_requests_are_named():
    X, y = load_iris(return_X_y=True)
    tree = bough.DecisionTreeClassifier(max_depth=2).fit(X, y)
    with pytest.raises(ValueError, match="method"):
        bough.rules(tree, method="ripper")
    with pytest.raises(ValueError, match="X and y"):
        bough.rules(tree, method="c45")
    with pytest.raises(ValueError, match="go together"):
        bough.rules(tree, X)
    with pytest.raises(ValueError, match=r"0\.7"):
        bough.rules(tree, X, y, method="c45", confidence=0.7)
    with pytest.raises(ValueError, match="never seen: 9"):
        bough.rules(tree, X[:2], [0, 9], method="c45")
    with pytest.raises(ValueError, match="does not match"):
        bough.rules(tree, X, y[:5], method="c45")
    with pytest.raises(ValueError, match="order"):
        bough.rules(tree, X, y, method="c45", order="random")
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        bough.rules(bough.DecisionTreeClassifier())

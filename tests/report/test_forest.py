# SPDX-License-Identifier: Apache-2.0
"""The page of a forest: its own panel, and the tree most like the forest first."""

import bough
import pytest

pytestmark = pytest.mark.long


@pytest.mark.parametrize("task", ["Classifier", "Regressor"])
def test_a_forest_shows_its_errors_its_trees_and_the_most_typical_one(browser, tmp_path, task):
    X, y = bough.datasets.load("iris", return_X_y=True)
    if task == "Regressor":
        y = X[:, 3] if hasattr(X, "shape") and not hasattr(X, "iloc") else X.iloc[:, 3]
        X = X[:, :3] if not hasattr(X, "iloc") else X.iloc[:, :3]
    forest = getattr(bough, f"RandomForest{task}")(25, random_state=0, max_depth=4).fit(X, y)
    forest.report(X, y, tmp_path / "forest.html", X_train=X, y_train=y)
    browser.open(tmp_path / "forest.html")
    assert [entry for entry in browser.log() if entry["level"] == "SEVERE"] == []
    found = forest.representative_tree(X)
    assert browser.run("return window.bough.app.index") == found.index
    assert browser.run("return document.querySelector('#tree-choice').value") == str(found.index)
    assert f"{found.index + 1} (representative)" in browser.text("#likeness")
    error = forest.oob_error_curve(X, y).errors[-1]
    words = browser.text("#bag-curve figcaption")
    shown = f"{100 * error:.1f}%" if task == "Classifier" else f"{error**0.5:.4g}"
    assert "25 trees" in words
    assert shown in words
    assert "Out of bag" in browser.text("#importance")
    browser.click("#likeness tbody tr:nth-child(2) button")
    second = sorted(range(25), key=lambda i: found.distances[i])[1]
    assert browser.run("return window.bough.app.index") == second
    assert f"tree {second + 1} of 25" in browser.text("#forest")


def test_without_training_rows_the_page_says_what_it_lacks(browser, tmp_path):
    X, y = bough.datasets.load("iris", return_X_y=True)
    bough.RandomForestClassifier(5, max_depth=3).fit(X, y).report(X, y, tmp_path / "forest.html")
    browser.open(tmp_path / "forest.html")
    assert "give the report the training rows" in browser.text("#forest")
    assert not browser.all("#bag-curve")

# SPDX-License-Identifier: Apache-2.0
"""The one look at a page that the short tests take, where a browser is there."""

import bough


def test_the_page_of_a_small_tree_draws_and_traces(browser, tmp_path):
    X, y = bough.datasets.load("iris", return_X_y=True)
    tree = bough.DecisionTreeClassifier(max_depth=3).fit(X, y)
    tree.report(X, y, tmp_path / "iris.html")
    browser.open(tmp_path / "iris.html")
    assert len(browser.shown()) == tree.tree_.node_count
    # The page opens with the first row on its way.
    for row in (0, 1, 2):
        assert [item.text for item in browser.all("#sentences li")] == tree.explain(X, row)["sentences"]
        assert len(browser.all(".node path.row-mark")) == len(browser.all(".node.on")) - 1
        browser.click("[aria-label='Next row']")
    assert [entry for entry in browser.log() if entry["level"] == "SEVERE"] == []

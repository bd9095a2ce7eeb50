# SPDX-License-Identifier: Apache-2.0
"""The report out of Python: what is written, what a notebook gets, what is refused."""

import html
import json
import re

import bough
import numpy as np
import pytest
import sklearn.tree
from support import ROOT


@pytest.fixture(scope="module")
def fitted():
    X, y = bough.datasets.load("iris", return_X_y=True)
    return bough.DecisionTreeClassifier(max_depth=3).fit(X[::2], y[::2]), X[1::2], y[1::2]


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', str(page))[1])


def test_a_report_is_written_and_scores_the_rows_it_gets(fitted, tmp_path):
    tree, X, y = fitted
    page = tree.report(X, y, tmp_path / "r.html", title="flowers & more")
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == str(page)
    data = data_of(page)
    assert data["title"] == "flowers & more" and "<title>flowers &amp; more</title>" in str(page)
    assert data["quality"][0]["scores"]["accuracy"] == pytest.approx(tree.score(X, y))
    assert data["provenance"]["command"] == "bough.DecisionTreeClassifier.fit"


def test_rows_without_truth_are_not_scored_and_none_are_needed(fitted):
    tree, X, _ = fitted
    assert "quality" not in data_of(bough.report(tree, X)) and "rows" in data_of(bough.report(tree, X))
    assert "rows" not in data_of(tree.report())


def test_a_notebook_gets_a_frame_that_cannot_reach_it(fitted):
    shown = fitted[0].report()._repr_html_()
    assert shown.startswith('<iframe sandbox="allow-scripts') and "allow-same-origin" not in shown
    inside = re.search(r'srcdoc="([^"]*)"', shown)[1]
    assert html.unescape(inside) == str(fitted[0].report())


def test_labels_of_any_type_and_several_outputs_are_scored(fitted):
    _, X, _ = fitted
    y = np.array(["no", "yes"])[(X[:, 0] > 5.5).astype(int)]
    both = np.c_[y, np.where(X[:, 1] > 3, "a", "b")]
    tree = bough.DecisionTreeClassifier().fit(X, both)
    quality = data_of(tree.report(X, both))["quality"]
    assert [one["scores"]["accuracy"] for one in quality] == [1.0, 1.0]


def test_training_rows_are_shown_beside(fitted):
    tree, X, y = fitted
    data = data_of(tree.report(X, y, X_train=X[:40], y_train=y[:40]))
    assert data["described"] == "training" and data["training"]["rows"] == 40 and data["rows"]["rows"] == 75


def test_forests_have_reports(fitted):
    sklearn = pytest.importorskip("sklearn.ensemble")
    _, X, y = fitted
    forest = bough.from_sklearn(sklearn.RandomForestClassifier(7, random_state=0).fit(X, y))
    assert len(data_of(forest.report(X, y))["trees"]) == 7


def test_what_makes_no_sense_is_refused(fitted):
    tree, X, y = fitted
    with pytest.raises(ValueError, match="a page of HTML, not 'x"):
        tree.report(X, y, "x.pdf")
    with pytest.raises(ValueError, match="without X"):
        tree.report(None, y)
    with pytest.raises(bough.BoughError, match="max_rows"):
        tree.report(X, y, max_rows=0)
    with pytest.raises(ValueError, match="Number of labels"):
        tree.report(X, y[:3])
    with pytest.raises(ValueError, match="not fitted"):
        bough.DecisionTreeClassifier().report()


def test_the_page_is_as_small_as_the_documentation_says(fitted):
    """The page without its data, in the words of docs/report.md."""
    page = re.sub(r"<script type=.*?</script>\n?", "", str(fitted[0].report()), flags=re.DOTALL)
    said = re.search(r"itself takes a little less than (\d+) KB", (ROOT / "docs/report.md").read_text())
    assert 0.95 < len(page.encode()) / (1000 * int(said[1])) < 1


def test_trees_of_scikit_learn_have_reports_and_other_things_do_not(fitted):
    _, X, y = fitted
    theirs = sklearn.tree.DecisionTreeClassifier(max_depth=2).fit(X, y)
    data = data_of(bough.report(theirs, X, y))
    assert data["quality"][0]["scores"]["accuracy"] == pytest.approx(theirs.score(X, y))
    for other in (bough.RuleClassifier().fit(X, y), 3):
        with pytest.raises(TypeError, match="from_sklearn takes"):
            bough.report(other)

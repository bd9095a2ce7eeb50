# SPDX-License-Identifier: Apache-2.0
"""Text and pictures of what scikit-learn does not write: categories, levels, missing cells, deep trees."""

import io
import json
import re

import bough
import numpy as np
import pandas as pd
import pytest


@pytest.fixture
def shops():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"shop": rng.choice(list("abcde"), 200), "price": rng.normal(size=200)})
    y = np.where(frame["shop"].isin(["b", "d"]), "in", "out")
    return bough.DecisionTreeClassifier().fit(frame, y)


def test_a_set_of_categories_is_written_out(shops):
    assert bough.export_text(shops) == (
        "|--- shop in {a, c, e}\n|   |--- class: out\n|--- shop not in {a, c, e}\n|   |--- class: in\n"
    )
    dot = bough.export_graphviz(shops, feature_names=shops.feature_names_in_, filled=True)
    assert 'label="shop in {a, c, e}\\ngini = ' in dot
    assert np.isnan(shops.tree_.threshold[0])
    assert shops.tree_.left_levels(0) == ["a", "c", "e"]


def test_one_category_against_the_rest(shops):
    frame = pd.DataFrame({"shop": list("abcabc")})
    model = bough.DecisionTreeClassifier(category_split="equality").fit(frame, [0, 1, 0, 0, 1, 0])
    assert bough.export_text(model).startswith("|--- shop == b\n")
    assert "shop != b" in bough.export_text(model)


def test_long_lists_of_categories_are_shortened():
    frame = pd.DataFrame({"code": [f"c{i:02d}" for i in range(40)]})
    model = bough.DecisionTreeClassifier().fit(frame, np.arange(40) % 2)
    assert "... 12 more}" in bough.export_text(model)


def test_missing_cells_alone_are_a_side():
    model = bough.DecisionTreeClassifier().fit([[1.0], [2.0], [np.nan], [np.nan]], [0, 0, 1, 1])
    assert model.tree_.threshold[0] == np.inf
    assert "feature_0 <= inf" in bough.export_text(model)


def test_a_tree_deeper_than_pythons_stack_is_written():
    # The best cut of alternating classes is the one that takes off the first row.
    X, y = np.arange(1500.0).reshape(-1, 1), np.arange(1500) % 2
    model = bough.DecisionTreeClassifier().fit(X, y)
    assert model.get_depth() > 1000
    text = bough.export_text(model, max_depth=10_000)
    assert text.count("\n") == 2 * (model.tree_.node_count - model.get_n_leaves()) + model.get_n_leaves()
    assert bough.export_graphviz(model).count(" -> ") == model.tree_.node_count - 1


def test_pictures_are_drawn(shops, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    notes = bough.plot_tree(
        shops, filled=True, rounded=True, feature_names=["shop", "price"], class_names=True
    )
    assert notes[0].get_text().startswith("shop in {a, c, e}\ngini")
    pyplot.savefig(tmp_path / "tree.png")
    pyplot.close("all")
    X = np.random.default_rng(0).normal(size=(100, 3))
    model = bough.DecisionTreeRegressor().fit(X, X[:, 0])
    assert any("(...)" in note.get_text() for note in bough.plot_tree(model, max_depth=2))
    pyplot.close("all")


def test_dot_goes_to_a_file_a_name_or_back(shops, tmp_path):
    text = bough.export_graphviz(shops)
    buffer = io.StringIO()
    assert bough.export_graphviz(shops, buffer) is None
    bough.export_graphviz(shops, str(tmp_path / "t.dot"))
    assert buffer.getvalue() == text == (tmp_path / "t.dot").read_text()


def test_text_of_several_outputs_and_of_one_leaf():
    X = [[0.0], [1.0]]
    model = bough.DecisionTreeClassifier().fit(X, [["a", "u"], ["b", "v"]])
    assert bough.export_text(model) == (
        "|--- feature_0 <= 0.50\n|   |--- class: [a, u]\n|--- feature_0 >  0.50\n|   |--- class: [b, v]\n"
    )
    assert bough.export_text(bough.DecisionTreeRegressor().fit(X, [3.0, 3.0])) == "|--- value: [3.00]\n"


def test_the_json_twin_is_at_hand(shops):
    assert json.loads(shops.tree_.model.to_json())


def test_counts_of_rows_are_whole_numbers_in_all_boxes():
    """59 / 114 times 114 is not 59: shares times rows miss whole numbers by their last bit."""
    assert 59 / 114 * 114 != 59
    X, y = np.arange(114.0)[:, None], np.repeat([0, 1], [59, 55])
    texts = [note.get_text() for note in bough.plot_tree(bough.DecisionTreeClassifier().fit(X, y))]
    assert [re.search(r"value = (.*)", text)[1] for text in texts if "value" in text] == [
        "[59, 55]",
        "[59, 0]",
        "[0, 55]",
    ]


def test_a_tree_says_its_size():
    X, y = bough.datasets.load("iris", return_X_y=True)
    tree = bough.DecisionTreeClassifier(max_depth=2).fit(X, y)
    assert repr(tree.tree_) == "Tree(node_count=5, n_leaves=3, max_depth=2)"

# SPDX-License-Identifier: Apache-2.0
"""Models as SVG pictures: valid, the answers of the model, shown by notebooks, saved by what is installed."""

import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import bough
import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestRegressor
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier as TheirClassifier

EVIL = "</svg><script>\"'&\\"


def words_of(svg):
    return [text.text for text in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True, as_frame=True)
    return bough.DecisionTreeClassifier(max_depth=3).fit(X, y), X, y


@pytest.fixture(scope="module")
def evil():
    rng = np.random.default_rng(3)
    X = pd.DataFrame({EVIL: rng.choice([EVIL, "b", "c]]>"], 90), "n": rng.normal(size=90)})
    y = np.where((X[EVIL] == EVIL) ^ (X["n"] > 0), EVIL, "<b>")
    return bough.DecisionTreeClassifier().fit(X, y), X, y


def test_every_picture_is_valid_xml_whatever_the_names(iris, evil):
    for model, X, y in (iris, evil):
        for theme in ("light", "dark", "transparent"):
            for picture in (
                bough.draw_tree(model, theme=theme, title=EVIL, node_ids=True, missing=True),
                bough.plot_regions(model, X, y, theme=theme, title=EVIL),
                bough.plot_fit(model, X, y, theme=theme, title=EVIL),
                bough.plot_path(model, theme=theme, title=EVIL),
                bough.plot_importances(model, theme=theme, title=EVIL),
            ):
                assert EVIL in words_of(picture.svg)
                assert "<script" not in picture.svg
                assert picture._repr_svg_() == picture.svg
                assert picture.svg in picture._repr_html_()


def test_the_tree_is_text_or_a_file(iris, tmp_path):
    model, _, _ = iris
    svg = model.to_svg(max_depth=1)
    assert any(word.startswith("+ ") for word in words_of(svg))
    assert model.to_svg(tmp_path / "tree.svg") is None
    assert (tmp_path / "tree.svg").read_text(encoding="utf-8") == model.to_svg()
    assert model.export("svg") == model.to_svg(precision=6)
    with pytest.raises(ValueError, match="theme"):
        model.to_svg(theme="pink")
    with pytest.raises(sklearn.exceptions.NotFittedError):
        bough.draw_tree(bough.DecisionTreeClassifier())


def test_the_legend_names_classes_only_where_colours_show_them():
    X, y = load_iris(return_X_y=True)
    model = bough.DecisionTreeClassifier(max_depth=1).fit(X, np.array(["a", "b", "c"])[y])
    for colour, bars in ((True, True), (True, False), (False, True)):
        assert "c" in words_of(bough.draw_tree(model, colour=colour, bars=bars).svg)
    assert "c" not in words_of(bough.draw_tree(model, colour=False, bars=False).svg)


def test_regions_answer_like_the_model(iris):
    model, X, _ = iris
    found = bough.decision_regions(model, X, features=("petal length (cm)", 3))
    assert [X.columns[i] for i in found.features] == ["petal length (cm)", "petal width (cm)"]
    held = {name: float(value) for name, value, how in found.held if how == "median"}
    for corners, node, value, shares in found.regions:
        row = {**dict.fromkeys(X.columns, 0.0), **held}
        row["petal length (cm)"], row["petal width (cm)"] = corners.mean(axis=0)
        frame = pd.DataFrame([row])[list(X.columns)]
        assert model.predict(frame)[0] == value
        assert model.apply(frame)[0] == node
        assert shares == pytest.approx(model.predict_proba(frame)[0])


def test_steps_answer_like_the_model():
    rng = np.random.default_rng(0)
    X = rng.uniform(0, 6, size=(200, 1))
    y = np.sin(X[:, 0])
    model = bough.DecisionTreeRegressor(max_depth=4).fit(X, y)
    steps = bough.decision_steps(model, X)
    assert len(steps) == model.get_n_leaves()
    for low, high, value, _ in steps:
        assert model.predict([[np.nextafter(low, 9)], [high]]).tolist() == [value, value]
    assert "data" in words_of(bough.plot_fit(model, X, y).svg)
    assert len(bough.decision_steps(model, X, max_depth=1)) == 2


def test_points_whose_other_columns_lead_elsewhere_are_pale():
    draw = np.random.default_rng(3)
    X = np.c_[draw.random((200, 2)), draw.integers(0, 2, 200), draw.random(200)]
    y = np.where(X[:, 2] == 1, "a", np.where(X[:, 0] > 0.5, "b", "c"))
    model = bough.DecisionTreeClassifier().fit(X, y)
    svg = bough.plot_regions(model, X, y, features=(0, 1), at={2: 0}).svg
    pale = int((X[:, 2] == 1).sum())
    assert len(re.findall(r'<circle[^>]*opacity="0.25"', svg)) == pale
    assert f"{pale} rows are pale: other columns lead them to another prediction." in " ".join(words_of(svg))
    assert "pale" not in bough.plot_regions(model, X[X[:, 2] == 0], features=(0, 1), at={2: 0}).svg


def test_held_columns_are_said_and_can_be_given(iris):
    model, X, y = iris
    picture = bough.plot_regions(model, X, y, features=(0, 1), at={"petal length (cm)": 4.0, 3: 1.5})
    text = " ".join(words_of(picture.svg))
    assert "petal length (cm) 4 (given)" in text and "petal width (cm) 1.5 (given)" in text
    with pytest.raises(bough.BoughError, match="no column 9"):
        bough.plot_regions(model, X, features=(0, 9))
    with pytest.raises(bough.BoughError, match="names 2 columns"):
        bough.plot_regions(model, X, features=(0,))


def test_every_output_of_several_is_drawn():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(150, 3))
    labels = np.column_stack([X[:, 0] > 0, np.digitize(X[:, 1], [-0.5, 0.5])]).astype(int)
    classes = bough.DecisionTreeClassifier().fit(X, labels)
    numbers = bough.DecisionTreeRegressor(max_depth=4).fit(X, X[:, :2])
    for model, y in ((classes, labels), (numbers, X[:, :2])):
        words_of(bough.draw_tree(model).svg)
        words_of(bough.plot_path(model).svg)
        for output in (0, 1):
            words_of(bough.plot_regions(model, X, y, features=(0, 1), output=output).svg)
            words_of(bough.plot_fit(model, X, y, feature=output, output=output).svg)
            found = bough.decision_regions(model, X, features=(0, 1), output=output)
            for corners, _, value, _ in found.regions:
                row = np.quantile(X, 0.5, axis=0, method="lower", keepdims=True)
                row[0, :2] = corners.mean(axis=0)
                assert model.predict(row)[0, output] == value
    with pytest.raises(bough.BoughError, match="no output 2"):
        bough.plot_fit(classes, X, output=2)


def test_trees_and_forests_of_scikit_learn_are_drawn():
    X, y = load_iris(return_X_y=True)
    theirs = TheirClassifier(max_depth=2, random_state=0).fit(X, y)
    assert "50 rows · gini 0" in words_of(bough.draw_tree(theirs).svg)
    forest = RandomForestRegressor(3, max_depth=3, random_state=0).fit(X, y)
    ours = bough.from_sklearn(forest)
    for corners, node, value, _ in bough.decision_regions(ours, X, features=(2, 3)).regions:
        row = np.quantile(X, 0.5, axis=0, method="lower", keepdims=True)
        row[0, 2:] = corners.mean(axis=0)
        assert node == -1 and ours.predict(row)[0] == value
    assert ours.to_svg(tree=1) != ours.to_svg(tree=2)
    assert bough.plot_importances(forest).svg


def test_the_path_shows_what_cross_validation_found(iris):
    _, X, y = iris
    found = bough.cost_complexity_cv(bough.DecisionTreeClassifier(), X, y, folds=5, rule="one_se")
    words = words_of(bough.plot_path(found.estimator).svg)
    assert "chosen tree" in words
    assert any("5 folds" in word for word in words)
    assert "chosen tree" not in words_of(bough.plot_path(iris[0]).svg)


def test_notebooks_show_scikit_learns_display_and_the_tree(iris):
    model, _, _ = iris
    bundle = model._repr_mimebundle_()
    assert bundle["text/plain"] == repr(model)
    assert "sk-container" in bundle["text/html"]
    assert model.to_svg() in bundle["text/html"] and model.to_svg() in model._repr_html_()
    unfitted = bough.DecisionTreeClassifier()
    assert 'role="img"' not in unfitted._repr_html_()
    assert "sk-container" in make_pipeline(model)._repr_html_()
    with sklearn.config_context(display="text"):
        assert "text/html" not in model._repr_mimebundle_()
        assert not hasattr(model, "_repr_html_")


def test_saving_asks_the_programs_that_are_there(iris, tmp_path, monkeypatch):
    model, X, y = iris
    picture = bough.plot_regions(model, X, y)
    if shutil.which("rsvg-convert"):
        picture.save(tmp_path / "r.pdf")
        assert (tmp_path / "r.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(ValueError, match=r"\.svg, \.pdf or \.png"):
        picture.save("x.gif")
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(bough.Picture, "_by_cairo", lambda *_: False)
    with pytest.raises(OSError, match="install librsvg2-bin"):
        picture.save(tmp_path / "r.png")
    # A tree can still be drawn by matplotlib.
    pytest.importorskip("matplotlib")
    model.to_svg(tmp_path / "tree.png")
    assert (tmp_path / "tree.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("special", [False, True])
def test_graphviz_reads_the_pictures_of_hostile_names(evil, special):
    dot = shutil.which("dot")
    if dot is None:
        pytest.skip("Graphviz's dot is not installed")
    model, X, y = evil
    many = bough.C45Classifier(pruning="none").fit(X, y)
    for tree in (model, many):
        text = bough.export_graphviz(
            tree,
            feature_names=list(X.columns),
            class_names=[EVIL, "<b>"],
            filled=True,
            rounded=True,
            proportion=True,
            node_ids=True,
            leaves_parallel=True,
            rotate=True,
            special_characters=special,
        )
        done = subprocess.run([dot, "-Tsvg"], input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        groups = [g.get("class") for g in ElementTree.fromstring(done.stdout.encode()).iter()]
        assert groups.count("node") == tree.tree_.node_count


def test_the_layout_is_at_hand():
    x, depth, width = bough.lay_out([-1, 0, 0, 0], [4, 10, 10, 10], siblings=2, cousins=5)
    assert x.tolist() == [17, 5, 17, 29]
    assert depth.tolist() == [0, 1, 1, 1]
    assert width == 34


def test_rows_are_drawn_in_the_boxes_and_one_is_marked():
    X, y = bough.datasets.load("iris", return_X_y=True, as_frame=True)
    tree = bough.DecisionTreeClassifier(max_depth=2).fit(X, y)
    plain, rows, marked = (
        bough.draw_tree(tree).svg,
        bough.draw_tree(tree, X, y).svg,
        bough.draw_tree(tree, X, y, row=77).svg,
    )
    # Two inner boxes with a border of their children each; setosa (50 rows) fills its bars alone.
    assert plain.count("stroke-dasharray") == 0 and rows.count('stroke-dasharray="3 2"') == 2
    assert "<polygon" not in rows and marked.count("<polygon") == 2
    assert marked.count("#d55e00") > rows.count("#d55e00")
    with pytest.raises(ValueError, match="need X"):
        bough.draw_tree(tree, row=1)
    with pytest.raises(bough.BoughError, match="there is no row 150"):
        bough.draw_tree(tree, X, y, row=150)


def test_leaves_say_their_answer_with_its_probability_and_numbers_their_column():
    X = np.arange(20.0)[:, None]
    y = np.r_[np.zeros(10), np.ones(10)].astype(int)
    y[0] = 1
    svg = bough.draw_tree(bough.DecisionTreeClassifier(max_depth=1).fit(X, y)).svg
    assert ">y = 0: 90%<" in svg and ">y = 1: 100%<" in svg


def test_the_picture_of_effects_has_arms_intervals_and_a_scale_around_zero():
    draw = np.random.default_rng(0)
    X, arm = draw.normal(size=(400, 2)), draw.integers(0, 2, 400)
    y = np.where(X[:, 0] > 0, 2.0, -3.0) * arm + draw.normal(size=400)
    svg = bough.draw_tree(bough.CausalTree(max_depth=1, random_state=0).fit(X, y, arm)).svg
    assert "<title>Effect of" in svg and "90%: " in svg and " treated, " in svg
    # The stronger effect has the longer bar, whatever its sign.
    bars = [float(w) for w in re.findall(r'width="([\d.]+)" height="7"[^>]*fill="#(?:d55e00|0072b2)"', svg)]
    effects = [float(e) for e in re.findall(r">effect (-?[\d.]+)<", svg)]
    assert len(bars) == len(effects) == 3
    assert np.argsort(bars).tolist() == np.argsort(np.abs(effects)).tolist()

# SPDX-License-Identifier: Apache-2.0
"""How the page looks: at first sight, on paper, on a narrow screen, in the colours of the pictures."""

import re

import bough
import numpy as np
import pandas as pd
import pytest

pytestmark = pytest.mark.long


def resize(page, width, height):
    page.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
    )
    page.settle()


@pytest.fixture
def medium(browser, tmp_path):
    """A tree of more nodes than fit in, at three sizes of the window."""
    draw = np.random.default_rng(3)
    X = draw.normal(size=(2000, 6))
    y = X[:, 0] * X[:, 1] + X[:, 2] + draw.normal(size=2000) / 2
    tree = bough.DecisionTreeRegressor(max_depth=6, min_samples_leaf=10).fit(X[:1000], y[:1000])
    assert tree.tree_.node_count > 60
    tree.report(X[1000:], y[1000:], tmp_path / "medium.html", repeats=0)

    def open_at(width, height):
        resize(browser, width, height)
        browser.open(tmp_path / "medium.html")
        return browser

    yield open_at
    browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


INSIDE = """const view = document.getElementById('tree-view').getBoundingClientRect();
return [...document.querySelectorAll(arguments[0])].map((node) => {
  const box = node.getBoundingClientRect();
  return box.left >= view.left - 1 && box.right <= view.right + 1 &&
    box.top >= view.top - 1 && box.bottom <= view.bottom + 1;
});"""


@pytest.mark.parametrize("size", [(1300, 900), (1800, 1000), (390, 844)])
def test_the_first_view_can_be_read(medium, size):
    page = medium(*size)
    assert page.run("return document.documentElement.scrollWidth") <= size[0]
    inside = page.run(INSIDE, ".node .box")
    assert len(inside) >= 3 and all(inside)
    sizes = page.run(
        """const scale = document.querySelector('#tree > g').getCTM().a;
        return [...document.querySelectorAll('.node text')].map(
          (text) => scale * parseFloat(getComputedStyle(text).fontSize));"""
    )
    # On the narrowest screens the root and its children are all there is.
    assert min(sizes) >= (9.5 if size[0] > 400 else 9)


def test_a_traced_way_comes_into_sight(medium):
    page = medium(1300, 900)
    for _ in range(10):
        page.click("[aria-label='Next row']")
        inside = page.run(INSIDE, ".node.on .box")
        assert len(inside) >= 2 and inside[-1]
        if len(inside) < 6:
            assert all(inside)


def test_a_traced_way_can_be_read_on_a_phone(medium):
    """Its end, where all of it would be too small."""
    page = medium(390, 844)
    for _ in range(6):
        page.click("[aria-label='Next row']")
        inside = page.run(INSIDE, ".node.on .box")
        assert len(inside) < 3 or all(inside[-3:]), inside
        sizes = page.run(
            """const scale = document.querySelector('#tree > g').getCTM().a;
            return [...document.querySelectorAll('.node text')].map(
              (text) => scale * parseFloat(getComputedStyle(text).fontSize));"""
        )
        assert min(sizes) > 6.8


def test_paper_gets_the_tree_and_no_buttons(medium):
    page = medium(1300, 900)
    page.keys("#tree", "e", "+", "+", "+")
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    page.run("window.dispatchEvent(new Event('beforeprint'))")
    try:
        shown = page.run("return bough.app.tree.n")
        inside = page.run(INSIDE, ".node .box")
        assert len(inside) == shown and all(inside)
        for css in ("#tracer .cells", "#tracer select", "#buttons", ".slider", "#tree-card .tools"):
            assert not any(item.is_displayed() for item in page.all(css)), css
        assert not any(
            button.is_displayed() for button in page.all("button:not(th button):not(.link-button)")
        )
    finally:
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        page.run("window.dispatchEvent(new Event('afterprint'))")


def test_paper_unfolds_what_a_phone_folds_unless_somebody_folded_it(medium):
    page = medium(390, 844)
    for by_hand in (False, True):
        if by_hand:
            page.keys("#tree", "c")
        before = page.shown()
        page.run("window.dispatchEvent(new Event('beforeprint'))")
        page.settle()
        assert (len(page.shown()) > len(before)) != by_hand
        page.run("window.dispatchEvent(new Event('afterprint'))")
        page.settle()
        assert page.shown() == before


def test_labels_of_charts_stay_inside_and_apart(medium):
    page = medium(1300, 900)
    for chart in page.run(
        """return [...document.querySelectorAll('.chart')].map((chart) => {
          const frame = chart.getBoundingClientRect();
          const boxes = [...chart.querySelectorAll('text')].map((text) => text.getBoundingClientRect());
          const clash = boxes.some((a, i) => boxes.some((b, j) => i < j && a.left < b.right - 1 &&
            b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2));
          return [chart.getAttribute('aria-label'), clash,
                  boxes.every((box) => box.left >= frame.left - 1 && box.right <= frame.right + 1)];
        });"""
    ):
        assert chart[1:] == [False, True], chart


def test_a_class_has_one_colour_in_all_pictures(browser, tmp_path):
    """Leaves of one class each are filled in the class's own colour, mixed with white."""
    X = np.arange(12.0)[:, None]
    y = np.array(list("abcdefghijkl"))
    tree = bough.DecisionTreeClassifier().fit(X, y)
    tree.report(X, y, tmp_path / "colours.html", repeats=0)
    browser.open(tmp_path / "colours.html")
    ours = browser.run("return Array.from({length: 12}, (_, i) => bough.classColour(i))")
    base = ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#999999"]
    assert ours[:8] == base and len(set(ours)) == 12
    picture = tree.export("svg") if hasattr(tree, "export") else ""
    fills = set(re.findall(r'fill="(#[0-9a-f]{6})"', picture))
    for colour in ours if fills else []:
        own = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])
        mixes = [np.array([int(fill[i : i + 2], 16) for i in (1, 3, 5)]) for fill in fills]
        # A mix with white lies on the line between the two.
        assert any(
            np.allclose(255 - mix, (255 - own) * ((255 - mix).sum() / (255 - own).sum()), atol=2)
            for mix in mixes
            if mix.sum() < 760
        ), colour


def test_many_classes_have_few_curves_and_a_matrix_that_scrolls(browser, tmp_path):
    draw = np.random.default_rng(2)
    X = draw.normal(size=(1500, 2))
    y = np.array([f"class number {i:02d}" for i in range(19)])[
        np.clip((X[:, 0] * 4 + 9.5).astype(int), 0, 18)
    ]
    tree = bough.DecisionTreeClassifier(max_depth=8).fit(X[:800], y[:800])
    tree.report(X[800:], y[800:], tmp_path / "many.html", repeats=0)
    browser.open(tmp_path / "many.html")
    assert len(browser.all(".confusion.many tbody tr")) == len(
        set(y[800:]) | set(tree.predict(X[800:])) | set(y[:800])
    )
    assert len(browser.all("[aria-label='ROC curves'] path.curve")) == 6
    browser.run(
        "const s = document.getElementById('curve-choice'); s.value = 9; s.dispatchEvent(new Event('change'))"
    )
    assert len(browser.all("[aria-label='ROC curves'] path.curve")) == 1
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")


def test_a_traced_row_cuts_no_box(medium):
    """What was unfolded for another row is folded again, so that all that is shown stays in sight."""
    page = medium(1300, 900)
    for _ in range(6):
        page.click("[aria-label='Next row']")
        assert all(page.run(INSIDE, ".node .box"))
    page.keys("#tree", "e")
    page.click("[aria-label='Next row']")
    # What somebody unfolded stays so.
    assert page.run("return Number(document.getElementById('tree').dataset.shown) === bough.app.tree.n")


def test_paper_shows_the_way_of_the_traced_row(medium):
    page = medium(390, 844)
    for _ in range(4):
        page.click("[aria-label='Next row']")
        way = page.run("return bough.app.path.nodes")
        page.run("window.dispatchEvent(new Event('beforeprint'))")
        page.settle()
        assert set(way) <= set(page.shown())
        page.run("window.dispatchEvent(new Event('afterprint'))")
        page.settle()


@pytest.fixture
def census(browser, tmp_path):
    """Long names of columns and of many levels, and a target of 0 and 1."""
    draw = np.random.default_rng(4)
    levels = np.array(
        [f"{word}-{kind}" for word in ("Bachelors", "Doctorate", "Preschool") for kind in "abcd"]
    )
    X = pd.DataFrame(
        {"highest_education": levels[draw.integers(0, 12, 900)], "hours_per_week": draw.normal(40, 9, 900)}
    )
    truth = X["highest_education"].str[0].isin(["B", "D"]) ^ (X["hours_per_week"] > 45)
    y = pd.Series((truth ^ (draw.random(900) < 0.1)).astype(int), name="rich")
    tree = bough.DecisionTreeClassifier(max_depth=3).fit(X[:600], y[:600])
    tree.report(X[600:], y[600:], tmp_path / "census.html", repeats=2)
    resize(browser, 1440, 900)
    browser.open(tmp_path / "census.html")
    yield browser
    browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_boxes_and_edges_say_how_many_levels_they_leave_out(census):
    titles = census.run(
        "return [...document.querySelectorAll('.node:not(.leaf) .title')].map((t) => t.textContent)"
    )
    of_sets = [title for title in titles if title.startswith("highest_education")]
    assert of_sets and all(re.search(r"[=≠] (.+ \+\d+|…)$", title) for title in of_sets), titles
    assert any(title.startswith("hours_per_week ≤ 4") for title in titles), titles
    edges = census.run("return [...document.querySelectorAll('.edge')].map((t) => t.textContent)")
    assert not [edge for edge in edges if edge.endswith("…")], edges
    room = census.run(
        """return [...document.querySelectorAll('.node:not(.leaf)')].map((node) => [
          node.querySelector('.title').getBBox().width, node.querySelector('.box').getBBox().width]);"""
    )
    assert all(title <= box - 18 for title, box in room)


def test_panels_speak_of_the_target_and_of_how_many_rows(census):
    assert "on the 300 evaluation rows" in census.text("#score")
    assert "rich = 1, AUC" in census.text("#quality")
    assert re.search(r"most frequent class, rich = \d, makes up \d\d", census.text("#quality"))
    assert "How much accuracy falls on the evaluation rows" in census.text("#importance")
    assert "Error: training " in census.text("#prune-text").replace("\n", " ")
    assert "Trained by bough" in census.text("#model").replace("\n", " ")


def test_what_is_said_of_unknown_cells_stands_back_in_rules(census):
    muted = census.run("return [...document.querySelectorAll('#rules td .muted')].map((t) => t.textContent)")
    assert muted and all(re.fullmatch(r"( or other)?(, or missing.*)?", text) for text in muted)
    assert census.text("#rules td b").strip() == "and"


def test_heads_of_tables_have_text_for_paper(census):
    assert census.run(
        "return [...document.querySelectorAll('.list th[aria-sort]')].every("
        "(head) => head.dataset.name && head.textContent.startsWith(head.dataset.name))"
    )


def test_labels_of_long_numbers_stay_apart(browser, tmp_path):
    draw = np.random.default_rng(5)
    X = draw.normal(size=(400, 2))
    y = 480_000 / (1 + np.exp(-X[:, 0])) + 15_000
    tree = bough.DecisionTreeRegressor(max_depth=4).fit(X[:200], y[:200])
    tree.report(X[200:], y[200:], tmp_path / "prices.html", repeats=0)
    browser.open(tmp_path / "prices.html")
    test_labels_of_charts_stay_inside_and_apart(lambda *_: browser)
    assert "rmse" not in browser.text("#pruning")


def test_a_causal_page_speaks_of_gain(browser, tmp_path):
    draw = np.random.default_rng(6)
    X, arm = draw.normal(size=(400, 2)), draw.integers(0, 2, 400)
    y = arm * (X[:, 0] > 0) + draw.normal(size=400) / 2
    bough.CausalTree(max_depth=2, random_state=1).fit(X, y, arm).report(path=tmp_path / "causal.html")
    browser.open(tmp_path / "causal.html")
    assert "Impurity" not in browser.text("#node") and "impurity" not in browser.text("#importance")


def test_an_effect_has_the_same_few_digits_everywhere(browser, tmp_path):
    draw = np.random.default_rng(6)
    X, arm = draw.normal(size=(400, 2)), draw.integers(0, 2, 400)
    y = 3.123456789 * arm * (X[:, 0] > 0) + draw.normal(size=400) / 2
    tree = bough.CausalTree(max_depth=2, random_state=1).fit(X, y, arm)
    tree.report(X, path=tmp_path / "causal.html")
    browser.open(tmp_path / "causal.html")
    effect = f"{tree.effect(X[:1])[0]:.4g}"
    assert re.fullmatch(r"-?\d\.\d{2,3}", effect)
    assert browser.text("#together") == effect
    assert browser.text("#sentences li:last-child") == f"So the estimated effect is {effect}."
    leaf = browser.run("return bough.app.path.nodes.at(-1)")
    browser.run(
        "document.querySelector(`.node[data-node='${arguments[0]}']`).dispatchEvent("
        "new MouseEvent('click', {bubbles: true}))",
        leaf,
    )
    assert tree.explain(X, 0)["sentences"][-1] == f"So the estimated effect is {effect}."


def test_a_table_that_scrolls_shows_that_it_does(browser, tmp_path):
    """A shadow at the edge behind which more lies, and none where all is in sight."""
    names = [f"a_rather_long_name_of_class_{i}" for i in range(5)]
    X = np.arange(100.0)[:, None]
    y = np.array(names)[(X[:, 0] // 20).astype(int)]
    bough.DecisionTreeClassifier().fit(X, y).report(X, y, tmp_path / "wide.html", repeats=0)
    resize(browser, 390, 844)
    browser.open(tmp_path / "wide.html")
    try:
        look = browser.run(
            """const box = document.querySelector('.matrix'), look = getComputedStyle(box);
            return [box.scrollWidth > box.clientWidth, look.backgroundImage.match(/gradient/g).length,
                    look.backgroundAttachment,
                    [...box.querySelectorAll('td')].filter((td) => td.textContent === '0').every(
                      (td) => getComputedStyle(td).backgroundColor === 'rgba(0, 0, 0, 0)')];"""
        )
        assert look == [True, 4, "local, local, scroll, scroll", True]
    finally:
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_without_rows_nothing_is_said_of_them(browser, tmp_path):
    X, y = bough.datasets.load("iris", return_X_y=True)
    bough.DecisionTreeClassifier(max_depth=2).fit(X, y).report(path=tmp_path / "bare.html")
    browser.open(tmp_path / "bare.html")
    assert browser.text("#quality h2") == "Quality"
    assert "evaluation" not in browser.text("#main") and "--data" not in browser.text("#main")

# SPDX-License-Identifier: Apache-2.0
"""A page for every kind of model, note and option opens without an error: wide, narrow, dark, printed."""

import time

import bough
import numpy as np
import pandas as pd
import pytest

SIZES = ((1440, 900), (1024, 768), (390, 844))
Tree, Number = bough.DecisionTreeClassifier, bough.DecisionTreeRegressor


class Rows:
    """Numbers, categories and missing cells; a score from which classes, counts and effects are made."""

    def __init__(self, n=160):
        draw = np.random.default_rng(0)
        self.X = pd.DataFrame(
            {
                "a": draw.normal(size=n),
                "b": draw.integers(0, 5, n).astype(float),
                "kind": pd.Categorical(draw.choice(["red", "green", "blue", "missing"], n)),
                "a column with a rather long name, and a comma": draw.normal(size=n),
            }
        )
        self.X.loc[::9, "a"] = np.nan
        self.X.loc[::11, "kind"] = np.nan
        self.numbers = self.X[["a", "b"]].fillna(0.0)
        self.words = self.X[["b", "kind"]].astype(str)
        self.score = (self.numbers["a"] + (self.X["kind"] == "red") + draw.normal(size=n) / 2).to_numpy()
        self.classes = np.where(self.score > 0.3, "yes", "no")
        self.many = pd.qcut(self.score, 12, labels=False).astype(str)
        self.weights = draw.uniform(0.5, 2.0, n)
        self.arm = draw.integers(0, 2, n)


# name: the estimator, which rows, which truth, what fit gets besides.
CASES = {
    "classes": (Tree(max_depth=4), "X", "classes", ()),
    "0 and 1": (Tree(max_depth=3), "X", lambda rows: (rows.score > 0).astype(int), ()),
    "twelve classes": (Tree(max_depth=5), "X", "many", ()),
    "numbers": (Number(max_depth=4), "X", "score", ()),
    "two outputs": (Number(max_depth=3), "numbers", lambda rows: np.c_[rows.score, rows.score**2], ()),
    "two labels": (Tree(max_depth=3), "numbers", lambda rows: np.c_[rows.score > 0, rows.score > 1] + 0, ()),
    "a single leaf": (Tree(max_depth=1, min_samples_leaf=100), "X", "classes", ()),
    "oblique": (bough.ObliqueDecisionTreeClassifier(max_depth=3, random_state=1), "numbers", "classes", ()),
    "reduced error": (Tree(max_depth=5, pruning="reduced_error", random_state=1), "X", "classes", ()),
    "pessimistic": (Tree(max_depth=5, pruning="pessimistic"), "X", "classes", ()),
    "cross-validated": (Tree(max_depth=5, pruning="cost_complexity"), "X", "classes", ()),
    "max_features": (Tree(max_depth=4, max_features=2, random_state=1), "X", "classes", ()),
    "loss_matrix": (Tree(max_depth=4, loss_matrix=[[0, 1], [4, 0]]), "X", "classes", ()),
    "weights": (Tree(max_depth=4), "X", "classes", ("sample_weight",)),
    "balanced": (Tree(max_depth=4, class_weight="balanced"), "X", "classes", ()),
    "surrogates": (Tree(max_depth=4, missing="surrogate"), "X", "classes", ()),
    "rows that stop": (Tree(max_depth=4, missing="stop"), "X", "classes", ()),
    "competitors": (Tree(max_depth=4, competitors=3), "X", "classes", ()),
    "absolute error": (Number(max_depth=3, criterion="absolute_error"), "X", "score", ()),
    "quantile": (Number(max_depth=3, criterion="quantile", quantile=0.9), "X", "score", ()),
    "poisson": (Number(max_depth=3, criterion="poisson"), "X", lambda rows: np.exp(rows.score).round(), ()),
    "monotone": (Number(max_depth=3, monotonic_cst=[1, 0]), "numbers", "score", ()),
    "id3": (bough.ID3Classifier(), "words", "classes", ()),
    "c4.5": (bough.C45Classifier(), "X", "classes", ()),
    "honest": (bough.HonestTreeRegressor(max_depth=3, random_state=1), "X", "score", ()),
    "refined": (Tree(max_depth=3, refine="tao"), "numbers", "classes", ()),
    "causal": (bough.CausalTree(max_depth=2, random_state=1), "numbers", "score", ("treatment",)),
    "causal, adaptive": (bough.CausalTree(max_depth=2, honest=False), "numbers", "score", ("treatment",)),
    "forest": (bough.RandomForestClassifier(5, random_state=1), "numbers", "classes", ()),
    "forest of numbers": (bough.RandomForestRegressor(5, random_state=1), "numbers", "score", ()),
}
# The kinds whose root split carries a note, and what shows more than a tree.
SHORT = ("oblique", "reduced error", "loss_matrix", "max_features", "causal", "forest")


def pages(name, wanted=("alone", "rows", "no labels", "training", "both")):
    """Pages of a model: alone, with other rows, with its training rows, with both; by what they have."""
    rows = Rows()
    model, x, truth, extra = CASES[name]
    X = getattr(rows, x)
    y = truth(rows) if callable(truth) else getattr(rows, truth)
    given = {"sample_weight": rows.weights, "treatment": rows.arm}
    first, rest = slice(0, 120), slice(120, None)
    model = model.fit(X[first], y[first], **{word: given[word][first] for word in extra})
    weights = {"sample_weight": rows.weights[rest]} if "sample_weight" in extra else {}
    train = {"X_train": X[first], "y_train": y[first]}
    if weights:
        train["sample_weight_train"] = rows.weights[first]
    makers = {
        "alone": lambda: model.report(),
        "rows": lambda: model.report(X[rest], y[rest], repeats=2, **weights),
        "no labels": lambda: model.report(X[rest]),
        "training": lambda: model.report(repeats=0, **train),
        "both": lambda: model.report(X[rest], y[rest], repeats=0, title="both", **weights, **train),
    }
    for what in wanted:
        yield what, makers[what]()


def set_page(page, width, height, scheme="light", media="screen"):
    page.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"media": media, "features": [{"name": "prefers-color-scheme", "value": scheme}]},
    )
    page.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
    )
    page.settle()


@pytest.fixture
def page(browser):
    yield browser
    browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


def check(page, where):
    """The page as it stands has said no error, has no failed panel and is not wider than the window."""
    severe = [entry["message"] for entry in page.log() if entry["level"] == "SEVERE"]
    assert severe == [], where
    alerts = page.run("return [...document.querySelectorAll('[role=alert]')].map((box) => box.textContent)")
    assert not [text for text in alerts if "cannot be shown" in text], where
    assert page.run("return document.documentElement.scrollWidth <= innerWidth + 1"), where


@pytest.mark.parametrize("name", SHORT)
def test_a_page_with_training_rows_opens(page, tmp_path, name):
    set_page(page, 1440, 900)
    for what, report in pages(name, ["both"]):
        report.save(tmp_path / "page.html")
        page.open(tmp_path / "page.html")
        check(page, (name, what))
        for box in page.shown():
            page.run(
                "document.getElementById(arguments[0]).dispatchEvent(new Event('click', {bubbles: true}))",
                f"n{box}",
            )
        assert [e["message"] for e in page.log() if e["level"] == "SEVERE"] == []


def test_boxes_keep_their_figures_where_names_are_long(page, tmp_path):
    set_page(page, 1440, 900)
    rows = Rows()
    target = pd.Series((rows.score > 0).astype(int), name="a target with a long name")
    Tree(max_depth=3).fit(rows.numbers, target).report(path=tmp_path / "page.html")
    page.open(tmp_path / "page.html")
    inner = page.run("return [...document.querySelectorAll('.node:not(.leaf)')].map((n) => n.textContent)")
    assert inner and all("= 0: " in text or "= 1: " in text for text in inner)

    tree = bough.CausalTree(max_depth=2, random_state=1).fit(rows.numbers, 1e4 * rows.score, rows.arm)
    tree.report(path=tmp_path / "page.html")
    page.open(tmp_path / "page.html")
    leaves = page.run(
        "return [...document.querySelectorAll('.node.leaf text')].map((text) => text.textContent)"
    )
    assert any(text.startswith("90%: ") for text in leaves) and not any("…" in text for text in leaves)


def test_a_panel_that_fails_leaves_the_others(page, tmp_path):
    text = str(Tree(max_depth=2).fit(Rows().numbers, Rows().classes).report())
    (tmp_path / "page.html").write_text(text.replace('"provenance":', '"lost":'), encoding="utf-8")
    page.open(tmp_path / "page.html")
    assert "This part cannot be shown" in page.text("#model")
    assert page.shown() and "Rules" in page.text("#rules")


@pytest.mark.long
@pytest.mark.parametrize("name", CASES)
def test_every_page_opens(page, tmp_path, name):
    """Opened at every size in light and at one in dark; dark and print are then turned on by the system."""
    for what, report in pages(name):
        report.save(tmp_path / "page.html")
        set_page(page, 1440, 900, "dark")
        page.open(tmp_path / "page.html")
        check(page, (name, what, "opened dark"))
        for width, height in SIZES:
            set_page(page, width, height)
            page.open(tmp_path / "page.html")
            check(page, (name, what, width))
            for scheme, media in (("dark", "screen"), ("light", "print")):
                if media == "print" and width < 600:
                    continue  # no paper is as narrow as that
                set_page(page, width, height, scheme, media)
                check(page, (name, what, width, scheme, media))


AXE = """
const done = arguments[0];
document.querySelectorAll('details').forEach((box) => { box.open = true; });
axe.run().then((found) => done(found.violations.map((rule) => [rule.id, rule.nodes.slice(0, 3).map(
  (node) => node.html.slice(0, 160) + ' ' + (node.any[0] || {}).message)])));
"""


@pytest.mark.long
@pytest.mark.parametrize("name", CASES)
def test_axe_finds_nothing(page, tmp_path, name):
    axe = pytest.importorskip("axe_core_python.sync_playwright", reason="axe-core-python is not installed")
    from importlib.resources import files

    script = files(axe.__package__).joinpath("axe.min.js").read_text(encoding="utf-8")
    for _, report in pages(name, ["both"]):
        report.save(tmp_path / "page.html")
    for width, height, scheme in ((1440, 900, "light"), (390, 844, "dark")):
        set_page(page, width, height, scheme)
        page.open(tmp_path / "page.html")
        page.run(script)
        assert page.driver.execute_async_script(AXE) == [], (width, scheme)


@pytest.mark.long
def test_a_swipe_scrolls_the_page_and_two_fingers_move_the_tree(page, tmp_path):
    model = Tree(max_depth=4).fit(Rows().X, Rows().classes)
    model.report(Rows().X, Rows().classes, tmp_path / "page.html", repeats=0)
    driver = page.driver
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True},
    )
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5})
    try:

        def fingers(kind, *points):
            driver.execute_cdp_cmd(
                "Input.dispatchTouchEvent",
                {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
            )

        page.open(tmp_path / "page.html")
        where = "return document.querySelector('#tree > g').getAttribute('transform')"
        before = page.run(where)
        box = page.run("return document.getElementById('tree-view').getBoundingClientRect()")
        low = int(box["bottom"]) - 20
        fingers("touchStart", (195, low))
        for step in range(1, 11):
            fingers("touchMove", (195, low - 25 * step))
            time.sleep(0.02)
        fingers("touchEnd")
        time.sleep(0.5)
        assert page.run("return scrollY") > 150
        assert page.run(where) == before
        page.run("scrollTo(0, 0)")

        top = int(box["top"]) + 40
        fingers("touchStart", (150, top), (250, top))
        for y in (top + 30, top + 60):
            fingers("touchMove", (150, y), (250, y))
            time.sleep(0.1)
        fingers("touchEnd")
        page.settle()
        assert page.run(where) != before and page.run("return scrollY") == 0
    finally:
        driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    for ctrl, changes in ((False, False), (True, True)):
        before = page.run(where)
        page.run(
            "document.getElementById('tree-view').dispatchEvent("
            "new WheelEvent('wheel', {deltaY: -120, ctrlKey: arguments[0], cancelable: true}))",
            ctrl,
        )
        page.settle()
        assert (page.run(where) != before) == changes

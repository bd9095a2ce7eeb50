# SPDX-License-Identifier: Apache-2.0
"""What the page computes by itself is what the library computes: random models of every kind, in Chromium."""

import json

import numpy as np
import pytest
from bough import _core
from exports import document, models
from support import ROOT

pytestmark = pytest.mark.long
LEAF = {"kind": 0, "values": [0.0], "n_rows": 1, "weight": 1}
WISHES = {
    "kinds": models.ALL_KINDS,
    "missing": ("child", "by_share", "stops", "surrogate", "surrogate_or_stops"),
}


def opened(browser, tmp_path, case, table):
    path = tmp_path / "case.html"
    page = _core.report_page(case.model, table, None, "", "", 1000, 0, 1)
    path.write_text(page, encoding="utf-8")
    browser.open(path)


def is_about(ours, theirs, odd):
    """Whether two sentences differ only by how a level is written that is no text (0 for false), or by a
    value that did not occur in training: the page does not have its text, and takes it for missing where
    the column is ordinal."""
    if "did not occur in training" in theirs:
        return ours.endswith(theirs.split("did not occur in training")[1]) or "is missing" in ours
    return any(theirs.startswith(name) for name in odd) and ours.partition(",")[2] == theirs.partition(",")[2]


def test_routes_answers_and_sentences_of_random_models(browser, tmp_path):
    rows_seen = 0
    for case in models.cases(1, **WISHES):
        rows = case.probes(60)
        table, judge = case.table(rows), case.judge(rows)
        odd = [
            spec["name"] for spec in case.features if spec["kind"] != "numeric" and not models.is_text(spec)
        ]
        opened(browser, tmp_path, case, table)
        leaves, answers, said = browser.driver.execute_async_script(
            """const done = arguments[0], {app, explainRow, combined, finalAnswer, allTrees} = window.bough;
            allTrees().then((trees) => {
              const cells = Array.from({length: app.rows.n}, (_, i) => app.rows.cells(i));
              done([trees.map((tree) => cells.map((row) => explainRow(tree, row).leaf)),
                    cells.map((row) => app.data.targets.map(
                      (_, o) => String(finalAnswer(combined(trees, row), o)))),
                    cells.map((row) => explainRow(trees[0], row).sentences)]);
            });"""
        )
        for tree, ends in enumerate(leaves):
            assert ends == judge.leaves[tree].tolist(), case
        ours = np.array(answers, dtype=np.float64)
        np.testing.assert_allclose(ours, judge.values, rtol=1e-12, err_msg=repr(case))
        for row, sentences in enumerate(said):
            told = json.loads(case.model.explain(table, row))["sentences"]
            told = told[: len(sentences)]  # of several trees the library adds what they say together
            same = [
                ours == theirs or is_about(ours, theirs, odd)
                for ours, theirs in zip(sentences, told, strict=True)
            ]
            assert all(same), (
                case,
                row,
                [pair for pair in zip(sentences, told, strict=True) if pair[0] != pair[1]],
            )
            rows_seen += sentences == told
    print(f"\n{rows_seen} rows told in the same sentences")
    assert rows_seen > 500


def test_thresholds_have_the_digits_of_the_library(browser, tmp_path):
    """Cuts between cells of few digits, of single precision and of many bits, powers of 2 and ties."""
    draw = np.random.default_rng(8)
    cells = np.round(draw.normal(size=(400, 2)) * 10.0 ** draw.integers(-4, 6, size=(400, 1)), 3)
    single = np.float32(draw.normal(size=(300, 2)) * 10.0 ** draw.integers(-3, 9, size=(300, 1)))
    beside = np.float32(2.0) ** np.arange(-20, 30, dtype=np.float32)
    beside = np.stack([beside, np.nextafter(beside, np.float32(0))])
    few = [digits / 10.0**places for digits in (1, 25, 245, 99999, 1234567) for places in range(12)]
    wide = draw.normal(size=300) * 10.0 ** draw.integers(-12, 17, size=300)
    odd = [1 / 3, 1e15, 1e16, 1e-5, 5e-324, 2.0**-9, -(2.0**-11)]
    pairs = [part.astype(float).mean(axis=-1) for part in (cells, single, beside.T)]
    cuts = np.concatenate([*pairs, few, wide, odd])
    # A chain of tests on one column.
    nodes = []
    for i, cut in enumerate(cuts):
        inner = {"kind": 1, "column": 0, "threshold": float(cut), "children": [2 * i + 1, 2 * i + 2]}
        n = len(cuts) + 1 - i
        nodes += [{**inner, "values": [0.0], "n_rows": n, "weight": n}, LEAF]
    case = models.random_case("digits", task="regression", outputs=(1,), kinds=("numeric",))
    model = document.load(
        document.write_model("regression", "single", case.features[:1], case.targets, [([1], [*nodes, LEAF])])
    )
    (tmp_path / "digits.html").write_text(
        _core.report_page(model, None, None, "", "", 1000, 0, 1), encoding="utf-8"
    )
    browser.open(tmp_path / "digits.html")
    for least in (4, 6):
        theirs = [model.condition(2 * i, 0, least).rpartition(" ≤ ")[2] for i in range(len(cuts))]
        ours = browser.run(
            "return Array.from(bough.app.tree.threshold).filter((_, i) => bough.app.tree.kind[i] > 0)"
            ".map((cut) => bough.shownCut(cut, arguments[0]))",
            least,
        )
        assert [pair for pair in zip(ours, theirs, cuts, strict=True) if pair[0] != pair[1]] == []
        assert len({len(text.strip("-0.").replace(".", "")) for text in ours}) > 6  # few digits and many


def test_layouts_are_those_of_the_library(browser, tmp_path):
    """tests/cpp/report/layout_test.cpp holds the library to the same file."""
    case = models.random_case("layout")
    opened(browser, tmp_path, case, case.table(case.probes(10)))
    for kept in json.loads((ROOT / "tests/report/layouts.json").read_text()):
        x = browser.run("return Array.from(bough.tidy(arguments[0]))", kept["parents"])
        np.testing.assert_allclose(x, kept["x"], rtol=0, atol=1e-9)


def test_smallest_changes_are_those_of_the_library(browser, tmp_path):
    found = 0
    kinds = tuple(kind for kind in models.ALL_KINDS if kind != "oblique")
    for number in range(8):
        case = models.random_case(f"flip {number}", kinds=kinds, leaves=14, missing=("child", "stops"))
        rows = case.probes(40)
        table = case.table(rows)
        opened(browser, tmp_path, case, table)
        ours = browser.run(
            """const {app, nearestFlip, explainRow, finalAnswer} = window.bough;
            return Array.from({length: app.rows.n}, (_, i) => {
              const row = app.rows.cells(i), before = finalAnswer(explainRow(app.tree, row).answer, 0);
              const flip = nearestFlip(app.tree, row, (node) => app.tree.answer(node, 0) !== before);
              return flip && {leaf: flip.node, distance: String(flip.distance),
                              cells: flip.moves.map((move) => [move.column, String(move.cell)])};
            });"""
        )
        for row, flip in enumerate(ours):
            text, cells = _core.counterfactual(case.model, table, row, [], [], [], 0, -1, None, None, None)
            theirs = json.loads(text)
            assert theirs["found"] == (flip is not None), (case, row)
            if flip is None:
                continue
            if theirs["distance"] is None:
                continue  # from an infinite cell every change is as far
            found += 1
            assert flip["leaf"] == theirs["leaf"], (case, row)
            assert float(flip["distance"]) == pytest.approx(theirs["distance"], rel=1e-12, abs=1e-300)
            for column, cell in flip["cells"]:
                assert float(cell) == cells[column], (case, row, column)
    print(f"\n{found} smallest changes agree")
    assert found > 100


def test_smallest_changes_of_rows_with_divided_cells_are_those_of_the_library(browser, tmp_path):
    found = kept = 0
    kinds = tuple(kind for kind in models.ALL_KINDS if kind != "oblique")
    for number in range(8):
        case = models.random_case(
            f"single {number}", kinds=kinds, leaves=14, missing=("child", "by_share", "surrogate")
        )
        rows = case.probes(40)
        table = case.table(rows)
        opened(browser, tmp_path, case, table)
        ours = browser.run(
            """const {app, nearestSingle, entangled, explainRow, finalAnswer} = window.bough;
            return Array.from({length: app.rows.n}, (_, i) => {
              const row = app.rows.cells(i), before = finalAnswer(explainRow(app.tree, row).answer, 0);
              if (entangled(app.tree, row, () => false) < 0) return 'free';
              const flip = nearestSingle(app.tree, row, (answer) => answer !== before);
              return flip && {distance: String(flip.distance), kept: row.filter(Number.isNaN).length,
                              cells: flip.moves.map((move) => [move.column, String(move.cell)])};
            });"""
        )
        for row, flip in enumerate(ours):
            if flip == "free":
                continue
            try:
                text, cells = _core.counterfactual(
                    case.model, table, row, [], [], [], 0, -1, None, None, None
                )
            except NotImplementedError as error:
                assert flip is None and "no change of one column" in str(error), (case, row)
                continue
            theirs = json.loads(text)
            if theirs["distance"] is None:
                continue  # from an infinite cell every change is as far
            found += 1
            assert float(flip["distance"]) == pytest.approx(theirs["distance"], rel=1e-12, abs=1e-300)
            for column, cell in flip["cells"]:
                assert float(cell) == cells[column], (case, row, column)
                kept += flip["kept"] - 1 > 0
    print(f"\n{found} single changes agree")
    assert found > 40 and kept > 10

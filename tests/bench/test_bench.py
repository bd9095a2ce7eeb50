# SPDX-License-Identifier: Apache-2.0
"""The benchmark runs on small sizes, checks its answers and writes what it says."""

import csv
import subprocess
import sys
import xml.etree.ElementTree as Xml

import pytest
from support import ROOT, run

PYTHON = ROOT / "bench/.venv/bin/python"

sys.path.append(str(ROOT / "bench"))
checks = pytest.importorskip("checks")
means = pytest.importorskip("ordinary_means")
rows = pytest.importorskip("ordinary_rows")


@pytest.fixture(scope="session")
def bench_tasks(release_build):
    if not PYTHON.exists():
        pytest.skip("the peers are not installed (tools/setup.sh bench)")
    run("cmake", "--build", release_build, "--target", "bench_tasks")
    return release_build / "bench/bench_tasks"


def figures(**changes):
    known = {
        "column": 3,
        "threshold": 0.5,
        "root_share": 0.1,
        "nodes": 401,
        "leaves": 201,
        "depth": 8,
        "score": 0.9,
    }
    return known | changes


@pytest.mark.parametrize(
    ("theirs", "complaint"),
    [
        ({}, None),
        ({"nodes": 405}, None),  # ties are broken differently
        ({"column": 4, "root_share": 0.0999}, None),  # another root, but no better
        ({"column": 4, "root_share": 0.1001}, "root removes"),
        ({"nodes": 501}, "nodes instead of"),
        ({"score": 0.95}, "score 0.9 instead of 0.95"),
    ],
)
def test_an_exact_peer_must_find_the_same_tree(theirs, complaint):
    found = checks.exact(figures(), figures(**theirs), classes=True, has_categories=False)
    assert [bool(complaint in problem) for problem in found if problem] == ([True] if complaint else [])


@pytest.mark.parametrize(
    ("theirs", "count"), [({}, 0), ({"depth": 7}, 1), ({"leaves": 100}, 1), ({"score": 0.85}, 0)]
)
def test_a_histogram_peer_must_have_grown_a_comparable_tree(theirs, count):
    assert sum(p is not None for p in checks.histogram(figures(), figures(**theirs), classes=True)) == count


@pytest.mark.long
def test_a_quick_run_writes_its_table(bench_tasks, tmp_path):
    rows = ["avx2_gini_d8", "hist_gini_d8", "weights_cost", "iris", "memory_d8"]
    words = [word for name in rows for word in ("--only", name)]
    print(run(PYTHON, ROOT / "bench/run.py", bench_tasks, "--quick", "--results", tmp_path, *words))
    with open(tmp_path / "quick.csv", newline="", encoding="utf-8") as file:
        lines = {line["row"]: line for line in csv.DictReader(file)}
    assert set(lines) == set(rows)
    for line in lines.values():
        assert line["answer"] == "ok", line
        assert float(line["best_s"]) > 0 and float(line["best_s"]) <= float(line["first_s"])
        assert line["commit"] and line["machine"]
    assert lines["hist_gini_d8"]["rival"] in {"lightgbm", "xgboost", "sklearnex"}
    assert lines["avx2_gini_d8"]["simd"] == "AVX2"
    assert "scikit-learn 1.9" in lines["iris"]["versions"]
    ratio = float(lines["iris"]["rival_best_s"]) / float(lines["iris"]["best_s"])
    assert float(lines["iris"]["figure"]) == pytest.approx(ratio, rel=1e-3)
    assert "iris, full" in (tmp_path / "quick.md").read_text(encoding="utf-8")


@pytest.mark.long
def test_quick_curves_are_drawn(bench_tasks, tmp_path):
    run(PYTHON, ROOT / "bench/curves.py", bench_tasks, "--quick", "--results", tmp_path)
    with open(tmp_path / "curves_quick.csv", newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert {(line["axis"], line["program"]) for line in lines} == {
        (axis, program) for axis in ("rows", "columns") for program in ("bough", "sklearn")
    }
    picture = Xml.parse(tmp_path / "curves_quick.svg").getroot()
    # Two lines in each of four charts, the size of the input in two of them, and three in the legend.
    assert len(picture.findall("{*}polyline")) == 10


@pytest.mark.long
def test_a_wrong_option_is_named(bench_tasks):
    result = subprocess.run([bench_tasks, "fit", "deepness=8"], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "deepness=8" in result.stderr and "depth" in result.stderr


def test_ordinary_tables_are_many_and_their_means_geometric():
    assert len(rows.TABLES) >= 16
    assert len({row.name for row in rows.ROWS}) == len(rows.ROWS) == 2 * 4 * len(rows.TABLES)
    one = {"work": "fit", "model": "tree", "bough_s": "0.5", "lightgbm_s": ""}
    lines = [one | {"table": "a", "sklearn_s": "1.0"}, one | {"table": "b", "sklearn_s": "4.0"}]
    mean, worst, table, count = means.means(lines)["fit", "tree", "sklearn"]
    assert (mean, worst, table, count) == (pytest.approx(4.0), 2.0, "a", 2)  # the root of 2 * 8
    assert means.mean_table(lines)[-1] == "| fit: fully grown tree | 4.0 (worst 2.0: a) |"


def test_small_trees_are_judged_on_fresh_rows_and_losses_are_named():
    small = pytest.importorskip("small")
    tables = pytest.importorskip("small_tables")
    known = [*tables.FILES, *tables.CONTREE, *tables.LIBRARY, *tables.GENERATORS]
    assert len(set(known)) == len(known) >= 25 and set(tables.QUICK) <= set(known)
    X, y = tables.read("wine")
    data = X[::2], y[::2], X[1::2], y[1::2]
    found = {name: small.trial(name, data, True) for name in ("grown_8", "pruned")}
    found["one_call"] = dict(found["grown_8"], accuracy=0.5)
    lines = [{"table": "wine", "split": 0, "program": name, **figures} for name, figures in found.items()]
    assert all(figures["accuracy"] > 0.8 for name, figures in found.items() if name != "one_call")
    (lost,) = small.small_page.losses(lines, ["wine"], list(found))
    assert lost.startswith("* wine: bough, cost_complexity") and "against 50.0" in lost


def test_two_packages_take_turns_at_the_rows_of_ordinary_tables():
    race = pytest.importorskip("ordinary_race")
    chosen = [row for row in rows.ROWS if row.table.name == "wine" and row.model in ("tree", "forest")]
    workers = {side: race.python_worker(sys.executable, "bough") for side in "AB"}
    told = list(race.race(chosen, workers, quick=True, rounds=2))
    for worker in workers.values():
        worker.close()
    assert [row.name for row, *_ in told] == [row.name for row in chosen]
    for _, sizes, best, scores in told:
        assert sizes == {"rows": 178, "columns": 13, "classes": 3}
        assert set(best) == {"A", "B"}
        assert min(best.values()) > 0.0
        assert scores == {"A": 1.0, "B": 1.0}

# SPDX-License-Identifier: Apache-2.0
"""Splits, cp tables, cross-validated errors, competitors and surrogates are rpart's on its own data sets.

Made against rpart 4.1.19. A cell in the middle between two others lies on a cut, where rpart goes right and
we left, so both programs see values moved by a millionth (`nudged`). Other ties: TIES and CROSSED."""

import json
import math
import os
import shutil
import subprocess

import pytest
from peers.rpart_cases import CASES, our_flags, r_call, write_table
from peers.rpart_trees import OurModel, read_theirs
from support import ROOT

DATA = ROOT.parent / "shared" / "data"
pytestmark = pytest.mark.long

# Equal gains that rpart's doubles tell apart: competitors change places. (case, node): columns.
TIES = {
    ("car.test.frame, Country", 4): {"Mileage", "Weight", "Disp.", "HP"},
    ("car.test.frame, Country", 55): {"Price", "Type"},
}

# Cases whose trees of all rows are the same, but not all trees of the groups: why.
CROSSED = {
    "car.test.frame, Price": "equal gains of Mileage and Weight, Reliability and Type in nodes of 6, 7 rows",
    "car.test.frame, Country": "equal gains of Price and Type, Mileage and Weight, Mileage and Type",
    "cu.summary, Price, small leaves": "two children of equal weight: rows without a surrogate stay, as in"
    " rpart's own training; its cross-validation sends them right",
    "solder, Solder, weights": "equal gains of PadType and Panel in a node of 8 rows of group 10",
}


def close(ours, theirs, slack=1e-9):
    return math.isclose(ours, theirs, rel_tol=slack, abs_tol=1e-9)


@pytest.fixture(scope="module", params=CASES)
def pair(request, release_build, tmp_path_factory):
    """Both fits of one case: name, our table of cp, our nodes, theirs."""
    if shutil.which("Rscript") is None:
        pytest.skip("R is not installed (tools/setup.sh long)")
    case = CASES[request.param]
    source = DATA / f"rpart_{case.data}.csv"
    if not source.is_file():
        pytest.skip(f"{source} is not here")
    folder = tmp_path_factory.mktemp("rpart")
    table = folder / "table.csv"
    write_table(case, source, table, nudge=True)
    script = ROOT / "tests/peers/rpart_side.R"
    r = subprocess.run(
        ["Rscript", script, table, r_call(case)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "LC_ALL": "C"},
    )
    if r.returncode != 0:
        pytest.fail(r.stderr, pytrace=False)
    model = folder / "model.json"
    ours = subprocess.run(
        [release_build / "bough", "train", table, *our_flags(case), "-o", model],
        capture_output=True,
        text=True,
        check=False,
    )
    if ours.returncode != 0:
        pytest.fail(ours.stderr, pytrace=False)
    rows = json.loads(model.read_text())["cp_table"]
    their_rows, their_nodes = read_theirs(r.stdout)
    return request.param, rows, OurModel(model.read_text()).nodes, their_rows, their_nodes


def test_the_cp_table_is_rparts(pair):
    name, ours, _, theirs, _ = pair
    assert len(ours) == len(theirs), name
    for mine, their in zip(ours, theirs, strict=True):
        assert mine[1] == their[1], name
        assert close(mine[0], their[0]) and close(mine[2], their[2]), (name, mine, their)


def test_cross_validated_errors_are_rparts(pair, request):
    name, ours, _, theirs, _ = pair
    if name in CROSSED:
        request.applymarker(pytest.mark.xfail(reason=CROSSED[name], strict=True))
    for mine, their in zip(ours, theirs, strict=True):
        assert close(mine[3], their[3], 1e-8) and close(mine[4], their[4], 1e-8), (name, mine, their)


def test_nodes_and_splits_are_rparts(pair):
    name, _, ours, _, theirs = pair
    assert set(ours) == set(theirs), name
    for number, their in theirs.items():
        mine = ours[number]
        assert mine.n == their.n, (name, number)
        assert close(mine.risk, their.risk, 1e-6), (name, number)
        assert (mine.primary is None) == (their.primary is None), (name, number)
        if mine.primary is not None:
            assert mine.primary.same_test(their.primary), (name, number, mine.primary, their.primary)


def improvement(node, gain, case):
    if case.method == "anova":
        return gain / node.risk
    return gain * math.log(2) if case.entropy else gain


def test_competitors_are_rparts(pair):
    name, _, ours, _, theirs = pair
    for number, their in theirs.items():
        mine = ours[number]
        assert len(mine.competitors) == len(their.competitors), (name, number)
        for a, b in zip(mine.competitors, their.competitors, strict=True):
            assert close(improvement(mine, a.score, CASES[name]), b.score, 1e-6), (name, number, a, b)
            if not {a.column, b.column} <= TIES.get((name, number), set()):
                assert a.same_test(b), (name, number, a, b)


def test_surrogates_are_rparts(pair):
    name, _, ours, _, theirs = pair
    for number, their in theirs.items():
        mine = ours[number]
        assert len(mine.surrogates) == len(their.surrogates), (
            name,
            number,
            mine.surrogates,
            their.surrogates,
        )
        for a, b in zip(mine.surrogates, their.surrogates, strict=True):
            assert close(a.score, b.score, 1e-6) and close(a.adjusted, b.adjusted, 1e-6), (name, number, a, b)
            assert a.same_test(b), (name, number, a, b)

# SPDX-License-Identifier: Apache-2.0
"""Beside Weka 3.6.14 (Debian's package weka): C4.5 with j48=true has J48's trees, node for node, and its
chances; the discretiser has its cuts."""

import csv
import io
import json
import shutil

import pytest
from peers import weka
from support import ROOT, run

DATA = ROOT.parent / "shared" / "data" / "weka"
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        not DATA.is_dir(),
        reason=f"the data sets are not here ({DATA.relative_to(ROOT.parent)} beside the checkout)",
    ),
    pytest.mark.skipif(
        not weka.JAR.exists() or shutil.which("java") is None,
        reason="Weka is not installed (tools/setup.sh long)",
    ),
]
SETS = [
    "weather.nominal",
    "weather.numeric",
    "contact-lenses",
    "iris",
    "labor",
    "vote",
    "breast-cancer",
    "glass",
    "soybean",
    "credit-g",
    "diabetes",
    "ionosphere",
    "segment-challenge",
]
FACTORS = ["0.05", "0.1", "0.25", "0.4", "0.5"]
SIZES = ["1", "2", "3", "5", "10", "25"]
WAYS = (
    [("-U", "-M", size) for size in SIZES]
    + [("-C", factor, "-M", size) for factor in FACTORS for size in SIZES]
    + [("-S", "-C", factor, "-M", "2") for factor in FACTORS]
)


def our_options(way):
    words = ["--algorithm", "c45", "--j48", "true"]
    if "-U" in way:
        words += ["--pruning", "none"]
    if "-A" in way:
        words += ["--leaf-probability", "laplace"]
    if "-S" in way:
        words += ["--subtree-raising", "false"]
    if "-C" in way:
        words += ["--confidence-factor", way[way.index("-C") + 1]]
    return [*words, "--min-samples-branch", way[way.index("-M") + 1]]


def prepared(name, folder):
    """The data set under plain names, its file, and what training needs to know of its columns."""
    data = weka.read_arff(DATA / f"{name}.arff")
    arff = folder / "data.arff"
    data.write(arff)
    classes = f"{data.names[-1]}:{'<'.join(data.values[-1])}"
    return data, arff, ["--target", data.names[-1], "--ordinal", classes, "--holdout", "0"]


@pytest.mark.parametrize("name", SETS)
def test_the_tree_is_j48s_node_for_node(name, release_build, tmp_path):
    data, arff, columns = prepared(name, tmp_path)
    model = tmp_path / "model.json"
    wrong, nodes = [], 0
    for way in WAYS:
        run(release_build / "bough", "train", arff, *columns, "-o", model, *our_options(way))
        ours, theirs = weka.read_ours(model, data), weka.run_j48(arff, *way)
        nodes += ours.size()
        wrong += [f"{' '.join(way)}: {words}" for words in weka.differences(ours, theirs, data)]
    print(f"{name}: {len(WAYS)} trees of {nodes} nodes beside J48, {len(wrong)} differences")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", ["labor", "vote", "breast-cancer", "glass", "soybean", "credit-g"])
@pytest.mark.parametrize("way", [("-M", "2"), ("-A", "-M", "2"), ("-U", "-M", "2"), ("-U", "-A", "-M", "2")])
def test_the_chances_are_j48s(name, way, release_build, tmp_path):
    data, arff, columns = prepared(name, tmp_path)
    model = tmp_path / "model.bough"
    run(release_build / "bough", "train", arff, *columns, "-o", model, *our_options(way))
    table = csv.DictReader(io.StringIO(run(release_build / "bough", "predict", model, arff, "--proba")))
    ours = [[float(row[key]) for key in list(row)[1:]] for row in table]
    theirs = weka.run_j48_chances(arff, *way)
    assert len(ours) == len(theirs) == len(data.rows)
    for i, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        assert mine == pytest.approx(other, abs=6e-4), f"row {i + 1}"


@pytest.mark.parametrize(
    "name", ["iris", "glass", "diabetes", "ionosphere", "segment-challenge", "labor", "credit-g"]
)
def test_the_intervals_are_wekas(name, release_build, tmp_path):
    data, arff, columns = prepared(name, tmp_path)
    theirs = weka.run_mdl(arff)
    model, part = tmp_path / "model.json", tmp_path / "part.arff"
    for j, column in enumerate(data.names[:-1]):
        if data.values[j] is not None:
            continue
        rows = [[row[j], row[-1]] for row in data.rows]
        weka.Data([column, data.names[-1]], [None, data.values[-1]], rows).write(part)
        way = ["--algorithm", "id3", "--discretize", "mdl", "--numeric", column]
        run(release_build / "bough", "train", part, *columns, *way, "-o", model)
        cuts = json.loads(model.read_text())["trees"][0]["arrays"].get("cut", [])
        assert [float(cut) for cut in cuts] == pytest.approx(theirs[column], abs=2e-6), column

# SPDX-License-Identifier: Apache-2.0
"""C4.5 with j48=true beside Weka's J48 3.6.14 (Debian's package weka): the same tree, node for node."""

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
    if "-S" in way:
        words += ["--subtree-raising", "false"]
    if "-C" in way:
        words += ["--confidence-factor", way[way.index("-C") + 1]]
    return [*words, "--min-samples-branch", way[way.index("-M") + 1]]


@pytest.mark.parametrize("name", SETS)
def test_the_tree_is_j48s_node_for_node(name, release_build, tmp_path):
    data = weka.read_arff(DATA / f"{name}.arff")
    arff, model = tmp_path / "data.arff", tmp_path / "model.json"
    data.write(arff)
    target = f"{data.names[-1]}:{'<'.join(data.values[-1])}"
    base = [release_build / "bough", "train", arff, "--target", data.names[-1], "--ordinal", target]
    wrong, nodes = [], 0
    for way in WAYS:
        run(*base, "--holdout", "0", "-o", model, *our_options(way))
        ours, theirs = weka.read_ours(model, data), weka.run_j48(arff, *way)
        nodes += ours.size()
        wrong += [f"{' '.join(way)}: {words}" for words in weka.differences(ours, theirs, data)]
    print(f"{name}: {len(WAYS)} trees of {nodes} nodes beside J48, {len(wrong)} differences")
    assert not wrong, "\n".join(wrong)

# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/migration name every parameter of the peer, and only parameters that bough has."""

import inspect
import re
import subprocess

import pytest
from support import ROOT

PAGES = ROOT / "docs" / "migration"
SKLEARN = [
    *("DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier", "ExtraTreeRegressor"),
    *("RandomForestClassifier", "RandomForestRegressor", "ExtraTreesClassifier", "ExtraTreesRegressor"),
]
# The parameters that decide how a tree looks, by page; from the peers' own manuals.
PEERS = {
    "rpart": """
        method weights cost minsplit minbucket cp maxcompete maxsurrogate usesurrogate
        surrogatestyle maxdepth xval na.action parms$split parms$prior parms$loss""",
    "weka-c5": """
        -U -C -M -R -N -B -S -L -A -Q CF minCases subset rules noGlobalPruning trials winnow
        fuzzyThreshold costs weights sample seed bands earlyStopping label""",
    "onedal": """
        nClasses splitCriterion pruning dataForPruning labelsForPruning maxTreeDepth
        minObservationsInLeafNodes nBins fptype method resultsToEvaluate weights max_bins
        min_bin_size""",
    "treeple": """
        feature_combinations max_features splitter ccp_alpha monotonic_cst store_leaf_values
        tree_estimator honest_fraction honest_prior honest_method stratify kernel_method
        tree_estimator_params bootstrap max_samples""",
    "boosting": """
        n_estimators learning_rate num_leaves max_depth min_child_samples min_child_weight
        min_split_gain reg_lambda reg_alpha max_bin min_data_in_bin objective categorical_feature
        cat_smooth cat_l2 max_cat_threshold max_cat_to_onehot use_missing zero_as_missing
        monotone_constraints interaction_constraints class_weight scale_pos_weight is_unbalance
        colsample_bytree subsample extra_trees path_smooth linear_tree random_state n_jobs gamma eta
        max_leaves grow_policy tree_method enable_categorical missing colsample_bynode""",
}


def named(page, cells):
    """The names in backticks in these cells (from 0) of all rows of tables of a page."""
    names = set()
    for line in (PAGES / f"{page}.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("|"):
            names.update(re.findall(r"`([^`]+)`", " ".join(line.split("|")[1:][i] for i in cells)))
    return names


def defaults(kind):
    return {name: p.default for name, p in inspect.signature(kind).parameters.items()}


@pytest.mark.parametrize("name", SKLEARN)
def test_every_parameter_of_scikit_learn(name):
    ensemble = pytest.importorskip("sklearn.ensemble")
    tree = pytest.importorskip("sklearn.tree")
    bough = pytest.importorskip("bough", reason="the package is not in this environment (make build)")
    theirs = defaults(getattr(tree, name, None) or getattr(ensemble, name))
    ours = defaults(getattr(bough, name))
    assert set(theirs) <= named("scikit-learn", [0]), (
        f"docs/migration/scikit-learn.md has no row for {name}'s"
    )
    # What the page says: all of them are parameters here too, with the same defaults.
    assert {key: ours[key] for key in theirs} == theirs


def public(thing):
    return {name for name in dir(thing) if not name.startswith("_")}


def test_every_attribute_of_scikit_learns_tree():
    tree = pytest.importorskip("sklearn.tree")
    bough = pytest.importorskip("bough", reason="the package is not in this environment (make build)")
    theirs = public(tree.DecisionTreeClassifier().fit([[0], [1]], [0, 1]).tree_)
    assert theirs <= named("scikit-learn", [0]), "docs/migration/scikit-learn.md has no row for"
    # What the page says is not there, and nothing else, is not there.
    ours = public(bough.DecisionTreeClassifier().fit([[0], [1]], [0, 1]).tree_)
    assert theirs - ours == {"compute_node_depths", "compute_partial_dependence"}
    for name in SKLEARN[:4]:
        assert public(getattr(tree, name)) <= public(getattr(bough, name))


@pytest.mark.parametrize("page", sorted(PEERS))
def test_the_parameters_that_matter(page):
    # The page on boosting has two libraries side by side.
    cells = named(page, [0, 1] if page == "boosting" else [0])
    words = {word for cell in cells for word in re.split(r"[\s,=]+", cell)}
    assert not set(PEERS[page].split()) - words


@pytest.mark.parametrize("page", sorted(path.stem for path in PAGES.glob("*.md")))
def test_options_exist(page, release_build):
    """Every --option in the tables is one of the command line."""
    text = (PAGES / f"{page}.md").read_text(encoding="utf-8")
    rows = "\n".join(line for line in text.splitlines() if line.startswith("|"))
    options = set(re.findall(r"--[a-z][a-z0-9-]+", rows))
    known = set()
    for verb in ["train", "predict", "prune", "show", "export", "rules", "forest"]:
        wish = "--help-all"
        helped = subprocess.run(
            [release_build / "bough", verb, wish], capture_output=True, text=True, check=True
        )
        known.update(re.findall(r"--[a-z][a-z0-9-]+", helped.stdout))
    assert not options - known


def test_the_index_lists_every_page():
    index = (PAGES / "index.md").read_text(encoding="utf-8")
    tree = index.partition("```{toctree}")[2]
    for path in PAGES.glob("*.md"):
        if path.stem != "index":
            assert f"({path.name})" in index
            assert f"\n{path.stem}\n" in tree

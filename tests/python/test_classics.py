# SPDX-License-Identifier: Apache-2.0
"""ID3 and C4.5 from Python: frames, files, pictures, refusals; the trees themselves are tested in C++."""

import pickle

import bough
import numpy as np
import pytest
from sklearn.utils._param_validation import InvalidParameterError

pd = pytest.importorskip("pandas")

DAYS = pd.DataFrame(
    {
        "outlook": [
            "sunny",
            "sunny",
            "overcast",
            "rainy",
            "rainy",
            "rainy",
            "overcast",
            "sunny",
            "sunny",
            "rainy",
            "sunny",
            "overcast",
            "overcast",
            "rainy",
        ],
        "temperature": [85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71],
        "humidity": [85.0, 90, 86, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 91],
        "windy": [False, True, False, False, False, True, True, False, False, False, True, True, False, True],
    }
)
PLAY = np.array(["no", "no", "yes", "yes", "yes", "no", "yes", "no", "yes", "yes", "yes", "yes", "yes", "no"])


def test_c45_grows_quinlans_tree_of_a_frame_with_text():
    tree = bough.C45Classifier().fit(DAYS, PLAY)
    assert tree.score(DAYS, PLAY) == 1.0
    assert tree.get_n_leaves() == 5
    assert [tree.tree_.names[f] for f in tree.tree_.feature if f >= 0] == ["outlook", "windy", "humidity"]
    assert tree.feature_importances_.sum() == pytest.approx(1.0)


# Sunny, humidity 77.5 or less: 2 yes; above: 3 no. A missing humidity gives yes 2/5.
def test_a_missing_cell_is_answered_by_all_branches():
    tree = bough.C45Classifier().fit(DAYS, PLAY)
    day = DAYS.iloc[[0]].assign(humidity=np.nan)
    assert tree.predict_proba(day)[0] == pytest.approx([0.6, 0.4])
    smooth = bough.C45Classifier(leaf_probability="laplace").fit(DAYS, PLAY)
    assert smooth.predict_proba(day)[0, 1] == pytest.approx(0.4 * 3 / 4 + 0.6 * 1 / 5)


def test_id3_takes_categories_and_intervals():
    tree = bough.ID3Classifier().fit(DAYS, PLAY)
    assert tree.tree_.names[tree.tree_.feature[0]] == "outlook"
    words = bough.ID3Classifier(discretize="none").fit(DAYS[["outlook", "windy"]], PLAY)
    assert words.get_n_leaves() == 5
    with pytest.raises(bough.BoughError, match="temperature, humidity are numeric"):
        bough.ID3Classifier(discretize="none").fit(DAYS, PLAY)


def test_j48_moves_thresholds_to_data_values():
    ours = bough.C45Classifier().fit(DAYS, PLAY).tree_
    theirs = bough.C45Classifier(j48=True).fit(DAYS, PLAY).tree_
    assert 77.5 in ours.threshold
    assert 75.0 in theirs.threshold


@pytest.mark.parametrize("cls", [bough.ID3Classifier, bough.C45Classifier])
def test_it_travels_by_pickle_and_file(cls, tmp_path):
    tree = cls(leaf_probability="laplace").fit(DAYS, PLAY)
    again = pickle.loads(pickle.dumps(tree))
    assert (again.predict_proba(DAYS) == tree.predict_proba(DAYS)).all()
    tree.save(tmp_path / "tree.bough")
    loaded = bough.load(tmp_path / "tree.bough")
    assert type(loaded) is cls
    assert loaded.get_params()["leaf_probability"] == "laplace"
    assert (loaded.predict_proba(DAYS) == tree.predict_proba(DAYS)).all()


def test_pictures_and_words():
    tree = bough.C45Classifier().fit(DAYS, PLAY)
    text = bough.export_text(tree)
    assert "outlook" in text
    assert "humidity <= 77.5" in text
    dot = bough.export_graphviz(tree)
    assert "entropy = 0.94" in dot
    sentences = tree.explain(DAYS, 2)["sentences"]
    assert sentences[0] == "outlook is overcast."
    pytest.importorskip("matplotlib").use("Agg")
    notes = bough.plot_tree(tree)
    assert len(notes) >= 8
    drawn = [note.get_text() for note in notes]
    assert len(tree.tree_.children(0)) == 3
    assert {f"in {{{value}}}" for value in ("overcast", "rainy", "sunny")} <= set(drawn)
    with pytest.raises(ValueError, match="max_depth must be None or at least 0, but is -3"):
        bough.plot_tree(tree, max_depth=-3)


def test_bad_input_is_refused():
    for factor in (0.0, 0.6, -1.0):
        with pytest.raises(InvalidParameterError):
            bough.C45Classifier(pruning=bough.Pessimistic(factor)).fit(DAYS, PLAY)
    with pytest.raises(ValueError, match="one target"):
        bough.C45Classifier().fit(DAYS, np.stack([PLAY, PLAY], axis=1))


def test_pruning_and_its_parameter():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4))
    y = (X[:, 0] + rng.normal(size=400) > 0).astype(int)
    sizes = [
        bough.C45Classifier(pruning=bough.Pessimistic(c)).fit(X, y).get_n_leaves() for c in (0.01, 0.25, 0.5)
    ]
    assert sizes == sorted(sizes)
    assert sizes[-1] <= bough.C45Classifier(pruning="none").fit(X, y).get_n_leaves()
    path = bough.C45Classifier(pruning="none").cost_complexity_pruning_path(X, y)
    assert path.ccp_alphas[0] == 0.0

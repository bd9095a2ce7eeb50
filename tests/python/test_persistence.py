# SPDX-License-Identifier: Apache-2.0
"""Models travel as their own bytes: pickle, joblib, copy, skops, files that the command line reads."""

import copy
import json
import pickle
import subprocess
import sys
import warnings

import bough
import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris


def models():
    X, y = load_iris(return_X_y=True)
    words = np.array(["setosa", "versicolor", "virginica"])[y]
    D, z = load_diabetes(return_X_y=True)
    return {
        "numbers": (bough.DecisionTreeClassifier().fit(X, y), X),
        "words": (bough.ExtraTreeClassifier(random_state=3).fit(X, words), X),
        "several": (bough.DecisionTreeClassifier(max_depth=3).fit(X, np.c_[y, y == 1]), X),
        "regression": (bough.DecisionTreeRegressor(max_depth=5).fit(D, z), D),
        "outputs": (bough.ExtraTreeRegressor(max_depth=5).fit(D, np.c_[z, -z]), D),
    }


MODELS = models()


def through_skops(model):
    skops = pytest.importorskip("skops.io")
    data = skops.dumps(model)
    unknown = skops.get_untrusted_types(data=data)
    assert all(name.startswith("bough.") for name in unknown), unknown
    return skops.loads(data, trusted=unknown)


def through_joblib(model):
    import io

    buffer = io.BytesIO()
    joblib.dump(model, buffer)
    buffer.seek(0)
    return joblib.load(buffer)


WAYS = {
    "pickle": lambda model: pickle.loads(pickle.dumps(model)),
    "joblib": through_joblib,
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
    "skops": through_skops,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", MODELS)
def test_a_model_comes_back_with_all_its_answers(name, way):
    model, X = MODELS[name]
    again = WAYS[way](model)
    assert type(again) is type(model)
    assert again.get_params() == model.get_params()
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(again.apply(X), model.apply(X))
    assert again.tree_.model.to_bytes() == model.tree_.model.to_bytes()


def test_a_pickle_holds_the_models_bytes_and_no_arrays_of_nodes():
    model, _ = MODELS["numbers"]
    assert model.tree_.model.to_bytes() in pickle.dumps(model)
    assert len(pickle.dumps(model)) < len(model.tree_.model.to_bytes()) + 2000
    tree = pickle.loads(pickle.dumps(model.tree_))
    np.testing.assert_array_equal(tree.value, model.tree_.value)


@pytest.mark.parametrize("ending", [".bough", ".json"])
@pytest.mark.parametrize("name", MODELS)
def test_a_saved_model_is_loaded_as_what_it_was(tmp_path, name, ending):
    model, X = MODELS[name]
    model.save(tmp_path / f"m{ending}")
    again = bough.load(tmp_path / f"m{ending}")
    assert type(again) is type(model)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    if hasattr(model, "classes_"):
        assert str(again.classes_) == str(model.classes_)
    for key in ("max_depth", "splitter", "max_features", "criterion"):
        assert getattr(again, key) == getattr(model, key)
    clone(again).fit(X, model.predict(X))


@pytest.mark.parametrize("kind", [np.float64, np.int64, np.bool_, np.str_])
@pytest.mark.parametrize("cls", [bough.DecisionTreeClassifier, bough.RandomForestClassifier])
def test_labels_come_back_in_their_own_type(tmp_path, cls, kind):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = (X[:, 0] > 0).astype(np.int64).astype(kind)
    model = cls(random_state=0).fit(X, y)
    model.save(tmp_path / "m.bough")
    loaded = bough.load(tmp_path / "m.bough")
    assert loaded.classes_.dtype.kind == model.classes_.dtype.kind == y.dtype.kind
    assert loaded.classes_.tolist() == model.classes_.tolist()
    assert loaded.predict(X).dtype.kind == y.dtype.kind


def test_the_command_line_and_python_share_their_files(tmp_path):
    table = tmp_path / "iris.csv"
    X, y = load_iris(return_X_y=True)
    rows = "\n".join(
        ",".join(map(repr, [*map(float, row), int(label)])) for row, label in zip(X, y, strict=True)
    )
    table.write_text("a,b,c,d,kind\n" + rows + "\n")
    command = [sys.executable, "-m", "bough"]
    whole = ["--size", "full", "-o", tmp_path / "cli.bough"]
    subprocess.run([*command, "train", table, "--target", "kind", *whole], check=True)
    from_cli = bough.load(tmp_path / "cli.bough")
    assert from_cli.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=["a", "b", "c", "d"])
    ours = bough.DecisionTreeClassifier().fit(frame, y)
    np.testing.assert_array_equal(from_cli.predict(frame), ours.predict(frame))
    np.testing.assert_array_equal(from_cli.tree_.threshold, ours.tree_.threshold)
    ours.save(tmp_path / "py.bough")
    shown = subprocess.run(
        [*command, "predict", tmp_path / "py.bough", table], check=True, capture_output=True, text=True
    )
    answers = [line.split(",")[0] for line in shown.stdout.splitlines()[1:]]
    assert answers == [str(label) for label in ours.predict(frame)]
    told = subprocess.run(
        [*command, "info", tmp_path / "py.bough", "--json"], check=True, capture_output=True, text=True
    )
    assert "bough.DecisionTreeClassifier.fit" in json.dumps(json.loads(told.stdout))


def test_a_damaged_file_is_refused(tmp_path):
    path = tmp_path / "m.bough"
    MODELS["numbers"][0].save(path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(bytes(data))
    with pytest.raises(bough.BoughError):
        bough.load(path)
    with pytest.raises(OSError, match=r"nowhere\.bough"):
        bough.load(tmp_path / "nowhere.bough")


def test_bytes_that_are_no_text_are_told_by_an_error_of_ours(tmp_path):
    # The message quotes what stands in the file, which is not UTF-8.
    path = tmp_path / "model.json"
    path.write_bytes(b'{"bough": "\xff"}')
    with pytest.raises(bough.BoughError, match="cannot be read"):
        bough.load(path)


@pytest.mark.parametrize("cls", [bough.TreeClassifier, bough.TreeRegressor])
def test_a_tree_that_chose_its_size_comes_back_as_what_it_is(cls, tmp_path):
    X, y = load_iris(return_X_y=True)
    model = cls(pruning_folds=4, pruning_rule="one_se").fit(X, y)
    model.save(tmp_path / "tree.bough")
    loaded = bough.load(tmp_path / "tree.bough")
    assert type(loaded) is cls
    assert (loaded.pruning_folds, loaded.pruning_rule) == (4, "one_se")
    assert loaded.choice_ == model.choice_
    np.testing.assert_array_equal(loaded.fit(X, y).predict(X), model.predict(X))


def test_random_cuts_keep_the_seed_0(tmp_path):
    X, y = load_iris(return_X_y=True)
    model = bough.ExtraTreeClassifier(random_state=0).fit(X, y)
    model.save(tmp_path / "tree.bough")
    assert bough.load(tmp_path / "tree.bough").random_state == 0


@pytest.mark.parametrize(
    "labels",
    [
        np.array([2**60, 2**60 + 1]),
        np.array(["2020-01-01", "2021-01-01"], dtype="M8[D]"),
    ],
)
def test_labels_that_files_cannot_hold_are_told_when_they_are_saved(labels, tmp_path):
    X, y = np.arange(8.0).reshape(-1, 1), labels[np.arange(8) // 4]
    for model in (bough.DecisionTreeClassifier(), bough.RandomForestClassifier(n_estimators=2)):
        with pytest.warns(UserWarning, match="the file cannot hold the classes"):
            model.fit(X, y).save(tmp_path / "model.bough")
        assert pickle.loads(pickle.dumps(model)).classes_.tolist() == labels.tolist()


@pytest.mark.parametrize(
    "labels", [[0, 1], [2**53 - 2, 2**53 - 1], ["a", "b"], [False, True], [1.0, 2.0], [-3, 7], ["é", "漢"]]
)
def test_other_labels_are_saved_without_a_word(labels, tmp_path):
    X, y = np.arange(8.0).reshape(-1, 1), np.array(labels)[np.arange(8) // 4]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bough.DecisionTreeClassifier().fit(X, y).save(tmp_path / "model.bough")
        bough.DecisionTreeClassifier().fit(X, np.column_stack([y, y])).save(tmp_path / "model.bough")
    assert bough.load(tmp_path / "model.bough").classes_[0].tolist() == labels

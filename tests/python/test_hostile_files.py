# SPDX-License-Identifier: Apache-2.0
"""Model files of strangers, and files that are replaced whole or not at all, through the Python package."""

import ast
import os
import pickle
import random
import re
import resource
import signal
import time
from pathlib import Path

import bough
import numpy as np
import pytest
from sklearn.datasets import load_iris

SEED = int(os.environ.get("BOUGH_SEED", "20261115"))
STRAY = re.compile(r".*\.tmp-\d+-\d+")


def iris_tree(**options):
    return bough.DecisionTreeClassifier(**options).fit(*load_iris(return_X_y=True))


def test_damaged_files_are_refused_with_the_files_name(tmp_path):
    path = tmp_path / "m.bough"
    iris_tree().save(path)
    good = path.read_bytes()
    draw = random.Random(SEED)
    for _ in range(200):
        at = draw.randrange(len(good))
        bad = bytearray(good)
        bad[at] ^= draw.randrange(1, 256)
        path.write_bytes(bad if draw.random() < 0.5 else good[:at])
        with pytest.raises(ValueError, match=r"m\.bough.*(altered|truncated|not a bough model|version)"):
            bough.load(path)


def test_a_pickle_is_no_model_file_and_is_not_run(tmp_path):
    class Trap:
        def __reduce__(self):
            return (Path.touch, (tmp_path / "sprung",))

    path = tmp_path / "m.bough"
    path.write_bytes(pickle.dumps(Trap()))
    with pytest.raises(ValueError, match="not a bough model"):
        bough.load(path)
    assert not (tmp_path / "sprung").exists()


def test_nothing_in_the_package_unpickles_or_evaluates():
    """Pickles are made and read by whoever pickles an estimator; the package itself never does."""
    forbidden = {"pickle", "dill", "cloudpickle", "marshal", "shelve"}
    for path in Path(bough.__file__).parent.rglob("*.py"):
        if "distributed" in path.parts or path.name == "dask.py":
            continue  # clusters of one's own send functions to each other
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                names = [alias.name for alias in node.names] + [getattr(node, "module", None) or ""]
                assert not forbidden & {name.split(".")[0] for name in names}, path
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == "joblib"
            ):
                assert node.attr == "effective_n_jobs", path
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec", "compile", "__import__"), path


def test_a_pickled_estimator_with_hostile_bytes_is_refused():
    model = iris_tree()
    state = model.__getstate__()
    good = state["tree_"]
    for bad in (good[:-9], good[:300] + b"\xff" + good[301:], b"", b"\x80\x04."):
        with pytest.raises(ValueError, match=r"altered|truncated|not a bough model"):
            bough.DecisionTreeClassifier().__setstate__({**state, "tree_": bad})
    data = pickle.dumps(model)
    at = data.index(good[:64]) + 200
    with pytest.raises(ValueError, match="altered"):
        pickle.loads(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])


def two_models(tmp_path):
    draw = np.random.default_rng(SEED)
    X = draw.random((6000, 3))
    models = [bough.DecisionTreeRegressor(random_state=i).fit(X, draw.random(6000)) for i in range(2)]
    contents = {}
    for ending in ("bough", "json"):
        contents[ending] = []
        for i, model in enumerate(models):
            model.save(tmp_path / f"{i}.{ending}")
            contents[ending].append((tmp_path / f"{i}.{ending}").read_bytes())
    return models, contents


def forked(job):
    """A child that does a job until it is killed; it knows the package already."""
    child = os.fork()
    if child == 0:
        try:
            job()
        finally:
            os._exit(1)
    return child


def kill_often(tmp_path, kills):
    models, contents = two_models(tmp_path)
    draw = random.Random(SEED)
    folder = tmp_path / "place"
    folder.mkdir()
    seen, strays = [0, 0], 0
    for i in range(kills):
        ending = ("bough", "json")[i % 2]
        path = folder / f"m.{ending}"
        path.write_bytes(contents[ending][i // 2 % 2])

        def save(path=path):
            while True:
                for model in models:
                    model.save(path)

        child = forked(save)
        time.sleep(draw.uniform(0.0, 0.15))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        there = path.read_bytes()
        assert there in contents[ending], "neither the old model nor the new one"
        seen[contents[ending].index(there)] += 1
        left = [p for p in folder.iterdir() if p.suffix not in (".bough", ".json")]
        assert all(STRAY.fullmatch(p.name) for p in left), left
        strays += len(left)
        for p in left:
            p.unlink()
    sizes = [len(contents[ending][0]) for ending in contents]
    print(
        f"\n{kills} kills while saving files of {sizes} bytes: {seen} of the two models, {strays} left over"
    )


def test_saving_that_is_killed_leaves_the_old_model_or_the_new_one(tmp_path):
    kill_often(tmp_path, 6)


@pytest.mark.long
def test_saving_that_is_killed_at_a_hundred_moments_leaves_the_old_model_or_the_new_one(tmp_path):
    kill_often(tmp_path, 100)


def write_together(tmp_path, rounds):
    models, contents = two_models(tmp_path)
    path = tmp_path / "m.bough"
    models[0].save(path)

    def save(model):
        for _ in range(rounds):
            model.save(path)
        os._exit(0)

    children = [forked(lambda model=model: save(model)) for model in models]
    looks, seen = 0, set()
    while children:
        seen.add(contents["bough"].index(path.read_bytes()))  # ValueError: neither
        looks += 1
        child, status = os.waitpid(-1, os.WNOHANG)
        if child in children:
            assert status == 0
            children.remove(child)
    print(f"\n2 writers of {rounds} saves each, {looks} looks: one of the two models, seen {sorted(seen)}")
    assert not [p for p in tmp_path.iterdir() if STRAY.fullmatch(p.name)]


def test_two_writers_at_once_leave_one_of_the_two_models(tmp_path):
    write_together(tmp_path, 20)


@pytest.mark.long
def test_two_writers_at_once_many_times_leave_one_of_the_two_models(tmp_path):
    write_together(tmp_path, 1000)


def outputs():
    X, y = load_iris(return_X_y=True)
    model = iris_tree(max_depth=3)
    return {
        "m.bough": model.save,
        "m.json": model.save,
        "m.c": lambda path: model.export("c", path),
        "m.svg": lambda path: bough.draw_tree(model).save(path),
        "m.html": lambda path: model.report(X, y).save(path),
        "m.dot": lambda path: bough.export_graphviz(model, str(path)),
    }


@pytest.mark.parametrize("name", outputs())
def test_every_output_survives_a_full_disk(tmp_path, name):
    write = outputs()[name]
    path = tmp_path / name
    path.write_text("old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(OSError, match=re.escape(name)):
            write(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_text() == "old" and os.listdir(tmp_path) == [name]
    write(path)
    assert path.read_bytes() != b"old" and os.listdir(tmp_path) == [name]

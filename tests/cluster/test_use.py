# SPDX-License-Identifier: Apache-2.0
"""Estimators of a cluster in use: lazy answers, views of the model, the trace, blocks that travel, other
executors."""

import copy
import pickle
import subprocess
import sys

import bough
import bough.dask
import dask.array as da
import numpy as np
import pandas as pd
import pytest
from bough import _core
from bough.distributed import LocalExecutor, Partitions
from bough.distributed._partition import Wish
from sklearn.base import clone

from cluster.tables import SEED, bytes_of, divided, made

X, Y, NUMBER, WEIGHTS = made(400)


def grown(kind, y, client, **params):
    """A model of the cluster and the same of this process."""
    found = getattr(bough.dask, kind)(**params).fit(divided(X, 3), divided(y, 3), client=client)
    return found, getattr(bough, kind)(**params).fit(X, y)


def test_answers_are_lazy_and_those_of_the_model_in_memory(client):
    Xd = divided(X, 4)
    for labels in (Y, Y.map({0: "lo", 1: "mid", 2: "hi"})):
        found, wanted = grown("DecisionTreeClassifier", labels, client, max_depth=4)
        answer = found.predict(Xd)
        assert answer.name == "y" and answer.npartitions == 4
        got = answer.compute()
        assert got.index.equals(X.index) and np.array_equal(got.to_numpy(), wanted.predict(X))
        shares = found.predict_proba(Xd).compute()
        assert shares.columns.tolist() == wanted.classes_.tolist()
        assert np.array_equal(shares.to_numpy(), wanted.predict_proba(X))
        assert np.array_equal(found.predict_proba(X), wanted.predict_proba(X))
        assert np.array_equal(found.apply(Xd).compute(), wanted.apply(X))


def test_answers_of_arrays_several_outputs_and_forests(client):
    cells = X[["wide", "holes", "whole"]].to_numpy()
    lazy = da.from_array(cells, chunks=(90, 2))
    several = np.stack([NUMBER, -NUMBER], axis=1)
    found = bough.dask.DecisionTreeRegressor(max_depth=4).fit(
        lazy, da.from_array(several, chunks=90), client=client
    )
    wanted = bough.DecisionTreeRegressor(max_depth=4).fit(cells, several)
    assert bytes_of(found) == bytes_of(wanted)
    assert found.predict(lazy).shape == (400, 2)
    assert np.array_equal(found.predict(lazy).compute(), wanted.predict(cells))
    forest = bough.dask.RandomForestClassifier(3, random_state=SEED).fit(
        lazy, da.from_array(Y.to_numpy(), chunks=90), client=client
    )
    same = bough.RandomForestClassifier(3, random_state=SEED).fit(cells, Y.to_numpy())
    assert bytes_of(forest) == bytes_of(same)
    assert np.array_equal(forest.predict(lazy).compute(), same.predict(cells))
    assert np.array_equal(forest.predict_proba(lazy).compute(), same.predict_proba(cells))
    assert all(
        np.array_equal(a, b)
        for a, b in zip(forest.estimators_samples_, same.estimators_samples_, strict=True)
    )
    unknown = lazy[lazy[:, 0] > 0]
    assert np.array_equal(forest.predict(unknown).compute(), same.predict(cells[cells[:, 0] > 0]))


def test_rows_of_another_shape_are_refused_when_answers_are_asked_for(client):
    found, _ = grown("DecisionTreeClassifier", Y, client, max_depth=2)
    rows = divided(X, 2)
    for bad, words in (
        (rows[["wide"]], "yet now missing"),
        (rows[list(X.columns[::-1])], "same order"),
        (rows.assign(extra=1), "unseen at fit time"),
        (rows["wide"], "two-dimensional"),
        (da.zeros((9, 3), chunks=3), "X has 3 features, but DecisionTreeClassifier is expecting 7"),
        (da.zeros(9, chunks=3), "two-dimensional"),
    ):
        for method in (found.predict, found.predict_proba, found.apply):
            with pytest.raises(ValueError, match=words):
                method(bad)


def test_the_model_is_seen_saved_and_copied_as_others_are(client, tmp_path):
    found, wanted = grown("DecisionTreeClassifier", Y, client, max_depth=3)
    found.save(tmp_path / "there.bough")
    wanted.save(tmp_path / "here.bough")
    assert (tmp_path / "there.bough").read_bytes() == (tmp_path / "here.bough").read_bytes()
    assert found.export("text") == wanted.export("text")
    assert found.tree_.n_leaves == wanted.tree_.n_leaves
    assert np.array_equal(found.feature_importances_, wanted.feature_importances_)
    for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert bytes_of(again) == bytes_of(wanted) and np.array_equal(again.predict(X), wanted.predict(X))
    assert clone(found).get_params() == wanted.get_params()
    assert "max_depth" in bough.dask.RandomForestRegressor.__doc__


def test_y_may_be_a_column_and_weights_another(client):
    both = X.assign(label=Y, w=WEIGHTS)
    found = bough.dask.DecisionTreeClassifier(max_depth=4).fit(divided(both, 3), "label", "w", client=client)
    wanted = bough.DecisionTreeClassifier(max_depth=4).fit(X, Y.rename("label"), sample_weight=WEIGHTS)
    assert bytes_of(found) == bytes_of(wanted)


@pytest.mark.parametrize("class_weight", ["balanced", {0: 1.0, 1: 2.5, 2: 0.3}])
@pytest.mark.parametrize("weighted", [False, True])
def test_class_weights_are_those_of_all_rows(client, class_weight, weighted):
    odd = pd.Series(
        np.random.default_rng(SEED).random(len(X)), name="w"
    )  # sums of these depend on their order
    kinds = ["DecisionTreeClassifier", "RandomForestClassifier"]
    for kind in kinds if weighted else kinds[:1]:
        params = dict(max_depth=4, class_weight=class_weight, random_state=SEED)
        params |= {"n_estimators": 2, "bootstrap": False} if "Forest" in kind else {}
        found = getattr(bough.dask, kind)(**params).fit(
            divided(X, 5), divided(Y, 5), divided(odd, 5) if weighted else None, client=client
        )
        wanted = getattr(bough, kind)(**params).fit(X, Y, sample_weight=odd if weighted else None)
        assert bytes_of(found) == bytes_of(wanted)


def test_the_trace_tells_every_round(client):
    found, _ = grown("DecisionTreeClassifier", Y, client, max_depth=5)
    trace = found.trace_
    assert [row["phase"] for row in trace[:3]] == ["partitions", "summarise", "encode"]
    asked = trace[3:]
    assert all(row["seconds"] > 0 and row["request_bytes"] > 0 and row["answer_bytes"] > 0 for row in asked)
    assert sum(row["rounds"] for row in trace.by_phase()) == len(trace)
    assert str(trace).count("\n") == len(trace) + 1
    assert len(pd.DataFrame(trace)) == len(trace)


def test_threads_of_this_process_are_an_executor_too():
    executor = LocalExecutor(threads=2)
    rows = [np.arange(0, 150), np.arange(150, 160), np.arange(160, 400)]
    for kind, y in (("DecisionTreeClassifier", Y), ("RandomForestRegressor", NUMBER)):
        params = {"n_estimators": 3, "random_state": SEED} if "Forest" in kind else {}
        found = getattr(bough.dask, kind)(max_depth=6, **params)
        parts = Partitions([X.iloc[r] for r in rows], [y.iloc[r] for r in rows], [None] * 3)
        found._fit_parts(executor, parts, Wish(found._task), [y.name])
        assert bytes_of(found) == bytes_of(getattr(bough, kind)(max_depth=6, **params).fit(X, y))
    executor.close()


def block():
    table = _core.Table()
    cells = np.random.default_rng(SEED).normal(size=(500, 4))
    table.add_matrix(cells, list("abcd"), cells)
    y = (cells[:, 0] > 0).astype(np.int64)
    table.add_column("y", y, y)
    spec, params = _core.FitSpec(["y"]), _core.Params("{}")
    plan = _core.make_plan(_core.summarise(table, spec, params), spec, params)
    return plan, _core.RowBlock(table, plan, 0)


def test_blocks_and_plans_travel_by_pickles_buffers():
    plan, rows = block()
    assert pickle.loads(pickle.dumps(plan)).to_bytes() == plan.to_bytes()
    for protocol in (4, 5):
        again = pickle.loads(pickle.dumps(rows, protocol))
        assert again.n_rows == 500 and bytes(again.image) == bytes(rows.image)
    buffers = []
    small = pickle.dumps(rows, 5, buffer_callback=buffers.append)
    assert len(small) < 1000 and sum(len(buffer.raw()) for buffer in buffers) == rows.nbytes
    shifted = bytearray(rows.nbytes + 1)
    shifted[1:] = bytes(rows.image)
    again = pickle.loads(small, buffers=[memoryview(shifted)[1:]])  # not aligned
    assert bytes(again.image) == bytes(rows.image)
    assert sys.getsizeof(rows) >= rows.nbytes >= 500 * plan.bytes_per_row // 2


def test_what_callbacks_raise_comes_out_of_the_fit():
    plan, rows = block()

    class Odd(Exception):
        pass

    def fail(request):
        raise Odd("no")

    with pytest.raises(Odd, match="no"):
        _core.fit_blocks(plan, fail, fail)
    model = _core.fit_blocks(
        plan,
        lambda request: _core.answer([rows], request),
        lambda request: [
            _core.finish_group(plan, request, g, [part[g] for part in _core.parts_of([rows], request)])
            for g in range(_core.request_info(request)["n_groups"])
        ],
    )
    assert model.n_trees == 1


# ---------------------------------------------------------------- the command line
def train(release_build, *words, python=sys.executable):
    return subprocess.run(
        [release_build / "bough", "train", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        env={"BOUGH_PYTHON": str(python), "PATH": "/usr/bin:/bin"},
        timeout=120,
    )


def test_the_command_line_trains_on_a_cluster(client, release_build, tmp_path):
    address = client.scheduler.address
    frame = X.assign(y=Y)
    frame.to_parquet(tmp_path / "rows.parquet", row_group_size=100)
    for i in range(2):
        frame.iloc[i * 200 : i * 200 + 200].to_csv(tmp_path / f"rows{i}.csv", index=False)
    frame.to_csv(tmp_path / "all.csv", index=False)
    words = ("--target", "y", "--task", "classification", "--max-depth", "4")
    for data, same in (("rows*.csv", "all.csv"), ("rows.parquet", "rows.parquet")):
        there = train(
            release_build, tmp_path / data, *words, "--dask", address, "-o", tmp_path / "there.json"
        )
        assert there.returncode == 0, there.stderr
        assert "no held-out score" in there.stdout
        here = train(release_build, tmp_path / same, *words, "-o", tmp_path / "here.json")
        assert here.returncode == 0, here.stderr
        models = [_core.Model.load(str(tmp_path / f"{place}.json")) for place in ("there", "here")]
        assert models[0].signed_by("").to_bytes() == models[1].signed_by("").to_bytes()


def test_the_command_line_says_what_it_lacks(client, release_build, tmp_path):
    X.assign(y=Y).to_csv(tmp_path / "rows.csv", index=False)
    words = (tmp_path / "rows.csv", "--target", "y", "--dask")
    nothing = train(release_build, *words, "tcp://127.0.0.1:9", python="no-such-python")
    assert nothing.returncode == 6 and "pip install 'bough[dask]'" in nothing.stderr
    fake = tmp_path / "python"
    fake.write_text("#!/bin/sh\necho No module named bough >&2; exit 1\n")
    fake.chmod(0o755)
    without = train(release_build, *words, "tcp://127.0.0.1:9", python=fake)
    assert without.returncode == 6 and "pip install 'bough[dask]'" in without.stderr
    missing = train(release_build, tmp_path / "nowhere.parquet", *words[1:], client.scheduler.address)
    assert missing.returncode == 5 and "nowhere.parquet" in missing.stderr
    column = train(release_build, words[0], "--target", "z", "--dask", client.scheduler.address)
    assert column.returncode in (2, 3) and "z" in column.stderr
    assert "hint: did you mean 'y'?" in column.stderr and "hint: workers must see" in missing.stderr
    for address in ("", "foo", "http://x", "tcp://host", "--json"):
        odd = train(release_build, *words, address)
        assert odd.returncode == 2 and f"'{address}' is not the address" in odd.stderr, odd.stderr
        assert "hint: an address looks like tcp://host:8786" in odd.stderr
    beside = train(release_build, "-", *words[1:], client.scheduler.address)
    assert beside.returncode == 6 and "standard input cannot be combined with --dask" in beside.stderr

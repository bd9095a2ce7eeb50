# SPDX-License-Identifier: Apache-2.0
"""Parquet and Arrow files in a program without the Arrow component: by the pyarrow of a Python."""

import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
from support import ROOT

pa = pytest.importorskip("pyarrow", reason="it reads the files")
pq = pytest.importorskip("pyarrow.parquet")

REFUSED = 6
BAD_DATA = 3


@pytest.fixture(scope="module")
def alone(program, tmp_path_factory):
    """The program in a folder of its own, where there is no component."""
    folder = tmp_path_factory.mktemp("alone")
    shutil.copy(program, folder / "bough")
    return folder


@pytest.fixture(scope="module")
def table():
    draw = np.random.default_rng(5)
    n = 3000
    return pa.table(
        {
            "number": draw.normal(size=n),
            "whole": pa.array(draw.integers(0, 9, n), mask=draw.random(n) < 0.1),
            "code": pa.array(draw.integers(0, 5, n).astype(str)).dictionary_encode(),
            "flag": pa.array(draw.random(n) < 0.5),
            "empty": pa.nulls(n),
            "y": pa.array(np.where(draw.random(n) < 0.5, "no", "yes")),
        }
    )


def bough(folder, *words, python=sys.executable, stdin=None, **variables):
    return subprocess.run(
        [folder / "bough", *words],
        cwd=folder, env={**os.environ, "BOUGH_PYTHON": str(python), **variables}, stdin=stdin,
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_answers_are_those_of_the_component(alone, program, table):
    if not (program.parent / "libbough_arrow.so").is_file():
        pytest.skip("built without the Arrow component")
    pq.write_table(table, alone / "t.parquet", row_group_size=700)
    with pa.ipc.new_file(alone / "t.arrow", table.schema) as out:
        out.write_table(table, max_chunksize=900)
    train = ["--target", "y", "--max-depth", "5", "--holdout", "0"]
    for name in ("t.parquet", "t.arrow"):
        for options in ({}, {"BOUGH_ARROW_PATH": str(program.parent)}):
            done = bough(alone, "train", name, *train, "-o", f"model{len(options)}", **options)
            assert done.returncode == 0, done.stderr
        told = [bough(alone, "show", f"model{i}").stdout for i in (0, 1)]
        assert told[0] == told[1] and "number" in told[0]
    with open(alone / "t.parquet", "rb") as pipe:
        piped = bough(alone, "predict", "model0", "-", stdin=pipe)
    assert piped.returncode == 0, piped.stderr
    assert piped.stdout == bough(alone, "predict", "model1", "t.arrow").stdout


def test_without_pyarrow_or_python_the_way_out_is_told(alone, table):
    pq.write_table(table, alone / "t.parquet")
    bare = alone / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", bare], check=True)
    reasons = {bare / "bin/python": "No module named 'pyarrow'", "none": "none does not start"}
    for python, words in reasons.items():
        done = bough(alone, "train", "t.parquet", "--target", "y", python=python)
        assert done.returncode == REFUSED
        assert words in done.stderr and "pip install pyarrow" in done.stderr
        assert len(done.stderr.splitlines()) == 2


def test_a_damaged_file_is_an_error_of_one_line(alone, table):
    pq.write_table(table, alone / "t.parquet")
    whole = (alone / "t.parquet").read_bytes()
    (alone / "bad.parquet").write_bytes(whole[:4] + bytes(24) + whole[28:])
    done = bough(alone, "train", "bad.parquet", "--target", "y")
    assert done.returncode == BAD_DATA
    assert [line.split(":")[0] for line in done.stderr.splitlines()] == ["bough", "  hint"], done.stderr


def test_the_working_folder_is_not_searched_for_modules(alone, table):
    pq.write_table(table, alone / "t.parquet")
    (alone / "pyarrow.py").write_text("open('planted', 'w')")
    (alone / "json.py").write_text("open('planted', 'w')")
    done = bough(alone, "train", "t.parquet", "--target", "y", "--max-depth", "1")
    (alone / "pyarrow.py").unlink()
    (alone / "json.py").unlink()
    assert done.returncode == 0, done.stderr
    assert not (alone / "planted").exists()


@pytest.mark.long
def test_everything_that_the_component_is_tested_for(alone):
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k",
         "not component and not links_arrow", ROOT / "tests/cli/test_arrow_files.py"],
        cwd=ROOT, env={**os.environ, "BOUGH_BUILD": str(alone), "BOUGH_PYTHON": sys.executable},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    print(done.stdout[-300:])
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout

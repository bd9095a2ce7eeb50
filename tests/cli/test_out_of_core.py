# SPDX-License-Identifier: Apache-2.0
"""Training from disk: the model of training in memory, byte by byte, and no scratch left however it ends."""

import gzip
import json
import os
import random
import signal
import subprocess
import time

import pytest


def write_table(path, rows, seed=1):
    """Numbers, missing cells, two categories, weights and targets of both kinds."""
    draw = random.Random(seed)
    with open(path, "w", encoding="ascii") as file:
        file.write("a,b,few,colour,ok,w,label,z\n")
        for _ in range(rows):
            a, b = draw.random(), draw.gauss(0, 1)
            few, colour = draw.randrange(5), draw.choice(["red", "green", "blue", "?"])
            label = "up" if a + (colour == "red") + draw.random() > 1.2 else "down"
            if draw.randrange(200) == 0:
                label = "aside"
            cells = [f"{a:.4f}", "" if draw.randrange(8) == 0 else f"{b:.3f}", few, colour]
            cells += [draw.choice(["true", "false"]), draw.randrange(1, 4), label, f"{a + few * b:.5f}"]
            file.write(",".join(map(str, cells)) + "\n")
    return path.name


@pytest.fixture(scope="session")
def table_text(tmp_path_factory):
    path = tmp_path_factory.mktemp("disk") / "data.csv"
    write_table(path, 6000)
    return path.read_text(encoding="ascii")


@pytest.fixture
def table(desk, table_text):
    return desk.write("data.csv", table_text)


def model_bytes(desk, *words):
    """The model that `bough train` saves; always under the same name, which is part of it."""
    desk.ok("train", *words, "-o", "m.bough")
    return desk.path("m.bough").read_bytes()


def document(desk):
    """The saved model as JSON."""
    return json.loads(desk.ok("export", "m.bough", "--to", "json"))


def same(desk, *words, memory="200MB"):
    words += ("--holdout", "0", "--size", "full")
    whole = model_bytes(desk, *words)
    assert model_bytes(desk, *words, "--memory", memory, "--scratch", ".") == whole
    assert desk.names() == sorted({*desk.names(), "m.bough"})


@pytest.mark.parametrize(
    "words",
    [
        ("-t", "label", "--ignore", "z,w"),
        ("-t", "z", "--ignore", "label,w", "--max-depth", "6"),
        ("-t", "label", "-w", "w", "--ignore", "z", "--max-depth", "5", "--class-weight", "balanced"),
        ("-t", "label", "--ignore", "z,w", "--forest", "3", "--max-depth", "5", "--seed", "4"),
        ("-t", "label", "--ignore", "z,w", "--category", "few", "--max-depth", "4", "--criterion", "entropy"),
    ],
)
def test_the_model_is_that_of_training_in_memory(desk, table, words):
    same(desk, table, *words)
    assert desk.names() == ["data.csv", "m.bough"]


@pytest.mark.parametrize(
    ("file", "target", "words"),
    [
        ("adult.csv.gz", "income", ("--max-depth", "7")),
        ("california_housing.csv.gz", "median_house_value", ("--max-depth", "7")),
        pytest.param("adult.csv.gz", "income", (), marks=pytest.mark.long),
        pytest.param("california_housing.csv.gz", "median_house_value", (), marks=pytest.mark.long),
        pytest.param("covtype_100k.csv.gz", "Cover_Type", ("--max-depth", "10"), marks=pytest.mark.long),
        pytest.param("covtype_100k.csv.gz", "Cover_Type", (), marks=pytest.mark.long),
        pytest.param("kddcup99_10pct.csv.gz", None, ("--max-depth", "8"), marks=pytest.mark.long),
    ],
)
def test_public_tables_give_the_same_model(desk, shared_data, file, target, words):
    if target is None:
        with gzip.open(shared_data / file, "rt", encoding="utf-8") as rows:
            target = rows.readline().strip().split(",")[-1]
    same(desk, shared_data / file, "-t", target, *words)


def test_how_it_was_run_is_no_part_of_the_model(desk, table):
    words = (table, "-t", "label", "--ignore", "z", "--max-depth", "3")
    first = model_bytes(desk, *words, "--memory", "200MB")
    assert model_bytes(desk, *words, "--memory=1GiB", "--scratch=.", "--threads=1") == first
    assert model_bytes(desk, *words) == first
    assert (
        document(desk)["provenance"]["command"]
        == f"bough train {table} -t label --ignore z --max-depth 3 -o m.bough"
    )


def test_a_column_that_becomes_text_late_gives_the_same_model(desk, table_text):
    lines = table_text.splitlines(keepends=True)
    cells = lines[5500].rstrip("\n").split(",")
    cells[2] = "many"
    lines[5500] = ",".join(cells) + "\n"
    data = desk.write("late.csv", "".join(lines))
    same(desk, data, "-t", "label", "--ignore", "z,w", "--category", "few", "--max-depth", "5")
    # Without --category it becomes one by itself, and the same warning says so.
    same(desk, data, "-t", "label", "--ignore", "z,w", "--max-depth", "5")
    for memory in ((), ("--memory", "200MB")):
        warned = desk.run("train", data, "-t", "label", "--max-depth", "2", "--holdout", "0", *memory).err
        assert "column 'few'" in warned
        assert "'many' in row 5500" in warned


def test_patterns_and_folders_are_many_files(desk, table_text):
    lines = table_text.splitlines(keepends=True)
    parts = desk.path("parts")
    parts.mkdir()
    for i in range(3):
        (parts / f"part{i}.csv").write_text(lines[0] + "".join(lines[1 + 2000 * i : 1 + 2000 * (i + 1)]))
    data = desk.write("data.csv", table_text)
    words = ("-t", "label", "--ignore", "z", "--max-depth", "5", "-o", "m.bough")
    desk.ok("train", data, *words)
    whole = unsigned(document(desk))
    for pattern in ("parts/*.csv", "parts"):
        desk.ok("train", pattern, *words, "--memory", "300MB")
        assert unsigned(document(desk)) == whole


def unsigned(model):
    """A model without the command that made it."""
    return {**model, "checksum": "", "provenance": {**model["provenance"], "command": ""}}


def test_scores_come_from_other_rows_only(desk, table):
    words = ("train", table, "-t", "label", "--ignore", "z", "--max-depth", "3", "--memory", "200MB")
    assert "no held-out score: with --memory no rows are held out" in desk.ok(*words)
    result = json.loads(desk.ok(*words, "--test", table, "--json"))
    whole = json.loads(desk.ok(*words[:-2], "--test", table, "--json"))
    assert result["test"] == whole["test"]
    assert result["trees"] == whole["trees"]
    assert "training" not in result


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--memory", "much"), 2, "--memory: 'much' is no size"),
        (("--memory", "-1GB"), 2, "is no size"),
        (("--memory", ""), 2, "--memory: '' is no size"),
        (("--memory", "1GB", "--scratch", ""), 2, "--scratch: '' is not a name"),
        (("--scratch", ""), 2, "--scratch: '' is not a name"),
        (("--memory", "2"), 2, "this takes at least 135 MB"),
        (("--memory", "134MB"), 2, "this takes at least 135 MB"),
        (("--scratch", "."), 2, "--memory is not given"),
        (("--memory", "1GB", "--scratch", "nowhere"), 5, "folder nowhere"),
        (("--memory", "1GB", "--holdout", "0.1"), 6, "--holdout"),
        (("--memory", "1GB", "--cp-folds", "5"), 6, "--cp-folds"),
        (("--memory", "1GB", "--criterion", "absolute_error", "--task", "regression"), 6, "absolute_error"),
        (("--memory", "1GB", "--algorithm", "c45"), 6, "c45"),
        (("--memory", "1GB", "--oblique"), 6, "oblique"),
    ],
)
def test_what_cannot_be_is_said(desk, table, words, code, said):
    assert said in desk.fails(code, "train", table, "-t", "label", "-o", "m.bough", *words)
    assert desk.names() == ["data.csv"]


def test_bad_files_are_named_with_their_line(desk, table_text):
    lines = table_text.splitlines(keepends=True)
    words = ("-t", "label", "--memory", "200MB", "--ignore", "z")
    damaged = desk.write("damaged.csv", "".join([*lines[:4000], "1,2,3\n", *lines[4000:]]))
    assert "damaged.csv: line 4001" in desk.fails(3, "train", damaged, *words)
    assert "empty.csv is empty" in desk.fails(3, "train", desk.write("empty.csv", ""), *words)
    assert "no rows" in desk.fails(3, "train", desk.write("header.csv", lines[0]), *words)
    assert "svmlight" in desk.fails(6, "train", desk.write("s.svm", "1 1:2\n"), *words)
    assert "standard input" in desk.fails(6, "train", "-", *words, stdin=table_text)
    assert "--target" in desk.fails(2, "train", desk.write("data.csv", table_text), "--memory", "200MB")
    assert "no column 'nope'" in desk.fails(3, "train", "data.csv", "-t", "nope", "--memory", "200MB")
    gap = "".join(
        [*lines[:4000], lines[4000].replace("up", "").replace("down", "").replace("aside", ""), *lines[4001:]]
    )
    told = desk.run("train", desk.write("gap.csv", gap), *words)
    assert told.code == 0 and "1 of 6,000 rows has no label and is left out" in told.err


def test_one_row_is_enough(desk):
    same(desk, desk.write("one.csv", "x,y\n1,2\n"), "-t", "y")


def test_a_full_disk_is_told_and_nothing_is_left(desk, table):
    folder = desk.path("small")
    folder.mkdir()
    mounted = "mount -t tmpfs -o size=64k tmpfs small"
    if desk.shell(f"unshare -rm sh -c '{mounted}'").code != 0:
        pytest.skip("a small file system cannot be mounted here")
    words = "bough train data.csv -t label --ignore z --memory 200MB --scratch small -o m.bough"
    result = desk.shell(f"unshare -rm sh -c '{mounted} && {words}; code=$?; ls -A small; exit $code'")
    assert result.code == 5, result.err
    assert result.out == ""
    assert "in the folder small" in result.err
    assert "needed" in result.err
    assert "free" in result.err
    assert desk.names() == ["data.csv", "small"]


def test_a_limit_of_file_sizes_is_told_like_a_full_disk(desk, table):
    result = desk.shell(
        f"ulimit -f 64; bough train {table} -t label --ignore z --memory 200MB --scratch . -o m.bough"
    )
    assert result.code == 5, result.err
    assert "in the folder ." in result.err
    assert desk.names() == ["data.csv"]


@pytest.fixture(scope="module")
def slow_table(tmp_path_factory):
    path = tmp_path_factory.mktemp("slow") / "noise.csv"
    draw = random.Random(3)
    with open(path, "w", encoding="ascii") as file:
        file.write(",".join(f"c{i}" for i in range(12)) + ",y\n")
        rows = [",".join(f"{draw.random():.5f}" for _ in range(13)) + "\n" for _ in range(20_000)]
        for _ in range(8):
            draw.shuffle(rows)
            file.writelines(rows)
    return path


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("seconds", [0.3, 1.5])
def test_no_scratch_is_left_when_it_is_stopped(desk, slow_table, stop, seconds):
    pipe = subprocess.PIPE
    scratch = desk.path("scratch")
    scratch.mkdir()
    words = (
        "train",
        slow_table,
        "-t",
        "y",
        "--forest",
        "50",
        "--memory",
        "400MB",
        "--scratch",
        scratch,
        "-o",
        "m.bough",
    )
    process = desk.start(*words, stdout=pipe, stderr=pipe)
    time.sleep(seconds)
    assert process.poll() is None, "the job must still be running, or the test shows nothing"
    process.send_signal(stop)
    _, err = process.communicate(timeout=30)
    assert process.returncode == (130 if stop == signal.SIGINT else -stop)
    if stop == signal.SIGINT:
        assert err == "bough: cancelled, nothing was written\n"
    assert os.listdir(scratch) == []
    assert desk.names() == ["scratch"]

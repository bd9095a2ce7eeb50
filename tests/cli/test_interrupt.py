# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C, closed pipes and terminals."""

import os
import pty
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

LONGEST_WAIT = 20  # seconds; only a program that does not stop at all takes so long


@pytest.fixture(scope="module")
def slow_table(tmp_path_factory):
    """Noise: with criterion absolute_error a deep tree that takes many seconds."""
    draw = random.Random(3)
    path = tmp_path_factory.mktemp("slow") / "noise.csv"
    with open(path, "w", encoding="ascii") as file:
        file.write(",".join(f"c{i}" for i in range(12)) + ",y\n")
        for _ in range(100_000):
            file.write(",".join(f"{draw.random():.5f}" for _ in range(13)) + "\n")
    return path


def start(desk, *words):
    pipe = subprocess.PIPE
    return desk.start(*words, stdin=pipe, stdout=pipe, stderr=pipe)


def stopped(process):
    """Presses Ctrl-C and gives the exit code and what was printed."""
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=LONGEST_WAIT)
    return process.returncode, out, err


def test_ctrl_c_stops_training_and_leaves_the_old_model(desk, slow_table):
    desk.write("m.bough", "the old model")
    process = start(desk, "train", slow_table, "-t", "y", "--criterion", "absolute_error", "-o", "m.bough")
    time.sleep(1.5)
    assert process.poll() is None, "the job must still be running, or the test shows nothing"
    assert stopped(process) == (130, "", "bough: cancelled, nothing was written\n")
    assert desk.read("m.bough") == "the old model"
    assert desk.names() == ["m.bough"]


def test_ctrl_c_stops_reading_at_once(desk):
    desk.write("m.bough", "the old model")
    process = start(desk, "train", "-", "-t", "y", "-o", "m.bough")
    # More than a pipe holds: when this returns, the program is reading, and it waits for the end.
    process.stdin.write("a,y\n" + "1,u\n2,v\n" * 100_000)
    process.stdin.flush()
    assert stopped(process) == (130, "", "bough: cancelled\n")
    assert desk.read("m.bough") == "the old model"
    assert desk.names() == ["m.bough"]


def open_files(process):
    folder = Path(f"/proc/{process.pid}/fd")
    return [os.readlink(folder / name) for name in os.listdir(folder)]


def test_ctrl_c_removes_unfinished_predictions(desk, model):
    process = start(desk, "predict", model, "-", "-o", "out.csv")
    process.stdin.write("a,color,b\n" + "1,red,0.5\n" * 50_000)
    process.stdin.flush()
    deadline = time.monotonic() + LONGEST_WAIT
    # The unfinished file has no name in the folder where the file system allows that, but it is open.
    while not any(
        link.startswith(f"{desk.folder}/") and "m.bough" not in link for link in open_files(process)
    ):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert stopped(process)[0] == 130
    assert desk.names() == ["m.bough", "table.csv"]


def test_a_closed_pipe_ends_quietly(desk, model, table):
    desk.write("many.csv", "a,color,b\n" + "1,red,0.5\n" * 200_000)
    result = desk.shell(f"bough predict {model} many.csv | head -1; echo ${{PIPESTATUS[0]}}")
    assert result.out == "prediction\n141\n"
    assert result.err == ""


def on_a_terminal(desk, *words, env=()):
    """Runs with standard output and error on a terminal and gives what it showed."""
    main, end = pty.openpty()
    options = desk.options()
    options["env"] = {**options["env"], **dict(env)}
    process = subprocess.Popen([desk.program, *map(str, words)], stdout=end, stderr=end, **options)
    os.close(end)
    shown = b""
    while True:
        try:
            part = os.read(main, 4096)
        except OSError:  # Linux reports the closed end this way
            break
        if not part:
            break
        shown += part
    os.close(main)
    process.wait(timeout=LONGEST_WAIT)
    return process.returncode, shown.decode()


def test_colours_only_on_a_terminal_and_not_with_no_color(desk, model):
    _, shown = on_a_terminal(desk, "info", model)
    assert "\033[1mColumns\033[0m" in shown
    _, shown = on_a_terminal(desk, "info", model, env={"NO_COLOR": "1"})
    assert "\033[" not in shown
    _, shown = on_a_terminal(desk, "info", model, env={"TERM": "dumb"})
    assert "\033[" not in shown
    assert "\033[" not in desk.ok("info", model)
    code, shown = on_a_terminal(desk, "show", "nothing.bough")
    assert code == 5 and "\033[1;31merror:\033[0m" in shown
    assert "\033[" not in desk.fails(5, "show", "nothing.bough")


def test_progress_only_on_a_terminal(desk, slow_table):
    words = ["train", slow_table, "-t", "y", "--max-depth", "2", "--holdout", "0"]
    code, shown = on_a_terminal(desk, *words)
    assert code == 0
    assert "\r\033[Ktraining: " in shown
    assert shown.rindex("\r\033[K") < shown.index("regression of y"), "the line goes before the report comes"
    result = desk.run(*words)
    assert result.code == 0 and "training:" not in result.err


@pytest.fixture(scope="module")
def hard_table(tmp_path_factory):
    """Noise: no search proves anything about eight leaves."""
    draw = random.Random(4)
    path = tmp_path_factory.mktemp("hard") / "noise.csv"
    with open(path, "w", encoding="ascii") as file:
        file.write(",".join(f"c{i}" for i in range(8)) + ",y\n")
        for _ in range(3000):
            file.write(",".join(f"{draw.random():.5f}" for _ in range(8)) + f",{draw.choice('ab')}\n")
    return path


@pytest.mark.parametrize("how", ["optimal", "anytime"])
def test_ctrl_c_keeps_the_best_tree_so_far_where_asked(desk, hard_table, how):
    limits = ["--search", how, "--max-leaf-nodes", "8", "--work-limit", "1000000000000"]
    words = ["train", hard_table, "-t", "y", *limits, "--on-interrupt", "keep", "-o", "m.bough"]
    process = start(desk, *words)
    time.sleep(1.5)
    assert process.poll() is None, "the search must still be running, or the test shows nothing"
    code, out, err = stopped(process)
    assert code == 0 and "Ctrl-C ended the search early" in out + err, (code, out, err)
    assert "fewest found" in desk.ok("info", "m.bough") or how == "optimal"
    assert "no tree of at most 8 leaves has fewer than" in desk.ok("info", "m.bough") or how == "anytime"


def test_keeping_needs_a_search(desk, hard_table):
    refused = desk.run("train", hard_table, "-t", "y", "--max-depth", "3", "--on-interrupt", "keep")
    assert refused.code != 0 and "--on-interrupt keep is for searches" in refused.err

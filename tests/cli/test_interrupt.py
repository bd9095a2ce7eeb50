# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C, closed pipes and terminals."""

import os
import pty
import random
import signal
import subprocess
import time

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


def interrupted(desk, seconds, *words):
    """Starts the program, presses Ctrl-C after some seconds, and gives its exit code and message."""
    process = desk.start(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(seconds)
    assert process.poll() is None, "the job must still be running, or the test shows nothing"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=LONGEST_WAIT)
    return process.returncode, out, err


@pytest.mark.parametrize("seconds", [0.05, 1.5], ids=["while reading", "while growing"])
def test_ctrl_c_stops_training_and_leaves_the_old_model(desk, slow_table, seconds):
    desk.write("m.bough", "the old model")
    code, out, err = interrupted(
        desk, seconds, "train", slow_table, "-t", "y", "--criterion", "absolute_error", "-o", "m.bough"
    )
    assert code == 130
    assert out == "" and err.startswith("bough: cancelled")
    assert desk.read("m.bough") == "the old model"
    assert desk.names() == ["m.bough"]


def test_ctrl_c_removes_unfinished_predictions(desk, model):
    pipe = subprocess.PIPE
    process = desk.start("predict", model, "-", "-o", "out.csv", stdin=pipe, stderr=pipe)
    process.stdin.write("a,color,b\n" + "1,red,0.5\n" * 50_000)
    process.stdin.flush()
    deadline = time.monotonic() + LONGEST_WAIT
    while not any(name.startswith("out.csv.") for name in desk.names()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=LONGEST_WAIT)
    assert process.returncode == 130
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

# SPDX-License-Identifier: Apache-2.0
"""The program under test, a desk to work on, and tables to feed it."""

import os
import pty
import random
import signal
import subprocess
import termios
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHARED_DATA = ROOT.parent / "shared" / "data"


@dataclass
class Result:
    code: int
    out: str
    err: str


def plain_environment(program):
    """No colours and no translations, and the program first on the path."""
    env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "PYTHONPATH")}
    return {**env, "PATH": f"{program.parent}:{env['PATH']}", "LC_ALL": "C.UTF-8", "TERM": "xterm"}


def plain_signals():
    """A child that Ctrl-C and closed pipes reach, however the tests themselves were started."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)


class Desk:
    """A folder in which the program runs."""

    def __init__(self, folder, program):
        self.folder = folder
        self.program = program

    def path(self, name):
        return self.folder / name

    def write(self, name, text):
        path = self.path(name)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def read(self, name):
        return self.path(name).read_text(encoding="utf-8")

    def options(self):
        return {"cwd": self.folder, "env": plain_environment(self.program), "preexec_fn": plain_signals}

    def run(self, *words, stdin=None, timeout=120):
        """Runs `bough words...` and returns what it said."""
        source = {"input": stdin} if stdin is not None else {"stdin": subprocess.DEVNULL}
        done = subprocess.run(
            [self.program, *map(str, words)], capture_output=True, text=True, timeout=timeout, check=False,
            **source, **self.options(),
        )  # fmt: skip
        return Result(done.returncode, done.stdout, done.stderr)

    def ok(self, *words, stdin=None):
        """The same for a command that must succeed; gives its standard output."""
        result = self.run(*words, stdin=stdin)
        assert result.code == 0, f"bough {' '.join(map(str, words))}\nended with {result.code}\n{result.err}"
        return result.out

    def fails(self, code, *words, stdin=None):
        """The same for a command that must fail with `code` and one clear error; gives its standard error."""
        result = self.run(*words, stdin=stdin)
        text = f"bough {' '.join(map(str, words))}\nended with {result.code}\n{result.out}{result.err}"
        assert result.code == code, text
        assert result.err.count("bough: error: ") == 1, text
        return result.err

    def shell(self, command, timeout=120):
        done = subprocess.run(
            ["bash", "-c", command], capture_output=True, text=True, timeout=timeout, check=False,
            stdin=subprocess.DEVNULL, **self.options(),
        )  # fmt: skip
        return Result(done.returncode, done.stdout, done.stderr)

    def on_a_terminal(self, *words, colours=False, width=0):
        """The exit code, and what a terminal gets from both streams; width 0: it does not say its own."""
        ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (24, width))
        options = self.options()
        if not colours:
            options["env"]["NO_COLOR"] = "1"
        done = subprocess.Popen(
            [self.program, *words], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, **options
        )
        os.close(theirs)
        seen = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            seen += piece
        os.close(ours)
        return done.wait(60), seen.decode("utf-8")

    def start(self, *words, **options):
        return subprocess.Popen([self.program, *map(str, words)], text=True, **{**self.options(), **options})

    def train(self, data, *words, target="y", model="m.bough"):
        """Grows a tree to the end, quietly, and gives the name of the model."""
        self.ok("train", data, "--target", target, "-o", model, "--holdout", "0", "--size", "full", *words)
        return model

    def names(self):
        return sorted(p.name for p in self.folder.iterdir())


@pytest.fixture(scope="session")
def program():
    build = Path(os.environ.get("BOUGH_BUILD", ROOT / "build/release"))
    path = Path(os.environ.get("BOUGH", build / "bough")).resolve()
    if not path.is_file():
        pytest.fail(f"{path} is missing; run `make build` first, or name the program in BOUGH", pytrace=False)
    return path


@pytest.fixture
def unsanitized(program):
    """Skips tests of memory use with a program whose sanitizer has memory habits of its own."""
    if b"__asan_" in program.read_bytes():
        pytest.skip("a sanitizer changes how memory is used")


@pytest.fixture
def desk(tmp_path, program):
    return Desk(tmp_path, program)


@pytest.fixture(scope="session")
def shared_data():
    """The folder of larger public tables beside the repository."""
    if not SHARED_DATA.is_dir():
        pytest.skip("../shared/data is not here")
    return SHARED_DATA


def small_table(n=60):
    """Numbers, a category and a class that depends on both."""
    draw = random.Random(7)
    lines = ["a,color,b,y"]
    for _ in range(n):
        a, color, b = draw.randint(0, 20), draw.choice(["red", "green", "blue"]), round(draw.random(), 3)
        lines.append(f"{a},{color},{b},{'yes' if a > 9 and color != 'red' else 'no'}")
    return "\n".join(lines) + "\n"


@pytest.fixture
def table(desk):
    """The name of a small table with the columns a, color, b and the target y."""
    return desk.write("table.csv", small_table())


@pytest.fixture
def model(desk, table):
    """The name of a model of `table`."""
    return desk.train(table)

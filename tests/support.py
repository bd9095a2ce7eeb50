# SPDX-License-Identifier: Apache-2.0
"""Helpers of the Python-side tests."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def run(*command, env=None, **options):
    """Runs a command and returns what it printed; a failure shows everything it said."""
    env = {**os.environ, **(env or {})}
    result = subprocess.run(command, capture_output=True, text=True, check=False, env=env, **options)
    if result.returncode != 0:
        words = " ".join(map(str, command))
        pytest.fail(f"{words}\nended with {result.returncode}\n{result.stdout}{result.stderr}", pytrace=False)
    return result.stdout


def pkg_config(prefix, *options):
    """The compiler flags that pkg-config gives for the bough installed in `prefix`."""
    folder = next(prefix.rglob("bough.pc")).parent
    wanted = ["--cflags", "--libs", *options, "bough"]
    flags = run("pkg-config", *wanted, env={"PKG_CONFIG_PATH": str(folder)}).split()
    return [*flags, f"-Wl,-rpath,{folder.parent}"]


def python_of(version):
    """An interpreter of this version, on the path or among pyenv's."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for candidate in [
        shutil.which(f"python{version}"),
        *sorted(map(str, kept.glob(f"{version}.*/bin/python"))),
    ]:
        if (
            candidate
            and subprocess.run([candidate, "-c", ""], capture_output=True, check=False).returncode == 0
        ):
            return candidate
    pytest.skip(f"there is no python{version} here")


def new_environment(folder, *packages, python=sys.executable):
    """A fresh virtual environment with these packages and nothing else; skips where there is no network."""
    run(python, "-m", "venv", folder)
    python = folder / "bin/python"
    done = subprocess.run(
        [python, "-m", "pip", "install", "-q", *packages], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.skip(f"pip cannot install {packages} here: {done.stderr[-300:]}")
    return python

# SPDX-License-Identifier: Apache-2.0
"""Helpers of the Python-side tests."""

import os
import subprocess
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


def pkg_config(prefix):
    """The compiler flags that pkg-config gives for the bough installed in `prefix`."""
    folder = next(prefix.rglob("bough.pc")).parent
    flags = run("pkg-config", "--cflags", "--libs", "bough", env={"PKG_CONFIG_PATH": str(folder)}).split()
    return [*flags, f"-Wl,-rpath,{folder.parent}"]

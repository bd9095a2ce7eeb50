# SPDX-License-Identifier: Apache-2.0
"""The package is clean for mypy, and so is what its users see of it."""

import subprocess
import sys

import pytest
from support import ROOT

USER = """
import bough
import numpy as np

tree = bough.DecisionTreeClassifier(max_depth=3, pruning=bough.CostComplexity(folds=5))
depth: int | None = tree.max_depth
answers: np.ndarray = tree.fit(np.zeros((4, 1)), [0, 1, 0, 1]).predict(np.zeros((1, 1)))
bough.RandomForestRegressor(10, max_dept=3)
bough.DecisionTreeClassifier(max_depth="deep")
bough.DecisionTreeClassifier(criterion="ginni")
words: str = tree.fit(np.zeros((4, 1)), [0, 1, 0, 1]).max_depth
"""


def mypy(*arguments, cwd=ROOT):
    pytest.importorskip("mypy", reason="mypy is not in this environment (tools/setup.sh python)")
    command = [sys.executable, "-m", "mypy", "--no-incremental", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_the_package_is_clean():
    found = mypy("--config-file", ROOT / "pyproject.toml")
    assert found.returncode == 0, found.stdout + found.stderr


def test_users_are_told_of_wrong_arguments_and_of_nothing_else(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    options = ["--ignore-missing-imports", "--disable-error-code=import-untyped", "--strict"]
    (tmp_path / "mypy.ini").write_text(f"[mypy]\nmypy_path = {ROOT / 'python'}\nfollow_imports = silent\n")
    found = mypy(*options, "user.py", cwd=tmp_path)
    lines = [line for line in found.stdout.splitlines() if line.startswith("user.py") and "error:" in line]
    assert len(lines) == 4, found.stdout + found.stderr
    assert 'Unexpected keyword argument "max_dept" for "RandomForestRegressor"' in lines[0]
    assert 'Argument "max_depth" to "DecisionTreeClassifier" has incompatible type "str"' in lines[1]
    assert 'Argument "criterion" to "DecisionTreeClassifier" has incompatible type' in lines[2]
    assert 'expression has type "int | None", variable has type "str"' in lines[3]

# SPDX-License-Identifier: Apache-2.0
"""The layer check passes on the tree and catches what it must catch."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(root):
    return subprocess.run(
        [sys.executable, ROOT / "tools/check_layers.py", root], capture_output=True, text=True, check=False
    )


def write(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_the_tree_keeps_to_its_layers():
    result = run(ROOT)
    assert result.returncode == 0, result.stdout


LOWER = {
    "include/bough/error.hpp": "#include <string>\n",
    "include/bough/model.hpp": '#include "bough/error.hpp"\n',
    "src/base/text.hpp": "#include <fmt/format.h>\n",
    "src/data/cells.hpp": '#include "base/text.hpp"\n#include "bough/error.hpp"\n',
    "src/split/engine.cpp": '#include "split/engine.hpp"\n#include "data/cells.hpp"\n',
    "src/split/engine.hpp": '#include "engine.cpp"\n',
    "cli/train.cpp": '#include "verbs.hpp"\n#include "bough/model.hpp"\n#include <CLI/CLI.hpp>\n',
    "cli/verbs.hpp": "",
}


def test_includes_of_lower_layers_and_of_the_own_room_are_fine(tmp_path):
    write(tmp_path, LOWER)
    assert run(tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("file", "include"),
    [
        ("src/base/a.cpp", '"data/cells.hpp"'),  # upwards
        ("src/tree/a.cpp", '"data/cells.hpp"'),  # sideways
        ("src/data/a.cpp", '"bough/model.hpp"'),  # upwards through a public header
        ("src/data/a.cpp", '"../split/engine.hpp"'),  # around the table
        ("src/data/a.cpp", '"tests/helper.hpp"'),  # not a room
        ("src/elsewhere/a.cpp", "<string>"),  # a room that is not in the table
        ("cli/a.cpp", '"data/cells.hpp"'),  # past the public headers
        ("include/bough/a.hpp", '"base/text.hpp"'),
        ("include/bough/a.hpp", "<fmt/format.h>"),
    ],
)
def test_a_violation_is_named_with_file_and_line(tmp_path, file, include):
    write(tmp_path, LOWER | {file: f"// a comment\n#include {include}\n"})
    result = run(tmp_path)
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(file if "elsewhere" in file else f"{file}:2: ")

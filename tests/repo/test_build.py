# SPDX-License-Identifier: Apache-2.0
"""The build knows every source, optimises what ships, and tells which tests were skipped."""

import importlib.util
import json
import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("BOUGH_BUILD", ROOT / "build/release"))


def load_skipped():
    spec = importlib.util.spec_from_file_location("skipped", ROOT / "tools/skipped.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("folder", ["src/*", "cli", "tests/cpp/*"])
def test_every_source_stands_in_the_list_of_its_folder(folder):
    lists = sorted(ROOT.glob(f"{folder}/CMakeLists.txt"))
    assert lists
    for path in lists:
        named = re.findall(r"(?<![\w/.}])\w+\.cpp\b(?!\.in)", path.read_text(encoding="utf-8"))
        assert set(named) == {file.name for file in path.parent.glob("*.cpp")}, path.relative_to(ROOT)


def test_what_ships_is_optimised_as_the_benchmarks_measure_it():
    commands = BUILD / "compile_commands.json"
    if not commands.is_file():
        pytest.skip("nothing is built")
    levels = {}
    for entry in json.loads(commands.read_text(encoding="utf-8")):
        room = re.search(r"-o (src|cli|python)/", entry["command"])
        if room and entry["file"].endswith(("cpp", "cxx")):
            # The last level counts.
            levels.setdefault(re.findall(r" -O(\w)", entry["command"])[-1], []).append(entry["file"])
    assert set(levels) <= {"2", "3"}, levels.get("0", []) + levels.get("1", [])
    assert any("/split/" in file for file in levels["3"])


def test_skipped_tests_are_counted_by_reason():
    skipped = load_skipped()
    log = """
[ RUN      ] A.b
/x/y.cpp:28: Skipped
built without the Arrow component

[  SKIPPED ] A.b (0 ms)
[ RUN      ] A.c
/x/y.cpp:1: Skipped
no tables beside the repository
[  SKIPPED ] A.c (0 ms)
[  SKIPPED ] 2 tests, listed below:
[  SKIPPED ] A.b
[  SKIPPED ] A.c
"""
    assert skipped.told(skipped.googletest_reasons(log)) == (
        "2 skipped: 1 built without the Arrow component; 1 ../shared/data is not here"
    )
    report = """<testsuites><testsuite>
<testcase name="a"><skipped type="pytest.skip" message="../shared/data/x is not here"/></testcase>
<testcase name="b"><skipped type="pytest.skip" message="/m/shared/data/y is not there"/></testcase>
<testcase name="c"><skipped type="pytest.xfail" message="known"/></testcase>
</testsuite></testsuites>"""
    assert skipped.told(skipped.pytest_reasons(report)) == "2 skipped: 2 ../shared/data is not here"
    assert skipped.told([]) == "none skipped"

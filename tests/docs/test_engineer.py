# SPDX-License-Identifier: Apache-2.0
"""The engineer's pages: diffs apply, the criterion compiles and is right by brute force (long), the map is
that of the house.
"""

import importlib.util
import os
import re
import shutil
import subprocess

import pytest
from support import ROOT, run

FOLDER = ROOT / "docs/engineer"
# What the oracle needs to be built.
COPIED = ["CMakeLists.txt", "cmake", "include", "src", "tests/cpp", "tools", "docs/model.schema.json"]


def load(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PATCHES = load("patch")


def apply(folder, page, *options):
    """git apply, as if the folder were in no repository."""
    return subprocess.run(
        ["git", "apply", *options, "-"],
        cwd=folder,
        env={**os.environ, "GIT_CEILING_DIRECTORIES": str(folder.parent)},
        input=PATCHES.patch(page),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("page", PATCHES.PAGES)
def test_the_diff_of_a_page_applies_to_the_sources(page, tmp_path):
    text = PATCHES.patch(page)
    files = re.findall(r"^--- a/(.+)$", text, re.MULTILINE)
    assert len(files) > 3
    for name in files:
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    applied = apply(tmp_path, page)
    assert applied.returncode == 0, f"docs/engineer/{page}.md is stale:\n{applied.stderr}"
    for name in re.findall(r"^\+\+\+ b/(.+)$", text, re.MULTILINE):
        assert (tmp_path / name).exists()
    # What is applied is not there yet, and a diff that is not of these sources does not apply.
    assert apply(tmp_path, page).returncode != 0


def test_the_picture_of_the_house_is_drawn_from_the_layers():
    house = load("draw_house")
    drawn = house.picture()
    assert (FOLDER / "pictures/house.svg").read_text(encoding="utf-8") == drawn, (
        "run docs/engineer/draw_house.py"
    )
    rooms = [room for layer in house.layers() for room in layer]
    assert sorted(rooms) == sorted(house.ROOMS)
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    absent = [
        r for r in rooms if r not in ("c", "cli", "python", "arrow_files") and f"`src/{r}/`" not in text
    ]
    assert absent == [], "rooms that the map does not describe"


def test_the_map_names_files_that_exist():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    text += "".join(page.read_text(encoding="utf-8") for page in FOLDER.glob("*.md"))
    text = re.sub(r"^```diff\n.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    named = {
        n for n in re.findall(r"`([\w/.-]+\.(?:hpp|cpp|py|h|sh|txt))`", text) if n.rsplit("/")[-1][0] != "x"
    }
    assert len(named) > 60
    added = " ".join(PATCHES.patch(page) for page in PATCHES.PAGES)
    here = {
        path.name
        for top in ("include", "src", "cli", "python", "tests", "docs", "tools", "bench", "fuzz")
        for path in (ROOT / top).rglob("*")
    }
    absent = [n for n in named if n.rsplit("/")[-1] not in here and f"+++ b/{n}" not in added]
    assert absent == []


@pytest.mark.long
def test_the_criterion_of_the_page_is_right_by_brute_force():
    folder = ROOT / "build/criterion-example"
    source, build = folder / "source", folder / "build"
    shutil.rmtree(source, ignore_errors=True)
    for name in COPIED:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        # Times are kept, so that a second run compiles what has changed only.
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy2)(ROOT / name, source / name)
    applied = apply(source, "criterion", "--exclude=python/*")
    assert applied.returncode == 0, applied.stderr
    parts = ["CLI", "EXAMPLES", "BENCH", "EMBED", "INSTALL", "PYTHON"]
    # Optimised a little: the compiler's time counts, too.
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"]
    run("cmake", "-S", source, "-B", build, "-G", "Ninja", *options, *(f"-DBOUGH_{p}=OFF" for p in parts))
    jobs = ["-j", os.environ["JOBS"]] if os.environ.get("JOBS") else []
    run("ninja", "-C", build, *jobs, "test_criterion", "test_oracle")
    run(build / "tests/cpp/criterion/test_criterion")
    oracle = build / "tests/cpp/oracle/test_oracle"
    wanted = "--gtest_filter=Oracle.every_split*:Oracle.limits*:Engines.*"
    print(run(oracle, wanted, env={**os.environ, "BOUGH_FEWER": "2"})[-200:])

    # The judge can say no: with a wrong formula in the book it does.
    brute = source / "tests/cpp/oracle/brute.cpp"
    right = brute.read_text(encoding="utf-8")
    wrong = right.replace(
        "(held - expected) * (held - expected) / expected", "(held - expected) * (held - expected)"
    )
    assert wrong != right
    brute.write_text(wrong, encoding="utf-8")
    run("ninja", "-C", build, *jobs, "test_oracle")
    judged = subprocess.run(
        [oracle, "--gtest_filter=Oracle.every_split*"], capture_output=True, text=True, check=False
    )
    assert judged.returncode != 0
    assert "chi_squared" in judged.stdout + judged.stderr

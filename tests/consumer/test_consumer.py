# SPDX-License-Identifier: Apache-2.0
"""A foreign project finds, links and runs an installed bough."""

import shutil
from pathlib import Path

from support import pkg_config, run

HERE = Path(__file__).resolve().parent
PRINTED = "2 leaves, x <= 2.5\nlow\nhigh\n"


def test_find_package_gives_a_library_that_fits_and_predicts(installed, tmp_path):
    # The copy must work after a move: nothing in it may point back to where it was installed.
    prefix, build = tmp_path / "moved", tmp_path / "build"
    shutil.copytree(installed, prefix, symlinks=True)
    run("cmake", "-S", HERE, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", build)
    assert run(build / "consumer") == PRINTED


def test_pkg_config_gives_the_same(installed, tmp_path):
    run("g++", "-std=c++20", HERE / "main.cpp", "-o", tmp_path / "consumer", *pkg_config(installed))
    assert run(tmp_path / "consumer") == PRINTED


def test_the_installed_files_name_no_source_folder(installed):
    names = [f for f in installed.rglob("*") if f.suffix in {".cmake", ".pc", ".hpp", ".h"}]
    assert len(names) > 8
    here = str(HERE.parents[1])
    assert [f for f in names if here in f.read_text(encoding="utf-8")] == []


def test_every_public_header_compiles_alone(installed, tmp_path):
    headers = sorted((installed / "include/bough").glob("*.h*"))
    assert headers
    for header in headers:
        language = "c" if header.suffix == ".h" else "c++"
        standard = "-std=c99" if language == "c" else "-std=c++20"
        source = tmp_path / f"alone.{'c' if language == 'c' else 'cpp'}"
        source.write_text(f"#include <bough/{header.name}>\nint bough_alone(void);\n")
        run("gcc", "-x", language, standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only",
            f"-I{installed / 'include'}", source)  # fmt: skip

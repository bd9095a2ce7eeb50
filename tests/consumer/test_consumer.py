# SPDX-License-Identifier: Apache-2.0
"""A foreign project finds, links and runs an installed bough."""

import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support import pkg_config, run

HERE = Path(__file__).resolve().parent
PRINTED = "2 leaves, x <= 2.5\nlow\nhigh\n"


def build(prefix, folder, component):
    options = [f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCOMPONENT={component}"]
    run("cmake", "-S", HERE, "-B", folder, "-G", "Ninja", *options)
    run("cmake", "--build", folder)
    return folder / "consumer"


def test_find_package_gives_a_library_that_fits_and_one_that_only_predicts(installed, tmp_path):
    # The copy must work after a move: nothing in it may point back to where it was installed.
    prefix = tmp_path / "moved"
    shutil.copytree(installed, prefix, symlinks=True)
    assert run(build(prefix, tmp_path / "core", "core"), cwd=tmp_path) == PRINTED
    embedded = build(prefix, tmp_path / "embed", "embed")
    assert run(embedded, cwd=tmp_path) == "low\nhigh\n"
    needed = run("ldd", embedded)
    assert "libstdc++" in needed
    assert not any(name in needed for name in ("libtbb", "libfmt", "libz", "libzstd"))


def test_pkg_config_gives_the_same(installed, tmp_path):
    run("g++", "-std=c++20", HERE / "main.cpp", "-o", tmp_path / "consumer", *pkg_config(installed))
    assert run(tmp_path / "consumer", cwd=tmp_path) == PRINTED


def test_c_programs_link_by_pkg_config(installed, tmp_path):
    run("gcc", HERE / "main.c", "-o", tmp_path / "consumer", *pkg_config(installed, "--static"))
    done = subprocess.run([tmp_path / "consumer"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "kinds.bough" in done.stderr


def as_subproject(folder, *options):
    run(
        "cmake",
        "-S",
        HERE / "subproject",
        "-B",
        folder,
        "-G",
        "Ninja",
        f"-DBOUGH_SOURCE={HERE.parents[1]}",
        *options,
    )


def test_as_a_part_of_another_project_it_changes_nothing(tmp_path):
    as_subproject(tmp_path / "build")


@pytest.mark.long
def test_a_part_of_another_project_builds_and_runs(installed, tmp_path):
    as_subproject(tmp_path / "build", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", "-DCMAKE_CXX_FLAGS=-O0")
    run("cmake", "--build", tmp_path / "build", "--target", "consumer")
    assert run(build(installed, tmp_path / "core", "core"), cwd=tmp_path) == PRINTED
    assert run(tmp_path / "build/consumer", cwd=tmp_path) == "low\nhigh\n"


def test_the_man_page_and_the_completions_are_installed(installed):
    assert b".SH BOUGH TRAIN" in (installed / "share/man/man1/bough.1").read_bytes()
    for name in ("bash-completion/completions/bough", "zsh/site-functions/_bough"):
        assert "train" in (installed / "share" / name).read_text()


def test_the_installed_files_name_no_source_folder(installed):
    names = [f for f in installed.rglob("*") if f.suffix in {".cmake", ".pc", ".hpp", ".h"}]
    assert len(names) > 8
    here = str(HERE.parents[1])
    assert [f for f in names if here in f.read_text(encoding="utf-8")] == []


def test_every_public_header_compiles_alone(installed, tmp_path):
    headers = sorted((installed / "include/bough").glob("*.h*"))
    assert headers

    def compile_alone(header):
        language = "c" if header.suffix == ".h" else "c++"
        standard = "-std=c99" if language == "c" else "-std=c++20"
        source = tmp_path / f"{header.stem}.{'c' if language == 'c' else 'cpp'}"
        source.write_text(f"#include <bough/{header.name}>\nint bough_alone(void);\n")
        run("gcc", "-x", language, standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only",
            f"-I{installed / 'include'}", source)  # fmt: skip

    with ThreadPoolExecutor() as pool:
        list(pool.map(compile_alone, headers))

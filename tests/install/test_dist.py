# SPDX-License-Identifier: Apache-2.0
"""The tarball of `make dist` and the sdist, on systems that have nothing."""

import re
import subprocess
import tarfile

import pytest
from support import ROOT, new_environment, run

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def folder(tarball, tmp_path_factory):
    place = tmp_path_factory.mktemp("dist")
    with tarfile.open(tarball) as packed:
        packed.extractall(place, filter="data")
    return next(place.iterdir())


def test_the_tarball_is_whole(folder):
    run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=folder)
    summed = {line.split("  ")[1] for line in (folder / "SHA256SUMS").read_text().splitlines()}
    assert summed == {str(f.relative_to(folder)) for f in folder.rglob("*") if f.is_file()} - {"SHA256SUMS"}
    for name in (
        "bin/bough",
        "share/man/man1/bough.1.gz",
        "share/bash-completion/completions/bough",
        "share/zsh/site-functions/_bough",
        "share/fish/vendor_completions.d/bough.fish",
        "share/doc/bough/LICENSE",
        "share/doc/bough/THIRD_PARTY_LICENSES.txt",
        "share/doc/bough/bough.cdx.json",
    ):
        assert (folder / name).stat().st_size > 500
    assert "GNU C library" in (folder / "share/doc/bough/THIRD_PARTY_LICENSES.txt").read_text()


def test_the_program_is_one_file_and_its_models_are_those_of_the_build(folder, release_build, tmp_path):
    program = folder / "bin/bough"
    told = run("readelf", "-ld", program)
    assert "INTERP" not in told and "NEEDED" not in told
    for name in ("iris", "titanic", "airquality"):
        run(program, "demo", "--write", name, "-o", f"{name}.csv", cwd=tmp_path)
        target = {"iris": "species", "titanic": "survived", "airquality": "ozone"}[name]
        for place, who in (("a", program), ("b", release_build / "bough")):
            (tmp_path / place).mkdir(exist_ok=True)
            done = [who, "train", f"../{name}.csv", "--target", target, "-o", f"{name}.bough"]
            subprocess.run(done, cwd=tmp_path / place, check=True, capture_output=True)
        assert (tmp_path / f"a/{name}.bough").read_bytes() == (tmp_path / f"b/{name}.bough").read_bytes()


@pytest.mark.parametrize("release", ["bullseye", "bookworm", "trixie"])
def test_the_program_runs_on_old_and_new_systems(folder, chroot, release):
    root = chroot(release)
    program = root.put(folder / "bin/bough")
    table = f"{program} demo --write iris -o i.csv"
    told = root.run(f"cd /tmp && {table} && {program} train i.csv --target species -o i.bough")
    assert "saved i.bough" in told


def test_an_sdist_without_libraries_ends_with_what_to_install(chroot, tmp_path):
    tools = ["build", "scikit-build-core", "nanobind", "nanobind-backend"]
    python = new_environment(tmp_path / "tools", *tools)
    run(python, "-m", "build", "--sdist", "--no-isolation", "--outdir", tmp_path, ROOT)
    root = chroot("bookworm")
    root.run(
        "apt-get -qq update && apt-get -qq install -y --no-install-recommends g++ python3-dev >/dev/null"
    )
    sdist = root.put(next(tmp_path.glob("bough-*.tar.gz")))
    told = root.run(f"rm -rf /s && python3 -m venv /s && /s/bin/pip install {sdist} 2>&1 || true")
    assert told.count("CMake Error") == 1, told[-2000:]
    packages = re.search(r"apt-get install ([\w\s-]+?)\n", told)[1].split()
    assert {"libtbb-dev", "libfmt-dev", "libhwy-dev", "libcli11-dev"} <= set(packages)

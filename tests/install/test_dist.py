# SPDX-License-Identifier: Apache-2.0
"""The tarball of `make dist`, the Debian package and the sdist, on systems that have nothing."""

import re
import tarfile

import pytest
from support import ROOT, run

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


def test_the_program_is_one_file(folder):
    told = run("readelf", "-ld", folder / "bin/bough")
    assert "INTERP" not in told and "NEEDED" not in told


@pytest.mark.parametrize("release", ["bullseye", "bookworm", "trixie"])
def test_the_program_runs_on_old_and_new_systems(folder, chroot, release):
    root = chroot(release)
    program = root.put(folder / "bin/bough")
    table = f"{program} demo --write iris -o i.csv"
    told = root.run(f"cd /tmp && {table} && {program} train i.csv --target species -o i.bough")
    assert "saved i.bough" in told


def test_the_debian_package_installs_what_it_needs_and_runs(deb, chroot):
    root = chroot("bookworm")
    told = root.run(
        f"apt-get -qq update && apt-get -qq install -y --no-install-recommends {root.put(deb)} >/dev/null && "
        "cd /tmp && bough demo --write iris -o i.csv && bough train i.csv --target species -o i.bough"
    )
    assert "saved i.bough" in told
    usr = root.folder / "usr"
    assert (usr / "share/man/man1/bough.1").stat().st_size > 500
    assert "Random123 " in (usr / "share/doc/bough/THIRD_PARTY_LICENSES.txt").read_text()
    assert list((usr / "lib").glob("*/libbough_embed.a")) and (usr / "include/bough/bough.h").exists()
    root.run("apt-get -qq purge -y bough")
    assert not (usr / "include/bough").exists()


@pytest.mark.parametrize("script", ["dist.sh", "deb.sh"])
def test_two_builds_give_the_same_bytes(script, tarball, deb):
    made = {"dist.sh": tarball, "deb.sh": deb}[script]
    first = made.read_bytes()
    run("rm", "-rf", ROOT / "build/ship" if script == "dist.sh" else ROOT / "build/deb")
    run("bash", ROOT / "tools" / script, cwd=ROOT)
    assert made.read_bytes() == first


def test_an_sdist_without_libraries_ends_with_what_to_install(chroot, sdist):
    root = chroot("bookworm")
    root.run(
        "apt-get -qq update && apt-get -qq install -y --no-install-recommends g++ python3-dev >/dev/null"
    )
    told = root.run(f"rm -rf /s && python3 -m venv /s && /s/bin/pip install {root.put(sdist)} 2>&1 || true")
    assert told.count("CMake Error") == 1, told[-2000:]
    packages = re.search(r"apt-get install ([\w -]+)\n", told)[1].split()
    assert {"libtbb-dev", "libfmt-dev", "libhwy-dev", "libcli11-dev"} <= set(packages)

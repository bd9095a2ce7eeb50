# SPDX-License-Identifier: Apache-2.0
"""What is shipped, and places to try it in: the wheel of `make wheel`, other Pythons, chroots of Debian."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT, run

DIST = ROOT / "build/dist"


def made(script, pattern):
    """The newest file that a script of tools/ has made in build/dist."""
    run("bash", ROOT / "tools" / script, cwd=ROOT)
    return max(DIST.glob(pattern), key=lambda path: path.stat().st_mtime)


@pytest.fixture(scope="session")
def wheel():
    """What `make wheel` makes of this checkout (BOUGH_WHEEL names another)."""
    named = os.environ.get("BOUGH_WHEEL")
    return Path(named).resolve() if named else made("wheel.sh", "bough-*.whl")


@pytest.fixture(scope="session")
def tarball():
    """What `make dist` makes of this checkout (BOUGH_TARBALL names another)."""
    named = os.environ.get("BOUGH_TARBALL")
    return Path(named).resolve() if named else made("dist.sh", "bough-*-linux-*.tar.gz")


@pytest.fixture(scope="session")
def deb():
    """The Debian package of this checkout (BOUGH_DEB names another)."""
    named = os.environ.get("BOUGH_DEB")
    return Path(named).resolve() if named else made("deb.sh", "bough_*.deb")


@pytest.fixture(scope="session")
def sdist(tmp_path_factory):
    """The sdist of this checkout."""
    folder = tmp_path_factory.mktemp("sdist")
    run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", folder, ROOT)
    return next(folder.glob("bough-*.tar.gz"))


class Root:
    """A chroot."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, script):
        """What a shell prints in it; /proc and /dev are there meanwhile."""
        inside = f"mount -t proc proc {self.folder}/proc && mount --rbind /dev {self.folder}/dev && "
        inside += f"exec chroot {self.folder} /bin/bash -euc '{script}'"
        return run("unshare", "--mount", "/bin/bash", "-c", inside)

    def put(self, path):
        shutil.copy(path, self.folder / "tmp")
        return f"/tmp/{Path(path).name}"


@pytest.fixture(scope="session")
def chroot():
    """A function from the name of a Debian release to a minimal chroot of it, kept in build/roots."""
    if os.geteuid() != 0 or shutil.which("debootstrap") is None:
        pytest.skip("chroots need root and debootstrap")
    told = run(
        "apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Label: Debian"
    ).split()

    def root_of(release):
        folder = ROOT / "build/roots" / release
        if not (folder / "made").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.parent.mkdir(parents=True, exist_ok=True)
            command = [
                "debootstrap",
                "--variant=minbase",
                "--include=python3,python3-venv",
                release,
                folder,
                told[0],
            ]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                pytest.skip(f"debootstrap {release}: {done.stdout[-300:]}")
            (folder / "made").touch()
        for name in ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf"):
            if os.path.exists(name):
                shutil.copy(name, folder / "etc")
        certificates = folder / "etc/ssl/certs/ca-certificates.crt"
        if not certificates.exists():
            certificates.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile("/etc/ssl/certs/ca-certificates.crt", certificates)
        return Root(folder)

    return root_of

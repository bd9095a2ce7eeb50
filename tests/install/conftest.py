# SPDX-License-Identifier: Apache-2.0
"""What is shipped, what it must do, and places to try it in: chroots of Debian."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT, run

DIST = ROOT / "build/dist"
MACHINE = os.uname().machine
# What every program that is shipped must grow to the byte: a little of everything.
TRAINED = [
    "iris.csv --target species",
    "iris.csv --target species --oblique true --max-depth 3",
    "iris.csv --target species --search optimal --max-depth 2",
    "breast_cancer.csv --target diagnosis --criterion entropy --min-samples-leaf 5",
    "breast_cancer.csv --target diagnosis --size auto",
    "breast_cancer.csv --target diagnosis --forest 7 --max-features sqrt",
    "titanic.csv --target Survived --weight Freq",
    "airquality.csv --target Temp --missing-policy surrogate",
    "airquality.csv --target Temp --criterion absolute_error --max-depth 4",
    "airquality.csv --target Ozone,Temp --max-leaf-nodes 9",
    "tennis.csv --target play --algorithm c45",
]


def shipped(variable, pattern, *command):
    """The file that a variable of the environment names, else the one that a command makes in build/dist."""
    if variable in os.environ:
        return Path(os.environ[variable]).resolve()
    run(*command, cwd=ROOT)
    return max(DIST.glob(pattern), key=lambda path: path.stat().st_mtime)


@pytest.fixture(scope="session")
def wheel():
    """What `make wheel` makes of this checkout (BOUGH_WHEEL names another)."""
    return shipped("BOUGH_WHEEL", f"bough-*_{MACHINE}.whl", "tools/wheel.sh")


@pytest.fixture(scope="session")
def tarball():
    """What `make dist` makes of this checkout (BOUGH_TARBALL names another)."""
    return shipped("BOUGH_TARBALL", f"bough-*-linux-{MACHINE}.tar.gz", "tools/dist.sh")


@pytest.fixture(scope="session")
def deb():
    """The Debian package of this checkout (BOUGH_DEB names another)."""
    return shipped("BOUGH_DEB", "bough_*.deb", "tools/deb.sh")


@pytest.fixture(scope="session")
def sdist():
    """The sdist of this checkout (BOUGH_SDIST names another)."""
    build = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", DIST]
    version = re.search(r"project\(bough VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    return shipped("BOUGH_SDIST", f"bough-{version}.tar.gz", *build)


@pytest.fixture(scope="session")
def models_of():
    """A function from a program (a list of words) to hashes of its models and of what they answer."""

    def grow(program, folder):
        folder.mkdir()
        for name in sorted({words.split(".")[0] for words in TRAINED}):
            run(*program, "demo", "--write", name, "-o", f"{name}.csv", cwd=folder)
        found = {}
        for words in TRAINED:
            run(*program, "train", *words.split(), "--no-scores", "-o", "m.bough", cwd=folder)
            answers = run(*program, "predict", "m.bough", words.split()[0], cwd=folder)
            grown = (folder / "m.bough").read_bytes()
            found[words] = hashlib.sha256(grown).hexdigest(), hashlib.sha256(answers.encode()).hexdigest()
        return found

    return grow


@pytest.fixture(scope="session")
def expected(models_of, release_build, tmp_path_factory):
    """What build/release grows."""
    return models_of([release_build / "bough"], tmp_path_factory.mktemp("expected") / "here")


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
    """A function from the name of a Debian release to a minimal chroot of it.

    They are kept outside of the checkout: whoever packs that would follow their links into this system.
    """
    if os.geteuid() != 0 or shutil.which("debootstrap") is None:
        pytest.skip("chroots need root and debootstrap")
    told = run(
        "apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Label: Debian"
    ).split()

    kept = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "bough/roots"

    def root_of(release):
        folder = kept / release
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
        # It trusts what this system trusts, which may be more than Debian's package says.
        certificates = folder / "etc/ssl/certs/ca-certificates.crt"
        certificates.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile("/etc/ssl/certs/ca-certificates.crt", certificates)
        return Root(folder)

    return root_of

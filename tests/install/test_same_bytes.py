# SPDX-License-Identifier: Apache-2.0
"""Everything that is shipped grows the same models and answers the same: program and extension of the wheel,
the single-file program, the Debian package, what an sdist builds. The judge is build/release.

tests/cpp/threads/builds_test.cpp compares compilers, options and instruction sets in the same way.
"""

import shutil
import sys
import tarfile

import pytest
from support import ROOT, new_environment, run

pytestmark = pytest.mark.long


def test_the_single_file_program(tarball, models_of, expected, tmp_path):
    with tarfile.open(tarball) as packed:
        packed.extractall(tmp_path, filter="data")
    assert models_of([next(tmp_path.glob("bough-*/bin/bough"))], tmp_path / "here") == expected


def test_the_debian_package(deb, models_of, expected, tmp_path):
    run("dpkg-deb", "-x", deb, tmp_path / "root")
    assert models_of([tmp_path / "root/usr/bin/bough"], tmp_path / "here") == expected


FITTED = """
import hashlib, pathlib, bough
for name in ("iris", "breast_cancer"):
    X, y = bough.datasets.load(name, return_X_y=True)
    for kind in (bough.DecisionTreeClassifier, bough.RandomForestClassifier):
        model = kind(random_state=1).fit(X, y)
        model.save("m.bough")
        grown = pathlib.Path("m.bough").read_bytes() + model.predict_proba(X).tobytes()
        print(name, kind.__name__, hashlib.sha256(grown).hexdigest())
"""


@pytest.fixture
def check_package(models_of, expected, tmp_path):
    """Holds program and extension of a wheel against build/release and the package made of it."""

    def check(package):
        python = new_environment(tmp_path / "env", package)
        assert models_of([tmp_path / "env/bin/bough"], tmp_path / "here") == expected
        told = run(python, "-c", FITTED, cwd=tmp_path)
        assert told.count("\n") == 4 and told == run(sys.executable, "-c", FITTED, cwd=tmp_path)

    return check


def test_the_wheel(wheel, check_package):
    check_package(wheel)


def test_what_the_sdist_builds_with_the_libraries_of_this_system(sdist, check_package, tmp_path):
    # Below build/ and by the compiler that CMake takes itself: a compiler cache knows it from build/release.
    place = ROOT / "build/sdist"
    shutil.rmtree(place, ignore_errors=True)
    with tarfile.open(sdist) as packed:
        packed.extractall(place, filter="data")
    source = next(place.iterdir())
    options = ["--no-build-isolation", "--no-deps", "-w", tmp_path, "-C", "build-dir=build/release"]
    compilers = {"CC": "cc", "CXX": "c++"}
    run(sys.executable, "-m", "pip", "wheel", "-q", *options, ".", cwd=source, env=compilers)
    check_package(next(tmp_path.glob("bough-*.whl")))

# SPDX-License-Identifier: Apache-2.0
"""Everything that is shipped grows the same models and answers the same: program and extension of the wheel,
the single-file program, the Debian package, what an sdist builds, 64-bit ARM. The judge is build/release.

tests/cpp/threads/builds_test.cpp compares compilers, options and instruction sets in the same way.
"""

import hashlib
import shutil
import sys
import tarfile

import pytest
from support import ROOT, new_environment, run

pytestmark = pytest.mark.long

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


def models(program, folder):
    """Hashes of the models that a program (a list of words) grows, and of what they answer."""
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


@pytest.fixture(scope="module")
def expected(release_build, tmp_path_factory):
    return models([release_build / "bough"], tmp_path_factory.mktemp("expected") / "here")


def test_the_single_file_program(tarball, expected, tmp_path):
    with tarfile.open(tarball) as packed:
        packed.extractall(tmp_path, filter="data")
    assert models([next(tmp_path.glob("bough-*/bin/bough"))], tmp_path / "here") == expected


def test_the_debian_package(deb, expected, tmp_path):
    run("dpkg-deb", "-x", deb, tmp_path / "root")
    assert models([tmp_path / "root/usr/bin/bough"], tmp_path / "here") == expected


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


def check_package(package, expected, folder):
    """Program and extension of a wheel against build/release and the package made of it."""
    python = new_environment(folder / "env", package)
    assert models([folder / "env/bin/bough"], folder / "here") == expected
    told = run(python, "-c", FITTED, cwd=folder)
    assert told.count("\n") == 4 and told == run(sys.executable, "-c", FITTED, cwd=folder)


def test_the_wheel(wheel, expected, tmp_path):
    check_package(wheel, expected, tmp_path)


def test_what_the_sdist_builds_with_the_libraries_of_this_system(sdist, expected, tmp_path):
    # Below build/, where compiler caches look.
    place = ROOT / "build/sdist"
    shutil.rmtree(place, ignore_errors=True)
    with tarfile.open(sdist) as packed:
        packed.extractall(place, filter="data")
    source = next(place.iterdir())
    options = ["--no-build-isolation", "--no-deps", "-w", tmp_path, "-C", "build-dir=build/release"]
    run(sys.executable, "-m", "pip", "wheel", "-q", *options, ".", cwd=source)
    check_package(next(tmp_path.glob("bough-*.whl")), expected, tmp_path)


@pytest.fixture(scope="module")
def aarch64():
    """The build for 64-bit ARM."""
    if not all(map(shutil.which, ("aarch64-linux-gnu-g++", "qemu-aarch64"))):
        pytest.skip("no cross compiler or no qemu: tools/setup.sh aarch64")
    run("bash", ROOT / "tools/dist.sh", "aarch64", cwd=ROOT)
    run("bash", ROOT / "tools/build.sh", "aarch64", "test_builds", "test_base", cwd=ROOT)
    return ROOT / "build/aarch64"


def test_the_program_for_64_bit_arm(aarch64, expected, tmp_path):
    assert models(["qemu-aarch64", aarch64 / "single/bough"], tmp_path / "here") == expected


@pytest.mark.parametrize("name", ["base/test_base", "threads/test_builds"])
def test_tests_of_the_core_on_64_bit_arm(aarch64, name):
    words = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", aarch64 / "tests/cpp" / name]
    assert "[  PASSED  ]" in run(*words, cwd=ROOT)

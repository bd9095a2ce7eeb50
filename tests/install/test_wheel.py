# SPDX-License-Identifier: Apache-2.0
"""The wheel of `make wheel`: what is in it, and that it works beside others, on other Pythons and systems."""

import hashlib
import json
import os
import subprocess
import time
import zipfile

import pytest
from support import ROOT, new_environment, python_of, run

pytestmark = pytest.mark.long

# A stranger's first minute.
SMOKE = """
import sys, sklearn, bough
X, y = bough.datasets.load("iris", return_X_y=True)
model = bough.DecisionTreeClassifier(max_depth=3).fit(X, y)
assert model.score(X, y) > 0.95
assert bough.RandomForestClassifier(n_estimators=5, n_jobs=2).fit(X, y).predict(X).shape == (150,)
bough.report(model, X, y).save("report.html")
print(sys.version.split()[0], sklearn.__version__, bough.__version__, "ok")
"""


def unpacked(wheel, folder):
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder)
    return folder


def needed(file):
    told = run("readelf", "-d", file)
    return {line.split("[")[1].rstrip("]") for line in told.splitlines() if "(NEEDED)" in line}


def test_it_is_small_and_holds_what_it_should(wheel):
    assert wheel.stat().st_size <= 9_000_000
    names = zipfile.ZipFile(wheel).namelist()
    version = wheel.name.split("-")[1]
    for wanted in (
        "bough/_core.abi3.so",
        "bough/py.typed",
        "bough/_core.pyi",
        "bough/data/iris.csv",
        f"bough-{version}.data/scripts/bough",
        f"bough-{version}.dist-info/licenses/LICENSE",
        f"bough-{version}.dist-info/licenses/THIRD_PARTY_LICENSES.txt",
        f"bough-{version}.dist-info/sboms/bough.cdx.json",
    ):
        assert wanted in names
    assert not any(name.endswith((".cpp", ".hpp", ".h")) or name.startswith("tests") for name in names)


def test_the_tag_is_what_auditwheel_finds(wheel):
    told = run(ROOT / ".venv/bin/python", "-m", "auditwheel", "show", wheel)
    tag = wheel.stem.split("-")[-1]
    assert "manylinux_2_27_x86_64" in tag.split(".") and "manylinux_2_27_x86_64" in told.replace("\n", " ")


def test_it_asks_for_nothing_but_the_runtime_of_c_and_shows_little(wheel, tmp_path):
    unpacked(wheel, tmp_path)
    runtime = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux-x86-64.so.2"}
    runtime |= {"libstdc++.so.6", "libgcc_s.so.1"}
    extension = tmp_path / "bough/_core.abi3.so"
    for file in (extension, next(tmp_path.glob("*.data/scripts/bough"))):
        assert needed(file) <= runtime
    shown = run("nm", "-D", "--defined-only", extension).splitlines()
    assert 0 < len(shown) < 100
    assert not [line for line in shown if "tbb" in line or "fmt" in line]


def test_licences_and_sbom_name_everything_that_is_compiled_in(wheel, tmp_path):
    unpacked(wheel, tmp_path)
    listed = json.loads((ROOT / "tools/dependencies.json").read_text())["dependencies"]
    linked = {entry["name"] for entry in listed if entry["scope"] == "linked"} | {"nanobind"}
    texts = next(tmp_path.glob("*.dist-info/licenses/THIRD_PARTY_LICENSES.txt")).read_text()
    assert all(f"\n{name} " in texts for name in linked | {"GNU C++ runtime"})
    parts = json.loads(next(tmp_path.glob("*.dist-info/sboms/bough.cdx.json")).read_text())["components"]
    assert linked <= {part["name"] for part in parts}


def test_two_builds_give_the_same_bytes(wheel):
    first = hashlib.sha256(wheel.read_bytes()).hexdigest()
    run("rm", "-rf", ROOT / "build/ship")
    run("bash", ROOT / "tools/wheel.sh", cwd=ROOT)
    assert hashlib.sha256(wheel.read_bytes()).hexdigest() == first


@pytest.mark.parametrize(
    ("version", "packages"),
    [
        ("3.10", []),
        ("3.11", ["scikit-learn==1.6.*"]),
        ("3.11", ["scikit-learn==1.7.*"]),
        ("3.12", []),
        ("3.13", []),
        ("3.14", []),
    ],
)
def test_it_works_in_a_clean_environment(wheel, tmp_path, version, packages):
    python = new_environment(tmp_path / "env", wheel, *packages, python=python_of(version))
    print(run(python, "-c", SMOKE, cwd=tmp_path))
    assert (tmp_path / "report.html").stat().st_size > 50_000
    program = tmp_path / "env/bin/bough"
    assert "leaves" in run(program, "demo", cwd=tmp_path)
    assert run(python, "-m", "bough", "--version", cwd=tmp_path) == run(program, "--version")
    best = 1.0
    for _ in range(20):
        start = time.perf_counter()
        subprocess.run([program, "--version"], check=True, capture_output=True)
        best = min(best, time.perf_counter() - start)
    print(f"bough --version: {1000 * best:.1f} ms")


@pytest.mark.parametrize("version", ["3.12", "3.13"])
def test_scikit_learns_own_tests_of_trees_pass_on_other_pythons(wheel, tmp_path, version):
    packages = [wheel, "pytest", "matplotlib", "pandas"]
    python = new_environment(tmp_path / "env", *packages, python=python_of(version))
    suites = [ROOT / "tests/python/upstream", ROOT / "tests/python/test_estimator_checks.py"]
    print(run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *suites, cwd=ROOT)[-200:])


USES = """
import sys
import numpy as np
X = np.random.default_rng(0).random((20000, 10)).astype("float32")
y = (X[:, 0] + X[:, 1] > 1).astype(int)

def bough():
    import bough
    bough.DecisionTreeClassifier(max_depth=8, n_jobs=2).fit(X, y).predict(X)
    bough.RandomForestClassifier(n_estimators=5, n_jobs=2).fit(X, y).predict(X)

def sklearnex():
    from sklearnex.ensemble import RandomForestClassifier
    RandomForestClassifier(n_estimators=5, n_jobs=2).fit(X, y).predict(X)

def lightgbm():
    import lightgbm
    lightgbm.LGBMClassifier(n_estimators=5, n_jobs=2, verbose=-1).fit(X, y).predict(X)

def xgboost():
    import xgboost
    xgboost.XGBClassifier(n_estimators=5, n_jobs=2).fit(X, y).predict(X)

def numba():
    import numba
    numba.config.THREADING_LAYER = "tbb"
    @numba.njit(parallel=True)
    def total(a):
        out = 0.0
        for i in numba.prange(a.shape[0]):
            out += a[i, 0]
        return out
    total(X)
    assert numba.threading_layer() == "tbb"

def pyarrow():
    import pyarrow, pyarrow.parquet
    pyarrow.parquet.write_table(pyarrow.table({"x": X[:, 0], "y": y}), "t.parquet")
    import bough
    bough.train_from_files("t.parquet", "y", max_depth=2)

for name in sys.argv[1:]:
    globals()[name]()
"""


@pytest.fixture(scope="module")
def crowd(wheel, tmp_path_factory):
    """An environment with the others that bring threads or Arrow."""
    folder = tmp_path_factory.mktemp("crowd")
    others = ["scikit-learn-intelex", "lightgbm", "xgboost-cpu", "numba", "tbb", "pyarrow"]
    return new_environment(folder / "env", wheel, *others)


@pytest.mark.parametrize("other", ["sklearnex", "lightgbm", "xgboost", "numba", "pyarrow"])
def test_it_lives_with_others_in_any_order_of_import(crowd, tmp_path, other):
    for order in ([other, "bough", other], ["bough", other, "bough"]):
        run(crowd, "-W", "ignore", "-c", USES, *order, cwd=tmp_path)


# Python 3.11, 3.13 and, in Debian's newest, 3.14 or later.
@pytest.mark.parametrize("release", ["bookworm", "trixie", "sid"])
def test_a_stranger_gets_from_pip_to_a_report(wheel, chroot, release, tmp_path):
    root = chroot(release)
    start = os.times()
    root.run(f"rm -rf /v && python3 -m venv /v && cd /tmp && /v/bin/pip install -q {root.put(wheel)}")
    told = root.run(
        "cd /tmp && PATH=/v/bin:$PATH && bough demo --write iris -o iris.csv && "
        "bough train iris.csv --target species -o iris.bough && "
        "bough report iris.bough --data iris.csv -o r.html"
    )
    wall, cpu = (os.times()[4] - start[4], sum(os.times()[2:4]) - sum(start[2:4]))
    print(f"{release}: {wall:.0f} s from pip to a report, {cpu:.0f} s of them computing")
    assert "saved iris.bough" in told and (root.folder / "tmp/r.html").stat().st_size > 50_000
    (tmp_path / "smoke.py").write_text(SMOKE)
    print(root.run(f"cd /tmp && /v/bin/python {root.put(tmp_path / 'smoke.py')}"))


def test_its_parts_find_what_they_need_on_an_old_system(wheel, chroot, tmp_path):
    # Debian 11 has no Python that the wheel is for, but the C library of such systems.
    root = chroot("bullseye")
    unpacked(wheel, tmp_path)
    told = root.run(f"ldd -r {root.put(tmp_path / 'bough/_core.abi3.so')} 2>&1")
    missing = [line for line in told.splitlines() if "not found" in line or "undefined" in line]
    assert all(line.split("undefined symbol: ")[1].startswith(("Py", "_Py")) for line in missing)
    program = root.put(next(tmp_path.glob("*.data/scripts/bough")))
    told = root.run(
        f"cd /tmp && chmod +x {program} && {program} demo --write iris -o i.csv && "
        f"{program} train i.csv --target species --threads 2 -o i.bough"
    )
    assert "saved i.bough" in told

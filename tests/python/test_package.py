# SPDX-License-Identifier: Apache-2.0
"""The package as installed: command line, data sets, types; wheel and sdist in clean environments (long)."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import bough
import numpy as np
import pytest
from bough import _core
from support import ROOT, run


def test_python_m_bough_is_the_command_line():
    assert run(sys.executable, "-m", "bough", "--version").strip() == f"bough {bough.__version__}"
    done = subprocess.run(
        [sys.executable, "-m", "bough", "nonsense"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2


def test_the_command_line_starts_without_scikit_learn():
    loaded = run(
        sys.executable, "-c", "import bough, sys; print('sklearn' in sys.modules, bough.__version__)"
    )
    assert loaded.split() == ["False", bough.__version__]
    assert "DecisionTreeClassifier" in dir(bough)
    with pytest.raises(AttributeError, match="nothing"):
        bough.nothing  # noqa: B018


def test_the_embedded_sets_are_at_hand():
    assert list(bough.datasets.list_datasets()) == [
        "iris",
        "breast_cancer",
        "titanic",
        "tennis",
        "airquality",
    ]
    X, y = bough.datasets.load("iris", return_X_y=True)
    assert X.shape == (150, 4) and X.dtype == np.float64
    assert bough.DecisionTreeClassifier().fit(X, y).classes_.tolist() == ["setosa", "versicolor", "virginica"]
    titanic = bough.datasets.load("titanic", as_frame=True)
    model = bough.DecisionTreeClassifier().fit(
        titanic.data, titanic.target, sample_weight=titanic.sample_weight
    )
    assert model.tree_.weighted_n_node_samples[0] == 2201
    assert titanic.frame.columns.tolist() == [*titanic.feature_names, titanic.target_name]
    air = bough.datasets.load("airquality")
    assert np.isnan(air.data).sum() == 44
    assert (
        bough.DecisionTreeRegressor(max_depth=3).fit(air.data, air.target).score(air.data, air.target) > 0.5
    )
    with pytest.raises(ValueError, match="there are iris"):
        bough.datasets.load("mars")


def test_the_stubs_name_everything_the_extension_has():
    folder = Path(bough.__file__).parent
    assert (folder / "py.typed").is_file()
    stub = (folder / "_core.pyi").read_text()
    for name in dir(_core):
        if not name.startswith("__"):
            assert f"def {name}(" in stub or f"class {name}" in stub, name
    for cls in (_core.Model, _core.RuleSet, _core.Table, _core.Params):
        for name in vars(cls):
            if not name.startswith("__"):
                assert f"def {name}(" in stub, name


SMOKE = """
import sys, numpy as np, sklearn, bough
X, y = bough.datasets.load("iris", return_X_y=True)
model = bough.DecisionTreeClassifier(max_depth=3).fit(X, y)
assert model.score(X, y) > 0.95
print(sys.version.split()[0], sklearn.__version__, bough.__version__, "ok")
"""


def new_environment(folder, *packages):
    """A fresh virtual environment; skips where packages cannot be had."""
    run(sys.executable, "-m", "venv", folder)
    python = folder / "bin" / "python"
    done = subprocess.run(
        [python, "-m", "pip", "install", "-q", *packages], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.skip(f"pip cannot install {packages} here: {done.stderr[-300:]}")
    return python


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """An sdist of the checkout and the wheel that is built from it, compiled from the sdist's own files."""
    folder = tmp_path_factory.mktemp("dist")
    python = new_environment(
        folder / "tools", "build", "ninja", "scikit-build-core", "nanobind", "nanobind-backend"
    )
    environment = {key: value for key, value in os.environ.items() if key != "BOUGH_PREBUILT"}
    run(python, "-m", "build", "--no-isolation", "--outdir", folder / "out", ROOT, env=environment)
    return next((folder / "out").glob("*.tar.gz")), next((folder / "out").glob("*.whl"))


@pytest.mark.long
def test_the_wheel_is_for_every_python_from_3_10_and_holds_the_command_line(built):
    _, wheel = built
    assert "-cp310-abi3-linux_" in wheel.name
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in (
        "bough/_core.abi3.so",
        "bough/bin/bough",
        "bough/py.typed",
        "bough/_core.pyi",
        "bough/data/iris.csv",
    ):
        assert wanted in names
    assert not any(name.endswith((".cpp", ".hpp", ".h")) or name.startswith("tests") for name in names)


@pytest.mark.long
@pytest.mark.parametrize("wanted", ["scikit-learn", "scikit-learn==1.6.*", "scikit-learn==1.7.*"])
def test_the_wheel_works_in_a_clean_environment(built, tmp_path, wanted):
    _, wheel = built
    python = new_environment(tmp_path / "env", wheel, wanted)
    print(run(python, "-c", SMOKE, cwd=tmp_path))
    assert run(tmp_path / "env/bin/bough", "--version", cwd=tmp_path).startswith("bough ")
    assert run(python, "-m", "bough", "demo", cwd=tmp_path)


def python_of(version):
    """An interpreter of this version, on the path or among pyenv's."""
    found = shutil.which(f"python{version}")
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for candidate in [found, *sorted(map(str, kept.glob(f"{version}.*/bin/python")))]:
        if (
            candidate
            and subprocess.run([candidate, "-c", ""], capture_output=True, check=False).returncode == 0
        ):
            return candidate
    pytest.skip(f"there is no python{version} here")


# The oldest Python has the last scikit-learn that runs there; the others run its own tests of trees too.
@pytest.mark.long
@pytest.mark.parametrize("version", ["3.10", "3.12", "3.13"])
def test_the_wheel_works_on_other_pythons(built, tmp_path, version):
    _, wheel = built
    run(python_of(version), "-m", "venv", tmp_path / "env")
    python = tmp_path / "env/bin/python"
    run(python, "-m", "pip", "install", "-q", wheel, "pytest", "matplotlib", "pandas", "scikit-learn")
    print(run(python, "-c", SMOKE, cwd=tmp_path))
    if version != "3.10":
        suites = [ROOT / "tests/python/upstream", ROOT / "tests/python/test_estimator_checks.py"]
        print(run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *suites, cwd=ROOT)[-200:])

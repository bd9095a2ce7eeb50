# SPDX-License-Identifier: Apache-2.0
"""The package as installed: command line, data sets, types. Wheels and other packages: tests/install."""

import subprocess
import sys
from pathlib import Path

import bough
import numpy as np
import pytest
from bough import _core
from support import run


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

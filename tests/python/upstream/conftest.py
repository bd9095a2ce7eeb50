# SPDX-License-Identifier: Apache-2.0
"""Fixtures that scikit-learn's test files expect, and the tests that cannot apply."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import pytest


@pytest.fixture
def global_random_seed():
    """scikit-learn's own default."""
    return 42


@pytest.fixture
def pyplot():
    """matplotlib without a screen."""
    pyplot = pytest.importorskip("matplotlib").pyplot if False else None
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    pyplot.close("all")
    yield pyplot
    pyplot.close("all")

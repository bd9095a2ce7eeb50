# SPDX-License-Identifier: Apache-2.0
"""Fixtures that scikit-learn's test files expect; tests that cannot apply to bough must fail."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from upstream_exceptions import EXCEPTIONS

# Of a class that stays scikit-learn's own.
NOT_OURS = ("RandomTreesEmbedding", "random_trees", "random_hasher")


def pytest_collection_modifyitems(config, items):
    here = Path(__file__).parent
    theirs = [i for i in items if i.path.parent == here and any(word in i.name for word in NOT_OURS)]
    items[:] = [item for item in items if item not in theirs]
    config.hook.pytest_deselected(items=theirs)
    for item in items:
        if item.path.parent == here and item.name in EXCEPTIONS:
            item.add_marker(pytest.mark.xfail(reason=EXCEPTIONS[item.name], strict=True))


@pytest.fixture
def global_random_seed():
    """scikit-learn's own default."""
    return 42


@pytest.fixture
def pyplot():
    """matplotlib without a screen."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    pyplot.close("all")
    yield pyplot
    pyplot.close("all")

# SPDX-License-Identifier: Apache-2.0
"""The runner itself: the files run with bough's classes, and the list of exceptions stays short and true."""

import inspect

import pytest
from upstream_exceptions import EXCEPTIONS
from upstream_loader import SWAPPED, load

FILES = ["test_tree", "test_split", "test_monotonic_tree", "test_export", "test_forest"]


@pytest.mark.parametrize("file", FILES)
def test_no_estimator_of_scikit_learns_trees_is_left_in_a_file(file):
    names = load(file)
    seen = [value for key, value in names.items() if key in SWAPPED]
    assert seen
    assert all(value.__module__.startswith("bough") for value in seen)
    for value in names.values():
        for item in (
            [*value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
        ):
            if inspect.isclass(item) and item.__name__ in SWAPPED:
                assert item.__module__.startswith("bough")


def test_every_exception_names_a_test_and_there_are_fewer_than_40():
    tests = {name for file in FILES for name in load(file) if name.startswith("test_")}
    assert {name.split("[")[0] for name in EXCEPTIONS} <= tests
    assert len(EXCEPTIONS) < 40

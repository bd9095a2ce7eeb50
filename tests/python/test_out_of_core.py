# SPDX-License-Identifier: Apache-2.0
"""Training on files larger than memory, from Python."""

import bough
import numpy as np
import pytest


@pytest.fixture
def files(tmp_path):
    """Two files of one table, and its columns."""
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=600).round(2), rng.integers(0, 9, 600)
    y = np.where(a + 0.3 * b + rng.normal(size=600) > 1, "yes", "no")
    paths = []
    for part, rows in enumerate((slice(0, 400), slice(400, 600))):
        paths.append(tmp_path / f"part{part}.csv")
        lines = [f"{i},{j},{k}\n" for i, j, k in zip(a[rows], b[rows], y[rows], strict=True)]
        paths[-1].write_text("a,b,y\n" + "".join(lines))
    return paths, np.column_stack([a, b]), y


def test_the_tree_is_that_of_fit(files):
    paths, X, y = files
    tree = bough.train_from_files(paths, "y", memory="300MB", max_depth=4)
    other = bough.DecisionTreeClassifier(max_depth=4).fit(X, y)
    assert isinstance(tree, bough.DecisionTreeClassifier)
    assert list(tree.feature_names_in_) == ["a", "b"]
    np.testing.assert_array_equal(tree.tree_.threshold, other.tree_.threshold)
    np.testing.assert_array_equal(tree.predict_proba(X), other.predict_proba(X))
    pattern = bough.train_from_files(paths[0].parent / "*.csv", ["y"], memory="300MB", max_depth=4, n_jobs=1)
    assert pattern.tree_.model.to_bytes() == tree.tree_.model.to_bytes()


def test_forests_and_other_columns(files):
    paths, X, _ = files
    forest = bough.train_from_files(paths, "b", ignore=["y"], memory="300MB", forest=3, task="regression")
    assert isinstance(forest, bough.RandomForestRegressor)
    assert forest.predict(X[:, :1]).shape == (600,)


def test_what_is_wrong_is_said(files, tmp_path):
    paths, _, _ = files
    with pytest.raises(ValueError, match="is no size"):
        bough.train_from_files(paths, "y", memory="lots")
    with pytest.raises(NotImplementedError, match="absolute_error"):
        bough.train_from_files(paths, "b", ignore=["y"], criterion="absolute_error")
    with pytest.raises(OSError, match="nowhere"):
        bough.train_from_files(paths, "y", scratch=tmp_path / "nowhere")


def test_progress_names_the_stages_and_may_stop(files):
    paths, _, _ = files
    stages = []

    def note(stage, fraction, nodes):
        stages.append(stage.split(",")[0])
        return True

    bough.train_from_files(paths, "y", progress=note)
    assert stages[0] == "read"
    assert set(stages) <= {"read", "code", "grow"}
    with pytest.raises(KeyboardInterrupt, match="stopped"):
        bough.train_from_files(paths, "y", progress=lambda *_: False)

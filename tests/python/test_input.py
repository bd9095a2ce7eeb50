# SPDX-License-Identifier: Apache-2.0
"""What goes in: layouts, sparse matrices, missing cells, labels of all kinds, and what is refused."""

import resource
import tracemalloc

import bough
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris, make_multilabel_classification

IRIS, KINDS = load_iris(return_X_y=True)


def model_bytes(X, y=KINDS, **options):
    return bough.DecisionTreeClassifier(**options).fit(X, y).tree_.model.to_bytes()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_memory_order_and_strides_do_not_matter(dtype):
    C = np.ascontiguousarray(IRIS, dtype=dtype)
    expected = model_bytes(C)
    wide = np.zeros((300, 8), dtype=dtype)
    wide[::2, ::2] = C
    frozen = C.copy()
    frozen.flags.writeable = False
    for X in (np.asfortranarray(C), wide[::2, ::2], C[::-1][::-1], frozen):
        assert model_bytes(X) == expected


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_answers_are_the_same_for_every_layout(dtype):
    rng = np.random.default_rng(1)
    C = np.ascontiguousarray(rng.normal(size=(5000, 4)), dtype=dtype)
    y = (C[:, 0] > 0) * 2 + (C[:, 1] > rng.normal(size=5000))
    wide = np.zeros((10_000, 9), dtype=dtype)
    wide[::2, 1::2] = C
    odd = np.zeros(1 + C.nbytes, np.uint8)[1:].view(dtype).reshape(C.shape)
    odd[:] = C
    frame = pd.DataFrame(C, columns=list("abcd"))
    for kind in (bough.DecisionTreeClassifier(), bough.RandomForestClassifier(5, random_state=0, n_jobs=1)):
        model = kind.fit(C, y)
        for X in (np.asfortranarray(C), wide[::2, 1::2], odd, C[::-1][::-1], frame.to_numpy()):
            assert np.array_equal(model.predict(X), model.predict(C))
            assert np.array_equal(model.predict_proba(X), model.predict_proba(C))
            assert np.array_equal(model.apply(X), model.apply(C))
        of_frame = clone(kind).fit(frame, y)
        assert np.array_equal(of_frame.predict_proba(frame), model.predict_proba(C))
        mixed = frame.astype({"b": np.float32 if dtype == np.float64 else np.float64})
        assert np.array_equal(of_frame.predict(mixed), model.predict(mixed.to_numpy(np.float64)))


def test_an_infinite_cell_is_refused_wherever_it_is():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(5000, 3))
    model = bough.DecisionTreeRegressor(max_depth=2).fit(X, X[:, 0])
    of_frame = bough.DecisionTreeRegressor(max_depth=2).fit(pd.DataFrame(X, columns=list("abc")), X[:, 0])
    for row in (0, 2047, 2048, 4999):
        bad = X.copy()
        bad[row, 2] = -np.inf
        for layout in (bad, np.asfortranarray(bad), np.repeat(bad, 2, axis=1)[:, ::2]):
            for ask in (model.predict, model.apply):
                with pytest.raises(ValueError, match=f"infinity(.|\n)*row {row}, column 2"):
                    ask(layout)
        with pytest.raises(ValueError, match=r"infinity.*column 'c'"):
            of_frame.predict(pd.DataFrame(bad, columns=list("abc")))
    assert np.isfinite(model.predict(np.where(X > 1, np.nan, X))).all()


def test_a_forest_of_many_classes_answers_in_little_memory():
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 3, size=(6000, 2)).astype(float), np.arange(6000)
    forest = bough.RandomForestClassifier(2, max_depth=1, random_state=0, n_jobs=1).fit(X, y)
    proba = forest.predict_proba(X[:50])
    assert np.array_equal(forest.predict(X[:50]), proba.argmax(axis=1))
    one = [tree.predict_proba(X[:50]) for tree in forest.estimators_]
    assert np.allclose(proba, np.mean(one, axis=0), rtol=1e-12, atol=0)
    many = np.repeat(X[:1], 2048, axis=0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert (forest.predict(many) == forest.predict(X[:1])[0]).all()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 40_000  # kB; all sums: 98 MB


def test_a_matrix_is_viewed_and_not_copied():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 100_000)
    for order in "CF":
        X = np.asarray(rng.normal(size=(100_000, 20)), order=order)
        bough.DecisionTreeClassifier(max_depth=1).fit(X[:100], y[:100])
        tracemalloc.start()
        model = bough.DecisionTreeClassifier(max_depth=1).fit(X, y)
        model.predict(X[:10])
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < X.nbytes / 10


def test_float64_stays_float64():
    # Two values that are one in float32.
    X = np.array([[1.0], [1.0 + 1e-12], [1.0], [1.0 + 1e-12]])
    y = [0, 1, 0, 1]
    model = bough.DecisionTreeClassifier().fit(X, y)
    assert model.score(X, y) == 1.0
    assert 1.0 <= model.tree_.threshold[0] < 1.0 + 1e-12
    assert bough.DecisionTreeClassifier().fit(X.astype(np.float32), y).tree_.node_count == 1
    big = bough.DecisionTreeClassifier().fit([[1e300], [2e300]], [0, 1])
    assert big.tree_.threshold[0] == 1.5e300


@pytest.mark.parametrize("kind", ["csr_matrix", "csc_matrix", "csr_array", "csc_array", "coo_matrix"])
@pytest.mark.parametrize("wide", [False, True])
def test_a_sparse_matrix_gives_the_dense_model(kind, wide):
    rng = np.random.default_rng(3)
    dense = rng.normal(size=(200, 6)) * (rng.random((200, 6)) < 0.3)
    y = (dense[:, 0] + dense[:, 1] > 0.2).astype(int)
    X = getattr(sparse, kind)(dense)
    if wide and hasattr(X, "indptr"):
        X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    ours = bough.DecisionTreeClassifier().fit(X, y)
    expected = bough.DecisionTreeClassifier().fit(dense, y)
    np.testing.assert_array_equal(ours.tree_.threshold, expected.tree_.threshold)
    np.testing.assert_array_equal(ours.predict_proba(X), expected.predict_proba(dense))
    assert (ours.decision_path(X) != expected.decision_path(dense)).nnz == 0


def test_duplicates_and_missing_cells_in_sparse_input():
    twice = sparse.csr_matrix(
        (np.array([1.0, 1.0, 5.0]), np.array([0, 0, 0]), np.array([0, 2, 2, 3])), shape=(3, 1)
    )
    model = bough.DecisionTreeRegressor().fit(twice, [2.0, 0.0, 5.0])
    assert model.predict(np.array([[2.0], [0.0], [5.0]])).tolist() == [2.0, 0.0, 5.0]
    assert twice.nnz == 3
    holes = sparse.csc_matrix(np.array([[np.nan], [1.0], [0.0], [np.nan]]))
    model = bough.DecisionTreeClassifier().fit(holes, [1, 0, 0, 1])
    assert model.score(holes, [1, 0, 0, 1]) == 1.0


@pytest.mark.parametrize(
    "labels",
    [
        [-1, 1, 3],
        ["setosa", "versicolor", "virginica"],
        ["żółw", "ähre", "zebra"],
        [0.5, 1.5, 2.5],
        [2**60, 2**60 + 1, 2**60 + 2],
        np.array(["a", "b", "c"], dtype=object),
        np.array([10, 20, 30], dtype=np.uint8),
    ],
)
def test_labels_of_every_kind_come_back_as_they_were(labels):
    labels = np.asarray(labels)
    y = labels[KINDS]
    if labels.dtype == np.float64:
        with pytest.raises(ValueError, match="Unknown label type"):
            bough.DecisionTreeClassifier().fit(IRIS, y)
        return
    model = bough.DecisionTreeClassifier().fit(IRIS, y)
    np.testing.assert_array_equal(model.classes_, np.unique(labels))
    answer = model.predict(IRIS)
    assert answer.dtype == y.dtype
    np.testing.assert_array_equal(answer, y)
    assert model.score(IRIS, y) == 1.0


def test_truth_values_are_labels():
    y = KINDS == 1
    model = bough.DecisionTreeClassifier().fit(IRIS, y)
    assert model.predict(IRIS).dtype == bool
    assert (model.predict(IRIS) == y).all()


def test_several_outputs_are_lists_as_in_scikit_learn():
    y = np.c_[KINDS, (KINDS == 2) * 5]
    model = bough.DecisionTreeClassifier().fit(IRIS, y)
    assert model.n_outputs_ == 2
    assert [labels.tolist() for labels in model.classes_] == [[0, 1, 2], [0, 5]]
    assert model.n_classes_.tolist() == [3, 2]
    proba = model.predict_proba(IRIS)
    assert [part.shape for part in proba] == [(150, 3), (150, 2)]
    assert [part.shape for part in model.predict_log_proba(IRIS)] == [(150, 3), (150, 2)]
    np.testing.assert_array_equal(model.predict(IRIS), y)
    weights = [{0: 1, 1: 2, 2: 1}, {0: 1, 5: 4}]
    weighted = bough.DecisionTreeClassifier(class_weight=weights, max_depth=2).fit(IRIS, y)
    # Weights of classes multiply over the outputs: 50 * 1 + 50 * 2 + 50 * 4.
    assert weighted.tree_.weighted_n_node_samples[0] == 350
    X, many = make_multilabel_classification(80, random_state=0)
    np.testing.assert_array_equal(bough.DecisionTreeClassifier().fit(X, many).predict(X), many)
    with pytest.raises(TypeError, match="Sparse data was passed"):
        bough.DecisionTreeClassifier().fit(X, sparse.csr_matrix(many))


def test_a_column_vector_is_one_output():
    model = bough.DecisionTreeRegressor().fit(IRIS, KINDS.reshape(-1, 1).astype(float))
    assert model.predict(IRIS).shape == (150,)


@pytest.mark.parametrize(
    ("X", "y", "error", "words"),
    [
        ([1, 2, 3], [0, 1, 0], ValueError, "Expected 2D array"),
        ([[1], [2]], [0, 1, 0], ValueError, "does not match number of samples"),
        ([[1], [np.inf]], [0, 1], ValueError, "infinity"),
        (np.array([[1.0], [np.inf]]), [0, 1], ValueError, "infinity"),
        (np.array([[1.0], [-np.inf]], dtype=np.float32, order="F"), [0, 1], ValueError, "infinity"),
        (np.array([[1 + 2j], [2]]), [0, 1], ValueError, "Complex data not supported"),
        ([["a"], ["b"]], [0, 1], ValueError, "could not convert string"),
        (np.empty((0, 2)), [], ValueError, "minimum of 1 is required"),
        (np.empty((2, 0)), [0, 1], ValueError, "minimum of 1 is required"),
        ([[1], [2]], [0.0, np.nan], ValueError, "y contains NaN"),
        ([[1], [2]], np.array([0.0, np.inf]), ValueError, "y contains infinity"),
        ([[1], [2]], None, ValueError, "requires y to be passed"),
        ([[1], [2]], [[[0]], [[1]]], ValueError, "dim 3"),
    ],
)
def test_bad_input_is_refused_in_scikit_learns_words(X, y, error, words):
    for cls in (bough.DecisionTreeRegressor, bough.ExtraTreeClassifier):
        with pytest.raises(error, match=words):
            cls().fit(X, y)


def test_weights_are_checked():
    y = KINDS
    with pytest.raises(ValueError, match="Negative"):
        bough.DecisionTreeClassifier().fit(IRIS, y, sample_weight=np.where(y == 0, -1.0, 1.0))
    with pytest.raises(ValueError, match="shape"):
        bough.DecisionTreeClassifier().fit(IRIS, y, sample_weight=[1.0, 2.0])
    twice = bough.DecisionTreeClassifier().fit(np.r_[IRIS, IRIS], np.r_[y, y])
    weighted = bough.DecisionTreeClassifier().fit(IRIS, y, sample_weight=np.full(150, 2.0))
    np.testing.assert_array_equal(twice.tree_.threshold, weighted.tree_.threshold)
    without = bough.DecisionTreeClassifier().fit(IRIS[y > 0], y[y > 0])
    zero = bough.DecisionTreeClassifier().fit(IRIS, y, sample_weight=(y > 0).astype(float))
    np.testing.assert_array_equal(without.tree_.threshold, zero.tree_.threshold)
    assert zero.tree_.n_node_samples[0] == 100


def test_missing_cells_take_part_in_every_estimator():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    X[rng.random(X.shape) < 0.3] = np.nan
    y = np.isnan(X[:, 1]).astype(int)
    for cls in (bough.DecisionTreeClassifier, bough.DecisionTreeRegressor):
        assert cls().fit(X, y).score(X, y) == 1.0
    for cls in (bough.ExtraTreeClassifier, bough.ExtraTreeRegressor):
        assert cls(max_features=None, splitter="best").fit(X, y).score(X, y) == 1.0
        assert cls(max_features=None).fit(X, y).score(X, y) > 0.9


def test_a_feature_called_y_does_not_meet_the_target():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"y": [1.0, 2.0, 3.0, 4.0], "y_": [0.0, 0.0, 1.0, 1.0]})
    model = bough.DecisionTreeClassifier().fit(frame, [0, 0, 1, 1], sample_weight=[1, 1, 1, 1])
    assert model.score(frame, [0, 0, 1, 1]) == 1.0


def test_foreign_byte_order_is_read():
    expected = model_bytes(IRIS)
    assert model_bytes(IRIS.astype(">f8"), KINDS.astype(">i4")) == expected
    swapped = bough.DecisionTreeRegressor().fit(
        IRIS, KINDS.astype(">f8"), sample_weight=np.ones(150, dtype=">f4")
    )
    np.testing.assert_array_equal(swapped.predict(IRIS), KINDS)


def test_words_in_an_array_are_refused_with_the_way_out():
    X, y = bough.datasets.load("tennis", return_X_y=True)
    with pytest.raises(
        ValueError, match=r"(?s)could not convert string to float: .*'sunny'.*categorical_features"
    ):
        bough.DecisionTreeClassifier().fit(X.astype("U"), y)
    # An array of objects is what meta-estimators make of a frame: its columns of words are categories.
    assert bough.DecisionTreeClassifier().fit(X, y).score(X, y) == 1.0
    assert bough.DecisionTreeClassifier(categorical_features=[0, 1, 2, 3]).fit(X, y).score(X, y) == 1.0


def packed(values, kind):
    """The values in records of one byte more: at addresses that are no multiples of their size."""
    records = np.zeros(len(values), dtype=[("tag", "i1"), ("value", kind, np.shape(values)[1:])])
    records["value"] = values
    return records["value"]


@pytest.mark.parametrize("kind", ["f8", "f4", ">f8", ">f4"])
def test_fields_of_packed_records_are_read(kind):
    r = np.random.default_rng(2)
    X, y, weight = r.integers(0, 9, (60, 3)), r.integers(0, 3, 60), r.integers(1, 4, 60)
    cells = packed(X, kind)
    assert not cells.flags.aligned
    for Estimator, whole in ((bough.DecisionTreeClassifier, "i4"), (bough.RandomForestRegressor, "f8")):
        model = Estimator(random_state=0).fit(X.astype(float), y, sample_weight=weight)
        other = Estimator(random_state=0).fit(cells, packed(y, whole), sample_weight=packed(weight, "f8"))
        assert other.predict(cells).tolist() == model.predict(X.astype(float)).tolist()
        assert other.apply(cells).tolist() == model.apply(X.astype(float)).tolist()
        assert other.score(pd.DataFrame(cells), y) == model.score(X.astype(float), y)


@pytest.mark.parametrize("kind", [">f8", ">f4", ">i4", ">u2"])
def test_columns_of_foreign_byte_order_are_read(kind):
    X = pd.DataFrame({"a": np.arange(40).astype(kind), "b": np.ones(40), "c": ["u", "v"] * 20})
    for columns in (["a"], ["a", "b"], ["a", "b", "c"]):
        model = bough.DecisionTreeClassifier().fit(X[columns], np.arange(40) > 12)
        assert model.tree_.threshold[0] == 12.5
        assert model.predict(X[columns]).sum() == 27


@pytest.mark.parametrize("weights", [{0: -1.0, 1: 1.0}, {0: np.nan, 1: 1.0}, {0: np.inf, 1: 1.0}])
@pytest.mark.parametrize("Estimator", [bough.DecisionTreeClassifier, bough.RandomForestClassifier])
def test_weights_of_classes_are_checked_under_their_name(Estimator, weights):
    with pytest.raises(ValueError, match="class_weight holds a weight that is negative or not finite"):
        Estimator(class_weight=weights).fit(np.arange(6.0).reshape(-1, 1), [0, 1] * 3)


def test_masked_cells_are_missing():
    """The number under a mask is none: 999 would make a split at 501."""
    cells = np.ma.masked_array([[1.0], [2.0], [999.0], [3.0]], mask=[[0], [0], [1], [0]])
    tree = bough.DecisionTreeRegressor().fit(cells, [1, 2, 3, 4])
    plain = bough.DecisionTreeRegressor().fit([[1.0], [2.0], [np.nan], [3.0]], [1, 2, 3, 4])
    assert tree.export("json") == plain.export("json")
    assert (tree.predict(cells) == plain.predict([[1.0], [2.0], [np.nan], [3.0]])).all()


@pytest.mark.parametrize("kind", ["DecisionTreeClassifier", "RandomForestClassifier", "ExtraTreesClassifier"])
def test_balanced_goes_by_weight(kind):
    options = {} if kind.startswith("Decision") else {"n_estimators": 1, "bootstrap": False}
    model = getattr(bough, kind)(class_weight="balanced", **options)
    model.fit([[0], [1], [2], [3], [4]], ["a", "a", "b", "b", "b"], sample_weight=[3, 1, 1, 1, 0])
    tree = model if kind.startswith("Decision") else model.estimators_[0]
    assert tree.tree_.value[0].ravel() == pytest.approx([0.5, 0.5])

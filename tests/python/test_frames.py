# SPDX-License-Identifier: Apache-2.0
"""Frames of pandas, polars and pyarrow give the same model; values decide, not codes, chunks or libraries."""

import sys

import bough
import numpy as np
import pytest

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

N = 300


def cells():
    """Columns as lists: None is missing."""
    rng = np.random.default_rng(5)
    colour = rng.choice(["red", "green", "blue", "żółty"], N).tolist()
    shop = rng.choice(["a", "b", "c", "d", "e"], N).tolist()
    number = rng.normal(size=N).round(2).tolist()
    count = rng.integers(0, 9, N).tolist()
    flag = (rng.random(N) < 0.4).tolist()
    for column in (colour, number, flag):
        for i in rng.choice(N, 20, replace=False):
            column[i] = None
    y = [
        "yes" if ((c in ("red", "blue")) + (s in "ace") + (f is True) + ((x or 0.0) > 0.3)) >= 2 else "no"
        for c, s, f, x in zip(colour, shop, flag, number, strict=True)
    ]
    return {"colour": colour, "shop": shop, "number": number, "count": count, "flag": flag}, np.array(y)


def frames(columns):
    as_pandas = pd.DataFrame({**columns, "flag": pd.array(columns["flag"], dtype="boolean")})
    as_pandas["shop"] = as_pandas["shop"].astype("category")
    as_polars = pl.DataFrame(columns).with_columns(pl.col("shop").cast(pl.Categorical))
    as_arrow = pa.table({**columns, "shop": pa.array(columns["shop"]).dictionary_encode()})
    halves = [as_arrow.slice(0, 111), as_arrow.slice(111)]
    return {
        "pandas": as_pandas,
        "pandas-objects": pd.DataFrame({k: pd.Series(v, dtype=object) for k, v in columns.items()}),
        "polars": as_polars,
        "polars-chunks": pl.concat([as_polars[:57], as_polars[57:]], rechunk=False),
        "pyarrow": as_arrow,
        "pyarrow-chunks": pa.concat_tables(halves),
    }


@pytest.fixture(scope="module")
def fitted():
    columns, y = cells()
    made = frames(columns)
    return (
        {name: bough.DecisionTreeClassifier(max_depth=6).fit(frame, y) for name, frame in made.items()},
        made,
        y,
    )


def essence(model):
    """All of a model but where it came from."""
    import json

    document = json.loads(model.tree_.model.to_json())
    return {key: value for key, value in document.items() if key != "provenance"}


@pytest.mark.parametrize("name", ["pandas-objects", "polars", "polars-chunks", "pyarrow", "pyarrow-chunks"])
def test_a_frame_of_any_library_gives_the_model_of_pandas(fitted, name):
    models, _, _ = fitted
    assert essence(models[name]) == essence(models["pandas"])
    assert models[name].tree_.model.data_hash == models["pandas"].tree_.model.data_hash
    kinds = [kind for _, kind, _ in models["pandas"].tree_.model.features]
    assert kinds == ["category", "category", "numeric", "numeric", "category"]
    assert models[name].feature_names_in_.tolist() == ["colour", "shop", "number", "count", "flag"]


def test_every_frame_answers_like_every_other(fitted):
    models, made, _ = fitted
    expected = models["pandas"].predict_proba(made["pandas"])
    for name, frame in made.items():
        np.testing.assert_array_equal(models["polars"].predict_proba(frame), expected, err_msg=name)


def test_without_pyarrow_a_pandas_frame_gives_the_same_model(fitted, monkeypatch):
    models, made, y = fitted
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    again = bough.DecisionTreeClassifier(max_depth=6).fit(made["pandas"], y)
    monkeypatch.undo()
    np.testing.assert_array_equal(
        again.predict_proba(made["pandas"]), models["pandas"].predict_proba(made["pandas"])
    )
    np.testing.assert_array_equal(again.tree_.children_left, models["pandas"].tree_.children_left)


def test_codes_of_categories_may_differ_between_fit_and_prediction():
    y = np.array([0, 1, 1, 0] * 10)
    fit_frame = pd.DataFrame(
        {"c": pd.Categorical(["a", "b", "c", "d"] * 10, categories=["d", "c", "b", "a"])}
    )
    other = pd.DataFrame({"c": pd.Categorical(["a", "b", "c", "d"], categories=["a", "c", "d", "b", "z"])})
    model = bough.DecisionTreeClassifier().fit(fit_frame, y)
    assert model.predict(other).tolist() == [0, 1, 1, 0]
    assert model.predict(pl.DataFrame({"c": ["d", "c"]})).tolist() == [0, 1]


def test_numbers_of_a_frame_are_not_copied():
    columns = {f"x{i}": np.random.default_rng(i).normal(size=500) for i in range(3)}
    y = (columns["x0"] > 0).astype(int)
    array_model = bough.DecisionTreeClassifier().fit(np.column_stack(list(columns.values())), y)
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns)):
        model = bough.DecisionTreeClassifier().fit(frame, y)
        np.testing.assert_array_equal(model.tree_.threshold, array_model.tree_.threshold)


def test_an_ordered_category_is_ordinal():
    sizes = ["small", "medium", "large"] * 20
    dtype = pd.CategoricalDtype(["small", "medium", "large"], ordered=True)
    y = np.array([0.0, 1.0, 2.0] * 20)
    model = bough.DecisionTreeRegressor().fit(pd.DataFrame({"size": pd.Series(sizes, dtype=dtype)}), y)
    assert model.tree_.model.features[0][1] == "ordinal"
    assert model.predict(pd.DataFrame({"size": ["medium", "large", "small"]})).tolist() == [1.0, 2.0, 0.0]
    by_parameter = bough.DecisionTreeRegressor(ordinal_features={"size": ["small", "medium", "large"]})
    by_parameter.fit(pa.table({"size": sizes}), y)
    np.testing.assert_array_equal(by_parameter.tree_.threshold, model.tree_.threshold)
    assert bough.export_text(model) == (
        "|--- size < medium\n|   |--- value: [0.00]\n|--- size >= medium\n"
        "|   |--- size < large\n|   |   |--- value: [1.00]\n"
        "|   |--- size >= large\n|   |   |--- value: [2.00]\n"
    )


@pytest.mark.parametrize("wish", [[0], [True, False], ["x0"], np.array([0])])
def test_categorical_features_may_be_a_mask_positions_or_names(wish):
    # Codes 0 and 2 belong together: one test of a category, two of a number.
    X = np.array([[0, 5], [1, 5], [2, 5], [3, 5]] * 5, dtype=float)
    y = np.array([1, 0, 1, 0] * 5)
    frame = pd.DataFrame(X, columns=["x0", "x1"])
    data = frame if isinstance(wish[0], str) else X
    model = bough.DecisionTreeClassifier(categorical_features=wish).fit(data, y)
    assert model.tree_.node_count == 3
    assert model.score(data, y) == 1.0
    assert model.tree_.left_levels(0) == [0.0, 2.0]
    assert bough.DecisionTreeClassifier(categorical_features=None).fit(X, y).tree_.node_count > 3


def test_more_categories_than_any_byte_can_count():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2000, 20_000)
    y = (codes % 2).astype(int)
    frame = pd.DataFrame({"code": pd.Categorical([f"c{code}" for code in codes])})
    model = bough.DecisionTreeClassifier().fit(frame, y)
    assert model.tree_.node_count == 3
    assert model.score(frame, y) == 1.0


def test_strings_in_an_array_are_categories_when_named():
    X = np.array([["a", 1.0], ["b", 2.0], ["a", None], ["c", 3.0]], dtype=object)
    model = bough.DecisionTreeClassifier(categorical_features=[0]).fit(X, [0, 1, 0, 1])
    assert model.predict(np.array([["a", 9.0], ["c", 0.0]], dtype=object)).tolist() == [0, 1]


def test_columns_that_changed_are_named():
    y = [0, 1, 0, 1]
    model = bough.DecisionTreeClassifier().fit(
        pd.DataFrame({"a": [1, 2, 3, 4], "b": ["u", "v", "u", "v"]}), y
    )
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(pd.DataFrame({"a": [1], "c": ["u"]}))
    with pytest.raises(bough.BoughError, match='column "a" must hold numbers but holds text'):
        model.predict(pd.DataFrame({"a": ["one"], "b": ["u"]}))
    with pytest.raises(ValueError, match="infinity"):
        model.predict(pd.DataFrame({"a": [np.inf], "b": ["u"]}))
    with pytest.raises(NotImplementedError, match='"when"'):
        bough.DecisionTreeClassifier().fit(pd.DataFrame({"when": [[1], [2], [3], [4]]}), y)
    with pytest.raises(ValueError, match="could not be read as Arrow columns"):
        bough.DecisionTreeClassifier().fit(
            pd.DataFrame({"odd": pd.Series([1, "a", {}, None], dtype=object)}), y
        )


def test_anything_with_an_arrow_stream_is_read():
    class Holder:
        def __init__(self, table):
            self.table, self.schema = table, table.schema

        def __arrow_c_stream__(self, requested_schema=None):
            return self.table.__arrow_c_stream__(requested_schema)

    table = pa.table({"a": [1.0, 2.0, 3.0, 4.0], "b": ["u", "v", "u", "v"]})
    model = bough.DecisionTreeClassifier().fit(Holder(table), [0, 1, 0, 1])
    assert model.predict(Holder(table)).tolist() == [0, 1, 0, 1]
    assert model.feature_names_in_.tolist() == ["a", "b"]


def test_the_index_of_a_pandas_frame_is_no_column():
    frame = pd.DataFrame({"a": np.arange(20.0), "job": pd.Categorical(list("xyzw") * 5)})
    y = np.arange(20) > 9
    mixed = np.random.default_rng(0).permutation(20)
    model = bough.DecisionTreeClassifier().fit(frame.iloc[mixed], y[mixed])
    assert (model.predict(frame.iloc[mixed]) == y[mixed]).all()
    named = frame.set_index(pd.Index([f"row {i}" for i in range(20)], name="id"))
    assert (model.predict(named) == y).all()


def test_targets_keep_the_names_of_series_and_frames_unless_a_feature_has_them(tmp_path):
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": [0.0, 1.0, 0.0, 1.0]})
    labels = pd.Series(["x", "x", "z", "z"], name="kind")

    def names(estimator, y):
        return [name for name, *_ in estimator.fit(frame, y).tree_.model.targets]

    assert names(bough.DecisionTreeClassifier(), labels) == ["kind"]
    assert names(bough.DecisionTreeClassifier(), labels.rename("a")) == ["y"]
    assert names(bough.DecisionTreeClassifier(), labels.rename(None)) == ["y"]
    assert names(bough.DecisionTreeClassifier(), labels.to_numpy()) == ["y"]
    assert names(bough.DecisionTreeRegressor(), pd.Series([1.0, 2, 3, 4], name="price")) == ["price"]
    two = pd.DataFrame({"low": [1.0, 2, 3, 4], "high": [2.0, 3, 4, 5]})
    assert names(bough.DecisionTreeRegressor(), two) == ["low", "high"]
    assert names(bough.DecisionTreeRegressor(), two.rename(columns={"low": "b"})) == ["y0", "y1"]


def test_a_row_of_a_frame_is_explained_as_it_stands():
    frame = pd.DataFrame({"age": [10.0, 20.0, 30.0, 40.0], "job": ["cook", "cook", "smith", "smith"]})
    tree = bough.DecisionTreeClassifier().fit(frame, ["no", "no", "yes", "yes"])
    assert tree.explain(frame.iloc[2]) == tree.explain(frame.iloc[[2]]) == tree.explain(frame, 2)
    assert tree.reasons(frame.iloc[2]).sentences == tree.reasons(frame, 2).sentences

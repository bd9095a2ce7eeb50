# SPDX-License-Identifier: Apache-2.0
"""Columns that are no plain numbers or text: dates, decimals, intervals, with and without Arrow."""

import builtins
import datetime
import pickle
from decimal import Decimal

import bough
import numpy as np
import pandas as pd
import pytest

N = 40
Y = np.arange(N) // 20
DAYS = pd.date_range("2024-01-01", periods=N)
COLUMNS = {
    "datetime": DAYS,
    "datetime with a zone": DAYS.tz_localize("Europe/Paris"),
    "period": DAYS.to_period("D"),
    "timedelta": DAYS - DAYS[0],
    "date objects": pd.Series([day.date() for day in DAYS], dtype=object),
    "decimal": pd.Series([Decimal(i) / 10 for i in range(N)], dtype=object),
    "long double": pd.Series(np.arange(N, dtype=np.longdouble)),
    "intervals": pd.cut(np.arange(N, dtype=float), 4),
    "NumPy integers": pd.Series([np.int64(i) for i in range(N)], dtype=object),
    "NumPy floats": pd.Series([np.float32(i) for i in range(N)], dtype=object),
    "NumPy booleans": pd.Series([np.bool_(i >= 20) for i in range(N)], dtype=object),
}


@pytest.fixture(params=[True, False], ids=["pyarrow", "without pyarrow"])
def arrow(request, monkeypatch):
    if not request.param:
        original = builtins.__import__

        def refuse(name, *args, **kwargs):
            if name == "pyarrow":
                raise ImportError(name)
            return original(name, *args, **kwargs)

        monkeypatch.setattr(builtins, "__import__", refuse)
    return request.param


@pytest.mark.parametrize("kind", COLUMNS)
def test_the_column_is_taken_for_what_it_means(kind, arrow):
    X = pd.DataFrame({"x": pd.Series(COLUMNS[kind]), "other": 1.0})
    model = bough.DecisionTreeClassifier().fit(X, Y)
    assert model.score(X, Y) == 1.0
    assert model.predict(X.iloc[[0, N - 1]]).tolist() == [0, 1]


def test_dates_are_days_since_1970_and_missing_ones_missing():
    X = pd.DataFrame({"x": pd.Series(DAYS).where(np.arange(N) % 7 > 0)})
    model = bough.DecisionTreeClassifier(max_depth=1).fit(X, Y)
    assert model.tree_.threshold[0] == (datetime.date(2024, 1, 20) - datetime.date(1970, 1, 1)).days + 0.5
    hours = pd.DataFrame({"x": pd.Series(DAYS) + pd.Timedelta(hours=6)})
    model = bough.DecisionTreeRegressor(max_depth=1).fit(hours, Y.astype(float))
    assert model.tree_.threshold[0] % 1 == 0.75


def test_dates_of_arrow_and_polars_are_the_same_days():
    pa, pl = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    frame = pd.DataFrame({"x": DAYS, "d": [Decimal(i) / 10 for i in range(N)]})
    wanted = bough.DecisionTreeClassifier().fit(frame, Y)
    for other in (pa.Table.from_pandas(frame), pl.from_pandas(frame)):
        model = bough.DecisionTreeClassifier().fit(other, Y)
        assert model.tree_.threshold.tolist() == wanted.tree_.threshold.tolist()
        assert (model.predict(other) == Y).all()


def test_a_category_without_values_is_all_missing(arrow):
    X = pd.DataFrame({"k": pd.Categorical([None] * N), "x": np.arange(N)})
    assert bough.DecisionTreeClassifier().fit(X, Y).score(X, Y) == 1.0


def test_a_record_batch_may_hold_an_ordered_dictionary():
    pa = pytest.importorskip("pyarrow")
    words = pd.Categorical(np.where(Y == 0, "low", "high"), ["low", "high"], ordered=True)
    batch = pa.RecordBatch.from_pandas(pd.DataFrame({"k": words}))
    model = bough.DecisionTreeClassifier().fit(batch, Y)
    assert model.score(batch, Y) == 1.0
    assert model._model.features[0][1] == "ordinal"


def test_an_enum_of_polars_has_its_order():
    pl = pytest.importorskip("polars")
    levels = ["small", "large", "huge"]
    frame = pl.DataFrame({"k": pl.Series([levels[i // 15] for i in range(N)], dtype=pl.Enum(levels))})
    model = bough.DecisionTreeClassifier(max_depth=1).fit(frame, np.arange(N) // 15 > 0)
    arrow_model = bough.DecisionTreeClassifier(max_depth=1).fit(frame.to_arrow(), np.arange(N) // 15 > 0)
    assert model._model.features == arrow_model._model.features
    assert model._model.features[0][1] == "ordinal"


def test_a_lazy_frame_is_to_be_collected():
    pl = pytest.importorskip("polars")
    with pytest.raises(bough.BoughError, match=r"collect\(\)"):
        bough.DecisionTreeClassifier().fit(pl.DataFrame({"x": range(N)}).lazy(), Y)


def test_booleans_take_part_in_sums_of_oblique_trees():
    r = np.random.default_rng(0)
    X = pd.DataFrame({"flag": r.random(200) < 0.5, "x": r.normal(size=200)})
    y = (X["flag"] + X["x"] > 0.5).astype(int)
    frame = bough.ObliqueDecisionTreeClassifier(random_state=0, feature_combinations=2).fit(X, y)
    array = bough.ObliqueDecisionTreeClassifier(random_state=0, feature_combinations=2)
    array.fit(X.to_numpy(dtype=float), y)
    assert frame.tree_.threshold.tolist() == array.tree_.threshold.tolist()


@pytest.mark.parametrize("without", [None, 3])
def test_words_among_numbers_are_categories(arrow, without):
    cells = ["a" if i < 20 else (1, 2.5, False, "b")[i % 4] for i in range(N)]
    if without is not None:
        cells[without] = None
    for column in (pd.Series(cells, dtype=object), pd.Series(pd.Categorical(cells))):
        X = pd.DataFrame({"k": column, "x": 1.0})
        model = bough.DecisionTreeClassifier().fit(X, Y)
        assert model.score(X, Y) >= (N - 1) / N
        assert sorted(model._model.features[0][2][1]) == ["1", "2.5", "a", "b", "false"]
        array = bough.DecisionTreeClassifier(categorical_features=[0]).fit(X.to_numpy(), Y)
        assert array.predict_proba(X.to_numpy()).tolist() == model.predict_proba(X).tolist()


def test_categories_may_be_dates(arrow):
    X = pd.DataFrame({"k": pd.Categorical([day.date() for day in DAYS.repeat(N // 2)[: 2 * N : 2]])})
    model = bough.DecisionTreeClassifier().fit(X, Y)
    assert model._model.features[0][2][1][0] == "2024-01-01"
    assert model.predict(X.iloc[:2]).shape == (2,)


def half_frames():
    pa, pl = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    halves = pa.array(np.arange(N, dtype=np.float16))
    yield pa.table({"x": halves})
    yield pa.record_batch({"x": halves})
    yield pd.DataFrame({"x": pd.Series(halves.to_numpy()).astype(pd.ArrowDtype(pa.float16()))})
    if hasattr(pl, "Float16"):
        yield pl.DataFrame({"x": pl.Series(range(N), dtype=pl.Float16)})


def test_half_precision_of_arrow_is_read_as_that_of_numpy():
    for frame in half_frames():
        model = bough.DecisionTreeClassifier().fit(frame, Y)
        assert model.tree_.threshold[0] == 19.5
        assert (model.predict(frame) == Y).all()


def test_a_time_of_day_is_refused_by_its_column_in_every_library():
    pa, pl = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    times = [datetime.time(i % 24) for i in range(N)]
    frames = [pl.DataFrame({"t": times}), pa.table({"t": times}), pa.record_batch({"t": pa.array(times)})]
    frames.append(pd.DataFrame({"t": pd.Series(pd.array(times, dtype=pd.ArrowDtype(pa.time64("us"))))}))
    for frame in frames:
        with pytest.raises(NotImplementedError, match=r'"t" \(time\)'):
            bough.DecisionTreeClassifier().fit(frame, Y)


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_dates_of_arrow_are_days_whatever_their_unit_and_zone(unit):
    pa = pytest.importorskip("pyarrow")
    from bough._frames import plain_arrow

    seconds = [None, -1, 0, 86400 * 20000 + 6 * 3600]
    days = [None, -1 / 86400, 0.0, 20000.25]
    factor = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    ticks = [None if s is None else s * factor for s in seconds]
    for kind in (pa.timestamp(unit), pa.timestamp(unit, "Asia/Tokyo"), pa.duration(unit)):
        cells = pa.chunked_array([ticks[:2], ticks[2:]], pa.int64()).cast(kind)
        assert plain_arrow(pa.table({"t": cells}))["t"].to_pylist() == days


@pytest.mark.parametrize("kind", ["datetime", "datetime with a zone", "period", "date objects"])
def test_dates_are_refused_where_training_had_plain_numbers(kind, arrow):
    numbers = pd.DataFrame({"x": np.arange(N, dtype=float)})
    dates = pd.DataFrame({"x": pd.Series(COLUMNS[kind])})
    for model in (bough.DecisionTreeClassifier(), bough.RandomForestClassifier(n_estimators=2)):
        model.fit(numbers, Y)
        for fitted in (model, pickle.loads(pickle.dumps(model))):
            with pytest.raises(ValueError, match="column 'x' holds dates, but held plain numbers"):
                fitted.predict(dates)
        assert len(model.fit(dates, Y).predict(dates)) == N
        assert len(model.predict(numbers)) == N  # days

# SPDX-License-Identifier: Apache-2.0
"""The estimators in the hands of scikit-learn's tools."""

import warnings

import bough
import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn import config_context
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.multioutput import ClassifierChain
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

X, y = load_iris(return_X_y=True)


def test_a_pipeline_and_a_grid_search_work():
    search = GridSearchCV(
        make_pipeline(StandardScaler(), bough.DecisionTreeClassifier()),
        {
            "decisiontreeclassifier__max_depth": [1, 3],
            "decisiontreeclassifier__criterion": ["gini", "entropy"],
        },
        cv=3,
    ).fit(X, y)
    assert search.best_params_["decisiontreeclassifier__max_depth"] == 3
    assert search.best_score_ > 0.9


def test_processes_can_fit():
    scores = cross_validate(
        bough.DecisionTreeClassifier(n_jobs=1), X, y, cv=3, n_jobs=2, return_estimator=True
    )
    assert scores["test_score"].min() > 0.85
    assert all(isinstance(model, bough.DecisionTreeClassifier) for model in scores["estimator"])


def test_meta_estimators_take_a_tree():
    calibrated = CalibratedClassifierCV(bough.DecisionTreeClassifier(max_depth=3), cv=3).fit(X, y)
    assert calibrated.predict_proba(X).shape == (150, 3)
    bagged = BaggingClassifier(bough.DecisionTreeClassifier(), n_estimators=5, random_state=0).fit(X, y)
    assert bagged.score(X, y) > 0.9
    boosted = AdaBoostClassifier(
        bough.DecisionTreeClassifier(max_depth=1), n_estimators=10, random_state=0
    ).fit(X, y)
    assert boosted.score(X, y) > 0.9
    chain = ClassifierChain(bough.DecisionTreeClassifier()).fit(X, np.c_[y == 0, y == 1])
    assert chain.predict(X).shape == (150, 2)


@pytest.mark.parametrize(
    "meta",
    [
        BaggingClassifier(bough.DecisionTreeClassifier(max_depth=3), n_estimators=9, random_state=0),
        BaggingClassifier(
            bough.DecisionTreeClassifier(), n_estimators=9, max_features=0.7, max_samples=0.5, random_state=0
        ),
        AdaBoostClassifier(bough.DecisionTreeClassifier(max_depth=2), n_estimators=5, random_state=0),
    ],
    ids=["bagging", "bagging of columns", "boosting"],
)
def test_meta_estimators_take_a_frame_with_categories(meta):
    """They make one array of objects of it."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=200), "b": rng.normal(size=200)})
    frame["k"] = pd.Categorical(rng.choice(["u", "v", "007"], 200))
    y = (frame.a + 2 * (frame.k == "u") > 0).astype(int)
    assert meta.fit(frame, y).score(frame, y) > 0.9
    assert meta.predict(frame[frame.k == "007"]).shape == ((frame.k == "007").sum(),)


def test_an_array_of_numbers_and_words_in_one_column_is_refused():
    cells = np.array([[1, "a"], ["x", 2]], dtype=object)
    with pytest.raises(ValueError, match="categorical_features"):
        bough.DecisionTreeClassifier().fit(cells, [0, 1])


def test_inspection_works():
    model = bough.DecisionTreeRegressor(max_depth=4).fit(*load_diabetes(return_X_y=True))
    data, target = load_diabetes(return_X_y=True)
    importance = permutation_importance(model, data, target, n_repeats=2, random_state=0)
    assert importance.importances_mean.argmax() in (2, 8)
    grid = partial_dependence(model, data, [2], kind="average")
    assert np.ptp(grid["average"]) > 0
    categories = bough.DecisionTreeClassifier(categorical_features=[0]).fit(np.round(X), y)
    assert partial_dependence(categories, np.round(X), [0], categorical_features=[0])["average"].shape[0] == 3


def test_metadata_routing_carries_weights():
    with config_context(enable_metadata_routing=True):
        model = bough.DecisionTreeClassifier(max_depth=1).set_fit_request(sample_weight=True)
        weights = np.where(y == 0, 0.0, 1.0)
        pipe = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), model)
        pipe.fit(X, y, sample_weight=weights)
        assert pipe[-1].tree_.weighted_n_node_samples[0] == 100


def test_the_output_of_transformers_keeps_its_names():
    pytest.importorskip("pandas")
    pipe = make_pipeline(StandardScaler(), bough.DecisionTreeClassifier()).set_output(transform="pandas")
    frame = load_iris(as_frame=True)
    pipe.fit(frame.data, frame.target)
    assert pipe[-1].feature_names_in_.tolist() == frame.feature_names


def test_a_notebook_shows_the_estimator():
    model = bough.DecisionTreeClassifier(max_depth=3).fit(X, y)
    assert "DecisionTreeClassifier" in model._repr_html_()
    assert repr(bough.ExtraTreeRegressor(max_depth=3)) == "ExtraTreeRegressor(max_depth=3)"
    assert repr(clone(model)) == repr(model)


def test_tags_say_what_trees_can():
    tags = sklearn.utils.get_tags(bough.DecisionTreeClassifier())
    assert tags.input_tags.sparse and tags.input_tags.allow_nan and tags.input_tags.categorical
    assert tags.target_tags.multi_output and tags.classifier_tags.multi_label


def test_names_are_asked_for_when_the_fit_had_them():
    pandas = pytest.importorskip("pandas")
    model = bough.DecisionTreeClassifier().fit(pandas.DataFrame(X, columns=list("abcd")), y)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        model.predict(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(pandas.DataFrame(X, columns=list("abcd")))
    with pytest.raises(ValueError, match="expecting 4 features"):
        bough.DecisionTreeClassifier().fit(X, y).predict(X[:, :3])


def test_callbacks_of_scikit_learn_see_the_fit():
    callback = pytest.importorskip("sklearn.callback", reason="scikit-learn before 1.9 has no callbacks")
    seen = []

    class Recorder:
        def setup(self, estimator, context):
            seen.append("setup")

        def teardown(self, estimator, context):
            seen.append("teardown")

        def on_fit_task_begin(self, *args, **kwargs):
            seen.append("begin")

        def on_fit_task_end(self, *args, **kwargs):
            seen.append("end")

    assert isinstance(Recorder(), callback.FitCallback)
    model = bough.DecisionTreeClassifier().set_callbacks(Recorder()).fit(X, y)
    assert seen == ["setup", "begin", "end", "teardown"]
    assert model.score(X, y) == 1.0
    with pytest.raises(ValueError, match="samples"):
        model.fit(X, y[:3])
    assert seen.count("teardown") == 2


def test_a_row_is_explained_in_words():
    model = bough.DecisionTreeClassifier(max_depth=2).fit(X, y)
    told = model.explain(X, row=100)
    assert told["leaf"] == model.apply(X)[100]
    assert told["prediction"] == 2


def test_every_estimator_says_which_metadata_it_routes():
    with config_context(enable_metadata_routing=True):
        for name in bough.__all__:
            made = getattr(bough, name)
            if hasattr(made, "fit") and hasattr(made, "get_metadata_routing"):
                assert "check_input" not in made().get_metadata_routing().fit.requests, name
        folds = cross_validate(
            bough.CausalTree().set_fit_request(treatment=True),
            np.arange(40.0).reshape(-1, 1),
            np.arange(40.0),
            params={"treatment": np.arange(40) % 2},
            scoring=lambda model, X, y: model.effect(X).mean(),
            cv=2,
        )
    assert np.isfinite(folds["test_score"]).all()

# SPDX-License-Identifier: Apache-2.0
"""What a notebook shows: everything has a form of HTML, and no name becomes markup."""

import bough
import numpy as np
import pandas as pd
import pytest
import sklearn.base


@pytest.fixture(scope="module")
def rows():
    draw = np.random.default_rng(0)
    X = pd.DataFrame(draw.normal(size=(200, 2)), columns=["<b>a</b>", "b"])
    return X, np.where(X["b"] + draw.normal(size=200) / 2 > 0, "yes", "no")


FITTED = [
    name
    for name in bough.__all__
    if isinstance(thing := getattr(bough, name), type) and hasattr(thing, "fit") and "Imported" not in name
]


@pytest.mark.parametrize("name", FITTED)
def test_every_fitted_model_is_shown(rows, name):
    X, y = rows
    try:
        model = getattr(bough, name)()
    except TypeError:
        pytest.skip("is no estimator")
    if "Causal" in name or "Propensity" in name:
        model.fit(X, X.iloc[:, 0], np.arange(len(X)) % 2)
    else:
        model.fit(X, y if sklearn.base.is_classifier(model) else X["b"])
    assert "fit" in dir(model)
    page = model._repr_html_()
    assert page.startswith("<") and "<b>a</b>" not in page


def test_everything_has_a_form_of_html(rows):
    X, y = rows
    tree = bough.DecisionTreeClassifier(max_depth=4).fit(X, y)
    path = bough.cost_complexity_cv(bough.DecisionTreeClassifier(), X, y, folds=3)
    shown = {
        "explanation": tree.explain(X, 0),
        "change": tree.counterfactual(X, 0),
        "reasons": tree.reasons(X, 0),
        "rules": bough.rules(tree),
        "evaluation": bough.evaluate(tree, X, y),
        "pruning": path,
        "stability": bough.stability(tree, X, y, n_repeats=3),
        "report": tree.report(),
        "picture": bough.draw_tree(tree),
    }
    for name, thing in shown.items():
        page = thing._repr_html_()
        assert page.startswith("<"), name
        assert "<b>a</b>" not in page, name
    assert " <b>and</b> " in shown["rules"]._repr_html_() and " and " not in shown["rules"]._repr_html_()
    assert "It would be" in shown["change"]._repr_html_()
    assert "So the prediction is" in shown["explanation"]._repr_html_()
    assert f"{path.n_leaves[path.chosen]} leaves" in repr(path) and len(repr(path)) < 200

# SPDX-License-Identifier: Apache-2.0
"""The published JSON Schema of model documents: models obey it, damaged ones do not."""

import json

import pytest
from exports import models
from support import ROOT

jsonschema = pytest.importorskip("jsonschema")
PUBLISHED = ROOT / "docs/model.schema.json"


@pytest.fixture(scope="module")
def validator():
    schema = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_the_library_gives_the_published_schema():
    assert models.random_case("any").model.export("json-schema") == PUBLISHED.read_text(encoding="utf-8")


def test_random_models_of_every_kind_obey_it(validator):
    everything = ("child", "by_share", "stops", "surrogate", "surrogate_or_stops")
    for case in models.cases(1, kinds=models.ALL_KINDS, missing=everything):
        validator.validate(json.loads(case.model.to_json()))


def test_trained_models_obey_it(validator, tmp_path):
    import bough
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    tree = bough.DecisionTreeClassifier(pruning="cost_complexity", random_state=0).fit(X, y)
    document = json.loads(tree.tree_.model.to_json())
    assert "pruning_table" in document
    validator.validate(document)
    digits = bough.DecisionTreeRegressor(max_depth=3).fit(X, [[float(v == c) for c in range(3)] for v in y])
    validator.validate(json.loads(digits.tree_.model.to_json()))


@pytest.mark.parametrize(
    "damage",
    [
        lambda d: d.pop("checksum"),
        lambda d: d.update(task="guessing"),
        lambda d: d.update(more=1),
        lambda d: d.update(format=[2, 0]),
        lambda d: d.update(trees=[]),
        lambda d: d["trees"][0]["arrays"].pop("kind"),
        lambda d: d["trees"][0]["arrays"].pop("children"),
        lambda d: d["trees"][0]["arrays"]["kind"].__setitem__(0, 8),
        lambda d: d["trees"][0]["arrays"]["threshold"].__setitem__(0, "infinite"),
        lambda d: d["features"][0].update(kind="fuzzy"),
    ],
)
def test_damaged_documents_do_not(validator, damage):
    document = json.loads(models.random_case("damaged").model.to_json())
    assert validator.is_valid(document)
    damage(document)
    assert not validator.is_valid(document)

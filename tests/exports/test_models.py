# SPDX-License-Identifier: Apache-2.0
"""The random models that judge the exports: loadable, and met at most of their leaves by the probing rows."""

import numpy as np
from exports import models

EVERYTHING = {
    "kinds": models.ALL_KINDS,
    "missing": ("child", "by_share", "stops", "surrogate", "surrogate_or_stops"),
}


def test_random_models_of_every_kind_load_and_answer():
    kinds = set()
    for case in models.cases(1, **EVERYTHING):
        rows = case.probes(40)
        judge = case.judge(rows)
        assert case.model.n_trees == len(case.trees)
        assert judge.values.shape == (40, len(case.targets))
        kinds |= {node["kind"] for _, nodes in case.trees for node in nodes}
    assert kinds == set(range(8))


def test_probing_rows_meet_many_leaves_and_every_oddity():
    case = models.random_case("leaves", leaves=10)
    rows = case.probes(400)
    seen = len(np.unique(case.judge(rows).leaves[0]))
    assert seen >= sum(node["kind"] == 0 for node in case.trees[0][1]) * 2 // 3
    codes = case.codes(rows)
    assert np.isnan(codes).any() and np.isinf(codes).any() and (codes == -1).any()


def test_the_same_seed_gives_the_same_bytes():
    assert models.random_case("x").data == models.random_case("x").data != models.random_case("y").data

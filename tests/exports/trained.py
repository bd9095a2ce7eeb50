# SPDX-License-Identifier: Apache-2.0
"""Models trained on the tables of ../shared/data, as cases like the random ones."""

import json

import numpy as np
from exports.models import SETS, Case, is_text, trained


def nodes_of(tree):
    """The nodes of a tree of a document, as document.arrays_of_nodes() takes them."""
    arrays, n = tree["arrays"], len(tree["arrays"]["kind"])
    width = sum(tree["outputs"])

    def part(name, ends, i):
        return arrays[name][arrays[ends][i] : arrays[ends][i + 1]] if ends in arrays else []

    nodes = []
    for i in range(n):
        node = {
            key: arrays[key][i] for key in ("kind", "column", "missing_to", "unseen_to", "n_rows", "weight")
        }
        node["threshold"] = float(arrays["threshold"][i])
        node["children"] = part("children", "children_at", i)
        node["map"] = dict(zip(part("map_level", "map_at", i), part("map_child", "map_at", i), strict=True))
        node["cuts"] = part("cut", "cuts_at", i)
        node["values"] = arrays["value"][i * width : (i + 1) * width]
        nodes.append(node)
    for i, node in enumerate(nodes):
        for child in node["children"]:
            nodes[child]["parent"] = i
    return nodes


def case_of(name, models, combine="single"):
    """A case out of models of one table: one tree each."""
    documents = [json.loads(model.to_json()) for model in models]
    first = documents[0]
    assert all(document["features"] == first["features"] for document in documents)
    trees = [(d["trees"][0]["outputs"], nodes_of(d["trees"][0])) for d in documents]
    return Case(name, first["features"], first["targets"], trees, first["task"], combine, {}, False, name)


def rows_of(case, frame, n):
    """Rows of a frame as Case.probes() gives them."""
    rows = []
    for spec in case.features:
        cells = frame[spec["name"]].iloc[:n]
        if is_text(spec):
            rows.append(
                [None if missing else str(cell) for cell, missing in zip(cells, cells.isna(), strict=True)]
            )
        else:
            rows.append(cells.to_numpy(dtype=np.float64, na_value=np.nan))
    return rows


def trained_cases():
    """(case, rows): a tree and a forest of every table; the rows are real ones and probes."""
    for name, target in SETS.items():
        tree, frame = trained(name, target, max_leaf_nodes=120)
        grown, _ = trained(name, target, forest=True, n_estimators=3, max_features=0.5, max_leaf_nodes=40)
        forest = [grown.model_.one_tree(i) for i in range(3)]
        single = case_of(f"{name} tree", [tree.tree_.model])
        for case in (single, case_of(f"{name} forest", forest, "mean")):
            real, probes = rows_of(case, frame, 300), case.probes(300)
            yield (
                case,
                [
                    a + b if isinstance(a, list) else np.concatenate([a, b])
                    for a, b in zip(real, probes, strict=True)
                ],
            )

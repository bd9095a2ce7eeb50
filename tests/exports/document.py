# SPDX-License-Identifier: Apache-2.0
"""Model files (docs/format-v1.md) written by hand, so that tests can have models that nobody trains."""

import functools
import json
import struct

import bough
import numpy as np
import xxhash
from bough import _core

MAGIC = b"\x89BOUGH\r\n"
LEAF, NUMERIC, ORDINAL, EQUALITY, SUBSET, MULTIWAY, INTERVAL, OBLIQUE = range(8)
BY_SHARE, SURROGATE, STOPS, SURROGATE_OR_STOPS = -1, -2, -3, -4

# Arrays of a tree in their order: name, type.
ARRAYS = [
    ("kind", "u8"),
    ("column", "i32"),
    ("threshold", "f64"),
    ("missing_to", "i32"),
    ("unseen_to", "i32"),
    ("n_rows", "i64"),
    ("weight", "f64"),
    ("impurity", "f64"),
    ("gain", "f64"),
    ("children_at", "u64"),
    ("children", "i32"),
    ("child_share", "f64"),
    ("map_at", "u64"),
    ("map_level", "u32"),
    ("map_child", "u16"),
    ("cuts_at", "u64"),
    ("cut", "f64"),
    ("terms_at", "u64"),
    ("term_column", "i32"),
    ("term_weight", "f64"),
    ("alternatives_at", "u64"),
    ("alternative_role", "u8"),
    ("alternative_kind", "u8"),
    ("alternative_turned", "u8"),
    ("alternative_column", "i32"),
    ("alternative_threshold", "f64"),
    ("alternative_rows", "i64"),
    ("alternative_score", "f64"),
    ("alternative_adjusted", "f64"),
    ("alternative_map_at", "u64"),
    ("alternative_map_owner", "u32"),
    ("alternative_map_level", "u32"),
    ("alternative_map_child", "u16"),
    ("value", "f64"),
]
ENDS = {"children_at", "map_at", "cuts_at", "terms_at", "alternatives_at", "alternative_map_at"}


def pad(data, to=64):
    return data + b"\0" * (-len(data) % to)


@functools.cache
def template(task):
    """Parameters and criterion of a small fitted model, as its file has them."""
    tree = bough.DecisionTreeClassifier() if task == "classification" else bough.DecisionTreeRegressor()
    tree.fit(np.array([[0.0], [1.0]]), np.array([0, 1] if task == "classification" else [0.5, 1.5]))
    meta = metadata(tree.tree_.model)
    return {name: meta[name] for name in ("params", "criterion", "provenance")}


def metadata(model):
    """The description in a model's bytes, without the arrays of its trees."""
    data = model.to_bytes()
    size = struct.unpack_from("<Q", data, 24)[0]
    return json.loads(data[64 : 64 + size])


def arrays_of_nodes(nodes):
    """
    The arrays of a tree out of its nodes, in preorder. A node is a dict with `kind`, `values`, `n_rows`,
    `weight`, and for inner nodes `children` and what its kind needs: `column`, `threshold`, `map` (level:
    child), `cuts`, `terms` (column, weight), `missing_to`, `unseen_to`, `surrogates` (dicts of kind, column,
    threshold, turned, map).
    """
    arrays = {name: [0] if name in ENDS else [] for name, _ in ARRAYS}

    def end(name, slab):
        arrays[name].append(len(arrays[slab]))

    for node in nodes:
        kind = node["kind"]
        children = node.get("children", [])
        arrays["kind"].append(kind)
        arrays["column"].append(node.get("column", -1) if kind != OBLIQUE else -1)
        arrays["threshold"].append(node.get("threshold", 0.0))
        arrays["missing_to"].append(node.get("missing_to", 0))
        arrays["unseen_to"].append(node.get("unseen_to", 0))
        arrays["n_rows"].append(node["n_rows"])
        arrays["weight"].append(node["weight"])
        arrays["impurity"].append(0.25 if children else 0.0)
        arrays["gain"].append(1.0 if children else 0.0)
        arrays["children"] += children
        total = sum(nodes[child]["weight"] for child in children)
        # Models without statistics have no weights.
        equal = 1 / max(len(children), 1)
        arrays["child_share"] += [nodes[child]["weight"] / total if total else equal for child in children]
        end("children_at", "children")
        for level, child in sorted(node.get("map", {}).items()):
            arrays["map_level"].append(level)
            arrays["map_child"].append(child)
        end("map_at", "map_level")
        arrays["cut"] += node.get("cuts", [])
        end("cuts_at", "cut")
        for column, weight in node.get("terms", []):
            arrays["term_column"].append(column)
            arrays["term_weight"].append(weight)
        end("terms_at", "term_column")
        for number, test in enumerate(node.get("surrogates", [])):
            arrays["alternative_role"].append(1)
            arrays["alternative_kind"].append(test["kind"])
            arrays["alternative_turned"].append(int(test.get("turned", False)))
            arrays["alternative_column"].append(test["column"])
            arrays["alternative_threshold"].append(test.get("threshold", 0.0))
            arrays["alternative_rows"].append(1)
            arrays["alternative_score"].append(0.75)
            arrays["alternative_adjusted"].append(0.5)
            for level, child in sorted(test.get("map", {}).items()):
                arrays["alternative_map_owner"].append(number)
                arrays["alternative_map_level"].append(level)
                arrays["alternative_map_child"].append(child)
        end("alternatives_at", "alternative_role")
        end("alternative_map_at", "alternative_map_owner")
        arrays["value"] += node["values"]
    for ends, slab in [
        ("children_at", "children"),
        ("map_at", "map_level"),
        ("cuts_at", "cut"),
        ("terms_at", "term_column"),
        ("alternatives_at", "alternative_role"),
        ("alternative_map_at", "alternative_map_owner"),
    ]:
        if not arrays[slab]:
            del arrays[ends]
    return {
        name: np.asarray(arrays[name], dtype="<" + kind[0] + str(int(kind[1:]) // 8))
        for name, kind in ARRAYS
        if name in arrays and len(arrays[name])
    }


def write_model(task, combine, features, targets, trees, params=None):
    """
    The bytes of a model. Fields are dicts as in the file; a tree is (outputs, nodes); `params` replaces some.
    """
    types = dict(ARRAYS)
    meta = dict(template(task))
    meta["params"] = {**meta["params"], **(params or {})}
    meta |= {"task": task, "combine": combine, "features": features, "targets": targets, "trees": []}
    body = b""
    for outputs, nodes in trees:
        entries = {}
        for name, array in arrays_of_nodes(nodes).items():
            entries[name] = [types[name], len(body), len(array)]
            body = pad(body + array.tobytes())
        meta["trees"].append({"outputs": outputs, "arrays": entries, "extras": {}})
    text = json.dumps(meta, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    size = 64 + len(pad(text)) + len(body) + 8
    head = MAGIC + struct.pack("<HHIQQ", 1, 1, 0, size, len(text)) + b"\0" * 32
    data = head + pad(text) + body
    return data + struct.pack("<Q", xxhash.xxh3_64_intdigest(data))


def load(data):
    """The model of bytes that write_model() made."""
    return _core.Model.from_bytes(data)

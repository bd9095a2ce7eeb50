# SPDX-License-Identifier: Apache-2.0
"""Random trees, node by node; see models.py."""

import math
from dataclasses import dataclass, field

import numpy as np
from exports import document as doc

KINDS = {
    "numeric": doc.NUMERIC,
    "ordinal": doc.ORDINAL,
    "equality": doc.EQUALITY,
    "subset": doc.SUBSET,
    "multiway": doc.MULTIWAY,
    "interval": doc.INTERVAL,
    "oblique": doc.OBLIQUE,
}
PLAIN_KINDS = ("numeric", "ordinal", "equality", "subset", "multiway", "interval")
ALL_KINDS = tuple(KINDS)

# Names that break careless writers.
HOSTILE = [
    'double "quotes"',
    "it's",
    "</script><b>",
    "select",
    "Größe ü 数 🌳",
    "two\nlines",
    "back\\slash",
    "tab\tand\x01bell",
    "a;--/*comment*/",
    " spaces ",
    "100%s {x} $1",
    "]]>&amp;<![CDATA[",
    "\\n\\u0041 %d ??/",
    "null",
]


@dataclass(frozen=True)
class Wish:
    """What a random model may hold."""

    kinds: tuple = PLAIN_KINDS
    missing: tuple = ("child",)  # of: child, by_share, stops, surrogate, surrogate_or_stops
    task: str = "classification"
    outputs: tuple = (3,)  # classes of every output; 1s for regression
    combine: str = "single"
    trees: int = 1
    leaves: int = 12
    chain: bool = False  # one long path instead of a bushy tree
    hostile: bool = False
    matrix: bool = False  # only columns of numbers
    float32: bool = False  # thresholds, cuts, weights of terms, values and numbers of rows are float32
    extreme: bool = True  # thresholds far out, tiny, infinite
    params: dict = field(default_factory=dict)
    divided: bool = field(default=False, repr=False)  # training had rows that by_share divided


def number(draw, float32):
    value = draw.choice([draw.gauss(0, 1), draw.gauss(0, 100), float(draw.randint(-5, 5)), draw.random() / 3])
    return float(np.float32(value)) if float32 else value


FEATURES = [
    ("a", "numeric", None, None),
    ("b", "numeric", None, None),
    ("size", "ordinal", "text", ["small", "middle", "large", "huge"]),
    ("grade", "ordinal", "integer", [1, 2, 3, 5, 8]),
    ("colour", "category", "text", ["blue", "green", "red", "white", "yellow"]),
    ("zip", "category", "integer", [-3, 0, 7, 1009, 90210]),
    ("dose", "category", "real", [-0.5, 0.1, 2.25, 2.5]),
    ("flag", "category", "boolean", [0, 1]),
    ("shop", "category", "text", [f"shop {i:02d}" for i in range(70)]),
    ("c", "numeric", None, None),
]


def make_features(wish):
    fields = []
    for i, (name, kind, levels_type, values) in enumerate(FEATURES):
        if wish.matrix and kind != "numeric":
            continue
        name = HOSTILE[i] if wish.hostile else name
        spec = {"name": name, "kind": kind, "role": "feature"}
        if levels_type == "text":
            names = (
                sorted(HOSTILE, key=lambda s: s.encode())[: len(values)]
                if wish.hostile and len(values) == 5
                else values
            )
            spec["levels"] = {"type": "text", "names": names, "numbers": []}
        elif levels_type:
            words = ["false", "true"] if levels_type == "boolean" else [repr(v) for v in values]
            spec["levels"] = {"type": levels_type, "names": words, "numbers": [float(v) for v in values]}
        fields.append(spec)
    return fields


def make_targets(wish):
    fields = []
    for i, width in enumerate(wish.outputs):
        name = HOSTILE[-1 - i] + str(i) if wish.hostile else f"y{i}"
        spec = {"name": name, "kind": "numeric", "role": "target"}
        if wish.task == "classification":
            names = [f"class {c}" for c in range(width)]
            if wish.hostile:
                names = sorted(HOSTILE[:width], key=lambda s: s.encode())
            spec |= {"kind": "category", "levels": {"type": "text", "names": names, "numbers": []}}
            if i == 1 and not wish.hostile:
                spec["levels"] = {
                    "type": "integer",
                    "names": [str(3 * c) for c in range(width)],
                    "numbers": [3.0 * c for c in range(width)],
                }
        fields.append(spec)
    return fields


class Grower:
    """Grows one random tree."""

    def __init__(self, draw, wish, features):
        self.draw, self.wish, self.features = draw, wish, features

    def columns(self, kinds):
        return [i for i, spec in enumerate(self.features) if spec["kind"] in kinds]

    def threshold(self):
        draw = self.draw
        if self.wish.extreme and draw.random() < 0.15:
            far = [0.0, -0.0, 5e-324, math.inf, -math.inf, 1e300, -1e300, 0.1 + 0.2, 1 / 3]
            if self.wish.float32:
                far = [0.0, -0.0, 1e-45, math.inf, -math.inf, 3.0e38, -3.0e38, 0.3, 1 / 3]
            value = draw.choice(far)
            return float(np.float32(value)) if self.wish.float32 else value
        return number(draw, self.wish.float32)

    def test(self):
        """A random split: the members of a node but its children."""
        draw = self.draw
        kind = KINDS[draw.choice(self.wish.kinds)]
        node = {"kind": kind, "column": -1, "n_children": 2}
        if kind == doc.NUMERIC:
            node |= {"column": draw.choice(self.columns(["numeric"])), "threshold": self.threshold()}
        elif kind == doc.INTERVAL:
            cuts = sorted({number(draw, self.wish.float32) for _ in range(draw.randint(1, 4))})
            node |= {
                "column": draw.choice(self.columns(["numeric"])),
                "cuts": cuts,
                "n_children": len(cuts) + 1,
            }
        elif kind == doc.OBLIQUE:
            terms = sorted(draw.sample(self.columns(["numeric"]), draw.randint(1, 3)))
            node |= {"terms": [(c, number(draw, self.wish.float32)) for c in terms]}
            node["threshold"] = number(draw, self.wish.float32)
        else:
            self.level_test(node)
        self.missing(node)
        return node

    def level_test(self, node):
        draw, kind = self.draw, node["kind"]
        node["column"] = draw.choice(self.columns(["ordinal"] if kind == doc.ORDINAL else ["category"]))
        n_levels = len(self.features[node["column"]]["levels"]["names"])
        if kind == doc.ORDINAL:
            node["threshold"] = float(draw.randint(1, n_levels))
        elif kind == doc.EQUALITY:
            node["threshold"] = float(draw.randrange(n_levels))
        else:
            most = min(n_levels, 4) if kind == doc.MULTIWAY else 2
            node["n_children"] = draw.randint(2, most)
            named = sorted(draw.sample(range(n_levels), draw.randint(node["n_children"], n_levels)))
            sides = list(range(node["n_children"]))
            sides += [draw.randrange(node["n_children"]) for _ in range(len(named) - len(sides))]
            draw.shuffle(sides)
            node["map"] = dict(zip(named, sides, strict=True))

    def missing(self, node):
        draw = self.draw
        way = draw.choice(self.wish.missing)
        if node["n_children"] != 2 and way.startswith("surrogate"):
            way = "child"
        codes = {
            "by_share": doc.BY_SHARE,
            "surrogate": doc.SURROGATE,
            "stops": doc.STOPS,
            "surrogate_or_stops": doc.SURROGATE_OR_STOPS,
        }
        node["missing_to"] = codes.get(way, draw.randrange(node["n_children"]))
        node["unseen_to"] = draw.randrange(node["n_children"])
        if node["missing_to"] < doc.BY_SHARE and draw.random() < 0.5:
            node["unseen_to"] = node["missing_to"]
        if way.startswith("surrogate"):
            node["surrogates"] = [self.surrogate() for _ in range(draw.randint(0, 3))]

    def surrogate(self):
        draw = self.draw
        kinds = [doc.NUMERIC, doc.ORDINAL, doc.EQUALITY, doc.SUBSET][: 1 if self.wish.matrix else 4]
        test = {"kind": draw.choice(kinds), "n_children": 2}
        if test["kind"] == doc.NUMERIC:
            return test | {
                "column": draw.choice(self.columns(["numeric"])),
                "threshold": number(draw, self.wish.float32),
                "turned": draw.random() < 0.5,
            }
        self.level_test(test)
        n_levels = len(self.features[test["column"]]["levels"]["names"])
        if test["kind"] == doc.ORDINAL:
            test["threshold"] = min(test["threshold"], n_levels - 1.0)
        return test | ({} if test["kind"] == doc.SUBSET else {"turned": draw.random() < 0.5})

    def leaf_values(self):
        draw = self.draw
        if self.wish.task == "regression":
            return [
                -0.0 if draw.random() < 0.05 else number(draw, self.wish.float32) for _ in self.wish.outputs
            ]
        values = []
        for width in self.wish.outputs:
            style = draw.random()
            if style < 0.1:
                values += [0.0] * width
            elif style < 0.6:
                values += [float(draw.choice([0, 1, 1, 2, 3, 5])) for _ in range(width)]
            else:
                values += [draw.random() * 10 for _ in range(width)]
        return values

    def grow(self):
        """Nodes in preorder."""
        draw, wish = self.draw, self.wish
        nodes = [{"kind": doc.LEAF}]
        open_nodes, n_leaves = [0], 1
        while n_leaves < wish.leaves and open_nodes:
            at = open_nodes.pop(0 if not wish.chain and draw.random() < 0.5 else -1)
            node = self.test()
            n_children = node.pop("n_children")
            nodes[at] = node | {"children": list(range(len(nodes), len(nodes) + n_children))}
            nodes += [{"kind": doc.LEAF} for _ in range(n_children)]
            fresh = list(nodes[at]["children"])
            draw.shuffle(fresh)
            open_nodes += fresh if not wish.chain else fresh[:1]
            n_leaves += n_children - 1
        return self.finish(nodes)

    def finish(self, nodes):
        """Numbers the nodes in preorder and fills what they know about rows."""
        order, stack = [], [0]
        while stack:
            at = stack.pop()
            order.append(at)
            stack += reversed(nodes[at].get("children", []))
        number_of = {at: i for i, at in enumerate(order)}
        out = [dict(nodes[at]) for at in order]
        for i in reversed(range(len(out))):
            node = out[i]
            children = node["children"] = [number_of[c] for c in node.get("children", [])]
            if not children:
                node["n_rows"] = self.draw.randint(1, 9)
                node["values"] = self.leaf_values()
            else:
                node["n_rows"] = sum(out[c]["n_rows"] for c in children)
                node["values"] = self.leaf_values()
                if node["missing_to"] in (doc.STOPS, doc.SURROGATE_OR_STOPS):
                    node["n_rows"] += 2
                for child in children:
                    out[child]["parent"] = i
            node["weight"] = float(node["n_rows"])
            if self.wish.divided and node.get("missing_to") == doc.BY_SHARE and children:
                node["n_rows"] -= 1  # one row is in all children
        return out

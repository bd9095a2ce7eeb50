# SPDX-License-Identifier: Apache-2.0
"""One tree of rpart and one of ours: the facts that rpart_side.R prints, and our model's JSON."""

import json
import math
from dataclasses import dataclass, field

ROLES = {0: "competitor", 1: "surrogate"}
NUMERIC, ORDINAL, EQUALITY, SUBSET = 1, 2, 3, 4


@dataclass
class Test:
    """A test of a column: a cut, or a letter (L, R, -) per level."""

    column: str
    score: float
    adjusted: float
    cut: float | None = None
    below: str = "L"  # where values below the cut go
    letters: str = ""

    def turned(self):
        flip = str.maketrans("LR", "RL")
        return Test(
            self.column,
            self.score,
            self.adjusted,
            self.cut,
            self.below.translate(flip),
            self.letters.translate(flip),
        )

    def same_test(self, other):
        if self.column != other.column or (self.cut is None) != (other.cut is None):
            return False
        if self.cut is None:
            return self.letters == other.letters
        return math.isclose(self.cut, other.cut, rel_tol=1e-9) and self.below == other.below


@dataclass
class Node:
    """A node of either tree."""

    number: int
    n: int
    risk: float
    answer: str
    primary: Test | None = None
    competitors: list = field(default_factory=list)
    surrogates: list = field(default_factory=list)


def read_theirs(text):
    """The table of cp and the nodes by number, as rpart has them."""
    table, nodes, node = [], {}, None
    for line in text.splitlines():
        kind, *words = line.split("\t")
        if kind == "cp":
            table.append([float(word) for word in words])
        elif kind == "node":
            node = Node(int(words[0]), int(words[2]), float(words[3]), words[4])
            nodes[node.number] = node
        elif kind in ("primary", "competitor", "surrogate"):
            ncat = int(words[2])
            test = Test(words[0], float(words[3]), float(words[4]))
            if abs(ncat) < 2:
                test.cut, test.below = float(words[5]), "L" if ncat < 0 else "R"
            else:
                test.letters = words[5]
            if kind == "primary":
                node.primary = test
            else:
                (node.competitors if kind == "competitor" else node.surrogates).append(test)
    return table, nodes


class OurModel:
    """Our model, numbered as rpart does."""

    def __init__(self, text):
        document = json.loads(text)
        self.features = document["features"]
        self.classes = (document["targets"][0].get("levels") or {}).get("names", [])
        self.is_class = document["task"] == "classification"
        self.loss = document["params"]["loss_matrix"]
        tree = document["trees"][0]
        self.arrays = tree["arrays"]
        self.width = sum(tree["outputs"])
        self.nodes = {}
        self.walk(0, 1)

    def part(self, ends, name, node):
        at = self.arrays.get(ends)
        return self.arrays[name][at[node] : at[node + 1]] if at else []

    def values(self, node):
        return self.arrays["value"][node * self.width : (node + 1) * self.width]

    def mean(self, node):
        values = self.values(node)
        if not self.is_class:
            return values[0]
        weights = [v * (sum(self.loss[c]) if self.loss else 1) for c, v in enumerate(values)]
        return sum(c * w for c, w in enumerate(weights)) / sum(weights)

    def risk_and_answer(self, node):
        values = self.values(node)
        if not self.is_class:
            return self.arrays["weight"][node] * self.arrays["impurity"][node], repr(values[0])
        k = len(values)
        loss = self.loss or [[float(i != j) for j in range(k)] for i in range(k)]
        costs = [sum(values[i] * loss[i][j] for i in range(k)) for j in range(k)]
        return min(costs), self.classes[costs.index(min(costs))]

    def test(self, kind, column, threshold, levels, sides, turned):
        """The test as one of rpart's; side 0 is called L."""
        column = self.features[column]
        test = Test(column["name"], 0.0, 0.0)
        if kind == NUMERIC:
            test.cut, test.below = threshold, "R" if turned else "L"
            return test
        names = column["levels"]["names"]
        if kind == ORDINAL:
            sides = [int((level >= threshold) != turned) for level in range(len(names))]
            levels = range(len(names))
        letters = ["-"] * len(names)
        for level, side in zip(levels, sides, strict=True):
            letters[level] = "LR"[side]
        test.letters = "".join(letters)
        return test

    def alternatives(self, node):
        a = {
            name: self.part("alternatives_at", f"alternative_{name}", node)
            for name in ("role", "kind", "turned", "column", "threshold", "score", "adjusted")
        }
        m = [
            self.part("alternative_map_at", f"alternative_map_{x}", node) for x in ("owner", "level", "child")
        ]
        for i, role in enumerate(a["role"]):
            own = [k for k, owner in enumerate(m[0]) if owner == i]
            levels, sides = [m[1][k] for k in own], [m[2][k] for k in own]
            test = self.test(
                a["kind"][i], a["column"][i], a["threshold"][i], levels, sides, bool(a["turned"][i])
            )
            test.score, test.adjusted = a["score"][i], a["adjusted"][i]
            yield ROLES[role], test

    def walk(self, node, number):
        a = self.arrays
        risk, answer = self.risk_and_answer(node)
        made = Node(number, a["n_rows"][node], risk, answer)
        self.nodes[number] = made
        if a["kind"][node] == 0:
            return
        children = self.part("children_at", "children", node)
        made.primary = self.test(
            a["kind"][node],
            a["column"][node],
            a["threshold"][node],
            self.part("map_at", "map_level", node),
            self.part("map_at", "map_child", node),
            False,
        )
        made.primary.score = a["gain"][node]
        first_is_left = self.mean(children[0]) < self.mean(children[1])
        if not first_is_left:
            made.primary = made.primary.turned()
        for role, test in self.alternatives(node):
            if role == "competitor":
                made.competitors.append(test)
            else:
                made.surrogates.append(test if first_is_left else test.turned())
        self.walk(children[0 if first_is_left else 1], 2 * number)
        self.walk(children[1 if first_is_left else 0], 2 * number + 1)

# SPDX-License-Identifier: Apache-2.0
"""
Random models of every kind, rows that look for trouble in them, and what bough itself answers.

    case = random_case(seed, Wish(kinds=("numeric", "subset"), combine="mean"))
    rows = case.probes(200)
    judge = case.judge(rows)      # judge.leaves[tree], judge.values, judge.shares[output]

A wish that a writer must refuse is asked for by name (by_share, surrogate, ...). SEED comes from BOUGH_SEED.
"""

import functools
import math
import os
import random
from dataclasses import dataclass, field

import numpy as np
import pytest
from bough import _core
from exports import document as doc
from exports.growing import ALL_KINDS, PLAIN_KINDS, Grower, Wish, make_features, make_targets, number
from support import ROOT

SEED = int(os.environ.get("BOUGH_SEED", "20240"))
SHARED_DATA = ROOT.parent / "shared" / "data"
__all__ = [
    "ALL_KINDS",
    "PLAIN_KINDS",
    "SEED",
    "SETS",
    "Case",
    "Judge",
    "Wish",
    "cases",
    "random_case",
    "trained",
]


@dataclass
class Judge:
    """What bough answers."""

    leaves: list  # of every tree: the node where each row ends
    values: np.ndarray  # rows by outputs: numbers, or class indices
    shares: list  # of every output: rows by classes (classification)


@dataclass
class Case:
    """A model with its description."""

    name: str
    features: list  # fields as in the file
    targets: list
    trees: list  # (outputs, nodes)
    task: str
    combine: str
    params: dict
    float32: bool
    seed: int
    pools: dict = field(default_factory=dict)

    @functools.cached_property
    def data(self):
        """The bytes of the model file."""
        return doc.write_model(self.task, self.combine, self.features, self.targets, self.trees, self.params)

    @functools.cached_property
    def model(self):
        return doc.load(self.data)

    @functools.cached_property
    def tree_models(self):
        """A model of its own for every tree."""
        return [
            doc.load(doc.write_model(self.task, "single", self.features, self.targets, [tree], self.params))
            for tree in self.trees
        ]

    def __repr__(self):
        return self.name

    # ------------------------------------------------------------ rows
    def table(self, rows):
        """The rows (see probes) as a table of bough."""
        table = _core.Table()
        for spec, cells in zip(self.features, rows, strict=True):
            if is_text(spec):
                known = sorted({cell for cell in cells if cell is not None})
                codes = np.array([-1 if c is None else known.index(c) for c in cells], dtype=np.int32)
                table.add_coded_text(spec["name"], codes, known or ["-"])
            else:
                table.add_column(spec["name"], cells, cells)
        return table

    def codes(self, rows):
        """Rows by columns: numbers, level indices; -1 for unknown categories, NaN for missing cells."""
        out = np.empty((len(rows[0]), len(rows)))
        for column, (spec, cells) in enumerate(zip(self.features, rows, strict=True)):
            out[:, column] = [code_of(spec, cell) for cell in cells]
        return out

    def judge(self, rows):
        table = self.table(rows)
        shares = []
        if self.task == "classification":
            shares = [self.model.predict_proba(table, o, 1) for o in range(len(self.targets))]
        leaves = [model.apply(table, 1) for model in self.tree_models]
        return Judge(leaves, self.model.predict(table, 1), shares)

    def probes(self, n=150):
        """
        About n rows as one list or array per column: text cells are str or None, numbers and levels that
        are numbers float64 with NaN. Most are led to a node and then put at its threshold, one ulp beside
        it, at NaN, infinities, -0.0, unknown and missing categories.
        """
        draw = random.Random(f"{self.seed} rows")
        pools = [self.pool(c) for c in range(len(self.features))]
        inner = [
            (t, i) for t, (_, nodes) in enumerate(self.trees) for i, nd in enumerate(nodes) if nd["kind"]
        ]
        cells = []
        while len(cells) < n:
            row = [draw.choice(pool) for pool in pools]
            if not inner or draw.random() < 0.15:
                cells.append(row)
                continue
            tree, node = draw.choice(inner)
            nodes = self.trees[tree][1]
            self.lead(draw, nodes, node, row)
            column = nodes[node].get("column", -1)
            if column < 0:
                column = draw.choice(nodes[node]["terms"])[0]
            for cell in self.edge_cells(draw, nodes[node], column, pools[column]):
                cells.append([*row[:column], cell, *row[column + 1 :]])
        columns = list(zip(*cells[:n], strict=True))
        return [
            list(column) if is_text(spec) else np.array(column, dtype=np.float64)
            for spec, column in zip(self.features, columns, strict=True)
        ]

    def whole_probes(self, n=150):
        """Those of n rows whose cells are all known."""
        rows = self.probes(n)
        codes = self.codes(rows)
        levels = np.array(["levels" in spec for spec in self.features])
        known = ~(np.isnan(codes) | ((codes == -1) & levels)).any(axis=1)
        return [
            cells[known] if isinstance(cells, np.ndarray) else [cells[i] for i in np.flatnonzero(known)]
            for cells in rows
        ]

    def lead(self, draw, nodes, node, row):
        """Sets the cells of a row so that it meets the tests above `node`, as well as that can be."""
        while (parent := nodes[node].get("parent", -1)) >= 0:
            test = nodes[parent]
            child = test["children"].index(node)
            if test["kind"] != doc.OBLIQUE and test["column"] >= 0:
                choices = self.pool(test["column"])
                choices = draw.sample(choices, min(40, len(choices)))
                spec = self.features[test["column"]]
                fit = (c for c in choices if child_of(test, code_of(spec, c)) == child)
                row[test["column"]] = next(fit, row[test["column"]])
            node = parent

    def edge_cells(self, draw, node, column, pool):
        spec = self.features[column]
        if spec["kind"] != "numeric":
            return [draw.choice(pool), draw.choice(pool), missing_cell(spec), unseen_cell(spec)]
        cuts = node.get("cuts") or [node.get("threshold", 0.0)]
        out = [math.nan, math.inf, -math.inf, -0.0]
        for cut in draw.sample(cuts, min(2, len(cuts))):
            out += self.beside(cut)
        return out

    def beside(self, value):
        """A number and its neighbours, among float32 where the rows are."""
        if not self.float32:
            return [value, math.nextafter(value, -math.inf), math.nextafter(value, math.inf)]
        with np.errstate(over="ignore"):
            x = np.float32(value)
            return [
                float(x),
                float(np.nextafter(x, np.float32("-inf"))),
                float(np.nextafter(x, np.float32("inf"))),
            ]

    def pool(self, column):
        """Cells of a column that are worth trying."""
        if column not in self.pools:
            self.pools[column] = self.make_pool(column)
        return self.pools[column]

    def make_pool(self, column):
        spec = self.features[column]
        if spec["kind"] != "numeric":
            known = spec["levels"]["names"] if is_text(spec) else spec["levels"]["numbers"]
            return [*known, *known, unseen_cell(spec), missing_cell(spec)]
        cells = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan]
        for _, nodes in self.trees:
            for node in nodes:
                if node.get("column") == column:
                    for cut in node.get("cuts") or [node["threshold"]]:
                        cells += self.beside(cut)
        draw = random.Random(f"{self.seed} pool {column}")
        return cells + [number(draw, self.float32) for _ in range(8)]


def is_text(spec):
    return "levels" in spec and spec["levels"]["type"] == "text"


def missing_cell(spec):
    return None if is_text(spec) else math.nan


def unseen_cell(spec):
    """A category that the model does not know."""
    if is_text(spec):
        return "never'seen \\\"" if "never'seen \\\"" not in spec["levels"]["names"] else "?!"
    return {"boolean": math.nan, "integer": 777.0, "real": 777.25}[spec["levels"]["type"]]


def code_of(spec, cell):
    """A cell as trees see it."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return math.nan
    if spec["kind"] == "numeric":
        return cell
    known = spec["levels"]["names"] if is_text(spec) else spec["levels"]["numbers"]
    return float(known.index(cell)) if cell in known else -1.0


def child_of(node, cell):
    """Where a known cell goes; None where more than the cell decides. Only to find rows, never to judge."""
    if math.isnan(cell):
        return node["missing_to"] if node["missing_to"] >= 0 else None
    kind = node["kind"]
    if kind == doc.NUMERIC:
        return 0 if cell <= node["threshold"] else 1
    if kind == doc.ORDINAL:
        return None if cell < 0 else 0 if cell < node["threshold"] else 1
    if kind == doc.EQUALITY:
        return 0 if cell == node["threshold"] else 1
    if kind == doc.INTERVAL:
        return sum(cell > cut for cut in node["cuts"])
    return node["map"].get(int(cell), node["unseen_to"])


def random_case(seed, wish=None, **changes):
    """A random model; the same for the same seed and wish. `changes` replace members of the wish."""
    wish = wish or Wish()
    if changes:
        wish = Wish(**{**wish.__dict__, **changes})
    if wish.task == "regression" and any(w != 1 for w in wish.outputs):
        wish = Wish(**{**wish.__dict__, "outputs": (1,) * len(wish.outputs)})
    draw = random.Random(f"{SEED} {seed} {wish}")
    features = make_features(wish)
    outputs = list(wish.outputs)
    trees = [(outputs, Grower(draw, wish, features).grow()) for _ in range(wish.trees)]
    words = [
        wish.task[:5],
        wish.combine,
        "+".join(wish.kinds) if len(wish.kinds) < 4 else f"{len(wish.kinds)} kinds",
    ]
    words += (
        ["+".join(wish.missing)]
        + (["float32"] if wish.float32 else [])
        + (["hostile"] if wish.hostile else [])
    )
    return Case(
        f"{seed}: {' '.join(words)}",
        features,
        make_targets(wish),
        trees,
        wish.task,
        wish.combine,
        dict(wish.params),
        wish.float32,
        seed,
    )


def standard_wishes(kinds=PLAIN_KINDS, missing=("child",), float32=False):
    """What every writer must manage or refuse, as (name, wish) pairs."""
    base = {"kinds": kinds, "missing": missing, "float32": float32}
    yield "classes", Wish(**base)
    yield "numbers", Wish(task="regression", outputs=(1,), **base)
    yield "several class outputs", Wish(outputs=(2, 3), **base)
    yield "several numbers", Wish(task="regression", outputs=(1, 1, 1), **base)
    yield "one leaf", Wish(leaves=1, **base)
    yield "one leaf, numbers", Wish(leaves=1, task="regression", outputs=(1,), **base)
    yield "laplace", Wish(params={"leaf_probability": "laplace"}, **base)
    yield "chain", Wish(leaves=60, chain=True, **base)
    yield "large", Wish(leaves=300, outputs=(2,), **base)
    yield "hostile", Wish(hostile=True, outputs=(4,), **base)
    yield "hostile numbers", Wish(hostile=True, task="regression", outputs=(1, 1), **base)
    yield "mean of classes", Wish(combine="mean", trees=5, **base)
    yield "mean of numbers", Wish(combine="mean", trees=5, task="regression", outputs=(1, 1), **base)
    yield "vote", Wish(combine="vote", trees=5, **base)
    yield "vote of several", Wish(combine="vote", trees=4, outputs=(2, 3), **base)
    for kind in kinds:
        yield f"only {kind}", Wish(**{**base, "kinds": (kind,)})
    numbers = tuple(kind for kind in kinds if kind in ("numeric", "interval", "oblique"))
    if numbers:
        base["kinds"] = numbers
        yield "matrix", Wish(matrix=True, **base)
        yield (
            "matrix, mean of numbers",
            Wish(matrix=True, combine="mean", trees=3, task="regression", outputs=(1,), **base),
        )


def cases(rounds=1, **which):
    """Cases of standard_wishes, `rounds` of each."""
    for round_ in range(rounds):
        for name, wish in standard_wishes(**which):
            yield random_case(f"{name} #{round_}", wish)


# ---------------------------------------------------------------- trained models
# File and target.
SETS = {
    "adult.csv.gz": "income",
    "titanic.csv": "Survived",
    "mushroom.csv": "class",
    "california_housing.csv.gz": "median_house_value",
    "penguins.csv": "species",
    "soybean.csv": "class",
    "diamonds.csv.gz": "price",
    "abalone.csv": "Rings",
}


def shared_table(name):
    """A table of ../shared/data as a data frame; skips, saying so, where it is absent."""
    pandas = pytest.importorskip("pandas")
    path = SHARED_DATA / name
    if not path.is_file():
        pytest.skip(f"../shared/data/{name} is not here")
    return pandas.read_csv(path, na_values=["?"], keep_default_na=name not in ("soybean.csv",), nrows=4000)


def trained(name, target, forest=False, **params):
    """
    (estimator, X) of a tree or forest grown on a table of ../shared/data: text columns as categories.
    """
    import bough

    frame = shared_table(name)
    y = frame.pop(target)
    frame, y = frame[y.notna()], y[y.notna()]
    for column in frame.columns:
        if frame[column].dtype.kind not in "biuf":
            frame[column] = frame[column].astype("category")
    few = y.dtype.kind not in "f" and y.nunique() < 30
    task = "Classifier" if few or y.dtype.kind in "OSU" else "Regressor"
    cls = getattr(bough, ("RandomForest" if forest else "DecisionTree") + task)
    return cls(**params).fit(frame, y), frame

# SPDX-License-Identifier: Apache-2.0
"""ARFF files in words that any program prints unchanged, J48's printed trees, and ours in the same shape."""

import json
import re
import subprocess
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

JAR = Path("/usr/share/java/weka.jar")


@dataclass
class Node:
    """A node: weight and errors of a leaf (None inside), the class it answers, and its branches by test."""

    weight: float | None = None
    errors: float = 0.0
    label: str = ""
    tied: bool = False
    branches: list = field(default_factory=list)  # (column, operator, value, Node)

    def size(self):
        return 1 + sum(below.size() for *_, below in self.branches)


@dataclass
class Data:
    """A data set under plain names: columns a0, a1, ...; values v00, v01, ... in declared order."""

    names: list
    values: list  # declared values per column, None for numbers
    rows: list

    def write(self, path):
        lines = ["@relation data"]
        for name, values in zip(self.names, self.values, strict=True):
            lines.append(f"@attribute {name} {'numeric' if values is None else '{' + ','.join(values) + '}'}")
        path.write_text("\n".join([*lines, "@data", *(",".join(row) for row in self.rows)]) + "\n")

    def present(self, column):
        return {row[column] for row in self.rows}


def _cells(text):
    quoted = r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^,]*))\s*(?:,|$)"""
    out = [
        next(group for group in match if group) if any(match) else "" for match in re.findall(quoted, text)
    ]
    return [cell.strip() for cell in (out[:-1] if len(out) > 1 and out[-1] == "" else out)]


def read_arff(path):
    """Reads an ARFF file; the last column is the class."""
    names, values, rows, inside = [], [], [], False
    for line in Path(path).read_text(encoding="latin-1").splitlines():
        line = line.strip()
        if not line or line.startswith("%"):
            continue
        if inside:
            cells = _cells(line)
            rows.append(
                [
                    cell if cell == "?" or codes is None else codes[cell]
                    for cell, codes in zip(cells, values, strict=True)
                ]
            )
        elif line.lower().startswith("@attribute"):
            names.append(f"a{len(names)}")
            braces = re.search(r"\{(.*)\}", line)
            declared = _cells(braces.group(1)) if braces else None
            values.append(declared and {value: f"v{i:02d}" for i, value in enumerate(declared)})
        elif line.lower().startswith("@data"):
            inside = True
    return Data(names, [codes and list(codes.values()) for codes in values], rows)


def read_j48(text):
    """The tree in J48's output."""
    body = text.split("------------------\n", 1)[1].split("Number of Leaves", 1)[0]
    root = Node()
    path = [root]
    for line in filter(None, body.splitlines()):
        bars = len(re.match(r"(?:\|   )*", line).group()) // 4
        test, colon, answer = line[4 * bars :].partition(":")
        node = root
        if test.strip():
            column, operator, value = test.split()
            node = Node()
            path[bars].branches.append((column, operator, value, node))
        if colon:
            label, weight, errors = re.match(r" (\S+) \(([\d.]+)(?:/([\d.]+))?\)", answer).groups()
            node.label, node.weight, node.errors = label, float(weight), float(errors or 0)
        path[bars + 1 :] = [node]
    return root


def run_j48(arff, *options):
    command = ["java", "-Djava.awt.headless=true", "-cp", str(JAR), "weka.classifiers.trees.J48"]
    done = subprocess.run(
        [*command, "-t", str(arff), "-no-cv", *options], capture_output=True, text=True, check=True
    )
    return read_j48(done.stdout)


def read_ours(model, data):
    """Our tree from the JSON twin of a model."""
    arrays = json.loads(Path(model).read_text())["trees"][0]["arrays"]
    ends = {name: list(pairwise(arrays[name])) for name in ("children_at", "map_at") if name in arrays}
    classes = data.values[-1]
    width = len(arrays["value"]) // len(arrays["kind"])
    levels = [values and sorted(set(values) & data.present(j)) for j, values in enumerate(data.values)]

    def tests(i, column):
        if arrays["kind"][i] == 1:
            return [("<=", arrays["threshold"][i]), (">", arrays["threshold"][i])]
        begin, end = ends["map_at"][i]
        assert arrays["map_child"][begin:end] == list(range(end - begin)), "one branch per value"
        return [("=", levels[column][level]) for level in arrays["map_level"][begin:end]]

    def node(i):
        begin, end = ends["children_at"][i] if ends else (0, 0)
        values = [float(v) for v in arrays["value"][i * width : (i + 1) * width]]
        most = max(values)
        weight = float(arrays["weight"][i])
        if begin == end:
            tied = sum(v > most - 1e-6 for v in values) > 1
            errors = weight - most if weight > 0 else 0.0
            return Node(weight, errors, classes[values.index(most)], tied)
        column = arrays["column"][i]
        below = [node(child) for child in arrays["children"][begin:end]]
        return Node(
            branches=[
                (data.names[column], operator, value, child)
                for (operator, value), child in zip(tests(i, column), below, strict=True)
            ]
        )

    return node(0)


def differences(ours, theirs, data, where="root"):
    """Words for every place where two trees differ. Values that no row holds have a branch only in J48."""
    if theirs.weight is not None or ours.weight is not None:
        if ours.weight is None or theirs.weight is None:
            return [f"{where}: a leaf only in {'ours' if theirs.weight is None else 'J48'}"]
        near = abs(ours.weight - theirs.weight) < 0.0051 and abs(ours.errors - theirs.errors) < 0.0051
        same = near and (ours.tied or ours.label == theirs.label)
        return [] if same else [f"{where}: {ours} and {theirs}"]
    branches = []
    for column, operator, value, below in theirs.branches:
        if operator != "=" or value in data.present(data.names.index(column)):
            branches.append((column, operator, value, below))
        elif below.weight != 0.0:
            return [f"{where}: {column} = {value} holds rows"]
    found = []
    mine = [(c, o, v if isinstance(v, str) else f"{v:.6f}") for c, o, v, _ in ours.branches]
    its = [(c, o, v if o == "=" else f"{float(v):.6f}") for c, o, v, _ in branches]
    if len(mine) != len(its) or any(not _same(a, b) for a, b in zip(mine, its, strict=True)):
        return [f"{where}: {mine} and {its}"]
    for (column, operator, value, below), (*_, other) in zip(ours.branches, branches, strict=True):
        found += differences(below, other, data, f"{where} / {column} {operator} {value}")
    return found


def _same(a, b):
    if a[:2] != b[:2]:
        return False
    return a[2] == b[2] if a[1] == "=" else abs(float(a[2]) - float(b[2])) < 1.1e-6


def run_j48_chances(arff, *options):
    """Class chances of every row, to three decimals."""
    command = ["java", "-Djava.awt.headless=true", "-cp", str(JAR), "weka.classifiers.trees.J48"]
    done = subprocess.run(
        [*command, "-t", str(arff), "-T", str(arff), "-p", "0", "-distribution", *options],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = re.findall(r"^ *\d+ +\S+ +\S+ +\+? +(\S+) *$", done.stdout, re.MULTILINE)
    return [[float(chance) for chance in row.replace("*", "").split(",")] for row in rows]


def run_mdl(arff):
    """Cuts that Weka's supervised Discretize (Fayyad and Irani) makes, by column."""
    command = [
        "java",
        "-Djava.awt.headless=true",
        "-cp",
        str(JAR),
        "weka.filters.supervised.attribute.Discretize",
    ]
    done = subprocess.run(
        [*command, "-c", "last", "-R", "first-last", "-i", str(arff)],
        capture_output=True,
        text=True,
        check=True,
    )
    columns = re.findall(r"^@attribute (\S+) \{(.*)\}$", done.stdout, re.MULTILINE)
    ends = r"(?:inf|\d)-(-?\d[\d.]*(?:E-?\d+)?)\]"  # of '(low-high]', whose low may be -inf
    return {name: [float(end) for end in re.findall(ends, body)] for name, body in columns}

# SPDX-License-Identifier: Apache-2.0
"""Runs scikit-learn's own tests of trees and forests on bough: takes an installed test file and swaps the
classes."""

import ast
import importlib.util
from pathlib import Path

import bough

# Names that the files import from here and that bough has too.
HOMES = ("sklearn.tree", "sklearn.ensemble")
SWAPPED = {
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreeClassifier",
    "ExtraTreeRegressor",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "export_graphviz",
    "export_text",
    "plot_tree",
}


class _Swap(ast.NodeTransformer):
    """Takes the swapped names from bough instead, and `tree.Name` of the module sklearn.tree likewise."""

    def visit_ImportFrom(self, node):
        if node.module not in HOMES:
            return node
        ours = [alias for alias in node.names if alias.name in SWAPPED]
        theirs = [alias for alias in node.names if alias.name not in SWAPPED]
        made = []
        for module, names in (("bough", ours), (node.module, theirs)):
            if names:
                made.append(ast.copy_location(ast.ImportFrom(module, names, 0), node))
        return made

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "tree" and node.attr in SWAPPED:
            ours = ast.Name("__bough__", ast.Load())
            return ast.copy_location(ast.Attribute(ast.copy_location(ours, node), node.attr, node.ctx), node)
        return node


def load(name):
    """The names of a test file of scikit-learn with the classes swapped. Nothing is written anywhere."""
    home = "sklearn.ensemble.tests" if name == "test_forest" else "sklearn.tree.tests"
    path = Path(importlib.util.find_spec(f"{home}.{name}").origin)
    module = ast.fix_missing_locations(_Swap().visit(ast.parse(path.read_text(encoding="utf-8"))))
    names = {"__name__": f"{home}.{name}", "__file__": str(path), "__bough__": bough}
    exec(compile(module, str(path), "exec"), names)
    return {key: value for key, value in names.items() if not key.startswith("__")}

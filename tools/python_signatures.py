#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes python/bough/_signatures.py: the constructors of the estimators and of the groups of parameters.

Names, types and defaults come from the core's table of parameters; here stand which class has which of them,
in which order, and what differs from the table. Run it with the Python that has the package, after a change
here or in include/bough/params.hpp:

    .venv/bin/python tools/python_signatures.py
"""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

from bough import _core

TABLE = {row["name"]: row for row in json.loads(_core.params_table())}
TARGET = Path(__file__).resolve().parents[1] / "python" / "bough" / "_signatures.py"
WIDTH = 110
REQUIRED = object()

# What only Python has, or has in another form: its type and its default.
PYTHON: dict[str, tuple[str, Any]] = {
    "random_state": ("Any", None),
    "class_weight": ("Any", None),
    "monotonic_cst": ("Any", None),
    "interaction_cst": ("Any", None),
    "priors": ("Any", None),
    "loss_matrix": ("Any", None),
    "column_costs": ("Any", None),
    "shrinkage": ("float | str | None", None),
    "categorical_features": ("Any", "from_dtype"),
    "ordinal_features": ("dict[Any, Any] | None", None),
    "feature_combinations": ("float | None", None),
    "n_estimators": ("int", 100),
    "oob_score": ("Any", False),
    "warm_start": ("bool", False),
    "verbose": ("int", 0),
    "center": ("bool", False),
    "tree_estimator": ("Any", None),
    "n_jobs": ("int | None", None),
    "pruning": ("str | ParameterGroup", "auto"),
    "missing": ("str | ParameterGroup", "learn"),
    "refine": ("str | ParameterGroup | None", None),
    "honest": ("bool | ParameterGroup", True),
    "projection": ("ParameterGroup | None", None),
}

# Parameters that matter only together: {name here: name in the table}, and defaults that differ from it.
GROUPS: dict[str, tuple[dict[str, str], dict[str, Any]]] = {
    "CostComplexity": (
        {"folds": "pruning_folds", "rule": "pruning_rule", "risk": "pruning_risk", "cp": "cp"},
        {"cp": None},
    ),
    "ReducedError": ({"fraction": "pruning_fraction", "leaf_values": "pruning_leaf_values"}, {}),
    "Pessimistic": ({"confidence": "confidence_factor", "subtree_raising": "subtree_raising"}, {}),
    "CriticalValue": ({"value": "critical_value"}, {"value": REQUIRED}),
    "Surrogates": (
        {"count": "surrogates", "otherwise": "surrogate_else", "agreement": "surrogate_agreement"},
        {},
    ),
    "TAO": ({"passes": "tao", "fraction": "tao_fraction"}, {"passes": 10}),
    "Honest": (
        {
            "fraction": "honest_fraction",
            "prior": "honest_prior",
            "method": "honest_method",
            "stratify": "honest_stratify",
            "min_rows": "min_honest_rows",
        },
        {},
    ),
    "Projection": (
        {"weights": "projection_weights", "scale": "projection_scale", "axis_candidates": "axis_candidates"},
        {},
    ),
}

CLASSES_ONLY = {"class_weight", "priors", "loss_matrix", "leaf_probability"}
NUMBERS_ONLY = {"quantile", "leaf_samples"}

# In scikit-learn's order, then ours. Names before the "*" may be given by position.
GROWTH = "max_depth min_samples_split min_samples_leaf min_weight_fraction_leaf max_features"
LIMITS = "max_leaf_nodes min_impurity_decrease"
TREE = f"* criterion splitter {GROWTH} random_state {LIMITS} class_weight ccp_alpha"
FOREST = (
    f"n_estimators * criterion {GROWTH} {LIMITS} bootstrap oob_score n_jobs"
    " random_state verbose warm_start class_weight ccp_alpha max_samples"
)
COLUMNS = "categorical_features ordinal_features category_split"
PLAIN_TREE = (
    f"{TREE} monotonic_cst quantile {COLUMNS} interaction_cst pruning missing competitors column_costs priors"
    " loss_matrix shrinkage"
)
OBLIQUE_TREE = (
    f"{TREE} feature_combinations projection quantile {COLUMNS} pruning priors loss_matrix shrinkage"
)
CHOSEN_TREE = (
    "* criterion max_depth min_samples_leaf max_leaf_nodes random_state class_weight monotonic_cst quantile"
    f" {COLUMNS} interaction_cst pruning_folds pruning_rule shrinkage work_limit n_jobs"
)
SEARCH = "search leaf_price work_limit time_limit"
PLAIN_FOREST = f"{FOREST} monotonic_cst quantile leaf_samples {COLUMNS} interaction_cst shrinkage"
OBLIQUE_FOREST = f"{FOREST} feature_combinations projection quantile {COLUMNS} shrinkage"
QUINLAN = (
    "* max_depth min_samples_split min_samples_branch min_impurity_decrease discretize category_branches"
    " class_weight ccp_alpha pruning leaf_probability shrinkage {} categorical_features ordinal_features"
    " n_jobs"
)
CAUSAL = f"splitter {GROWTH} random_state {LIMITS} ccp_alpha min_samples_arm"

SOME = {"Classifier": {"max_features": "sqrt"}, "Regressor": {"max_features": 1.0}}
RANDOM = {"splitter": "random"}
ALL_ROWS = {"bootstrap": False}


def classes() -> dict[str, tuple[str, dict[str, Any]]]:
    """Every estimator: its parameters, and the defaults that differ from the table's."""
    out: dict[str, tuple[str, dict[str, Any]]] = {}
    for task, some in SOME.items():
        out |= {
            f"Tree{task}": (CHOSEN_TREE, {}),
            f"DecisionTree{task}": (f"{PLAIN_TREE} {SEARCH} refine leaf_samples n_jobs", {}),
            f"ExtraTree{task}": (f"{PLAIN_TREE} leaf_samples n_jobs", RANDOM | some),
            f"ObliqueDecisionTree{task}": (f"{OBLIQUE_TREE} refine n_jobs", {}),
            f"ExtraObliqueDecisionTree{task}": (f"{OBLIQUE_TREE} n_jobs", RANDOM),
            f"RandomForest{task}": (PLAIN_FOREST, some),
            f"ExtraTrees{task}": (PLAIN_FOREST, some | ALL_ROWS),
            f"ObliqueRandomForest{task}": (OBLIQUE_FOREST, some),
            f"ExtraObliqueRandomForest{task}": (OBLIQUE_FOREST, some | ALL_ROWS),
            f"HonestTree{task}": (
                f"tree_estimator {TREE} quantile honest cross_fit calibration_fraction leaf_samples"
                f" leaf_probability {COLUMNS} n_jobs",
                {},
            ),
            f"HonestForest{task}": (
                f"{FOREST} quantile honest tree_estimator little_bags calibration_fraction leaf_samples"
                f" {COLUMNS}",
                some | ALL_ROWS,
            ),
        }
    out["HonestForestRegressor"][1]["min_samples_leaf"] = 5
    out["ID3Classifier"] = (QUINLAN.format(""), {"discretize": "mdl"})
    out["C45Classifier"] = (QUINLAN.format("collapse j48"), {})
    last = f"honest {COLUMNS} interaction_cst n_jobs"
    out["CausalTree"] = (f"* {CAUSAL} {last}", {})
    out["PropensityTree"] = (f"* {CAUSAL} {last}", {"honest": False})
    out["CausalForest"] = (
        f"n_estimators * causal_split {CAUSAL} max_samples little_bags center {last}",
        {"little_bags": 2},
    )
    return out


def literal(names: list[str]) -> str:
    return "Literal[" + ", ".join(f'"{name}"' for name in names) + "]"


def criteria(task: str) -> list[str]:
    rows = [row for row in TABLE["criterion"]["criteria"] if row["task"] == task]
    return [row["name"] for row in rows] + [row["alias"] for row in rows if "alias" in row]


# Choices that are slips as often as not, by the names that their types get.
ALIASES = {
    "ClassCriterion": criteria("classification"),
    "NumberCriterion": criteria("regression"),
    "Splitter": TABLE["splitter"]["choices"],
}


def parameters_of(name: str) -> list[tuple[str, str, Any]]:
    """Name, type and default of every parameter of an estimator; the "*" stands alone."""
    names, defaults = classes()[name]
    classify = name.endswith("Classifier")
    absent = NUMBERS_ONLY if classify else CLASSES_ONLY
    defaults = {"criterion": "gini" if classify else "squared_error"} | defaults
    out = []
    for parameter in names.split():
        if parameter not in absent:
            kind = type_of(parameter)
            if parameter == "criterion":
                kind = "ClassCriterion" if classify else "NumberCriterion"
            out.append((parameter, kind, defaults.get(parameter, default_of(parameter))))
    return out


def type_of(name: str) -> str:
    if name == "*":
        return ""
    if name in PYTHON:
        return PYTHON[name][0]
    row = TABLE[name]
    if name == "criterion":
        return "str"
    if name == "splitter":
        return "Splitter"
    if row.get("names"):
        return "MaxFeatures"
    words = {"choice": "str", "int": "int", "number": "float", "amount": "float", "bool": "bool"}
    return words[row["type"]] + (" | None" if row["none"] else "")


def default_of(name: str) -> Any:
    return PYTHON[name][1] if name in PYTHON else TABLE.get(name, {}).get("default")


def filled(margin: str, first: str, items: list[str], last: str) -> str:
    """A call or a definition on one line, or over as few as it takes."""
    line = margin + first + ", ".join(items) + last
    if len(line) <= WIDTH:
        return line
    inside = textwrap.fill(
        ", ".join(item.replace(" ", "\0") for item in items),  # no line ends within an item
        WIDTH,
        initial_indent=margin + "    ",
        subsequent_indent=margin + "    ",
    ).replace("\0", " ")
    return f"{margin}{first}\n{inside}\n{margin}{last}"


def constructor(parameters: list[tuple[str, str, Any]]) -> list[str]:
    given = ["self"]
    for name, kind, default in parameters:
        value = "" if name == "*" or default is REQUIRED else f" = {default!r}".replace("'", '"')
        given.append(name + (f": {kind}" if kind else "") + value)
    return [filled("    ", "def __init__(", given, ") -> None: self._set(locals())")]


def group_parameters(name: str) -> list[tuple[str, str, Any]]:
    fields, defaults = GROUPS[name]
    out = []
    for own, core in fields.items():
        default = defaults.get(own, TABLE[core]["default"])
        out.append((own, type_of(core) + (" | None" if default is None else ""), default))
    return out


def text() -> str:
    """The module."""
    made = classes()
    names = dict.fromkeys(name for key in made for name, _, _ in parameters_of(key) if name != "*")
    parts = [
        "# SPDX-License-Identifier: Apache-2.0",
        '"""Constructors of estimators and of groups of parameters, by tools/python_signatures.py."""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import TYPE_CHECKING, Any, ClassVar, Literal",
        "",
        "if TYPE_CHECKING:",
        "    from ._groups import ParameterGroup",
        "",
        "# fmt: off",
        "",
        *(
            filled("", f"{alias} = Literal[", [f'"{choice}"' for choice in choices], "]")
            for alias, choices in ALIASES.items()
        ),
        f"MaxFeatures = float | {literal(TABLE['max_features']['names'])} | None",
        "",
        "",
        "class Arguments:",
        "    def _set(self, arguments: dict[str, Any]) -> None:",
        '        """Every argument of a constructor becomes the attribute of its name."""',
        "        state = self.__dict__  # setattr() one by one would take several times as long",
        "        state.update(arguments)",
        '        del state["self"]',
        "",
        "",
        "class Parameters(Arguments):",
        '    """The types of all parameters of estimators; every class has some of them."""',
        "",
        *(f"    {name}: {type_of(name)}" for name in names),
    ]
    for name, (fields, _) in GROUPS.items():
        items = [f'"{own}": "{core}"' for own, core in fields.items()]
        parts += ["", f"class {name}(Arguments):"]
        parts += [filled("    ", "_fields: ClassVar[dict[str, str]] = {", items, "}"), ""]
        parts += constructor(group_parameters(name))
    for name in made:
        parts += ["", f"class {name}(Arguments):", *constructor(parameters_of(name))]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text())

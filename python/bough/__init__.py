# SPDX-License-Identifier: Apache-2.0
"""bough: exact decision trees with scikit-learn's interface."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._core import __version__
from ._errors import BoughError

if TYPE_CHECKING:
    from . import datasets
    from ._causal import CausalTree, PropensityTree
    from ._causal_forest import CausalForest
    from ._classics import C45Classifier, ID3Classifier
    from ._draw import (
        decision_regions,
        decision_steps,
        draw_tree,
        lay_out,
        plot_fit,
        plot_importances,
        plot_path,
        plot_regions,
    )
    from ._estimators import (
        DecisionTreeClassifier,
        DecisionTreeRegressor,
        ExtraTreeClassifier,
        ExtraTreeRegressor,
    )
    from ._export import export_graphviz, export_text
    from ._files import load
    from ._forest import ImportedForestClassifier, ImportedForestRegressor
    from ._honest import HonestTreeClassifier, HonestTreeRegressor
    from ._honest_forest import HonestForestClassifier, HonestForestRegressor
    from ._oblique import (
        ExtraObliqueDecisionTreeClassifier,
        ExtraObliqueDecisionTreeRegressor,
        ObliqueDecisionTreeClassifier,
        ObliqueDecisionTreeRegressor,
    )
    from ._oblique_forests import (
        ExtraObliqueRandomForestClassifier,
        ExtraObliqueRandomForestRegressor,
        ObliqueRandomForestClassifier,
        ObliqueRandomForestRegressor,
    )
    from ._out_of_core import train_from_files
    from ._picture import Picture
    from ._plot import plot_tree
    from ._pruning import PruningCV, cost_complexity_cv, plot_pruning, preset, prune
    from ._random_forests import (
        ExtraTreesClassifier,
        ExtraTreesRegressor,
        RandomForestClassifier,
        RandomForestRegressor,
    )
    from ._report import Report, report
    from ._rpart import cut_nodes, plot_cp, prune_cp, rpart_text, summary
    from ._rule_classifier import RuleClassifier
    from ._rules import Rule, RuleSet, rules
    from ._sklearn import from_sklearn
    from ._study import compare, evaluate, leave_one_out, permutation_test, rotation, stability
    from ._study_results import (
        Comparison,
        Evaluation,
        LeaveOneOut,
        PermutationTest,
        Rotation,
        Stability,
    )
    from ._tree import Tree

# Where the names live. They are imported when asked for: the command line starts without scikit-learn.
_HOMES = {
    "C45Classifier": "_classics",
    "CausalForest": "_causal_forest",
    "CausalTree": "_causal",
    "Comparison": "_study_results",
    "DecisionTreeClassifier": "_estimators",
    "DecisionTreeRegressor": "_estimators",
    "Evaluation": "_study_results",
    "ExtraObliqueDecisionTreeClassifier": "_oblique",
    "ExtraObliqueDecisionTreeRegressor": "_oblique",
    "ExtraObliqueRandomForestClassifier": "_oblique_forests",
    "ExtraObliqueRandomForestRegressor": "_oblique_forests",
    "ExtraTreeClassifier": "_estimators",
    "ExtraTreeRegressor": "_estimators",
    "ExtraTreesClassifier": "_random_forests",
    "ExtraTreesRegressor": "_random_forests",
    "HonestForestClassifier": "_honest_forest",
    "HonestForestRegressor": "_honest_forest",
    "HonestTreeClassifier": "_honest",
    "HonestTreeRegressor": "_honest",
    "ID3Classifier": "_classics",
    "ImportedForestClassifier": "_forest",
    "ImportedForestRegressor": "_forest",
    "LeaveOneOut": "_study_results",
    "ObliqueDecisionTreeClassifier": "_oblique",
    "ObliqueDecisionTreeRegressor": "_oblique",
    "ObliqueRandomForestClassifier": "_oblique_forests",
    "ObliqueRandomForestRegressor": "_oblique_forests",
    "PermutationTest": "_study_results",
    "Picture": "_picture",
    "PropensityTree": "_causal",
    "PruningCV": "_pruning",
    "RandomForestClassifier": "_random_forests",
    "RandomForestRegressor": "_random_forests",
    "Report": "_report",
    "Rotation": "_study_results",
    "Rule": "_rules",
    "RuleClassifier": "_rule_classifier",
    "RuleSet": "_rules",
    "Stability": "_study_results",
    "Tree": "_tree",
    "compare": "_study",
    "cost_complexity_cv": "_pruning",
    "cut_nodes": "_rpart",
    "datasets": "",
    "decision_regions": "_draw",
    "decision_steps": "_draw",
    "draw_tree": "_draw",
    "evaluate": "_study",
    "export_graphviz": "_export",
    "export_text": "_export",
    "from_sklearn": "_sklearn",
    "lay_out": "_draw",
    "leave_one_out": "_study",
    "load": "_files",
    "permutation_test": "_study",
    "plot_cp": "_rpart",
    "plot_fit": "_draw",
    "plot_importances": "_draw",
    "plot_path": "_draw",
    "plot_pruning": "_pruning",
    "plot_regions": "_draw",
    "plot_tree": "_plot",
    "preset": "_pruning",
    "prune": "_pruning",
    "prune_cp": "_rpart",
    "report": "_report",
    "rotation": "_study",
    "rpart_text": "_rpart",
    "rules": "_rules",
    "stability": "_study",
    "summary": "_rpart",
    "train_from_files": "_out_of_core",
}

__all__ = [
    "BoughError",
    "C45Classifier",
    "CausalForest",
    "CausalTree",
    "Comparison",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "Evaluation",
    "ExtraObliqueDecisionTreeClassifier",
    "ExtraObliqueDecisionTreeRegressor",
    "ExtraObliqueRandomForestClassifier",
    "ExtraObliqueRandomForestRegressor",
    "ExtraTreeClassifier",
    "ExtraTreeRegressor",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "HonestForestClassifier",
    "HonestForestRegressor",
    "HonestTreeClassifier",
    "HonestTreeRegressor",
    "ID3Classifier",
    "ImportedForestClassifier",
    "ImportedForestRegressor",
    "LeaveOneOut",
    "ObliqueDecisionTreeClassifier",
    "ObliqueDecisionTreeRegressor",
    "ObliqueRandomForestClassifier",
    "ObliqueRandomForestRegressor",
    "PermutationTest",
    "Picture",
    "PropensityTree",
    "PruningCV",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "Report",
    "Rotation",
    "Rule",
    "RuleClassifier",
    "RuleSet",
    "Stability",
    "Tree",
    "__version__",
    "compare",
    "cost_complexity_cv",
    "cut_nodes",
    "datasets",
    "decision_regions",
    "decision_steps",
    "draw_tree",
    "evaluate",
    "export_graphviz",
    "export_text",
    "from_sklearn",
    "lay_out",
    "leave_one_out",
    "load",
    "permutation_test",
    "plot_cp",
    "plot_fit",
    "plot_importances",
    "plot_path",
    "plot_pruning",
    "plot_regions",
    "plot_tree",
    "preset",
    "prune",
    "prune_cp",
    "report",
    "rotation",
    "rpart_text",
    "rules",
    "stability",
    "summary",
    "train_from_files",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'bough' has no attribute {name!r}")
    module = import_module(f".{home or name}", __name__)
    value = getattr(module, name) if home else module
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

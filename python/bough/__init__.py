# SPDX-License-Identifier: Apache-2.0
"""bough: exact decision trees with scikit-learn's interface."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._core import __version__ as __version__
from ._errors import BoughError as BoughError

# At run time names are imported when asked for: the command line starts without scikit-learn.
if TYPE_CHECKING:
    from . import datasets as datasets
    from ._causal import CausalForest as CausalForest
    from ._causal import CausalTree as CausalTree
    from ._causal import PropensityTree as PropensityTree
    from ._classics import C45Classifier as C45Classifier
    from ._classics import ID3Classifier as ID3Classifier
    from ._draw import decision_regions as decision_regions
    from ._draw import decision_steps as decision_steps
    from ._draw import draw_tree as draw_tree
    from ._draw import lay_out as lay_out
    from ._draw import plot_fit as plot_fit
    from ._draw import plot_importances as plot_importances
    from ._draw import plot_path as plot_path
    from ._draw import plot_regions as plot_regions
    from ._estimators import DecisionTreeClassifier as DecisionTreeClassifier
    from ._estimators import DecisionTreeRegressor as DecisionTreeRegressor
    from ._estimators import ExtraTreeClassifier as ExtraTreeClassifier
    from ._estimators import ExtraTreeRegressor as ExtraTreeRegressor
    from ._estimators import TreeClassifier as TreeClassifier
    from ._estimators import TreeRegressor as TreeRegressor
    from ._export import export_graphviz as export_graphviz
    from ._export import export_text as export_text
    from ._files import load as load
    from ._forest import ImportedForestClassifier as ImportedForestClassifier
    from ._forest import ImportedForestRegressor as ImportedForestRegressor
    from ._groups import TAO as TAO
    from ._groups import CostComplexity as CostComplexity
    from ._groups import CriticalValue as CriticalValue
    from ._groups import Honest as Honest
    from ._groups import Pessimistic as Pessimistic
    from ._groups import Projection as Projection
    from ._groups import ReducedError as ReducedError
    from ._groups import Surrogates as Surrogates
    from ._honest import HonestForestClassifier as HonestForestClassifier
    from ._honest import HonestForestRegressor as HonestForestRegressor
    from ._honest import HonestTreeClassifier as HonestTreeClassifier
    from ._honest import HonestTreeRegressor as HonestTreeRegressor
    from ._oblique import ExtraObliqueDecisionTreeClassifier as ExtraObliqueDecisionTreeClassifier
    from ._oblique import ExtraObliqueDecisionTreeRegressor as ExtraObliqueDecisionTreeRegressor
    from ._oblique import ExtraObliqueRandomForestClassifier as ExtraObliqueRandomForestClassifier
    from ._oblique import ExtraObliqueRandomForestRegressor as ExtraObliqueRandomForestRegressor
    from ._oblique import ObliqueDecisionTreeClassifier as ObliqueDecisionTreeClassifier
    from ._oblique import ObliqueDecisionTreeRegressor as ObliqueDecisionTreeRegressor
    from ._oblique import ObliqueRandomForestClassifier as ObliqueRandomForestClassifier
    from ._oblique import ObliqueRandomForestRegressor as ObliqueRandomForestRegressor
    from ._out_of_core import train_from_files as train_from_files
    from ._picture import Picture as Picture
    from ._plot import plot_tree as plot_tree
    from ._pruning import PruningCV as PruningCV
    from ._pruning import cost_complexity_cv as cost_complexity_cv
    from ._pruning import plot_pruning as plot_pruning
    from ._pruning import preset as preset
    from ._pruning import prune as prune
    from ._random_forests import ExtraTreesClassifier as ExtraTreesClassifier
    from ._random_forests import ExtraTreesRegressor as ExtraTreesRegressor
    from ._random_forests import RandomForestClassifier as RandomForestClassifier
    from ._random_forests import RandomForestRegressor as RandomForestRegressor
    from ._report import Report as Report
    from ._report import report as report
    from ._rpart import cut_nodes as cut_nodes
    from ._rpart import plot_cp as plot_cp
    from ._rpart import prune_cp as prune_cp
    from ._rpart import rpart_text as rpart_text
    from ._rpart import summary as summary
    from ._rule_classifier import RuleClassifier as RuleClassifier
    from ._rules import Rule as Rule
    from ._rules import RuleSet as RuleSet
    from ._rules import rules as rules
    from ._sklearn import from_sklearn as from_sklearn
    from ._study import compare as compare
    from ._study import evaluate as evaluate
    from ._study import leave_one_out as leave_one_out
    from ._study import permutation_test as permutation_test
    from ._study import rotation as rotation
    from ._study import stability as stability
    from ._study_results import Comparison as Comparison
    from ._study_results import Evaluation as Evaluation
    from ._study_results import LeaveOneOut as LeaveOneOut
    from ._study_results import PermutationTest as PermutationTest
    from ._study_results import Rotation as Rotation
    from ._study_results import Stability as Stability
    from ._tree import Tree as Tree

_NAMES = {
    "_causal": "CausalForest CausalTree PropensityTree",
    "_classics": "C45Classifier ID3Classifier",
    "_draw": (
        "decision_regions decision_steps draw_tree lay_out plot_fit plot_importances plot_path plot_regions"
    ),
    "_estimators": (
        "DecisionTreeClassifier DecisionTreeRegressor ExtraTreeClassifier ExtraTreeRegressor "
        "TreeClassifier TreeRegressor"
    ),
    "_export": "export_graphviz export_text",
    "_files": "load",
    "_forest": "ImportedForestClassifier ImportedForestRegressor",
    "_groups": "CostComplexity CriticalValue Honest Pessimistic Projection ReducedError Surrogates TAO",
    "_honest": "HonestForestClassifier HonestForestRegressor HonestTreeClassifier HonestTreeRegressor",
    "_oblique": (
        "ExtraObliqueDecisionTreeClassifier ExtraObliqueDecisionTreeRegressor "
        "ObliqueDecisionTreeClassifier ObliqueDecisionTreeRegressor "
        "ExtraObliqueRandomForestClassifier ExtraObliqueRandomForestRegressor "
        "ObliqueRandomForestClassifier ObliqueRandomForestRegressor"
    ),
    "_out_of_core": "train_from_files",
    "_picture": "Picture",
    "_plot": "plot_tree",
    "_pruning": "PruningCV cost_complexity_cv plot_pruning preset prune",
    "_random_forests": (
        "ExtraTreesClassifier ExtraTreesRegressor RandomForestClassifier RandomForestRegressor"
    ),
    "_report": "Report report",
    "_rpart": "cut_nodes plot_cp prune_cp rpart_text summary",
    "_rule_classifier": "RuleClassifier",
    "_rules": "Rule RuleSet rules",
    "_sklearn": "from_sklearn",
    "_study": "compare evaluate leave_one_out permutation_test rotation stability",
    "_study_results": "Comparison Evaluation LeaveOneOut PermutationTest Rotation Stability",
    "_tree": "Tree",
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}

__all__ = sorted(["BoughError", "__version__", "datasets", *_HOMES])


def __getattr__(name: str) -> Any:
    if name != "datasets" and name not in _HOMES:
        raise AttributeError(f"module 'bough' has no attribute {name!r}")
    module = import_module(f".{_HOMES.get(name, name)}", __name__)
    value = getattr(module, name) if name in _HOMES else module
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})

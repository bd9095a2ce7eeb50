# SPDX-License-Identifier: Apache-2.0
"""The compiled part of bough."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

__version__: str

def write_file(path: str, data: bytes) -> None:
    """Puts bytes in the place of a file: afterwards there is the old file or the whole new one."""

def params_table() -> str:
    """
    The one table of training parameters as JSON: names, types, defaults, ranges, choices, words.
    """

class Table:
    """Named columns over the memory of Python objects."""

    def __init__(self) -> None: ...
    @property
    def n_rows(self) -> int: ...
    def __len__(self) -> int: ...
    @property
    def names(self) -> list: ...
    def add_matrix(self, matrix: Array, names: Sequence[str], owner: object) -> None: ...
    def add_column(self, name: str, values: Array, owner: object) -> None: ...
    def add_coded_text(self, name: str, codes: Array, dictionary: Sequence[str]) -> None: ...
    def add_coded(self, name: str, codes: Array, dictionary: Array, owners: object) -> None: ...
    def add_csc(
        self, values: Array, indices: Array, starts: Array, rows: int, names: Sequence[str], owner: object
    ) -> None: ...
    def add_csr(
        self, values: Array, indices: Array, starts: Array, rows: int, names: Sequence[str]
    ) -> None: ...
    def renamed(self, names: Sequence[str]) -> Table: ...
    def infinite_column(self) -> str | None: ...
    @staticmethod
    def from_arrow(capsule: object) -> Table: ...

def exact_as_doubles(array: Array) -> bool:
    """Whether all numbers lie within +-2^53."""

def finiteness(array: Array) -> int:
    """0: all numbers are finite; 1: some are NaN; 2: some are infinite."""

class Model:
    """A fitted model. Immutable."""

    def predict(self, rows: Table | Array, threads: int) -> Array: ...
    def predict_proba(self, rows: Table | Array, output: int, threads: int) -> Array: ...
    def apply(self, rows: Table | Array, threads: int, tree: int = 0) -> Array: ...
    @property
    def takes_matrix(self) -> bool:
        """Whether a matrix of the features in their order is enough for an answer."""
    def decision_path(self, rows: Table, tree: int = 0) -> tuple: ...
    def importances(self) -> Array: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes) -> Model: ...
    def to_json(self) -> str: ...
    def save(self, path: str) -> None: ...
    @staticmethod
    def load(path: str) -> Model: ...
    def signed_by(self, command: str) -> Model: ...
    def one_tree(self, tree: int) -> Model: ...
    def bag(self, tree: int, n_rows: int, weights: Sequence[float] = []) -> Array: ...
    def export(self, format: str, options: dict[str, str] = {}) -> str | bytes: ...
    def export_notes(self, format: str, options: Mapping[str, str]) -> list[str]: ...
    def explain(self, rows: Table, row: int, tree: int = 0) -> str: ...
    def condition(self, node: int, child: int, digits: int = 6) -> str: ...
    @property
    def task(self) -> str: ...
    @property
    def criterion(self) -> str: ...
    @property
    def params(self) -> str: ...
    @property
    def command(self) -> str: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def data_hash(self) -> str: ...
    @property
    def combine(self) -> str: ...
    @property
    def tree_sizes(self) -> list[int]: ...
    @property
    def n_trees(self) -> int: ...
    @property
    def feature_names(self) -> list[str]: ...
    @property
    def features(self) -> list: ...
    @property
    def targets(self) -> list: ...
    @property
    def treatment(self) -> list: ...

def tree_arrays(model: Model) -> dict:
    """Arrays with one entry per node, in preorder."""

def node_children(model: Model, node: int) -> list[int]: ...
def node_levels(model: Model, node: int) -> tuple:
    """Level indices a node knows, and the child of each."""

def node_terms(model: Model, node: int) -> list: ...

class Params:
    """Training parameters, validated."""

    def __init__(self, values: dict[str, Any] | str) -> None:
        """By name, or as a JSON object."""

    def to_json(self) -> str: ...

def fit(
    table: Table,
    targets: Sequence[str],
    weight: str,
    columns: list,
    params: Params,
    threads: int,
    progress: object | None = None,
    engine: str = "auto",
    fold_kind: str = "stratified",
    fold_column: str = "",
    so_far: Model | None = None,
    treatment: str = "",
) -> Model:
    """
    Grows a model on the columns of a table; `columns` lists (name, kind, order of levels).
    `so_far` is a forest to add trees to.
    """

def fit_files(
    paths: Sequence[str],
    targets: Sequence[str],
    weight: str,
    ignored: Sequence[str],
    columns: list,
    params: Params,
    memory: str,
    scratch: str,
    threads: int,
    progress: object | None = None,
) -> Model:
    """
    Grows a model on the rows of files, never holding more than `memory` ("2GB") of them.
    """

def model_from_arrays(
    trees: list,
    together: bool,
    task: str,
    criterion: str,
    features: Sequence[str],
    targets: list,
    params: Params,
    n_rows: int,
    command: str,
    notes: Sequence[str],
) -> Model:
    """
    A model out of the arrays of binary trees: one, or several whose mean it answers; targets are (name,
    (type, names, numbers)), `params` those of refits, `n_rows` the rows of training, or 0 when not known.
    """

def pruning_path(model: Model) -> tuple:
    """Effective alphas and the impurities of the trees after each step."""

def prune_by_price(model: Model, alpha: float, risk: str = "impurity") -> Model: ...
def reduced_error(
    model: Model, rows: Table, weight: str, leaf_values: str, measure: str, threads: int
) -> Model: ...
def critical_value(model: Model, critical: float) -> Model: ...
def calibrate(model: Model, rows: Table, weight: str, threads: int) -> Model: ...
def calibration_rows(model: Model) -> int: ...
def predict_interval(
    model: Model, rows: Table, coverage: float, method: str, threads: int
) -> tuple[NDArray, NDArray]: ...
def predict_set(
    model: Model, rows: Table, coverage: float, method: str, output: int, threads: int
) -> NDArray: ...
def predict_mean_interval(
    model: Model, rows: Table, coverage: float, output: int, threads: int
) -> tuple[NDArray, NDArray]: ...
def predict_std_error(model: Model, rows: Table, output: int, threads: int) -> NDArray: ...
def predict_quantile(model: Model, rows: Table, levels: Sequence[float], threads: int) -> NDArray: ...
def minimum_description(model: Model) -> Model: ...
def prune_pessimistic(model: Model, confidence_factor: float) -> Model: ...
def simplify(model: Model) -> Model: ...
def pruning_table(model: Model) -> dict | None:
    """What cross-validation found, or None."""

def preset(name: str, task: str) -> str:
    """Parameters of a preset as JSON."""

class RuleSet:
    """A list of rules that answers like a model. Immutable."""

    def predict(self, rows: Table | Array, threads: int) -> Array: ...
    def predict_proba(self, rows: Table | Array, output: int, threads: int) -> Array: ...
    def apply(self, rows: Table, threads: int) -> Array: ...
    def measure(self, rows: Table, weight: str, threads: int) -> RuleSet: ...
    def to_json(self) -> str: ...
    @staticmethod
    def from_json(text: str) -> RuleSet: ...
    def save(self, path: str) -> None: ...
    @staticmethod
    def load(path: str) -> RuleSet: ...
    def write(self, format: str) -> str: ...
    def __len__(self) -> int: ...
    @property
    def n_conditions(self) -> int: ...
    @property
    def task(self) -> str: ...
    @property
    def features(self) -> list: ...
    @property
    def targets(self) -> list: ...

def tree_rules(model: Model, tree: int = 0) -> RuleSet:
    """One rule for every leaf of a tree."""

def c45_rules(
    model: Model,
    rows: Table,
    weight: str,
    confidence: float,
    order: str,
    theory_weight: float,
    tree: int,
    threads: int,
) -> RuleSet:
    """The rules of a tree, shortened and chosen on its training rows."""

def report_page(
    model: Model,
    held_out: Table | None,
    training: Table | None,
    title: str,
    weight: str,
    max_rows: int,
    repeats: int,
    threads: int,
) -> str:
    """One HTML file about a model, as text."""

def shap_values(model: Model, rows: Table, background: Table | None, threads: int) -> tuple:
    """Shapley values (rows, columns, outputs) and the expectation per output."""

def shap_expected(model: Model, background: Table | None) -> object:
    """The expectation per output."""

def path_changes(model: Model, rows: Table, threads: int) -> tuple:
    """Changes of the node values along the way of every row, laid out as shap_values."""

def leaf_changes(model: Model, tree: int) -> tuple:
    """Leaves, and the changes of the node values on the way to them."""

def top_reasons(model: Model, rows: Table, row: int, output: int, label: int, most: int) -> str:
    """Why a row gets its answer, as JSON."""

def why_split(model: Model, rows: Table, node: int, weight: str, tree: int, most_points: int) -> str:
    """What every column could do for a node, as JSON."""

def why_split_text(model: Model, rows: Table, node: int, weight: str, tree: int) -> str:
    """The same for people."""

def permutation_importance(
    model: Model, rows: Table, score: str, repeats: int, level: float, seed: int, weight: str, threads: int
) -> str:
    """What shuffling every column does to the score, as JSON."""

def counterfactual(
    model: Model,
    rows: Table,
    row: int,
    fixed: Sequence[str],
    increase: Sequence[str],
    decrease: Sequence[str],
    output: int,
    wanted: int,
    at_least: float | None,
    at_most: float | None,
    reference: Table | None,
) -> tuple:
    """The nearest row of another answer, as JSON, and its cells."""

def cp_table(model: Model) -> tuple: ...
def cross_validate_cp(
    model: Model,
    table: Table,
    targets: Sequence[str],
    weight: str,
    columns: list,
    groups: Array,
    threads: int,
) -> Model: ...
def effects(model: Model, rows: Table, threads: int) -> tuple: ...
def effect_intervals(model: Model, rows: Table, coverage: float, threads: int) -> tuple: ...
def draw_groups(n_rows: int, folds: int, seed: int) -> object: ...
def cut_nodes(model: Model, nodes: Sequence[int], rpart: bool) -> Model: ...
def prune_cp(model: Model, cp: float) -> Model: ...
def rpart_text(model: Model, digits: int) -> str: ...
def rpart_summary(model: Model, digits: int) -> str: ...
def rpart_numbers(model: Model) -> object: ...

class LeaveOneOut:
    """Trees without each row in turn."""

    def to_json(self) -> str: ...
    def text(self, most: int = 20) -> str: ...
    def svg(self, most: int = 10, theme: str = "light") -> str: ...
    @property
    def before(self) -> Model: ...
    @property
    def models(self) -> list[Model | None]: ...

def bootstrap_rows(n_rows: int, seed: int, repeat: int) -> Array: ...
def stability(
    model: Model,
    rows: Table,
    weight: str,
    repeats: int,
    seed: int,
    max_depth: int,
    threads: int,
    progress: object | None = None,
) -> tuple: ...
def leave_one_out(
    model: Model, rows: Table, weight: str, most_models: int, threads: int, progress: object | None = None
) -> LeaveOneOut: ...
def rotation(
    model: Model,
    rows: Table,
    weight: str,
    angles: Sequence[float],
    planes: str,
    folds: int,
    repeats: int,
    seed: int,
    threads: int,
    progress: object | None = None,
) -> tuple: ...
def permutation_test(
    model: Model,
    rows: Table,
    weight: str,
    repeats: int | None,
    seed: int,
    score: str,
    folds: int,
    threads: int,
    progress: object | None = None,
) -> tuple: ...
def permutation_test_splits(
    model: Model,
    rows: Table,
    weight: str,
    repeats: int | None,
    seed: int,
    max_depth: int,
    threads: int,
    progress: object | None = None,
) -> tuple: ...
def compare(
    first: Model,
    second: Model,
    rows: Table,
    weight: str,
    training: Table | None,
    training_weight: str,
    options: dict,
    threads: int,
    progress: object | None = None,
) -> tuple: ...
def evaluate(model: Model, rows: Table, weight: str, confidence: float, threads: int) -> str:
    """Scores with their intervals as JSON."""

def out_of_bag(forest: Model, rows: Table, weights: Sequence[float], threads: int) -> tuple:
    """
    Answers of the trees that have not drawn a row, and how many these are; weights are those of the fit.
    """

def oob_curve(forest: Model, rows: Table, weight: str, weighted: bool, threads: int) -> str:
    """The out-of-bag error of the first 1, 2, ... trees as JSON."""

def oob_importance(forest: Model, rows: Table, weight: str, weighted: bool, seed: int, threads: int) -> str:
    """Breiman's importances as JSON."""

def tree_likeness(forest: Model, rows: Table, threads: int) -> str:
    """How far every tree answers from the forest, and the nearest, as JSON."""

def proximity(
    forest: Model, rows: Table, others: Table | None, out_of_bag: bool, weight: str, threads: int
) -> Array:
    """Shares of the trees in which rows meet in a leaf."""

class Look:
    """What all pictures share."""

    def __init__(self, theme: str, title: str | None, tree: int | None, precision: int) -> None: ...

class Slice:
    """Columns that answers are drawn over, and where the others are held."""

    def __init__(
        self, x: str, y: str, at: dict[str, str], target: str, max_depth: int | None, points: bool
    ) -> None: ...

def draw_tree(
    model: Model,
    look: Look,
    max_depth: int | None,
    collapsed: Sequence[int],
    most_children: int,
    colour: bool,
    impurity: bool,
    bars: bool,
    node_ids: bool,
    missing: bool | None,
    most_names: int,
) -> str: ...
def draw_regions(model: Model, data: Table | None, options: Slice, look: Look) -> str: ...
def draw_fit(model: Model, data: Table | None, options: Slice, look: Look) -> str: ...
def draw_path(model: Model, look: Look) -> str: ...
def draw_importances(model: Model, look: Look, most: int) -> str: ...
def decision_regions(model: Model, data: Table | None, options: Slice, tree: int | None) -> dict: ...
def decision_steps(model: Model, data: Table | None, options: Slice, tree: int | None) -> list: ...
def lay_out(parents: Sequence[int], widths: Sequence[float], siblings: float, cousins: float) -> tuple: ...
def view_tree(
    model: Model, tree: int, max_depth: int | None, collapsed: Sequence[int], most_children: int
) -> list: ...

class FitSpec:
    """Which columns of a table play which part."""

    def __init__(
        self, targets: Sequence[str], weight: str = "", columns: list = [], ignored: Sequence[str] = []
    ) -> None: ...
    def __getstate__(self) -> tuple[list[str], str, list, list[str]]: ...
    def __setstate__(self, arg: tuple[Sequence[str], str, list, Sequence[str]], /) -> None: ...

def read_table(
    path: str,
    delimiter: str = "",
    header: bool | None = None,
    missing: Sequence[str] | None = None,
    numeric_columns: Sequence[str] = [],
    text_columns: Sequence[str] = [],
    format: str = "",
) -> Table:
    """The rows of a file, as the command line reads them."""

def summarise(rows: Table, spec: FitSpec, params: Params) -> bytes:
    """What one block says about its columns."""

def merge_summaries(summaries: list) -> bytes:
    """Several summaries as one; the order does not matter."""

def check_scale_params(spec: FitSpec, params: Params) -> None:
    """Refuses by name what cannot be trained on blocks."""

class Plan:
    """What all blocks agree on. Immutable."""

    @staticmethod
    def from_bytes(data: bytes) -> Plan: ...
    def to_bytes(self) -> bytes: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def bytes_per_row(self) -> int: ...
    def __getstate__(self) -> bytes: ...
    def __setstate__(self, arg: bytes, /) -> None: ...

def make_plan(summary: bytes, spec: FitSpec, params: Params) -> Plan:
    """The plan of all blocks out of their merged summaries."""

class RowBlock:
    """The rows of one block, coded by a plan."""

    def __init__(self, rows: Table, plan: Plan, first_row: int) -> None: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def image(self) -> Array: ...
    def __sizeof__(self) -> int: ...
    def __getstate__(self) -> object: ...
    def __setstate__(self, arg: Array, /) -> None: ...

def answer(blocks: list, request: bytes, threads: int = 1) -> Array:
    """The answer of some blocks to a request of fit_blocks, merged."""

def merge_answers(answers: list) -> Array:
    """Several answers to one request as one; the order does not matter."""

def parts_of(blocks: list, request: bytes, threads: int = 1) -> list:
    """By block, what it gives to every group that a request names."""

def finish_group(plan: Plan, request: bytes, group: int, parts: list) -> bytes:
    """Grows the subtrees of one group from the parts of all blocks."""

def request_info(request: bytes) -> dict:
    """What a request is about: phase, level, nodes, n_groups."""

def fit_blocks(
    plan: Plan,
    ask: object,
    regroup: object,
    threads: int = 1,
    gather_bytes: int = 0,
    groups_at_once: int = 0,
    histogram_bytes: int = 0,
) -> Model:
    """
    Trains on the blocks of a plan. ask(request) -> the merged answer of all blocks; regroup(request) -> the
    finished
    groups in their order.
    """

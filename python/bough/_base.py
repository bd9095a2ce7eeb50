# SPDX-License-Identifier: Apache-2.0
"""What all estimators do: fit through the core, answer from the model, travel as the model's bytes."""

from __future__ import annotations

import math
import warnings
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

import joblib
import numpy as np
from scipy import sparse
from sklearn import get_config
from sklearn.base import BaseEstimator, MultiOutputMixin, clone
from sklearn.utils import Bunch
from sklearn.utils._param_validation import validate_parameter_constraints
from sklearn.utils.validation import check_is_fitted

from . import _core, _groups, _input, _params, _ready, _targets
from ._answers import FEW_ROWS
from ._arguments import refuse_idle
from ._callback import CallbackSupportMixin, unchanged_by_errors, watched_fit
from ._explain import ExplainMixin
from ._export_mixin import ExportMixin
from ._html import Explanation
from ._signatures import Parameters
from ._tree import Tree

if TYPE_CHECKING:
    from typing_extensions import Self


class NoSuchTableError(NotImplementedError, AttributeError):
    """A kind of model has no such table; hasattr() and dir() must say so, too."""


class Learner(ExplainMixin, ExportMixin, CallbackSupportMixin, MultiOutputMixin, Parameters, BaseEstimator):
    """How trees and forests learn: from X, y and parameters to a core model. Not for direct use."""

    _names: ClassVar[tuple[str, ...]]
    _defaults: ClassVar[dict[str, Any]]
    _core_defaults: ClassVar[dict[str, Any]]  # the core's parameters that they stand for
    _parameter_constraints: ClassVar[dict[str, list[Any]]]
    _task: str
    _algorithm: ClassVar[str] = "cart"
    _attributes: ClassVar[str]  # what the documentation says about those of fitted ones
    _stratifies: ClassVar[bool] = True  # whether there are classes or arms to divide honest rows by

    @property
    def shrinkage_(self) -> float:
        """Strength of the shrinkage that was used, either as given or as chosen by cross-validation."""
        return self._model.extras.get("shrinkage", [getattr(self, "shrinkage", None) or 0.0])[0]

    def __new__(cls, *_: Any, **given: Any) -> Any:
        if not given:
            return super().__new__(cls)
        for name in given.keys() & _groups.SPELLINGS.keys():
            if name not in cls._get_param_names():
                raise TypeError(f"{cls.__name__} has no parameter {name!r}: give {_groups.SPELLINGS[name]}")
        if isinstance(criterion := given.get("criterion"), str) and criterion == "friedman_mse":
            warnings.warn(
                "criterion 'friedman_mse' is deprecated; 'squared_error' means the same",
                FutureWarning,
                stacklevel=2,
            )
        return super().__new__(cls)

    def set_params(self, **params: Any) -> Any:
        # pruning__folds may be set of pruning="cost_complexity", too.
        for argument in {name.partition("__")[0] for name in params if "__" in name} & _groups.ARGUMENTS:
            if argument not in self._defaults:
                continue  # scikit-learn says which parameters there are
            group = _groups.group_of(argument, params.get(argument, getattr(self, argument)))
            if not isinstance(group, _groups.ParameterGroup):
                raise ValueError(
                    f"{argument}={group!r} has no parameters to set; give {argument} one of "
                    f"{', '.join(each.__name__ for each in _groups.groups_of(argument))} first"
                )
            # A copy: groups are values, and another estimator may have been given this one.
            params[argument] = clone(group)
        return super().set_params(**params)

    # ---------------------------------------------------------------- fitting
    def _fit(self, X: Any, y: Any, sample_weight: Any, check_input: bool = True, **more: Any) -> Any:
        with unchanged_by_errors(self):
            self._check_params()
            if not hasattr(self, "_skl_callbacks"):
                return self._grow(X, y, sample_weight, check_input, **more)
            with watched_fit(self, X, y, sample_weight):
                return self._grow(X, y, sample_weight, check_input, **more)

    def _given(self) -> dict[str, Any]:
        """Parameters other than the defaults, which are known to be good."""
        state = self.__dict__
        return {name: state[name] for name, value in self._defaults.items() if state[name] is not value}

    def _check_params(self) -> None:
        if get_config()["skip_parameter_validation"]:
            return
        cls, given = type(self), self._given()
        key = _ready.key_of(cls, given)
        if key in _ready.checked:
            return
        validate_parameter_constraints(cls._parameter_constraints, given, caller_name=cls.__name__)
        for value in given.values():
            if isinstance(value, _groups.ParameterGroup):
                value._validate_params()
        _ready.checked.keep(key, True)

    def _grow(self, X: Any, y: Any, sample_weight: Any, check_input: bool, folds: Any = None) -> Any:
        """``folds``: how cross-validation divides the rows, and a number per row for it, or None."""
        rows, targets, weight_name = self._training_table(X, y, sample_weight, check_input)
        options = {}
        if folds is not None:
            options["fold_kind"], numbers = folds
            if numbers is not None:
                name = options["fold_column"] = _targets.free_names(rows.table.names, 1)[0]
                rows.table.add_column(name, numbers, numbers)
        self._accept(self._grow_model(rows, targets, weight_name, **options), targets)
        return self

    def _own_words(self, text: str) -> str:
        """A message of the core with parameters as this class has them."""
        return text

    def _grow_model(self, rows: _input.Rows, targets: Any, weight_name: str, **options: Any) -> _core.Model:
        try:
            params = self._core_params(rows, targets)
            model = _core.fit(
                rows.table,
                targets.names,
                weight_name,
                self._column_specs(rows),
                params,
                self._threads(rows.n_rows * getattr(self, "n_estimators", 1)),
                **options,
            )
        except (ValueError, NotImplementedError) as error:
            error.args = (self._own_words(str(error)),)
            raise
        for note in model.notes:
            if "identifier" in note:
                warnings.warn(
                    f"{note}: drop it from X, or use category_split='equality'", UserWarning, stacklevel=5
                )
        return model

    def _training_table(self, X: Any, y: Any, sample_weight: Any, check_input: bool) -> Any:
        """X, y and the weights as one table, with the names of the targets and of the weights ("": none)."""
        wished = _targets.names_of(y)
        y = _targets.check_y(self, y)
        rows = _input.read_rows(self, X, check=check_input)
        if self.criterion == "poisson":
            _params.check_poisson(y)
        if len(y) != rows.n_rows:
            raise ValueError(f"Number of labels={len(y)} does not match number of samples={rows.n_rows}")
        add = _targets.add_labels if self._task == "classification" else _targets.add_numbers
        targets = add(rows.table, y, rows.names, wished)
        weight_name = ""
        weights: Any = self._row_weights(X, y, sample_weight)
        if weights is not None:
            weight_name = _targets.free_names([*rows.names, *targets.names], 1)[0]
            rows.table.add_column(weight_name, weights, weights)
        return rows, targets, weight_name

    def _row_weights(self, X: Any, y: np.ndarray, sample_weight: Any) -> np.ndarray | None:
        """Weights of the rows with those of their classes multiplied in; None: all 1."""
        class_weight = getattr(self, "class_weight", None)
        if sample_weight is None and class_weight is None:
            return None
        return _targets.row_weights(X, sample_weight, class_weight, y)

    def _accept(self, model: _core.Model, targets: _targets.Targets) -> None:
        """Takes over the model of a fit."""
        self.n_outputs_ = len(targets.names)
        self._renew(model)
        if self._task == "classification":
            self._set_classes(_targets.classes_of(model, targets))

    def _column_specs(self, rows: _input.Rows) -> list[tuple[str, str, list[str]]]:
        wish, ordinal = self.categorical_features, self.ordinal_features
        if isinstance(wish, str) and not (ordinal or rows.categories or rows.booleans or rows.orders):
            return []
        orders = _input.ordinal_orders(ordinal, rows)
        categories, numbers = _input.categorical_names(wish, rows)
        _input.check_one_kind(wish, ordinal, categories, rows)
        if "projection" in self._names and isinstance(wish, str):  # sums of features take truth values, too
            categories, numbers = list(rows.categories), list(rows.booleans)
        specs = [(name, "ordinal", order) for name, order in orders.items()]
        specs += [(name, "category", []) for name in dict.fromkeys(categories) if name not in orders]
        specs += [(name, "numeric", []) for name in numbers if name not in orders]
        return specs

    def _core_params(self, rows: _input.Rows, targets: _targets.Targets) -> _core.Params:
        key = self._params_key()
        if (ready := _ready.params.get(key)) is not None:
            return ready
        values = self._core_values(rows, targets, self._seed())
        plain = {name: v.item() if isinstance(v, np.generic) else v for name, v in values.items()}
        params = _core.Params(plain)
        _ready.params.keep(key, params)
        return params

    def _params_key(self) -> tuple[Any, ...] | None:
        """What the core's parameters follow from; None where the data or chance decide, too."""
        cls = type(self)
        if cls._core_values is not Learner._core_values or cls._seed is not Learner._seed:
            return None
        if type(self.min_samples_split) is not int or getattr(self, "splitter", None) == "random":
            return None
        return _ready.key_of(cls, self._given())

    def _seed(self) -> int:
        state = getattr(self, "random_state", None)
        if state is None and getattr(self, "splitter", None) == "random":
            state = np.random.mtrand._rand  # scikit-learn's way: one such tree of many must be another
        return _params.seed_of(state)

    def _core_values(self, rows: _input.Rows, targets: _targets.Targets, seed: int) -> dict[str, Any]:
        """The core's parameters by name."""
        given = self._given()
        values = type(self)._core_defaults | _params.core_values(given)
        values |= {"task": self._task, "algorithm": self._algorithm, "seed": seed}
        if (cst := given.get("monotonic_cst")) is not None:
            n_classes = None
            if self._task == "classification" and len(targets.names) == 1:
                n_classes = len(targets.classes[0]) if targets.classes else len(np.unique(targets.original))
            values["monotonic_cst"] = _params.monotone_signs(cst, rows.names, len(targets.names), n_classes)
        if (cst := given.get("interaction_cst")) is not None:
            values["interaction_cst"] = _params.interaction_groups(cst, rows.names)
        if (costs := given.get("column_costs")) is not None:
            values["column_costs"] = _params.costs_by_name(costs, rows.names)
        if (losses := given.get("loss_matrix")) is not None:
            values["loss_matrix"] = _params.loss_rows(losses)
        if (priors := given.get("priors")) is not None:
            values["priors"] = _params.class_priors(priors, *_targets.core_names(targets))
        if not isinstance(self.min_samples_split, Integral):
            # As scikit-learn has it: a fraction asks for two rows at least.
            values["min_samples_split"] = max(2, math.ceil(self.min_samples_split * rows.n_rows))
        return values

    def _threads(self, n_rows: int) -> int:
        if self.n_jobs == 1 or (self.n_jobs is None and n_rows < FEW_ROWS):
            return 1
        return n_threads(self.n_jobs)


class BaseTree(Learner):
    """Base of the estimators of one tree; not for direct use."""

    _attributes = """
tree_ : bough.Tree
    The nodes as arrays.
max_features_ : int
pruning_table_ : Bunch
    Results of cross-validation; only after ``pruning="cost_complexity"`` with ``ccp_alpha=0``."""

    _holder = "tree_"
    tree_: Tree

    def _accept(self, model: _core.Model, targets: _targets.Targets) -> None:
        super()._accept(model, targets)
        self.max_features_ = _params.max_features_of(self, self.n_features_in_)

    def _adopt(self, model: _core.Model) -> Self:
        super()._adopt(model)
        self.max_features_ = _params.max_features_of(self, self.n_features_in_)
        return self

    def _renew(self, model: _core.Model) -> None:
        self.tree_ = Tree(model)

    # ---------------------------------------------------------------- answers
    @property
    def trees_(self) -> list[Tree]:
        """The fitted tree as a list; a cross-fitted honest tree has two. ``tree_`` is the first."""
        model = self._model
        return [Tree(model.one_tree(i)) for i in range(model.n_trees)] if model.n_trees > 1 else [self.tree_]

    def apply(self, X: Any, check_input: bool = True) -> np.ndarray:
        """Return the leaf of every row: an ndarray of shape (n_samples,), or (n_samples, 2) with
        ``cross_fit``.

        X is as for `predict`. With ``cross_fit``, each tree has a column.
        """
        leaves = self._leaves(X, check_input)
        return leaves[0] if len(leaves) == 1 else np.stack(leaves, axis=1)

    def decision_path(self, X: Any, check_input: bool = True) -> sparse.csr_matrix:
        """Return the nodes on the path of every row, a sparse matrix of shape (n_samples, n_nodes).

        With ``cross_fit`` the nodes of both trees are side by side. X is as for `predict`.
        """
        paths = self._paths(X, check_input)
        return paths[0] if len(paths) == 1 else sparse.hstack(paths, format="csr")

    def explain(self, X: Any, row: int = 0) -> Explanation:
        """Explain the path of one row in words: ``steps``, ``leaf``, ``prediction``, ``sentences``.

        ``X`` contains rows as for `predict`, or is one row of a frame (``X.iloc[5]``).
        """
        return self._explanation(X, row)

    # ---------------------------------------------------------------- about the tree
    def get_depth(self) -> int:
        """Return the number of splits on the longest path from the root to a leaf."""
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Compute the steps of minimal cost-complexity pruning.

        Parameters
        ----------
        X : {array-like, sparse matrix, frame} of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        sample_weight : array-like of shape (n_samples,), default=None

        Returns
        -------
        path : Bunch
            ``ccp_alphas``: the effective alphas; ``impurities``: total impurity of the leaves after each
            step.
        """
        fitted = clone(self).set_params(ccp_alpha=0.0, pruning="none").fit(X, y, sample_weight=sample_weight)
        alphas, impurities = _core.pruning_path(fitted.tree_.model)
        return Bunch(ccp_alphas=alphas, impurities=impurities)

    @property
    def search_(self) -> Bunch:
        """Result of the search: ``errors`` on the training rows (numbers: squared),
        ``cost`` (with ``leaf_price``), ``work``.

        ``lower_bound``: no tree within the limits costs less. ``proven``: this tree costs no more than that.
        """
        found = self._model.search
        if found is None:
            raise AttributeError("the tree was grown greedily, so there is no search_")
        return Bunch(**found)

    @property
    def choice_(self) -> str:
        """What cross-validation chose and why, in two lines; only for trees whose size it chose."""
        self._sizes()
        return self._model.choice

    @property
    def size_table_(self) -> Bunch:
        """Every tree that cross-validation tried, by number of leaves; grown trees come first.

        ``searched``, ``leaves``, ``shrinkage`` (the best for this tree), ``training_errors``, ``errors`` on
        unseen rows, ``standard_errors``, ``losses`` (log loss; for numbers the error), ``standard_losses``;
        ``chosen`` (the row of the fitted tree), ``folds``, ``measure`` (what an error is).
        """
        return Bunch(**self._sizes())

    def _sizes(self) -> dict[str, Any]:
        check_is_fitted(self)
        table = _core.size_table(self._model)
        if table is None:
            raise AttributeError("the size of the tree was not chosen by cross-validation among all ways")
        return table

    @property
    def pruning_table_(self) -> Bunch:
        """Prices, leaves and cross-validated errors, if cross-validation chose the price per leaf."""
        table = _core.pruning_table(self._model)
        if table is None:
            raise AttributeError("the tree was not pruned by cross-validation, so there is no pruning_table_")
        return Bunch(**table)

    @property
    def cp_table_(self) -> Bunch:
        """Table of rpart's complexity parameter: ``cp``, ``n_splits``, ``rel_error``, ``xerror``, ``xstd``.

        The last two are NaN until you call `cross_validate_cp`.
        """
        names = ("cp", "n_splits", "rel_error", "xerror", "xstd")
        try:
            return Bunch(**dict(zip(names, _core.cp_table(self._model), strict=True)))
        except NotImplementedError as error:
            raise NoSuchTableError(str(error)) from None

    def cross_validate_cp(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, folds: int = 10
    ) -> Self:
        """Compute the cross-validated columns of ``cp_table_`` as rpart does.

        Parameters
        ----------
        X, y, sample_weight
            The rows that the tree was fitted on.
        groups : array-like of int of shape (n_samples,), default=None
            The group of every row; each group is held out once. By default, `folds` random groups of equal
            size.
        folds : int, default=10

        Returns
        -------
        self
        """
        check_is_fitted(self)
        if groups is not None:
            refuse_idle("beside groups", folds=(folds, 10))
        with unchanged_by_errors(self):
            rows, targets, weight_name = self._training_table(X, y, sample_weight, True)
            if groups is None:
                groups = _core.draw_groups(rows.n_rows, folds, self._seed())
            model = _core.cross_validate_cp(
                self.tree_.model,
                rows.table,
                targets.names,
                weight_name,
                self._column_specs(rows),
                np.ascontiguousarray(groups, dtype=np.int64),
                self._threads(rows.n_rows),
            )
            self._renew(model)
        return self

    def _html_repr(self) -> str:
        """What notebooks show: scikit-learn's display, and below it the tree once there is one."""
        html = super()._html_repr()
        if not self.__sklearn_is_fitted__():
            return html
        from ._draw import inline

        return html + inline(self)


def n_threads(n_jobs: int | None) -> int:
    """Threads that n_jobs asks for, no more than any machine has cores."""
    return min(int(joblib.effective_n_jobs(n_jobs)), 4096)

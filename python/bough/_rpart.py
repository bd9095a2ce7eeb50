# SPDX-License-Identifier: Apache-2.0
"""What users of rpart expect: its printed forms, pruning by cp, cutting off nodes, the plot of cp."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from . import _core
from ._errors import BoughError
from ._tree import one_model, with_model


def rpart_text(estimator: Any, digits: int = 7) -> str:
    """Return the tree with one line per node, as rpart prints it.

    Nodes are numbered as in rpart: the children of node k are 2k and 2k + 1.

    Parameters
    ----------
    estimator : fitted tree
    digits : int, default=7
        Significant digits.
    """
    return _core.rpart_text(one_model(estimator), digits)


def summary(estimator: Any, digits: int = 7) -> str:
    """Return the cp table, then every node with its split, its competitors and its surrogates.

    The tree keeps competitors with ``competitors=4`` and surrogates with ``missing="surrogate"``.
    """
    return _core.rpart_summary(one_model(estimator), digits)


def prune_cp(estimator: Any, cp: float) -> Any:
    """Return a copy in which branches that are not worth the complexity parameter `cp` are cut."""
    return with_model(estimator, _core.prune_cp(one_model(estimator), float(cp)))


def cut_nodes(estimator: Any, nodes: Iterable[int], numbering: str = "tree") -> Any:
    """Return a copy in which the given nodes are leaves.

    Parameters
    ----------
    estimator : fitted tree
    nodes : iterable of int
    numbering : {"tree", "rpart"}, default="tree"
        Whether nodes are numbered as in ``tree_`` and `apply`, or as `rpart_text` prints them.
    """
    if numbering not in ("tree", "rpart"):
        raise ValueError(f"numbering must be 'tree' or 'rpart', but is {numbering!r}")
    model, wanted = one_model(estimator), [int(node) for node in nodes]
    if any(node < 0 for node in wanted):
        raise ValueError("numbers of nodes are not negative")
    last = model.tree_sizes[0] - 1
    if numbering == "tree" and any(node > last for node in wanted):
        raise BoughError(f"there is no node {max(wanted)}: nodes are numbered from 0 to {last}")
    return with_model(estimator, _core.cut_nodes(model, wanted, numbering == "rpart"))


def plot_cp(estimator: Any, ax: Any = None) -> Any:
    """Plot the cp table: the error of every tree against its size.

    After ``cross_validate_cp``, the plot shows standard errors and a line one standard error above the lowest
    error.

    Parameters
    ----------
    estimator : fitted tree
    ax : matplotlib axes, default=None
        By default, the current axes.

    Returns
    -------
    ax : matplotlib axes
    """
    import matplotlib.pyplot as plt

    one_model(estimator)  # says so where there is no such table
    table = estimator.cp_table_
    if ax is None:
        ax = plt.gca()
    places = np.arange(len(table.cp))
    with np.errstate(invalid="ignore"):
        middles = np.sqrt(table.cp[1:] * table.cp[:-1])
    crossed = not np.isnan(table.xerror).any()
    if crossed:
        ax.errorbar(places, table.xerror, yerr=table.xstd, fmt="o-", color="black", capsize=3)
        least = int(np.argmin(table.xerror))
        ax.axhline(table.xerror[least] + table.xstd[least], linestyle=":", color="black")
    else:
        ax.plot(places, table.rel_error, "o-", color="black")
    # Of a long table every second price, or fewer: labels that touch cannot be read.
    step = -(-len(places) // 9)
    ax.set_xticks(places[::step], ["Inf", *(f"{middle:.2g}" for middle in middles)][::step])
    ax.set_xlabel("cp")
    ax.set_ylabel(f"{'cross-validated' if crossed else 'training'} error (root: 1)")
    above = ax.secondary_xaxis("top")
    above.set_xticks(places[::step], [str(splits + 1) for splits in table.n_splits[::step]])
    above.set_xlabel("leaves")
    return ax

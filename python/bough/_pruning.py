# SPDX-License-Identifier: Apache-2.0
"""Minimal cost-complexity pruning by impurity: the path of weakest links, and the tree after some of it."""

from __future__ import annotations

import heapq

import numpy as np

from . import _core
from ._params import TABLE
from ._tree import Tree

# Where the core prunes, fit() did it and the path comes from there; else the rest of this file stands in.
CORE_PRUNES = "ccp_alpha" in TABLE and hasattr(_core, "pruning_path")


def path(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Effective alphas and the impurities after each step."""
    if CORE_PRUNES:
        return _core.pruning_path(tree.model)
    alphas, impurities, _ = weakest_links(tree)
    return alphas, impurities


def weakest_links(tree: Tree) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Effective alphas, impurities of the subtrees, and the node that becomes a leaf at each step.

    The node whose branch lowers the impurity least per leaf goes first; of equals the lowest number.
    """
    left, right = tree.children_left, tree.children_right
    n = tree.node_count
    parent = np.full(n, -1)
    for node in range(n):
        for child in tree.children(node):
            parent[child] = node
    risk = tree.weighted_n_node_samples * tree.impurity / tree.weighted_n_node_samples[0]
    leaves = (left < 0).astype(np.int64)
    branch = np.where(left < 0, risk, 0.0)
    for node in range(n - 1, 0, -1):  # children have higher numbers than their parents
        branch[parent[node]] += branch[node]
        leaves[parent[node]] += leaves[node]
    gone = np.zeros(n, dtype=bool)
    version = np.zeros(n, dtype=np.int64)

    def entry(node: int) -> tuple[float, int, int]:
        return (risk[node] - branch[node]) / (leaves[node] - 1), node, int(version[node])

    heap = [entry(node) for node in range(n) if right[node] >= 0]
    heapq.heapify(heap)
    alphas, impurities, nodes = [0.0], [float(branch[0])], [-1]
    while heap:
        alpha, node, seen = heapq.heappop(heap)
        if gone[node] or seen != version[node]:
            continue
        _bury(tree, node, gone)
        rise, lost = risk[node] - branch[node], leaves[node] - 1
        up = parent[node]
        while up >= 0:
            branch[up] += rise
            leaves[up] -= lost
            version[up] += 1
            heapq.heappush(heap, entry(int(up)))
            up = parent[up]
        alphas.append(float(alpha))
        impurities.append(impurities[-1] + float(rise))
        nodes.append(node)
    return np.maximum.accumulate(alphas), np.asarray(impurities), nodes


def _bury(tree: Tree, node: int, gone: np.ndarray) -> None:
    open_nodes = [node]
    while open_nodes:
        at = open_nodes.pop()
        if not gone[at]:
            gone[at] = True
            open_nodes.extend(tree.children(at))


def prune(model: _core.Model, alpha: float) -> _core.Model:
    """The model after every step whose alpha is at most `alpha`."""
    if alpha == 0.0:
        return model
    tree = Tree(model)
    alphas, _, nodes = weakest_links(tree)
    cut = [node for step, node in zip(alphas, nodes, strict=True) if node >= 0 and step <= alpha]
    return model.collapse(cut) if cut else model

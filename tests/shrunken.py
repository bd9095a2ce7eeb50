# SPDX-License-Identifier: Apache-2.0
"""Hierarchical shrinkage by its formula, from a tree without it."""

from itertools import pairwise

import numpy as np


def by_hand(plain, X, strength, of_node):
    """Answers of a tree without shrinkage, shrunk by the formula: the root's answer plus the steps of every
    row's way, each divided by 1 + strength / weight of the node that it starts from."""
    tree = plain.tree_
    answers = []
    for path in np.asarray(plain.decision_path(X).todense()):
        way = np.flatnonzero(path)  # ids are preorder: the way down
        answer = of_node(way[0]).astype(float)
        for above, below in pairwise(way):
            answer = answer + (of_node(below) - of_node(above)) / (
                1 + strength / tree.weighted_n_node_samples[above]
            )
        answers.append(answer)
    return np.array(answers)


def shares(plain):
    def of_node(node):
        weights = plain.tree_.value[node][0]
        return weights / weights.sum()

    return of_node

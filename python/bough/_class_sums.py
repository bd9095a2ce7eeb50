# SPDX-License-Identifier: Apache-2.0
"""Sums of weights by class that depend neither on the order of rows nor on how they are divided."""

from __future__ import annotations

from fractions import Fraction

import numpy as np


def class_sums(codes: np.ndarray, weights: np.ndarray, n_classes: int) -> list[Fraction]:
    """The exact sum of the weights (float64, finite) of every class.

    Mantissas are whole numbers of 53 bits, added in two halves for every exponent and class.
    """
    mantissas, exponents = np.frexp(weights)
    whole = np.ldexp(mantissas, 53).astype(np.int64)
    lowest = int(exponents.min(initial=0))
    span = int(exponents.max(initial=0)) - lowest + 1
    groups = codes.astype(np.int64) * span + (exponents - lowest)
    used, places = np.unique(groups, return_inverse=True)
    halves = np.zeros((2, len(used)), dtype=np.int64)
    np.add.at(halves[0], places, whole >> 27)
    np.add.at(halves[1], places, whole & ((1 << 27) - 1))
    sums = [Fraction(0)] * n_classes
    for group, high, low in zip(used.tolist(), *halves.tolist(), strict=True):
        exponent = group % span + lowest - 53
        sums[group // span] += Fraction((high << 27) + low) * Fraction(2) ** exponent
    return sums

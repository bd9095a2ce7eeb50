# SPDX-License-Identifier: Apache-2.0
"""Shapes that a greedy axis-parallel tree finds hard, and what looking ahead, refining and sloping tests make of them.

    python examples/hard_shapes.py [FOLDER]

prints the accuracy of every tree on fresh rows and, given a folder, writes a picture per shape: regions of the
two-column shapes, trees of the others. Everything is drawn from fixed seeds.
"""

import re
import sys
from pathlib import Path

import numpy as np

import bough

SHOWN = 160  # points in a picture


def xor(rng, n):
    """Two columns; the class is whether their signs differ. One row in twenty is mislabelled."""
    X = rng.uniform(-1, 1, (n, 2))
    y = (X[:, 0] > 0) != (X[:, 1] > 0)
    return X, y ^ (rng.random(n) < 0.05)


def parity(rng, n):
    """Sparse parity: of ten columns the signs of the first two count, multiplied."""
    X = rng.uniform(-1, 1, (n, 10))
    return X, (X[:, 0] > 0) ^ (X[:, 1] > 0)


def multiplexer(rng, n):
    """Two address bits choose one of four data bits; four more bits mean nothing."""
    X = rng.integers(0, 2, (n, 10)).astype(float)
    address = (2 * X[:, 0] + X[:, 1]).astype(int)
    return X, X[np.arange(n), 2 + address] > 0


def moons(rng, n):
    """Two half circles that reach into each other, with noise."""
    y = rng.random(n) < 0.5
    angle = rng.uniform(0, np.pi, n)
    X = np.column_stack(
        [np.where(y, 1 - np.cos(angle), np.cos(angle)), np.where(y, 0.5 - np.sin(angle), np.sin(angle))]
    )
    return X + rng.normal(0, 0.2, X.shape), y


# Rows to learn from and the depth of all trees.
SHAPES = {
    "xor": (xor, 400, 2),
    "parity": (parity, 600, 2),
    "multiplexer": (multiplexer, 300, 3),
    "moons": (moons, 400, 3),
}


def trees(depth):
    plain = {"max_depth": depth, "random_state": 0}
    oblique = {**plain, "max_features": "square", "projection_weights": "continuous"}
    return {
        "greedy": bough.DecisionTreeClassifier(**plain),
        "lookahead": bough.DecisionTreeClassifier(**plain, lookahead=2),
        "greedy + tao": bough.DecisionTreeClassifier(**plain, tao=10),
        "oblique": bough.ObliqueDecisionTreeClassifier(**oblique),
        "oblique + tao": bough.ObliqueDecisionTreeClassifier(**oblique, tao=10),
    }


def side_by_side(pictures):
    """One SVG out of several with a line of text above each."""
    sizes = [
        tuple(map(float, re.search(r'width="([\d.]+)" height="([\d.]+)"', svg).groups()))
        for _, svg in pictures
    ]
    parts, left = [], 0.0
    for (text, svg), (width, height) in zip(pictures, sizes, strict=True):
        parts.append(
            f'<text x="{left + width / 2:g}" y="24" font-size="20" text-anchor="middle">{text}</text>'
        )
        parts.append(svg.replace("<svg ", f'<svg x="{left:g}" y="32" ', 1))
        left += width
    height = max(height for _, height in sizes) + 32
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left:g} {height:g}" width="{left / 2:g}"'
        f' height="{height / 2:g}" font-family="Helvetica, Arial, sans-serif">'
    )
    return "\n".join([head, '<rect width="100%" height="100%" fill="#ffffff"/>', *parts, "</svg>", ""])


def main(folder):
    print(f"{'accuracy':<14}" + "".join(f"{name:>15}" for name in trees(1)))
    for name, (make, n_rows, depth) in SHAPES.items():
        rng = np.random.default_rng(sum(name.encode()))
        X, y = make(rng, n_rows)
        fresh, truth = make(rng, 4000)
        scores, pictures = [], []
        for kind, tree in trees(depth).items():
            tree.fit(X, y)
            scores.append(tree.score(fresh, truth))
            text = f"{kind}: {100 * scores[-1]:.1f} %"
            if X.shape[1] == 2:
                pictures.append((text, bough.plot_regions(tree, X[:SHOWN], y[:SHOWN], features=[0, 1]).svg))
            else:
                pictures.append((text, bough.draw_tree(tree, impurity=False).svg))
        print(f"{name:<14}" + "".join(f"{score:>15.3f}" for score in scores))
        if folder is not None:
            (folder / f"{name}.svg").write_text(side_by_side(pictures), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)

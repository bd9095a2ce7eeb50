# SPDX-License-Identifier: Apache-2.0
"""Shapes that a greedy tree finds hard, and what looking ahead, refining and sloping tests make of them.

    python examples/hard_shapes.py [FOLDER]

prints the accuracy of every tree on fresh rows and, given a folder, writes a picture per shape. Everything is
drawn from fixed seeds.
"""

import re
import sys
from pathlib import Path

import bough
import numpy as np

SHOWN = 120  # points in a picture


def xor(rng, n):
    """Two columns; the class is whether their signs differ. One row in twenty is mislabelled."""
    X = rng.uniform(-1, 1, (n, 2))
    y = (X[:, 0] > 0) != (X[:, 1] > 0)
    return X, y ^ (rng.random(n) < 0.05)


def parity(rng, n):
    """Sparse parity: of eight columns three count; the class is whether an odd number of them is positive."""
    X = rng.uniform(-1, 1, (n, 8))
    return X, (X[:, :3] > 0).sum(axis=1) % 2 == 1


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


# Rows to learn from, the depth of all trees, and what is drawn: answers over the first two columns (others at
# a value), or the trees.
SHAPES = {
    "xor": (xor, 400, 2, {}),
    "parity": (parity, 600, 5, {column: 0.5 for column in range(2, 8)}),
    "multiplexer": (multiplexer, 300, 3, None),
    "moons": (moons, 400, 4, {}),
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


def side_by_side(pictures, per_row):
    """One SVG out of several with a line of text above each."""
    found = [re.search(r'width="([\d.]+)" height="([\d.]+)"', svg) for _, svg in pictures]
    sizes = [(float(size[1]), float(size[2])) for size in found]
    wide, high = max(w for w, _ in sizes), max(h for _, h in sizes) + 40
    parts = []
    for i, (text, svg) in enumerate(pictures):
        left, top = wide * (i % per_row), high * (i // per_row)
        parts.append(f'<text x="{left + 16:g}" y="{top + 26:g}" font-size="22">{text}</text>')
        parts.append(svg.replace("<svg ", f'<svg x="{left:g}" y="{top + 36:g}" ', 1))
    width, height = wide * per_row, high * -(-len(pictures) // per_row)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="1200"'
        f' height="{1200 * height / width:.0f}" font-family="Helvetica, Arial, sans-serif">'
    )
    return "\n".join([head, '<rect width="100%" height="100%" fill="#ffffff"/>', *parts, "</svg>", ""])


def main(folder):
    print(f"{'accuracy':<12}" + "".join(f"{name:>15}" for name in trees(1)))
    for name, (make, n_rows, depth, held) in SHAPES.items():
        rng = np.random.default_rng(sum(name.encode()))
        X, y = make(rng, n_rows)
        fresh, truth = make(rng, 4000)
        scores, pictures = [], []
        for kind, tree in trees(depth).items():
            tree.fit(X, y)
            scores.append(tree.score(fresh, truth))
            text = f"{kind}: {100 * scores[-1]:.1f} %"
            if held is None:
                pictures.append((text, bough.draw_tree(tree, impurity=False).svg))
            else:
                look = {"features": [0, 1], "at": held, "points": not held}
                pictures.append((text, bough.plot_regions(tree, X[:SHOWN], y[:SHOWN], **look).svg))
        print(f"{name:<12}" + "".join(f"{score:>15.3f}" for score in scores))
        if folder is not None:
            picture = side_by_side(pictures, per_row=2 if held is None else 3)
            (folder / f"hard-{name}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)

# SPDX-License-Identifier: Apache-2.0
"""The forests of bench/coverage.cpp, grown by econml on tables of the same kind: coverage of the true mean.

usage: bench/.venv/bin/python bench/coverage_econml.py [REPEATS] [TREES] [DATA ...]
"""

import sys

import numpy as np

SETS = {
    "steps": (
        5,
        lambda x: 2.0 * (x[:, 0] > 0.5) + (x[:, 1] > 0.3),
        lambda x, m, r: m + r.normal(size=len(m)),
    ),
    "friedman1": (
        10,
        lambda x: (
            10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
        ),
        lambda x, m, r: m + r.normal(size=len(m)),
    ),
    "uneven noise": (
        5,
        lambda x: 4 * x[:, 0],
        lambda x, m, r: m + (0.2 + 2 * x[:, 1]) * r.normal(size=len(m)),
    ),
    "heavy tails": (
        5,
        lambda x: np.sin(2 * np.pi * x[:, 0]) + x[:, 1],
        lambda x, m, r: m + r.standard_t(3, size=len(m)),
    ),
    "skewed": (5, lambda x: np.exp(x[:, 0] + (x[:, 1] > 0.5)), lambda x, m, r: r.gamma(2.0, m / 2)),
}


def main():
    from econml.grf import RegressionForest

    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    trees = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    print("what,data,repeats,coverage,mean width")
    for name in sys.argv[3:] or SETS:
        columns, mean, draw = SETS[name]
        random = np.random.default_rng(20261115)
        covered, widths, squares = [], [], []
        for repeat in range(repeats):
            x, fresh = random.uniform(size=(1000, columns)), random.uniform(size=(50, columns))
            forest = RegressionForest(
                n_estimators=trees,
                min_samples_leaf=5,
                max_samples=0.45,
                subforest_size=2,
                inference=True,
                n_jobs=1,
                random_state=repeat,
            )
            forest.fit(x, draw(x, mean(x), random))
            low, high = (end.ravel() for end in forest.predict_interval(fresh, alpha=0.1))
            truth = mean(fresh)
            covered.append(np.mean((low <= truth) & (truth <= high)))
            widths.append(np.mean(high - low))
            squares.append(np.mean(((low + high) / 2 - truth) ** 2))
        rmse = np.sqrt(np.mean(squares))
        words = f"econml RegressionForest of {trees} (rmse {rmse:.4f})"
        print(words, name, repeats, f"{np.mean(covered):.4f}", f"{np.mean(widths):.4f}", sep=",", flush=True)


if __name__ == "__main__":
    main()

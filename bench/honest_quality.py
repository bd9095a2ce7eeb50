# SPDX-License-Identifier: Apache-2.0
"""Honest against plain trees: accuracy, log loss, calibration of classes; error and calibration of numbers.

usage: python bench/honest_quality.py > bench/results/honest_quality.csv
"""

import bough
import numpy as np
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
    make_friedman1,
)
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import train_test_split

SEEDS = range(10)
CLASSES = {"iris": load_iris, "wine": load_wine, "breast_cancer": load_breast_cancer, "digits": load_digits}


def calibration_error(y, proba, bins=10):
    """Mean distance of confidence and accuracy over ten bins of confidence, weighted by rows."""
    confidence, right = proba.max(axis=1), proba.argmax(axis=1) == y
    at = np.minimum((confidence * bins).astype(int), bins - 1)
    return sum(
        (at == b).mean() * abs(confidence[at == b].mean() - right[at == b].mean()) for b in np.unique(at)
    )


def classes():
    print("data,model,accuracy,se,log_loss,se,calibration_error,se")
    for name, load in CLASSES.items():
        X, y = load(return_X_y=True)
        for label, make in {
            "plain": lambda seed: bough.DecisionTreeClassifier(random_state=seed),
            "honest": lambda seed: bough.HonestTreeClassifier(random_state=seed),
            "honest, cross-fitted": lambda seed: bough.HonestTreeClassifier(
                random_state=seed, cross_fit=True
            ),
        }.items():
            scores = []
            for seed in SEEDS:
                A, B, a, b = train_test_split(X, y, test_size=0.25, stratify=y, random_state=seed)
                proba = make(seed).fit(A, a).predict_proba(B)
                scores.append(
                    [
                        accuracy_score(b, proba.argmax(axis=1)),
                        log_loss(b, proba, labels=np.unique(y)),
                        calibration_error(b, proba),
                    ]
                )
            write(name, label, scores)


def numbers():
    print("data,model,rmse,se,slope,se")
    for name in ("diabetes", "friedman1"):
        for label, make in {
            "plain": lambda seed: bough.DecisionTreeRegressor(min_samples_leaf=5, random_state=seed),
            "honest": lambda seed: bough.HonestTreeRegressor(min_samples_leaf=5, random_state=seed),
            "honest, cross-fitted": lambda seed: bough.HonestTreeRegressor(
                min_samples_leaf=5, random_state=seed, cross_fit=True
            ),
        }.items():
            scores = []
            for seed in SEEDS:
                if name == "diabetes":
                    X, y = load_diabetes(return_X_y=True)
                else:
                    X, y = make_friedman1(n_samples=2000, noise=1.0, random_state=seed)
                A, B, a, b = train_test_split(X, y, test_size=0.25, random_state=seed)
                answers = make(seed).fit(A, a).predict(B)
                # The slope of truth on answers: 1 where answers are as far apart as what they stand for.
                slope = np.cov(answers, b)[0, 1] / np.var(answers, ddof=1)
                scores.append([np.sqrt(np.mean((answers - b) ** 2)), slope])
            write(name, label, scores)


def write(name, label, scores):
    scores = np.asarray(scores)
    means, errors = scores.mean(axis=0), scores.std(axis=0, ddof=1) / np.sqrt(len(scores))
    print(
        name, f'"{label}"', *(f"{v:.4f}" for pair in zip(means, errors, strict=True) for v in pair), sep=","
    )


if __name__ == "__main__":
    classes()
    numbers()

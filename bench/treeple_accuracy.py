# SPDX-License-Identifier: Apache-2.0
"""Oblique and honest trees and forests beside treeple's: accuracy, log loss, calibration on small tables.

usage: .venv/bin/python bench/treeple_accuracy.py [--seeds N] [--results FOLDER] [--only KIND ...]

The same stratified splits (70 % to fit), the same seeds and everybody's default settings; treeple runs beside
in bench/.venv-treeple (tools/setup.sh python treeple). A row is held when bough's mean accuracy over the
seeds is not below treeple's minus one standard error of treeple's mean. Honest trees also face plain ones.
"""

import argparse
import csv
import importlib
import os
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
TREEPLE = HERE / ".venv-treeple" / "bin" / "python"
SETS = ("iris", "wine", "breast_cancer", "digits")
TREES = 100
# kind -> class, and where treeple or scikit-learn have it; bough has all in one module.
KINDS = {
    "plain tree": ("DecisionTreeClassifier", "sklearn.tree"),
    "oblique tree": ("ObliqueDecisionTreeClassifier", "treeple.tree"),
    "honest tree": ("HonestTreeClassifier", "treeple.tree"),
    "oblique forest": ("ObliqueRandomForestClassifier", "treeple.ensemble"),
    "honest forest": ("HonestForestClassifier", "treeple.ensemble"),
}


def estimator(program, kind, seed):
    name, module = KINDS[kind]
    found = getattr(importlib.import_module("bough" if program == "bough" else module), name)
    return found(n_estimators=TREES, random_state=seed) if "forest" in kind else found(random_state=seed)


def answer(program, folder, kinds, seeds):
    """Writes the class probabilities of the test rows, one array per data set, kind and seed."""
    answers = {}
    for name in SETS:
        data = np.load(folder / f"{name}.npz")
        for kind in kinds:
            for seed in range(seeds):
                train, test = data[f"train{seed}"], data[f"test{seed}"]
                model = estimator(program, kind, seed).fit(data["x"][train], data["y"][train])
                # Some versions answer with one array per output, even for one.
                answers[f"{name}/{kind}/{seed}"] = np.squeeze(model.predict_proba(data["x"][test]))
    np.savez(folder / f"{program}.npz", **answers)


def write_splits(folder, seeds):
    from sklearn import datasets
    from sklearn.model_selection import train_test_split

    for name in SETS:
        x, y = getattr(datasets, f"load_{name}")(return_X_y=True)
        parts = {}
        for seed in range(seeds):
            train, test = train_test_split(
                np.arange(len(y)), test_size=0.3, stratify=y, random_state=1000 + seed
            )
            parts |= {f"train{seed}": train, f"test{seed}": test}
        np.savez(folder / f"{name}.npz", x=x, y=y, **parts)


def log_loss(chances, truth):
    return float(-np.mean(np.log(np.clip(chances[np.arange(len(truth)), truth], 1e-15, None))))


def calibration_error(chances, truth, bins=10):
    """Mean distance of stated confidence and reached accuracy over ten equal bins of confidence, by rows."""
    sure, right = chances.max(axis=1), chances.argmax(axis=1) == truth
    bin_of = np.minimum((sure * bins).astype(int), bins - 1)
    gaps = [
        abs(sure[bin_of == b].mean() - right[bin_of == b].mean()) * np.mean(bin_of == b) for b in set(bin_of)
    ]
    return float(sum(gaps))


def measure(folder, program, kinds, seeds):
    """(data set, kind) -> arrays of accuracy, log loss, calibration error over the seeds."""
    stored, result = np.load(folder / f"{program}.npz"), {}
    for name in SETS:
        data = np.load(folder / f"{name}.npz")
        for kind in kinds:
            rows = []
            for seed in range(seeds):
                chances, truth = stored[f"{name}/{kind}/{seed}"], data["y"][data[f"test{seed}"]]
                right = float(np.mean(chances.argmax(axis=1) == truth))
                rows.append((right, log_loss(chances, truth), calibration_error(chances, truth)))
            result[name, kind] = np.array(rows)
    return result


def standard_error(values):
    return float(np.std(values, ddof=1) / np.sqrt(len(values)))


def compare(ours, theirs, kinds):
    lines = []
    for kind in kinds:
        for name in SETS:
            a, b = ours[name, kind], theirs[name, kind]
            floor = b[:, 0].mean() - standard_error(b[:, 0])
            lines.append(
                {
                    "kind": kind,
                    "data": name,
                    "accuracy": a[:, 0].mean(),
                    "standard_error": standard_error(a[:, 0]),
                    "treeple": b[:, 0].mean(),
                    "treeple_standard_error": standard_error(b[:, 0]),
                    "paired_standard_error": standard_error(a[:, 0] - b[:, 0]),
                    "held": "-" if kind == "plain tree" else "yes" if a[:, 0].mean() >= floor else "no",
                    "log_loss": a[:, 1].mean(),
                    "treeple_log_loss": b[:, 1].mean(),
                    "calibration_error": a[:, 2].mean(),
                    "treeple_calibration_error": b[:, 2].mean(),
                }
            )
    return lines


def honest_lines(ours):
    """bough's honest trees against its plain ones, in log loss and calibration error."""
    lines = []
    for name in SETS:
        honest, plain = ours[name, "honest tree"], ours[name, "plain tree"]
        lower = (honest.mean(axis=0) < plain.mean(axis=0))[1:]
        lines.append(
            {
                "data": name,
                "log_loss_honest": honest[:, 1].mean(),
                "log_loss_plain": plain[:, 1].mean(),
                "calibration_error_honest": honest[:, 2].mean(),
                "calibration_error_plain": plain[:, 2].mean(),
                "both_lower": "yes" if lower.all() else "no",
            }
        )
    return lines


def markdown(lines):
    def cell(value):
        return f"{value:.4f}" if isinstance(value, float) else str(value)

    head = list(lines[0])
    rows = [head, ["---"] * len(head), *[[cell(line[key]) for key in head] for line in lines]]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def report(lines, honest, args, folder):
    said = (folder / "versions").read_text().strip()
    text = [
        "# Accuracy beside treeple",
        "",
        f"bough {version('bough')}, {said}; {args.seeds} seeds, stratified splits of 70 and 30 %,",
        f"default settings, forests of {TREES} trees. `held`: not below treeple's mean minus one standard",
        "error of it. The peer's plain tree is scikit-learn's. `calibration_error`: ten bins of confidence.",
        "",
        markdown(lines),
        *(["", "Honest against plain trees of bough:", "", markdown(honest)] if honest else []),
        "",
    ]
    args.results.mkdir(parents=True, exist_ok=True)
    (args.results / "treeple_accuracy.md").write_text("\n".join(text), encoding="utf-8")
    with (args.results / "treeple_accuracy.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]))
        writer.writeheader()
        for line in lines:
            writer.writerow({k: f"{v:.6g}" if isinstance(v, float) else v for k, v in line.items()})
    print("\n".join(text[4:]) + f"\nwrote {args.results}/treeple_accuracy.md and .csv")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--only", action="append", choices=list(KINDS), help="one kind; may be repeated")
    parser.add_argument("--results", type=Path, default=HERE / "results")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    kinds = args.only or list(KINDS)
    if args.worker:
        answer("treeple", args.worker, kinds, args.seeds)
        (args.worker / "versions").write_text(
            f"treeple {version('treeple')} with scikit-learn {version('scikit-learn')}"
        )
        return 0
    if not os.access(TREEPLE, os.X_OK):
        sys.exit("treeple is not installed; run tools/setup.sh python treeple")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_splits(folder, args.seeds)
        words = [word for kind in kinds for word in ("--only", kind)]
        subprocess.run(
            [TREEPLE, __file__, "--worker", folder, "--seeds", str(args.seeds), *words], check=True
        )
        answer("bough", folder, kinds, args.seeds)
        ours = measure(folder, "bough", kinds, args.seeds)
        theirs = measure(folder, "treeple", kinds, args.seeds)
        lines = compare(ours, theirs, kinds)
        honest = honest_lines(ours) if {"plain tree", "honest tree"} <= set(kinds) else []
        report(lines, honest, args, folder)
    return 1 if any(line["held"] == "no" for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Data sets as folders of raw files that bough and its peers read alike (format: driver/dataset.hpp).

Made data comes from bench_tasks, so there is one generator. Real data comes from scikit-learn's own
collection or from the folder that BOUGH_DATA names (default: shared/data beside the checkout); what is not
there is skipped.
"""

import hashlib
import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

ROOT = Path(__file__).resolve().parent.parent
MAKERS = ("data.py", "made.hpp", "made_sparse.hpp", "driver/dataset.cpp")
# Folders made by other versions of the makers are other data.
VERSION = hashlib.sha256(b"".join((ROOT / "bench" / name).read_bytes() for name in MAKERS)).hexdigest()[:8]
CACHE = ROOT / "build" / "bench-data" / VERSION
REAL = Path(os.environ.get("BOUGH_DATA", ROOT.parent / "shared" / "data"))
QUICK_REAL_ROWS = 5_000


class Absent(Exception):
    """A data set that is not on this machine."""


@dataclass(frozen=True)
class Made:
    rows: int
    columns: int = 28
    missing: float = 0.0
    quick: int = 10_000

    def options(self, quick):
        rows = self.quick if quick else self.rows
        return {"data": "made", "rows": rows, "columns": self.columns, "missing": self.missing}


@dataclass(frozen=True)
class Sparse:
    rows: int
    columns: int
    quick: tuple = (4_000, 200)

    def options(self, quick):
        rows, columns = self.quick if quick else (self.rows, self.columns)
        return {"data": "sparse", "rows": rows, "columns": columns}


@dataclass(frozen=True)
class Real:
    name: str


def write(folder, x, y, categories=()):
    """Writes features, classes and (name, levels, codes) triples as a folder of raw files."""
    partial = folder.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    np.ascontiguousarray(x, dtype=np.float32).tofile(partial / "x.f32")
    np.asarray(y, dtype=np.int32).tofile(partial / "y.i32")
    meta = {"rows": len(y), "columns": x.shape[1], "categories": []}
    if categories:
        np.stack([codes for _, _, codes in categories]).astype(np.int32).tofile(partial / "codes.i32")
        meta["categories"] = [{"name": name, "levels": list(levels)} for name, levels, _ in categories]
    (partial / "meta.json").write_text(json.dumps(meta))
    shutil.rmtree(folder, ignore_errors=True)
    partial.rename(folder)


def codes_of(column):
    """Codes by the order of the values, -1 for missing, and the values as text."""
    codes, levels = pd.factorize(column, sort=True)
    return codes, [str(level) for level in levels]


def read_csv(name, quick, **options):
    path = REAL / name
    if not path.exists():
        raise Absent(f"{name} is not in {REAL} (BOUGH_DATA names another folder)")
    table = pd.read_csv(path, **options)
    return table.iloc[:QUICK_REAL_ROWS] if quick else table


def covtype(folder, quick):
    table = read_csv("covtype_100k.csv.gz", quick)
    write(folder, table.drop(columns="Cover_Type").to_numpy(np.float32), codes_of(table["Cover_Type"])[0])


def kddcup(folder, quick):
    table = read_csv("kddcup99_10pct.csv.gz", quick)
    columns = [c for c in table.columns if c != "label"]
    numbers = [table[c] if is_numeric_dtype(table[c]) else codes_of(table[c])[0] for c in columns]
    write(folder, np.column_stack(numbers).astype(np.float32), codes_of(table["label"])[0])


def adult(folder, quick):
    table = read_csv("adult.csv.gz", quick, na_values=["?"], skipinitialspace=True)
    features = table.drop(columns="income")
    numeric = [c for c in features if is_numeric_dtype(features[c])]
    texts = [c for c in features if c not in numeric]
    categories = [(c, codes_of(features[c])[1], codes_of(features[c])[0]) for c in texts]
    write(folder, features[numeric].to_numpy(np.float32), codes_of(table["income"])[0], categories)


def from_sklearn(loader):
    def store(folder, quick):
        from sklearn import datasets

        bundle = getattr(datasets, loader)()
        write(folder, bundle.data, bundle.target)

    return store


STORES = {
    "covtype": covtype,
    "kddcup": kddcup,
    "adult": adult,
    "iris": from_sklearn("load_iris"),
    "breast_cancer": from_sklearn("load_breast_cancer"),
    "digits": from_sklearn("load_digits"),
}


def folder_of(spec, quick, binary):
    """The folder of a data set, made when it is not there yet. Raises Absent."""
    if isinstance(spec, Real):
        folder = CACHE / (spec.name + ("_quick" if quick else ""))
        if not (folder / "meta.json").exists():
            STORES[spec.name](folder, quick)
        return folder
    options = spec.options(quick)
    folder = CACHE / "_".join(str(value) for value in options.values())
    if not (folder / "meta.json").exists():
        words = [f"{key}={value}" for key, value in options.items()]
        subprocess.run([binary, "dump", f"out={folder}", *words], check=True)
    return folder


class Arrays:
    """A folder of raw files as numpy arrays; categories follow the numbers as float codes (NaN: missing)."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.meta = json.loads((self.folder / "meta.json").read_text())
        self.rows = self.meta["rows"]

    def read(self, name, dtype):
        return np.fromfile(self.folder / name, dtype=dtype)

    @cached_property
    def x(self):
        if "stored" in self.meta:
            from scipy.sparse import csc_matrix

            parts = (
                self.read("values.f32", np.float32),
                self.read("rows.i32", np.int32),
                self.read("starts.i32", np.int32),
            )
            return csc_matrix(parts, shape=(self.rows, self.meta["columns"]))
        x = self.read("x.f32", np.float32).reshape(self.rows, -1)
        if not self.meta.get("categories"):
            return x
        codes = self.read("codes.i32", np.int32).reshape(-1, self.rows).T.astype(np.float32)
        codes[codes < 0] = np.nan
        return np.ascontiguousarray(np.hstack([x, codes]))

    def target(self, name):
        return self.read("y.i32", np.int32) if name == "y" else self.read(f"{name}.f64", np.float64)

    @cached_property
    def weights(self):
        return self.read("weights.f64", np.float64)

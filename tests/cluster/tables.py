# SPDX-License-Identifier: Apache-2.0
"""Made and real tables, and their division into partitions."""

import os

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from support import ROOT

SEED = int(os.environ.get("BOUGH_SEED", "20261115"))
DATA = ROOT.parent / "shared/data"


def made(n_rows=1200, seed=SEED):
    """Numbers of both widths, whole numbers, missing cells, text, categories, truth values; targets and
    weights."""
    draw = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "wide": draw.normal(size=n_rows).round(2),
            "narrow": draw.normal(size=n_rows).astype(np.float32),
            "whole": draw.integers(-50, 400, n_rows),
            "holes": np.where(draw.random(n_rows) < 0.2, np.nan, draw.exponential(size=n_rows)),
            "word": draw.choice(["ash", "oak", "elm", "yew", "fir"], n_rows),
            "level": pd.Categorical(draw.choice(list("abcd"), n_rows)),
            "truth": draw.random(n_rows) < 0.4,
        }
    )
    score = X["wide"] + (X["word"].isin(["oak", "elm"]) * 1.5) + X["holes"].fillna(2.0) * 0.4 + X["truth"]
    noisy = score + draw.normal(scale=0.5, size=n_rows)
    y = pd.Series(np.digitize(noisy, np.quantile(noisy, [0.3, 0.8])), name="y")
    number = pd.Series(noisy.round(3), name="number")
    weights = pd.Series(draw.integers(0, 5, n_rows) / 4, name="weights")
    return X, y, number, weights


def divided(frame, n_partitions, order=None):
    """A Dask collection whose partitions are made by tasks, so that lost ones can be made again."""
    pieces = [frame.iloc[piece] for piece in np.array_split(np.arange(len(frame)), n_partitions)]
    if order is not None:
        pieces = [pieces[i] for i in order]
    return dd.from_delayed([dask.delayed(piece) for piece in pieces], meta=frame.iloc[:0], verify_meta=False)


def real(name, target, n_rows=None, **options):
    """A table of the shared folder as X, y; the test is skipped where the folder is absent."""
    path = DATA / name
    if not path.is_file():
        pytest.skip(f"{path} is not here")
    frame = pd.read_csv(path, nrows=n_rows, **options)
    return frame.drop(columns=target), frame[target]


def bytes_of(estimator):
    """The model without the name of the engine that searched."""
    return estimator._model.to_bytes()

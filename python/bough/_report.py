# SPDX-License-Identifier: Apache-2.0
"""The report: one HTML page about a model, for a browser or a notebook."""

from __future__ import annotations

import html
from os import PathLike, fsdecode, fspath
from pathlib import Path
from typing import Any

from . import _core
from ._answers import ours
from ._arguments import refuse_idle
from ._targets import rows_of


class Report:
    """An HTML page that works offline. Notebooks display it, and ``str(report)`` returns its text."""

    def __init__(self, page: str) -> None:
        self._page = page

    def __str__(self) -> str:
        return self._page

    def __repr__(self) -> str:
        return f"<bough.Report of {len(self._page) // 1000} KB; save it, or show it in a notebook>"

    def save(self, path: str | PathLike[str]) -> None:
        """Write the page to a file whose name ends in .html or .htm."""
        if Path(fspath(path)).suffix.lower() not in (".html", ".htm"):
            raise ValueError(
                f"a report is a page of HTML, not {fspath(path)!r}: let the name end in .html; "
                "a browser prints it as PDF"
            )
        _core.write_file(fsdecode(path), self._page.encode())

    def _repr_html_(self) -> str:
        # Without allow-same-origin the page cannot touch the notebook around it.
        return (
            '<iframe sandbox="allow-scripts allow-modals allow-downloads" '
            f'srcdoc="{html.escape(self._page)}" '
            'style="width:100%;height:820px;border:1px solid #8886;border-radius:8px" '
            'title="Report of a decision tree"></iframe>'
        )


def report(
    estimator: Any,
    X: Any = None,
    y: Any = None,
    path: str | PathLike[str] | None = None,
    *,
    sample_weight: Any = None,
    X_train: Any = None,
    y_train: Any = None,
    sample_weight_train: Any = None,
    title: str = "",
    max_rows: int = 20_000,
    repeats: int = 10,
) -> Report:
    """Create an HTML page about a fitted model: tree, pruning, rules, scores, and the paths of rows.

    Parameters
    ----------
    estimator : fitted tree or forest of bough or of scikit-learn, or the path of a model file
    X : {array-like, sparse matrix, frame} of shape (n_samples, n_features), default=None
        Rows to trace and (with ``y``) to score. They should not be the training rows. If they fall into the
        leaves exactly as the training rows did, the page says so.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), default=None
        The true targets of these rows.
    path : str or path-like, default=None
        A file to write the page to.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows of ``X``.
    X_train, y_train, sample_weight_train : as above, default=None
        The rows that the model was fitted on. With them, the page shows the training rows in each node and
        why the nodes were split.
    title : str, default=""
        Heading of the page. By default, it names the target.
    max_rows : int, default=20_000
        Maximum number of rows stored in the page. If there are more, every k-th row is stored. Scores use all
        rows.
    repeats : int, default=10
        Number of shuffles per column for the permutation importances; 0: no importances.

    Returns
    -------
    report : Report
    """
    if isinstance(estimator, (str, PathLike)):
        from ._files import load

        estimator = load(estimator)
    from ._files import signed

    estimator = ours(estimator)
    model = signed(estimator, estimator._model)
    if (X is None and y is not None) or (X_train is None and y_train is not None):
        raise ValueError("y was given without X")
    if X is None:
        refuse_idle("without X", sample_weight=(sample_weight, None))
    if X_train is None:
        refuse_idle("without X_train", sample_weight_train=(sample_weight_train, None))
    if X is None and X_train is None:
        refuse_idle("without X", max_rows=(max_rows, 20_000))
    if y is None and y_train is None and repeats:
        refuse_idle("without y", repeats=(repeats, 10))
    held_out, weight = rows_of(estimator, X, y, sample_weight)
    training, weight_train = rows_of(estimator, X_train, y_train, sample_weight_train)
    if held_out is not None and training is not None and weight != weight_train:
        raise ValueError("give weights for both tables or for none")
    page = Report(
        _core.report_page(
            model, held_out, training, title, weight or weight_train, int(max_rows), int(repeats), 0
        )
    )
    if path is not None:
        page.save(path)
    return page

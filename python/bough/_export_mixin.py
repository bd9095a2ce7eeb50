# SPDX-License-Identifier: Apache-2.0
"""What trees and forests share on their way to people and other programs."""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np

from . import _core
from ._answers import FittedModel
from ._odd_columns import cell_text


class ExportMixin(FittedModel):
    """Files, other programs, reports and pictures."""

    def save(self, path: Any) -> None:
        """Write the model to a file, which the command line can read too; a name in .json gives JSON."""
        from ._files import signed

        signed(self, self._model).save(os.fsdecode(path))
        if self._model.task == "classification":
            self._warn_of_labels()

    def _warn_of_labels(self) -> None:
        """Files hold text, truth values and numbers that doubles tell apart."""
        own = self.classes_ if isinstance(self.classes_, list) else [self.classes_]
        for labels, (_, _, (_, values)) in zip(own, self._model.targets, strict=True):
            kept = list(values)
            if labels.tolist() != kept:
                warnings.warn(
                    f"the file cannot hold the classes {labels.tolist()[:3]} as they are: models loaded"
                    f" from it call them {np.asarray(kept[:3]).tolist()}. Pickle the model, or give the"
                    " classes as text.",
                    UserWarning,
                    stacklevel=3,
                )

    def to_sklearn(self) -> Any:
        """Convert the model to a fitted tree or forest of scikit-learn, for float32 data.

        Raises
        ------
        NotImplementedError
            If a node contains a test that scikit-learn's trees do not support.
        """
        from ._sklearn import forest_to_sklearn, tree_to_sklearn

        self._model  # noqa: B018  (says so when there is none yet)
        return (tree_to_sklearn if self._holder == "tree_" else forest_to_sklearn)(self)

    def to_treelite(self) -> Any:
        """Convert the model to a ``treelite.Model``, for GTIL, FIL and tl2cgen.

        In the result, cells of category and ordinal columns are level numbers, -1 for unknown levels and NaN
        for missing cells. The attributes of the result name the levels.

        Raises
        ------
        NotImplementedError
            If a node contains a test that treelite does not support; the message names the node and the
            reason.
        """
        import treelite

        written: Any = self._model.export("treelite")
        return treelite.Model.deserialize_bytes(written)

    def export(self, to: str, path: Any = None, **options: Any) -> str | bytes | None:
        """Export the model in another format.

        Parameters
        ----------
        to : str
            A format that ``bough export --help`` lists: "dot", "json", "text", ...
        path : str or path-like, default=None
            A file to write. By default, the export is returned as text, or as bytes for binary formats.
        **options
            Options of the format, named as those of ``bough export``: ``max_depth=3``.
        """
        model = self._model
        texts = {name: cell_text(value) for name, value in options.items() if value is not None}
        written = model.export(to, texts)
        for note in model.export_notes(to, texts):
            warnings.warn(f"{to}: {note}", UserWarning, stacklevel=2)
        if path is None:
            return written
        _core.write_file(os.fsdecode(path), written.encode() if isinstance(written, str) else written)
        return None

    def report(self, X: Any = None, y: Any = None, path: Any = None, **options: Any) -> Any:
        """Create an HTML page about the model; see :func:`bough.report`.

        It contains the tree, pruning, rules, scores and the paths of rows.

        Parameters
        ----------
        X, y : default=None
            Rows that the model has not seen, and their true targets.
        path : str or path-like, default=None
            A file to write. In a notebook, the result is displayed.
        **options
            Options of :func:`bough.report`: ``title``, ``X_train``, ``y_train``, ...
        """
        from ._report import report

        return report(self, X, y, path, **options)

    def to_svg(self, path: Any = None, **options: Any) -> str | None:
        """Draw the tree as an SVG picture; for a forest, the first tree or ``tree=k``.

        Parameters
        ----------
        path : str or path-like, default=None
            A file to write: .svg, .pdf or .png. By default, the SVG text is returned.
        **options
            Options of `bough.draw_tree`: ``max_depth=3``, ``theme="dark"``.
        """
        from ._draw import draw_tree

        picture = draw_tree(self, **options)
        if path is None:
            return picture.svg
        picture.save(path)
        return None

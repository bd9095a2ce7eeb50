# SPDX-License-Identifier: Apache-2.0
"""What trees and forests share on their way to people and other programs."""

from __future__ import annotations

from typing import Any

from ._answers import FittedModel


class ExportMixin(FittedModel):
    """Files, other programs, reports and pictures."""

    def save(self, path: Any) -> None:
        """Writes the model file that the command line reads too; a name in .json gives the JSON form."""
        from ._files import signed

        signed(self, self._model).save(str(path))

    def to_treelite(self) -> Any:
        """The same model as a ``treelite.Model``, for GTIL, FIL and tl2cgen.

        Cells of category and ordinal columns are level numbers there, -1 for unknown levels, NaN for missing
        cells; the attributes of the result name the levels.

        Raises
        ------
        NotImplementedError
            When a node tests something that treelite cannot, with the node and the reason.
        """
        import treelite

        written: Any = self._model.export("treelite")
        return treelite.Model.deserialize_bytes(written)

    def export(self, to: str, path: Any = None, **options: Any) -> str | bytes | None:
        """The model in another format, for other programs.

        Parameters
        ----------
        to : str
            A format, as ``bough export --help`` lists them: "dot", "json", "text", ...
        path : str or path-like, default=None
            A file to write. By default the export is returned: text, or bytes for formats that are not text.
        **options
            Options of the format, named as those of ``bough export``: ``max_depth=3``.
        """
        from ._files import write_export

        return write_export(self._model, to, path, options)

    def report(self, X: Any = None, y: Any = None, path: Any = None, **options: Any) -> Any:
        """One HTML page about the model: tree, pruning, rules, scores, a tracer; see :func:`bough.report`.

        Parameters
        ----------
        X, y : default=None
            Rows that the model has not seen, and their truth.
        path : str or path-like, default=None
            A file to write. Notebooks show the result by itself.
        **options
            Those of :func:`bough.report`: ``title``, ``X_train``, ``y_train``, ...
        """
        from ._report import report

        return report(self, X, y, path, **options)

    def to_svg(self, path: Any = None, **options: Any) -> str | None:
        """A tree (of a forest the first, or ``tree=k``) as an SVG picture.

        Parameters
        ----------
        path : str or path-like, default=None
            A file to write: .svg, .pdf or .png. By default the SVG text is returned.
        **options
            As in `bough.draw_tree`: ``max_depth=3``, ``theme="dark"``.
        """
        from ._draw import draw_tree

        picture = draw_tree(self, **options)
        if path is None:
            return picture.svg
        picture.save(path)
        return None

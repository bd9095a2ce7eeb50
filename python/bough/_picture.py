# SPDX-License-Identifier: Apache-2.0
"""A picture: SVG text that notebooks show and files take, or PDF and PNG where a program makes them."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import _core


class Picture:
    """An SVG picture of a model, which notebooks display.

    Attributes
    ----------
    svg : str
        The SVG document.
    """

    def __init__(self, svg: str, fallback: Callable[[Path], bool] | None = None) -> None:
        self.svg = svg
        self._fallback = fallback

    def __repr__(self) -> str:
        start = self.svg.find("<title>") + len("<title>")
        return f"<bough picture: {self.svg[start : self.svg.find('</title>')]}>"

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return framed(self.svg)

    def save(self, path: Any) -> None:
        """Write the picture to a file: ``.svg`` directly, ``.pdf`` and ``.png`` with an installed converter.

        Parameters
        ----------
        path : str or path-like

        Raises
        ------
        ValueError
            If the file name has another ending.
        OSError
            If no installed program can make a PDF or PNG; the message says how to get one.
        """
        target = Path(path)
        kind = target.suffix.lower().removeprefix(".")
        if kind == "svg":
            _core.write_file(str(target), self.svg.encode())
        elif kind not in ("pdf", "png"):
            raise ValueError(f"{str(path)!r} is not the name of a picture: names end in .svg, .pdf or .png")
        elif not self._convert(target, kind):
            raise OSError(
                f"nothing that is installed can make a {kind} of the picture; install librsvg2-bin"
                " (rsvg-convert), inkscape or cairosvg"
                + (", graphviz or matplotlib" if self._fallback else "")
                + ", or save it as .svg"
            )

    def _convert(self, target: Path, kind: str) -> bool:
        with tempfile.TemporaryDirectory() as folder:
            source, made = Path(folder, "picture.svg"), Path(folder, f"made.{kind}")
            source.write_text(self.svg, encoding="utf-8")
            zoom = ["-z", "2"] if kind == "png" else []
            commands = (
                ["rsvg-convert", "--unlimited", "-f", kind, *zoom, "-o", str(made), str(source)],
                ["inkscape", f"--export-type={kind}", f"--export-filename={made}", str(source)],
            )
            done = any(ran(command) and made.exists() for command in commands)
            done = done or self._by_cairo(made, kind) or (self._fallback is not None and self._fallback(made))
            # Made elsewhere: a program that fails half way leaves an old picture as it was.
            if done:
                _core.write_file(str(target), made.read_bytes())
        return done

    def _by_cairo(self, target: Path, kind: str) -> bool:
        try:
            import cairosvg
        except (ImportError, OSError):  # OSError: the package is there, cairo itself is not
            return False
        make = cairosvg.svg2pdf if kind == "pdf" else cairosvg.svg2png
        make(bytestring=self.svg.encode(), write_to=str(target))
        return True


def ran(command: list[str], text: str | None = None) -> bool:
    """Whether a program is there and did its work."""
    if shutil.which(command[0]) is None:
        return False
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return done.returncode == 0


def framed(svg: str) -> str:
    """A picture for an HTML page: wide ones can be scrolled."""
    return f'<div style="overflow-x: auto; max-width: 100%">{svg}</div>'

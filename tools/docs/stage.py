# SPDX-License-Identifier: Apache-2.0
"""Puts the sources of the site together: docs/, and in project/ all other files that it links to.

Links in pages are relative paths in the repository, as code hosts want them. Here they are turned to where
the files lie in the site. Pages of the gallery get their Python as one script, and its list gets thumbnails.
What a page hides in `<!-- setup ... -->`, the data and models that its code starts from, is shown folded.
"""

import argparse
import os
import re
import shutil
from pathlib import Path

import links
from gallery import cards, script

PROJECT = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]

CONTENTS = """\
# The project

Pages from the repository that are not part of the documentation.

```{toctree}
:maxdepth: 1

PAGES
```
"""


# Code that the tests run where it stands, in a comment, so that code hosts show the page without it.
SETUP = re.compile(r"^<!-- setup\n(.*?)^-->$", re.MULTILINE | re.DOTALL)
UNFOLDED = """\
:::{dropdown} Setup for the code on this page
Run this Python code first, in an empty folder. It creates the variables and files that the examples use.

```python
\\1```
:::"""


# Sphinx writes a page of its own with this name, which would take the place of ours.
RENAMED = {"docs/search.md": "small_trees.md"}


def place(path: str) -> str:
    """Where a file of the repository lies in the site."""
    if path in RENAMED:
        return RENAMED[path]
    return path.removeprefix("docs/") if path.startswith("docs/") else f"project/{path}"


class Stage:
    def __init__(self, root: Path, out: Path) -> None:
        self.root, self.out = root, out
        self.waiting: list[str] = []
        self.seen: set[str] = set()

    def add(self, path: str) -> None:
        if path not in self.seen:
            self.seen.add(path)
            self.waiting.append(path)

    def target(self, page: str, target: str) -> str | None:
        """A link of `page` as the site has it; None for what the site cannot show (a folder)."""
        path = links.resolved(page, target)
        file = self.root / path
        if file.is_dir():
            inside = next((n for n in ("README.md", "index.md") if (file / n).is_file()), None)
            if inside is None:
                return None
            path, file = f"{path}/{inside}", file / inside
        if file.is_file():
            self.add(path)
        # What is not there is a page that tools/docs/reference.py makes, or Sphinx says that it is missing.
        anchor = "#" + target.split("#", 1)[1] if "#" in target else ""
        return os.path.relpath(place(path), os.path.dirname(place(page)) or ".") + anchor

    def page(self, path: str) -> str:
        text = (self.root / path).read_text(encoding="utf-8")
        if path == "docs/gallery/index.md":
            text = cards(text, self.root / "docs/gallery")
        text = SETUP.sub(UNFOLDED, text)
        text = links.rewritten(text, lambda target: self.target(path, target))
        if path.startswith("docs/gallery/") and (code := script(text, path)):
            name = Path(path).stem
            file = self.out / "gallery/scripts" / f"{name}.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(code, encoding="utf-8")
            text += f"\nThe Python code of this page as one script: [{name}.py](scripts/{name}.py)\n"
        return text

    def copy(self, path: str) -> None:
        to = self.out / place(path)
        to.parent.mkdir(parents=True, exist_ok=True)
        if path.endswith(".md"):
            to.write_text(self.page(path), encoding="utf-8")
        else:
            shutil.copyfile(self.root / path, to)

    def all(self) -> None:
        for file in sorted((self.root / "docs").rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                self.add(str(file.relative_to(self.root)))
        for name in PROJECT:
            self.add(name)
        while self.waiting:
            self.copy(self.waiting.pop())
        self.contents()

    def contents(self) -> None:
        """The page of contents for what lies outside docs/."""
        outside = {path for path in self.seen if path.endswith(".md") and not path.startswith("docs/")}
        text = CONTENTS.replace("PAGES", "\n".join([*PROJECT, *sorted(outside - set(PROJECT))]))
        (self.out / "project/index.md").write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    out = parser.parse_args().out
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    Stage(Path(__file__).resolve().parents[2], out).all()


if __name__ == "__main__":
    main()

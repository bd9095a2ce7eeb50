# SPDX-License-Identifier: Apache-2.0
"""Every block of code in README.md and docs/ is run, or its page says why not; one test per page.

One page:                  .venv/bin/python -m pytest tests/docs -k guide/impurity
The short pages:           .venv/bin/python -m pytest tests/docs -m "not long"
Pictures of a page, anew:  BOUGH_UPDATE=1 .venv/bin/python -m pytest tests/docs -k guide/impurity

All blocks of a page run in order on the page's desk, a folder of its own; its Python blocks share names.

* ```python, ```sh (a script), ```cpp (a whole program): run. A ```text block right below is what must be
  printed; a line `...` stands for any lines.  ```pycon: a doctest.  ```console: `$ command` lines, each with
  its output below, on which the same rule holds (standard error included; no output shown = anything).
  `make ...` runs in the repository.
* ```text, json, csv, sql and the like are only shown. Every other block needs a reason on the line above:
  `<!-- not run: needs R -->`. A picture from elsewhere has such a line, too.
* `<!-- exit: 2 -->` above a block: its (last) command ends with that status.
* `<!-- setup`, Python, `-->`, on lines of their own: run, not shown; for what an example takes as given.
* In the first five lines: `<!-- needs: adult.csv.gz -->`, a path in the folder of outside data (BOUGH_DATA,
  default ../shared/data): the page is skipped without it. `<!-- long -->`: only in `make test-long`.
* Pictures are written to pictures/ on the desk; each `pictures/x` that the page shows must have been made.
"""

import pytest
from support import ROOT

from docs.markdown import parse
from docs.runner import Run, data_folder

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def parameter(page):
    found = parse(page.read_text(encoding="utf-8"))
    marks = [pytest.mark.long] if found.is_long else []
    return pytest.param(page, found, id=str(page.relative_to(ROOT)), marks=marks)


@pytest.mark.parametrize(("page", "found"), [parameter(page) for page in PAGES])
def test_page(page, found, tmp_path, request):
    absent = [name for name in found.needs if not (data_folder() / name).exists()]
    if absent:
        pytest.skip(f"the folder of outside data has no {', '.join(absent)}")
    if not found.blocks and not found.pictures:
        return
    pytest.importorskip("bough", reason="the package is not in this environment (make build)")
    build = request.getfixturevalue("release_build")
    run = Run(page, tmp_path, build, lambda: request.getfixturevalue("installed"))
    failures = run.all()
    if failures:
        pytest.fail("\n\n".join(failures), pytrace=False)


def test_the_readme_shows_every_door():
    languages = [block.language for block in parse((ROOT / "README.md").read_text(encoding="utf-8")).blocks]
    assert languages.count("console") >= 2
    assert "cpp" in languages
    assert {"pycon", "python"} & set(languages)

# SPDX-License-Identifier: Apache-2.0
"""Writes the reference pages of the site, out of what program, package and headers say about themselves."""

import argparse
import importlib
import inspect
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import headers
from api_examples import example

ROOT = Path(__file__).resolve().parents[2]

# Pages of the Python reference: title, and the private modules whose public names stand there.
PYTHON_PAGES = {
    "trees": ("Trees", ["_estimators", "_tree"]),
    "classics": ("ID3, C4.5 and rules", ["_classics", "_rule_classifier", "_rules"]),
    "forests": ("Forests", ["_random_forests", "_forest"]),
    "oblique": ("Oblique trees and forests", ["_oblique"]),
    "honest": ("Honest trees and forests", ["_honest"]),
    "causal": ("Effects of a treatment", ["_causal"]),
    "groups": ("Groups of parameters", ["_groups"]),
    "pruning": ("Pruning", ["_pruning", "_rpart"]),
    "pictures": ("Pictures and reports", ["_draw", "_plot", "_picture", "_report"]),
    "study": ("Studies, tests and scores", ["_study", "_study_results"]),
    "files": ("Files, exports and imports", ["_files", "_export", "_sklearn", "_out_of_core", "_errors"]),
}
PYTHON = """\
# Python

These pages describe every public name of `bough`, from its docstrings. The training parameters are the same
as on the [command line](../command_line.md), and [Parameters](../parameters.md) describes them all.
"""
COMMAND_LINE = """\
# The command line

This page shows the output of `bough COMMAND --help-all` for every command. The training parameters have
[their own page](parameters.md).

| command | what it does |
|---|---|"""
PARAMETERS = """\
# Parameters

This page describes all COUNT training parameters. The command line, Python and C++ share them, because they
come from one table in the library. `bough params NAME` prints the description of one parameter.
"""
SUBMODULES = {"datasets": "Embedded data sets", "dask": "On a Dask cluster"}


def public_names() -> dict[str, list[str]]:
    """Page -> names as users write them. A name whose module is on no page is an error."""
    import bough

    homes: dict[str, list[str]] = {page: [] for page in PYTHON_PAGES}
    page_of = {module: page for page, (_, modules) in PYTHON_PAGES.items() for module in modules}
    for name in bough.__all__:
        if name == "__version__" or name in SUBMODULES:
            continue
        module = bough._HOMES.get(name, "_errors")
        if module not in page_of:
            raise SystemExit(
                f"bough.{name} lives in bough.{module}, which no page of tools/docs/reference.py has"
            )
        homes[page_of[module]].append(f"bough.{name}")
    for submodule in SUBMODULES:
        module = importlib.import_module(f"bough.{submodule}")
        homes[submodule] = [f"bough.{submodule}.{name}" for name in names_of(module)]
    return homes


def names_of(module: Any) -> list[str]:
    own = [
        n
        for n, v in vars(module).items()
        if not n.startswith("_") and getattr(v, "__module__", "") == module.__name__
    ]
    return sorted(getattr(module, "__all__", own))


def the_object(name: str) -> Any:
    module, _, last = name.rpartition(".")
    return getattr(importlib.import_module(module), last)


def first_sentence(name: str) -> str:
    text = " ".join((inspect.getdoc(the_object(name)) or "").split("\n\n")[0].split())
    return re.split(r"(?<=[.]) ", text)[0].replace("|", "\\|")


def methods(thing: type) -> list[str]:
    """Public members that bough itself documents; what scikit-learn adds is described there."""
    found = []
    for name, value in inspect.getmembers(thing):
        owner = next((base for base in thing.__mro__ if name in vars(base)), None)
        own = owner is not None and owner.__module__.startswith("bough")
        request = re.fullmatch(r"set_\w+_request", name)
        described = callable(value) or isinstance(value, property)
        if own and described and not name.startswith("_") and not request and inspect.getdoc(value):
            found.append(name)
    return found


class Described:
    """Directives for names. A method that several classes share is described with the first of them."""

    def __init__(self) -> None:
        self.homes: dict[Any, str] = {}

    def methods(self, name: str, thing: type) -> tuple[list[str], list[str]]:
        """Methods to describe here, and links to those that are described elsewhere."""
        new, old = [], []
        for method in methods(thing):
            value = inspect.getattr_static(thing, method)
            key = inspect.getdoc(getattr(thing, method)), str(getattr(value, "__qualname__", method))
            home = self.homes.setdefault(key, name)
            (new if home == name else old).append(
                method if home == name else f":py:obj:`{method} <{home}.{method}>`"
            )
        return new, old

    def name(self, name: str) -> list[str]:
        thing = the_object(name)
        if not inspect.isclass(thing):
            lines = [f".. autofunction:: {name}"]
        elif issubclass(thing, BaseException):
            lines = [f".. autoexception:: {name}"]
        else:
            new, old = self.methods(name, thing)
            lines = [f".. autoclass:: {name}"]
            if new:
                lines.append(f"   :members: {', '.join(new)}")
            if old:
                lines += ["", f"   Described elsewhere: {', '.join(old)}."]
        return ["```{eval-rst}", *lines, "```", ""]


def python_pages(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    titles = {page: title for page, (title, _) in PYTHON_PAGES.items()}
    titles |= {page: f"`bough.{page}`: {title.lower()}" for page, title in SUBMODULES.items()}
    titles["dask"] = "`bough.dask`: on a Dask cluster"
    index = [PYTHON]
    described = Described()
    for page, names in public_names().items():
        words = [f"# {titles[page]}", ""]
        if page in SUBMODULES:
            words += [inspect.getdoc(importlib.import_module(f"bough.{page}")) or "", ""]
        if code := example(page):
            words += ["```pycon", code.rstrip(), "```", ""]
        index += [f"## [{titles[page]}]({page}.md)", "", "| name | what it is |", "|---|---|"]
        for name in names:
            words += [f"## {name.rpartition('.')[2]}", "", *described.name(name)]
            index.append(f"| {{py:obj}}`{name}` | {first_sentence(name)} |")
        index.append("")
        (out / f"{page}.md").write_text("\n".join(words), encoding="utf-8")
    index += ["```{toctree}", ":hidden:", "", *titles, "```", ""]
    (out / "index.md").write_text("\n".join(index), encoding="utf-8")


def said(program: Path, *arguments: str) -> str:
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def verbs(program: Path) -> list[tuple[str, str]]:
    text = said(program, "--help").split("\nCommands:\n")[1].split("\n\n")[0]
    return [tuple(line.split(None, 1)) for line in text.splitlines()]  # type: ignore[misc]


def command_line(program: Path, out: Path) -> None:
    lines = [COMMAND_LINE]
    found = verbs(program)
    lines += [f"| [`{verb}`](#bough-{verb}) | {words} |" for verb, words in found]
    for verb, _ in found:
        lines += ["", f"## bough {verb}", "", "```text", said(program, verb, "--help-all").rstrip(), "```"]
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")


PYTHON_NAMES = {"seed": "random_state", "forest": "n_estimators"}
SCOPES = {"both": "single trees and forests", "tree": "single trees", "forest": "forests"}


def holders(name: str) -> list[str]:
    """The estimators of Python that take a parameter."""
    import bough

    name = PYTHON_NAMES.get(name, name)
    classes = {n: getattr(bough, n) for n in bough.__all__}
    estimators = {n: c for n, c in classes.items() if inspect.isclass(c) and hasattr(c, "get_params")}
    return [n for n, c in estimators.items() if name in inspect.signature(c.__init__).parameters]


def parameter(row: dict[str, Any]) -> list[str]:
    from bough._groups import SPELLINGS

    name, owners = row["name"], holders(row["name"])
    default = "none" if row["default"] is None else json.dumps(row["default"]).strip('"')
    spelling = SPELLINGS.get(name)
    python = f"`{spelling}`" if spelling else "not a parameter of an estimator"
    if owners and not spelling:
        python = f"`{PYTHON_NAMES.get(name, name)}` of " + ", ".join(
            f"{{py:obj}}`~bough.{n}`" for n in owners
        )
    rows = {
        "type": row["type"].replace("_", " "),
        "allowed": row["allowed"],
        "default": f"`{default}`",
        "for": SCOPES[row["scope"]] + ("; rarely needed" if row["tier"] == "expert" else ""),
        "command line": f"`--{name.replace('_', '-')}`",
        "Python": python,
        "C++": f"`Params::{name}`",
    }
    table = [f"| {key} | {value} |" for key, value in rows.items()]
    return [f"### {name}", "", row["doc"], "", "| | |", "|---|---|", *table, ""]


def criteria(table: list[dict[str, Any]]) -> list[str]:
    """What the criteria are, out of their table."""
    lines = ["", "## Criteria", "", "| criterion | task | what the search maximises | definition |"]
    lines.append("|---|---|---|---|")
    for row in next(row["criteria"] for row in table if "criteria" in row):
        name = f"`{row['name']}`" + (f", `{row['alias']}`" if "alias" in row else "")
        lines.append(
            f"| {name} | {row['task']} | {row['measure']} | {row['definition'].replace('|', '&#124;')} |"
        )
    return lines


def conflicts(table: list[dict[str, Any]]) -> list[str]:
    """Which parameters are not supported together."""
    modes: dict[str, list[str]] = {}
    for row in table:
        for rule in row.get("excluded", []):
            name = row["name"]
            values = rule.get("values", "")
            given = f" with `{rule['given']}`" if "given" in rule else ""
            words = f"[`{name}`](#{name})"
            if values:
                words += " other than " if values.startswith("!") else " at "
                words += ", ".join(f"`{value}`" for value in values.removeprefix("!").split("|"))
            line = f"| MODE | {words}{given} | {rule['hint']} |"
            modes.setdefault(rule["mode"], []).append(line)
    lines = [
        "",
        "## Parameters that exclude each other",
        "",
        "A name without a value stands for any value other than the default.",
    ]
    lines += ["", "| | not supported | what to do |", "|---|---|---|"]
    return lines + [line.replace("MODE", mode) for mode, rows in modes.items() for line in rows]


def parameters(program: Path, out: Path) -> None:
    table = json.loads(said(program, "params", "--json"))
    lines = [PARAMETERS.replace("COUNT", str(len(table)))]
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in table:
        groups.setdefault(row["group"], []).append(row)
    lines += ["| group | parameters |", "|---|---|"]
    for group, rows in groups.items():
        lines.append(f"| {group} | {', '.join('[`{0}`](#{0})'.format(row['name']) for row in rows)} |")
    for group, rows in groups.items():
        lines += ["", f"## {group} parameters", ""]
        for row in rows:
            lines += parameter(row)
    lines += criteria(table) + conflicts(table)
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path, help="the command line bough")
    parser.add_argument("doxygen", type=Path, help="the folder of doxygen's XML")
    parser.add_argument("out", type=Path, help="the folder reference/ of the staged site")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    command_line(arguments.program, arguments.out / "command_line.md")
    parameters(arguments.program, arguments.out / "parameters.md")
    python_pages(arguments.out / "python")
    headers.pages(arguments.doxygen, arguments.out / "cpp")


if __name__ == "__main__":
    main()

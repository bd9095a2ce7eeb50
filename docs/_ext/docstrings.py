# SPDX-License-Identifier: Apache-2.0
"""Docstrings are plain text in numpy's layout: quoted names, and names like classes_, become code.

The parameters of an estimator are grouped as in the table of the core.
"""

import inspect
import re

from bough._groups import GROUPS
from bough._table import TABLE

OTHER = "Other"
PARAMETER_GROUPS = [*dict.fromkeys(row["group"] for row in TABLE.values()), OTHER]
# A class with more parameters than this has them in groups, and only the first of them in its signature.
MANY = 8

# What is code already, what is in single backquotes, and names such as classes_ or *.csv, which
# reStructuredText would take for links and emphasis.
MARKS = re.compile(
    r"(?P<code>``[^`]+``|:\w+:`[^`]+`)|`(?P<quoted>[^`]+)`|(?P<name>\b\w+_\b(?!\w|`))|(?P<star>\*+)"
)


def as_code(found: re.Match) -> str:
    if found["code"]:
        return found["code"]
    if found["star"]:
        return found["star"].replace("*", r"\*")
    return f"``{found['quoted'] or found['name']}``"


def group_of(name: str) -> str:
    """The group of the table that a parameter of an estimator belongs to."""
    core = {"random_state": "seed", "n_estimators": "forest"}.get(name, name)
    fields = [next(iter(group._fields.values())) for group in GROUPS if group._argument == name]
    row = TABLE.get(core) or (TABLE.get(fields[0]) if fields else None)
    return row["group"] if row else OTHER


def grouped(lines: list[str]) -> list[str]:
    """The lines of a docstring with its section of parameters as one section per group."""
    if "Parameters" not in lines:
        return lines
    begin = lines.index("Parameters")
    heads = [i for i in range(begin + 2, len(lines) - 1) if re.fullmatch(r"-{3,}", lines[i + 1])]
    end = heads[0] if heads else len(lines)
    groups: dict[str, list[str]] = {}
    count, group = 0, []
    for line in lines[begin + 2 : end]:
        if found := re.match(r"(\w+) : ", line):
            count, group = count + 1, groups.setdefault(group_of(found[1]), [])
        group.append(line)
    if count <= MANY:
        return lines
    made = []
    for title in sorted(groups, key=PARAMETER_GROUPS.index):
        head = f"{title} parameters"
        made += [head, "-" * len(head), *groups[title], ""]
    return lines[:begin] + made + lines[end:]


def sign(app, what, name, obj, options, signature, returns):
    """The first parameters stand for the many of an estimator."""
    if what != "class" or "**" not in (signature or ""):
        return None
    shown = [str(p.replace(annotation=p.empty)) for p in inspect.signature(obj).parameters.values()]
    if len(shown) > MANY:
        shown = [*shown[:3], "..."]
    return f"({', '.join(shown)})", returns


def mend(app, what, name, obj, options, lines):
    if what == "class":
        lines[:] = grouped(lines)
    # The first line of an entry, "name : type", keeps its name: napoleon reads it.
    for i, line in enumerate(lines):
        entry = re.match(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)( : )?(.*)$", line)
        is_entry = entry and (
            entry[2] or (not entry[3] and i + 1 < len(lines) and lines[i + 1].startswith("    "))
        )
        if is_entry and not line.startswith(" "):
            lines[i] = entry[1] + (entry[2] or "") + MARKS.sub(as_code, entry[3])
        else:
            lines[i] = MARKS.sub(as_code, line)


def draw_dashes(app, doctree):
    """Sphinx writes two hyphens between a parameter and its meaning; other quotes stay as they are."""
    from docutils import nodes  # tests import this module without Sphinx

    for text in list(doctree.findall(nodes.Text)):
        if re.match(r"\)? -- ", text):
            text.parent.replace(text, nodes.Text(text.replace(" -- ", " \N{EN DASH} ", 1)))


def setup(app):
    app.connect("doctree-read", draw_dashes)
    app.connect("autodoc-process-docstring", mend, priority=400)  # before napoleon
    app.connect("autodoc-process-signature", sign)
    app.config.napoleon_custom_sections = [
        (f"{group} parameters", "params_style") for group in PARAMETER_GROUPS
    ]
    return {"parallel_read_safe": True, "parallel_write_safe": True}

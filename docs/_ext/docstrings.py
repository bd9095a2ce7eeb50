# SPDX-License-Identifier: Apache-2.0
"""Docstrings are plain text in numpy's layout: quoted names, and names like classes_, become code."""

import re

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


def mend(app, what, name, obj, options, lines):
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


def setup(app):
    app.connect("autodoc-process-docstring", mend, priority=400)  # before napoleon
    return {"parallel_read_safe": True, "parallel_write_safe": True}

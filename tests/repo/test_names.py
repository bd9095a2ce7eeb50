# SPDX-License-Identifier: Apache-2.0
"""A type has one definition: two rooms with a type of one name would share its destructor without a word."""

import collections
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# A specialization (Name<...>) is another type than its template.
TYPE = re.compile(r"^(?:struct|class|enum class) (?:alignas\(\w+\) )?(\w+)\b(?!::)(?!<)(?!.*;\s*$)")
OPENS = re.compile(r"^(?:inline )?namespace(?: ([\w:]+))? \{")


def named_types(text):
    """Types at the level of a namespace, with it, but for those of unnamed namespaces."""
    spaces, level = [], 0  # (name or None, depth)
    for line in text.splitlines():
        opened = OPENS.match(line)
        if opened:
            spaces.append((opened.group(1), level))
        found = TYPE.match(line)
        if found and level == len(spaces) and all(name for name, _ in spaces):
            yield "::".join([*(name for name, _ in spaces), found.group(1)])
        level += line.count("{") - line.count("}")
        while spaces and level <= spaces[-1][1]:
            spaces.pop()


def test_every_type_of_the_library_is_defined_once():
    homes = collections.defaultdict(set)
    for folder in ("include", "src"):
        for pattern in ("*.hpp", "*.cpp"):
            for file in (ROOT / folder).rglob(pattern):
                for name in named_types(file.read_text(encoding="utf-8")):
                    homes[name].add(str(file.relative_to(ROOT)))
    assert len(homes) > 300  # the search finds types at all
    assert {name: sorted(files) for name, files in homes.items() if len(files) > 1} == {}


def test_types_are_found_where_they_are_defined():
    hidden = "namespace {\nstruct Hidden {\n};\n}  // namespace\n"
    text = "namespace bough {\n" + hidden + "class Early;\nstruct Shown {\n};\n}\n"
    assert list(named_types(text)) == ["bough::Shown"]

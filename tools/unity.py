# SPDX-License-Identifier: Apache-2.0
"""Groups source files that can be compiled as one: tools/unity.py SOURCE_ROOT [ALONE] < lists > cmake.

Parsing headers is most of the compile time of a small file; several files in one translation unit parse them
once. Files can share one when nothing that is private to one (names in anonymous namespaces, aliases, macros)
is a name in another or in a header that only the other includes. Input: a line `target;folder;file;file...`
per target; output: CMake commands that give every file its group (UNITY_GROUP). The file ALONE names groups
that turned out not to compile; their files stay alone.
"""

import re
import sys
from functools import cache
from pathlib import Path

MOST_FILES = 12
MOST_LINES = 2600
# Highway includes such a file once per instruction set; macros of its headers depend on the order.
ALONE = re.compile(r"foreach_target|HWY_|vector_sort\.hpp")
# Functions of the standard library that calls with its types find, where another file includes their header.
FOUND_BY_ARGUMENT = {
    "accumulate",
    "apply",
    "exists",
    "from_chars",
    "gcd",
    "iota",
    "quoted",
    "reduce",
    "relative",
}
FOUND_BY_ARGUMENT |= {"rename", "to_chars", "transform_reduce", "visit"}
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', re.DOTALL)
WORD = re.compile(r"(?<![\w.:>])[A-Za-z_]\w*|(?<=[^-]>)[A-Za-z_]\w*|(?<=[^:]:)[A-Za-z_]\w*")
TYPE = re.compile(
    r"(?:struct|class|union|enum(?: class)?|using|concept|namespace)\s+(?:\[\[\w+\]\]\s+)?(\w+)"
)
CALLABLE = re.compile(r"(\w+)\s*\(")
VALUE = re.compile(r"(\w+)\s*(?:\[[^\]]*\])*\s*(?:=|\{|;)")


@cache
def text_of(path):
    return NOISE.sub('""', path.read_text(encoding="utf-8"))


def keep_namespace_ends(noise):
    return noise[0] if noise[0] == "// namespace" else '""'


def declared(lines):
    """Names declared at the left margin of formatted lines."""
    names = set()
    for line in lines:
        if define := re.match(r"#\s*define\s+(\w+)", line):
            names.add(define[1])
        elif not line or not (line[0].isalpha() or line[0] == "["):
            continue
        elif (kind := TYPE.match(line)) or (kind := re.match(r"template <.*> " + TYPE.pattern, line)):
            names.add(kind[1])
        else:
            line = re.sub(r"^template <.*>\s", "", line)
            match = CALLABLE.search(line.split("=")[0]) or VALUE.search(line)
            if match and not match[1].isupper():
                names.add(match[1])
    return names - {
        "namespace",
        "template",
        "bough",
        "std",
        "decltype",
        "alignas",
        "noexcept",
        "static_assert",
    }


@cache
def private_names(path):
    """What the file keeps to itself, as far as formatted text shows it."""
    inside, hidden, shown = False, [], []
    for line in NOISE.sub(keep_namespace_ends, path.read_text(encoding="utf-8")).splitlines():
        if re.match(r"namespace\s*\{", line):
            inside = True
        elif re.match(r"\}\s*// namespace$", line):
            inside = False
        elif inside:
            hidden.append(line)
        elif re.match(r"(using|static|#\s*define|namespace\s+\w+\s*=)", line):
            shown.append(line)
    return declared(hidden) | declared(shown)


@cache
def used_names(path):
    return set(WORD.findall(text_of(path)))


@cache
def headers(path, root):
    """Headers of the project that the file includes, directly or not."""
    found, todo = set(), [path]
    while todo:
        here = todo.pop()
        for name in re.findall(r'^#include "([^"]+)"', here.read_text(encoding="utf-8"), re.MULTILINE):
            folders = (root / "include", root / "src", root / "tests" / "cpp", here.parent, root)
            header = next((f / name for f in folders if (f / name).is_file()), None)
            if header and header not in found:
                found.add(header)
                todo.append(header)
    return found


@cache
def header_names(header):
    return declared(text_of(header).splitlines())


@cache
def aliases(header):
    return set(re.findall(r"^using (\w+) =", text_of(header), re.MULTILINE))


def disturbs(one, other, root):
    """Whether a private name of `one` means something in `other`."""
    mine = private_names(one)
    if mine & used_names(other):
        return True
    theirs = headers(other, root) - headers(one, root)
    for header in headers(one, root) - headers(other, root):
        mine = mine | aliases(header)
    return any(mine & header_names(header) for header in theirs)


def fit_together(one, other, root):
    return not disturbs(one, other, root) and not disturbs(other, one, root)


def groups_of(files, root):
    groups = []
    for file in files:
        if ALONE.search(file.read_text(encoding="utf-8")) or private_names(file) & FOUND_BY_ARGUMENT:
            continue
        lines = file.read_text(encoding="utf-8").count("\n")
        for group in groups:
            full = len(group["files"]) == MOST_FILES or group["lines"] + lines > MOST_LINES
            if not full and all(fit_together(file, other, root) for other in group["files"]):
                break
        else:
            groups.append(group := {"files": [], "lines": 0})
        group["files"].append(file)
        group["lines"] += lines
    return [group["files"] for group in groups if len(group["files"]) > 1]


def main():
    root = Path(sys.argv[1])
    given = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    alone = given.read_text(encoding="utf-8").split() if given and given.is_file() else []
    for line in sys.stdin:
        target, folder, *names = line.strip().split(";")
        paths = [Path(folder, name).resolve() for name in names]
        files = [path for path in paths if path.suffix == ".cpp" and path.is_file()]
        grouped = groups_of(files, root)
        compilations = len(files) - sum(map(len, grouped)) + len(grouped)
        print(f"# {target}: {len(files)} files, {compilations} compilations")
        for number, group in enumerate(grouped):
            if f"{target}_{number}" in alone:
                continue
            listed = " ".join(f'"{path}"' for path in group)
            print(f'set_source_files_properties({listed} DIRECTORY "{folder}"')
            print(f"                            PROPERTIES UNITY_GROUP {target}_{number})")


if __name__ == "__main__":
    main()

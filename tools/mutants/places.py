# SPDX-License-Identifier: Apache-2.0
"""Finds the places of the sources that a mutant may change, by clang's syntax tree.

A mutant is a stretch of a file with the other text that stands there when the mutant is chosen. Templates are
read as they are written, not as they are instantiated: a change of a template changes all its instances.
"""

import dataclasses
import functools
import hashlib
import multiprocessing
import pathlib
import re

import clang.cindex
from clang.cindex import CursorKind as Kind

ROOT = pathlib.Path(__file__).resolve().parents[2]

RELATION = {
    "<": ["<=", ">="],
    "<=": ["<", ">"],
    ">": [">=", "<="],
    ">=": [">", "<"],
    "==": ["!="],
    "!=": ["=="],
}
ARITHMETIC = {"+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"]}
LOGIC = {"&&": ["||"], "||": ["&&"]}
UPDATE = {"+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="]}
OTHER_OPERATORS = RELATION | ARITHMETIC | LOGIC | UPDATE

# Functions of the same arguments: lanes of Highway, and the standard's two.
OTHER_FUNCTIONS = {
    "hn::Lt": "hn::Le",
    "hn::Le": "hn::Lt",
    "hn::Gt": "hn::Ge",
    "hn::Ge": "hn::Gt",
    "hn::Add": "hn::Sub",
    "hn::Sub": "hn::Add",
    "hn::Mul": "hn::Div",
    "hn::Div": "hn::Mul",
    "hn::Min": "hn::Max",
    "hn::Max": "hn::Min",
    "hn::And": "hn::Or",
    "hn::Or": "hn::And",
    "std::min": "std::max",
    "std::max": "std::min",
    "std::lower_bound": "std::upper_bound",
    "std::upper_bound": "std::lower_bound",
}

# Where no test could see a change: memory set aside, error texts, assertions, the size of a task.
PASSED_OVER = re.compile(
    r"BOUGH_ASSERT|static_assert|\breserve\(|throw |Error\(|fmt::format|parallel_for|kChunk|kGrain|grain|"
    r"noexcept\(|prefetch|alignas|hash|#include|#if|HWY_|template <|constexpr|requires|\bdefault:|case "
)


@dataclasses.dataclass(frozen=True)
class Place:
    """One mutant: `file[begin:end]` becomes other text, made of new words and of ranges of the same file."""

    file: str
    begin: int
    end: int
    parts: tuple  # strings and (begin, end) ranges of the file, which together are the changed text
    change: str  # in words
    line: int
    operator: str  # the kind of change

    def key(self, text: str) -> str:
        """A name that outlives changes elsewhere in the file."""
        row = text.splitlines()[self.line - 1]
        start = text.rfind("\n", 0, self.begin) + 1
        named = (
            f"{self.file}|{row.strip()}|{self.begin - start - (len(row) - len(row.lstrip()))}|{self.change}"
        )
        return hashlib.sha256(named.encode()).hexdigest()[:12]


def clang_arguments():
    headers = sorted(pathlib.Path("/usr/lib").glob("llvm-*/lib/clang/*/include"))
    extra = ["-isystem", str(headers[-1])] if headers else []
    return ["-std=c++20", "-xc++", f"-I{ROOT}/include", f"-I{ROOT}/src", *extra, "-ferror-limit=0", "-w"]


class Finder:
    """Walks translation units and keeps the places that lie in the wanted files."""

    def __init__(self, wanted):
        self.wanted = {str(ROOT / name): name for name in wanted}
        self.texts = {name: (ROOT / name).read_text() for name in wanted}
        self.found = {}
        self.index = clang.cindex.Index.create()

    def read(self, source):
        unit = self.index.parse(str(ROOT / source), args=clang_arguments())
        for cursor in unit.cursor.get_children():
            if cursor.location.file and cursor.location.file.name in self.wanted:
                self.walk(cursor)

    def walk(self, cursor):
        kind = cursor.kind
        # First values of members, and of arguments that nobody need give, are mostly set again before use.
        if kind in (Kind.STATIC_ASSERT, Kind.ENUM_DECL, Kind.CXX_THROW_EXPR, Kind.FIELD_DECL, Kind.PARM_DECL):
            return
        # Constants of the compiler have no mutants at run time, though they may go over many lines.
        extent = self.range_of(cursor)
        if kind == Kind.VAR_DECL and extent and "constexpr" in self.text(cursor, *extent).split("=")[0]:
            return
        children = list(cursor.get_children())
        if kind == Kind.CASE_STMT:
            children = children[1:]
        self.look(cursor, children)
        for child in children:
            self.walk(child)

    def range_of(self, cursor):
        extent = cursor.extent
        if extent.start.file is None or extent.start.file.name not in self.wanted:
            return None
        if extent.end.file is None or extent.end.file.name != extent.start.file.name:
            return None
        return extent.start.offset, extent.end.offset

    def add(self, cursor, parts, change, operator):
        extent = self.range_of(cursor)
        if extent is None or extent[0] >= extent[1]:
            return
        file = self.wanted[cursor.extent.start.file.name]
        row = self.texts[file].encode().splitlines()[cursor.extent.start.line - 1].decode()
        if PASSED_OVER.search(row):
            return
        place = Place(file, *extent, tuple(parts), change, cursor.extent.start.line, operator)
        self.found[(file, *extent, change)] = place

    def text(self, cursor, begin, end):
        return self.texts[self.wanted[cursor.extent.start.file.name]].encode()[begin:end].decode()

    def look(self, cursor, children):
        kind = cursor.kind
        extent = self.range_of(cursor)
        if extent is None or extent[0] >= extent[1]:
            return
        if kind in (Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR) and len(children) == 2:
            self.binary(cursor, children)
        elif kind in (Kind.CALL_EXPR, Kind.UNEXPOSED_EXPR) and len(children) >= 2:
            self.overloaded(cursor, children)
        elif kind == Kind.UNARY_OPERATOR and len(children) == 1:
            inner = self.range_of(children[0])
            if inner and self.text(cursor, extent[0], inner[0]).strip() == "!":
                self.add(cursor, ["static_cast<bool>(", inner, ")"], "`!` left out", "not")
        elif kind in (Kind.INTEGER_LITERAL, Kind.FLOATING_LITERAL):
            self.constant(cursor, extent)
        elif kind in (Kind.IF_STMT, Kind.CONDITIONAL_OPERATOR):
            self.condition(cursor, children)
        if kind == Kind.COMPOUND_STMT:
            for child in children:
                self.statement(child)

    def binary(self, cursor, children):
        left, right = self.range_of(children[0]), self.range_of(children[1])
        if not left or not right or left[1] > right[0]:
            return
        operator = self.text(cursor, left[1], right[0]).strip()
        for other in OTHER_OPERATORS.get(operator, []):
            self.add(cursor, [left, f" {other} ", right], f"`{operator}` becomes `{other}`", "operator")

    def overloaded(self, cursor, children):
        """Calls of functions that have a counterpart; operators of unknown or class type."""
        extent = self.range_of(cursor)
        text = self.text(cursor, *extent)
        name = re.match(r"[\w:]+", text)
        if cursor.kind == Kind.CALL_EXPR and name and name[0] in OTHER_FUNCTIONS:
            other = OTHER_FUNCTIONS[name[0]]
            rest = (extent[0] + len(name[0]), extent[1])
            self.add(cursor, [other, rest], f"`{name[0]}` becomes `{other}`", "function")

    def constant(self, cursor, extent):
        text = self.text(cursor, *extent)
        if not re.fullmatch(r"[0-9][0-9.e]*", text) or self.is_argument_of_a_template(cursor, extent):
            return
        if "." in text or "e" in text:
            value = float(text)
            others = {0.0: ["1.0"], 1.0: ["0.0", "2.0"]}.get(value, [f"({text} * 2)"])
        else:
            value = int(text)
            others = {0: ["1"], 1: ["0", "2"]}.get(value, [str(value + 1), str(value - 1)])
        for other in others:
            self.add(cursor, [other], f"`{text}` becomes `{other}`", "constant")

    def is_argument_of_a_template(self, cursor, extent):
        data = self.texts[self.wanted[cursor.extent.start.file.name]].encode()
        before = data[data.rfind(b"\n", 0, extent[0]) + 1 : extent[0]].decode()
        after = data[extent[1] : data.find(b"\n", extent[1])].decode()
        return re.search(r"\w<[^<>()&|;]*$", before) and re.match(r"[^<>()&|;]*>", after)

    def condition(self, cursor, children):
        if not children or not children[0].kind.is_expression():
            return
        extent = self.range_of(children[0])
        if extent is None:
            return
        head = self.text(cursor, cursor.extent.start.offset, extent[0])
        if cursor.kind == Kind.IF_STMT and not re.fullmatch(r"if\s*\(\s*", head):
            return
        self.add(children[0], ["!(", extent, ")"], "condition turned round", "condition")

    def statement(self, cursor):
        """An assignment or a call that may be left out."""
        extent = self.range_of(cursor)
        if extent is None:
            return
        if cursor.kind not in (
            Kind.CALL_EXPR,
            Kind.BINARY_OPERATOR,
            Kind.COMPOUND_ASSIGNMENT_OPERATOR,
            Kind.UNEXPOSED_EXPR,
        ):
            return
        data = self.texts[self.wanted[cursor.extent.start.file.name]].encode()
        if data[extent[1] : extent[1] + 1] != b";":
            return
        self.add(cursor, ["static_cast<void>(0)"], "statement left out", "statement")


def read_one(wanted, source):
    finder = Finder(wanted)
    finder.read(source)
    return finder.found


def find(wanted, sources):
    """All places of the files `wanted`, found by reading the translation units `sources` on all cores."""
    found = {}
    with multiprocessing.Pool() as pool:
        for places in pool.imap(functools.partial(read_one, wanted), sources):
            found.update(places)
    return sorted(found.values(), key=lambda p: (p.file, p.begin, p.end, p.change))

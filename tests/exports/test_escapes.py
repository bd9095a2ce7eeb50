# SPDX-License-Identifier: Apache-2.0
"""Names cannot become code: exports of one tree with plain and with hostile names differ in names alone.

The two models are the same but for the names of columns, categories and classes. What a writer puts out is
parsed by somebody else's parser, names and other texts are taken out of both, and what is left must be equal.
"""

import ast
import html.parser
import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET

import bough
import numpy as np
import pandas as pd
import pytest

HOSTILE = [
    "'; DROP TABLE data; --",
    '"; alert(1); "',
    "</script><script>alert(1)</script>",
    "*/ int evil(void); /*",
    '??/" ??) ??= evil',
    "x\n#define evil 1\nevil",
    "\\",
    "line\r\nevil = 1\n'''",
    '"""\nimport evil\n"""',
    "]]><evil/><![CDATA[",
    "&evil; &lt; &#x3c;",
    "{evil} %s %n ${evil} `evil` $(evil)",
    "../../evil",
    "C:\\evil\\u0041\\x41",
    "\u202eevil\u2066",
    "tab\tand \u2028 evil",
    "-->evil<!--",
    '<svg onload="evil()">',
]
CONTROLS = ["bell\x07 evil", "nul\x00 evil", "\x1b[31mevil", "\x9bevil"]  # which XML cannot hold


def grown(names, seed=0):
    """A tree that tests every column; `names`: 18 words for columns, categories and classes."""
    draw = np.random.default_rng(seed)
    n = 400
    columns, levels, classes = names[:6], names[6:12], names[12:18]
    frame = pd.DataFrame(draw.normal(size=(n, 6)), columns=[f"{i}{name}" for i, name in enumerate(columns)])
    words = [f"{i}{name}" for i, name in enumerate(levels)]  # the number keeps their order
    codes = draw.integers(0, 6, n)
    frame["6" + names[0]] = pd.Categorical([words[c] for c in codes])
    noise = (3 * (frame.iloc[:, 0] > 0) + (frame.iloc[:, 3] > 0.3) + codes).astype(int) % 6
    y = np.array([f"{c}{classes[c]}" for c in noise], dtype=object)
    return bough.DecisionTreeClassifier(max_leaf_nodes=40).fit(frame, y)


@pytest.fixture(scope="module")
def plain():
    return grown([f"plain{i}" for i in range(18)])


@pytest.fixture(scope="module", params=["front", "turned"])
def hostile(request):
    return grown(HOSTILE if request.param == "front" else HOSTILE[::-1])


def python_shape(text):
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


def json_shape(text):
    """Names may be keys; only what the values are stays."""

    def shape(value):
        if isinstance(value, dict):
            return sorted((shape(v) for v in value.values()), key=repr)
        if isinstance(value, list):
            return [shape(v) for v in value]
        return "" if isinstance(value, str) else value

    return shape(json.loads(text))


def xml_shape(text):
    return [(e.tag, sorted(e.attrib)) for e in ET.fromstring(text).iter()]


def svg_shape(text):
    """Long names take more lines, so only the kinds of elements and attributes are the same."""
    kinds = xml_shape(text)
    return {tag for tag, _ in kinds}, {name for _, names in kinds for name in names}


class Tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = []

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, sorted(name for name, _ in attributes)))

    def handle_comment(self, data):
        self.seen.append("comment")


def html_shape(text):
    tags = Tags()
    tags.feed(text)
    return tags.seen


def dot_shape(text):
    return re.sub(r'"(?:[^"\\]|\\.)*"', '""', text, flags=re.S)


def c_shape(text):
    """Comments and texts out, as compilers with trigraphs see them; names of columns are of letters."""
    assert "??" not in re.sub(r"\?\\\?", "", text), "a trigraph"
    text = re.sub(r'"(?:[^"\\\n]|\\.)*"|/\*.*?\*/|//[^\n]*', '""', text, flags=re.S)
    assert re.search("[^ -~\n]", text) is None
    # Identifiers made of names differ; everything else is the same.
    return re.sub(r"\s+", " ", re.sub(r"\b(model_)?(t_)?(col|level|levels|cell|names)_\w+", "NAME", text))


def sql_shape(text):
    kinds = {'"': "NAME", "'": "TEXT"}
    return re.sub(r"\"(?:[^\"]|\"\")*\"|'(?:[^']|'')*'", lambda found: kinds[found[0][0]], text)


def pmml_shape(text):
    """Sets of categories are arrays, or single comparisons where an array could not hold a name."""
    return [e for e in xml_shape(text) if not e[0].endswith(("Predicate", "Array"))]


SHAPES = {
    "python": python_shape,
    "json": json_shape,
    "dot": dot_shape,
    "svg": svg_shape,
    "pmml": pmml_shape,
    "sql": sql_shape,
    "c": c_shape,
    "cpp": c_shape,
}


@pytest.mark.parametrize("to", SHAPES)
def test_hostile_names_change_nothing_but_names(to, plain, hostile):
    shape = SHAPES[to]
    assert shape(hostile.export(to)) == shape(plain.export(to))


@pytest.mark.parametrize(("to", "compiler"), [("c", "gcc -x c -std=c99"), ("cpp", "g++ -x c++ -std=c++17")])
def test_headers_with_hostile_names_compile_with_trigraphs(to, compiler, hostile, tmp_path):
    words = compiler.split()
    if shutil.which(words[0]) is None:
        pytest.skip(f"no {words[0]}")
    path = tmp_path / "model.h"
    path.write_text(hostile.export(to), encoding="utf-8")
    flags = [
        "-trigraphs",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-pragma-once-outside-header",
        "-Wno-unused-function",
    ]
    done = subprocess.run(
        [*words, *flags, "-fsyntax-only", path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[:2000]


def test_reports_with_hostile_names_hold_the_same_elements(plain, hostile, tmp_path):
    pages = []
    for model in (plain, hostile):
        model.report(path=tmp_path / "r.html")
        pages.append((tmp_path / "r.html").read_text(encoding="utf-8"))
    assert html_shape(pages[0]) == html_shape(pages[1])


def test_texts_for_people_keep_their_lines(plain, hostile):
    for text in (
        lambda m: m.export("text"),
        lambda m: m.export("rules"),
        lambda m: bough.rules(m).export("md"),
    ):
        assert text(hostile).count("\n") == text(plain).count("\n")
        assert re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", text(hostile)) is None


def test_control_signs_are_escaped_or_refused():
    model = grown((CONTROLS * 5)[:18])
    plain = grown([f"plain{i}" for i in range(18)])
    for to in ("python", "json", "dot", "sql", "c", "cpp"):
        try:
            text = model.export(to)
        except Exception as error:
            assert isinstance(error, (ValueError, NotImplementedError, bough.BoughError)), to
            assert "\x1b" not in str(error) and "\x00" not in str(error), to
            continue
        assert "\x00" not in text, to
        assert SHAPES[to](text) == SHAPES[to](plain.export(to)), to
    for to in ("text", "rules"):
        assert re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", model.export(to)) is None
    with pytest.raises((NotImplementedError, bough.BoughError), match="XML"):
        model.export("pmml")
    assert "\x1b" not in model.export("svg") and xml_shape(model.export("svg"))


def test_a_name_of_a_megabyte_is_written_once_a_node_at_most():
    name = "n" * 1_000_000
    X = pd.DataFrame({name: np.arange(20.0)})
    model = bough.DecisionTreeClassifier(max_depth=3).fit(X, np.arange(20) % 2)
    nodes = model.tree_.node_count
    for to in (
        "c",
        "cpp",
        "dot",
        "json",
        "onnx",
        "pmml",
        "python",
        "rules",
        "sklearn",
        "sql",
        "svg",
        "text",
        "treelite",
    ):
        try:
            size = len(model.export(to))
        except (ValueError, NotImplementedError, bough.BoughError) as error:
            assert len(str(error)) < 3_000_000, to
            continue
        assert size < (2 * nodes + 10) * len(name), to

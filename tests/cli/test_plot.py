# SPDX-License-Identifier: Apache-2.0
"""bough plot and the pictures of bough export: valid XML, hostile names, PDF and PNG."""

import csv
import io
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest

KINDS = ["tree", "regions", "fit", "path", "importances"]
EVIL = [
    "</svg><script>alert(1)</script>",
    "a\"b'c&d<e>",
    "ligne\nneuf\ttab",
    '\\N \\\\"',
    "名前 🌳",
    "]]> --> <!--",
]


def parsed(text):
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    children = [child.tag.split("}")[1] for child in root]
    assert children[:2] == ["title", "desc"]
    return root


def words_of(root):
    return [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.fixture
def evil_model(desk):
    """Hostile names of columns, categories and classes."""
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(["</text>x", 'cat"&<', "class\\"])
    for i in range(120):
        table.writerow([i * 7 % 40, EVIL[i % 6], EVIL[(i % 6 + i * 7 % 40 // 15) % 6]])
    desk.write("evil.csv", out.getvalue())
    return desk.train("evil.csv", target="class\\", model="evil.bough")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_valid_xml_with_hostile_names_too(desk, model, table, evil_model, kind):
    for name, data in ((model, table), (evil_model, "evil.csv")):
        words = ["--data", data] if kind in ("regions", "fit") else []
        for theme in ("light", "dark", "transparent"):
            root = parsed(desk.ok("plot", name, "--kind", kind, "--theme", theme, "--title", EVIL[0], *words))
            assert EVIL[0] in words_of(root)
            tags = {element.tag.split("}")[1] for element in root.iter()}
            assert tags <= {
                "svg",
                "title",
                "desc",
                "g",
                "rect",
                "line",
                "path",
                "circle",
                "polygon",
                "polyline",
                "text",
            }


def test_a_tree_says_what_it_asks(desk, model):
    words = words_of(parsed(desk.ok("plot", model, "--node-ids")))
    # y is yes when a > 9 and color is not red.
    assert any(re.fullmatch(r"a ≤ 9(\.5)?", word) for word in words) or "color = red" in words
    assert "#0" in words and "yes" in words and "no" in words
    folded = words_of(parsed(desk.ok("plot", model, "--max-depth", "0")))
    assert any(word.startswith("+ ") for word in folded)


def test_regions_say_where_other_columns_are_held(desk, model, table):
    out = desk.ok("plot", model, "--kind", "regions", "--data", table, "--x", "b", "--y", "color")
    assert re.search(r"Held: a [\d.]+ \(median\)\.", out)
    out = desk.ok(
        "plot", model, "--kind", "regions", "--data", table, "--x", "b", "--y", "a", "--at", "color=red"
    )
    assert "Held: color red (given)." in out
    # Without data there is no value for a.
    assert "the model also tests a" in desk.fails(2, "plot", model, "--kind", "fit", "--x", "color")
    assert "has no level pink" in desk.fails(
        2, "plot", model, "--kind", "regions", "--x", "a", "--y", "b", "--at", "color=pink"
    )
    assert "did you mean color" in desk.fails(2, "plot", model, "--kind", "fit", "--x", "colour")


def test_pdf_and_png_are_made_by_programs_that_are_there(desk, model, table):
    if shutil.which("rsvg-convert") is None:
        pytest.skip("rsvg-convert is not installed")
    desk.ok("plot", model, "-o", "tree.pdf")
    assert desk.path("tree.pdf").read_bytes().startswith(b"%PDF")
    desk.ok("plot", model, "--kind", "regions", "--data", table, "--x", "a", "--y", "b", "-o", "regions.png")
    assert desk.path("regions.png").read_bytes().startswith(b"\x89PNG")


def test_without_such_programs_the_error_says_how_to_get_one(desk, model):
    run = desk.shell(f"PATH=/nowhere {desk.program} plot {model} -o tree.pdf")
    assert run.code != 0
    assert "a pdf needs a program that is not installed" in run.err
    assert "install librsvg2-bin (rsvg-convert) or inkscape or graphviz" in run.err
    assert "graphviz" not in desk.shell(f"PATH=/nowhere {desk.program} plot {model} --kind path -o p.png").err
    assert not desk.path("tree.pdf").exists()
    assert "names end in .svg, .pdf or .png" in desk.fails(2, "plot", model, "-o", "tree.gif")


@pytest.fixture
def graphviz():
    program = shutil.which("dot")
    if program is None:
        pytest.skip("Graphviz's dot is not installed")
    return program


def test_graphviz_makes_the_png_where_nothing_else_can(desk, model, graphviz):
    desk.path("bin").mkdir()
    desk.path("bin/dot").symlink_to(graphviz)
    run = desk.shell(f"PATH={desk.path('bin')} {desk.program} plot {model} -o tree.png")
    assert run.code == 0, run.err
    assert desk.path("tree.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--no-filled", "--no-rounded", "--no-impurity", "--node-ids", "--proportion", "--label", "root"],
        ["--leaves-parallel", "--rotate", "--label", "none", "--fontname", "DejaVu Sans"],
        ["--special-characters", "--max-depth", "1", "--missing", "--precision", "2"],
    ],
)
def test_graphviz_reads_what_is_written_with_every_option(desk, model, evil_model, graphviz, options):
    for name in (model, evil_model):
        dot = desk.ok("export", name, "--to", "dot", *options)
        done = subprocess.run([graphviz, "-Tsvg"], input=dot, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "syntax error" not in done.stderr and "Error" not in done.stderr
        picture = ElementTree.fromstring(done.stdout.encode())
        groups = [g.get("class") for g in picture.iter("{http://www.w3.org/2000/svg}g")]
        # As many nodes and edges as were written: no name became a node.
        assert groups.count("node") == len(re.findall(r"^  \d+ \[label=", dot, re.MULTILINE))
        assert groups.count("edge") == groups.count("node") - 1


def test_names_come_back_from_graphviz_as_they_are(desk, evil_model, graphviz):
    dot = desk.ok("export", evil_model, "--to", "dot")
    done = subprocess.run([graphviz, "-Tsvg"], input=dot, capture_output=True, text=True, check=True)
    text = " ".join(words_of(ElementTree.fromstring(done.stdout.encode())))
    assert "</svg><script>alert(1)</script>" in text
    assert "名前 🌳" in text

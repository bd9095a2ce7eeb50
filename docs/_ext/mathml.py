# SPDX-License-Identifier: Apache-2.0
"""Formulas as MathML, made while the site is built: browsers draw them without script or network."""

import xml.etree.ElementTree as ElementTree

from docutils import nodes
from docutils.utils.math import MathError, latex2mathml
from sphinx.util import logging

logger = logging.getLogger(__name__)

SPACE = "http://www.w3.org/1998/Math/MathML"
ElementTree.register_namespace("", SPACE)
FUNCTIONS = {"log", "ln", "exp", "sin", "cos", "tan"}
APPLY = "\u2061"
SCRIPTS = ("msub", "msup", "msubsup")


def tag(element):
    return element.tag.removeprefix("{" + SPACE + "}")


def is_function(element):
    """A name like log, with or without an index."""
    core = element[0] if tag(element) in SCRIPTS else element
    return tag(core) == "mi" and core.text in FUNCTIONS


def thin_space():
    return ElementTree.Element("{" + SPACE + "}mspace", width="0.1667em")


def spaced(row):
    """Puts space around names of functions, where browsers have none, and takes it from bars and braces."""
    for child in row:
        spaced(child)
    if tag(row) not in ("math", "mrow", "mstyle", "mtd"):
        return
    children, made, bars = list(row), [], 0
    is_tall = any(tag(inside) in ("mtable", "mfrac", "munder", "munderover") for inside in row.iter())
    for i, child in enumerate(children):
        text = child.text if tag(child) == "mo" else None
        if text in ("{", "}", "|", "!"):
            bars += text == "|"
            is_open = text == "{" or (text == "|" and bars % 2 == 1)
            child.attrib.update(form="prefix" if is_open else "postfix", lspace="0", rspace="0")
            if not is_tall or tag(row) == "math":
                child.set("stretchy", "false")
        if not is_function(child):
            made.append(child)
            continue
        if made and (tag(made[-1]) not in ("mo", "mspace") or made[-1].text in (")", "]", "}", "!")):
            made.append(thin_space())
        made.append(child)
        after = [c for c in children[i + 1 : i + 3] if c.text != APPLY][:1]
        if after and tag(after[0]) not in ("mo", "mspace"):
            made.append(thin_space())
    row[:] = made


def to_mathml(text, node, *, as_block):
    """The element `math` of a formula in LaTeX; one that cannot be read is a warning with its place."""
    try:
        found = latex2mathml.tex2mathml(text, as_block=as_block)
    except (MathError, SyntaxError, IndexError, KeyError, AttributeError) as error:
        logger.warning("formula cannot be drawn: %s: %s", error, text, location=node)
        return f"<code>{text}</code>"
    root = ElementTree.fromstring(found.replace("&ApplyFunction;", APPLY))
    spaced(root)
    return ElementTree.tostring(root, encoding="unicode")


def visit_inline(writer, node):
    writer.body.append(to_mathml(node.astext(), node, as_block=False))
    raise nodes.SkipNode


def visit_block(writer, node):
    writer.body.append(writer.starttag(node, "div", CLASS="math-block"))
    writer.body.append(to_mathml(node.astext(), node, as_block=True))
    writer.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}

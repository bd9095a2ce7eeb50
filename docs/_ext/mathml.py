# SPDX-License-Identifier: Apache-2.0
"""Formulas as MathML, made while the site is built: browsers draw them without script or network."""

from docutils import nodes
from docutils.utils.math import MathError, latex2mathml
from sphinx.util import logging

logger = logging.getLogger(__name__)


def to_mathml(text, node, *, as_block):
    """The element `math` of a formula in LaTeX; one that cannot be read is a warning with its place."""
    try:
        found = latex2mathml.tex2mathml(text, as_block=as_block)
    except (MathError, SyntaxError, IndexError, KeyError, AttributeError) as error:
        logger.warning("formula cannot be drawn: %s: %s", error, text, location=node)
        return f"<code>{text}</code>"
    return found


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

# SPDX-License-Identifier: Apache-2.0
"""Configuration of Sphinx; `make docs` builds from a staged copy of this folder (tools/docs/stage.py)."""

import os
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = Path(os.environ.get("BOUGH_ROOT", HERE.parent))
sys.path.insert(0, str(HERE / "_ext"))

project = "bough"
author = "the authors of bough"
version = release = re.search(r"project\(bough VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
copyright = "the authors of bough, Apache-2.0"

extensions = [
    "myst_parser",
    "sphinx_design",
    "sphinx_copybutton",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "docstrings",
    "mathml",
    "synonyms",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_ext", "**/__pycache__"]

# Markdown
myst_enable_extensions = ["amsmath", "colon_fence", "dollarmath", "html_image"]
myst_heading_anchors = 4
html_math_renderer = "mathml"

# A copied block has no prompts and no output.
copybutton_prompt_text = r"^\$ |^>>> |^\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_selector = "div:not(.highlight-text) > div.highlight > pre"

# Python
autodoc_member_order = "groupwise"
autodoc_typehints = "none"
napoleon_google_docstring = False
napoleon_use_param = False
napoleon_use_rtype = False
napoleon_use_ivar = True
python_maximum_signature_line_length = 100
add_module_names = False
toc_object_entries = False  # else every page spends its time on the contents of all others

# C++
cpp_maximum_signature_line_length = 100
primary_domain = "py"
highlight_language = "text"
smartquotes = False  # 'gini' is code

# Links into other people's worlds are not looked up.
nitpick_ignore_regex = [
    (r"py:.*", r"(?!bough\.).*"),
    (r"cpp:identifier", r"std.*|.*_t|Arrow.*|bough|Parts|State|Predictor"),
    (r"c:identifier", r"size_t"),
]

# HTML: everything from the site itself, nothing from a network
html_theme = "furo"
html_title = f"bough {release}"
html_static_path = ["_static"]
html_css_files = ["bough.css"]
html_js_files = ["search.js"]
html_favicon = html_logo = "_static/twig.svg"
html_copy_source = False
html_show_sphinx = False
pygments_style = "a11y-light"
pygments_dark_style = "a11y-dark"
html_theme_options = {"sidebar_hide_name": False}

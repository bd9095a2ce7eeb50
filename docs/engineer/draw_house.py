# SPDX-License-Identifier: Apache-2.0
"""Draws pictures/house.svg, the steps of a fit and the source folders by layer, from tools/check_layers.py.

usage: python docs/engineer/draw_house.py            writes the picture beside this file
       python docs/engineer/draw_house.py --print    prints it (a test compares)
"""

import importlib.util
import sys
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WIDTH, LEFT = 1000, 76

# What a folder is for, and the group it belongs to.
ROOMS = {
    "base": ("threads, exact numbers, random draws, text", "tools"),
    "params": ("the one table of parameters", "data"),
    "data": ("files and memory to typed columns", "data"),
    "tree": ("Tree, TreeBuilder", "model"),
    "criterion": ("scores of exact sums", "search"),
    "split": ("the engines, one split scan", "search"),
    "predict": ("route(): a row to its leaf", "model"),
    "grow": ("order of nodes, stop rules, node values", "search"),
    "prune": ("one file per pruner", "model"),
    "quinlan": ("ID3, C4.5", "search"),
    "search": ("the best small tree, and its proof", "search"),
    "model": ("fit(), Model, its file, forests, honest trees", "model"),
    "scale": ("the same fit on blocks of rows: disk, cluster", "search"),
    "explain": ("why: paths, splits, Shapley values", "tell"),
    "inference": ("scores, intervals, uncertainty", "tell"),
    "rules": ("trees as rules, C4.5rules", "tell"),
    "study": ("how stable: refits, tests", "tell"),
    "draw": ("layout, SVG, charts", "tell"),
    "export": ("one file per format", "ship"),
    "report": ("the page for a browser", "ship"),
    "c": ("bough.h: load, predict", "door"),
    "arrow_files": ("Parquet, loaded when needed", "door"),
    "cli": ("one file per command", "door"),
    "python": ("bough._core and the package", "door"),
}
COLOURS = {
    "tools": "#eceff1",
    "data": "#fdf0d5",
    "search": "#d7e8f7",
    "model": "#d9f0e3",
    "tell": "#f3e1ee",
    "ship": "#fbe3d6",
    "door": "#ffffff",
}
PARTS = {
    "data": "data in",
    "search": "search",
    "model": "the model",
    "tell": "explanations",
    "ship": "output",
    "door": "interfaces",
    "tools": "tools",
}
# The steps of a fit: what there is, and the folder that makes it.
FLOW = [
    ("files, frames,", "matrices", "door"),
    ("Table", "data", "data"),
    ("codes", "data", "data"),
    ("open nodes", "grow", "search"),
    ("best split", "split, criterion", "search"),
    ("Tree", "tree, prune", "model"),
    ("Model", "model", "model"),
]
ANSWERS = [
    ("predictions", "predict", "model"),
    ("reasons, scores", "explain, inference", "tell"),
    ("files", "export, report", "ship"),
]


def layers():
    spec = importlib.util.spec_from_file_location("check_layers", ROOT / "tools/check_layers.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    *inner, doors = module.LAYERS
    return [*inner, [*doors, *module.DOORS]]


def box(x, y, width, height, part, lines):
    fill = COLOURS[part]
    out = [
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6" fill="{fill}" class="box"/>'
    ]
    for i, (text, style) in enumerate(lines):
        out.append(
            f'<text x="{x + width / 2:g}" y="{y + 18 + 15 * i:g}" class="{style}">{escape(text)}</text>'
        )
    return out


def arrow(x1, y1, x2, y2):
    return f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" class="arrow" marker-end="url(#tip)"/>'


def flow(top):
    out, width, gap = [], 100, 19
    y = top + 50
    for i, (what, room, part) in enumerate(FLOW):
        x = 14 + i * (width + gap)
        style = "name" if i else "said"
        out += box(x, y, width, 42, part, [(what, style), (room, "said")])
        if i:
            out.append(arrow(x - gap + 1, y + 21, x - 2, y + 21))
    x = 14 + len(FLOW) * (width + gap) + 8
    for k, (what, room, part) in enumerate(ANSWERS):
        at = top + 50 * k
        out += box(x, at, 124, 42, part, [(what, "name"), (room, "said")])
        out.append(arrow(x - gap - 7, y + 21, x - 2, at + 21))
    # The search goes round: a split opens two nodes.
    a, b = 14 + 3 * (width + gap) + width / 2, 14 + 4 * (width + gap) + width / 2
    out.append(
        f'<path d="M{b:g} {y + 43:g} C{b:g} {y + 78:g} {a:g} {y + 78:g} {a:g} {y + 46:g}" class="arrow"'
        ' marker-end="url(#tip)"/>'
    )
    out.append(f'<text x="{(a + b) / 2:g}" y="{y + 86:g}" class="said">until no node can be split</text>')
    return out


def house(top):
    out, height, gap = [], 42, 8
    floors = layers()
    for depth, rooms in enumerate(reversed(floors)):
        number = len(floors) - 1 - depth
        y = top + depth * (height + gap)
        out.append(f'<text x="{LEFT - 12}" y="{y + 26}" class="layer">layer {number}</text>')
        width = (WIDTH - LEFT - 14 - 10 * (len(rooms) - 1)) / len(rooms)
        for i, room in enumerate(rooms):
            words, part = ROOMS[room]
            out += box(LEFT + i * (width + 10), y, width, height, part, [(room, "name"), (words, "said")])
    return out, top + len(floors) * (height + gap)


def legend(y):
    out, x = [], LEFT
    for part, words in PARTS.items():
        out.append(
            f'<rect x="{x}" y="{y}" width="14" height="14" rx="3" fill="{COLOURS[part]}" stroke="#607d8b"/>'
        )
        out.append(f'<text x="{x + 20}" y="{y + 12}" class="key">{words}</text>')
        x += 34 + 8 * len(words)
    return out


def picture():
    rooms, bottom = house(226)
    height = bottom + 34
    style = (
        "text{font-family:Helvetica,Arial,sans-serif;font-size:12px;fill:#263238;text-anchor:middle}"
        ".name{font-weight:bold;font-size:13px}.said{font-size:11px}.layer{text-anchor:end;fill:#546e7a}"
        ".key{text-anchor:start}.title{text-anchor:start;font-weight:bold;font-size:14px}"
        ".box{stroke:#607d8b}.arrow{stroke:#37474f;stroke-width:1.4;fill:none}"
    )
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}">',
        "<title>The steps of a fit, and the source folders by layer</title>",
        f"<style>{style}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto">'
        '<path d="M0 0L8 4L0 8z" fill="#37474f"/></marker></defs>',
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        '<text x="14" y="24" class="title">The steps of a fit</text>',
        *flow(34),
        '<text x="14" y="212" class="title">Source folders: each may include the layers below it</text>',
        *rooms,
        *legend(bottom + 8),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if "--print" in sys.argv:
        print(picture(), end="")
    else:
        (HERE / "pictures").mkdir(exist_ok=True)
        (HERE / "pictures/house.svg").write_text(picture(), encoding="utf-8")

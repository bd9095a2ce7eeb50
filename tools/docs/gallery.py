# SPDX-License-Identifier: Apache-2.0
"""The gallery of the site: the Python of a page as one script, and the list of pages with thumbnails."""

import re
from pathlib import Path

BLOCK = re.compile(
    r"^(?P<above>[^\n]*)\n+```(?P<language>python|console)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
ITEM = re.compile(
    r"^[*-] \[(?P<title>[^\]]+)\]\((?P<page>[\w./-]+\.md)\)(?P<words>(?:.*\n?)(?:^  .*\n?)*)", re.MULTILINE
)
TREE = re.compile(r"<desc>\d+ nodes? and \d+ lea")
# Where another picture than the first is better to recognise in a corner.
CHOSEN = {
    "parcels.md": "pictures/parcels-groups.svg",
    "structure.md": "pictures/structure-path.svg",
    "instability.md": "pictures/instability-resampled.svg",
}
PICTURE = re.compile(r"!\[[^\]]*\]\((pictures/[^)\s]+)\)|\{figure\}\s+(pictures/\S+)")


def script(text: str, path: str) -> str:
    """The Python blocks of a page in order; commands between them become comments. Empty without Python."""
    blocks = [b for b in BLOCK.finditer(text) if "not run" not in b["above"]]
    if not any(b["language"] == "python" for b in blocks):
        return ""
    title = HEADING.search(text)
    head = f'"""{title[1] if title else path} ({path} of the documentation of bough)."""\n\nimport os\n\n'
    parts = [head + 'os.makedirs("pictures", exist_ok=True)\n']
    for block in blocks:
        if block["language"] == "python":
            parts.append(block["body"])
        else:
            commands = [line for line in block["body"].splitlines() if line.startswith("$ ")]
            parts.append("".join(f"# In a shell, in this folder: {line[2:]}\n" for line in commands))
    return "\n".join(parts)


def is_tree(picture: Path) -> bool:
    """Whether it is a drawing of a tree, by what bough writes into its pictures about themselves."""
    if picture.suffix != ".svg":
        return False
    return TREE.search(picture.read_text(encoding="utf-8")[:1000]) is not None


def thumbnail(page: Path) -> str | None:
    """The first picture of a page that is no tree (its letters would be too small), else the first."""
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    names = [found[1] or found[2] for found in PICTURE.finditer(text)]
    there = [name for name in names if (page.parent / name).is_file()]
    legible = [name for name in there if not is_tree(page.parent / name)]
    return CHOSEN.get(page.name) or next(iter(legible or there), None)


def cards(text: str, folder: Path) -> str:
    """The list of pages with every run of links turned into a grid of cards; the rest stays."""
    lines, run = [], []

    def finish() -> None:
        if run:
            lines.append("::::{grid} 1 1 2 2\n:gutter: 3\n\n" + "\n".join(run) + "\n::::\n")
            run.clear()

    at = 0
    for item in ITEM.finditer(text):
        if text[at : item.start()].strip():
            finish()
            lines.append(text[at : item.start()])
        words = item["words"].strip().lstrip(":.,").strip()
        words = words[:1].upper() + words[1:]
        picture = thumbnail(folder / item["page"])
        image = f":img-top: {picture}\n" if picture else ""
        link = f":link: {item['page'].removesuffix('.md')}\n:link-type: doc\n"
        run.append(f":::{{grid-item-card}} {item['title']}\n{link}{image}\n{' '.join(words.split())}\n:::\n")
        at = item.end()
    finish()
    lines.append(text[at:])
    return "\n".join(lines)

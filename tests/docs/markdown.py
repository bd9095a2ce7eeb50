# SPDX-License-Identifier: Apache-2.0
"""Pages as the runner sees them: blocks of code with their lines, reasons not to run them, pictures shown."""

import re
import textwrap
from dataclasses import dataclass, field

FENCE = re.compile(r"^(?P<indent>\s*)(?P<ticks>`{3,}|~{3,})\s*(?P<info>[^`]*)$")
COMMENT = re.compile(r"^\s*<!--\s*(.*?)\s*-->\s*$")
NOT_RUN = re.compile(r"not run:\s*(.*)")
EXIT = re.compile(r"exit:\s*(\d+)")
PICTURE = re.compile(
    r"!\[[^\]]*\]\((pictures/[^)\s]+)[^)]*\)|\{(?:figure|image)\}\s+(pictures/\S+)|<img[^>]*\ssrc=\"(pictures/[^\"]+)\""
)
HEAD_LINES = 5


@dataclass
class Block:
    """One fenced block, or a hidden `<!-- setup ... -->` of Python."""

    language: str
    body: str
    line: int  # of the first line of the body, from 1
    follows: bool = False  # only blank lines between the block before and this one
    comments: list = field(default_factory=list)  # of the lines straight above

    @property
    def not_run(self):
        """The reason given for not running the block, None where there is none."""
        return next((found[1] for c in self.comments if (found := NOT_RUN.match(c))), None)

    @property
    def exit_status(self):
        return next((int(found[1]) for c in self.comments if (found := EXIT.match(c))), 0)


@dataclass
class Picture:
    path: str
    line: int
    not_run: str | None


@dataclass
class Page:
    blocks: list
    pictures: list
    needs: list
    is_long: bool


def comments_above(lines, index):
    """The one-line HTML comments directly above a line, nearest first; one blank line may lie between."""
    found, i = [], index - 1
    if i >= 0 and not lines[i].strip():
        i -= 1
    while i >= 0 and (comment := COMMENT.match(lines[i])):
        found.append(comment[1])
        i -= 1
    return found


def hidden_setup(lines, start):
    """The end of a comment that starts with "<!-- setup", and its lines."""
    end = next((i for i in range(start + 1, len(lines)) if lines[i].strip() == "-->"), len(lines))
    return end, lines[start + 1 : end]


def fenced(lines, start, fence):
    """The end of the block that starts at `start`, and its lines without the fence's indent."""
    close = re.compile(r"^\s*" + re.escape(fence["ticks"][0]) + "{" + str(len(fence["ticks"])) + r",}\s*$")
    end = next((i for i in range(start + 1, len(lines)) if close.match(lines[i])), len(lines))
    indent = fence["indent"]
    return end, [line.removeprefix(indent) for line in lines[start + 1 : end]]


def parse(text):
    lines = text.splitlines()
    blocks, pictures = [], []
    last_end, i = -1, 0
    while i < len(lines):
        fence = FENCE.match(lines[i])
        if lines[i].strip() == "<!-- setup":
            end, body = hidden_setup(lines, i)
            blocks.append(Block("setup", textwrap.dedent("\n".join(body)) + "\n", i + 2))
            i = end + 1
            continue
        for groups in PICTURE.findall(lines[i]):
            reason = next((f[1] for c in comments_above(lines, i) if (f := NOT_RUN.match(c))), None)
            pictures.append(Picture(next(filter(None, groups)), i + 1, reason))
        if fence:
            end, body = fenced(lines, i, fence)
            info = fence["info"].split()
            block = Block(info[0] if info else "", "".join(line + "\n" for line in body), i + 2)
            block.follows = last_end >= 0 and not any(line.strip() for line in lines[last_end + 1 : i])
            block.comments = comments_above(lines, i)
            blocks.append(block)
            last_end = i = end
        i += 1
    head = [comment[1] for line in lines[:HEAD_LINES] if (comment := COMMENT.match(line))]
    needs = [n.strip() for c in head if c.startswith("needs:") for n in c[6:].split(",") if n.strip()]
    return Page(blocks, pictures, needs, "long" in head)


def console_steps(body, first_line):
    """The commands of a console block, each with its line in the page and the output shown below it.

    A command goes on after a backslash, in open quotes and in here-documents; "> " before such a line is a
    prompt.
    """
    steps, lines, i = [], body.splitlines(), 0
    while i < len(lines):
        if not lines[i].startswith("$ "):
            if not steps:
                raise ValueError(f"line {first_line + i}: a console block starts with `$ command`")
            steps[-1][2].append(lines[i])
            i += 1
            continue
        start, command = i, lines[i][2:]
        i += 1
        while i < len(lines) and unfinished(command):
            command += "\n" + lines[i].removeprefix("> ")
            i += 1
        steps.append((command, first_line + start, []))
    return steps


def unfinished(command):
    """Whether a shell would ask for one more line."""
    last = command.rsplit("\n", 1)[-1]
    here = re.search(r"<<-?\s*(['\"]?)(\w+)\1", command.split("\n", 1)[0])
    if here:
        return "\n" not in command or last.strip() != here[2]
    if last.endswith("\\"):
        return True
    plain = re.sub(r"\\.", "", command, flags=re.DOTALL)
    quote = comment = None
    for before, letter in zip(" " + plain, plain, strict=False):
        if comment:
            comment = letter != "\n"
        elif quote is None and letter == "#" and before.isspace():
            comment = True
        elif quote is None and letter in "'\"":
            quote = letter
        elif letter == quote:
            quote = None
    return quote is not None


def same(shown, printed):
    """Whether the output is the one shown; "..." stands for any lines. Blanks at ends do not count."""
    shown = strip_end([line.rstrip() for line in shown])
    printed = strip_end([line.rstrip() for line in printed])
    parts = [re.escape(line) + "\n" if line.strip() != "..." else "(?:.*\n)*?" for line in shown]
    return re.fullmatch("".join(parts), "".join(line + "\n" for line in printed)) is not None


def strip_end(lines):
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes bough.1 out of what the program says about itself.

tools/man_page.py [emulator] build/ship/bough > bough.1
"""

import re
import subprocess
import sys


def said(program: list[str], *words: str) -> str:
    return subprocess.run([*program, *words], capture_output=True, text=True, check=True).stdout


def escaped(text: str) -> str:
    """Text that troff prints as it stands."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").split("\n")
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in lines)


def block(text: str) -> str:
    return f".nf\n{escaped(text.strip(chr(10)))}\n.fi\n"


def page(program: list[str]) -> str:
    overview = said(program, "--help")
    version = said(program, "--version").split()[1]
    verbs = re.findall(
        r"^  ([a-z]+)  +\S", re.search(r"Commands:\n(.*?)\n\n", overview, re.S)[1] + "\n", re.M
    )
    text = f'.TH BOUGH 1 "" "bough {version}" "User Commands"\n'
    text += ".SH NAME\nbough \\- grow, explain and ship decision trees\n"
    text += ".SH SYNOPSIS\n.B bough\n.I COMMAND\n[options]\n"
    text += ".SH DESCRIPTION\n" + block(overview.split("\n", 1)[1])
    for verb in verbs:
        text += f".SH BOUGH {verb.upper()}\n" + block(said(program, verb, "--help"))
    return text


if __name__ == "__main__":
    sys.stdout.write(page(sys.argv[1:]))

# SPDX-License-Identifier: Apache-2.0
"""The diff that a page of this folder shows, for git apply.

usage: python3 docs/engineer/patch.py PAGE    criterion, split, pruner or exporter
"""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGES = ("criterion", "split", "pruner", "exporter")


def patch(page):
    """All ```diff blocks of a page, one after the other."""
    text = (HERE / f"{page}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```diff\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    # A line without context is a space in a diff, which editors like to take away.
    return "".join(
        re.sub(r"^$", " ", block.removesuffix("\n"), flags=re.MULTILINE) + "\n" for block in blocks
    )


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in PAGES:
        sys.exit(__doc__.split("\n\n")[1])
    print(patch(sys.argv[1]), end="")

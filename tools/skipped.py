# SPDX-License-Identifier: Apache-2.0
"""How many tests were skipped and why, in one line: tools/skipped.py REPORT

REPORT is pytest's --junitxml, or the LastTest.log that ctest leaves in Testing/Temporary.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

# Reasons that differ by the name of a file or a program only.
KINDS = [
    (r"shared/data|data sets? are not here|outside data|tables beside", "../shared/data is not here"),
    (r".*(tools/setup\.sh [\w-]+)", r"needs \1"),
]


def pytest_reasons(text):
    for skipped in ElementTree.fromstring(text).iter("skipped"):
        if skipped.get("type") == "pytest.skip":
            yield skipped.get("message") or "no reason"


def googletest_reasons(text):
    # The place and the reason stand before the line that ends a skipped test.
    return re.findall(r": Skipped\n(.*)(?:\n(?!\[).*)*\n\[  SKIPPED \] \S+ \(", text)


def kind(reason):
    for pattern, name in KINDS:
        if found := re.search(pattern, reason):
            return found.expand(name)
    return reason.splitlines()[0].removeprefix("Skipped: ")


def told(reasons):
    counts = Counter(map(kind, reasons))
    if not counts:
        return "none skipped"
    parts = "; ".join(f"{count} {reason}" for reason, count in counts.most_common())
    return f"{counts.total()} skipped: {parts}"


def main():
    path = Path(sys.argv[1])
    text = path.read_text(encoding="utf-8", errors="replace")
    print(told(pytest_reasons(text) if path.suffix == ".xml" else googletest_reasons(text)))


if __name__ == "__main__":
    main()

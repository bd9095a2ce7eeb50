# SPDX-License-Identifier: Apache-2.0
"""The figures of speed in the README, in the guide and on the page on peers are those of bench/results."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


PAGES = [
    ("README.md", []),
    ("README.md", ["--ordinary"]),
    ("docs/guide/speed.md", []),
    ("docs/gallery/peers.md", ["--ratios"]),
]


@pytest.mark.parametrize(("page", "options"), PAGES)
def test_the_table_of_speed_is_made_of_the_results(page, options):
    command = [sys.executable, ROOT / "bench/readme_table.py", *options]
    made = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert made.count("\n|") > 8
    assert made in (ROOT / page).read_text(encoding="utf-8"), "run bench/readme_table.py --write"


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_the_figures_of_the_first_screen_are_those_of_the_table(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    ours, theirs = re.search(r"takes ([\d.]+ m?s); scikit-learn takes ([\d.]+ m?s)", text).groups()
    table = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"| 1M x 28, two classes, depth 8 | scikit-learn 1.9.1 | {ours} | {theirs} |" in table
    memory = (ROOT / "bench/results/out_of_core.md").read_text(encoding="utf-8")
    assert "50 million rows with 20 columns train in 0.46 GB" in text
    assert "50,000,000 rows of 20 columns" in memory and "The models are the same bytes." in memory
    assert re.search(r"--memory 2GB \|.*\| 0\.46 \|", memory) and re.search(
        r"in memory \|.*\| 16\.\d+ \|", memory
    )

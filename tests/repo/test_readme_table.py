# SPDX-License-Identifier: Apache-2.0
"""The README's figures of speed are those of bench/results."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_table_of_speed_is_made_of_the_results():
    made = subprocess.run(
        [sys.executable, ROOT / "bench/readme_table.py"], capture_output=True, text=True, check=True
    ).stdout
    assert made.count("\n|") > 10
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert made in readme, "run bench/readme_table.py --write"

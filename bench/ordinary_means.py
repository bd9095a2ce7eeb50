# SPDX-License-Identifier: Apache-2.0
"""What the lines of bench/results/ordinary.csv say together: geometric means and the worst tables."""

import math
from collections import defaultdict

from ordinary_rows import MODELS, WORDS, WORK

PEERS = ("sklearn", "sklearnex", "lightgbm", "ranger")
NAMES = {
    "sklearn": "scikit-learn",
    "sklearnex": "scikit-learn-intelex",
    "lightgbm": "LightGBM",
    "ranger": "ranger",
}


def ratio(line, peer):
    """How many times as fast bough is; None where the peer has no such model."""
    return float(line[f"{peer}_s"]) / max(float(line["bough_s"]), 1e-9) if line.get(f"{peer}_s") else None


def means(lines):
    """(work, model, peer) to: geometric mean of the ratios, the worst one, its table, how many there are."""
    groups = defaultdict(list)
    for line in lines:
        for peer in PEERS:
            if (value := ratio(line, peer)) is not None:
                groups[line["work"], line["model"], peer].append((value, line["table"]))
    return {
        key: (math.exp(sum(math.log(value) for value, _ in found) / len(found)), *min(found), len(found))
        for key, found in groups.items()
    }


def shown(value):
    return f"{value:.0f}" if value >= 20 else f"{value:.1f}" if value >= 1 else f"**{value:.2f}**"


def mean_table(lines):
    """Markdown: a line per work and model, a column per peer: geometric mean, and the worst table."""
    found = means(lines)
    peers = [peer for peer in PEERS if any(key[2] == peer for key in found)]
    text = ["| what | " + " | ".join(NAMES[peer] for peer in peers) + " |", "|---" * (len(peers) + 1) + "|"]
    for work in WORK:
        for model in MODELS:
            if not any(key[:2] == (work, model) for key in found):
                continue
            cells = []
            for peer in peers:
                value = found.get((work, model, peer))
                cells.append(f"{shown(value[0])} (worst {shown(value[1])}: {value[2]})" if value else "")
            text.append(f"| {work}: {WORDS[model]} | " + " | ".join(cells) + " |")
    return text

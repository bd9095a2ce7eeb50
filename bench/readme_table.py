# SPDX-License-Identifier: Apache-2.0
"""The README's table of speed, out of bench/results: prints it; --write puts it into the README and
the guide, and its ratios, each with its command, into docs/gallery/peers.md.

Rows say what bough's time is beside a rival's, those where it is not faster too. No figure is typed by hand.
"""

import argparse
import csv
import re
from pathlib import Path

from ordinary_means import mean_table

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
GUIDE = ROOT / "docs/guide/speed.md"
RESULTS = ROOT / "bench/results"
PEERS = ROOT / "docs/gallery/peers.md"
BEGIN, END = "<!-- bench/readme_table.py writes from here -->\n", "<!-- to here -->\n"
BEGIN_RATIOS = "<!-- bench/readme_table.py writes ratios from here -->\n"
END_RATIOS = "<!-- ratios to here -->\n"
BEGIN_ORDINARY = "<!-- bench/readme_table.py writes ordinary tables from here -->\n"
END_ORDINARY = "<!-- ordinary tables to here -->\n"
TARGETS, FORESTS = "targets", "forests"
UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6}
VERSIONS = {
    "sklearn": "scikit-learn",
    "sklearnex": "scikit-learn-intelex",
    "lightgbm": "LightGBM",
    "treeple": "treeple",
    "econml": "econml",
}

# File of bench/results, row in it, what is done in words, what is compared, part of `make bench` for it.
ROWS = [
    ("million", "1m_gini_d8", "1M x 28, two classes, depth 8", "best", TARGETS),
    ("full", "1m_gini_full", "1M x 28, two classes, fully grown", "best", TARGETS),
    ("mixed", "200k_se_full", "200k x 28, regression, fully grown", "best", TARGETS),
    ("mixed", "adult_d8", "adult, categories without encoding, depth 8", "best", TARGETS),
    ("mixed", "covtype_full", "covtype 100k x 54, 7 classes, fully grown", "best", TARGETS),
    ("sparse", "sparse", "200k x 5,000, sparse (1% nonzero), depth 8", "best", TARGETS),
    ("mixed", "digits", "digits 1,797 x 64, fully grown", "best", TARGETS),
    ("mixed", "iris", "iris 150 x 4, first fit in a process", "first", TARGETS),
    ("mixed", "predict_d8", "predict 1M x 28 rows, depth 8", "best", TARGETS),
    ("million", "hist_se_d8", "1M x 28, regression, depth 8, binning included", "best", TARGETS),
    ("million", "hist_se_d8", "the same, without LightGBM's binning time", "tree", TARGETS),
    ("forests", "oblique", "oblique tree, 100k x 50, fully grown", "best", FORESTS),
    ("forests", "forest_sklearn", "forest of 100 trees, covtype 100k x 54, 2 threads", "best", FORESTS),
    ("forests", "forest_sklearnex", "the same", "best", FORESTS),
    ("forests", "honest_econml", "honest forest of 500 trees, 10k x 28, 2 threads", "best", FORESTS),
]


def read(file, row):
    with open(RESULTS / f"{file}.csv", newline="", encoding="utf-8") as lines:
        found = [line for line in csv.DictReader(lines) if line["row"] == row]
    if len(found) != 1:
        raise SystemExit(f"bench/results/{file}.csv has {len(found)} rows {row!r}")
    return found[0]


def seconds(text):
    """A time as the results write it: 284 ms."""
    number, unit = text.split()
    return float(number) * UNITS[unit]


def shown(time):
    unit = "s" if time >= 1 else "ms" if time >= 1e-3 else "us"
    return f"{time / UNITS[unit]:.3g} {unit}".replace("us", "µs")


def times(line, what):
    """bough's seconds and the rival's."""
    if what == "first":
        return float(line["first_s"]), float(line["rival_first_s"])
    if what == "tree":
        alone = re.search(r"tree ([\d.]+ \w+)", line["rival_parts"])
        return float(line["best_s"]), seconds(alone.group(1))
    return float(line["best_s"]), float(line["rival_best_s"])


def rival(line):
    name = VERSIONS[line["rival"]]
    version = re.search(rf"(?<![\w-]){re.escape(name)} ([\d.]+)", line["versions"])
    return f"{name} {version.group(1)}"


def times_as_fast(ratio):
    return f"{ratio:.0f}" if ratio >= 20 else f"{ratio:.1f}" if ratio >= 1 else f"**{ratio:.2f}**"


def page_table(columns, cells):
    """A Markdown table, a line per row of ROWS: two cells, then `cells(row, own seconds, rival's)`."""
    heads = ['task (one fit unless marked "predict")', "compared with", *columns]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for row in ROWS:
        line = read(row[0], row[1])
        own, other = times(line, row[3])
        lines.append("| " + " | ".join([row[2], rival(line), *cells(row, own, other)]) + " |")
    return lines


def ratios():
    """The rows of the table without seconds, with the file and the command of each."""

    def cells(row, own, other):
        file, name, *_, part = row
        source = f"[{file}.csv](../../bench/results/{file}.csv)"
        return times_as_fast(other / own), source, f"`bench/run.sh {part} --only {name}`"

    return "\n".join(page_table(["speedup", "from", "command"], cells)) + "\n"


def put(path, begin, text, end):
    """Replaces what stands between two lines of a page."""
    before, rest = path.read_text(encoding="utf-8").split(begin)
    path.write_text(before + begin + text + end + rest.split(end)[1], encoding="utf-8")


def table():
    lines = page_table(
        ["bough", "their time", "speedup"],
        lambda _, own, other: (shown(own), shown(other), times_as_fast(other / own)),
    )
    machines = sorted({read(file, row)["machine"] for file, row, *_ in ROWS})
    commits = sorted({read(file, row)["commit"].removesuffix("+changes") for file, row, *_ in ROWS})
    lines += ["", f"Machine: {'; '.join(machines)}. Commits {', '.join(commits)}."]
    return "\n".join(lines) + "\n"


def ordinary():
    """Geometric means over the tables of the suite `ordinary`, and the worst of them."""
    with open(RESULTS / "ordinary.csv", newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    rows, first = [int(line["rows"]) for line in lines], lines[0]
    text = [
        f"The next table shows scikit-learn's time divided by bough's on "
        f"{len({line['table'] for line in lines})} real tables of {min(rows):,} to {max(rows):,}",
        f"rows, with forests of up to {max(int(line['trees']) for line in lines)} trees. Each cell gives the "
        "geometric mean over the tables and the worst table",
        "([ordinary.md](bench/results/ordinary.md), `make bench BENCH=ordinary`).",
        "",
        *mean_table(lines),
        "",
        f"Machine: {first['machine']}. Commit {first['commit'].removesuffix('+changes')}; "
        f"{first['versions'].split('; ', 1)[1]}. One thread, CPU time.",
    ]
    return "\n".join(text) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--write", action="store_true", help="put them into the README, the guide and the page on peers"
    )
    parser.add_argument("--ratios", action="store_true", help="print the table of ratios instead")
    parser.add_argument(
        "--ordinary", action="store_true", help="print the means over ordinary tables instead"
    )
    parser.add_argument(
        "--rows", choices=[TARGETS, FORESTS], help="print the names of the rows that this part measures"
    )
    options = parser.parse_args()
    if options.rows:
        print("\n".join(dict.fromkeys(row for _, row, _, _, part in ROWS if part == options.rows)))
    elif options.write:
        put(README, BEGIN_ORDINARY, ordinary(), END_ORDINARY)
        put(README, BEGIN, table(), END)
        put(GUIDE, BEGIN, table(), END)
        put(PEERS, BEGIN_RATIOS, "\n" + ratios() + "\n", END_RATIOS)
    else:
        print(ratios() if options.ratios else ordinary() if options.ordinary else table(), end="")


if __name__ == "__main__":
    main()

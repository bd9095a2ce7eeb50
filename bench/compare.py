#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether one commit is slower than another: the rows of `ordinary`, both packages taking turns.

    bench/run.sh compare A B [--only WORD ...] [--quick] [--rounds N] [--limit SHARE]

builds both commits in temporary worktrees with the flags that ship, and prints how long B takes beside A for
every row. Rows that are slower by more than --limit are measured once more before they count. Ends with
status 1 when one stays slower. CPU time, one thread.
"""

import argparse
import math
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import ordinary_race
from ordinary_rows import ROOT, ROWS


def run(*words, cwd=ROOT):
    subprocess.run([str(word) for word in words], cwd=cwd, check=True, stdout=subprocess.DEVNULL)


def package(commit, folder):
    """The Python package of a commit, built in a worktree of its own: the folder to import it from."""
    tree = folder / "tree"
    run("git", "worktree", "add", "-q", "--detach", tree, commit)
    flags = ["-DBOUGH_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}"]
    (tree / "build").mkdir()
    run("cmake", "--preset", "release", *flags, cwd=tree)
    run(
        "cmake",
        "--build",
        "build/release",
        "--target",
        "bough_python",
        "-j",
        os.environ.get("JOBS", "2"),
        cwd=tree,
    )
    found = folder / "packages"
    shutil.copytree(tree / "python/bough", found / "bough")
    for module in (tree / "build/release/python").glob("_core*.so"):
        shutil.copy(module, found / "bough")
    return found


def slower(rows, workers, options):
    """The rows where B is slower than A by more than the limit; prints all."""
    found, logs = [], []
    for row, _, best, _ in ordinary_race.race(rows, workers, options.quick, options.rounds):
        ratio = best["B"] / max(best["A"], 1e-9)
        logs.append(math.log(ratio))
        mark = "  slower" if ratio > 1 + options.limit else ""
        print(
            f"{row.name:<28} {best['A'] * 1e3:9.3f} ms {best['B'] * 1e3:9.3f} ms  {ratio:5.2f}{mark}",
            flush=True,
        )
        found += [row] if mark else []
    print(f"geometric mean of {len(logs)} rows: {math.exp(sum(logs) / max(len(logs), 1)):.3f}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", metavar="A")
    parser.add_argument("after", metavar="B")
    parser.add_argument("--only", action="append", default=[], metavar="WORD", help="rows that hold WORD")
    parser.add_argument("--quick", action="store_true", help="smaller tables and forests")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each")
    parser.add_argument("--limit", type=float, default=0.05, help="share that B may be slower by (0.05)")
    options = parser.parse_args()
    rows = [row for row in ROWS if not options.only or any(word in row.name for word in options.only)]
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="compare-", dir=ROOT / "build") as name:
        sides = {"A": options.before, "B": options.after}
        folders = {side: Path(name) / side for side in sides}
        try:
            packages = {side: package(sides[side], folders[side]) for side in sides}
            workers = {
                side: ordinary_race.python_worker(sys.executable, "bough", packages[side]) for side in sides
            }
            found = slower(rows, workers, options)
            if found:
                print("once more:")
                found = slower(found, workers, options)
            for worker in workers.values():
                worker.close()
        finally:
            for folder in folders.values():
                subprocess.run(
                    ["git", "worktree", "remove", "--force", folder / "tree"], cwd=ROOT, check=False
                )
    print(f"{len(found)} rows are slower by more than {options.limit:.0%}" if found else "no row is slower")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

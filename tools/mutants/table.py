# SPDX-License-Identifier: Apache-2.0
"""What is mutated, how many mutants each room gets, and which test programs judge it, the quickest first."""

import fnmatch
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Room: (files, mutants, test programs). A program that never reaches a mutant is not run for it.
ROOMS = {
    "base": (["src/base/fixed*.?pp"], 22, ["base", "split", "prune", "grow", "oracle"]),
    "criterion": (["src/criterion/*.hpp"], 56, ["criterion", "split", "prune", "oracle", "grow", "engines"]),
    "split": (
        ["src/split/**/*.?pp"],
        190,
        ["split", "ranked", "grow", "oracle", "engines", "limits", "model", "blocks"],
    ),
    # builds: whatever changes the work of a search changes its model file.
    "search": (["src/search/*.?pp"], 60, ["search", "builds"]),
    "grow": (["src/grow/*.cpp"], 42, ["grow", "prune", "model", "oracle"]),
    "prune": (["src/prune/*.?pp"], 56, ["prune", "model"]),
    "predict": (["src/predict/*.?pp"], 46, ["predict", "model", "prune", "grow"]),
}

# Judged by programs of other rooms (blocks: scale, search_trace: explain, ...), checks of what cannot
# happen, or lists of names.
LEFT_OUT = [
    "src/criterion/registry.*",
    "src/split/histogram/block_*",
    "src/split/exact/search_trace.*",
    "src/split/oblique/*",
    "src/split/histogram/fast_*.cpp",
    "src/split/*options.hpp",
    "src/split/engine_checks.hpp",
    "src/grow/tao*",
    "src/grow/row_test*",
    "src/split/engine.hpp",
    "src/split/small/presorted.cpp",
]

PROGRAMS = list(dict.fromkeys(program for _, _, programs in ROOMS.values() for program in programs))


def files_of(room):
    patterns = ROOMS[room][0]
    names = sorted({str(p.relative_to(ROOT)) for pattern in patterns for p in ROOT.glob(pattern)})
    return [name for name in names if not any(fnmatch.fnmatch(name, left) for left in LEFT_OUT)]


def room_of(file):
    return pathlib.PurePath(file).parts[1]


def main():
    """`programs`: their names; `mutants`: number, key, room and programs of each mutant, a line each."""
    if sys.argv[1:] == ["programs"]:
        print(*PROGRAMS)
    else:
        for mutant in json.loads((ROOT / "build/mutants/mutants.json").read_text()):
            print(mutant["number"], mutant["key"], mutant["room"], *ROOMS[mutant["room"]][2])


if __name__ == "__main__":
    main()

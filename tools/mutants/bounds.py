#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judges the brute-force tests of the search by wrong bounds: bounds.py [--tables 6000] [--only 17]

Every change of bound_changes.py is woven into a copy of src/search, all in one build of test_search
(build/bounds), and the brute-force tests run with one change at a time. A change is noticed when a test fails
or does not end, by few tables or else by as many as the long tests take. Writes bounds.md; ends with status 1
when a change that is not known to be sound goes unnoticed, a sound one is noticed, or the tests fail without
a change. Needs the release build's rooms.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys

import bound_changes
from render import include_switch, render, write

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOME = ROOT / "build" / "bounds"
RELEASE = ROOT / "build" / "release"
PROGRAM = HOME / "test_search"
TESTS, NUMBERS = "*brute*", "Squares*brute*"  # all; of changes that concern numbers alone
FEW = 400  # tables that notice most changes
SECONDS = 60  # of the processor for every 400 tables, at the most; without a change it takes a tenth

Place = collections.namedtuple("Place", ["begin", "end", "parts", "operator"])


def place_of(change, text):
    """Where the old expression stands."""
    for what, where, name in (
        (change.context, text, change.file),
        (change.old, change.context, change.context),
    ):
        if where.count(what) != 1:
            sys.exit(f"bounds: {what!r} is found {where.count(what)} times in {name}, not once")
    begin = text.index(change.context) + change.context.index(change.old)
    begin = len(text[:begin].encode())
    return Place(begin, begin + len(change.old.encode()), (change.new,), "bound")


def weave():
    """The copy of src/search, and where it differs."""
    shutil.rmtree(HOME / "src", ignore_errors=True)  # files that are gone
    by_file = collections.defaultdict(list)
    for number, change in enumerate(bound_changes.CHANGES, 1):
        by_file[change.file].append((number, place_of(change, (ROOT / change.file).read_text())))
    for file in sorted((ROOT / "src/search").glob("*.?pp")):
        name = str(file.relative_to(ROOT))
        text = file.read_bytes()
        woven = render(text, 0, len(text), by_file[name]) if name in by_file else text.decode()
        write(HOME / name, include_switch(woven) if name in by_file else woven)
    write(HOME / "src/base/mutant.hpp", (ROOT / "tools/mutants/mutant.hpp").read_text())


def compile_one(source):
    target = HOME / (source.stem + ".o")
    flags = ["-std=c++20", "-O2", "-w", "-DNDEBUG", "-DHWY_COMPILE_ONLY_STATIC"]
    folders = [f"-I{folder}" for folder in (HOME / "src", ROOT / "src", ROOT / "include", ROOT / "tests/cpp")]
    launcher = ["ccache"] if os.path.exists("/usr/bin/ccache") else []
    done = subprocess.run([*launcher, "g++", *flags, *folders, "-c", str(source), "-o", str(target)])
    if done.returncode != 0:
        sys.exit(f"bounds: {source} does not compile")
    return str(target)


def build(jobs):
    sources = [
        *sorted((HOME / "src/search").glob("*.cpp")),
        *sorted((ROOT / "tests/cpp/search").glob("*.cpp")),
    ]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        objects = list(pool.map(compile_one, sources))
    rooms = [
        str(path) for path in sorted(RELEASE.glob("src/*/libbough_room_*.a")) if "search" not in path.name
    ]
    libraries = [
        "-lgtest_main",
        "-lgtest",
        "-lhwy_contrib",
        "-lhwy",
        "-lz",
        "-lzstd",
        "-lfmt",
        "-ltbb",
        "-lpthread",
    ]
    command = [
        "g++",
        "-o",
        str(PROGRAM),
        *objects,
        "-Wl,--start-group",
        *rooms,
        "-Wl,--end-group",
        *libraries,
    ]
    if subprocess.run(command).returncode != 0:
        sys.exit("bounds: test_search does not link; run tools/build.sh release first")


def judge(number, tables):
    """What the tests say of a change (0: none): the tests that fail, or that they did not end."""
    environment = {**os.environ, "BOUGH_MUTANT": str(number), "BOUGH_TABLES": str(tables)}
    tests = NUMBERS if number and "squares" in bound_changes.CHANGES[number - 1].file else TESTS
    seconds = int(SECONDS * max(1, tables / 400))
    done = subprocess.run(
        [str(PROGRAM), f"--gtest_filter={tests}", "--gtest_fail_fast"],
        env=environment,
        capture_output=True,
        text=True,
        cwd=ROOT,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)),
    )
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "does not end"
    failed = re.search(r"\[  FAILED  \] (\S+)", done.stdout)
    table = re.search(r"table (\d+)", done.stdout)
    if failed:
        return f"{failed[1]}, table {table[1]}" if table else failed[1]
    return "" if done.returncode == 0 else f"ends with status {done.returncode}"


def settle(number, tables):
    """By few tables, and where those notice nothing that they should, by all."""
    verdict = judge(number, min(FEW, tables))
    if verdict or tables <= FEW or bound_changes.CHANGES[number - 1].sound:
        return verdict
    return judge(number, tables)


def cell(text):
    return "`" + " ".join(text.split()).replace("|", "\\|") + "`"


def page(verdicts, tables):
    changes = bound_changes.CHANGES
    sound = [n for n in verdicts if changes[n - 1].sound]
    are = "is" if len(sound) == 1 else "are"
    noticed = [n for n in verdicts if verdicts[n] and n not in sound]
    lines = [
        "# Wrong bounds and the brute-force tests",
        "",
        f"Written by `tools/mutants/bounds.py --tables {tables}`: {len(verdicts)} changes of places where",
        f"src/search computes a bound or prunes by one. {len(noticed)} of the {len(verdicts) - len(sound)}",
        f"unsound ones are noticed; {len(sound)} {are} sound after all.",
        "",
        "| file | in | becomes | noticed by |",
        "|---|---|---|---|",
    ]
    for number, verdict in sorted(verdicts.items()):
        change = changes[number - 1]
        changed = change.context.replace(change.old, change.new)
        said = verdict or (f"sound: {change.sound}" if change.sound else "**nothing**")
        name = change.file.removeprefix("src/search/")
        lines.append(f"| {name} | {cell(change.context)} | {cell(changed)} | {said} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=6000, help="tables of every test, at most")
    parser.add_argument("--only", type=int, action="append", default=[], help="this change; writes no page")
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("JOBS", "2")))
    options = parser.parse_args()
    weave()
    build(options.jobs)
    if unchanged := judge(0, min(FEW, options.tables)):
        sys.exit(f"bounds: fails without a change: {unchanged}")
    numbers = options.only or range(1, len(bound_changes.CHANGES) + 1)
    verdicts, wrong = {}, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        told = pool.map(lambda number: settle(number, options.tables), numbers)
        for number, verdict in zip(numbers, told, strict=True):
            change = bound_changes.CHANGES[number - 1]
            verdicts[number] = verdict
            if bool(verdict) == bool(change.sound):
                wrong += 1
                said = f"SOUND, BUT {verdict}" if verdict else "NOT NOTICED"
                print(f"{number:3} {change.file}: {change.context!r}: {change.old} -> {change.new}: {said}")
                sys.stdout.flush()
    if not options.only:
        (ROOT / "tools/mutants/bounds.md").write_text(page(verdicts, options.tables))
    print(f"{len(verdicts)} changes, {wrong} not as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

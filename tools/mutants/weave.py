# SPDX-License-Identifier: Apache-2.0
"""Weaves the chosen mutants into a copy of the sources and builds it: tools/mutants/weave.py [--jobs 2]

One build holds all mutants. build/mutants/src is the copy, build/mutants/mutants.json the list. Mutants that
do not compile are dropped, by the lines that the compiler names, and the rest is built again.
"""

import argparse
import collections
import dataclasses
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import places
import table
from render import include_switch, render, write

ROOT = table.ROOT
HOME = ROOT / "build" / "mutants"
COPY = HOME / "src"
BUILD = COPY / "build" / "release"  # as deep as build/release, so that ccache finds what is not mutated


def all_places():
    """Every place, kept between runs as long as the sources and the finder stay as they are."""
    wanted = [file for room in table.ROOMS for file in table.files_of(room)]
    digest = hashlib.sha256()
    for name in [*wanted, "tools/mutants/places.py"]:
        digest.update((ROOT / name).read_bytes())
    kept = HOME / "places.json"
    if kept.exists():
        content = json.loads(kept.read_text())
        if content["digest"] == digest.hexdigest():
            found = []
            for place in content["places"]:
                place["parts"] = tuple(p if isinstance(p, str) else tuple(p) for p in place["parts"])
                found.append(places.Place(**place))
            return found
    print("reading the syntax trees (some minutes)", flush=True)
    found = places.find(wanted, [name for name in wanted if name.endswith(".cpp")])
    HOME.mkdir(parents=True, exist_ok=True)
    kept.write_text(
        json.dumps({"digest": digest.hexdigest(), "places": [dataclasses.asdict(p) for p in found]})
    )
    return found


def choose(found, dropped):
    """The sample: a number per room, spread over its files, by the place's hash, one per line at most."""
    texts = {file: (ROOT / file).read_text() for file in {p.file for p in found}}
    chosen = []
    for room, (_, number, _) in table.ROOMS.items():
        queues = {}
        for file in table.files_of(room):
            ranked = {}
            for place in (p for p in found if p.file == file):
                ranked.setdefault(place.key(texts[file]), place)  # of equal lines the first
            queues[file], lines = collections.deque(), set()
            for key, place in sorted(ranked.items()):
                if place.line not in lines:
                    queues[file].append((key, place))
                lines.add(place.line)
        # Files take turns, those with many places more often.
        credit = {file: 0.0 for file in queues}
        share = {file: len(queue) ** 0.5 for file, queue in queues.items()}
        while number > 0 and any(queues.values()):
            for file in queues:
                credit[file] += share[file] if queues[file] else 0.0
            file = max((f for f in queues if queues[f]), key=lambda f: credit[f])
            credit[file] -= sum(share[f] for f in queues if queues[f])
            chosen.append(queues[file].popleft())
            number -= 1
    # Not replaced, so that what was compiled stays.
    chosen = [pair for pair in chosen if pair[0] not in dropped]
    chosen.sort(key=lambda pair: (pair[1].file, pair[1].begin, pair[1].end))
    return chosen


def included_by(folder):
    """For every source the files of the project that it includes, directly or not, and itself."""
    direct = {}
    for part in ("src", "tests/cpp", "include"):
        for file in (folder / part).rglob("*.[ch]pp"):
            names = re.findall(r'#include ["<]([\w/.-]+)[">]', file.read_text(errors="replace"))
            direct[str(file.relative_to(folder))] = {
                f"{root}/{name}"
                for name in names
                for root in ("src", "tests/cpp", "include")
                if (folder / root / name).exists()
            }
    closed = {}
    for name in direct:
        seen, todo = {name}, [name]
        while todo:
            for lower in direct.get(todo.pop(), ()):
                if lower not in seen:
                    seen.add(lower)
                    todo.append(lower)
        closed[name] = seen
    return closed


def write_copy(chosen):
    for part in (
        "CMakeLists.txt",
        "CMakePresets.json",
        "cmake",
        "include",
        "src",
        "tests/cpp",
        "docs",
        "tools",
    ):
        source = ROOT / part
        files = [source] if source.is_file() else [f for f in source.rglob("*") if f.is_file()]
        for file in files:
            target = COPY / file.relative_to(ROOT)
            if target.suffix in (".cpp", ".hpp") and str(file.relative_to(ROOT)) in {
                p.file for _, p in chosen
            }:
                continue
            if not target.exists() or target.read_bytes() != file.read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target)
    here = pathlib.Path(__file__).parent
    write(COPY / "src/base/mutant.hpp", (here / "mutant.hpp").read_text())
    write(COPY / "tests/cpp/listener.cpp", (here / "listener.cpp").read_text())
    by_file = collections.defaultdict(list)
    for number, (_, place) in enumerate(chosen, 1):
        by_file[place.file].append((number, place))
    for file, mutants in by_file.items():
        text = (ROOT / file).read_bytes()
        write(COPY / file, include_switch(render(text, 0, len(text), mutants)))
    rooms = (ROOT / "cmake/rooms.cmake").read_text()
    plain = "add_executable(test_${name})"
    if plain not in rooms:
        sys.exit("mutants: cmake/rooms.cmake does not make its test programs as expected")
    write(
        COPY / "cmake/rooms.cmake",
        rooms.replace(plain, plain[:-1] + " ${PROJECT_SOURCE_DIR}/tests/cpp/listener.cpp)"),
    )
    cmake = (ROOT / "CMakeLists.txt").read_text() + build_options(set(by_file))
    write(COPY / "CMakeLists.txt", cmake)


def build_options(mutated):
    """What must be compiled anew is optimised a little only, and for few instruction sets."""
    lines = ["", "# Files that see mutants."]
    for name, lower in sorted(included_by(COPY).items()):
        if not name.endswith(".cpp") or not lower & mutated:
            continue
        room = pathlib.PurePath(name).parts
        if room[0] == "src" and room[1] in (
            "base",
            "data",
            "criterion",
            "split",
            "predict",
            "grow",
            "prune",
            "quinlan",
            "search",
            "model",
        ):
            target = f"bough_room_{room[1]}"
        elif room[0] == "tests" and room[2] in table.PROGRAMS:
            target = f"test_{room[2]}"
        else:
            continue
        cool = room[1] in ("model", "quinlan") or room[0] == "tests"
        cool = cool or any(fnmatch.fnmatch(name, left) for left in table.LEFT_OUT if "fast_" not in left)
        lines.append(
            f"set_source_files_properties({name} TARGET_DIRECTORY {target} PROPERTIES COMPILE_OPTIONS"
        )
        lines.append(f'  "{"-O0" if cool else "-O1"};-w" COMPILE_DEFINITIONS')
        lines.append('  "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4|HWY_AVX3|HWY_AVX3_DL)")')
    return "\n".join(lines) + "\n"


def build(jobs, chosen):
    """Builds the programs; the keys of the mutants on lines that the compiler complains about."""
    if not (BUILD / "build.ninja").exists():
        options = [
            "-DBOUGH_CLI=OFF",
            "-DBOUGH_EMBED=OFF",
            "-DBOUGH_EXAMPLES=OFF",
            "-DBOUGH_INSTALL=OFF",
            "-DBOUGH_PYTHON=OFF",
            "-DBOUGH_BENCH=OFF",
        ]
        subprocess.run(
            ["cmake", "--preset", "release", *options], cwd=COPY, check=True, stdout=subprocess.DEVNULL
        )
    targets = [f"test_{name}" for name in table.PROGRAMS]
    done = subprocess.run(
        ["ninja", "-C", BUILD, f"-j{jobs}", "-k0", *targets], capture_output=True, text=True
    )
    (HOME / "build.log").write_text(done.stdout + done.stderr)
    if done.returncode == 0:
        return set()
    lines = {}
    for key, place in chosen:
        first = place.line + 1  # the include of the switch
        text = (ROOT / place.file).read_bytes()
        for line in range(first, first + text[place.begin : place.end].count(b"\n") + 1):
            lines.setdefault((place.file, line), set()).add(key)
    bad = set()
    for name, line in re.findall(r"([\w/.-]+\.[ch]pp):(\d+):\d+:", done.stdout):
        file = name[name.rfind("/src/src/") + 5 :] if "/src/src/" in name else re.sub(r"^(\.\./)+", "", name)
        bad |= lines.get((file, int(line)), set()) if "error" in done.stdout else set()
    if not bad:
        sys.exit(f"mutants: the copy does not build, and no mutant is named (see {HOME / 'build.log'})")
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", default=os.environ.get("JOBS", "2"))
    parser.add_argument("--write-only", action="store_true", help="write the copy, build nothing")
    options = parser.parse_args()
    kept = HOME / "dropped.json"
    dropped = set(json.loads(kept.read_text())) if kept.exists() else set()
    found = all_places()
    print(f"{len(found)} places in {len({p.file for p in found})} files", flush=True)
    while True:
        chosen = choose(found, dropped)
        write_copy(chosen)
        write_list(chosen)
        if options.write_only:
            return
        bad = build(options.jobs, chosen)
        if not bad:
            break
        dropped |= bad
        kept.write_text(json.dumps(sorted(dropped)))
        print(f"{len(bad)} mutants do not compile and are dropped", flush=True)
    print(f"{len(chosen)} mutants in one build, {len(dropped)} dropped")


def write_list(chosen):
    rows = []
    for number, (key, place) in enumerate(chosen, 1):
        text = (ROOT / place.file).read_bytes()
        original = text[place.begin : place.end].decode()
        rows.append(
            {
                "number": number,
                "key": key,
                "room": table.room_of(place.file),
                "file": place.file,
                "line": place.line,
                "original": " ".join(original.split()),
                "change": place.change,
            }
        )
    (HOME / "mutants.json").write_text(json.dumps(rows, indent=0))


if __name__ == "__main__":
    main()

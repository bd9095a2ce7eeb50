# SPDX-License-Identifier: Apache-2.0
"""Runs what takes hours in parts that can be resumed, and says at the end what was seen.

    tools/parts.py test-long                 every part that has not passed on this commit yet
    tools/parts.py test-long --part 3/8      the third of eight shares of the parts
    tools/parts.py bench --part ordinary     parts by name (several: separated by commas)
    tools/parts.py fuzz --list               the parts, their time limits and what is known of them
    tools/parts.py fuzz --from TABLE         what packed targets printed elsewhere (fuzz/bundle.sh)

    tools/parts.py page                      writes what the last whole runs saw into docs/engineer/release.md

Kinds: test-long, bench, mutants, fuzz. A part that passed on the same sources (SOURCES below; pages and
results are none) is not run again unless --again is given; its log is build/parts/KIND/PART.log. Shares may
run side by side. A part that takes longer than its limit is ended and counts as failed; limits are for a
quiet machine with two cores, SLOWER=4 allows four times as much. What was seen of each part is kept in
bench/results/runs.json, which is committed: another machine with the same sources goes on from there. On the
page, a run of sources that have changed since is marked as stale (tests/repo/test_runs.py).
"""

import argparse
import datetime
import hashlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = str(ROOT / ".venv/bin/python")
MINUTE = 60
SLOWER = float(os.environ.get("SLOWER", "1"))

# Minutes that all parts of a kind may take together.
MOST = {"test-long": 120, "bench": 60, "mutants": 120}
# Minutes that a part may take; those that are not named: one.
LIMITS = {
    "test-long": {
        "build": 8,
        "ctest-search_long": 4,
        "ctest-hostile_long": 3,
        "ctest-study_long": 2,
        "ctest-builds_full": 3,
        "ctest-memory_full": 5,
        "tsan": 4,
        "instruction-sets": 6,
        "cli-deep": 4,
        "docs-engineer": 2,
        "exports-sql": 3,
        "peers-weka_j48": 2,
        "python-deep": 3,
        "report-every_page": 4,
        "install-aarch64": 8,
        "install-dist": 4,
        "install-same_bytes": 3,
        "install-versions": 3,
        "install-wheel": 3,
    },
    "bench": {
        "targets": 15,
        "curves": 5,
        "micro": 3,
        "ordinary": 6,
        "small": 8,
        "forests": 10,
        "accuracy": 5,
        "scale": 5,
        "load": 3,
    },
    "mutants": {
        "weave": 25,
        "base": 4,
        "criterion": 12,
        "split": 45,
        "search": 9,
        "grow": 8,
        "prune": 8,
        "predict": 8,
        "report": 1,
    },
}


@dataclass(frozen=True)
class Part:
    name: str
    command: list[str]
    # In seconds; 0: as LIMITS has it.
    limit: float = 0
    # Of every share: what is made before the others, or told after them.
    needed: bool = False

    def seconds(self, kind: str) -> float:
        return SLOWER * (self.limit or MINUTE * LIMITS[kind].get(self.name, 1))


def shell(text: str) -> list[str]:
    return ["bash", "-o", "pipefail", "-c", text]


def output(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def ctest_names(label: str) -> list[str]:
    told = output("ctest", "--test-dir", "build/release", "-N", "-L", f"^{label}$")
    return re.findall(r"Test +#\d+: (\S+)", told)


def long_test_files() -> list[str]:
    told = subprocess.run(
        [PYTHON, "-m", "pytest", "tests", "-m", "long", "--collect-only", "-q"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    ).stdout
    return sorted(
        {line.split("::")[0] for line in told.splitlines() if "::" in line and " " not in line.split("::")[0]}
    )


def test_long() -> Iterator[Part]:
    yield Part("build", shell("tools/build.sh release all bough_tests && tools/package.sh"), needed=True)
    for name in ctest_names("long"):
        yield Part(
            f"ctest-{name}",
            ["ctest", "--test-dir", "build/release", "--output-on-failure", "-R", f"^{name}$"],
        )
    yield Part("tsan", ["tools/test.sh", "tsan"])
    yield Part("instruction-sets", ["tools/test.sh", "instruction-sets"])
    for path in long_test_files():
        name = path.removeprefix("tests/").removesuffix(".py").replace("/", "-").replace("test_", "")
        yield Part(name, [PYTHON, "-m", "pytest", path, "-q", "-m", "long", "-rs"])


def bench() -> Iterator[Part]:
    suites = re.search(r"for part in ([\w ]+);", (ROOT / "bench/run.sh").read_text(encoding="utf-8"))
    assert suites, "bench/run.sh lists its suites"
    for suite in suites[1].split():
        yield Part(suite, ["bench/run.sh", suite])


def mutants() -> Iterator[Part]:
    yield Part(
        "weave",
        shell(f"{PYTHON} tools/mutants/weave.py && tools/mutants/bundle.sh"),
        needed=True,
    )
    listed = ROOT / "build/mutants/run/mutants"
    rooms = (
        {line.split()[2] for line in listed.read_text(encoding="utf-8").splitlines()}
        if listed.exists()
        else set()
    )
    for room in sorted(rooms):
        yield Part(room, shell(f"ONLY={room} build/mutants/run/run.sh"))
    yield Part("report", [PYTHON, "tools/mutants/report.py"], needed=True)


def fuzz() -> Iterator[Part]:
    targets = re.search(r"\|\| set -- ([\w ]+)", (ROOT / "fuzz/all.sh").read_text(encoding="utf-8"))
    assert targets, "fuzz/all.sh lists its targets"
    seconds = int(os.environ.get("SECONDS_EACH", "60"))
    for target in targets[1].split():
        yield Part(target, ["fuzz/all.sh", str(seconds), target], seconds + 10 * MINUTE)


KINDS = {"test-long": test_long, "bench": bench, "mutants": mutants, "fuzz": fuzz}


def told(log: Path) -> str:
    """The line of a log that says most: pytest's or ctest's last count, else its last line."""
    lines = [
        line.strip()
        for line in log.read_text(encoding="utf-8", errors="replace").splitlines()
        if line.strip()
    ]
    counts = [line for line in lines if re.search(r"\d+ (passed|failed|skipped)|tests passed", line)]
    return (counts or lines or ["(nothing)"])[-1].strip("= ")[:100]


def run(part: Part, limit: float, log: Path) -> tuple[str, float]:
    begin = time.monotonic()
    with log.open("w", encoding="utf-8") as out:
        out.write(f"$ {shlex.join(part.command)}\n")
        out.flush()
        process = subprocess.Popen(
            part.command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            status = process.wait(limit)
            result = "ok" if status == 0 else f"failed (status {status})"
        except subprocess.TimeoutExpired:
            result = f"failed (longer than {limit:.0f} s)"
        finally:
            # What a part has started ends with it, Ctrl-C included.
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    return result, time.monotonic() - begin


def chosen(parts: list[Part], which: str | None) -> list[Part]:
    if which is None:
        return parts
    share = re.fullmatch(r"(\d+)/(\d+)", which)
    if share:
        k, n = int(share[1]), int(share[2])
        if not 1 <= k <= n:
            sys.exit(f"parts: --part {which}: the first number goes from 1 to {n}")
        rest = [part.name for part in parts if not part.needed]
        mine = rest[k - 1 :: n]
        return [part for part in parts if part.needed or part.name in mine]
    names = which.split(",")
    unknown = set(names) - {part.name for part in parts}
    if unknown:
        sys.exit(
            f"parts: no part {', '.join(sorted(unknown))}; there are {', '.join(part.name for part in parts)}"
        )
    return [part for part in parts if part.name in names]


RUNS = ROOT / "bench/results/runs.json"
PAGE = ROOT / "docs/engineer/release.md"
BEGIN, END = "<!-- tools/parts.py writes from here -->\n", "<!-- to here -->\n"
# What a result depends on; pages and results do not change it.
SOURCES = ["src", "include", "cli", "python", "cmake", "CMakeLists.txt", "CMakePresets.json"]
ALSO = {
    "test-long": ["tests"],
    "bench": ["bench/*.py", "bench/*.cpp"],
    "mutants": ["tests/cpp", "tools/mutants/*.py", "tools/mutants/*.hpp", "tools/mutants/*.cpp"],
    "fuzz": ["fuzz"],
}


def sources(kind: str) -> tuple[str, str]:
    """The commit, with a + if sources of this kind differ from it; and a hash of those sources."""
    paths = [*SOURCES, *ALSO[kind]]
    changed = output("git", "diff", "HEAD", "--", *paths)
    changed += output("git", "ls-files", "--others", "--exclude-standard", "--", *paths)
    files = output("git", "ls-files", "--stage", "--", *paths)
    commit = output("git", "rev-parse", "--short=12", "HEAD").strip()
    return commit + ("+" if changed else ""), hashlib.sha256((files + changed).encode()).hexdigest()[:16]


def all_runs() -> dict[str, dict]:
    return json.loads(RUNS.read_text(encoding="utf-8")) if RUNS.exists() else {}


def keep(kind: str, at: str, key: str, seen: dict[str, dict], n_parts: int) -> None:
    """Writes what was seen of the parts of a kind on these sources, one file for all kinds, and the page."""
    today = datetime.date.today().isoformat()
    runs = all_runs() | {
        kind: {"commit": at, "sources": key, "date": today, "n_parts": n_parts, "parts": seen}
    }
    RUNS.write_text(json.dumps(runs, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    PAGE.write_text(with_runs(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def is_stale(kind: str, at: str) -> bool:
    """Whether sources have changed since; a commit that this clone does not have counts as changed."""
    command = ["git", "diff", "--quiet", at.split("+")[0], "--", *SOURCES, *ALSO[kind]]
    return subprocess.run(command, cwd=ROOT, capture_output=True).returncode != 0


def runs_table() -> str:
    runs = all_runs()
    lines = ["| command | commit | date | parts passed | minutes | not passed |", "|---|---|---|---|---|---|"]
    for kind in KINDS:
        if kind not in runs:
            lines.append(f"| `make {kind}` | **never run** | | | | |")
            continue
        at, parts, n_parts = runs[kind]["commit"], runs[kind]["parts"], runs[kind]["n_parts"]
        rest = sorted(name for name, one in parts.items() if one["result"] != "ok")
        if len(parts) < n_parts:
            rest.append(f"**{n_parts - len(parts)} not run yet**")
        n_good = sum(one["result"] == "ok" for one in parts.values())
        commit = f"{at} (**stale**: sources have changed)" if is_stale(kind, at) else at
        minutes = sum(one["seconds"] for one in parts.values()) / MINUTE
        lines.append(
            f"| `make {kind}` | {commit} | {runs[kind]['date']} | {n_good} of {n_parts} "
            f"| {minutes:.0f} | {', '.join(rest)} |"
        )
    return "\n".join(lines) + "\n"


def with_runs(page: str) -> str:
    before, rest = page.split(BEGIN)
    return before + BEGIN + runs_table() + END + rest.split(END, 1)[1]


def recalled(kind: str, key: str) -> dict[str, dict]:
    """What is remembered of parts that ran on these sources."""
    known = all_runs().get(kind, {})
    return known["parts"] if known.get("sources") == key else {}


def ran_elsewhere(table: Path, key: str) -> dict[str, dict]:
    """The table of packed fuzz targets (fuzz/bundled.sh), which names the sources that it is of."""
    lines = table.read_text(encoding="utf-8").splitlines()
    head = re.fullmatch(r"sources (\w+), (\d+) s, (\d+) cores", lines[0]) if lines else None
    if not head:
        sys.exit(f"parts: {table} does not begin with the sources, seconds and cores of a packed run")
    if head[1] != key:
        sys.exit(f"parts: {table} is of other sources ({head[1]}) than those checked out ({key})")
    seen = {}
    for line in lines[2:]:
        if " MB " not in line:
            continue
        target, count, rate, rss, _, slowest, broken = line.split()
        seen[target] = {
            "result": "ok" if broken == "0" else f"failed ({broken} inputs)",
            "seconds": float(head[2]),
            "told": f"{target} {count} executions, {rate} a second, {rss} MB, {slowest} s, {head[3]} cores",
        }
    return seen


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=[*KINDS, "page"])
    parser.add_argument("--part", help="3/8, or names separated by commas")
    parser.add_argument(
        "--again", action="store_true", help="run parts again that have passed on these sources"
    )
    parser.add_argument("--list", action="store_true", help="only list the parts")
    parser.add_argument("--from", dest="table", type=Path, help="fuzz: the table of a run elsewhere")
    parser.add_argument("--sources", action="store_true", help="only print the hash of the sources")
    options = parser.parse_args()
    if options.kind == "page":
        PAGE.write_text(with_runs(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
        return 0

    at, key = sources(options.kind)
    if options.sources:
        print(key)
        return 0
    folder = ROOT / "build/parts" / options.kind
    folder.mkdir(parents=True, exist_ok=True)
    seen = recalled(options.kind, key)
    if options.table:
        seen |= ran_elsewhere(options.table, key)

    def attempt(part: Part, place: str) -> bool:
        print(f"{place} {part.name} ...", flush=True)
        log = folder / f"{part.name}.log"
        result, seconds = run(part, part.seconds(options.kind), log)
        # Another share may have added its parts in the meantime.
        seen.update(recalled(options.kind, key))
        seen[part.name] = {"result": result, "seconds": round(seconds, 1), "told": told(log)}
        keep(options.kind, at, key, seen, len(every))
        print(f"{place} {part.name}: {result}, {seconds:.0f} s: {seen[part.name]['told']}", flush=True)
        return result == "ok"

    # What the others need comes first: which others there are may only be known after it.
    listed = KINDS[options.kind]()
    first = next(listed)
    every = [first]
    if (
        first.needed
        and not options.list
        and seen.get(first.name, {}).get("result") != "ok"
        and not attempt(first, "[first]")
    ):
        print(f"parts: the others need {first.name}; see {folder.relative_to(ROOT)}/{first.name}.log")
        return 1
    every += listed
    minutes = sum(part.seconds(options.kind) for part in every) / MINUTE
    if minutes > SLOWER * MOST.get(options.kind, minutes):
        sys.exit(f"parts: the limits of {options.kind} add up to {minutes:.0f} minutes: too many")
    parts = chosen(every, options.part)
    if options.list:
        for part in parts:
            known = seen.get(part.name, {}).get("result", "not run")
            print(f"{part.name:28} at most {part.seconds(options.kind) / MINUTE:3.0f} min  {known}")
        print(f"{'all':28} at most {minutes:3.0f} min")
        return 0
    for i, part in enumerate(parts, 1):
        if not options.again and seen.get(part.name, {}).get("result") == "ok":
            print(f"[{i}/{len(parts)}] {part.name}: passed before on {at}", flush=True)
            continue
        attempt(part, f"[{i}/{len(parts)}]")

    print(f"\n{options.kind} on {at}\n{'part':28} {'seconds':>8}  result")
    for part in parts:
        one = seen.get(part.name, {"result": "not run", "seconds": 0.0, "told": ""})
        print(f"{part.name:28} {one['seconds']:8.0f}  {one['result']}: {one['told']}")
    good = sum(seen.get(part.name, {}).get("result") == "ok" for part in parts)
    print(f"{good} of {len(parts)} parts passed, {sum(one['seconds'] for one in seen.values()):.0f} s in all")
    if options.kind == "fuzz":
        # The line of a target (fuzz/all.sh): its name and how many executions.
        counts = [re.match(r"\w+ +(\d+) ", seen.get(part.name, {}).get("told", "")) for part in parts]
        print(f"{sum(int(count[1]) for count in counts if count):,} executions in all")
    if seen:
        keep(options.kind, at, key, seen, len(every))
    return 0 if good == len(parts) else 1


if __name__ == "__main__":
    sys.exit(main())

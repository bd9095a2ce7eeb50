# SPDX-License-Identifier: Apache-2.0
"""The page of the long runs says what bench/results/runs.json holds, and which of it is stale."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load():
    spec = importlib.util.spec_from_file_location("parts", ROOT / "tools/parts.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["parts"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(name="parts")
def fixture_parts():
    return load()


def git(folder, *words):
    named = ["-c", "user.name=a", "-c", "user.email=a@b"]
    done = subprocess.run(["git", *named, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_the_page_has_the_last_runs_and_marks_stale_ones(parts):
    if not (ROOT / ".git").exists():
        pytest.skip("no history to compare with")
    page = parts.PAGE.read_text(encoding="utf-8")
    assert page == parts.with_runs(page), "run tools/parts.py page"


def test_a_run_is_stale_once_its_sources_change_and_not_for_pages(parts, tmp_path, monkeypatch):
    git(tmp_path, "init", "-q")
    for name in ["src/a.cpp", "fuzz/b.cpp", "docs/c.md"]:
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("1")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    at = git(tmp_path, "rev-parse", "--short=12", "HEAD")
    monkeypatch.setattr(parts, "ROOT", tmp_path)
    assert not parts.is_stale("fuzz", at)
    (tmp_path / "docs/c.md").write_text("2")
    assert not parts.is_stale("fuzz", at)
    (tmp_path / "fuzz/b.cpp").write_text("2")
    assert parts.is_stale("fuzz", at)
    assert not parts.is_stale("mutants", at)
    (tmp_path / "src/a.cpp").write_text("2")
    assert parts.is_stale("mutants", at)
    assert parts.is_stale("mutants", "0123456789ab")


def test_the_table_counts_parts_and_names_those_that_failed(parts, tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "RUNS", tmp_path / "runs.json")
    monkeypatch.setattr(parts, "PAGE", tmp_path / "page.md")
    monkeypatch.setattr(parts, "is_stale", lambda kind, at: kind == "fuzz")
    (tmp_path / "page.md").write_text(f"before\n{parts.BEGIN}old\n{parts.END}after\n")
    told = {"result": "ok", "seconds": 90.0, "told": ""}
    failed = {**told, "result": "failed (status 1)"}
    parts.keep("fuzz", "abc", "5eed", {"csv": told, "arff": failed}, 3)
    page = (tmp_path / "page.md").read_text()
    assert page.startswith("before\n") and page.endswith("after\n") and "old" not in page
    assert "| `make bench` | **never run** |" in page
    assert "| abc (**stale**: sources have changed) |" in page
    assert "| 1 of 3 | 3 | arff, **1 not run yet** |" in page


def test_what_another_machine_saw_of_the_same_sources_is_remembered(parts, tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "RUNS", tmp_path / "runs.json")
    monkeypatch.setattr(parts, "PAGE", tmp_path / "page.md")
    monkeypatch.setattr(parts, "is_stale", lambda kind, at: False)
    (tmp_path / "page.md").write_text(f"{parts.BEGIN}{parts.END}")
    assert parts.recalled("bench", "5eed") == {}
    told = {"result": "ok", "seconds": 90.0, "told": ""}
    parts.keep("bench", "abc", "5eed", {"micro": told}, 9)
    assert parts.recalled("bench", "5eed") == {"micro": told}
    assert parts.recalled("bench", "0ther") == {}
    assert parts.recalled("fuzz", "5eed") == {}


def test_shares_divide_the_parts_and_keep_what_is_needed(parts):
    every = [parts.Part("build", ["true"], needed=True)] + [parts.Part(name, ["true"]) for name in "abcde"]
    shares = [[part.name for part in parts.chosen(every, f"{k}/2")] for k in (1, 2)]
    assert shares == [["build", "a", "c", "e"], ["build", "b", "d"]]
    assert [part.name for part in parts.chosen(every, "d,a")] == ["a", "d"]
    with pytest.raises(SystemExit, match="from 1 to 2"):
        parts.chosen(every, "3/2")
    with pytest.raises(SystemExit, match="no part f"):
        parts.chosen(every, "f")


def test_pages_leave_what_is_remembered_of_the_parts(parts, tmp_path, monkeypatch):
    git(tmp_path, "init", "-q")
    for name in ["src/a.cpp", "docs/c.md"]:
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("1")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    monkeypatch.setattr(parts, "ROOT", tmp_path)
    first, key = parts.sources("bench")
    (tmp_path / "docs/c.md").write_text("2")
    git(tmp_path, "commit", "-qam", "page")
    second, same = parts.sources("bench")
    assert (first != second, key) == (True, same)
    (tmp_path / "src/a.cpp").write_text("2")
    at, other = parts.sources("bench")
    assert (at, other != key) == (second + "+", True)
    git(tmp_path, "commit", "-qam", "source")
    assert parts.sources("bench")[1] not in (key, other)


def test_targets_that_were_fuzzed_elsewhere_count_if_the_sources_are_the_same(parts, tmp_path):
    table = tmp_path / "table"
    table.write_text(
        "sources abc1, 330 s, 16 cores\n"
        "target         executions      per_s   peak_rss slowest_s   broken\n"
        "csv               1234567       3741      90 MB        0        0\n"
        "rules                 100          0      80 MB        1        2\n"
        "all               1234667       3741\n"
        "      2 SUMMARY: AddressSanitizer: heap-use-after-free\n"
    )
    seen = parts.ran_elsewhere(table, "abc1")
    assert {name: one["result"] for name, one in seen.items()} == {"csv": "ok", "rules": "failed (2 inputs)"}
    assert seen["csv"]["told"].startswith("csv 1234567 executions")
    assert seen["csv"]["seconds"] == 330
    with pytest.raises(SystemExit, match=r"other sources \(abc1\)"):
        parts.ran_elsewhere(table, "abc2")
    table.write_text("nothing\n")
    with pytest.raises(SystemExit, match="does not begin"):
        parts.ran_elsewhere(table, "abc1")

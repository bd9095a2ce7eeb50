# SPDX-License-Identifier: Apache-2.0
"""Files are replaced whole or not at all: kills, full disks, folders and files that may not be written to."""

import os
import random
import re
import resource
import signal
import subprocess
import time

import pytest

SEED = int(os.environ.get("BOUGH_SEED", "20261115"))
STRAY = re.compile(r".*\.tmp-\d+-\d+")


@pytest.fixture(scope="module")
def noise(tmp_path_factory):
    """A table whose tree has thousands of nodes."""
    draw = random.Random(7)
    rows = [f"{draw.random():.6f},{draw.random():.6f},{draw.choice('ab')}" for _ in range(8000)]
    path = tmp_path_factory.mktemp("noise") / "noise.csv"
    path.write_text("x,z,y\n" + "\n".join(rows) + "\n")
    return path


def killed(desk, words, after):
    """Starts the program and kills it; whether it was still running."""
    process = desk.start(*words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(after)
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


def kill_often(desk, noise, kills):
    """Kills training and exporting at random moments; prints what was there afterwards."""
    draw = random.Random(SEED)
    desk.ok("train", noise, "-t", "y", "-o", "big.bough", "--holdout", "0", "--max-depth", "14")
    jobs = {
        "m.bough": ("train", noise, "-t", "y", "-o", "m.bough", "--holdout", "0"),
        "m.json": ("export", "big.bough", "--to", "json", "-o", "m.json"),
        "m.c": ("export", "big.bough", "--to", "c", "-o", "m.c"),
    }
    new, took = {}, {}
    for name, words in jobs.items():
        start = time.monotonic()
        desk.ok(*words)
        took[name] = time.monotonic() - start
        new[name] = desk.path(name).read_bytes()
    names = desk.names()
    hits = tries = saw_new = strays = 0
    while hits < kills:
        tries += 1
        assert tries < 30 * kills, "the program is never there to be killed"
        name = list(jobs)[tries % len(jobs)]
        desk.write(name, b"old " * 2000)
        # Half of the moments in the last part, in which files are written; loads change how long jobs take.
        moment = draw.uniform(0.0 if tries % 2 else 0.8, 1.0)
        hit = killed(desk, jobs[name], moment * took[name])
        took[name] *= 1.05 if hit else 0.9
        hits += hit
        there = desk.path(name).read_bytes()
        assert there in (b"old " * 2000, new[name]), f"{name} is neither old nor new after a kill"
        saw_new += hit and there == new[name]
        left = [n for n in desk.names() if n not in names]
        assert all(STRAY.fullmatch(n) for n in left), left
        strays += len(left)
        for n in left:
            desk.path(n).unlink()
    print(f"\n{kills} kills of running commands: {saw_new} times the new file was there, {strays} left over")


def test_a_killed_command_leaves_the_old_file_or_the_new_one(desk, noise):
    kill_often(desk, noise, 6)


@pytest.mark.long
def test_a_command_killed_at_a_hundred_moments_leaves_the_old_file_or_the_new_one(desk, noise):
    kill_often(desk, noise, 100)


OUTPUTS = {
    "train": ("train", "t.csv", "-t", "y", "-o"),
    "export": ("export", "m.bough", "--to", "json", "-o"),
    "predict": ("predict", "m.bough", "t.csv", "-o"),
    "report": ("report", "m.bough", "--data", "t.csv", "-o"),
    "plot": ("plot", "m.bough", "-o"),
    "rules": ("rules", "m.bough", "-o"),
    "schema": ("schema", "t.csv", "-o"),
    "prune": ("prune", "m.bough", "--alpha", "0.01", "-o"),
}
ENDINGS = {
    "plot": "out.svg",
    "report": "out.html",
    "rules": "out.json",
    "prune": "out.bough",
    "train": "out.bough",
}


@pytest.fixture
def made(desk):
    draw = random.Random(7)
    rows = [f"{draw.randint(0, 20)},{draw.choice('rgb')},{draw.choice(['yes', 'no'])}" for _ in range(300)]
    desk.write("t.csv", "a,color,y\n" + "\n".join(rows) + "\n")
    desk.ok("train", "t.csv", "-t", "y", "-o", "m.bough", "--holdout", "0")
    return desk


def limited():
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


@pytest.mark.parametrize("verb", OUTPUTS)
def test_every_output_survives_a_full_disk(made, verb):
    name = ENDINGS.get(verb, "out.txt")
    made.write(name, b"old")
    before = made.names()
    done = subprocess.run(
        [made.program, *OUTPUTS[verb], name], cwd=made.folder, env=made.options()["env"],
        preexec_fn=limited, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode not in (0, -signal.SIGXFSZ), done.stderr
    assert f"cannot write '{name}': File too large" in done.stderr
    assert made.read(name) == "old" and made.names() == before
    made.ok(*OUTPUTS[verb], name)
    assert made.read(name) != "old" if name != "out.bough" else made.path(name).read_bytes() != b"old"


def test_a_full_file_system_leaves_the_old_model(made, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16k", "none", disk], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("only root may make a small file system, and not everywhere")
    try:
        (disk / "m.json").write_text("old")
        (disk / "filler").write_bytes(bytes(8192))
        error = made.fails(5, "export", "m.bough", "--to", "json", "-o", disk / "m.json")
        assert "No space left on device" in error
        assert (disk / "m.json").read_text() == "old" and len(list(disk.iterdir())) == 2
    finally:
        subprocess.run(["umount", disk], check=True)


def as_somebody(desk, *words):
    """Runs the program as a user who is not root."""
    somebody = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    return subprocess.run(
        [desk.program, *words], cwd=desk.folder, env=desk.options()["env"], capture_output=True,
        text=True, check=False, stdin=subprocess.DEVNULL, **somebody,
    )  # fmt: skip


def open_to_all(folder):
    for path in (folder, *folder.parents):
        if os.stat(path).st_uid == os.geteuid() and path != path.parent and "tmp" in path.parts:
            path.chmod(path.stat().st_mode | 0o755)


def test_folders_and_files_that_may_not_be_written_to_keep_what_they_hold(made):
    open_to_all(made.folder)
    made.write("t.out", b"old")
    made.path("t.out").chmod(0o666)
    made.path("t.csv").chmod(0o644)
    made.path("m.bough").chmod(0o644)
    made.folder.chmod(0o555)
    try:
        if as_somebody(made, "info", "m.bough").returncode != 0:
            pytest.skip("another user cannot come here")
        done = as_somebody(made, "predict", "m.bough", "t.csv", "-o", "t.out")
        assert done.returncode == 5 and "cannot write 't.out': Permission denied" in done.stderr
        assert made.read("t.out") == "old"
        made.folder.chmod(0o777)
        made.path("t.out").chmod(0o444)
        done = as_somebody(made, "predict", "m.bough", "t.csv", "-o", "t.out")
        assert done.returncode == 5 and "cannot write 't.out': Permission denied" in done.stderr
        assert made.read("t.out") == "old"
    finally:
        made.folder.chmod(0o755)


def test_folders_links_and_devices_as_outputs(made):
    made.path("folder").mkdir()
    assert "it is a folder" in made.fails(5, "export", "m.bough", "--to", "json", "-o", "folder")
    made.write("real.json", b"old")
    made.path("link.json").symlink_to("real.json")
    os.link(made.path("real.json"), made.path("hard.json"))
    made.path("dangling.json").symlink_to("folder/new.json")
    for name in ("link.json", "dangling.json"):
        made.ok("export", "m.bough", "--to", "json", "-o", name)
        assert made.path(name).is_symlink()
    assert made.read("real.json") == made.read("folder/new.json") != "old"
    assert made.read("hard.json") == "old"  # a hard link parts: the old bytes are never touched
    assert "No space left" in made.fails(5, "export", "m.bough", "--to", "json", "-o", "/dev/full")


def test_hostile_models_end_with_an_error_that_names_the_file(made):
    good = made.path("m.bough").read_bytes()
    hostile = {
        "truncated": good[:-100],
        "altered": good[:500] + b"\xff" + good[501:],
        "newer": good[:8] + b"\x02" + good[9:],
        "not a bough model": b"a,b\n1,2\n",
        "nested deeper": b'{"a":' + b"[" * 1000,
    }
    for words, content in hostile.items():
        made.write("bad.bough", content)
        for verb in (
            ("predict", "bad.bough", "t.csv"),
            ("info", "bad.bough"),
            ("export", "bad.bough", "--to", "json"),
        ):
            error = made.fails(4, *verb)
            assert words in error and "bad.bough" in error, (verb, error)

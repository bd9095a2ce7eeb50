# SPDX-License-Identifier: Apache-2.0
"""Training from disk beside training in memory: time of every stage, rows a second, peak memory.

.venv/bin/python bench/out_of_core.py [--rows 50000000] [--depth 8] [--memory 2GB] [--format parquet]
                                      [--in-memory-rows N] [--folder DIR] [--keep]

Makes a table of 20 columns (16 of float32, one of them with missing cells, a column of small integers, a
flag and two of text) and a target of two classes in row groups, trains with `bough train --memory` and, on
the first N rows (default: all), without. Peak memory is what the system says of the whole process
(ru_maxrss). Stages come from the line of progress.
Writes bench/results/out_of_core.md."""

import argparse
import os
import pty
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

ROOT = Path(__file__).resolve().parents[1]
GROUP = 1 << 18


def batch(start, rows):
    """Rows [start, start + rows): the same whatever the number of groups."""
    rng = np.random.default_rng([7, start])
    columns = {f"x{i}": rng.standard_normal(rows, dtype=np.float32) for i in range(16)}
    for i in range(4):
        columns[f"x{i}"] = np.round(columns[f"x{i}"], 1 + i % 2)
    x = columns
    few = rng.integers(0, 12, rows, dtype=np.int32)
    flag = rng.random(rows) < 0.3
    town = rng.integers(0, 40, rows, dtype=np.int32)
    kind = rng.integers(0, 6, rows, dtype=np.int32)
    signal = (
        x["x4"]
        + x["x5"] * x["x6"]
        + 0.5 * (kind == 2)
        + 0.1 * few * flag
        - 0.3 * (town % 7)
        + np.abs(x["x7"])
    )
    noise = rng.standard_normal(rows, dtype=np.float32)
    y = np.where(signal + 0.7 * noise > 0.2, "yes", "no")
    missing = rng.random(rows) < 0.05
    arrays = {name: pa.array(values, mask=missing if name == "x7" else None) for name, values in x.items()}
    arrays["few"] = pa.array(few)
    arrays["flag"] = pa.array(flag)
    arrays["town"] = pa.DictionaryArray.from_arrays(town, [f"town {i}" for i in range(40)])
    arrays["kind"] = pa.DictionaryArray.from_arrays(kind, [f"kind {i}" for i in range(6)])
    arrays["y"] = pa.array(y).dictionary_encode()
    return pa.table(arrays)


def make(path, rows, text):
    writer = None
    for start in range(0, rows, GROUP):
        part = batch(start, min(GROUP, rows - start))
        if text:
            part = part.cast(pa.schema([(f.name, plain(f.type)) for f in part.schema]))
        if writer is None:
            kind = pa.csv.CSVWriter if text else pa.parquet.ParquetWriter
            writer = kind(path, part.schema)
        writer.write_table(part)
    writer.close()


def plain(kind):
    return pa.string() if pa.types.is_dictionary(kind) else kind


def run(words):
    """Runs the program on a terminal; gives seconds, peak bytes and the seconds of every stage."""
    stages, seen, begun = {}, None, time.perf_counter()
    last = begun
    child, terminal = pty.fork()
    if child == 0:
        os.execv(words[0], words)
    text = ""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        now = time.perf_counter()
        text = text[-4000:] + piece.decode(errors="replace")
        for name in re.findall(r"training: (\w+)", piece.decode(errors="replace")):
            if name != seen:
                stages[seen or "start"] = stages.get(seen or "start", 0.0) + now - last
                seen, last = name, now
    _, status, usage = os.wait4(child, 0)
    end = time.perf_counter()
    stages[seen or "all"] = stages.get(seen or "all", 0.0) + end - last
    if status != 0:
        sys.exit(f"{' '.join(words)}\nended with {status}\n{text}")
    return end - begun, usage.ru_maxrss * 1024, stages


def row(name, rows, seconds, peak, stages):
    parts = ", ".join(f"{stage} {took:.1f}" for stage, took in stages.items())
    return f"| {name} | {rows:,} | {seconds:.1f} | {rows / seconds / 1e3:,.0f} | {peak / 1e9:.2f} | {parts} |"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=50_000_000)
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--memory", default="2GB")
    parser.add_argument("--format", choices=["parquet", "csv"], default="parquet")
    parser.add_argument("--in-memory-rows", type=int, default=-1, help="-1: all; 0: none")
    parser.add_argument("--folder", default=tempfile.gettempdir())
    parser.add_argument("--program", default=str(ROOT / "build/release/bough"))
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--results", default=str(ROOT / "bench/results/out_of_core.md"))
    wishes = parser.parse_args()
    folder = Path(wishes.folder) / f"bough_out_of_core_{wishes.rows}"
    folder.mkdir(exist_ok=True)
    try:
        lines = measure(wishes, folder)
    finally:
        if not wishes.keep:
            shutil.rmtree(folder)
    text = "\n".join(lines) + "\n"
    print(text)
    if wishes.results:
        Path(wishes.results).write_text(text, encoding="utf-8")


def measure(wishes, folder):
    data = folder / f"data.{wishes.format}"
    if not data.exists():
        make(data, wishes.rows, wishes.format == "csv")
    model = folder / "m.bough"

    def words(path, *more):
        common = ["-t", "y", "--max-depth", str(wishes.depth), "--holdout", "0", "-o", str(model)]
        return [wishes.program, "train", str(path), *common, *more]

    scratch = ("--memory", wishes.memory, "--scratch", str(folder))
    lines = [
        "# Training from disk",
        "",
        f"Written by `bench/out_of_core.py`: {wishes.rows:,} rows of 20 columns and a target of two classes",
        f"as {wishes.format} ({data.stat().st_size / 1e9:.1f} GB), depth {wishes.depth},",
        f"{os.cpu_count()} cores.",
        "",
        "| training | rows | seconds | thousand rows/s | peak memory, GB | seconds by stage |",
        "|---|---|---|---|---|---|",
    ]
    lines.append(row(f"--memory {wishes.memory}", wishes.rows, *run(words(data, *scratch))))
    from_disk = model.read_bytes()
    few = wishes.rows if wishes.in_memory_rows < 0 else wishes.in_memory_rows
    if few == 0:
        return lines
    if few < wishes.rows:
        data = folder / f"first.{wishes.format}"
        make(data, few, wishes.format == "csv")
        lines.append(row(f"--memory {wishes.memory}", few, *run(words(data, *scratch))))
        from_disk = model.read_bytes()
    lines.append(row("in memory", few, *run(words(data))))
    same = model.read_bytes() == from_disk
    lines += ["", "The models are the same bytes." if same else "THE MODELS DIFFER."]
    return lines


if __name__ == "__main__":
    main()

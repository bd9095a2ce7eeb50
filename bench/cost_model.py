# SPDX-License-Identifier: Apache-2.0
"""What training on a cluster costs: bytes per level, rounds and time, by formulas and by a simulation.

usage: cost_model.py table [--rows N] [--columns N] [--depth N] [--results FOLDER]
       cost_model.py check TRACE --rows N --columns N --workers N [--classes K] [--depth N] ...

`table` writes cost_model.md, cost_model.csv and cost_model.json (docs/scale.md shows the first). `check`
sets the bytes of a fit's trace (`trace_` of bough.dask, as CSV of a frame or as JSON) beside those of the
formulas, level by level, and ends with status 1 when those of the histograms are off by more than --slack.

The rounds of a fit, as src/scale makes them; a request goes to every worker, answers are merged eight by
eight:

  describe, measure   facts and fixed points: some hundred bytes, once
  count               histograms; of two children only the smaller one travels
  collect             for the buckets whose bound reaches the best cut so far. Where those of a column of a
                      node hold more than 2^15 cells, first counts of their parts (128 of equal width in
                      each; rounds of `parts` here), then cells of parts still alive; else the cells at once
  regroup             rows of nodes small enough for one worker, once each, all to all
  sums                what leaves know
"""

import argparse
import math
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
FAN_IN = 8  # answers that are merged in one task, or by the driver
COUNT_SHARE = 0.35  # of the time of a level in memory: only smaller children are counted (0.31 on 5M x 28)


@dataclass(frozen=True)
class Job:
    """What is trained. The `alive_` numbers are fitted to one fit of 5M x 28 made rows, depth 8 (cluster.py),
    and depend on the data: the first three to its levels 0 to 4, where most nodes were counted by parts, the
    last to the levels below."""

    rows: float = 1e9
    columns: int = 100
    classes: int = 2  # 0: one number target
    depth: int = 8  # levels of splits
    trees: int = 1
    buckets: float = 256  # per column, one for missing cells included
    cell_bytes: int = 4  # float32
    gather_bytes: float = 2**26  # rows of a node that one worker may finish
    most_cells: float = 2**15  # of a column of a node that are sent without counting parts
    parts: int = 128  # of an alive bucket
    histogram_room: float = 2**28  # bytes of histograms that the driver holds at a time
    alive_columns: float = 1.5  # of a node: those with buckets that may hold the best cut
    alive_buckets: float = 27  # of such a column
    alive_after_parts: float = 0.004  # cells per row of nodes that were counted by parts
    alive_cells: float = 0.28  # cells per row of smaller nodes
    open_share: float = 1.0  # nodes of a level over twice those above
    cells_at_once: float = 2**24  # of one round

    def bucket_bytes(self):
        """Of one bucket in a histogram without weights (src/split/histogram/layouts.hpp)."""
        if self.classes == 0:
            return 16
        return 8 if self.classes == 2 else 4 * self.classes

    def histogram(self):
        return self.columns * self.buckets * self.bucket_bytes()

    def part_bytes(self):
        """Counts of the parts of one node."""
        return self.alive_columns * self.alive_buckets * self.parts * self.bucket_bytes()

    def is_parted(self, rows):
        """Whether the alive buckets of a column of a node of so many rows are counted by parts."""
        return rows * self.alive_buckets / self.buckets > self.most_cells

    def cell(self):
        """One collected cell with its target."""
        return self.cell_bytes + (1 if self.classes else 8)

    def row(self):
        """A row that travels whole."""
        return self.columns * self.cell_bytes + (4 if self.classes else 8)

    def leaf(self):
        return 5 + 3 * self.classes if self.classes else 120

    def stored_row(self):
        """A row of a block: codes by column and by row, cells, target."""
        return self.columns * (2 + self.cell_bytes) + (4 if self.classes else 8)


@dataclass(frozen=True)
class Cluster:
    workers: int = 64
    threads: int = 16  # of one worker
    bandwidth: float = 1e9  # bytes per second into one machine
    latency: float = 0.05  # seconds of a round without work
    per_task: float = 0.0005  # seconds of the scheduler for one task
    merge: float = 2e9  # bytes of answers per second: unpacked, added, packed again
    decide_bucket: float = 1.0e-9  # seconds of the driver for one bucket, or one part, of one node
    decide_cell: float = 6e-9  # seconds of the driver for one collected cell
    part_ns: float = 12.0  # one row of one alive column: looked at and counted, one thread
    pick_ns: float = 4.0  # the same for cells of alive parts
    spread: float = 0.1  # of the workers' times, as a standard deviation of their logarithms

    def element_ns(self):
        """One cell, one level: the fit of 10M x 28, depth 8, over cells and levels (results/scale.csv)."""
        known = {1: 1.87, 2: 1.25, 4: 0.71, 8: 0.415, 16: 0.285}
        lower = max(t for t in known if t <= self.threads)
        return known[lower] * lower / min(self.threads, 16)

    def hops(self):
        """Answers that travel in a round, by merge: [those of workers, those of the first merges, ...]."""
        out, n = [], self.workers
        while n > FAN_IN:
            out.append(n)
            n = math.ceil(n / FAN_IN)
        return [*out, n]

    def slowest(self):
        """Expected time of the slowest worker over that of a usual one."""
        return math.exp(self.spread * math.sqrt(2 * math.log(max(1, self.workers))))


@dataclass
class Round:
    phase: str
    level: int
    nodes: float
    request: float = 0.0  # bytes to all workers
    answer: float = 0.0  # bytes of one worker's answer
    merged: float = 0.0  # bytes of all answers as one
    moved: float = 0.0  # bytes between machines: requests not counted
    local: float = 0.0  # seconds of work on a usual worker
    decide: float = 0.0  # seconds of the driver
    network: float = 0.0  # seconds of merging and moving on the longest way
    seconds: float = 0.0


@dataclass(frozen=True)
class Level:
    depth: int
    open: float  # nodes searched in rounds
    counted: float  # histograms that travel
    rows: float  # in those nodes
    gathered: float  # nodes that leave for one worker here
    gathered_rows: float
    turns: int = 1  # batches of nodes whose histograms fit the driver


def is_gathered(job, rows, left):
    """Whether a node leaves for one worker: its rows are fewer bytes than the histograms of its subtree, and
    not too many (src/scale/grow_level.cpp)."""
    nodes = min(2.0 ** min(left, 12), rows) - 1
    return rows * job.row() <= min(job.histogram() * nodes, job.gather_bytes)


def levels(job):
    """How a tree of this depth goes through the rounds when its nodes of a level are of one size."""
    out, nodes, above = [], 1.0, 0.0
    for depth in range(job.depth):
        rows = job.rows * job.open_share**depth
        if is_gathered(job, rows / nodes, job.depth - depth):
            out.append(Level(depth, 0, 0, 0, nodes, rows))
            break
        turns = math.ceil(nodes * job.trees * job.histogram() / job.histogram_room)
        # Where histograms of a level do not fit, none is kept for the level below: all its nodes are counted.
        out.append(
            Level(depth, nodes, 1 if depth == 0 else above if turns == 1 else nodes, rows, 0, 0, turns)
        )
        above, nodes = nodes, nodes * 2 * job.open_share
    return out


def spread_out(job, cluster, each, merged=None):
    """Bytes that travel, and seconds of the longest way, when every worker answers `each` bytes. `merged`:
    bytes of all answers together where they do not add up but follow each other."""
    moved = seconds = 0.0
    for n in cluster.hops():
        size = each if merged is None else merged / n
        moved += n * size
        seconds += min(n, FAN_IN) * size * (1 / cluster.bandwidth + 1 / cluster.merge)
    return moved, seconds


def add_round(rounds, job, cluster, phase, level, nodes, request, each, merged=None, local=0.0, decide=0.0):
    moved, network = spread_out(job, cluster, each, merged)
    network += request / cluster.bandwidth
    tasks = sum(cluster.hops()) - (cluster.hops()[-1] if len(cluster.hops()) > 1 else 0)
    seconds = cluster.latency + cluster.per_task * tasks + local * cluster.slowest() + network + decide
    rounds.append(
        Round(
            phase,
            level,
            nodes,
            request * cluster.workers,
            each,
            merged or each,
            moved,
            local,
            decide,
            network,
            seconds,
        )
    )


def plan_rounds(job, cluster):
    """All rounds of a fit; blocks are coded already."""
    rounds = []
    rows = job.rows / cluster.workers
    element = cluster.element_ns() * 1e-9
    splits = 0.0
    add_round(rounds, job, cluster, "describe", 0, 0, 60, job.columns * 37)
    for _ in range(0 if job.classes else 4):
        add_round(rounds, job, cluster, "measure", 0, 0, 150, 200, local=rows * 2e-9 / cluster.threads)
    for level in levels(job):
        request = 178 + 27 * splits * job.trees
        share = level.rows / job.rows
        if level.open:
            counted = level.counted * job.trees
            passes = rows * share * job.columns * element * job.trees
            buckets = level.open * job.trees * job.columns * job.buckets
            for _ in range(level.turns):
                add_round(
                    rounds, job, cluster, "count", level.depth, counted / level.turns,
                    request + 4 * counted / level.turns, counted / level.turns * job.histogram(),
                    local=passes * (2 if level.turns > 1 else 1) * COUNT_SHARE / level.turns,
                    decide=buckets / level.turns * cluster.decide_bucket,
                )  # fmt: skip
            collect_rounds(rounds, job, cluster, level, request)
            splits += level.open
        if level.gathered:
            rounds.append(regroup_round(job, cluster, level, request, element))
    leaves = job.trees * (splits + 1)
    add_round(
        rounds, job, cluster, "sums", job.depth, leaves, 178 + 31 * splits * job.trees, leaves * job.leaf()
    )
    return rounds


def collect_rounds(rounds, job, cluster, level, request):
    """Parts where nodes are large, then cells."""
    nodes = level.open * job.trees
    parted = job.is_parted(level.rows / level.open)
    # A column of a node is one thread's, and so is each of the two buckets around the best cut.
    threads = min(cluster.threads, nodes / level.turns * (job.alive_columns + 2))
    touched = level.rows / cluster.workers * job.trees * job.alive_columns * 1e-9 / threads
    if parted:
        of_turn = nodes / level.turns
        wanted = job.alive_columns * (16 + 40 * job.alive_buckets)
        for _ in range(level.turns):
            add_round(
                rounds, job, cluster, "parts", level.depth, of_turn, request + wanted * of_turn,
                of_turn * job.part_bytes(), local=touched * cluster.part_ns / level.turns,
                decide=of_turn * job.part_bytes() / job.bucket_bytes() * cluster.decide_bucket,
            )  # fmt: skip
    cells = (job.alive_after_parts if parted else job.alive_cells) * level.rows * job.trees
    turns = max(level.turns, math.ceil(min(nodes, cells / job.cells_at_once)))  # a node's come together
    asked = request + 40 * job.alive_columns * (4 if parted else 1) * nodes / turns
    size = cells / turns * job.cell()
    for _ in range(turns):
        add_round(
            rounds, job, cluster, "collect", level.depth, nodes / turns, asked, size / cluster.workers,
            merged=size, local=touched * (cluster.pick_ns if parted else cluster.part_ns) / turns,
            decide=cells / turns * cluster.decide_cell,
        )  # fmt: skip


def regroup_round(job, cluster, level, request, element):
    """Every row travels once, from everybody to everybody; subtrees are grown at once everywhere."""
    moved = level.gathered_rows * job.row() * job.trees
    own = moved / cluster.workers
    left = max(1, min(job.depth, 40) - level.depth)
    local = level.gathered_rows / cluster.workers * job.columns * element * left * job.trees
    tasks = cluster.workers * (2 + cluster.workers)
    network = own / cluster.bandwidth + own / cluster.merge
    seconds = cluster.latency + cluster.per_task * tasks + local * cluster.slowest() + network
    sent = (request + 24 * level.gathered) * cluster.workers
    nodes = level.gathered * job.trees
    return Round("regroup", level.depth, nodes, sent, own, moved, moved, local, 0.0, network, seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("table")
    one.add_argument("--rows", type=float, default=1e9)
    one.add_argument("--columns", type=int, default=100)
    one.add_argument("--depth", type=int, default=8)
    one.add_argument("--results", default=str(HERE / "results"))
    import cost_check
    import cost_page

    cost_check.add_options(commands.add_parser("check"))
    arguments = parser.parse_args()
    return cost_page.table(arguments) if arguments.command == "table" else cost_check.check(arguments)


if __name__ == "__main__":
    sys.exit(main())

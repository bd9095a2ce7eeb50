# SPDX-License-Identifier: Apache-2.0
"""Rounds of a fit, worker by worker: speeds that differ, tasks that start one after the other, merges that
wait for their last answer, and what goes wrong."""

import random

from cost_model import FAN_IN

REPEATS = 40
STRAGGLER_CHANCE = 0.02  # that a worker needs STRAGGLER_TIMES as long for a round
STRAGGLER_TIMES = 3.0
NOTICED = 1.0  # seconds until the scheduler knows that a worker is gone
READ_NS = 5.0  # a cell read from a file or made again by its task
CODE_NS = 1.9  # a cell coded, one thread
DIVIDE_NS = 3.4  # a row divided by a split, one thread
BLOCKS = 8  # of a worker


def merge_times(cluster, ends, each, merged):
    """When the driver has the answers that workers have at `ends`."""
    n = len(ends)
    while True:
        size = each if merged is None else merged / n
        cost = size * (1 / cluster.bandwidth + 1 / cluster.merge)
        if n <= FAN_IN:
            return max(ends) + n * cost
        groups = [ends[i : i + FAN_IN] for i in range(0, n, FAN_IN)]
        ends = [max(group) + cluster.per_task + len(group) * cost for group in groups]
        n = len(ends)


def replay(job, cluster, depth):
    """Seconds until the blocks of a lost worker are with the others, up to `depth` levels of splits. Each
    block is made again on one worker; as many of these work at once as there are blocks."""
    rows = job.rows / cluster.workers / BLOCKS
    turns = -(-BLOCKS // max(1, cluster.workers - 1))
    cells = rows * job.columns * (READ_NS + CODE_NS) / cluster.threads
    splits = rows * depth * job.trees * DIVIDE_NS / cluster.threads
    return NOTICED + turns * (cells + splits) * 1e-9


def one_run(job, cluster, rounds, what, dice):
    speeds = [dice.lognormvariate(0.0, cluster.spread * 0.7) for _ in range(cluster.workers)]
    lost_at = dice.randrange(len(rounds)) if what == "lost worker" else -1
    total, load = 0.0, 1.0
    for number, r in enumerate(rounds):
        if number == lost_at:
            total += replay(job, cluster, r.level)
            speeds.pop()
            # Somebody has a block more than before.
            load = 1.0 + -(-BLOCKS // len(speeds)) / BLOCKS
        heavy = set(dice.sample(range(len(speeds)), min(len(speeds), BLOCKS))) if load > 1.0 else set()
        ends = []
        for worker, speed in enumerate(speeds):
            work = r.local * speed * dice.lognormvariate(0.0, cluster.spread * 0.7)
            if worker in heavy:
                work *= load
            if what == "stragglers" and dice.random() < STRAGGLER_CHANCE:
                work *= STRAGGLER_TIMES
            ends.append(
                cluster.latency / 2
                + cluster.per_task * (worker + 1)
                + r.request / cluster.workers / cluster.bandwidth
                + work
            )
        if r.phase == "regroup":
            done = max(ends) + r.network + cluster.per_task * cluster.workers * (1 + cluster.workers)
        else:
            done = merge_times(cluster, ends, r.answer, r.merged if r.phase == "collect" else None)
        total += done + r.decide + cluster.latency / 2
    return total


def simulate(job, cluster, rounds, what):
    """Mean seconds over some runs."""
    dice = random.Random(f"{what} {cluster.workers} {job.depth}")
    return sum(one_run(job, cluster, rounds, what, dice) for _ in range(REPEATS)) / REPEATS

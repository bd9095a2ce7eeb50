# SPDX-License-Identifier: Apache-2.0
"""The way of a fit on partitions, whoever runs the tasks: describe, agree, summarise, plan, encode, then
rounds."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import _core
from . import _tasks
from ._executor import Executor, Handle, Moved
from ._trace import Trace

_WORDS = {
    "describe": "describing nodes",
    "measure": "measuring nodes",
    "count": "counting histograms",
    "collect": "collecting cells of open buckets",
    "sums": "summing leaves",
}


@dataclass
class Partitions:
    """Partitions as handles or values, and what to call them in errors."""

    X: list[Any]
    y: list[Any]
    w: list[Any]
    names: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.names = self.names or [f"partition {i}" for i in range(len(self.X))]

    def __len__(self) -> int:
        return len(self.X)

    @property
    def rows(self) -> tuple[list[Any], list[Any], list[Any]]:
        return self.X, self.y, self.w

    def some(self, numbers: Sequence[int]) -> Partitions:
        return Partitions(*[[column[i] for i in numbers] for column in (*self.rows, self.names)])

    def handles(self) -> list[Any]:
        return [item for column in self.rows for item in column if item is not None]


@dataclass
class Limits:
    """How much may be brought together at a time; 0: the core's own choice. Nothing here changes a model."""

    gather_bytes: int = 0
    histogram_bytes: int = 0


def code_blocks(
    executor: Executor,
    parts: Partitions,
    first_rows: Sequence[int],
    make: Any,
    spec: _core.FitSpec,
    params: _core.Params,
    trace: Trace,
) -> tuple[_core.Plan, list[Handle]]:
    """The plan of all partitions, and these as coded blocks; `make(X, y, w)` gives a partition's table."""
    _core.check_scale_params(spec, params)
    shared = executor.share(make)
    start = time.perf_counter()
    what = "summarising columns"
    common = (shared, spec.__getstate__(), params.to_json())
    summaries = executor.map(_tasks.summarise, parts.names, *parts.rows, common=common, what=what)
    executor.wait(summaries, what)
    found = executor.reduce(_tasks.merge_summaries, _tasks.merge_summaries, summaries, b"", what)
    executor.release(summaries)
    plan = _core.make_plan(found.value, spec, params)
    spent = time.perf_counter() - start
    trace.note("summarise", spent, tasks=len(parts) + found.tasks, answer_bytes=found.moved)
    start = time.perf_counter()
    sent = executor.share(plan)
    what = "coding rows"
    columns = (parts.names, list(first_rows), *parts.rows)
    blocks = executor.map(_tasks.encode, *columns, common=(shared, sent), what=what)
    executor.wait(blocks, what)
    executor.release([shared, sent])
    trace.note("encode", time.perf_counter() - start, tasks=len(parts), request_bytes=len(plan.to_bytes()))
    return plan, blocks


def fit_blocks(
    executor: Executor,
    plan: _core.Plan,
    blocks: Sequence[Handle],
    trace: Trace,
    limits: Limits | None = None,
    progress: Any = None,
    threads: int = 1,
) -> _core.Model:
    """The model. `progress(row of the trace)` is called after every round; what it raises ends the fit."""
    limits = limits or Limits()
    shared = executor.share(plan)

    def told(info: dict[str, Any], moved: Moved, seconds: float) -> Any:
        facts = {"level": info["level"], "nodes": info["nodes"], "tasks": moved.tasks}
        sent = {"request_bytes": moved.sent, "answer_bytes": moved.moved, "working": moved.working}
        trace.note(info["phase"], seconds, **facts, **sent)
        if progress is not None:
            progress(trace[-1])
        return moved.value

    def ask(request: bytes) -> bytes:
        start, info = time.perf_counter(), _core.request_info(request)
        what = f"{_WORDS.get(info['phase'], info['phase'])} at depth {info['level']}"
        moved = executor.reduce(_tasks.answer, _tasks.merge_answers, blocks, request, what)
        return told(info, moved, time.perf_counter() - start)

    def regroup(request: bytes) -> list[bytes]:
        start, info = time.perf_counter(), _core.request_info(request)
        what = f"bringing small nodes together at depth {info['level']}"
        moved = executor.regroup(_tasks.split, _tasks.finish, blocks, shared, request, info["n_groups"], what)
        return told(info, moved, time.perf_counter() - start)

    sizes = {"gather_bytes": limits.gather_bytes, "histogram_bytes": limits.histogram_bytes}
    model = _core.fit_blocks(plan, ask, regroup, threads, **sizes)
    executor.release([shared])
    return model

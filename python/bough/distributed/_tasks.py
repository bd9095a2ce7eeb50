# SPDX-License-Identifier: Apache-2.0
"""What workers run: pure functions of a partition or of coded blocks. Errors name the partition."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _core
from .._errors import BoughError


@contextmanager
def of_partition(name: str) -> Iterator[None]:
    """What is wrong with a partition says which one it is."""
    try:
        yield
    except MemoryError as error:
        raise hinted(
            MemoryError,
            f"{name} does not fit into the worker's memory ({error})",
            "make partitions smaller (repartition) or give workers more memory",
        ) from error
    except (NotImplementedError, OSError) as error:
        kind = NotImplementedError if isinstance(error, NotImplementedError) else OSError
        raise _with_hint_of(error, kind(f"{name}: {error}")) from error
    except (ValueError, TypeError) as error:
        named = BoughError(f"{name}: {error}")
        named.code = getattr(error, "code", "bad_data")
        raise _with_hint_of(error, named) from error


def _with_hint_of(error: Exception, made: Any) -> Any:
    made.hint = getattr(error, "hint", "")
    return made


def hinted(kind: type[Exception], message: str, hint: str) -> Any:
    """An exception whose text ends with the way out, which is its `hint` too, as in those of the core."""
    made: Any = kind(f"{message} ({hint})")
    made.hint = hint
    return made


# ---------------------------------------------------------------- tables, summaries, blocks
def summarise(name: str, X: Any, y: Any, w: Any, make: Any, spec: tuple[Any, ...], params: str) -> bytes:
    """The summary of a partition; `make(X, y, w)` gives its table."""
    with of_partition(name):
        return _core.summarise(make(X, y, w), _core.FitSpec(*spec), _core.Params(params))


def encode(name: str, first_row: int, X: Any, y: Any, w: Any, make: Any, plan: Any) -> Any:
    """The coded block of a partition whose first row has the number `first_row`."""
    with of_partition(name):
        return _core.RowBlock(make(X, y, w), plan, first_row)


def merge_summaries(summaries: list[bytes], _: Any = None, threads: int = 1) -> bytes:
    """Several summaries as one."""
    return summaries[0] if len(summaries) == 1 else _core.merge_summaries(summaries)


def answer(blocks: list[Any], request: bytes, threads: int) -> np.ndarray:
    """The merged answer of the blocks of one worker."""
    return _core.answer(blocks, request, threads)


def merge_answers(answers: list[Any]) -> np.ndarray:
    """Answers of several workers as one: a function that travels, as those of the core cannot."""
    return _core.merge_answers(answers)


def split(blocks: list[Any], request: bytes, threads: int) -> list[list[bytes]]:
    """By block, what it gives to every group."""
    return _core.parts_of(blocks, request, threads)


def finish(plan: Any, request: bytes, group: int, parts: list[bytes]) -> bytes:
    """The subtrees of one group."""
    return _core.finish_group(plan, request, group, parts)


# ---------------------------------------------------------------- the same, as tasks of a worker
def worker_threads() -> int:
    """Threads of the worker that runs this task; 1 where it cannot be told."""
    try:
        from distributed import get_worker

        return int(get_worker().state.nthreads)
    except (ImportError, ValueError, AttributeError):
        return 1


def same(value: Any) -> Any:
    return value


@dataclass
class Answer:
    """What came out of a task, and what it took."""

    value: Any
    moved: int = 0  # bytes that have come from other workers for it
    seconds: float = 0.0  # of work, the longest chain


def run_group(function: Callable[..., bytes], values: list[Any], request: Any) -> Answer:
    """The answer of one worker."""
    start = time.perf_counter()
    return Answer(function(values, request, worker_threads()), 0, time.perf_counter() - start)


def merge_some(merge: Callable[[list[bytes]], bytes], found: list[Answer]) -> Answer:
    """Answers that came from other workers as one."""
    start = time.perf_counter()
    value = merge([part.value for part in found])
    moved = sum(len(part.value) + part.moved for part in found)
    return Answer(value, moved, max(part.seconds for part in found) + time.perf_counter() - start)


def split_bundles(
    function: Callable[..., list[list[bytes]]],
    values: list[Any],
    numbers: list[int],
    request: bytes,
    n_bundles: int,
) -> list[list[tuple[int, list[bytes]]]]:
    """Parts of one worker's blocks by bundle of groups: group g is in bundle g % n_bundles."""
    by_block = function(values, request, worker_threads())
    return [
        [(number, parts[j::n_bundles]) for number, parts in zip(numbers, by_block, strict=True)]
        for j in range(n_bundles)
    ]


def pick(bundles: list[Any], j: int) -> Any:
    return bundles[j]


def finish_bundle(
    function: Callable[..., bytes],
    plan: Any,
    request: bytes,
    groups: list[int],
    pieces: list[list[tuple[int, list[bytes]]]],
) -> Answer:
    """The groups of one bundle."""
    start = time.perf_counter()
    rows = sorted((item for piece in pieces for item in piece), key=lambda item: item[0])
    moved = sum(len(part) for _, parts in rows for part in parts)

    def one(k: int) -> bytes:
        return function(plan, request, groups[k], [parts[k] for _, parts in rows])

    threads = min(worker_threads(), len(groups))
    if threads <= 1:
        return Answer([one(k) for k in range(len(groups))], moved, time.perf_counter() - start)
    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(one, range(len(groups))))
    return Answer(found, moved, time.perf_counter() - start)

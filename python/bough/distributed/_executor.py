# SPDX-License-Identifier: Apache-2.0
"""Whoever runs tasks on blocks of rows: the protocol, and threads of this process as its reference.

An executor only moves things and calls functions. All functions that it is given are pure, so that a task may
be run again at any time, elsewhere too; all merges are free of order. What it keeps for the caller are
handles: values that live with the workers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

Handle = Any
Compute = Callable[[list[Any], Any, int], Any]
Merge = Callable[[list[Any]], Any]
Split = Callable[[list[Any], bytes, int], list[list[bytes]]]
Finish = Callable[[Any, bytes, int, list[bytes]], bytes]


@dataclass
class Moved:
    """A result, and what it took to bring it here."""

    value: Any
    tasks: int = 0
    sent: int = 0  # bytes of requests that went to workers
    moved: int = 0  # bytes of answers between workers and to the driver
    working: float = 0.0  # seconds of the slowest worker


class Executor(Protocol):
    """What training on blocks needs of a cluster. Every wait is bounded; what fails says what was waited
    for."""

    def share(self, value: Any) -> Handle:
        """A value that many tasks need, kept with the workers."""
        ...

    def map(
        self, function: Callable[..., Any], *columns: Sequence[Any], common: tuple[Any, ...], what: str
    ) -> list[Handle]:
        """function(*items, *common) of every row of the columns; items may be handles. Returns at once."""
        ...

    def wait(self, handles: Sequence[Handle], what: str) -> None:
        """Until all are computed; raises what one of them has raised."""
        ...

    def gather(self, handles: Sequence[Handle], what: str) -> list[Any]:
        """The values, here."""
        ...

    def reduce(
        self, function: Compute, merge: Merge, handles: Sequence[Handle], request: bytes, what: str
    ) -> Moved:
        """merge() of function(values, request, threads) of all handles, computed where these are."""
        ...

    def regroup(
        self,
        split: Split,
        finish: Finish,
        handles: Sequence[Handle],
        plan: Handle,
        request: bytes,
        n_groups: int,
        what: str,
    ) -> Moved:
        """split() of every handle gives a part for every group; finish(plan, request, group, parts) of each
        group."""
        ...

    def release(self, handles: Sequence[Handle]) -> None:
        """Forgets the values."""
        ...

    def close(self, cancel: bool = False) -> None:
        """Forgets everything that is left, and stops what still runs."""
        ...


class LocalExecutor:
    """Threads of this process. Handles are the values themselves.

    Parameters
    ----------
    threads : int, default=None
        None: as many as this process has cores.
    """

    def __init__(self, threads: int | None = None) -> None:
        self.threads = threads or len(os.sched_getaffinity(0))
        self._pool = ThreadPoolExecutor(self.threads)

    def share(self, value: Any) -> Any:
        return value

    def map(
        self, function: Callable[..., Any], *columns: Sequence[Any], common: tuple[Any, ...], what: str
    ) -> list[Any]:
        return list(self._pool.map(lambda *items: function(*items, *common), *columns))

    def wait(self, handles: Sequence[Any], what: str) -> None:
        pass

    def gather(self, handles: Sequence[Any], what: str) -> list[Any]:
        return list(handles)

    def reduce(
        self, function: Compute, merge: Merge, handles: Sequence[Any], request: bytes, what: str
    ) -> Moved:
        answer = function(list(handles), request, self.threads)
        return Moved(answer, tasks=1, sent=len(request), moved=len(answer))

    def regroup(
        self,
        split: Split,
        finish: Finish,
        handles: Sequence[Any],
        plan: Any,
        request: bytes,
        n_groups: int,
        what: str,
    ) -> Moved:
        parts = split(list(handles), request, self.threads)
        moved = sum(len(part) for by_group in parts for part in by_group)
        found = list(
            self._pool.map(
                lambda group: finish(plan, request, group, [by_group[group] for by_group in parts]),
                range(n_groups),
            )
        )
        return Moved(found, tasks=1 + n_groups, sent=len(request), moved=moved + sum(map(len, found)))

    def release(self, handles: Sequence[Any]) -> None:
        pass

    def close(self, cancel: bool = False) -> None:
        self._pool.shutdown(wait=not cancel, cancel_futures=cancel)

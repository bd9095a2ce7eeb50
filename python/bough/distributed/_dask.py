# SPDX-License-Identifier: Apache-2.0
"""The executor of Dask: pure tasks that the driver submits, nothing else.

Blocks are futures of pure tasks, so Dask makes a lost one again by itself. A round is one task per worker
over the blocks that it holds, merged there; then a tree of merges over workers where there are many; then one
gather.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import dask
from distributed import Client, Future, KilledWorker, wait
from distributed.client import FutureCancelledError, FuturesCancelledError
from distributed.comm import CommClosedError

from .._errors import BoughError
from . import _tasks
from ._executor import Compute, Finish, Merge, Moved, Split

_FAN_IN = 8  # answers that are merged in one task, or by the driver
_EMBEDDED = 1 << 18  # larger requests become tasks of their own, to travel between workers
_FRESH = 5.0  # seconds that it is taken for known who holds which block
_SLICE = 1.0  # seconds between looks at the cluster while waiting
_FIT_AGAIN = "see whether the scheduler still runs, then connect again and fit again"
_TIMEOUTS = (TimeoutError, asyncio.TimeoutError, concurrent.futures.TimeoutError)
_GONE = (
    FutureCancelledError,
    FuturesCancelledError,
    concurrent.futures.CancelledError,
    asyncio.CancelledError,
)


class ClusterError(RuntimeError):
    """The cluster could not do the work: no workers, no result in time, or a partition that is too large.

    Attributes
    ----------
    hint : str
        What to do about the error; may be empty.
    """

    hint: str = ""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message} ({hint})" if hint else message)
        self.hint = hint


def seconds_of(name: str, value: Any, default: str) -> float:
    """A time to wait: that given, else ``bough.<name>`` of Dask's configuration, else the default."""
    called = name.replace("-", "_") if value is not None else f"bough.{name} of Dask's configuration"
    given = dask.config.get(f"bough.{name}", default) if value is None else value
    try:
        seconds = float(dask.utils.parse_timedelta(given))
    except (KeyError, TypeError, ValueError):
        seconds = float("nan")
    if not seconds > 0:
        raise BoughError(f"{called} must be seconds above 0 or a duration such as '1h', not {given!r}")
    return seconds


class DaskExecutor:
    """Runs tasks on the workers of a Dask client.

    Parameters
    ----------
    client : distributed.Client
    timeout : float or str, default=None
        Seconds (or a duration such as "1h") to wait for the next result before giving up. None:
        ``bough.timeout`` of Dask's configuration, or else 10 minutes.
    workers_timeout : float or str, default=None
        The same for the first worker, if there are none yet. None: ``bough.workers-timeout`` of Dask's
        configuration, or else 60 seconds.
    """

    def __init__(
        self, client: Client, timeout: float | str | None = None, workers_timeout: float | str | None = None
    ) -> None:
        if client.asynchronous:
            raise NotImplementedError("bough.dask needs a synchronous client; make one with Client(address)")
        self.client = client
        self.timeout = seconds_of("timeout", timeout, "10 minutes")
        self.workers_timeout = min(self.timeout, seconds_of("workers-timeout", workers_timeout, "60s"))
        self._token = uuid.uuid4().hex[:12]
        self._count = 0
        self._live: dict[Any, Future] = {}
        self._kept: set[Any] = set()
        # Who holds what, and since when.
        self._known: tuple[list[Any], float, dict[str, list[int]]] | None = None
        self._words: dict[Any, str] = {}  # what tasks are about, by key

    # ---------------------------------------------------------------- asking the scheduler
    def _call(self, coroutine: Callable[..., Any], what: str, *args: Any, **kwargs: Any) -> Any:
        try:
            return self.client.sync(coroutine, *args, callback_timeout=self.workers_timeout, **kwargs)
        except (*_TIMEOUTS, OSError) as error:  # a TimeoutError is an OSError
            if self.client.status != "running" or not isinstance(error, _TIMEOUTS):
                raise self._gone(what) from error
            raise ClusterError(
                f"the Dask scheduler did not answer within {self.workers_timeout:g} s while {what}",
                _FIT_AGAIN,
            ) from error

    def _check_alive(self, what: str) -> None:
        if self.client.status not in ("running", "connecting"):
            raise self._gone(what)

    def _gone(self, what: str) -> ClusterError:
        return ClusterError(
            f"the Dask scheduler is gone (the client is {self.client.status}) while {what}", _FIT_AGAIN
        )

    def workers(self, what: str = "looking for workers") -> dict[str, int]:
        """Threads of every worker."""
        self._check_alive(what)
        return dict(self._call(self.client.scheduler.ncores, what))

    def _homes(self, handles: Sequence[Future], what: str) -> dict[str, list[int]]:
        """Numbers of handles by the worker that holds them; "" where none does. Asked again when some time
        has passed: tasks that come to a worker without a block are slower, nothing else."""
        keys = [handle.key for handle in handles]
        now = time.monotonic()
        if self._known is not None and self._known[0] == keys and now - self._known[1] < _FRESH:
            return self._known[2]
        held = self._call(self.client.scheduler.who_has, what, keys=keys)
        homes: dict[str, list[int]] = defaultdict(list)
        for i, key in enumerate(keys):
            at = held.get(key) or ()
            homes[min(at, key=lambda worker: (len(homes[worker]), worker)) if at else ""].append(i)
        found = {worker: numbers for worker, numbers in homes.items() if numbers}
        self._known = None if "" in found else (keys, now, found)
        return found

    # ---------------------------------------------------------------- tasks
    def _submit(self, function: Callable[..., Any], *args: Any, what: str, worker: str = "") -> Future:
        self._check_alive(what)
        self._count += 1
        place = {"workers": [worker], "allow_other_workers": True} if worker else {}
        future = self.client.submit(
            function, *args, key=f"bough-{function.__name__}-{self._token}-{self._count}", pure=False, **place
        )
        self._live[future.key] = future
        self._words[future.key] = what
        return future

    def share(self, value: Any) -> Future:
        return self._submit(_tasks.same, value, what="sharing what all tasks need")

    def map(
        self, function: Callable[..., Any], *columns: Sequence[Any], common: tuple[Any, ...], what: str
    ) -> list[Future]:
        rows = zip(*columns, strict=True)
        return [
            self._submit(function, *row, *common, what=f"{what} (partition {i})")
            for i, row in enumerate(rows)
        ]

    def keep(self, futures: Sequence[Future], what: str) -> None:
        """Takes over futures of partitions, in their order. They may belong to others too: they are never
        cancelled."""
        for i, future in enumerate(futures):
            self._live[future.key] = future
            self._kept.add(future.key)
            self._words[future.key] = f"{what} (partition {i})"

    def wait(self, handles: Sequence[Future], what: str) -> None:
        with self._in_words(what):
            self._await(handles, what)
        failed = [handle for handle in handles if handle.status in ("error", "cancelled")]
        if failed:
            self.gather(failed[:1], what)

    def gather(self, handles: Sequence[Future], what: str) -> list[Any]:
        if not handles:
            return []
        with self._in_words(what):
            self._await(handles, what)
            with self.client.as_current():
                return self.client.sync(self.client._gather, list(handles), callback_timeout=self.timeout)

    @contextlib.contextmanager
    def _in_words(self, what: str) -> Iterator[None]:
        """What a cluster raises, as what has happened."""
        try:
            yield
        except KilledWorker as error:
            raise ClusterError(*self._killed_text(error, what)) from error
        except _TIMEOUTS as error:
            self._check_alive(what)
            raise ClusterError(f"results did not arrive within {self.timeout:g} s while {what}") from error
        except _GONE as error:
            reasons = _reasons(error)
            if self.client.status != "running" or "scheduler-connection-lost" in reasons:
                raise self._gone(what) from error
            if "scheduler-restart" in reasons:
                raise ClusterError(f"the Dask cluster was restarted while {what}", "fit again") from error
            raise ClusterError(
                f"tasks were cancelled, or their data is lost for good, while {what}",
                "data that was scattered cannot be made again when its worker is lost: load it in tasks or "
                "from files instead",
            ) from error
        except CommClosedError as error:
            self._check_alive(what)
            raise ClusterError(
                f"the connection to the Dask cluster broke while {what}", _FIT_AGAIN
            ) from error
        except KeyError as error:  # of the graphs of partitions: nothing of ours raises it
            failed = [key for key in self._kept if key in self._live and self._live[key].status == "error"]
            if not failed:
                raise
            about = min(self._words[key] for key in failed)
            raise BoughError(
                f"{about}: {error!r}; all partitions must have the columns that are asked for"
            ) from error

    def _killed_text(self, error: KilledWorker, what: str) -> tuple[str, str]:
        # The task that killed them may lie before ours: then ours tells the partition.
        failed = [key for key, future in list(self._live.items()) if future.status == "error"]
        words = [self._words[key] for key in [error.task, *failed] if key in self._words]
        about = words[0] if words else "computing the input"
        return (
            f"workers died again and again ({error.allowed_failures + 1} times) while {about}, most "
            f"likely because they ran out of memory; this happened while {what}",
            "make partitions smaller (repartition, or more row groups per file), give workers more memory, "
            "or use more workers; their logs tell more",
        )

    def _await(self, handles: Sequence[Future], what: str) -> None:
        """Until all are done. Gives up when nothing has come back for `timeout`, or no worker was there for
        `workers_timeout`."""
        pending = set(handles)
        last = seen = time.monotonic()
        while pending:
            try:
                with self.client.as_current():
                    wait(list(pending), timeout=min(_SLICE, self.timeout))
                return
            except _TIMEOUTS:
                pass
            now = time.monotonic()
            left = {future for future in pending if future.status == "pending"}
            if len(left) < len(pending):
                last = now
            pending = left
            if pending and self.workers(what):
                seen = now
            if now - seen > self.workers_timeout:
                raise ClusterError(
                    f"the Dask cluster has had no workers for {self.workers_timeout:g} s while {what}",
                    "start some and fit again; bough.workers-timeout of Dask's configuration says how long "
                    "to wait",
                )
            if pending and now - last > self.timeout:
                words = sorted({self._words.get(future.key, what) for future in pending})
                raise ClusterError(
                    f"nothing came back for {self.timeout:g} s while {what}; still waiting for "
                    f"{len(pending)} tasks: {'; '.join(words[:3])}",
                    "timeout of fit, or bough.timeout of Dask's configuration, says how long to wait",
                )

    # ---------------------------------------------------------------- rounds
    def _request(self, request: Any, n_tasks: int) -> tuple[Any, int]:
        """The request as an argument of tasks, and the bytes that go to workers for it."""
        size = len(request) if request is not None else 0
        if size <= _EMBEDDED or n_tasks < 2:
            return request, size * n_tasks
        return self._submit(_tasks.same, request, what="sending a request"), size * n_tasks

    def _groups(self, handles: Sequence[Future], what: str) -> list[tuple[str, list[int]]]:
        """Who answers for which handles. Lost ones are asked one by one, where they are made again."""
        homes = self._homes(handles, what)
        held = sorted((worker, numbers) for worker, numbers in homes.items() if worker)
        return [*held, *[("", [i]) for i in homes.get("", [])]]

    @contextlib.contextmanager
    def _round(self, handles: Sequence[Future], what: str) -> Iterator[None]:
        """Begins when all handles are there, and forgets the tasks that were submitted inside."""
        before = set(self._live)
        if any(handle.status != "finished" for handle in handles):
            self._known = None
            self.wait(handles, what)  # some were lost and are being made again
        try:
            yield
        finally:
            self._forget(set(self._live) - before)

    def reduce(
        self, function: Compute, merge: Merge, handles: Sequence[Future], request: bytes, what: str
    ) -> Moved:
        with self._round(handles, what):
            groups = self._groups(handles, what)
            asked, sent = self._request(request, len(groups))
            submit = partial(self._submit, what=what)
            tasks = [
                submit(_tasks.run_group, function, [handles[i] for i in numbers], asked, worker=worker)
                for worker, numbers in groups
            ]
            n_tasks = len(tasks)
            submit = partial(self._submit, _tasks.merge_some, merge, what=f"merging while {what}")
            while len(tasks) > _FAN_IN:
                tasks = [submit(tasks[i : i + _FAN_IN]) for i in range(0, len(tasks), _FAN_IN)]
                n_tasks += len(tasks)
            found = self.gather(tasks, what)
        longest = max(part.seconds for part in found)
        last = found[0] if len(found) == 1 else _tasks.merge_some(merge, found)
        moved = last.moved + (len(last.value) if len(found) == 1 else 0)
        return Moved(last.value, n_tasks, sent, moved, longest)

    def regroup(
        self,
        split: Split,
        finish: Finish,
        handles: Sequence[Future],
        plan: Future,
        request: bytes,
        n_groups: int,
        what: str,
    ) -> Moved:
        with self._round(handles, what):
            groups = self._groups(handles, what)
            workers = sorted(self.workers(what)) or [""]
            n_bundles = max(1, min(n_groups, len(workers)))
            asked, sent = self._request(request, len(groups) + n_bundles)
            submit = partial(self._submit, _tasks.split_bundles, split, what=what)
            pieces = [
                submit([handles[i] for i in numbers], numbers, asked, n_bundles, worker=worker)
                for worker, numbers in groups
            ]
            submit = partial(self._submit, _tasks.finish_bundle, finish, plan, asked)
            bundles = []
            for j in range(n_bundles):
                picked = [self._submit(_tasks.pick, piece, j, what=what) for piece in pieces]
                members, worker = list(range(j, n_groups, n_bundles)), workers[j % len(workers)]
                about = f"finishing small nodes while {what}"
                bundles.append(submit(members, picked, what=about, worker=worker))
            found = self.gather(bundles, what)
        out: list[bytes] = [b""] * n_groups
        moved = 0
        for j, part in enumerate(found):
            moved += part.moved + sum(map(len, part.value))
            out[j::n_bundles] = part.value
        n_tasks = len(pieces) * (1 + n_bundles) + n_bundles
        return Moved(out, n_tasks, sent, moved, max(part.seconds for part in found))

    # ---------------------------------------------------------------- letting go
    def __enter__(self) -> DaskExecutor:
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        self.close(cancel=kind is not None)

    def _forget(self, keys: Any) -> None:
        for key in keys:
            self._words.pop(key, None)
            future = self._live.pop(key, None)
            if future is not None:
                future.release()

    def release(self, handles: Sequence[Future]) -> None:
        self._forget([handle.key for handle in handles])

    def close(self, cancel: bool = False) -> None:
        """Nothing of this fit stays on the cluster; with `cancel` running tasks are stopped first."""
        own = [future for key, future in self._live.items() if key not in self._kept]
        if cancel and own and self.client.status == "running":
            # The cluster may be gone; what matters is that this returns. Not all of its errors are known.
            with contextlib.suppress(Exception):
                self.client.sync(self.client._cancel, own, callback_timeout=self.workers_timeout)
        self._forget(list(self._live))


def _reasons(error: BaseException) -> set[str]:
    """Why tasks were cancelled, as far as Dask says."""
    groups = getattr(error, "error_groups", [error])
    return {str(getattr(group, "reason", "")) for group in groups}


def find_client(client: Any) -> Client:
    """The client given, else the current one. Raises where there is none."""
    if client is not None:
        return client
    try:
        from distributed import get_client

        return get_client()
    except ValueError as error:
        raise BoughError(
            "there is no Dask client: connect to a cluster first, Client('tcp://scheduler:8786'), or "
            "start one here, Client(LocalCluster())"
        ) from error

# SPDX-License-Identifier: Apache-2.0
"""What a fit on blocks has asked, moved and waited for, round by round."""

from __future__ import annotations

from typing import Any

COLUMNS = ("round", "phase", "level", "nodes", "tasks", "request_bytes", "answer_bytes", "working", "seconds")


_SUMS = ("tasks", "request_bytes", "answer_bytes", "working", "seconds")


class Trace(list[dict[str, Any]]):
    """The requests of a fit on blocks, round by round.

    There is one dictionary per round: ``round``, ``phase``, ``level`` (of the nodes), ``nodes``, ``tasks``,
    ``request_bytes`` (sent to workers), ``answer_bytes`` (sent by workers to each other and to the driver),
    ``working`` (seconds of the slowest worker) and ``seconds``. ``pandas.DataFrame(trace)`` makes a frame.
    """

    def note(self, phase: str, seconds: float, **facts: Any) -> None:
        """Adds a round; facts that are not given are 0."""
        row: dict[str, Any] = dict.fromkeys(COLUMNS, 0)
        self.append(row | facts | {"round": len(self), "phase": phase, "seconds": seconds})

    def by_phase(self) -> list[dict[str, Any]]:
        """Return the sums over the rounds of every phase, in the order in which the phases first occur."""
        sums: dict[str, dict[str, Any]] = {}
        for row in self:
            into = sums.setdefault(row["phase"], dict.fromkeys(COLUMNS, 0) | {"phase": row["phase"]})
            for name in ("nodes", *_SUMS):
                into[name] += row[name]
            into["round"] += 1
            into["level"] = max(into["level"], row["level"])
        return [{"rounds": row.pop("round"), **row} for row in sums.values()]

    def __str__(self) -> str:
        """A table of the rounds and their sums."""
        head = {"level": "level", "nodes": "nodes"} | dict(
            zip(_SUMS, ("tasks", "sent", "moved", "working", "seconds"), strict=True)
        )
        sums = {name: sum(row[name] for row in self) for name in _SUMS}
        rows = [head, *self, {"level": "", "nodes": ""} | sums]
        firsts = [("round", "phase"), *((row["round"], row["phase"]) for row in self), ("all", "")]
        return "\n".join(
            f"{number:>5} {phase:<10}" + _cells(row)
            for (number, phase), row in zip(firsts, rows, strict=True)
        )


def _cells(row: dict[str, Any]) -> str:
    times = [f"{row[name]:.3f}" if not isinstance(row[name], str) else row[name] for name in _SUMS[-2:]]
    return (
        f" {row['level']:>5} {row['nodes']:>8} {row['tasks']:>6} {row['request_bytes']:>10}"
        f" {row['answer_bytes']:>12} {times[0]:>8} {times[1]:>8}"
    )

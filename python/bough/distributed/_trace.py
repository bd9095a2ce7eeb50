# SPDX-License-Identifier: Apache-2.0
"""What a fit on blocks has asked, moved and waited for, round by round."""

from __future__ import annotations

from typing import Any

COLUMNS = ("round", "phase", "level", "nodes", "tasks", "request_bytes", "answer_bytes", "seconds")


class Trace(list[dict[str, Any]]):
    """One dictionary per round: ``round``, ``phase``, ``level`` (of the nodes), ``nodes``, ``tasks``,
    ``request_bytes`` (sent to workers), ``answer_bytes`` (what workers sent to each other and to the driver)
    and
    ``seconds``. ``pandas.DataFrame(trace)`` makes a frame of it."""

    def note(self, phase: str, seconds: float, **facts: Any) -> None:
        """Adds a round; facts that are not given are 0."""
        row: dict[str, Any] = dict.fromkeys(COLUMNS, 0)
        self.append(row | facts | {"round": len(self), "phase": phase, "seconds": seconds})

    def by_phase(self) -> list[dict[str, Any]]:
        """Sums of the rounds of every phase, in the order of their first ones."""
        sums: dict[str, dict[str, Any]] = {}
        for row in self:
            into = sums.setdefault(row["phase"], dict.fromkeys(COLUMNS, 0) | {"phase": row["phase"]})
            for name in ("nodes", "tasks", "request_bytes", "answer_bytes", "seconds"):
                into[name] += row[name]
            into["round"] += 1
            into["level"] = max(into["level"], row["level"])
        return [{"rounds": row.pop("round"), **row} for row in sums.values()]

    def __str__(self) -> str:
        """A table of the rounds and their sums."""
        lines = [
            f"{'round':>5} {'phase':<10} {'level':>5} {'nodes':>8} {'tasks':>6} {'sent':>10} "
            f"{'moved':>12} {'s':>8}"
        ]
        lines += [
            f"{row['round']:>5} {row['phase']:<10} {row['level']:>5} {row['nodes']:>8} {row['tasks']:>6}"
            f" {row['request_bytes']:>10} {row['answer_bytes']:>12} {row['seconds']:>8.3f}"
            for row in self
        ]
        totals = {
            name: sum(row[name] for row in self)
            for name in ("tasks", "request_bytes", "answer_bytes", "seconds")
        }
        lines.append(
            f"{'all':>5} {'':<10} {'':>5} {'':>8} {totals['tasks']:>6} {totals['request_bytes']:>10}"
            f" {totals['answer_bytes']:>12} {totals['seconds']:>8.3f}"
        )
        return "\n".join(lines)

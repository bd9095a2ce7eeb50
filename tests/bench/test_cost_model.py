# SPDX-License-Identifier: Apache-2.0
"""The cost model: bytes by hand, formulas beside the simulation, and traces of fits beside the formulas."""

import csv
import sys

import pytest
from support import ROOT

sys.path.append(str(ROOT / "bench"))
cost_model = pytest.importorskip("cost_model")
import cost_check  # noqa: E402
import cost_simulation  # noqa: E402


def test_bytes_of_histograms_and_merges_are_those_worked_out_by_hand():
    job = cost_model.Job(rows=1e6, columns=28)
    assert job.histogram() == 28 * 256 * 8  # two classes: rows and rows of the second class, 32 bits each
    assert cost_model.Job(classes=7, columns=2, buckets=10).histogram() == 2 * 10 * 7 * 4
    assert cost_model.Job(classes=0, columns=2, buckets=10).histogram() == 2 * 10 * 16
    # 100 workers: 100 answers to 13 merges, their 13 to 2, and those 2 to the driver.
    assert cost_model.Cluster(workers=100).hops() == [100, 13, 2]
    assert cost_model.Cluster(workers=2).hops() == [2]
    counts = [r for r in cost_model.plan_rounds(job, cost_model.Cluster(workers=100)) if r.phase == "count"]
    assert counts[0].moved == pytest.approx((100 + 13 + 2) * job.histogram())


def test_only_the_smaller_child_is_counted_and_small_nodes_leave():
    # Rows of 12 bytes: 65,536 bytes hold 5,461 of them: nodes of 2^15 / 2^3 = 4,096 rows leave at level 3.
    # Their histograms would take more: 2 x 256 x 8 bytes for each of 4,095 nodes.
    job = cost_model.Job(rows=2**15, columns=2, gather_bytes=2**16, depth=20)
    found = cost_model.levels(job)
    assert [level.counted for level in found] == [1, 1, 2, 0]
    assert [level.open for level in found] == [1, 2, 4, 0]
    assert found[-1].gathered == 8
    assert found[-1].gathered_rows == 2**15


def test_large_nodes_are_counted_by_parts_before_their_cells_travel():
    # 32 of 256 buckets alive: more than 2^15 cells from 2^18 rows on, so at levels 0 and 1 of 2^20 rows.
    job = cost_model.Job(
        rows=2**20,
        columns=28,
        depth=4,
        alive_columns=2,
        alive_buckets=32,
        alive_after_parts=0.01,
        alive_cells=0.25,
    )
    rounds = cost_model.plan_rounds(job, cost_model.Cluster(workers=2))
    parts = [r for r in rounds if r.phase == "parts"]
    assert [r.level for r in parts] == [0, 1]
    # Both workers send 128 counts of 8 bytes for each of 2 x 32 buckets of a node.
    assert [r.moved for r in parts] == pytest.approx([2 * 65_536, 2 * 2 * 65_536])
    cells = [r.moved for r in rounds if r.phase == "collect"]
    assert cells == pytest.approx([0.01 * 2**20 * 5] * 2 + [0.25 * 2**20 * 5] * 2)


def test_histograms_that_the_driver_cannot_hold_are_counted_in_turns():
    # 2^20 bytes hold 18.3 histograms of 28 x 256 x 8: the 32 nodes of level 5 take two turns, none derived.
    found = cost_model.levels(cost_model.Job(rows=1e9, columns=28, depth=6, histogram_room=2**20))
    assert [level.turns for level in found] == [1, 1, 1, 1, 1, 2]
    assert [level.counted for level in found] == [1, 1, 2, 4, 8, 32]


@pytest.mark.parametrize("workers", [1, 16, 256])
def test_formula_and_simulation_agree_where_nothing_goes_wrong(workers, monkeypatch):
    monkeypatch.setattr(cost_simulation, "REPEATS", 5)
    job, cluster = cost_model.Job(), cost_model.Cluster(workers=workers)
    rounds = cost_model.plan_rounds(job, cluster)
    quiet = cost_simulation.simulate(job, cluster, rounds, "quiet")
    assert quiet == pytest.approx(sum(r.seconds for r in rounds), rel=0.1)
    assert cost_simulation.simulate(job, cluster, rounds, "stragglers") > quiet
    assert workers == 1 or cost_simulation.simulate(job, cluster, rounds, "lost worker") > quiet


def written(path, factor):
    one = 28 * 256 * 8
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, ["phase", "level", "nodes", "request_bytes", "answer_bytes", "seconds"])
        writer.writeheader()
        for level, nodes in enumerate([1, 1, 2, 4]):
            row = {"level": level, "request_bytes": 300, "seconds": 0.1}
            writer.writerow(
                row | {"phase": "count", "nodes": nodes, "answer_bytes": int(2 * one * nodes * factor)}
            )
            writer.writerow(row | {"phase": "collect", "nodes": 0, "answer_bytes": 50_000})
    return path


@pytest.mark.parametrize(("factor", "status"), [(1.0, 0), (1.05, 0), (1.5, 1)])
def test_a_trace_is_set_beside_the_model(tmp_path, capsys, monkeypatch, factor, status):
    trace = written(tmp_path / "trace.csv", factor)
    monkeypatch.setattr(
        sys,
        "argv",
        [
            "cost_model.py",
            "check",
            str(trace),
            "--rows",
            "10000",
            "--columns",
            "28",
            "--workers",
            "2",
            "--buckets",
            "256",
        ],
    )
    assert cost_model.main() == status
    text = capsys.readouterr().out
    assert f"given the nodes: {factor:.3f}" in text
    # 4 levels of 50,000 bytes over 4 levels of 10,000 rows
    assert "Bytes of parts and cells per row and level: 5.0000" in text
    assert cost_check.read(trace)[0]["phase"] == "count"

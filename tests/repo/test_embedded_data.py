# SPDX-License-Identifier: Apache-2.0
"""The data sets that the command line carries are what their README says."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "cli/data"
SETS = json.loads((DATA / "sets.json").read_text(encoding="utf-8"))


def rows(set_name):
    with open(DATA / f"{set_name}.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("entry", SETS, ids=lambda e: e["name"])
def test_every_set_has_its_target_and_its_line_in_the_readme(entry):
    table = rows(entry["name"])
    assert all(row[entry["target"]] not in ("", "NA") for row in table)
    line = f"| `{entry['name']}.csv` | {len(table)} | `{entry['target']}` |"
    assert line in (DATA / "README.md").read_text(encoding="utf-8")
    cmake = (DATA / "CMakeLists.txt").read_text(encoding="utf-8")
    assert f"{entry['name']}.csv" in cmake, "the build must notice when the file changes"


@pytest.mark.parametrize(
    ("set_name", "loader", "target"),
    [("iris", "load_iris", "species"), ("breast_cancer", "load_breast_cancer", "diagnosis")],
)
def test_scikit_learns_sets_are_copied_without_a_change(set_name, loader, target):
    datasets = pytest.importorskip("sklearn.datasets")
    bundle = getattr(datasets, loader)()
    table = rows(set_name)
    features = [column for column in table[0] if column != target]
    assert len(features) == bundle.data.shape[1]
    assert [[float(row[f]) for f in features] for row in table] == bundle.data.tolist()
    assert [row[target] for row in table] == [bundle.target_names[y] for y in bundle.target]


def test_the_titanic_counts_sum_to_the_published_totals():
    # Dawson 1995: 2,201 people on board, 711 survivors; 885 crew, 470 women and girls, 109 children.
    def count(**where):
        return sum(int(r["Freq"]) for r in rows("titanic") if all(r[k] == v for k, v in where.items()))

    assert count() == 2201
    assert count(Survived="Yes") == 711
    assert count(Class="Crew") == 885
    assert count(Sex="Female") == 470
    assert count(Age="Child") == 109


def test_play_tennis_has_quinlans_class_counts():
    # Quinlan 1986: nine positive days of fourteen; outlook sunny 2 of 5, overcast 4 of 4, rain 3 of 5.
    table = rows("tennis")
    yes = [row["outlook"] for row in table if row["play"] == "yes"]
    assert (len(table), len(yes)) == (14, 9)
    assert [yes.count(o) for o in ("sunny", "overcast", "rain")] == [2, 4, 3]


def test_airquality_has_the_missing_cells_of_r():
    table = rows("airquality")
    assert {c: sum(r[c] == "NA" for r in table) for c in table[0]} == {
        "Ozone": 37, "Solar.R": 7, "Wind": 0, "Temp": 0, "Month": 0, "Day": 0,
    }  # fmt: skip
    # R: mean(airquality$Temp) is 77.88235.
    assert sum(int(r["Temp"]) for r in table) / len(table) == pytest.approx(77.88235, abs=5e-6)


def test_embed_refuses_a_target_that_the_file_does_not_have(tmp_path):
    (tmp_path / "sets.json").write_text('[{"name": "t", "target": "z", "description": "d"}]')
    (tmp_path / "t.csv").write_text("x,y\n1,2\n")
    result = subprocess.run(
        [sys.executable, ROOT / "tools/embed.py", tmp_path / "sets.json", tmp_path / "out.cpp"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 1
    assert "t.csv has no column 'z'" in result.stderr

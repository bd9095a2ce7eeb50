# SPDX-License-Identifier: Apache-2.0
"""Writes tools/mutants/results.md from build/mutants/run/results.jsonl; fails where one is unexplained.

explained.json says for a mutant's key why it behaves like the original ("equivalent: ...") or why no test
catches it.
"""

import json
import pathlib
import sys

import table

HERE = pathlib.Path(__file__).parent
RESULTS = table.ROOT / "build/mutants/run/results.jsonl"


def rows():
    mutants = {m["number"]: m for m in json.loads((table.ROOT / "build/mutants/mutants.json").read_text())}
    for line in RESULTS.read_text().splitlines():
        result = json.loads(line)
        if result["number"] in mutants and mutants[result["number"]]["key"] == result["key"]:
            yield mutants[result["number"]] | result


def place(row):
    code = row["original"] if len(row["original"]) <= 70 else row["original"][:67] + "..."
    return f"`{row['file'].removeprefix('src/')}:{row['line']}` `{code}`".replace("|", "\\|")


def main():
    judged = sorted(rows(), key=lambda row: row["number"])
    explained = json.loads((HERE / "explained.json").read_text())
    lines = [
        "# Mutation check: results",
        "",
        "Written by `make mutants` ([what it is](../../docs/reliability.md#mutation-testing)).",
        "Equivalent: the mutant behaves like the original for every input, for the reason given below.",
        "Share: the caught mutants among those that are not equivalent.",
        "",
        "| folder | mutants | caught | equivalent | survivors | share |",
        "|---|---|---|---|---|---|",
    ]
    total, unexplained = [0, 0, 0], []
    for room in table.ROOMS:
        mine = [row for row in judged if row["room"] == room]
        caught = sum(row["result"] == "caught" for row in mine)
        alive = [row for row in mine if row["result"] != "caught"]
        same = sum(explained.get(row["key"], "").startswith("equivalent") for row in alive)
        unexplained += [row for row in alive if row["key"] not in explained]
        total = [total[0] + len(mine), total[1] + caught, total[2] + same]
        lines.append(table_row(room, len(mine), caught, same))
    lines.append(table_row("all", *total))
    lines += ["", "## Survivors", "", "| place | change | why |", "|---|---|---|"]
    for row in (row for row in judged if row["result"] != "caught"):
        why = explained.get(row["key"], f"**not explained** ({row['result']})")
        lines.append(f"| {place(row)} | {row['change'].replace('|', chr(92) + '|')} | {why} |")
    (HERE / "results.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines[7:16]))
    for row in unexplained:
        print(f"not explained: {row['number']} {row['key']} {row['result']} {place(row)}: {row['change']}")
    enough = total[1] >= 0.95 * (total[0] - total[2])
    print("at least 95 % are caught" if enough else "FEWER THAN 95 % ARE CAUGHT")
    sys.exit(0 if enough and not unexplained else 1)


def table_row(name, mutants, caught, same):
    share = 100 * caught / max(mutants - same, 1)
    return f"| {name} | {mutants} | {caught} | {same} | {mutants - caught - same} | {share:.1f} % |"


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Whether the first line of a table holds names or is a row."""

import json


def test_a_header_of_years_is_one(desk):
    rows = [(name, i, i % 3, "yes" if i > 4 else "no") for i, name in enumerate("ABCDEABCDE")]
    lines = [",".join(map(str, row)) for row in [("country", 2019, 2020, "grew"), *rows]]
    desk.write("years.csv", "\n".join(lines) + "\n")
    result = desk.run("train", "years.csv", "--target", "grew", "--size", "full", "-o", "m.bough")
    assert result.code == 0 and "10 rows, 3 columns" in result.out and "first line" not in result.err
    assert "2019 ≤ 4.5" in desk.ok("show", "m.bough")
    # Nothing says so where no name is given: words stand above words.
    result = desk.run("schema", "years.csv", "-o", "s.json")
    assert "first line of years.csv is taken as a row, because 2019 in it is a number" in result.err
    assert "--header" in result.err
    for option, names in (
        ("--header", ["country", "2019", "2020", "grew"]),
        ("--no-header", ["x0", "x1", "x2", "x3"]),
    ):
        result = desk.run("schema", "years.csv", option, "-o", "s.json")
        assert result.err == "" or "first line" not in result.err
        assert [column["name"] for column in json.loads(desk.read("s.json"))["columns"]] == names
    assert "exclude each other" in desk.fails(2, "schema", "years.csv", "--header", "--no-header")
    # A word above a number is a name, and this guess is told, too.
    desk.write("mixed.csv", "a,2020\n1,2\n3,4\n")
    result = desk.run("schema", "mixed.csv", "-o", "s.json")
    assert "is taken as names of columns, although 2020 in it is a number" in result.err

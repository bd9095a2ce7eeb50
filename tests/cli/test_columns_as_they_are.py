# SPDX-License-Identifier: Apache-2.0
"""Tables as people have them: codes, dates, decimals, columns that are not what they seem."""

import csv
import io
import json
import sqlite3

import pytest


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


# ------------------------------------------------------------ codes, dates, decimals
def test_codes_stay_what_they_are(desk):
    codes = ["00501", "501", "012", "12"]
    text = "zip,y\n" + "".join(
        f"{code},{'yes' if code in ('00501', '12') else 'no'}\n" for code in codes * 20
    )
    desk.write("zip.csv", text)
    result = desk.run("train", "zip.csv", "--target", "y", "--size", "full", "-o", "m.bough")
    assert result.code == 0 and "holds codes (such as 00501)" in result.err
    answers = [row["prediction"] for row in rows_of(desk.ok("predict", "m.bough", "zip.csv"))]
    assert answers == [line.split(",")[1] for line in text.splitlines()[1:]]
    # Without a leading zero in the file that is answered.
    desk.write("other.csv", "zip\n12\n501\n")
    assert desk.ok("predict", "m.bough", "other.csv").split() == ["prediction", "yes", "no"]


def test_categories_are_what_is_written(desk):
    text = "code,y\n" + "1e2,yes\n100,no\n7,yes\n" * 20
    desk.write("codes.csv", text)
    desk.ok("train", "codes.csv", "--target", "y", "--category", "code", "--size", "full", "-o", "m.bough")
    assert desk.ok("predict", "m.bough", "codes.csv").split()[1:4] == ["yes", "no", "yes"]
    assert (
        json.loads(desk.ok("evaluate", "m.bough", "codes.csv", "--json"))["evaluations"][0]["scores"][
            "accuracy"
        ]
        == 1
    )


def test_a_schema_with_text_levels_is_kept(desk):
    desk.write("zip.csv", "zip,y\n" + "12,yes\n1e2,no\n100,yes\n" * 10)
    schema = {
        "columns": [
            {
                "name": "zip",
                "kind": "category",
                "role": "feature",
                "type": "text",
                "levels": ["100", "12", "1e2"],
            }
        ]
    }
    desk.write("schema.json", json.dumps(schema))
    desk.ok("train", "zip.csv", "--target", "y", "--schema", "schema.json", "--size", "full", "-o", "m.bough")
    assert desk.ok("predict", "m.bough", "zip.csv").split()[1:4] == ["yes", "no", "yes"]


def test_whole_numbers_beyond_64_bits_are_codes(desk):
    big = ["123456789012345678901", "123456789012345678902"]
    desk.write(
        "big.csv", "id,y\n" + "".join(f"{code},{y}\n" for code, y in zip(big, ("a", "b"), strict=True)) * 15
    )
    desk.ok("train", "big.csv", "--target", "y", "--size", "full", "-o", "m.bough")
    assert desk.ok("predict", "m.bough", "big.csv").split()[1:3] == ["a", "b"]


def test_dates_are_days(desk):
    days = [f"2013-{month:02}-{day:02}" for month in range(1, 13) for day in (1, 11, 21)]
    desk.write(
        "d.csv", "when,y\n" + "".join(f"{day},{'early' if day < '2013-07' else 'late'}\n" for day in days)
    )
    result = desk.run("train", "d.csv", "--target", "y", "-o", "m.bough", "--size", "full")
    assert "holds dates (such as 2013-01-01), taken as numbers of days since 1970-01-01" in result.err
    desk.write("new.csv", "when\n2012-12-31\n2013-12-30T23:59:59Z\n")
    assert desk.ok("predict", "m.bough", "new.csv").split() == ["prediction", "early", "late"]
    # The day midway between 2013-06-21 and 2013-07-01.
    assert "when ≤ 2013-06-26" in desk.ok("show", "m.bough")
    # The same days, written day.month.year, are the same numbers.
    swapped = {day: f"{int(day[8:])}.{day[5:7]}.{day[:4]}" for day in days}
    text = desk.read("d.csv")
    for day, other in swapped.items():
        text = text.replace(day, other)
    desk.write("e.csv", text)
    result = desk.run("train", "e.csv", "--target", "y", "-o", "e.bough", "--size", "full")
    assert "holds dates (such as 1.01.2013), taken as numbers" in result.err
    assert desk.ok("show", "e.bough") == desk.ok("show", "m.bough")


def test_words_about_dates_show_dates(desk):
    days = [f"2020-02-{day:02}" for day in range(21, 30)] + [f"2020-03-{day:02}" for day in range(1, 8)]
    rows = [f"{day},{i % 3},{'early' if day < '2020-03' else 'late'}\n" for i, day in enumerate(days * 4)]
    desk.write("d.csv", "when,x,y\n" + "".join(rows))
    desk.train("d.csv")
    # Midway between two days is noon, also in files that were written before, and for programs.
    assert "when ≤ 2020-02-29 12:00" in desk.ok("show", "m.bough")
    assert "when > 2020-02-29 12:00" in desk.ok("rules", "m.bough")
    desk.ok("rules", "m.bough", "-o", "rules.json")
    assert "if  when > 2020-02-29 12:00" in desk.ok("rules", "rules.json")
    assert "2020-02-29 12:00" in desk.ok("export", "m.bough", "--to", "dot")
    told = desk.ok("explain", "m.bough", "--data", "d.csv", "--row", "1")
    assert "when is 2020-02-21, which is at most 2020-02-29 12:00." in told
    step = json.loads(desk.ok("explain", "m.bough", "--data", "d.csv", "--json"))["steps"][0]
    assert (step["cell"], step["test"]) == ("2020-02-21", "when ≤ 2020-02-29 12:00")
    changed = desk.ok("explain", "m.bough", "--data", "d.csv", "--counterfactual")
    assert "when" in changed and "2020-02-2" in changed and "18," not in changed, changed
    desk.write("back.csv", "when,x\n2020-02-29 12:00,0\n2020-02-29 12:01,0\n")
    assert desk.ok("predict", "m.bough", "back.csv").split()[1:] == ["early", "late"]


def test_numbers_beside_dates_are_no_dates(desk):
    rows = [f"{'true' if i % 2 else 'false'},{i},{'u' if i % 2 else 'v'}\n" for i in range(40)]
    desk.write("t.csv", "flag,x,y\n" + "".join(rows))
    desk.train("t.csv", "--numeric", "flag")
    assert "flag ≤ 0.5" in desk.ok("show", "m.bough")


def test_rules_take_dates_where_the_model_does(desk):
    rows = [f"2020-01-{i % 28 + 1:02},{i % 28},{'u' if i % 28 > 9 else 'v'}\n" for i in range(90)]
    desk.write("t.csv", "day,x,y\n" + "".join(rows))
    desk.write("new.csv", "day,x\n2020-01-03,2020-01-05\n")
    for ignored in ("none", "day"):
        desk.train("t.csv", *(["--ignore", "day"] if ignored == "day" else []))
        desk.ok("rules", "m.bough", "-o", "rules.json")
        for answering in ("m.bough", "rules.json"):
            said = desk.fails(3, "predict", answering, "new.csv")
            assert 'column "x": "2020-01-05" is not a number' in said
    desk.write("old.csv", "day,x\n2020-01-03,3\n")
    assert desk.ok("predict", "rules.json", "old.csv").split()[1] == "v"


def test_decimal_commas(desk):
    text = "x;y\n" + "".join(f"{i},5;{'low' if i < 20 else 'high'}\n" for i in range(40))
    desk.write("c.csv", text)
    result = desk.run("train", "c.csv", "--target", "y", "--delimiter", ";")
    assert "--decimal , reads them" in result.err
    desk.ok("train", "c.csv", "--target", "y", "--decimal", ",", "-o", "m.bough")
    assert "x ≤ 20" in desk.ok("show", "m.bough")
    assert desk.ok("predict", "m.bough", "c.csv", "--decimal", ",").split()[1] == "low"


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ([f"{i}%" for i in range(30)], "holds numbers with other symbols"),
        ([f"${i}.50" for i in range(30)], "holds numbers with other symbols"),
        ([f"0x{i:x}" for i in range(30)], "holds numbers with other symbols"),
        (
            [f"{i % 28 + 1:02}.01.2013" for i in range(30)],
            "holds dates (such as 01.01.2013), taken as numbers",
        ),
        ([f"1/{i % 28 + 1}/2013" for i in range(30)], "holds dates (such as 1/1/2013), taken as categories"),
        (
            [f"31.{i % 12 + 1}.2013" for i in range(30)],
            "holds dates (such as 31.1.2013), taken as categories",
        ),
        ([f"person {i}" for i in range(80)], "it is left out (--category x keeps it)"),
        ([str(i) for i in range(100, 180)], "numbers the rows and probably says nothing"),
        ([f"c{i % 250}" for i in range(1000)], "has 250 categories"),
    ],
)
def test_columns_that_are_not_what_they_seem_are_told(desk, cells, words):
    desk.write("t.csv", "x,z,y\n" + "".join(f"{c},{i % 7},{i % 2}\n" for i, c in enumerate(cells)))
    result = desk.run("train", "t.csv", "--target", "y", "--max-depth", "2")
    assert result.code == 0 and "column 'x' " in result.err and words in result.err
    # Who says what the column is hears nothing.
    assert words not in desk.run("train", "t.csv", "--target", "y", "--max-depth", "2", "--ignore", "x").err


# ------------------------------------------------------------ tables as they are
def test_rows_without_a_target_are_left_out(desk):
    desk.write("t.csv", "x,y\n" + "".join(f"{i},{'' if i % 10 == 0 else i // 20}\n" for i in range(60)))
    result = desk.run("train", "t.csv", "--target", "y", "-o", "m.bough")
    assert result.code == 0 and "6 of 60 rows have no y and are left out" in result.err
    assert json.loads(desk.ok("info", "m.bough", "--json"))["rows"] == 54
    assert "are left out" in desk.run("evaluate", "m.bough", "t.csv").err


def test_a_mixed_column_is_a_category_with_a_warning(desk):
    cells = ["+3", "4", "many", "5"] * 10
    desk.write("t.csv", "n,y\n" + "".join(f"{c},{'a' if c == 'many' else 'b'}\n" for c in cells))
    result = desk.run("train", "t.csv", "--target", "y", "-o", "m.bough")
    assert result.code == 0
    assert "column 'n' of t.csv holds numbers (such as +3) and words (such as 'many' in row 3)" in result.err
    assert "column 'y'" in desk.fails(3, "train", "t.csv", "--target", "n").replace("'n'", "'y'")


@pytest.mark.parametrize(
    ("no", "yes"), [("FALSE", "TRUE"), ("False", "True"), ("false", "true")], ids=["R", "Python", "plain"]
)
def test_truth_values_come_back_as_they_are_written(desk, no, yes):
    lines = ["x,y"] + [f"{i},{yes if i > 20 else no}" for i in range(40)]
    data = desk.write("d.csv", "\n".join(lines) + "\n")
    desk.ok("train", data, "--target", "y", "--size", "full", "--no-scores", "-o", "m.bough")
    assert desk.ok("predict", "m.bough", data).split()[1:] == [line.split(",")[1] for line in lines[1:]]
    assert f"proba_{yes}" in desk.ok("predict", "m.bough", data, "--proba")
    # Other spellings are the same labels, and the rows of training are still known.
    other = desk.write("o.csv", "\n".join(line.replace(yes, "tRuE") for line in lines) + "\n")
    scores = json.loads(desk.ok("evaluate", "m.bough", other, "--json"))["evaluations"][0]["scores"]
    assert scores["accuracy"] == 1.0
    assert "rows that the model was grown on" in desk.run("evaluate", "m.bough", data).err
    query = desk.ok("export", "m.bough", "--to", "sql", "--dialect", "sqlite", "--table", "d")
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE d (x, y)")
    database.executemany("INSERT INTO d VALUES (?, ?)", [line.split(",") for line in lines[1:]])
    answers = database.execute(query).fetchall()
    assert [row[-1] for row in answers] == [row[1] for row in answers]


def test_truth_values_in_several_spellings_are_true_and_false(desk):
    lines = ["x,y"] + [f"{i},{('True', 'TRUE')[i % 2] if i > 20 else 'False'}" for i in range(40)]
    data = desk.write("d.csv", "\n".join(lines) + "\n")
    desk.ok("train", data, "--target", "y", "--size", "full", "--no-scores", "-o", "m.bough")
    assert set(desk.ok("predict", "m.bough", data).split()[1:]) == {"false", "true"}


def test_rules_count_codes_as_what_is_written(desk):
    """1e2 and 100 are two categories in the rows that rules are counted on, too."""
    cells = ["100", "1e2", "12", "13"] * 25
    data = desk.write(
        "d.csv", "code,y\n" + "".join(f"{c},{'a' if c in ('1e2', '12') else 'b'}\n" for c in cells)
    )
    desk.ok("train", data, "--target", "y", "--category", "code", "--no-scores", "-o", "m.bough")
    assert "Accuracy on d.csv: 1.0000" in desk.ok("rules", "m.bough", "--data", data)
    desk.ok("rules", "m.bough", "-o", "rules.json")
    assert "Accuracy on d.csv: 1.0000" in desk.ok("rules", "rules.json", "--data", data)


@pytest.mark.parametrize(
    "words",
    [
        ("evaluate", "m.bough", "d.csv"),
        ("report", "m.bough", "--data", "d.csv", "--train-data", "d.csv", "-o", "r.html"),
        ("explain", "m.bough", "--data", "d.csv", "--importance"),
        ("rules", "m.bough", "--data", "d.csv"),
        ("study", "stability", "m.bough", "d.csv"),
        ("forest", "f.bough", "d.csv"),
    ],
    ids=lambda words: words[0],
)
def test_every_verb_leaves_out_rows_without_a_target_as_train_does(desk, words):
    rows = [f"{i},{i * 7 % 10},{('no', 'yes')[i % 10 > 4] if i % 9 else ''}" for i in range(90)]
    data = desk.write("d.csv", "x,z,y\n" + "\n".join(rows) + "\n")
    desk.ok("train", data, "--target", "y", "--max-depth", "2", "--no-scores", "-o", "m.bough")
    desk.ok("train", data, "--target", "y", "--forest", "5", "--no-scores", "-o", "f.bough")
    done = desk.run(*words)
    assert done.code == 0, done.err
    assert "10 of 90 rows have no y and are left out" in done.err

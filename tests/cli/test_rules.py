# SPDX-License-Identifier: Apache-2.0
"""bough rules, and predicting with what it writes."""

import csv
import io
import json
import random
import sqlite3

import pytest


def answers(desk, model, data="table.csv"):
    return [line.split(",")[0] for line in desk.ok("predict", model, data).splitlines()[1:]]


def test_the_rules_of_a_tree_answer_like_the_tree(desk, model):
    desk.ok("rules", model, "-o", "rules.json")
    assert answers(desk, "rules.json") == answers(desk, model)
    with_rule = list(
        csv.DictReader(io.StringIO(desk.ok("predict", "rules.json", "table.csv", "--leaf", "--proba")))
    )
    leaves = list(csv.DictReader(io.StringIO(desk.ok("predict", model, "table.csv", "--leaf", "--proba"))))
    assert [row["proba_yes"] for row in with_rule] == [row["proba_yes"] for row in leaves]
    nodes = {
        str(i + 1): str(rule["node"]) for i, rule in enumerate(json.loads(desk.read("rules.json"))["rules"])
    }
    assert [nodes[row["rule"]] for row in with_rule] == [row["leaf"] for row in leaves]


def test_c45_rules_are_found_and_say_how_good_they_are(desk, model, table):
    out = desk.ok("rules", model, "--c45", "--data", table)
    # y is yes when a > 9 and color is not red: what the rules must have found.
    assert "a > 9" in out and "color = blue, green or other" in out
    assert "Otherwise" in out
    assert out.splitlines()[-1] == "Accuracy on table.csv: 1.0000 (of the tree: 1.0000)"
    desk.ok("rules", model, "--c45", "--data", table, "-o", "rules.json")
    assert answers(desk, "rules.json") == answers(desk, model)
    assert desk.ok("rules", "rules.json") == out.rsplit("\n\n", 1)[0] + "\n"


def test_formats_go_by_the_name_of_the_output_or_by_the_option(desk, model):
    desk.ok("rules", model, "-o", "rules.md")
    assert desk.read("rules.md") == desk.ok("rules", model, "--format", "md")
    assert desk.read("rules.md").startswith("| rule | if | then |")
    lines = list(csv.DictReader(io.StringIO(desk.ok("rules", model, "--format", "csv"))))
    assert sum(int(line["rows"]) for line in lines) == 60
    assert desk.ok("rules", model, "--format", "text") == desk.ok("rules", model)


def test_sql_gives_the_same_answers(desk, model, table):
    for options in ([], ["--c45", "--data", table]):
        case = desk.ok("rules", model, "--format", "sql", "--dialect", "sqlite", *options)
        desk.ok("rules", model, *options, "-o", "rules.json")
        rows = list(csv.DictReader(io.StringIO(desk.read(table))))
        base = sqlite3.connect(":memory:")
        base.execute("create table t (a real, color text, b real)")
        base.executemany("insert into t values (?, ?, ?)", [(r["a"], r["color"], r["b"]) for r in rows])
        found = [row[0] for row in base.execute(f"select {case} from t order by rowid")]
        assert found == answers(desk, "rules.json")


def messy_table():
    """Words for missing numbers, codes, blanks around texts, and names that a new column might have."""
    draw = random.Random(5)
    lines = ["k,c0,c,zip,word,flag,y"]
    for k in range(300):
        n, m = draw.randint(0, 20), round(draw.gauss(0, 1), 3)
        code, word = draw.choice(["01", "1", "007"]), draw.choice([" in ", "out", "it's", "NA"])
        flag = draw.choice(["TRUE", "FALSE", ""])
        late = (n > 11) + (m > 0.3) + (code == "01") + (word == " in ") + (flag == "TRUE") > 2
        cell = draw.choice([n, n, n, "?", "NA", ""])
        lines.append(f"{k},{cell},{m},{code},{word},{flag},{'late' if late else 'early'}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("engine", ["sqlite", "duckdb", "duckdb as it guesses"])
def test_sql_on_tables_as_engines_import_them(desk, engine):
    """All texts, as in SQLite's import, or typed: the same answers, or an error of the query."""
    desk.write("t.csv", messy_table())
    rows = list(csv.reader(io.StringIO(desk.read("t.csv"))))
    names = ", ".join(f'"{name}" text' for name in rows[0])
    desk.train("t.csv", "--ignore", "k", "--min-samples-leaf", "5")
    case = desk.ok("rules", "m.bough", "--to", "sql", "--dialect", engine.split()[0])
    if engine == "sqlite":
        base = sqlite3.connect(":memory:")
    else:
        base = pytest.importorskip("duckdb").connect(config={"threads": 1})
    if engine == "duckdb as it guesses":
        base.execute(f"create table t as select * from read_csv('{desk.path('t.csv')}')")
    else:
        base.execute(f"create table t ({names})")
        base.executemany("insert into t values (?, ?, ?, ?, ?, ?, ?)", rows[1:])
    try:
        found = base.execute(f"select cast(k as integer), {case} from t order by 1").fetchall()
    except Exception as error:
        # Codes that became numbers have lost their zeros.
        assert engine == "duckdb as it guesses" and "zip must be text" in str(error)
        return
    desk.ok("rules", "m.bough", "-o", "rules.json")
    wanted = desk.ok("predict", "rules.json", "t.csv").splitlines()[1:]
    assert [answer for _, answer in found] == wanted
    assert wanted == desk.ok("predict", "m.bough", "t.csv").splitlines()[1:]


def test_an_unknown_category_stops_where_missing_cells_do(desk):
    draw = random.Random(5)
    rows = [(draw.choice("pqr"), draw.choice("stuv"), draw.randint(0, 9)) for _ in range(300)]
    lines = [f"{a},{b},{n},{'u' if (a == 'p') ^ (b in 'st') ^ (n > 6) else 'v'}" for a, b, n in rows]
    desk.write("t.csv", "\n".join(["a,b,n,y", *lines]) + "\n")
    desk.train("t.csv", "--missing-policy", "stop")
    new = [(a, b, n) for a in ("p", "new", "") for b in ("s", "v", "new", "") for n in (3, 8)]
    desk.write("new.csv", "a,b,n\n" + "".join(f"{a},{b},{n}\n" for a, b, n in new))
    wanted = desk.ok("predict", "m.bough", "new.csv", "--proba").splitlines()[1:]
    desk.ok("rules", "m.bough", "-o", "rules.json")
    assert desk.ok("predict", "rules.json", "new.csv", "--proba").splitlines()[1:] == wanted
    case = desk.ok("rules", "m.bough", "--to", "sql", "--dialect", "sqlite")
    base = sqlite3.connect(":memory:")
    base.execute("create table t (a text, b text, n text)")
    base.executemany("insert into t values (?, ?, ?)", new)
    found = [row[0] for row in base.execute(f"select {case} from t order by rowid")]
    assert found == [line.split(",")[0] for line in wanted]
    desk.write("one.csv", "a,b,n\nnew,new,3\n")
    said = desk.ok("explain", "m.bough", "one.csv", "--row", "1")
    assert "is new, which did not occur in training, so the row goes no further." in said


def test_regression_and_several_targets_have_rules_too(desk, table):
    draw = desk.read(table).splitlines()
    desk.write("n.csv", "\n".join(line.rsplit(",", 1)[0] for line in draw) + "\n")
    desk.ok("train", "n.csv", "--target", "b", "-o", "n.bough", "--holdout", "0", "--max-depth", "3")
    out = desk.ok("rules", "n.bough")
    assert "spread" in out and "then 0." in out
    desk.ok("rules", "n.bough", "-o", "n.json")
    assert desk.ok("predict", "n.json", "n.csv") == desk.ok("predict", "n.bough", "n.csv")
    assert "one" not in desk.fails(6, "rules", "n.bough", "--c45", "--data", "n.csv").split("hint")[0]
    desk.ok("train", table, "--target", "y,color", "-o", "two.bough", "--holdout", "0")
    assert "then y " in desk.ok("rules", "two.bough")
    assert "one target" in desk.fails(6, "rules", "two.bough", "--c45", "--data", "table.csv")


def test_counting_on_other_rows(desk, model, table):
    head, *lines = desk.read(table).splitlines()
    desk.write("few.csv", "\n".join([head, *lines[:10]]) + "\n")
    out = desk.ok("rules", model, "--data", "few.csv")
    assert "counts from 10 rows" in out and "Accuracy on few.csv: 1.0000" in out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--c45"], 2, "--c45 needs --data"),
        (["--cf", "0.1"], 2, "--cf does nothing, because --c45 is not given"),
        (["--weight", "b"], 2, "--data"),
        (["--c45", "--data", "table.csv", "--cf", "0.7"], 2, "0.7"),
        (["--c45", "--data", "table.csv", "--cf", "none"], 2, "--cf"),
        (["--c45", "--data", "table.csv", "--weight", "q"], 3, "'q'"),
        (["--c45", "--data", "bad.csv"], 3, "'maybe' in row 2"),
        (["--data", "bare.csv"], 3, "'y'"),
        (["--format", "pdf"], 2, "pdf"),
        (["--tree", "2"], 2, "2"),
        (["--data", "absent.csv"], 5, "absent.csv"),
        (["-o", "table.csv", "--data", "table.csv"], 2, "table.csv"),
    ],
)
def test_wrong_requests_are_named(desk, model, words, code, said):
    desk.write("bad.csv", "a,color,b,y\n1,red,0.5,yes\n1,red,0.5,maybe\n")
    desk.write("bare.csv", "a,color,b\n1,red,0.5\n")
    assert said in desk.fails(code, "rules", model, *words)


def test_damaged_rule_files_are_refused(desk, model):
    desk.ok("rules", model, "-o", "rules.json")
    good = desk.read("rules.json")
    desk.write("cut.json", good[: len(good) // 2])
    desk.write("odd.json", good.replace('"column":"a"', '"column":"z"'))
    desk.write("list.json", "[1, 2]")
    assert "truncated" in desk.fails(4, "predict", "cut.json", "table.csv")
    assert "column" in desk.fails(4, "rules", "odd.json")
    desk.fails(4, "rules", "list.json")
    assert "holds rules" in desk.fails(2, "rules", "rules.json", "--c45", "--data", "table.csv")
    desk.fails(5, "rules", "absent.json")


def test_markdown_shows_hostile_names_as_they_are(desk):
    rows = "".join(f"{i},{'u' if i < 20 else 'v'}\n" for i in range(40))
    desk.write("names.csv", '"<img src=x>|`a`_\nb",y\n' + rows.replace("v", "*v* [x](y) &lt;"))
    desk.ok("train", "names.csv", "--target", "y", "-o", "m.bough")
    shown = desk.ok("rules", "m.bough", "--format", "md").splitlines()
    assert len(shown) == 4
    # A backslash before every sign that Markdown reads; comparisons stay.
    assert shown[3].startswith(
        r"| 2 | \<img src=x\>\|\`a\`\_\\nb > 19.5, or missing | \*v\* \[x\](y) \&lt; | 20 |"
    )


def test_several_conditions_on_one_line_have_brackets(desk):
    draw = random.Random(1)
    rows = [(draw.random(), draw.random()) for _ in range(80)]
    lines = "".join(f"{a},{b},{'u' if a > 0.5 and b > 0.5 else 'v'}\n" for a, b in rows)
    desk.write("two.csv", "a,b,y\n" + lines)
    desk.ok("train", "two.csv", "--target", "y", "-o", "m.bough")
    for form in ("md", "csv"):
        out = desk.ok("rules", "m.bough", "--format", form)
        assert " and (a > 0.4738" in out and ", or missing)" in out


def test_shares_by_weight_are_called_so(desk):
    desk.write("rows.csv", "a,y\n" + "".join(f"{x},{'yes' if x in (3, 8, 9) else 'no'}\n" for x in range(12)))
    for more, told in (([], False), (["--class-weight", "balanced"], True)):
        desk.ok("train", "rows.csv", "-t", "y", "--holdout", "0", "--max-depth", "1", *more, "-o", "m.bough")
        assert ("by weight" in desk.ok("rules", "m.bough")) == told
        assert ("by weight" in desk.ok("show", "m.bough")) == told

# SPDX-License-Identifier: Apache-2.0
"""SQL on tables as engines import them from CSV files: the answers of bough predict, or an error."""

import csv
import random
import shutil
import sqlite3
import subprocess
import tempfile
from pathlib import Path

import pytest
from exports.sql_engines import postgresql

KINDS = (
    ("iris", "species", ()),
    ("iris", "species", ("--max-depth", "2")),
    ("iris", "petal_width", ("--max-depth", "3")),
    ("iris", "species", ("--forest", "3", "--max-depth", "3")),
    ("iris", "species", ("--oblique", "--max-depth", "2")),
    ("breast_cancer", "diagnosis", ("--max-depth", "4")),
    ("breast_cancer", "diagnosis", ("--algorithm", "c45")),
    ("airquality", "Ozone", ("--max-depth", "4")),
    ("airquality", "Ozone", ("--forest", "3", "--max-depth", "4")),
    ("tennis", "play", ()),
    ("tennis", "play", ("--algorithm", "id3")),
    ("people", "y", ()),
    ("people", "y", ("--max-depth", "3")),
    ("people", "y", ("--forest", "3")),
    ("people", "y", ("--category", "rooms", "--max-depth", "4")),
    ("people", "y", ("--missing-policy", "surrogate", "--max-depth", "4")),
    ("people", "income", ("--max-depth", "5")),
    ("people", "income", ("--criterion", "absolute_error", "--max-depth", "3")),
    ("people", "vip", ("--max-depth", "3")),
    ("people", "y", ("--algorithm", "c45")),
    ("days", "y", ()),
    ("days", "y", ("--forest", "3")),
    ("infinite", "y", ("--max-depth", "4")),
    ("infinite", "y", ("--forest", "2")),
    ("infinite", "y", ("--oblique", "--max-depth", "2")),
    ("letters", "y", ()),
)


def write_people(path):
    """Numbers, whole numbers, truths, codes with leading zeros, blanks around words and missing cells."""
    draw = random.Random(7)
    rows = [["age", "income", "rooms", "vip", "zip", "job", "y"]]
    for _ in range(300):
        age, income = draw.randint(9, 99), round(draw.uniform(0, 300), 2)
        rooms, code = draw.randint(1, 12), draw.choice(["00501", "501", "012", "12", "99"])
        vip, job = draw.random() < 0.4, draw.choice(["nurse", "clerk", "it's", "0x1"])
        yes = (age > 40) ^ vip ^ (code in ("012", "501")) or rooms > 10
        cells = [age, income, rooms, vip, code, job]
        cells = ["NA" if draw.random() < 0.05 and i != 1 else cell for i, cell in enumerate(cells)]
        rows.append([*cells, "yes" if yes else "no"])
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def write_days(path):
    """Days, of which the label depends on one, and some that are missing."""
    draw = random.Random(9)
    rows = ["day,x,y"]
    for _ in range(200):
        day = f"{draw.randint(1960, 2030)}-{draw.randint(1, 12):02d}-{draw.randint(1, 28):02d}"
        known = draw.random() < 0.95
        y = "late" if day > "1999-06-30" else "early" if draw.random() < 0.9 else "late"
        rows.append(f"{day if known else ''},{draw.randint(0, 9)},{y}")
    path.write_text("\n".join(rows) + "\n")


def write_infinite(path):
    """Infinite cells in every spelling, beside numbers with exponents."""
    draw = random.Random(11)
    cells = ["inf", "-inf", "Infinity", "-INF", "+inf", "1e999", "-1e400", "1e3", "-2.5E-3", "7", "0", ""]
    rows = ["x,z,y"]
    for _ in range(200):
        x, z = draw.choice(cells), draw.choice(cells)
        high = float(x or 0) > 5 or (float(x or 0) < -1e300 and float(z or 0) > 0)
        rows.append(f"{x},{z},{'high' if high and draw.random() < 0.95 else 'low'}")
    path.write_text("\n".join(rows) + "\n")


def write_letters(path):
    """Codes of digits and the letter e beside others that begin with zeros: 1e2 is not 100."""
    draw = random.Random(12)
    codes = ["1e2", "100", "007", "7", "0100", "01e2"]
    chosen = [draw.choice(codes) for _ in range(200)]
    path.write_text("x,y\n" + "".join(f"{c},{'u' if c in ('1e2', '007') else 'v'}\n" for c in chosen))


@pytest.fixture
def tables(desk):
    for name in ("iris", "breast_cancer", "airquality", "tennis"):
        desk.ok("demo", "--write", name, "-o", f"{name}.csv")
    write_people(desk.path("people.csv"))
    write_days(desk.path("days.csv"))
    write_infinite(desk.path("infinite.csv"))
    write_letters(desk.path("letters.csv"))
    # Engines give rows in an order of their own.
    for path in desk.folder.glob("*.csv"):
        head, *lines = path.read_text().splitlines()
        path.write_text("\n".join([f"k,{head}", *(f"{k},{line}" for k, line in enumerate(lines))]) + "\n")
    return desk


def answers(desk, name, target, options):
    """The answers of a model, m.bough, in the order of the rows."""
    desk.train(f"{name}.csv", "--ignore", "k", *options, target=target)
    return desk.ok("predict", "m.bough", f"{name}.csv").splitlines()[1:]


def same(got, wanted):
    if got is None:
        return False
    if isinstance(got, float):
        return float(wanted) == got
    return (
        str(got).lower() == {"true": "1", "false": "0"}.get(wanted, wanted).lower()
        or str(got).lower() == wanted
    )


def check_models(desk, dialect, load, ask, refusal="bough:"):
    errors = 0
    for name, target, options in KINDS:
        wanted = answers(desk, name, target, options)
        load(desk.path(f"{name}.csv"))
        try:
            cursor = ask(desk.ok("export", "m.bough", "--to", "sql", "--dialect", dialect))
            names = [column[0] for column in cursor.description]
            rows = sorted(cursor.fetchall(), key=lambda row: int(row[names.index("k")]))
            got = [row[names.index("prediction")] for row in rows]
        except Exception as error:  # an error is right where a query cannot answer
            assert "bough:" in str(error) or refusal in str(error), (name, options, error)
            errors += 1
            continue
        assert len(got) == len(wanted)
        wrong = sum(not same(a, b) for a, b in zip(got, wanted, strict=True))
        assert wrong == 0, (name, target, options, wrong)
    return errors


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="no sqlite3 shell: tools/setup.sh")
def test_tables_imported_by_the_shell_of_sqlite(tables, tmp_path):
    def load(path):
        (tmp_path / "data.db").unlink(missing_ok=True)
        commands = f".mode csv\n.import '{path}' data\n"
        subprocess.run(["sqlite3", tmp_path / "data.db"], input=commands, text=True, check=True)

    def ask(query):
        return sqlite3.connect(tmp_path / "data.db").execute(query)

    # Rows with missing cells are divided by C4.5, which the query refuses.
    assert check_models(tables, "sqlite", load, ask) == 1


@pytest.mark.parametrize("kind", ["as DuckDB guesses", "all text"])
def test_tables_imported_by_duckdb(tables, kind):
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect(config={"threads": 1})

    def load(path):
        options = ", all_varchar = true" if kind == "all text" else ""
        connection.execute(f"CREATE OR REPLACE TABLE data AS SELECT * FROM read_csv('{path}'{options})")

    def ask(query):
        return connection.execute(query)

    errors = check_models(tables, "duckdb", load, ask)
    # As numbers the codes of the people have lost their zeros: models that ask for them refuse the column.
    assert errors == 1 if kind == "all text" else errors <= 9


@pytest.mark.long
def test_tables_of_text_in_postgresql(tables):
    with (
        tempfile.TemporaryDirectory(prefix="bough-pg-", dir="/tmp") as folder,
        postgresql(Path(folder)) as engine,
    ):

        def load(path):
            with path.open(newline="") as file:
                names, *rows = list(csv.reader(file))
            engine.execute("DROP TABLE IF EXISTS data")
            engine.execute("CREATE TABLE data ({})".format(", ".join(f'"{name}" text' for name in names)))
            engine.execute("INSERT INTO data VALUES (%s)", rows)

        def ask(query):
            return engine.execute(query)

        # The server reads no 1e999, which is infinite elsewhere; and what C4.5 divides.
        wanted = 1 + sum(name == "infinite" for name, _, _ in KINDS)
        assert check_models(tables, "postgresql", load, ask, "out of range for type double") == wanted


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_a_cell_that_is_no_number_is_an_error_of_the_query(tables, dialect):
    answers(tables, "iris", "species", ("--max-depth", "2"))
    query = tables.ok("export", "m.bough", "--to", "sql", "--dialect", dialect)
    if dialect == "sqlite":
        connection = sqlite3.connect(":memory:")
    else:
        connection = pytest.importorskip("duckdb").connect()
    connection.execute("CREATE TABLE data (petal_length TEXT, petal_width TEXT)")
    connection.execute("INSERT INTO data VALUES ('1.5', '0.2'), ('', '2')")
    assert [row[-1] for row in connection.execute(query).fetchall()] == ["setosa", "virginica"]
    connection.execute("INSERT INTO data VALUES ('5', 'wide')")
    with pytest.raises(Exception, match="wide"):
        connection.execute(query).fetchall()


def ask_all(query, connection):
    """Predictions in the order of the column k."""
    cursor = connection.execute(query)
    names = [column[0] for column in cursor.description]
    rows = sorted(cursor.fetchall(), key=lambda row: int(row[names.index("k")]))
    return [row[names.index("prediction")] for row in rows]


@pytest.mark.parametrize("kind", ["INTEGER", "TEXT", "duckdb"])
def test_whole_numbers_beyond_doubles_are_compared_as_the_model_does(desk, kind):
    draw = random.Random(5)
    rows = []
    for k in range(400):
        x = 2**53 - 50 + draw.randint(0, 200)
        rows.append((k, x, 2**53 + 2 * draw.randint(0, 1) if x > 2**53 + 30 else 2**53 + 8))
    desk.write("data.csv", "k,x,y\n" + "".join(f"{k},{x},{y}\n" for k, x, y in rows))
    desk.train("data.csv", "--ignore", "k", "--task", "classification")
    wanted = desk.ok("predict", "m.bough", "data.csv").splitlines()[1:]
    if kind == "duckdb":
        connection = pytest.importorskip("duckdb").connect()
        connection.execute(f"CREATE TABLE data AS SELECT * FROM read_csv('{desk.path('data.csv')}')")
    else:
        connection = sqlite3.connect(":memory:")
        connection.execute(f"CREATE TABLE data (k INTEGER, x {kind})")
        connection.executemany("INSERT INTO data VALUES (?, ?)", [row[:2] for row in rows])
    dialect = "duckdb" if kind == "duckdb" else "sqlite"
    query = desk.ok("export", "m.bough", "--to", "sql", "--dialect", dialect)
    assert [str(answer) for answer in ask_all(query, connection)] == wanted


@pytest.mark.parametrize("words", [("no", "yes"), ("F", "T"), ("No", "Yes")])
def test_words_that_duckdb_imports_as_truth_values(desk, words):
    duckdb = pytest.importorskip("duckdb")
    lines = [f"{k},{words[k % 3 == 0]},{k % 7},{'a' if k % 3 == 0 and k % 7 > 2 else 'b'}" for k in range(60)]
    desk.write("data.csv", "\n".join(["k,v,x,y", *lines]) + "\n")
    desk.train("data.csv", "--ignore", "k")
    wanted = desk.ok("predict", "m.bough", "data.csv").splitlines()[1:]
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE data AS SELECT * FROM read_csv('{desk.path('data.csv')}')")
    assert connection.execute("SELECT typeof(v) FROM data LIMIT 1").fetchone() == ("BOOLEAN",)
    query = desk.ok("export", "m.bough", "--to", "sql", "--dialect", "duckdb")
    assert ask_all(query, connection) == wanted


def test_a_refused_type_stands_apart_from_its_cell(desk):
    duckdb = pytest.importorskip("duckdb")
    lines = [f"{k},{'007' if k % 2 else '07'},{k % 2}" for k in range(40)]
    desk.write("data.csv", "\n".join(["k,code,y", *lines]) + "\n")
    desk.train("data.csv", "--ignore", "k")
    connection = duckdb.connect()
    connection.execute("CREATE TABLE data (k BIGINT, code BIGINT)")
    connection.execute("INSERT INTO data VALUES (0, 7)")
    with pytest.raises(duckdb.Error, match="must be text, but is BIGINT: 7"):
        connection.execute(desk.ok("export", "m.bough", "--to", "sql", "--dialect", "duckdb"))


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
def test_an_expression_tells_columns_apart_that_differ_by_underscores(desk, dialect):
    draw = random.Random(4)
    rows = [[draw.randint(0, 99) for _ in range(3)] for _ in range(300)]
    lines = [f"{a},{b},{c},{'u' if (a > 50) ^ (b > 30) ^ (c > 70) else 'v'}\n" for a, b, c in rows]
    desk.write("t.csv", "a,a_,A__,y\n" + "".join(lines))
    desk.train("t.csv")
    case = desk.ok("export", "m.bough", "--to", "sql", "--dialect", dialect, "--as", "expression")
    if dialect == "sqlite":
        base = sqlite3.connect(":memory:")
    else:
        base = pytest.importorskip("duckdb").connect(config={"threads": 1})
    base.execute("create table t (k integer, a integer, a_ integer, A__ integer)")
    base.executemany("insert into t values (?, ?, ?, ?)", [[k, *row] for k, row in enumerate(rows)])
    found = [row[0] for row in base.execute(f"select {case} from t order by k").fetchall()]
    assert found == desk.ok("predict", "m.bough", "t.csv").splitlines()[1:]


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
@pytest.mark.parametrize("kind", ["days", "infinite", "letters"])
def test_rules_read_cells_as_trees_do(tables, dialect, kind):
    wanted = answers(tables, f"{kind}", "y", ("--max-depth", "4"))
    tables.ok("rules", "m.bough", "-o", "rules.json")
    with tables.path(f"{kind}.csv").open(newline="") as file:
        names, *rows = list(csv.reader(file))
    if dialect == "sqlite":
        base = sqlite3.connect(":memory:")
    else:
        base = pytest.importorskip("duckdb").connect(config={"threads": 1})
    base.execute("CREATE TABLE data ({})".format(", ".join(f'"{name}" TEXT' for name in names)))
    base.executemany("INSERT INTO data VALUES ({})".format(", ".join("?" * len(names))), rows)
    for source in ("m.bough", "rules.json"):
        case = tables.ok("rules", source, "--to", "sql", "--dialect", dialect)
        found = base.execute(f"SELECT CAST(k AS INTEGER), {case} FROM data ORDER BY 1").fetchall()
        assert [answer for _, answer in found] == wanted


def test_rules_read_columns_of_dates_in_duckdb(tables):
    wanted = answers(tables, "days", "y", ())
    connection = pytest.importorskip("duckdb").connect(config={"threads": 1})
    connection.execute(f"CREATE TABLE data AS SELECT * FROM read_csv('{tables.path('days.csv')}')")
    assert connection.execute("SELECT typeof(day) FROM data LIMIT 1").fetchone() == ("DATE",)
    case = tables.ok("rules", "m.bough", "--to", "sql")
    found = connection.execute(f"SELECT k, {case} FROM data ORDER BY k").fetchall()
    assert [answer for _, answer in found] == wanted


@pytest.mark.parametrize("words", [("rules",), ("export", "--as", "expression")])
def test_a_column_that_a_table_of_sqlite_lacks_is_no_text(desk, words):
    """SQLite takes a name in double quotes for a text where there is no such column."""
    lines = [f"{'red' if k % 2 else 'blue'},{'u' if k % 2 else 'v'}" for k in range(40)]
    desk.write("t.csv", "\n".join(["colour,y", *lines]) + "\n")
    desk.train("t.csv")
    case = desk.ok(words[0], "m.bough", "--to", "sql", "--dialect", "sqlite", *words[1:])
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE t (color TEXT)")
    base.execute("INSERT INTO t VALUES ('red')")
    with pytest.raises(sqlite3.OperationalError, match="no such column"):
        base.execute(f"SELECT {case} FROM t").fetchall()


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_a_word_that_was_a_value_in_training_is_missing_in_no_column(desk, dialect):
    """NA is a level of a, so that bough predict takes it for an unseen one in b."""
    draw = random.Random(3)
    rows = [[draw.choice(["NA", "x", "z"]), draw.choice(["p", "q", "r", ""])] for _ in range(200)]
    lines = [f"{k},{a},{b},{'u' if (b in ('p', '')) ^ (a == 'NA') else 'v'}" for k, (a, b) in enumerate(rows)]
    desk.write("t.csv", "\n".join(["k,a,b,y", *lines]) + "\n")
    desk.train("t.csv", "--ignore", "k", "--missing", "none", "--category-split", "equality")
    new = [[a, b] for a in ("NA", "x", "") for b in ("NA", "p", "", "new")]
    desk.write("new.csv", "a,b\n" + "".join(f"{a},{b}\n" for a, b in new))
    wanted = desk.ok("predict", "m.bough", "new.csv").splitlines()[1:]
    base = sqlite3.connect(":memory:")
    if dialect == "duckdb":
        base = pytest.importorskip("duckdb").connect(config={"threads": 1})
    base.execute("CREATE TABLE data (k INTEGER, a TEXT, b TEXT)")
    base.executemany("INSERT INTO data VALUES (?, ?, ?)", [[k, *row] for k, row in enumerate(new)])
    assert ask_all(desk.ok("export", "m.bough", "--to", "sql", "--dialect", dialect), base) == wanted


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_a_value_with_blanks_is_not_a_word_for_missing_cells(desk, dialect):
    values = ["NA ", "NA", "b", ""]
    lines = [f'{k},"{values[k % 4]}",{"u" if k % 4 == 0 else "v" if k % 4 == 2 else "w"}' for k in range(80)]
    desk.write("t.csv", "\n".join(["k,a,y", *lines]) + "\n")
    desk.train("t.csv", "--ignore", "k")
    wanted = desk.ok("predict", "m.bough", "t.csv").splitlines()[1:]
    assert wanted[:4] == ["u", "w", "v", "w"]
    base = sqlite3.connect(":memory:")
    if dialect == "duckdb":
        base = pytest.importorskip("duckdb").connect(config={"threads": 1})
    base.execute("CREATE TABLE data (k INTEGER, a TEXT)")
    base.executemany("INSERT INTO data VALUES (?, ?)", [[k, values[k % 4]] for k in range(80)])
    assert ask_all(desk.ok("export", "m.bough", "--to", "sql", "--dialect", dialect), base) == wanted


@pytest.mark.parametrize("first", ["3", "2020-01-04"])
def test_numbers_with_underscores_are_none_in_duckdb(desk, first):
    duckdb = pytest.importorskip("duckdb")
    cells = [first] + [f"2020-01-{i % 28 + 1:02}" if "-" in first else str(i % 28 + 1) for i in range(60)]
    desk.write("t.csv", "a,y\n" + "".join(f"{cell},{i % 28 > 9}\n" for i, cell in enumerate(cells)))
    desk.train("t.csv")
    desk.write("new.csv", "a\n1_000\n")
    assert '"1_000" is not a number' in desk.fails(3, "predict", "m.bough", "new.csv")
    base = duckdb.connect(config={"threads": 1})
    base.execute("CREATE TABLE data (k INTEGER, a VARCHAR)")
    base.execute("INSERT INTO data VALUES (0, '1_000')")
    with pytest.raises(duckdb.Error, match="1_000"):
        base.execute(desk.ok("export", "m.bough", "--to", "sql", "--dialect", "duckdb")).fetchall()


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_blanks_at_the_ends_of_cells_are_those_of_bough(desk, dialect):
    """Tabs go, as in files; a no-break space stays, which TRIM of DuckDB takes away."""
    cells = ["\tx", "x", "y\t", "y", "\u00a0n", "n", "\tNA", "NA"]
    told = dict(zip(cells, "ppqqrsrr", strict=True))
    desk.write("t.csv", "k,a,y\n" + "".join(f"{k},{cells[k % 8]},{told[cells[k % 8]]}\n" for k in range(96)))
    desk.train("t.csv", "--ignore", "k")
    wanted = desk.ok("predict", "m.bough", "t.csv").splitlines()[1:]
    assert wanted[:8] == list("ppqqrsrr")
    base = sqlite3.connect(":memory:")
    if dialect == "duckdb":
        base = pytest.importorskip("duckdb").connect(config={"threads": 1})
    base.execute("CREATE TABLE data (k INTEGER, a TEXT)")
    base.executemany("INSERT INTO data VALUES (?, ?)", [[k, cells[k % 8]] for k in range(96)])
    assert ask_all(desk.ok("export", "m.bough", "--to", "sql", "--dialect", dialect), base) == wanted


@pytest.mark.parametrize("words", [("0x1F", "0x2"), ("0b1", "0b10"), ("1", "0X2f"), ("-0x1", "7")])
def test_codes_that_duckdb_imports_as_numbers_are_refused(desk, words):
    """Its reader makes 31 of 0x1F, which is no level of the model: the answer would be another one."""
    connection = pytest.importorskip("duckdb").connect()
    first, second = words
    desk.write(
        "codes.csv", "k,c,y\n" + "".join(f"{k},{(first, second)[k % 2]},{'pq'[k % 2]}\n" for k in range(12))
    )
    desk.train("codes.csv", "--ignore", "k", "--category", "c")
    wanted = desk.ok("predict", "m.bough", "codes.csv").splitlines()[1:]
    assert wanted == ["p", "q"] * 6
    query = desk.ok("export", "m.bough", "--to", "sql", "--dialect", "duckdb")
    connection.execute(f"CREATE TABLE data AS SELECT * FROM read_csv('{desk.path('codes.csv')}')")
    try:
        assert ask_all(query, connection) == wanted
    except Exception as error:
        assert "must be text" in str(error)
    read = f"read_csv('{desk.path('codes.csv')}', all_varchar = true)"
    connection.execute(f"CREATE OR REPLACE TABLE data AS SELECT * FROM {read}")
    assert ask_all(query, connection) == wanted


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_blanks_within_quotes_are_read_as_in_a_table(desk, dialect):
    """An import drops the quotes, so predict reads "cook " as cook, unless a level has the blank."""
    rows = [("cook", 1), ("driver, taxi", 3), ("nurse ", 5)] * 3
    desk.write("train.csv", "job,y\n" + "".join(f'"{job}",{y}\n' for job, y in rows))
    desk.train("train.csv", "--task", "regression")
    cells = ["cook ", '"cook "', '" driver, taxi"', '"nurse "', '"baker "']
    desk.write("data.csv", "k,job\n" + "".join(f"{k},{cell}\n" for k, cell in enumerate(cells)))
    wanted = [float(x) for x in desk.ok("predict", "m.bough", "data.csv").splitlines()[1:]]
    assert wanted[:4] == [1, 1, 3, 5]
    connection = (
        sqlite3.connect(":memory:") if dialect == "sqlite" else pytest.importorskip("duckdb").connect()
    )
    connection.execute("CREATE TABLE data (k INTEGER, job VARCHAR)")
    rows = list(csv.reader(desk.read("data.csv").splitlines()))[1:]
    connection.executemany("INSERT INTO data VALUES (?, ?)", rows)
    assert ask_all(desk.ok("export", "m.bough", "--to", "sql", "--dialect", dialect), connection) == wanted


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize(
    "cell",
    ["2022-02-30", "2023-02-29", "-0044-03-15", "10000-01-01", "2022-05-05 (BC)", "19000\x0b", "\x0c3"],
)
def test_what_is_no_day_or_number_elsewhere_is_none_in_sql(tables, dialect, cell):
    """Engines make days of other months of the first, and leave out more blanks than readers of files."""
    column = "x" if cell.strip() != cell else "day"
    answers(tables, "days", "y", ())
    row = {"day": "2001-01-01", "x": "3"} | {column: cell}
    tables.write("new.csv", ",".join(row) + "\n" + ",".join(row.values()) + "\n")
    assert "is not a number" in tables.fails(3, "predict", "m.bough", "new.csv")
    duckdb = pytest.importorskip("duckdb")
    connection = sqlite3.connect(":memory:") if dialect == "sqlite" else duckdb.connect()
    connection.execute("CREATE TABLE data (day TEXT, x TEXT)")
    connection.execute("INSERT INTO data VALUES (?, ?)", list(row.values()))
    query = tables.ok("export", "m.bough", "--to", "sql", "--dialect", dialect)
    with pytest.raises((sqlite3.Error, duckdb.Error)):
        connection.execute(query).fetchall()

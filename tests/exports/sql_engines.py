# SPDX-License-Identifier: Apache-2.0
"""Real SQL engines for the tests of exports: a table of rows in, the columns of a query out."""

import contextlib
import math
import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest
from exports.models import is_text


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


class Engine:
    """What all engines do. `nan` says whether a missing number may be NaN there."""

    dialect = ""
    number = "DOUBLE PRECISION"
    nan = True
    mark = "?"

    def execute(self, text, rows=None):
        raise NotImplementedError

    def load(self, case, rows, table="data"):
        """A table of the rows, numbered in the column k; every other missing number is NaN, not NULL."""
        kinds = []
        for spec in case.features:
            boolean = "levels" in spec and spec["levels"]["type"] == "boolean"
            kinds.append("TEXT" if is_text(spec) else "BOOLEAN" if boolean else self.number)
        names = [quoted(spec["name"]) for spec in case.features]
        self.execute(f"DROP TABLE IF EXISTS {quoted(table)}")
        parts = ", ".join(f"{name} {kind}" for name, kind in zip(names, kinds, strict=True))
        self.execute(f"CREATE TABLE {quoted(table)} (k INTEGER, {parts})")
        cells = []
        for k, row in enumerate(zip(*rows, strict=True)):
            out = [k]
            for kind, cell in zip(kinds, row, strict=True):
                if isinstance(cell, float) and math.isnan(cell):
                    cell = math.nan if self.nan and kind == self.number and k % 2 else None
                elif kind == "BOOLEAN":
                    cell = bool(cell)
                elif cell is not None and kind == self.number:
                    cell = float(cell)
                out.append(cell)
            cells.append(out)
        marks = ", ".join([self.mark] * (len(names) + 1))
        self.execute(f"INSERT INTO {quoted(table)} VALUES ({marks})", cells)

    def ask(self, query):
        """Rows of a query as dicts, in the order of k."""
        cursor = self.execute(query)
        names = [column[0] for column in cursor.description]
        return sorted(
            (dict(zip(names, row, strict=True)) for row in cursor.fetchall()), key=lambda row: row["k"]
        )

    def script(self, text):
        self.execute(text)


class DuckDb(Engine):
    dialect = "duckdb"
    number = "DOUBLE"

    def __init__(self):
        duckdb = pytest.importorskip("duckdb")
        self.version = f"DuckDB {duckdb.__version__}"
        self.connection = duckdb.connect(config={"threads": 1})

    def execute(self, text, rows=None):
        if rows is None:
            return self.connection.execute(text)
        # Row by row would take a hundred times as long.
        import pyarrow

        columns = list(zip(*rows, strict=True))
        kinds = [pyarrow.int32() if i == 0 else None for i in range(len(columns))]
        arrays = [
            pyarrow.array(list(c), type=kind, from_pandas=False)
            for c, kind in zip(columns, kinds, strict=True)
        ]
        cells = pyarrow.table(arrays, names=[f"c{i}" for i in range(len(columns))])
        self.connection.register("cells", cells)
        self.connection.execute(text.split("VALUES")[0] + "SELECT * FROM cells")
        self.connection.unregister("cells")
        return None


class Sqlite(Engine):
    dialect = "sqlite"
    number = "REAL"
    nan = False

    def __init__(self):
        self.version = f"SQLite {sqlite3.sqlite_version}"
        self.connection = sqlite3.connect(":memory:")

    def execute(self, text, rows=None):
        return self.connection.execute(text) if rows is None else self.connection.executemany(text, rows)

    def script(self, text):
        self.connection.executescript(text)


class PostgreSql(Engine):
    dialect = "postgresql"
    mark = "%s"

    def __init__(self, connection):
        self.connection = connection
        self.connection.autocommit = True
        self.version = f"PostgreSQL {connection.server_version // 10000}.{connection.server_version % 10000}"

    def execute(self, text, rows=None):
        cursor = self.connection.cursor()
        if rows is None:
            cursor.execute(text)
        else:
            from psycopg2.extras import execute_values

            # The names of columns may hold %, which only the statement with its values is searched for.
            execute_values(
                cursor, text.split("VALUES")[0].replace("%", "%%") + "VALUES %s", rows, page_size=1000
            )
        return cursor


def server_programs():
    """The folder of PostgreSQL's programs, newest version first."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: -int(p.parts[-3]))
    if not found:
        pytest.skip("no PostgreSQL server: tools/setup.sh long")
    return found[0].parent


@contextlib.contextmanager
def postgresql(folder):
    """A server of its own on a socket in `folder`, stopped and removed at the end."""
    psycopg2 = pytest.importorskip("psycopg2")
    programs = server_programs()
    data = folder / "data"
    as_user = []
    if os.getuid() == 0:
        # The server refuses to run as root; Debian's package brings the user.
        shutil.chown(folder, "postgres", "postgres")
        for parent in [folder, *folder.parents[:3]]:
            with contextlib.suppress(PermissionError):
                parent.chmod(parent.stat().st_mode | 0o011)
        as_user = [
            "setpriv",
            "--reuid=postgres",
            "--regid=postgres",
            "--clear-groups",
            "env",
            f"HOME={folder}",
        ]

    def run(*command):
        done = subprocess.run([*as_user, *map(str, command)], capture_output=True, text=True, cwd=folder)
        if done.returncode != 0:
            pytest.fail(
                f"{command[0]} ended with {done.returncode}\n{done.stdout}{done.stderr}", pytrace=False
            )

    run(
        programs / "initdb",
        "-D",
        data,
        "-U",
        "postgres",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--locale=C",
        "--no-sync",
    )
    options = f"-k {folder} -c listen_addresses='' -c fsync=off -c jit=off"
    run(programs / "pg_ctl", "-D", data, "-l", folder / "log", "-w", "-o", options, "start")
    try:
        connection = psycopg2.connect(host=str(folder), user="postgres", dbname="postgres")
        try:
            yield PostgreSql(connection)
        finally:
            connection.close()
    finally:
        run(programs / "pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")

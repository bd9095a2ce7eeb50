# SPDX-License-Identifier: Apache-2.0
"""Parquet and Arrow files: the same models as from text, and clear words where something is wrong."""

import datetime
import decimal
import json
import os
import random
import shutil
import subprocess

import pytest

pa = pytest.importorskip("pyarrow", reason="the Arrow component is built from pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

N = 300
BAD_DATA, IO, REFUSED = 3, 5, 6  # exit codes


def some(draw, make, share=0.1):
    return [None if draw.random() < share else make() for _ in range(N)]


def cells():
    """Columns of every type that is read, with missing cells: name -> (Arrow type, values)."""
    draw = random.Random(int(os.environ.get("BOUGH_SEED", "20261115")))
    columns = {}
    for bits in (8, 16, 32, 64):
        columns[f"i{bits}"] = (getattr(pa, f"int{bits}")(), some(draw, lambda: draw.randint(-100, 100)))
        columns[f"u{bits}"] = (getattr(pa, f"uint{bits}")(), some(draw, lambda: draw.randint(0, 200)))
    # Multiples of 1/16 are the same in all three widths.
    for bits in (16, 32, 64):
        columns[f"f{bits}"] = (
            getattr(pa, f"float{bits}")(),
            some(draw, lambda: draw.randint(-900, 900) / 16),
        )
    columns["truth"] = (pa.bool_(), some(draw, lambda: draw.random() < 0.5))
    words = ["red", "green", "blue", "a word that does not fit into twelve bytes", "", "Ärger"]
    texts = {
        "text": pa.utf8(),
        "large": pa.large_utf8(),
        "view": pa.string_view(),
        "few": pa.dictionary(pa.int8(), pa.utf8()),
        "more": pa.dictionary(pa.uint32(), pa.large_utf8()),
    }
    for name, kind in texts.items():
        columns[name] = (kind, some(draw, lambda: draw.choice(words[:4] + words[5:])))
    columns["nothing"] = (pa.null(), [None] * N)
    columns["weight"] = (pa.int32(), [draw.randint(1, 3) for _ in range(N)])
    return columns


def arrow_table(columns, target):
    arrays = {name: pa.array(values, kind) for name, (kind, values) in columns.items()}
    return pa.table({**arrays, "y": pa.array(target)})


def csv_text(columns, target):
    lines = [",".join([*columns, "y"])]
    for row in zip(*(values for _, values in columns.values()), target, strict=True):
        lines.append(
            ",".join("" if v is None else str(v).lower() if isinstance(v, bool) else str(v) for v in row)
        )
    return "\n".join(lines) + "\n"


def write_stream(table, path, rows=77):
    with pa.ipc.new_stream(path, table.schema) as out:
        for batch in table.to_batches(max_chunksize=rows):
            out.write_batch(batch)


def write_ipc(table, path, rows=77, **options):
    with pa.ipc.new_file(path, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as out:
        for batch in table.to_batches(max_chunksize=rows):
            out.write_batch(batch)


def model_of(desk, data, *words, stdin=None, target="y"):
    """The model as a document, but for the command that made it."""
    desk.ok("train", data, "--target", target, "--holdout", "0", "-o", "m.json", *words, stdin=stdin)
    document = json.loads(desk.read("m.json"))
    del document["checksum"], document["provenance"]["command"]
    return document


@pytest.fixture
def small(desk):
    """A Parquet file of three row groups: x, color and y."""
    draw = random.Random(5)
    rows = [(draw.random(), draw.choice(["red", "green"])) for _ in range(90)]
    table = pa.table({
        "x": [x for x, _ in rows], "color": [c for _, c in rows],
        "y": ["yes" if x > 0.4 and c == "red" else "no" for x, c in rows],
    })  # fmt: skip
    pq.write_table(table, desk.path("small.parquet"), row_group_size=30)
    return table


@pytest.mark.parametrize("target", ["class", "number"])
def test_models_of_every_type_of_file_are_those_of_the_text(desk, target):
    columns = cells()
    draw = random.Random(1)
    numbers = [
        (c or 0) * 0.25 + (3.0 if t == "red" else 0.0) + draw.randint(0, 8) / 4
        for c, t in zip(columns["i8"][1], columns["text"][1], strict=True)
    ]
    y = numbers if target == "number" else ["high" if v > 2 else "low" for v in numbers]
    table = arrow_table(columns, y)
    desk.write("a.csv", csv_text(columns, y))
    pq.write_table(table, desk.path("a.parquet"), row_group_size=64, compression="zstd")
    pq.write_table(table, desk.path("b.pq"), use_dictionary=False, data_page_version="2.0", version="2.6")
    write_ipc(table, desk.path("a.arrow"), compression="lz4", unify_dictionaries=True)
    write_ipc(table, desk.path("a.feather"), rows=N, compression="zstd")
    write_stream(table, desk.path("a.ipc"))
    options = ["--weight", "weight", "--max-depth", "6"]
    expected = model_of(desk, "a.csv", *options)
    assert len(expected["trees"]) == 1
    for name in ("a.parquet", "b.pq", "a.arrow", "a.feather", "a.ipc"):
        assert model_of(desk, name, *options) == expected, name
    # By their content, whatever they are called.
    shutil.copy(desk.path("a.parquet"), desk.path("parquet.csv"))
    shutil.copy(desk.path("a.ipc"), desk.path("stream"))
    for name in ("parquet.csv", "stream"):
        assert model_of(desk, name, *options) == expected, name
    desk.train("a.csv", *options)
    answers = desk.ok("predict", "m.bough", "a.csv", "--id", "u8")
    for name in ("a.parquet", "a.feather", "a.ipc"):
        assert desk.ok("predict", "m.bough", name, "--batch", "50", "--id", "u8") == answers, name


def test_python_and_the_command_line_fit_the_same_bytes(desk, small):
    bough = pytest.importorskip("bough")
    fitted = bough.DecisionTreeClassifier().fit(small.drop_columns("y"), small["y"].to_pylist())
    fitted.save(desk.path("python.json"))
    theirs = json.loads(desk.read("python.json"))
    ours = model_of(desk, "small.parquet")
    for part in ("features", "trees", "targets"):
        assert ours[part] == theirs[part]


def test_parquet_and_arrow_come_through_pipes_and_packed(desk, small):
    expected = model_of(desk, "small.parquet")
    write_stream(small, desk.path("small.arrows"))
    for name in ("small.parquet", "small.arrows"):
        assert desk.shell(f"cat {name} | bough train - --target y --holdout 0 -o p.bough").code == 0
        assert desk.shell(f"gzip -k {name}").code == 0
        assert model_of(desk, f"{name}.gz") == expected
    answers = desk.ok("predict", "p.bough", "small.parquet")
    assert desk.shell("cat small.arrows | bough predict p.bough").out == answers
    assert desk.shell("bough predict p.bough < small.parquet").out == answers


def test_every_verb_reads_parquet(desk, small):
    desk.train("small.parquet")
    desk.write(
        "small.csv",
        csv_text({c: (None, small[c].to_pylist()) for c in ("x", "color")}, small["y"].to_pylist()),
    )
    for verb in (["evaluate", "m.bough"], ["explain", "m.bough", "--row", "3", "--data"], ["schema"]):
        assert desk.ok(*verb, "small.parquet").replace("small.parquet", "small.csv") == desk.ok(
            *verb, "small.csv"
        )


def test_a_folder_or_a_pattern_stands_for_its_files(desk, small):
    expected = model_of(desk, "small.parquet")
    os.makedirs(desk.path("parts/inner"))
    pq.write_table(small[:20], desk.path("parts/a.parquet"))
    pq.write_table(small[20:20], desk.path("parts/b.parquet"))  # no rows
    pq.write_table(small[20:80].select(["y", "x", "color"]), desk.path("parts/c.parquet"), row_group_size=7)
    pq.write_table(small[80:], desk.path("parts/inner/d.parquet"))
    desk.write("parts/_SUCCESS", "")
    assert model_of(desk, "parts") == expected
    shutil.move(desk.path("parts/inner/d.parquet"), desk.path("parts/d.parquet"))
    assert model_of(desk, "parts/*.parquet") == expected
    desk.train("small.parquet")
    assert desk.ok("predict", "m.bough", "parts", "--batch", "13") == desk.ok(
        "predict", "m.bough", "small.parquet"
    )


def test_a_column_that_is_null_in_some_files_has_its_type_from_the_others(desk):
    columns = {name: cell for name, cell in cells().items() if name != "nothing"}
    target = ["high" if (v or 0) > 0 else "low" for v in columns["i8"][1]]
    for _, values in columns.values():
        values[100:200] = [1 if values is columns["weight"][1] else None] * 100
    table = arrow_table(columns, target)
    kept = {"weight", "y"}
    null = {c: table[c][100:200] if c in kept else pa.nulls(100) for c in table.column_names}
    desk.path("parts").mkdir()
    pq.write_table(table[:100], desk.path("parts/b.parquet"))
    pq.write_table(pa.table(null), desk.path("parts/c.parquet"))
    pq.write_table(table[200:], desk.path("parts/d.parquet"))
    pq.write_table(table, desk.path("whole.parquet"))
    assert model_of(desk, "parts") == model_of(desk, "whole.parquet")
    shutil.move(desk.path("parts/c.parquet"), desk.path("parts/a.parquet"))
    order = pa.concat_tables([table[100:200], table[:100], table[200:]])
    pq.write_table(order, desk.path("whole.parquet"))
    assert model_of(desk, "parts") == model_of(desk, "whole.parquet")
    desk.train("whole.parquet")
    answers = desk.ok("predict", "m.bough", "whole.parquet")
    assert desk.ok("predict", "m.bough", "parts", "--batch", "70") == answers


def test_training_from_disk_gives_the_model_of_all_rows_at_once(desk):
    columns = cells()
    columns["mixed"] = (
        pa.dictionary(pa.int16(), pa.utf8()),
        [random.Random(i).choice(["1", "x"]) for i in range(N)],
    )
    target = ["high" if (v or 0) > 0 else "low" for v in columns["f16"][1]]
    table = arrow_table(columns, target).append_column("day", pa.array([datetime.date(2026, 1, 1)] * N))
    desk.path("parts").mkdir()
    for number, first in enumerate((0, 17, 120)):
        rows = table[first : (17, 120, N)[number]]
        pq.write_table(rows, desk.path(f"parts/{number}.parquet"), row_group_size=40)
    write_stream(table, desk.path("whole.arrows"))
    options = ["--ignore", "day", "--weight", "weight", "--size", "full"]
    expected = model_of(desk, "whole.arrows", *options)
    for data in ("parts", "whole.arrows"):
        assert model_of(desk, data, *options, "--memory", "500MB") == expected, data


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (lambda t: t.rename_columns(["x", "colour", "y"]), ['b.parquet lacks columns that', '"color"']),
        (lambda t: t.append_column("z", t["x"]), ["has 4 columns, parts/a.parquet has 3"]),
        (lambda t: t.set_column(0, "x", t["x"].cast(pa.float32())), ['"x" is float64', "float32 in"]),
    ],
)  # fmt: skip
def test_files_with_other_columns_or_types_are_named(desk, small, other, said):
    desk.path("parts").mkdir()
    pq.write_table(small, desk.path("parts/a.parquet"))
    pq.write_table(other(small), desk.path("parts/b.parquet"))
    error = desk.fails(BAD_DATA, "train", "parts", "--target", "y")
    assert all(words in error for words in said), error


def test_columns_that_cannot_be_read_are_named_and_may_be_ignored(desk, small):
    n = len(small)
    extra = {
        "when": pa.array([datetime.datetime(2026, 1, 1)] * n),
        "day": pa.array([datetime.date(2026, 1, 1)] * n),
        "price": pa.array([decimal.Decimal("1.50")] * n),
        "list": pa.array([[1, 2]] * n),
        "struct": pa.array([{"a": 1, "b": "x"}] * n),
        "raw": pa.array([b"x"] * n),
    }
    wide = pa.table(
        {"struct": extra["struct"], "x": small["x"], **extra, "color": small["color"], "y": small["y"]}
    )
    pq.write_table(wide, desk.path("wide.parquet"))
    write_ipc(wide, desk.path("wide.arrow"))
    write_stream(wide, desk.path("wide.arrows"))
    for name in ("wide.parquet", "wide.arrow", "wide.arrows"):
        error = desk.fails(REFUSED, "train", name, "--target", "y")
        kinds = {"when": "timestamp", "day": "date", "price": "decimal", "list": "list", "struct": "struct"}
        for column, kind in [*kinds.items(), ("raw", "binary")]:
            assert f'"{column}" ({kind})' in error, error
        assert "--ignore" in error
        ignored = model_of(desk, name, "--ignore", ",".join(extra))
        assert ignored["trees"] == model_of(desk, "small.parquet")["trees"]
        desk.train("small.parquet")
        assert desk.ok("predict", "m.bough", name) == desk.ok("predict", "m.bough", "small.parquet")
        assert desk.ok("evaluate", "m.bough", name) == desk.ok("evaluate", "m.bough", "small.parquet")
    # A column that the model needs is not passed over.
    pq.write_table(
        wide.drop_columns("x").rename_columns(["struct", "x", *wide.column_names[3:]]),
        desk.path("bad.parquet"),
    )
    assert '"x" (timestamp)' in desk.fails(REFUSED, "predict", "m.bough", "bad.parquet")


def test_files_without_rows_or_columns_are_named(desk, small):
    desk.train("small.parquet")
    pq.write_table(small[:0], desk.path("none.parquet"))
    write_ipc(small[:0], desk.path("none.arrow"))
    write_stream(small[:0], desk.path("none.arrows"))
    pq.ParquetWriter(desk.path("no_groups.parquet"), small.schema).close()
    pq.write_table(pa.table({}), desk.path("bare.parquet"))
    for name in ("none.parquet", "none.arrow", "none.arrows", "no_groups.parquet"):
        assert f"{name} has no rows" in desk.fails(BAD_DATA, "train", name, "--target", "y")
        assert f"{name} has no rows" in desk.fails(BAD_DATA, "predict", "m.bough", name)
    twice = pa.table([small["x"], small["x"], small["y"]], names=["x", "x", "y"])
    pq.write_table(twice, desk.path("twice.parquet"))
    assert 'two columns "x"' in desk.fails(BAD_DATA, "train", "twice.parquet", "--target", "y")
    assert "no columns" in desk.fails(BAD_DATA, "train", "bare.parquet", "--target", "y")


def test_files_that_are_something_else_are_named(desk, small):
    desk.write("text.parquet", "x,y\n1,2\n")
    desk.write("empty.parquet", "")
    desk.write("feather.feather", b"FEA1" + bytes(40))
    desk.write("secret.parquet", b"PARE" + bytes(40))
    assert "text.parquet is not a Parquet or Arrow file" in desk.fails(
        BAD_DATA, "train", "text.parquet", "--target", "y"
    )
    assert "it is empty" in desk.fails(BAD_DATA, "train", "empty.parquet", "--target", "y")
    assert "version 1" in desk.fails(REFUSED, "train", "feather.feather", "--target", "y")
    assert "encrypted" in desk.fails(REFUSED, "train", "secret.parquet", "--target", "y")
    assert "a Parquet file" in desk.fails(
        REFUSED, "train", "small.parquet", "--target", "y", "--format", "csv"
    )
    assert "absent.parquet" in desk.fails(IO, "train", "absent.parquet", "--target", "y")
    desk.path("empty").mkdir()
    assert "the folder empty holds no files" in desk.fails(IO, "train", "empty", "--target", "y")
    assert "no file is called like" in desk.fails(IO, "train", "nothing*.parquet", "--target", "y")
    os.makedirs(desk.path("hive/year=2024"))
    shutil.copy(desk.path("small.parquet"), desk.path("hive/year=2024/a.parquet"))
    assert "year=2024" in desk.fails(REFUSED, "train", "hive", "--target", "y")


def test_damaged_files_are_errors(desk, small):
    write_ipc(small, desk.path("small.arrow"))
    write_stream(small, desk.path("small.arrows"))
    draw = random.Random(int(os.environ.get("BOUGH_SEED", "20261115")))
    for name in ("small.parquet", "small.arrow", "small.arrows"):
        whole = desk.path(name).read_bytes()
        for length in (5, 9, 100, len(whole) // 2, len(whole) - 20):
            desk.write("cut", whole[:length])
            result = desk.run("train", "cut", "--target", "y", "--format", "parquet")
            # A stream may end behind any batch.
            assert result.code == BAD_DATA or (name == "small.arrows" and result.code == 0), result.err
        for _ in range(8):
            flipped = bytearray(whole)
            for _ in range(draw.randint(1, 4)):
                flipped[draw.randrange(8, len(whole))] ^= 1 << draw.randrange(8)
            desk.write("flipped", bytes(flipped))
            result = desk.run("train", "flipped", "--target", "y", "--holdout", "0")
            assert result.code in (0, BAD_DATA, REFUSED), (result.code, result.err)


def test_what_arrow_says_about_a_damaged_page_is_one_line(desk, small):
    whole = desk.path("small.parquet").read_bytes()
    desk.write("page.parquet", whole[:4] + bytes(24) + whole[28:])
    for words in ((), ("--memory", "500MB")):
        error = desk.fails(BAD_DATA, "train", "page.parquet", "--target", "y", *words)
        assert [line.split(":")[0] for line in error.splitlines()] == ["bough", "  hint"], error
        assert "page.parquet" in error


def with_environment(desk, variables, *words):
    options = desk.options()
    options["env"] = {**options["env"], **variables}
    return subprocess.run([desk.program, *words], capture_output=True, text=True, check=False, **options)


def test_without_the_component_the_way_out_is_told(desk, small):
    desk.path("none").mkdir()
    done = with_environment(desk, {"BOUGH_ARROW_PATH": "none"}, "train", "small.parquet", "--target", "y")
    assert done.returncode == REFUSED
    assert "need the component libbough_arrow.so, which is not here (looked in none)" in done.stderr
    assert "pip install pyarrow" in done.stderr and "BOUGH_ARROW_PATH" in done.stderr
    assert desk.run("train", "small.parquet", "--target", "y").code == 0


def test_a_component_that_does_not_fit_is_an_error(desk, small):
    component = (desk.program.parent / "libbough_arrow.so").read_bytes()
    words = ["train", "small.parquet", "--target", "y", "--holdout", "0"]
    folder = pa.get_library_dirs()[0]
    # Arrow's libraries are somewhere else than they were.
    desk.write("libbough_arrow.so", component.replace(folder.encode(), b"/nowhere".ljust(len(folder), b"x")))
    variables = {"BOUGH_ARROW_PATH": "."}
    done = with_environment(desk, variables, *words)
    version = pa.__version__.split(".")[0]
    assert done.returncode == REFUSED
    assert f"it was built for Arrow {version}: pip install 'pyarrow=={version}.*'" in done.stderr
    done = with_environment(desk, {**variables, "BOUGH_ARROW_LIBRARIES": folder}, *words)
    assert done.returncode == 0, done.stderr
    # Another library of that name, and no library at all.
    desk.write("libbough_arrow.so", component.replace(b"bough_arrow_component", b"bough_arrow_elsewhere"))
    assert "another version of bough" in with_environment(desk, variables, *words).stderr
    desk.write("libbough_arrow.so", b"no library")
    done = with_environment(desk, variables, *words)
    assert done.returncode == REFUSED and "cannot be loaded" in done.stderr


def test_neither_the_program_nor_the_extension_links_arrow(program):
    extension = next((program.parent / "python").glob("_core.*.so"), program)
    for file in (program, extension):
        needed = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout
        assert "NEEDED" in needed
        assert "arrow" not in needed and "parquet" not in needed

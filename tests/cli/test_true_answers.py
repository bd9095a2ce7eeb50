# SPDX-License-Identifier: Apache-2.0
"""Commands give a true answer or an error: no other answer without a word."""

import json
import random
import re

import pytest


def write_rows(desk, name, head, rows):
    lines = [",".join(map(str, row)) for row in rows]
    return desk.write(name, head + "\n" + "\n".join(lines) + "\n")


@pytest.fixture
def grown(desk):
    """The rows that a forest was grown on."""
    dice = random.Random(3)
    rows = []
    for _ in range(150):
        a, b = round(dice.gauss(0, 1), 2), dice.choice("uvw")
        rows.append((a, b, "yes" if a + (b == "u") + dice.gauss(0, 0.7) > 0.3 else "no"))
    write_rows(desk, "rows.csv", "a,b,y", rows)
    desk.ok("train", "rows.csv", "--target", "y", "--forest", 30, "-o", "f.bough")
    return rows


def test_forests_know_the_rows_that_they_were_grown_on(desk, grown):
    scores = desk.ok("forest", "f.bough", "rows.csv")
    assert "Out of bag" in scores
    sorted_rows = sorted(grown, key=lambda row: row[2])
    write_rows(desk, "sorted.csv", "a,b,y", sorted_rows)
    said = desk.fails(3, "forest", "f.bough", "sorted.csv")
    assert "not the rows that the forest was grown on, or not in their order" in said


def test_forests_notice_other_labels_of_their_rows(desk, grown):
    a, b, y = grown[17]
    other = [*grown[:17], (a, b, "no" if y == "yes" else "yes"), *grown[18:]]
    write_rows(desk, "other.csv", "a,b,y", other)
    assert "does not hold the rows" in desk.fails(3, "forest", "f.bough", "other.csv")


def test_a_refused_table_leaves_no_proximity_file(desk, grown):
    write_rows(desk, "sorted.csv", "a,b,y", sorted(grown))
    desk.fails(3, "forest", "f.bough", "sorted.csv", "--proximity", "near.csv")
    assert not desk.path("near.csv").exists()


def test_a_limit_of_memory_leaves_the_same_columns_out(desk):
    dice = random.Random(5)
    rows = []
    for i in range(3000):
        a = round(dice.gauss(0, 1), 2)
        few = dice.choice("abc")
        answer = "yes" if a + (few == "a") > 0.4 else "no"
        rows.append((f"n{i * 7919:06x}", i + 1, a, few, f"z{i // 2}", answer))
    write_rows(desk, "rows.csv", "key,number,a,few,pairs,y", rows)
    options = ("rows.csv", "--target", "y", "--size", "full", "--no-scores")
    plain = desk.run("train", *options, "-o", "plain.bough")
    small = desk.run("train", *options, "-o", "small.bough", "--memory", "1GB")
    assert plain.code == small.code == 0, plain.err + small.err
    assert plain.err == small.err
    assert "column 'key' has 3,000 different texts" in small.err
    forms = []
    for name in ("plain", "small"):
        form = json.loads(desk.ok("export", f"{name}.bough", "--to", "json"))
        del form["provenance"], form["checksum"]
        forms.append(form)
    assert forms[0] == forms[1]
    names = [field["name"] for field in forms[0]["features"]]
    assert names == ["number", "a", "few"]


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (["3,5", "4", "2,25", "7"], "numbers (such as 4) and numbers with a comma (such as '3,5' in row 1)"),
        (["1,234", "12,345", "1,234,567", "2,000"], "numbers with commas between thousands (such as 1,234)"),
        (["3,5", "4,25", "2,125", "7,5"], "numbers with a decimal comma (such as 3,5)"),
    ],
)
def test_commas_in_numbers_are_told_for_what_they_are(desk, cells, words):
    lines = [f"{cells[i % 4]};{i % 3};{i % 2}" for i in range(80)]
    desk.write("t.csv", "\n".join(["v;x;y", *lines]) + "\n")
    result = desk.run("train", "t.csv", "--target", "y", "--task", "classification")
    assert result.code == 0 and words in result.err, result.err


def test_a_stray_word_among_many_numbers_is_named(desk):
    dice = random.Random(9)
    lines = [f"{round(dice.gauss(0, 1), 4)},{i % 3},{i % 2}" for i in range(2000)]
    lines[1233] = "unknown,1,1"
    desk.write("t.csv", "\n".join(["v,x,y", *lines]) + "\n")
    for more in ((), ("--memory", "1GB")):
        result = desk.run("train", "t.csv", "--target", "y", "--task", "classification", *more)
        assert result.code == 0, result.err
        assert "column 'v' holds numbers and the word 'unknown' in row 1234" in result.err, result.err
        assert "add it to the words of --missing" in result.err


@pytest.mark.parametrize("memory", [(), ("--memory", "1GB")])
def test_a_first_column_without_a_name_is_the_index_of_a_frame(desk, memory):
    dice = random.Random(4)
    numbers = dice.sample(range(10_000), 300)
    rows = [(number, number % 3, dice.randint(0, 5), number % 2) for number in numbers]
    write_rows(desk, "t.csv", ",a,b,y", rows)
    result = desk.run("train", "t.csv", "--target", "y", "--task", "classification", "-o", "m.bough", *memory)
    assert result.code == 0, result.err
    assert "column 'x0' has no name and numbers the rows: it is left out (--numeric x0" in result.err
    assert "x0" not in desk.ok("export", "m.bough", "--to", "sql", "--dialect", "duckdb")
    kept = desk.run("train", "t.csv", "--target", "y", "--task", "classification", "--numeric", "x0", *memory)
    assert kept.code == 0 and "left out" not in kept.err, kept.err


@pytest.fixture
def days(desk):
    lines = [
        f"2021-02-{i % 28 + 1:02},{i * 37 % 11}.50,{str(i % 2 > 0).upper()},{i % 28 > 9}" for i in range(90)
    ]
    desk.write("days.csv", "\n".join(["day,number,flag,y", *lines]) + "\n")
    return desk.train("days.csv")


@pytest.mark.parametrize("cell", ["2021-02-03", "TRUE", "31.01.2021"])
def test_plain_numbers_take_no_dates_and_truth_values(desk, days, cell):
    desk.write("new.csv", f"day,number,flag\n2021-02-03,4.5,TRUE\n2021-02-20,{cell},FALSE\n")
    said = desk.fails(3, "predict", days, "new.csv")
    assert f'line 3, column "number": "{cell}" is not a number' in said


def test_columns_of_dates_take_dates(desk, days):
    desk.write("new.csv", "day,number,flag\n2021-02-03,4.5,TRUE\n28.02.2021,7,FALSE\n")
    assert desk.ok("predict", days, "new.csv").split() == ["prediction", "False", "True"]
    standard_input = desk.read("days.csv")
    desk.ok("train", "-", "--target", "y", "-o", "s.bough", stdin=standard_input)
    assert desk.ok("predict", "s.bough", "new.csv").split()[0] == "prediction"


@pytest.mark.parametrize("batch", ["10000", "1"])
def test_cells_that_are_copied_stay_as_they_are_written(desk, days, batch):
    rows = ["2021-02-03,4.50,TRUE,NA", "28.02.2021,007,false,a b", "NA,1e1,FALSE,"]
    desk.write("new.csv", "day,number,flag,more\n" + "\n".join(rows) + "\n")
    answers = desk.ok("predict", days, "new.csv").split()[1:]
    kept = desk.ok("predict", days, "new.csv", "--keep", "--batch", batch)
    assert kept.splitlines() == [
        "day,number,flag,more,prediction",
        *(f"{row},{answer}" for row, answer in zip(rows, answers, strict=True)),
    ]
    some = desk.ok("predict", days, "new.csv", "--id", "number,day", "--batch", batch)
    assert [line.split(",")[:2] for line in some.splitlines()[1:]] == [
        ["4.50", "2021-02-03"], ["007", "28.02.2021"], ["1e1", "NA"],
    ]  # fmt: skip


READERS = {
    "evaluate": ["evaluate", "{model}", "{data}"],
    "explain": ["explain", "{model}", "--data", "{data}", "--row", "2"],
    "shap": ["explain", "{model}", "--data", "{data}", "--shap"],
    "report": ["report", "{model}", "--data", "{data}", "-o", "r.html"],
    "compare": ["compare", "{model}", "{model}", "--data", "{data}"],
    "prune": ["prune", "{model}", "--with", "{data}", "--method", "reduced_error", "-o", "p.bough"],
    "plot": ["plot", "{model}", "--data", "{data}", "-o", "p.svg"],
    "rules": ["rules", "{model}", "--data", "{data}"],
    "train": ["train", "days.csv", "--target", "y", "--test", "{data}", "-o", "n.bough"],
}


@pytest.mark.parametrize("cell", ["2021-02-03", "TRUE", "4,5", "much"])
@pytest.mark.parametrize("verb", READERS)
def test_every_verb_reads_cells_as_predict_does(desk, days, verb, cell):
    """Also where all cells of the column are such, and so could be taken for a column of dates."""
    desk.write(
        "new.csv", f'day,number,flag,y\n2021-02-03,"{cell}",TRUE,True\n2021-02-20,"{cell}",FALSE,False\n'
    )
    words = [word.format(model=days, data="new.csv") for word in READERS[verb]]
    said = desk.fails(3, *words)
    assert f'line 2, column "number": "{cell}" is not a number' in said
    assert said.splitlines()[-2:] == desk.fails(3, "predict", days, "new.csv").splitlines()[-2:]


@pytest.mark.parametrize("verb", READERS)
def test_the_options_that_messages_name_help(desk, days, verb):
    rows = ["2021-02-03;4,5;TRUE;True", "28.02.2021;much;FALSE;False"]
    desk.write("new.csv", "\n".join(["day;number;flag;y", *rows]) + "\n")
    words = [word.format(model=days, data="new.csv") for word in READERS[verb]]
    assert "--decimal ," in desk.fails(3, *words)
    if verb == "train":
        return  # its options are about both of its tables
    assert "--missing" in desk.fails(3, *words, "--decimal", ",")
    assert desk.run(*words, "--decimal", ",", "--missing", "much").code == 0


def test_values_are_read_as_cells_are(desk, days):
    for number in ("+4.5", "4.50", "45e-1", "NA", ""):
        desk.write("new.csv", f"day,number,flag\n2021-02-03,{number},TRUE\n")
        values = f"day=2021-02-03,number={number},flag=TRUE"
        file = desk.ok("explain", days, "--data", "new.csv")
        assert [
            "Row 1 of new.csv:",
            *desk.ok("explain", days, "--values", values).splitlines(),
        ] == file.splitlines()
    said = desk.fails(3, "explain", days, "--values", "number=2021-02-03")
    assert '--values: column "number": "2021-02-03" is not a number' in said


def test_info_names_the_shrinkage_that_was_chosen(desk, grown):
    said = desk.ok("train", "rows.csv", "--target", "y", "-o", "m.bough")
    size = next(line for line in said.splitlines() if line.startswith("size:"))
    chosen = size.split("shrinkage ")[1].split(":")[0] if "shrinkage " in size else "0"
    assert f"  shrinkage                 {chosen}  (chosen by cross-validation)" in desk.ok("info", "m.bough")
    desk.ok("train", "rows.csv", "--target", "y", "--shrinkage", 5, "-o", "m.bough")
    assert "  shrinkage                 5  (set)" in desk.ok("info", "m.bough")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--shrinkage", "none"), "--size auto chooses its strength"),
        (("--size", "auto", "--pruning", "none"), "--size auto chooses the size of the tree"),
        (
            ("--max-depth", "2", "--priors", "yes=0.2,no=0.8", "--class-weight", "yes=100"),
            "--priors set the shares of the classes",
        ),
    ],
)
def test_what_is_chosen_or_cancelled_is_refused(desk, grown, words, reason):
    assert f"does nothing, because {reason}" in desk.fails(2, "train", "rows.csv", "--target", "y", *words)


def test_rows_of_weight_zero_are_not_grown_on(desk):
    write_rows(
        desk, "w.csv", "x,w,y", [(1, 1, "a"), (2, 0, "b"), (3, 1, "a"), (4, 0, "b"), (5, 1, "b"), (6, 1, "b")]
    )
    said = desk.ok("train", "w.csv", "--target", "y", "-w", "w", "--holdout", 0, "-o", "m.bough")
    assert "grown on all 4 rows of positive weight" in said


def test_a_column_is_named_once(desk, grown):
    desk.ok("train", "rows.csv", "--target", "y", "--max-depth", 2, "-o", "m.bough")
    assert "--values: 'a' is given twice" in desk.fails(2, "explain", "m.bough", "--values", "a=1,a=2")
    words = ("explain", "m.bough", "--data", "rows.csv", "--row", 1, "--counterfactual")
    assert "'a' is named twice" in desk.fails(2, *words, "--fixed", "a", "--increase", "a")


def test_a_proof_says_which_subsets_it_is_about(desk):
    """14 levels whose halves decide with x: the order of class shares cannot tell them apart."""
    dice = random.Random(7)
    rows = []
    for _ in range(300):
        level, x = dice.randrange(14), dice.gauss(0, 1)
        rows.append((chr(65 + level), round(x, 3), "yes" if (x > 0) == (level % 2 == 0) else "no"))
    write_rows(desk, "xor.csv", "c,x,y", rows)
    words = ("--search", "optimal", "--max-leaf-nodes", 4, "--max-depth", 2, "--holdout", 0)
    said = desk.run("train", "xor.csv", "--target", "y", *words)
    assert "and with the searched subsets has fewer" in said.out + said.err
    halves = [("even" if (ord(c) - 65) % 2 == 0 else "odd", x, y) for c, x, y in rows]
    write_rows(desk, "two.csv", "c,x,y", halves)
    said = desk.run("train", "two.csv", "--target", "y", *words)
    assert "proven: no tree of at most 4 leaves and depth 2 has fewer" in said.out + said.err


def test_rules_do_not_count_what_leaves_do_not_know(desk, grown):
    """Leaves of shrunken and honest trees hold other values than the shares of their rows."""
    for words in (("--shrinkage", 300), ("--honest", "true", "--min-honest-rows", 30)):
        desk.ok(
            "train", "rows.csv", "--target", "y", "--max-depth", 2, *words, "--no-scores", "-o", "m.bough"
        )
        said = desk.ok("rules", "m.bough")
        assert "confidence" not in said and "give rows to count on" in said
        counted = desk.ok("rules", "m.bough", "--data", "rows.csv")
        shares = [
            float(line.split("confidence ")[1].split("%")[0])
            for line in counted.splitlines()
            if "confidence" in line
        ]
        assert shares and all(0 <= share <= 100 for share in shares)


def test_forests_are_not_grown_on_rows_of_weight_zero(desk):
    rows = [(i, i % 4, "a" if i % 8 < 4 else "b") for i in range(64)]
    write_rows(desk, "w.csv", "x,w,y", rows)
    for words in ([], ["--bootstrap", "false"]):
        said = desk.ok("train", "w.csv", "-t", "y", "-w", "w", "--forest", 3, *words, "-o", "m.bough")
        assert "grown on all 48 rows of positive weight" in said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--size", "full"), "grown on all 20 rows of positive weight"),
        (("--honest",), "grown on all 20 rows of positive weight: in the tree 50% choose splits"),
        (
            ("--honest", "--calibration-fraction", "0.2"),
            "grown on 20 rows of positive weight less 20% held out to calibrate",
        ),
        (("--pruning", "reduced_error"), "grown on 20 rows of positive weight less 30% held out to prune"),
    ],
)
def test_every_way_of_growing_counts_rows_of_positive_weight(desk, options, said):
    desk.write("w.csv", "x,w,y\n" + "".join(f"{i},{(i + 1) % 2},{'pq'[i // 20]}\n" for i in range(40)))
    out = desk.ok(
        "train", "w.csv", "--target", "y", "--weight", "w", "--holdout", "0", *options, "-o", "m.bough"
    )
    assert said in " ".join(out.split())


def test_rows_of_weight_zero_are_not_counted_as_scored(desk):
    desk.write("train.csv", "x,y\n" + "".join(f"{i},{'pq'[i // 20]}\n" for i in range(40)))
    for name, leaf in (("a.bough", "1"), ("b.bough", "3")):
        desk.ok(
            "train", "train.csv", "--target", "y", "--size", "full", "--min-samples-leaf", leaf, "-o", name
        )
    desk.write(
        "test.csv", "x,w,y\n" + "".join(f"{i * 5},{0 if i < 4 else 1},{'pq'[i % 2]}\n" for i in range(8))
    )
    scores = json.loads(desk.ok("evaluate", "a.bough", "test.csv", "--weight", "w", "--json"))
    assert json.dumps(scores).count('"n_rows": 4') == 1
    compared = desk.ok("compare", "a.bough", "b.bough", "--data", "test.csv", "--weight", "w")
    assert "y, 4 rows:" in compared and "both right 2" in compared
    # Of four rows half are wrong by 1: the interval of the mean ends where the largest error is.
    said = desk.ok("evaluate", "a.bough", "test.csv", "--weight", "w")
    assert re.search(r"Brier score +0\.5000 \(0\.0000 to 1\.0000\)", said)


def test_balanced_classes_weigh_the_same_whatever_their_rows_weigh(desk):
    """3 + 1 of a against 1 + 1 of b: each class weighs half, as if the first row came three times."""
    desk.write("w.csv", "x,y,w\n0,a,3\n1,a,1\n2,b,1\n3,b,1\n4,b,0\n5,b,0\n")
    desk.write("copies.csv", "x,y\n0,a\n0,a\n0,a\n1,a\n2,b\n3,b\n")
    for table, options in (("w.csv", ("--weight", "w")), ("copies.csv", ())):
        balanced = ("--size", "full", "--class-weight", "balanced", *options)
        desk.ok("train", table, "--target", "y", *balanced, "--no-scores", "-o", "m.bough")
        assert desk.ok("show", "m.bough").splitlines()[0].startswith("a 50%, b 50%")


def test_fractions_of_rows_are_of_those_of_positive_weight(desk):
    desk.write("g.csv", "x,y,w\n" + "".join(f"{i},{i},1\n" for i in range(4)) + "0,0,0\n" * 4)
    desk.ok("train", "g.csv", "--target", "y", "--weight", "w", "--task", "regression", "--size", "full",
            "--min-samples-leaf", "0.25", "--no-scores", "-o", "m.bough")  # fmt: skip
    assert json.loads(desk.ok("info", "m.bough", "--json"))["trees"][0]["leaves"] == 4


def without_a_target(desk):
    """Row 2 has none, so the rows that are learned from are 1, 3, 4, 5 and 6."""
    desk.write("s.csv", "a,y\n1,p\n2,\n3,q\n4,q\n5,p\n6,p\n")
    desk.ok("train", "s.csv", "--target", "y", "--size", "full", "--no-scores", "-o", "s.bough")


def test_studies_number_rows_as_the_file_does(desk):
    without_a_target(desk)
    said = desk.ok("study", "leave-one-out", "s.bough", "s.csv")
    numbers = {
        int(n)
        for line in re.findall(r"without (?:row|any of the rows) ([\d, ]+):", said)
        for n in line.split(",")
    }
    assert numbers and 2 not in numbers and 5 in numbers
    # What it says of row 5 is what a file without that row gives.
    desk.write("s5.csv", "a,y\n1,p\n3,q\n4,q\n6,p\n")
    desk.ok("train", "s5.csv", "--target", "y", "--size", "full", "--no-scores", "-o", "s5.bough")
    after = next(
        c
        for c in json.loads(desk.ok("study", "leave-one-out", "s.bough", "s.csv", "--json"))["changed"]
        if 4 in c["rows"]
    )
    assert after["after"] == desk.ok("show", "s5.bough")


def test_rows_without_a_target_are_left_out_of_memory_too(desk):
    without_a_target(desk)
    whole = desk.ok("show", "s.bough")
    result = desk.run(
        "train",
        "s.csv",
        "--target",
        "y",
        "--size",
        "full",
        "--no-scores",
        "--memory",
        "200MB",
        "-o",
        "m.bough",
    )
    assert result.code == 0 and "1 of 6 rows has no y and is left out" in result.err
    assert desk.ok("show", "m.bough") == whole


@pytest.mark.parametrize("cell", ["true", "False", "TRUE"])
def test_columns_of_dates_take_no_truth_values(desk, days, cell):
    desk.write("new.csv", f"day,number,flag\n2021-02-03,4.5,TRUE\n{cell},4.5,FALSE\n")
    said = desk.fails(3, "predict", days, "new.csv")
    assert f'line 3, column "day": "{cell}" is not a number' in said and "no truth values" in said
    assert "is not a number" in desk.fails(3, "explain", days, "--values", f"day={cell}")


@pytest.mark.parametrize("cell", ["True", "7", "2021-02-03"])
def test_answers_do_not_depend_on_the_batch(desk, cell):
    desk.write("t.csv", "a,n,y\n" + "yes,1,p\nno,2,q\nmaybe,0,q\n" * 6)
    desk.train("t.csv")
    desk.write("new.csv", f"a,n\n{cell},1\nyes,1\n{cell},1\n")
    answers = [desk.run("predict", "m.bough", "new.csv", "--batch", n) for n in ("1", "2", "3")]
    assert [answer.out.split() for answer in answers] == [["prediction", "q", "p", "q"]] * 3
    assert all(f"'{cell}'" in answer.err for answer in answers)
    desk.write("new.csv", f"a,n\n{cell},1\n")
    assert desk.ok("predict", "m.bough", "new.csv").split() == ["prediction", "q"]


@pytest.mark.parametrize("word", ["unknown", "2022-02-30", "true"])
@pytest.mark.parametrize("repeats", [1, 4], ids=["scattered", "repeated"])
def test_a_word_among_dates_is_told(desk, word, repeats):
    dates = [f"2022-{month:02}-{day}" for month in (2, 3) for day in range(10, 29)] * repeats
    lines = [f"{date},{'yes' if date > '2022-03' else 'no'}" for date in dates]
    desk.write("t.csv", "\n".join(["d,y", *lines, f"{word},no"]) + "\n")
    said = desk.run("train", "t.csv", "--target", "y", "--holdout", "0", "--size", "full").err
    assert "holds dates" in said and f"'{word}'" in said and f"row {len(lines) + 1}" in said
    assert "means that a date is missing, add it to the words of --missing" in said


@pytest.mark.parametrize("yes", ["True", "TRUE", "true"])
def test_classes_that_are_truth_values_are_known_again(desk, yes):
    no = {"True": "False", "TRUE": "FALSE", "true": "false"}[yes]
    desk.write("t.csv", "a,y\n" + "".join(f"{i},{yes if i % 2 else no}\n" for i in range(6)) * 3)
    desk.train("t.csv")
    assert "18 rows" in desk.ok("explain", "m.bough", "--data", "t.csv", "--node", "0")
    other = desk.read("t.csv").replace(yes, "true").replace(no, "false")
    desk.write("other.csv", other)
    assert "18 rows" in desk.ok("explain", "m.bough", "--data", "other.csv", "--node", "0")


def test_reasons_of_forests_start_from_the_rows_of_their_trees(desk):
    desk.write("t.csv", "x,y\n1,10\n2,20\n3,30\n4,40\n5,50\n6,60\n7,700\n8,80\n")
    desk.ok("train", "t.csv", "-t", "y", "--task", "regression", "--forest", "10", "-o", "f.bough")
    said = desk.ok("explain", "f.bough", "--data", "t.csv", "--row", "1", "--reasons")
    assert re.search(r"averaged over the trees, it is \S+ for their training rows", said), said

# SPDX-License-Identifier: Apache-2.0
"""The first ten minutes: bough train that is told nothing, and what it says about tables as they are."""

import csv
import io
import json
import random
import re

import pytest


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def noisy(desk, name="noisy.csv", n=400):
    """Two classes by one threshold, a fifth of them wrong: the full tree learns the noise."""
    draw = random.Random(3)
    lines = ["a,b,c,y"]
    for _ in range(n):
        a, b, c = (round(draw.random(), 3) for _ in range(3))
        yes = (a > 0.5) != (draw.random() < 0.2)
        lines.append(f"{a},{b},{c},{'yes' if yes else 'no'}")
    return desk.write(name, "\n".join(lines) + "\n")


def leaves(desk, model):
    return json.loads(desk.ok("info", model, "--json"))["trees"][0]["leaves"]


# ------------------------------------------------------------ the size of the tree
def test_the_default_tree_is_pruned_and_says_so(desk):
    data = noisy(desk)
    out = desk.ok("train", data, "--target", "y", "-o", "m.bough")
    assert "in 10-fold cross-validation" in out and "the largest tree tried, " in out
    assert "the largest class alone" in out
    assert leaves(desk, "m.bough") < 10
    assert f"size: {leaves(desk, 'm.bough')} leaves" in out
    assert "Path of sizes, 10 folds" in desk.ok("info", "m.bough")
    desk.ok("train", data, "--target", "y", "--size", "full", "-o", "full.bough")
    assert leaves(desk, "full.bough") > 80


def test_scores_are_of_the_same_procedure_and_beside_a_baseline(desk):
    data = noisy(desk)
    result = json.loads(desk.ok("train", data, "--target", "y", "--json"))
    assert result["scored_leaves"] < 10
    (held,), (base,) = result["held_out"], result["baseline"]
    assert held["scores"]["accuracy"] > 0.7 > base["scores"]["accuracy"]
    assert "of a tree of" in desk.ok("train", data, "--target", "y")


def test_a_tree_that_has_learned_noise_is_told(desk):
    data = noisy(desk)
    full = desk.ok("train", data, "--target", "y", "--size", "full")
    assert "far better than new ones (accuracy 1.0000 and 0." in full and "--size auto" in full
    assert "far better" not in desk.ok("train", data, "--target", "y")
    assert "far better" not in desk.ok("train", data, "--target", "y", "--forest", "5")


def test_a_tree_of_a_chosen_size_is_not_told_to_choose_its_size(desk):
    for seed in range(3):
        draw = random.Random(seed)
        desk.write(
            "t.csv",
            "k,x,y\n"
            + "".join(
                f"c{draw.randrange(60)},{draw.random():.2f},{draw.choice('abc')}\n" for _ in range(200)
            ),
        )
        assert "--size auto" not in desk.ok("train", "t.csv", "--target", "y")


@pytest.mark.parametrize(
    "options",
    [("--max-depth", "30"), ("--min-samples-leaf", "1"), ("--pruning", "none"), ("--preset", "onedal")],
)
def test_parameters_of_growth_and_pruning_give_the_tree_as_it_grows(desk, options):
    data = noisy(desk)
    out = desk.ok("train", data, "--target", "y", *options, "--task", "classification")
    assert "cross-validation" not in out


def test_few_rows_are_not_cross_validated(desk):
    desk.write("few.csv", "a,y\n" + "".join(f"{i},{'yes' if i > 5 else 'no'}\n" for i in range(12)))
    assert "too few to choose a size" in desk.ok("train", "few.csv", "--target", "y", "--holdout", "0")


def test_forests_look_at_some_of_the_columns(desk):
    data = noisy(desk)
    desk.ok("train", data, "--target", "y", "--forest", "3", "-o", "f.bough", "--no-scores")
    assert json.loads(desk.ok("export", "f.bough", "--to", "json"))["params"]["max_features"] == "auto"
    first = desk.path("f.bough").read_bytes()
    desk.ok(
        "train",
        data,
        "--target",
        "y",
        "--forest",
        "3",
        "-o",
        "f.bough",
        "--no-scores",
        "--max-features",
        "sqrt",
    )
    other = json.loads(desk.ok("export", "f.bough", "--to", "json"))
    assert other["params"]["max_features"] == "sqrt" and first
    assert desk.ok("predict", "f.bough", data)


# ------------------------------------------------------------ options without effect
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--max-depth", "3", "--pruning-rule", "one_se"), "--pruning-rule one_se does nothing"),
        (("--max-depth", "3", "--pruning-folds", "5"), "--pruning-folds 5 does nothing"),
        (("--pruning-fraction", "0.5"), "--pruning-fraction 0.5 does nothing"),
        (("--confidence-factor", "0.1"), "--confidence-factor 0.1 does nothing"),
        (
            ("--critical-value", "0.1"),
            "--critical-value 0.1 does nothing, because --pruning critical_value is not set",
        ),
        (("--surrogates", "2"), "--surrogates 2 does nothing"),
        (("--quantile", "0.9"), "--quantile 0.9 does nothing"),
        (("--max-depth", "3", "--fold-groups", "a"), "--fold-groups"),
        # Their own defaults do nothing either.
        (("--max-depth", "3", "--pruning-folds", "10"), "--pruning-folds 10 does nothing"),
        (("--confidence-factor", "0.25"), "--confidence-factor 0.25 does nothing"),
        (("--surrogates", "5"), "--surrogates 5 does nothing"),
        (("--quantile", "0.5"), "--quantile 0.5 does nothing"),
        (("--honest-fraction", "0.5"), "--honest-fraction 0.5 does nothing"),
        (("--preset", "onedal", "--task", "classification", "--j48", "false"), "--j48 false does nothing"),
    ],
)
def test_options_that_do_nothing_are_refused(desk, options, words):
    assert words in desk.fails(2, "train", noisy(desk), "--target", "y", *options)


def test_keys_of_a_configuration_that_do_nothing_are_refused_at_their_defaults(desk):
    desk.write("c.toml", "quantile = 0.5\n")
    error = desk.fails(2, "train", noisy(desk), "--target", "y", "--config", "c.toml")
    assert "quantile 0.5 does nothing" in error


def test_options_that_judge_the_size_are_taken_where_it_is_chosen(desk):
    desk.ok("train", noisy(desk), "--target", "y", "--pruning-folds", "10", "--no-scores", "-o", "m.bough")


def test_unknown_sections_of_a_configuration_are_refused(desk):
    data = noisy(desk)
    desk.write("c.toml", "[growth]\nmax_depth = 3\n")
    assert "there is no section [growth]" in desk.fails(
        2, "train", data, "--target", "y", "--config", "c.toml"
    )
    # Only bough train reads such a file, so the section of another verb is read by nobody.
    desk.write("c.toml", "[train]\nmax_depth = 1\n[predict]\nproba = true\n")
    assert "[predict] does nothing" in desk.fails(2, "train", data, "--target", "y", "--config", "c.toml")
    desk.write("c.toml", "[train]\nmax_depth = 1\n")
    desk.ok("train", data, "--target", "y", "--config", "c.toml", "-o", "m.bough")
    assert leaves(desk, "m.bough") == 2


# ------------------------------------------------------------ rows and values that training has seen
def test_training_rows_are_recognised(desk):
    data = noisy(desk)
    desk.ok("train", data, "--target", "y", "-o", "m.bough")
    desk.ok("train", data, "--target", "y", "--max-depth", "1", "-o", "n.bough")
    lines = desk.read(data).splitlines()
    desk.write("shuffled.csv", "\n".join([lines[0], *reversed(lines[1:])]) + "\n")
    desk.write("other.csv", "\n".join(lines[:-1]) + "\n")
    words = "the rows that the model was grown on"
    assert words in desk.run("evaluate", "m.bough", "shuffled.csv").err
    assert words not in desk.run("evaluate", "m.bough", "other.csv").err
    assert "m.bough was grown on" in desk.run("compare", "m.bough", "n.bough", "--data", data).err
    assert "was grown on" in desk.run("prune", "m.bough", "--with", data).err
    assert words in desk.run("train", data, "--target", "y", "--test", data).err
    forest = desk.train(data, "--forest", "2", model="f.bough")
    assert words in desk.run("evaluate", forest, data).err


def test_values_that_training_has_not_seen_are_counted(desk):
    desk.write("t.csv", "sex,y\n" + "male,a\nfemale,b\n" * 20)
    desk.ok("train", "t.csv", "--target", "y", "-o", "m.bough")
    desk.write("new.csv", "sex\nMALE\nfemale\nMALE\n")
    err = desk.run("predict", "m.bough", "new.csv").err
    assert "in 2 rows, column 'sex' holds a value that the model has not seen, such as 'MALE'" in err


# ------------------------------------------------------------ manners
def test_standard_output_gets_the_model_and_nothing_else(desk):
    data = noisy(desk)
    desk.ok("train", data, "--target", "y", "-o", "m.bough", "--max-depth", "2")
    assert desk.shell(f"bough train {data} --target y --max-depth 2 -o - > piped.bough").code == 0
    assert not desk.path("-").exists()
    assert desk.ok("show", "piped.bough") == desk.ok("show", "m.bough")
    assert desk.shell("bough prune m.bough --leaves 2 -o - > small.bough").code == 0
    assert leaves(desk, "small.bough") == 2


def test_an_empty_name_of_a_file_is_an_error(desk):
    assert "--output: '' is not a name" in desk.fails(2, "train", noisy(desk), "--target", "y", "-o", "")


def test_two_dashes_end_the_options(desk):
    desk.write("-odd.csv", desk.read(noisy(desk)))
    desk.ok("train", "--target", "y", "-o", "m.bough", "--", "-odd.csv")
    assert "prediction" in desk.ok("predict", "--", "m.bough", "-odd.csv")


def test_names_of_parameters_are_options_too(desk):
    desk.ok("train", noisy(desk), "--target", "y", "--max_depth", "1", "-o", "m.bough")
    assert leaves(desk, "m.bough") == 2
    assert "wants a number" in desk.fails(2, "train", "noisy.csv", "--target", "y", "--holdout", "nan")


def test_names_in_quotes_hold_commas(desk):
    desk.write("t.csv", '"a,b",c,y\n' + "".join(f"{i},{i % 3},{i}\n" for i in range(40)))
    for options in (
        ("--monotonic-cst", '"a,b"=1,c=0'),
        ("--column-costs", '"a,b"=2'),
        ("--interaction-cst", '"a,b";c'),
    ):
        desk.ok(
            "train",
            "t.csv",
            "--target",
            "y",
            "--task",
            "regression",
            "--max-depth",
            "2",
            *options,
            "-o",
            "m.bough",
        )
    assert "a,b" in desk.ok("explain", "m.bough", "--values", '"a,b"=3,c=1')


def test_predict_keeps_all_columns(desk):
    desk.write("t.csv", "id,x,y\n" + "".join(f"00{i},{i},{i // 20}\n" for i in range(40)))
    desk.ok("train", "t.csv", "--target", "y", "--ignore", "id", "-o", "m.bough")
    rows = rows_of(desk.ok("predict", "m.bough", "t.csv", "--keep"))
    assert rows[3] == {"id": "003", "x": "3", "y": "0", "prediction": "0"}


def test_prune_to_a_number_of_leaves(desk):
    data = noisy(desk)
    desk.ok("train", data, "--target", "y", "--size", "full", "-o", "m.bough")
    desk.write("new.csv", desk.read(noisy(desk, "other.csv", 300)))
    out = desk.ok("prune", "m.bough", "--leaves", "5", "--with", "new.csv", "-o", "p.bough")
    assert "before" in out and "after" in out and "accuracy" in out
    assert 2 <= leaves(desk, "p.bough") <= 5


def test_recall_and_precision_of_every_class(desk):
    desk.write("t.csv", "x,y\n" + "0,a\n" * 30 + "1,b\n" * 10)
    desk.ok("train", "t.csv", "--target", "y", "-o", "m.bough")
    desk.write("new.csv", "x,y\n" + "0,a\n" * 6 + "0,b\n" * 2 + "1,b\n" * 2)
    out = desk.ok("evaluate", "m.bough", "new.csv")
    assert "a      1.0000     0.7500" in out and "b      0.5000     1.0000" in out


def test_many_classes_are_saved_before_they_are_scored(desk):
    draw = random.Random(1)
    desk.write(
        "t.csv", "x,y\n" + "".join(f"{draw.random():.5f},c{draw.randrange(300)}\n" for _ in range(3000))
    )
    out = desk.ok("train", "t.csv", "--target", "y", "--max-depth", "3", "--no-scores", "-o", "m.bough")
    assert "accuracy" not in out and desk.path("m.bough").exists()
    assert "AUC" not in desk.ok("train", "t.csv", "--target", "y", "--max-depth", "3")


def test_the_size_of_a_tree_of_a_thousand_classes_is_not_chosen_by_cross_validation(desk):
    draw = random.Random(1)
    desk.write("t.csv", "x,y\n" + "".join(f"{draw.random():.6f},c{i % 1100}\n" for i in range(2200)))
    result = desk.run("train", "t.csv", "--target", "y", "--no-scores", "-o", "m.bough")
    assert result.code == 0 and "y has 1,100 classes, too many to choose the size" in result.err
    assert "at most 2,200 leaves" in result.err and "cross-validation" not in result.out
    assert leaves(desk, "m.bough") > 1000


def test_the_help_of_training_is_short(desk):
    short = desk.ok("train", "--help").splitlines()
    assert len(short) <= 25 and any("--help-all" in line for line in short)
    assert "Exit codes: 0 done" in desk.ok("train", "--help-all")


@pytest.mark.parametrize(
    "verb", ["train", "prune", "study", "show", "explain", "report", "export", "predict"]
)
def test_lines_of_the_short_help_end_where_a_clause_ends(desk, verb):
    for line in desk.ok(verb, "--help").split("\nExamples:")[0].splitlines():
        assert not re.search(r"\([^])]*$", line), line
        assert len(line) <= 100 and not line.endswith((",", ":")), line


def test_the_short_help_shows_that_a_list_goes_on(desk):
    assert "tree; as users of rpart know it" in desk.ok("show", "--help-all")
    assert re.search(r"--style STYLE +tree; as users of rpart know it.* \.\.\.\n", desk.ok("show", "--help"))


# ------------------------------------------------------------ on a terminal
def test_progress_says_the_fold_and_the_tree(desk):
    # The line changes ten times a second: a machine that is done sooner gets more rows.
    for options, line in (
        ((), r"training: fold \d+ of 10, "),
        (("--forest", "40"), r"training: tree \d+ of 40"),
    ):
        for n in (20_000, 100_000, 400_000):
            words = ["train", noisy(desk, n=n), "--target", "y", "--no-scores", *options]
            code, text = desk.on_a_terminal(*words)
            assert code == 0 and "reading noisy.csv" in text
            if re.search(line, text):
                break
        assert re.search(line, text), text


def test_progress_of_other_verbs(desk):
    data = noisy(desk)
    desk.train(data, "--max-depth", "3")
    for words, line in [
        (["evaluate", "m.bough", data], "scores: predict"),
        (["report", "m.bough", "--data", data, "-o", "r.html"], "report: "),
        (["prune", "m.bough", "--with", data, "-o", "p.bough"], "reading noisy.csv"),
        (["predict", "m.bough", data, "-o", "p.csv"], "predicting: 400 rows"),
    ]:
        code, text = desk.on_a_terminal(*words)
        assert code == 0 and re.search(line, text), (words, text)
        assert "\r\x1b[K" in text
        # Nothing of it is left when the program has ended.
        assert not re.search(line, text.split("\r\x1b[K")[-1]), (words, text)
    assert "reading" not in desk.run("evaluate", "m.bough", data).err
    for repeats in ("999", "9999", "99999"):  # the line changes ten times a second
        code, text = desk.on_a_terminal(
            "explain", "m.bough", "--data", data, "--importance", "--repeats", repeats
        )
        assert code == 0
        if re.search(r"importance: column \d of 3", text):
            break
    assert re.search(r"importance: column \d of 3", text), text


# ------------------------------------------------------------ a table of a shop
def test_columns_of_texts_that_are_all_different_are_left_out_whatever_they_are(desk):
    rows = [
        (f"{i},{i % 100:02}", f"{i}.5 kg" if i % 2 else f"{i} g", f"{i // 60}:{i % 60:02}", i // 50)
        for i in range(100, 200)
    ]
    cells = [f'"{price}";{weight};{time};{y};' for price, weight, time, y in rows]
    desk.write(
        "t.csv", "price;weight;time;y;empty;z\n" + "".join(f"{c};{i % 3}\n" for i, c in enumerate(cells))
    )
    result = desk.run("train", "t.csv", "--target", "y", "--task", "classification", "-o", "m.bough")
    assert result.code == 0, result.err
    for words in (
        "column 'price' holds numbers with a decimal comma (such as 100,00), 100 different texts in 100 rows"
        ": it is left out (--category price keeps it; --decimal , reads them)",
        "column 'weight' holds numbers with units (such as 100 g)",
        "column 'time' holds times (such as 1:40)",
        "column 'empty' has no values",
    ):
        assert words in result.err, result.err
    features = json.loads(desk.ok("info", "m.bough", "--json"))["features"]["columns"]
    names = [field["name"] for field in features]
    assert "price" not in names and "z" in names
    assert "price" in desk.ok("train", "t.csv", "--target", "y", "--decimal", ",")


def test_a_column_that_is_left_out_is_told_of_once(desk):
    desk.write("t.csv", "id,x,y\n" + "".join(f"{i * 7919:08x},{i % 5},{i % 2}\n" for i in range(100)))
    err = desk.run("train", "t.csv", "--target", "y").err
    assert err.count("column 'id'") == 1 and "left out" in err
    desk.write("only.csv", "id,y\n" + "".join(f"a{i},{i % 2}\n" for i in range(100)))
    assert "left out" not in desk.run("train", "only.csv", "--target", "y").err


def test_names_of_rows_are_left_out_of_small_tables_too(desk):
    # As write.csv() of R writes mtcars: the first column has no name.
    desk.write("t.csv", '"","x","y"\n' + "".join(f'"car {i}",{i % 7},{i % 7 * 1.5}\n' for i in range(32)))
    result = desk.run("train", "t.csv", "--target", "y", "-o", "m.bough")
    assert "column 'x0' has 32 different texts in 32 rows" in result.err and "left out" in result.err
    assert leaves(desk, "m.bough") > 1
    desk.write("short.csv", "k,x,y\n" + "".join(f"w{i},{i},{i % 2}\n" for i in range(9)))
    assert "left out" not in desk.run("train", "short.csv", "--target", "y").err


def test_an_ordinary_target_of_0_and_1_is_not_warned_of(desk):
    desk.write("t.csv", "x,y,z\n" + "".join(f"{i % 9}.5,{i % 2},{i % 3}\n" for i in range(60)))
    assert "warning" not in desk.run("train", "t.csv", "--target", "y", "--ignore", "z").err
    assert "few whole numbers" in desk.run("train", "t.csv", "--target", "z").err


def test_columns_of_many_categories_are_told_of_in_one_line(desk):
    draw = random.Random(1)
    cells = [[f"{c}{draw.randrange(14)}" for c in "pqr"] + [draw.choice("abc")] for _ in range(200)]
    desk.write("t.csv", "p,q,r,y\n" + "\n".join(",".join(row) for row in cells) + "\n")
    err = desk.run("train", "t.csv", "--target", "y").err
    assert err.count("in the order of their class shares") == 1 and "'p' (14), 'q' (14), 'r' (14)" in err


def test_warnings_on_a_terminal_end_their_lines_between_words(desk):
    desk.write("t.csv", "id,x,y\n" + "".join(f"name{i},{i % 5},{i % 2}\n" for i in range(100)))
    words = ("train", "t.csv", "--target", "y", "--max-depth", "1")
    (plain,) = [line for line in desk.run(*words).err.splitlines() if "column 'id'" in line]
    text = desk.on_a_terminal(*words, width=80)[1].replace("\r\x1b[K", "").replace("\r\n", "\n")
    at = text.index("bough: warning: column 'id'")
    lines = text[at:].split("keeps it)")[0].splitlines()
    assert len(lines) > 1 and all(len(line) <= 80 for line in lines)
    assert plain.startswith(" ".join(line.strip() for line in lines))


def test_messages_name_options(desk):
    desk.write("t.csv", "x,y\n" + "".join(f"{i % 9}.5,{i % 3}\n" for i in range(60)))
    assert "set --task to regression for numbers" in desk.run("train", "t.csv", "--target", "y").err
    err = desk.fails(2, "train", "t.csv", "--target", "y", "--quantile", "0.9")
    assert "because --criterion is not quantile" in err and "leave --quantile out" in err
    desk.ok("train", "t.csv", "--target", "y", "-o", "m.bough")
    desk.write("comma.csv", 'x\n"1,5"\n')
    assert "(--decimal ,)" in desk.fails(3, "predict", "m.bough", "comma.csv")
    desk.write("word.csv", "x\nmany\n")
    assert "(--missing)" in desk.fails(3, "predict", "m.bough", "word.csv")
    desk.write("one.csv", "x,y\n1,a\n")
    out = desk.ok("train", "one.csv", "--target", "y")
    assert "1 row is too few to hold any out" in out and "1 row is too few to choose a size" in out


@pytest.mark.parametrize(
    ("magic", "name"), [(b"BZh91AY", "a bzip2 file"), (b"\x04\x22\x4d\x18d@", "an lz4 file")]
)
def test_packed_files_that_are_not_read(desk, magic, name):
    desk.write("t.csv.packed", magic + b"\0" * 30)
    err = desk.fails(6, "train", "t.csv.packed", "--target", "y")
    assert name in err and "unpack it first" in err


def test_the_table_is_an_argument_or_an_option(desk):
    data = noisy(desk)
    desk.train(data, "--max-depth", "2")
    assert desk.ok("evaluate", "m.bough", "--data", data) == desk.ok("evaluate", "m.bough", data)
    assert desk.ok("predict", "--data", data, "m.bough") == desk.ok("predict", "m.bough", data)
    row = ("--row", "3")
    assert desk.ok("explain", "m.bough", data, *row) == desk.ok("explain", "m.bough", "--data", data, *row)
    assert desk.ok("compare", "m.bough", "m.bough", data)
    assert "does not know what to do with" in desk.fails(2, "show", "m.bough", data)
    assert "does not know" in desk.fails(2, "explain", "m.bough", data, "--data", data, *row)


def test_parts_of_rows_are_rounded(desk):
    cells = ["s,t,a", "s,,a", "r,f,b", "o,f,b", ",t,a", "r,t,b", "o,,b"]
    desk.write("t.csv", "outlook,windy,y\n" + "\n".join(cells * 3) + "\n")
    out = desk.ok("train", "t.csv", "--target", "y", "--algorithm", "c45", "--min-samples-leaf", "1")
    parts = re.findall(r"([\d.]+) of \d+ rows", out)
    assert parts and all(len(part) <= 5 for part in parts), out


def test_targets_that_are_hardly_classes_are_told(desk):
    rows = "\n".join(f"{i % 7},{i % 40 / 10}%,{i}-{i * i}" for i in range(80))
    desk.write("t.csv", "x,share,name\n" + rows + "\n")
    err = desk.run("train", "t.csv", "--target", "share", "--ignore", "name", "--size", "full").err
    assert "the target 'share' holds numbers with other symbols" in err and "40 classes" in err
    err = desk.run("train", "t.csv", "--target", "name", "--ignore", "share", "--size", "full").err
    assert "the target 'name' has 80 classes in 80 rows" in err
    err = desk.run(
        "train", "t.csv", "--target", "share", "--category", "share", "--ignore", "name", "--size", "full"
    ).err
    assert "the target" not in err


def test_new_labels_of_test_rows_are_told(desk, table):
    text = desk.path(table).read_text()
    desk.write("other.csv", text.replace(",yes\n", ",Yes\n"))
    result = desk.run("train", table, "--target", "y", "--test", "other.csv", "--size", "full")
    assert result.code == 0 and "has never seen these labels of 'y'" in result.err


@pytest.mark.parametrize(
    "words", [["--no-scores", "--test", "t.csv"], ["--no-scores", "--holdout", "0.2"],
              ["--test", "t.csv", "--holdout", "0.2"]]
)  # fmt: skip
def test_rows_to_score_that_nobody_scores_are_refused(desk, table, words):
    assert "does nothing, because --" in desk.fails(2, "train", table, "--target", "y", *words)


def test_another_cut_is_not_called_the_split_of_the_tree(desk):
    desk.write("t.csv", "x,y\n" + "".join(f"{i},{'a' if i < 5 else 'b'}\n" for i in range(10)))
    desk.write("moved.csv", "x,y\n" + "".join(f"{i + 0.25},{'a' if i < 5 else 'b'}\n" for i in range(10)))
    desk.train("t.csv")
    out = desk.ok("explain", "m.bough", "--node", "0", "--data", "t.csv")
    assert "This is the split the tree uses." in out
    out = desk.ok("explain", "m.bough", "--node", "0", "--data", "moved.csv")
    assert "The tree divides these rows in the same way, by x ≤ 4.5." in out


def test_a_value_that_reads_as_missing_elsewhere_stays_a_value(desk):
    desk.write("t.csv", "country,y\n" + "NA,a\nUS,b\nDE,b\n" * 10)
    desk.ok("train", "t.csv", "--target", "y", "--missing", "-", "--size", "full", "-o", "m.bough")
    assert desk.ok("predict", "m.bough", "t.csv").split()[1:4] == ["a", "b", "b"]
    assert re.search(r"accuracy +1\.0000", desk.ok("evaluate", "m.bough", "t.csv"))

# SPDX-License-Identifier: Apache-2.0
"""Things that were lost, or did nothing, without a word."""

import json

import pytest


def test_a_column_called_like_an_answer_is_refused_not_lost(desk):
    rows = "".join(f"{i},{'old'},{'u' if i < 30 else 'v'}\n" for i in range(60))
    desk.write("t.csv", "a,prediction,y\n" + rows)
    desk.train("t.csv", "--ignore", "prediction")
    for form in ("csv", "jsonl"):
        for words in (["--keep"], ["--id", "prediction"]):
            error = desk.fails(3, "predict", "m.bough", "t.csv", "--to", form, *words, "-o", "out")
            assert "t.csv: the column 'prediction' is called like a column of the answers" in error
            assert "out" not in desk.names()
    # Where that is no answer, it is a column as others are.
    desk.write("p.csv", "a,proba,leaf,y\n" + rows.replace("old", "o,7"))
    desk.train("p.csv", "--ignore", "proba,leaf")
    first = json.loads(desk.ok("predict", "m.bough", "p.csv", "--keep", "--to", "jsonl").splitlines()[0])
    assert first == {"a": "0", "proba": "o", "leaf": "7", "y": "u", "prediction": "u"}
    for words in (["--proba"], ["--leaf"]):
        assert "is called like" in desk.fails(
            3, "predict", "m.bough", "p.csv", "--keep", "--to", "jsonl", *words
        )


def test_training_rows_are_recognised_whatever_the_weight_was(desk):
    lines = [f"{i},{1 + i % 3},{i % 5},{'u' if i * 7 % 20 < 9 else 'v'}" for i in range(60)]
    desk.write("t.csv", "a,w,other,y\n" + "\n".join(lines) + "\n")
    desk.write("new.csv", "a,w,other,y\n" + "\n".join(lines[:-1]) + "\n")
    trainings = {"plain": ["--ignore", "w,other"], "weighted": ["--weight", "w", "--ignore", "other"]}
    for name, words in trainings.items():
        desk.train("t.csv", *words, model=f"{name}.bough")
        for weight in ([], ["--weight", "w"], ["--weight", "other"]):
            result = desk.run("evaluate", f"{name}.bough", "t.csv", *weight)
            assert "holds the rows that the model was grown on" in result.err, (name, weight)
            assert "was grown on" not in desk.run("evaluate", f"{name}.bough", "new.csv", *weight).err
            result = desk.run("prune", f"{name}.bough", "--with", "t.csv", "-o", "p.bough", *weight)
            assert "the tree was grown on" in result.err, (name, weight)
    told = desk.run("compare", "plain.bough", "weighted.bough", "--data", "t.csv").err
    assert told.count("was grown on the rows of t.csv") == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("-t a --honest --honest-stratify false", "--honest-stratify does nothing, because the target is a"),
        ("-t a --honest --honest-stratify true", "--honest-stratify does nothing, because the target is a"),
        ("-t y --size auto --search greedy", "--size auto does not go with --search greedy"),
    ],
)
def test_options_that_the_target_leaves_without_effect_are_refused(desk, table, words, said):
    error = desk.fails(2, "train", table, *words.split(), "-o", "m.bough")
    assert said in error and "hint: " in error, error
    assert "m.bough" not in desk.names()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("-t y,color", "because nothing was searched: there are several targets"),
        ("-t y --competitors 2", "because nothing was searched: the search does not know"),
    ],
)
def test_a_work_limit_where_nothing_is_searched_is_told(desk, table, words, said):
    out = desk.ok("train", table, *words.split(), "--work-limit", "5", "-o", "m.bough")
    assert said in out + desk.ok("info", "m.bough"), out


def test_search_greedy_grows_the_full_tree(desk):
    # Every third label is noise, so cross-validation would not choose the full tree.
    cells = [i * 37 % 101 for i in range(100)]
    rows = "".join(f"{a},{'v' if (i % 3 == 0) ^ (a > 50) else 'u'}\n" for i, a in enumerate(cells))
    table = desk.write("noise.csv", "a,y\n" + rows)
    desk.ok("train", table, "-t", "y", "--search", "greedy", "--no-scores", "-o", "greedy.bough")
    desk.ok("train", table, "-t", "y", "--size", "full", "--no-scores", "-o", "full.bough")
    assert desk.ok("show", "greedy.bough") == desk.ok("show", "full.bough")


def test_refusals_beside_a_chosen_size_name_the_option_of_the_size(desk, table):
    error = desk.fails(2, "train", table, "-t", "y", "--shrinkage", "none")
    assert "because --size auto chooses its strength" in error and "give --size full" in error
    desk.ok("train", table, "-t", "y", "--shrinkage", "none", "--size", "full", "--no-scores")
    # Who has typed it is told about it.
    error = desk.fails(2, "train", table, "-t", "y", "--search", "auto", "--shrinkage", "none")
    assert "because --search auto chooses its strength" in error


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("train {t} -t y --search auto --cp 0.1", "--search auto does not support --cp"),
        ("train {t} -t y --search auto --honest", "--search auto does not support --honest"),
        ("train {t} -t y --search auto --tao 3", "hint: drop --tao"),
        ("train {t} -t y --forest 5 --cross-fit --honest", "drop --cross-fit"),
        (
            "train {t} -t a --search optimal --max-depth 2 --criterion absolute_error",
            "do not support --criterion absolute_error",
        ),
        ("explain {m} --importance --data {t} --repeats 0", "--repeats must be at least 1"),
        ("explain {m} --counterfactual --data {t} --at-least 3", "--at-least and --at-most are for models"),
        ("forest {m} {t} --most 0", "--most must be at least 1, but is 0"),
        ("plot {m} -o p.svg --kind importances --most 0", "--most must be at least 1, but is 0"),
        ("explain {m} --node 0 --data {t} --json --points -1", "--points must not be negative, but is -1"),
        ("explain {m} --node x --data {t}", "--node wants a whole number, not 'x'"),
        ("study stability {m} {t} --repeats 0", "--repeats must be at least 1, but is 0"),
        ("compare {m} {m} --data {t} --splits 0 --train {t}", "--splits must be at least 2, but is 0"),
        ("prune {m}", "bough prune needs to be told how to prune"),
        ("train {t} -t y --ignore y", "give each column one role"),
    ],
)
def test_messages_name_options_as_they_are_typed(desk, model, table, words, said):
    result = desk.run(*(word.format(m=model, t=table) for word in words.split()))
    assert result.code != 0 and said in result.err, result.err


def test_one_cell_is_not_cells(desk):
    desk.write("t.csv", "a,b,y\n1,2,u\n3\n")
    assert "1 cell where 3 are expected" in desk.fails(3, "train", "t.csv", "-t", "y")
    desk.write("t.arff", "@relation r\n@attribute a numeric\n@attribute y {u,v}\n@data\n1,u\n2\n")
    assert "1 value where 2 are expected" in desk.fails(3, "train", "t.arff", "-t", "y")


def test_groups_with_line_ends_stay_in_their_line(desk):
    rows = "".join(f'{i},"g\n{i % 2}",{"u" if i < 30 else "v"}\n' for i in range(60))
    desk.write("t.csv", "a,g,y\n" + rows)
    desk.train("t.csv", "--ignore", "g")
    lines = desk.ok("evaluate", "m.bough", "t.csv", "--group", "g").splitlines()
    width = len(lines[1])
    assert len(lines[0]) == width and "g" in lines[0], lines[:3]


def test_truth_values_of_typed_files_are_no_plain_numbers(desk):
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    n = 60
    labels = ["u" if i < 30 else "v" for i in range(n)]
    numbers = {"d": list(range(n)), "y": labels}
    pq.write_table(pa.table(numbers), desk.path("n.parquet"))
    pq.write_table(pa.table({**numbers, "d": [i > 30 for i in range(n)]}), desk.path("b.parquet"))
    desk.write("n.csv", "d,y\n" + "".join(f"{i},{label}\n" for i, label in enumerate(labels)))
    for data in ("n.csv", "n.parquet"):
        desk.train(data)
        for verb in (["predict", "m.bough", "b.parquet"], ["evaluate", "m.bough", "b.parquet"],
                     ["explain", "m.bough", "--data", "b.parquet"]):  # fmt: skip
            assert 'column "d" holds truth values, not numbers' in desk.fails(3, *verb)
        assert desk.ok("predict", "m.bough", "n.csv") == desk.ok("predict", "m.bough", "n.parquet")


def test_files_are_told_by_what_reads_them(desk):
    rows = "".join(f"{i},{'u' if i < 30 else 'v'}\n" for i in range(60))
    # A name that only looks like one of another kind.
    desk.write("my.arff.csv", "a,y\n" + rows)
    desk.ok("train", "my.arff.csv", "-t", "y", "--delimiter", ",", "--no-scores")
    desk.write("mine.SVM", "".join(f"{i % 2} 1:{i}\n" for i in range(60)))
    error = desk.fails(2, "train", "mine.SVM", "-t", "label", "--delimiter", ";")
    assert "--delimiter does nothing, because only csv and tsv files" in error


def test_a_test_that_changes_only_for_levels_without_rows_is_not_told_as_a_change_to_itself(desk):
    rows = [("p", "u")] * 20 + [("q", "v")] * 20 + [("r", "v")]
    desk.write("t.csv", "c,y\n" + "".join(f"{c},{y}\n" for c, y in rows))
    desk.train("t.csv")
    text = desk.ok("study", "leave-one-out", "m.bough", "t.csv")
    changes = [line.split(": ", 1)[1].split(" -> ") for line in text.splitlines() if " -> " in line]
    assert all(before != after for before, after in changes), text
    assert "41 change no test" in text


@pytest.mark.parametrize("option", ["--category", "--ignore", "--numeric", "--ordinal", "-w", "--target"])
@pytest.mark.parametrize("empty", ["", " ", ","])
def test_an_option_that_names_no_column_is_refused(desk, table, option, empty):
    error = desk.fails(2, "train", table, "-t", "y", option, empty)
    option = {"-w": "--weight"}.get(option, option)
    assert f"{option}: '{empty}' is not a name" in error and "name a column" in error


def test_columns_that_are_named_twice_and_trees_that_are_small_enough_are_told(desk, model, table):
    assert "--id: 'a' is given twice" in desk.fails(2, "predict", model, table, "--id", "a,b,a")
    assert desk.fails(2, "train", table, "-t", "y,y").count("'y' is a target twice") == 1
    told = desk.run("prune", model, "--leaves", "500", "-o", "p.bough").err
    assert "leaves already, so nothing is pruned" in told
    assert "already" not in desk.run("prune", model, "--leaves", "2", "-o", "p.bough").err


def test_days_that_are_categories_are_read_as_such_by_every_verb(desk):
    rows = ["2020-01-01,a", "2020-01-02,b", "2020-01-03,a"] * 12
    desk.write("days.csv", "d,y\n" + "".join(f"{row}\n" for row in rows))
    desk.ok(
        "train", "days.csv", "-t", "y", "--category", "d", "--max-depth", "3", "--no-scores", "-o", "m.bough"
    )
    answers = desk.ok("predict", "m.bough", "days.csv").splitlines()
    assert [line.split(",")[0] for line in answers[1:]] == [row.split(",")[1] for row in rows]
    assert "accuracy" in desk.ok("evaluate", "m.bough", "days.csv")


def test_rules_of_one_tree_of_a_forest_are_told(desk, table):
    desk.ok("train", table, "-t", "y", "--forest", 3, "-o", "f.bough", "--holdout", 0)
    assert "the rules are those of tree 1 of 3" in desk.run("rules", "f.bough", "-o", "r.json").err
    assert (
        "the rules are those of tree 2 of 3" in desk.run("rules", "f.bough", "--tree", 2, "--to", "sql").err
    )
    assert "tree 1 of 3:" in desk.ok("rules", "f.bough")
    told = desk.ok("explain", "f.bough", "--node", 0, "--data", table)
    assert "every tree drew a sample of the rows, and here each row counts once" in told

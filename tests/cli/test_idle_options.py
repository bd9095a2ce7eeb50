# SPDX-License-Identifier: Apache-2.0
"""Options, keys and roles without effect are refused: every option of every verb says where it has one."""

import json
from itertools import chain

import pytest


@pytest.fixture
def verbs(desk):
    """What every verb takes, as the program says it."""
    return Verbs(json.loads(desk.ok("completion", "json")))


# What makes the first word of a verb's arguments, where not every word is one.
ARGUMENTS = {"study": {"what": "stability"}, "completion": {"shell": "bash"}}
# Options without which a verb does not know what to do, so that other reasons are not told first.
BASES = {"prune": ["--method", "mdl"], "export": ["--to", "json"]}
# Where a value has to have a form, and none of the words of the table.
VALUES = {
    ("explain", "--node"): "0",
    ("export", "--tree"): "1",
    ("prune", "--nodes"): "4",
    ("train", "--holdout"): "0.3",
}


SOME = {"X": "0.5", "SHARE": "0.5", "CHANCE": "0.5", "N": "3", "NUMBERS": "3", "ROWS": "3", "CHAR": ";"}


class Verbs(dict):
    def options(self, verb):
        return [option for option in self[verb] if not option["argument"]]

    def option(self, verb, name):
        return next(option for option in self[verb] if name in option["names"])

    def words(self, verb, option, value=None):
        """The option with some value, as it is typed."""
        name = option["names"][-1]
        if option["argument"]:
            return [value or "anything"]
        if not option["value"]:
            return [name]
        some = [*option["choices"], SOME.get(option["value"], "text")]
        return [name, value or VALUES.get((verb, name)) or some[0]]

    def arguments(self, verb, given):
        """Words for the arguments that must be there."""
        needed = [option for option in self[verb] if option["required"]]
        usual = {"data": "none.csv", **ARGUMENTS.get(verb, {}), **given}
        return [usual.get(option["names"][0], "none.bough") for option in needed]

    def outside(self, verb, row):
        """Words and arguments beside which none of the needs of the row holds."""
        words, arguments = [], {}
        valued = {need["option"] for need in row if "values" in need}
        for need in row:
            other = self.option(verb, need["option"])
            if "values" in need:
                left = [word for word in other["choices"] if word not in need["values"]]
                if other["argument"]:
                    arguments[need["option"]] = left[0]
                elif left:
                    words += self.words(verb, other, left[0])
            elif not need["given"] and need["option"] not in valued:
                words += self.words(verb, other)
        return words, arguments


def test_every_option_says_where_it_has_an_effect(verbs):
    silent = [
        f"bough {verb} {option['names'][-1]}"
        for verb in verbs
        for option in verbs.options(verb)
        if not option["effects"]
    ]
    assert silent == [], "add them to the effects() of their verb"
    assert sum(len(verbs.options(verb)) for verb in verbs) > 250


def test_needs_name_options_of_the_verb_and_values_that_they_take(verbs):
    for verb in verbs:
        for need in chain.from_iterable(row for option in verbs[verb] for row in option["effects"]):
            other = verbs.option(verb, need["option"])
            if other["choices"]:
                assert set(need.get("values", [])) <= set(other["choices"]), (verb, need)


def test_an_option_outside_its_mode_is_refused_before_anything_is_read(desk, verbs):
    seen = 0
    for verb in verbs:
        for option in verbs[verb]:
            for row in filter(None, option["effects"]):
                words, arguments = verbs.outside(verb, row)
                own = verbs.words(verb, option)
                own = [] if own[0] in words else own  # a value of its own is what the row is about
                base = [] if BASES.get(verb, [None])[0] in words else BASES.get(verb, [])
                error = desk.fails(2, verb, *verbs.arguments(verb, arguments), *base, *words, *own)
                # Beside these another one may be idle as well; then that is told.
                told = error.split("bough: error: ")[1].split(" does nothing, because ")[0]
                assert "does nothing, because " in error and told.strip("'") in {*own, *words}, error
                assert "hint: " in error and " out" in error, error
                seen += 1
    assert seen > 120


# ------------------------------------------------------------ what the trial found
@pytest.fixture
def files(desk, model, table):
    return {"m": model, "t": table}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("explain {m} --data {t} --class yes", "--class does nothing, because none of --reasons, --shap"),
        ("explain {m} --data {t} --seed 0", "--seed does nothing, because --importance is not given"),
        ("explain {m} --values a=1 --row 2", "--row does nothing, because --values is given"),
        (
            "explain {m} --shap --data {t} --class yes",
            "--class does nothing, because --shap of a whole table",
        ),
        ("explain {m} --leaves --data {t}", "--data does nothing, because --leaves is given"),
        ("prune {m} --leaves 2 --weight nope", "--weight does nothing, because --with is not given"),
        ("prune {m} --leaves 2 --leaf-values both", "--leaf-values does nothing, because --method is leaves"),
        ("prune {m} --leaves 2 --style rpart", "--style does nothing, because --method is leaves"),
        ("export {m} --to dot --view v", "--view does nothing, because --to is dot"),
        ("export {m} --to sql --view v", "--view does nothing, because --as is query"),
        ("export {m} --to sql --as expression --table t", "--table does nothing, because an expression"),
        ("export {m} --to sql --as expression --name n", "--name does nothing, because an expression"),
        ("show {m} --style cp --max-depth 2", "--max-depth does nothing, because --style is cp"),
        ("show {m} --style cp --importances", "--importances does nothing, because --style is cp"),
        ("forest f.bough {t} --out-of-bag", "--out-of-bag does nothing, because --proximity is not given"),
        ("report {m} --max-rows 5 -o r.html", "--max-rows does nothing, because --data is not given"),
        ("report {m} --repeats 5 -o r.html", "--repeats does nothing, because --data is not given"),
        ("plot {m} --kind path --x a", "--x does nothing, because --kind is path"),
        ("plot {m} --all --max-depth 2", "--max-depth does nothing, because --all is given"),
        ("demo iris --list", "'iris' does nothing, because --list is given"),
        ("params max_depth --json", "'max_depth' does nothing, because --json lists all parameters"),
        ("rules {m} --delimiter ;", "--delimiter does nothing, because --data is not given"),
        ("train {t} -t y --collapse false", "--collapse false does nothing, because --algorithm is not c45"),
        ("train {t} -t y --cp-folds 5 --cp-groups color", "--cp-folds does nothing, because --cp-groups"),
        (
            "train {t} -t y --ignore b --category b",
            "--category b does nothing, because the column is ignored",
        ),
        ("train {t} -t a --leaf-probability laplace", "--leaf-probability laplace does nothing"),
    ],
)
def test_what_did_nothing_without_a_word_is_refused(desk, files, words, said):
    error = desk.fails(2, *(word.format(**files) for word in words.split()))
    assert said in error and "hint: " in error, error


def test_options_of_text_are_refused_beside_files_that_are_none(desk):
    rows = "".join(f"{i},{'u' if i < 5 else 'v'}\n" for i in range(10))
    desk.write("t.arff", "@relation r\n@attribute a numeric\n@attribute y {u,v}\n@data\n" + rows)
    for words in (["--delimiter", ";"], ["--decimal", ","], ["--no-header"], ["--missing", "x"]):
        error = desk.fails(2, "train", "t.arff", "-t", "y", *words)
        assert f"{words[0]} does nothing, because only csv and tsv files" in error
    desk.write("t.csv", "a,y\n" + rows)
    desk.ok("train", "t.arff", "-t", "y", "--test", "t.csv", "--delimiter", ",", "--size", "full")


def test_a_tree_that_is_not_chosen_or_not_searched_for_is_told(desk, table):
    def told(*words):
        result = desk.run("train", table, "-t", "y", "--no-scores", *words)
        assert result.code == 0, result.err
        return result.err

    assert "the search does not know --competitors" in told("--competitors", "2")
    assert "the search does not know --max-features" in told("--max-features", "2")
    assert "search" not in told("--column-costs", "a=1,b=1")
    assert "search" not in told("--max-features", "1.0")
    assert "is not chosen, because --max-depth none is given" in told("--max-depth", "none")
    assert "not chosen" not in told("--max-depth", "3")
    assert "not chosen" not in told("--max-depth", "none", "--size", "full")


# ------------------------------------------------------------ files of options
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("max-depth = 2\nmax_depth = 3\n", "'max-depth' and 'max_depth' are the same option, set twice"),
        ("max_depth = 2\n[train]\nmax_depth = 3\n", "'max_depth' is set twice, before the sections and in"),
        ("[predict]\nproba = true\n", "the section [predict] does nothing, because 'bough predict' takes no"),
        ('config = "other.toml"\n', "'config' in c.toml is not an option of bough train"),
        ('data = "x.csv"\n', "'data' in c.toml is not an option of bough train"),
        ('scratch = "/tmp"\n', "'scratch' in c.toml does nothing, because --memory is not given"),
    ],
)
def test_keys_and_sections_that_do_nothing_are_refused(desk, table, text, said):
    desk.write("c.toml", text)
    error = desk.fails(2, "train", table, "-t", "y", "--config", "c.toml")
    assert said in error, error


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--max-depth", "2", "--max-depth", "3"), "--max-depth is given twice"),
        (("--max-depth=2", "--max_depth", "2"), "--max-depth is given twice"),
        (("-o", "a.bough", "--output", "b.bough"), "--output is given twice"),
        (("--seed", "1", "--seed", "2", "--seed=3"), "--seed is given 3 times"),
        (("--honest", "--honest", "false"), "--honest is given twice"),
        (("--config", "a.toml", "--config", "b.toml"), "--config is given twice"),
    ],
)
def test_an_option_of_one_value_is_given_once(desk, table, words, said):
    error = desk.fails(2, "train", table, "-t", "y", *words)
    assert said in error and "hint: keep one of '" in error, error
    assert desk.names() == ["table.csv"]


def test_options_that_take_lists_and_switches_may_be_repeated(desk, table):
    desk.ok("train", table, "-t", "y", "--ignore", "a", "--ignore", "b", "--json", "--json")
    desk.write("c.toml", "max_depth = 1\n")
    desk.ok("train", table, "-t", "y", "--config", "c.toml", "--max-depth", "2", "-o", "m.bough")


def test_a_switch_that_is_off_in_a_file_says_nothing(desk, table):
    desk.write("c.toml", "no_scores = false\njson = false\n")
    desk.ok("train", table, "-t", "y", "--config", "c.toml", "--holdout", "0.3")


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ('{"columns": [{"name": "a"}], "target": "y"}', 3, 'unknown key "target"'),
        ('{"columns": [{"name": "a", "kind": "numeric", "type": "text"}]}', 3, 'type "text" does nothing'),
        ('{"columns": [{"name": "a", "kind": "numeric", "levels": [1, 2]}]}', 3, "levels do nothing"),
        ('{"columns": [{"name": "b", "kind": "category", "role": "weight"}]}', 3, 'kind "category" does'),
        ('{"columns": [{"name": "b", "role": "group"}]}', 2, "the role group of column 'b' does nothing"),
        (
            '{"columns": [{"name": "a", "role": "weight"}, {"name": "b", "role": "weight"}]}',
            2, "'a' and 'b' are both the weight",
        ),
    ],
)  # fmt: skip
def test_parts_of_a_schema_that_do_nothing_are_refused(desk, table, text, code, said):
    desk.write("s.json", text)
    error = desk.fails(code, "train", table, "-t", "y", "--schema", "s.json")
    assert said in error and "hint: " in error, error

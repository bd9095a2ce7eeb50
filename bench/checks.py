# SPDX-License-Identifier: Apache-2.0
"""Whether the contenders of a session gave the same answer; a speed without the answer is worth nothing.

Exact trainers must agree on the root, or bough's must remove no less impurity, and in size and score up to
the ties that they break differently. Histogram trainers see rounded numbers: their trees must be of
comparable depth, size and score.
"""

import math

from rivals import CLASSES

EXACT = {"sklearn", "bough"}
SCORE_SLACK = 0.003  # accuracy
CATEGORY_SLACK = 0.01
ERROR_SLACK = 0.02  # relative, squared error
PREDICTION_SLACK = 0.002


def same_root(ours, theirs):
    return ours["column"] == theirs["column"] and math.isclose(
        ours["threshold"], theirs["threshold"], rel_tol=1e-6, abs_tol=1e-9
    )


def root_problem(ours, theirs):
    if same_root(ours, theirs) or "root_share" not in theirs:
        return None
    if ours["root_share"] >= theirs["root_share"] * (1 - 1e-9):
        return None
    return f"its root removes {ours['root_share']:.9g} of the impurity, the peer's {theirs['root_share']:.9g}"


def size_problem(ours, theirs, slack):
    if abs(ours["nodes"] - theirs["nodes"]) <= slack * theirs["nodes"] + 4:
        return None
    return f"{ours['nodes']} nodes instead of {theirs['nodes']}"


def score_problem(ours, theirs, classes, may_be_better=False, slack=SCORE_SLACK):
    a, b = ours["score"], theirs["score"]
    if classes:
        wrong = b - a if may_be_better else abs(a - b)
    else:
        wrong = (a - b if may_be_better else abs(a - b)) / max(abs(b), 1e-12)
        slack = ERROR_SLACK
    perfect = not classes and max(a, b) < 1e-9  # fully grown on numbers: only rounding is left
    return None if wrong <= slack or perfect else f"score {a:.6g} instead of {b:.6g}"


def exact(ours, theirs, classes, has_categories):
    if has_categories:  # subsets of categories grow other trees than cuts of codes
        return [root_problem(ours, theirs), score_problem(ours, theirs, classes, slack=CATEGORY_SLACK)]
    return [
        root_problem(ours, theirs),
        score_problem(ours, theirs, classes),
        size_problem(ours, theirs, 0.02),
    ]


def histogram(ours, theirs, classes):
    found = [score_problem(ours, theirs, classes, may_be_better=True)]
    if theirs["depth"] != ours["depth"]:
        found.append(f"the peer's tree has depth {theirs['depth']} instead of {ours['depth']}")
    if theirs["leaves"] < 0.8 * ours["leaves"]:
        found.append(f"the peer's tree has {theirs['leaves']} leaves, bough's {ours['leaves']}")
    return found


def prediction(ours, theirs):
    found = [size_problem(ours, theirs, 0.02)]
    if abs(ours["score"] - theirs["score"]) > PREDICTION_SLACK:
        found.append(f"mean prediction {ours['score']:.6g} instead of {theirs['score']:.6g}")
    return found


def path(ours, theirs):
    found = [size_problem(ours, theirs, 0.02)]
    if not math.isclose(ours["score"], theirs["score"], rel_tol=1e-6):
        found.append(f"the last alpha is {ours['score']:.9g} instead of {theirs['score']:.9g}")
    return found


def problems(contender, ours, rival, theirs, has_categories=False):
    """What is wrong between one contender's figures and a rival's, as sentences; empty when nothing is."""
    job = contender.options.get("job", "fit")
    classes = contender.options.get("criterion", "gini") in CLASSES
    if job == "predict":
        found = prediction(ours, theirs)
    elif job == "path":
        found = path(ours, theirs)
    elif rival.program in EXACT:
        found = exact(ours, theirs, classes, has_categories)
    else:
        found = histogram(ours, theirs, classes)
    return [problem for problem in found if problem]


def same_work(a, b):
    """Whether two contenders of a session ought to give the same tree."""
    keys = ("job", "criterion", "depth", "weights", "target")
    return a.data == b.data and all(a.options.get(k) == b.options.get(k) for k in keys)


def check_session(session, outcomes, has_categories):
    """Problems of every bough against all in the session who did the same work: (contender, sentence)."""
    found = []
    for name, contender in session.contenders.items():
        for other, rival in session.contenders.items():
            if contender.program != "bough" or other == name or not same_work(contender, rival):
                continue
            ours, theirs = outcomes[name].figures, outcomes[other].figures
            between = problems(contender, ours, rival, theirs, has_categories)
            found += [(name, f"{problem} ({other})") for problem in between]
            if rival.program == "bough" and "dense" not in rival.options and "dense" not in contender.options:
                same_input = rival.options.get("dtype") == contender.options.get("dtype")
                if same_input and ours.get("hash") != theirs.get("hash"):
                    found.append((name, f"another model than {other}"))
    return found

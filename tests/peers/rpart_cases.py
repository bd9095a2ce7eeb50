# SPDX-License-Identifier: Apache-2.0
"""What bough and rpart are both asked: data sets of rpart, our flags and R's words for the same wishes."""

import csv
from dataclasses import dataclass

RELIABILITY = ("Much worse", "worse", "average", "better", "Much better")


@dataclass(frozen=True)
class Case:
    """One question. `r` are arguments of rpart, `control` of rpart.control."""

    data: str
    target: str
    flags: tuple = ()
    r: str = ""
    control: str = "minsplit=20, minbucket=7, cp=0.01, usesurrogate=2"
    method: str = "class"
    drop: tuple = ()
    weights: bool = False
    ordinal: str = ""
    entropy: bool = False
    limits: tuple = ("--min-samples-split", "20", "--min-samples-leaf", "7", "--cp", "0.01")


SMALL = ("--min-samples-split", "6", "--min-samples-leaf", "2", "--cp", "0.001")
SMALL_R = "minsplit=6, minbucket=2, cp=0.001, usesurrogate=2"
CU = {"drop": ("rowname",), "ordinal": "Reliability"}

CASES = {
    "kyphosis": Case("kyphosis", "Kyphosis"),
    "kyphosis, small leaves": Case("kyphosis", "Kyphosis", limits=SMALL, control=SMALL_R),
    "kyphosis, cp 0": Case(
        "kyphosis",
        "Kyphosis",
        limits=("--min-samples-split", "4", "--min-samples-leaf", "1", "--cp", "0"),
        control="minsplit=4, minbucket=1, cp=0, usesurrogate=2",
    ),
    "kyphosis, priors": Case(
        "kyphosis", "Kyphosis", ("--priors", "absent=0.65,present=0.35"), "parms=list(prior=c(.65,.35))"
    ),
    "kyphosis, loss": Case(
        "kyphosis",
        "Kyphosis",
        ("--loss-matrix", "0,1;3,0"),
        "parms=list(loss=matrix(c(0,1,3,0),2,byrow=TRUE))",
    ),
    "kyphosis, priors and loss": Case(
        "kyphosis",
        "Kyphosis",
        ("--priors", "absent=0.65,present=0.35", "--loss-matrix", "0,1;2,0"),
        "parms=list(prior=c(.65,.35), loss=matrix(c(0,1,2,0),2,byrow=TRUE))",
    ),
    "kyphosis, information": Case(
        "kyphosis", "Kyphosis", ("--criterion", "entropy"), "parms=list(split='information')", entropy=True
    ),
    "kyphosis, weights": Case("kyphosis", "Kyphosis", weights=True),
    "kyphosis, costs": Case("kyphosis", "Kyphosis", ("--column-costs", "Start=3,Age=1.5"), "cost=c(1.5,1,3)"),
    "stagec": Case("stagec", "pgstat", drop=("pgtime",)),
    "stagec, small leaves": Case("stagec", "pgstat", drop=("pgtime",), limits=SMALL, control=SMALL_R),
    "stagec, priors, loss, weights": Case(
        "stagec",
        "pgstat",
        ("--priors", "0=0.5,1=0.5", "--loss-matrix", "0,2;1,0"),
        "parms=list(prior=c(.5,.5), loss=matrix(c(0,2,1,0),2,byrow=TRUE))",
        drop=("pgtime",),
        weights=True,
    ),
    "stagec, one surrogate, known agreement": Case(
        "stagec",
        "pgstat",
        ("--surrogates", "1", "--surrogate-agreement", "known"),
        drop=("pgtime",),
        control="minsplit=20, minbucket=7, cp=0.01, usesurrogate=2, maxsurrogate=1, surrogatestyle=1",
    ),
    "stagec, else stop": Case(
        "stagec",
        "pgstat",
        ("--surrogate-else", "stop", "--surrogates", "1"),
        drop=("pgtime",),
        control="minsplit=6, minbucket=2, cp=0.001, usesurrogate=1, maxsurrogate=1",
        limits=SMALL,
    ),
    "stagec, stop": Case(
        "stagec",
        "pgstat",
        ("--missing-policy", "stop"),
        drop=("pgtime",),
        control="minsplit=6, minbucket=2, cp=0.001, usesurrogate=0, maxsurrogate=0",
        limits=SMALL,
    ),
    "stagec, years": Case("stagec", "pgtime", drop=("pgstat",), method="anova"),
    "cu.summary, Price": Case("cu_summary", "Price", method="anova", **CU),
    "cu.summary, Price, small leaves": Case(
        "cu_summary", "Price", method="anova", limits=SMALL, control=SMALL_R, **CU
    ),
    "cu.summary, Mileage": Case("cu_summary", "Mileage", method="anova", **CU),
    "cu.summary, Mileage, weights": Case("cu_summary", "Mileage", method="anova", weights=True, **CU),
    "cu.summary, Reliability": Case("cu_summary", "Reliability", **CU),
    "cu.summary, Reliability, small leaves": Case(
        "cu_summary", "Reliability", limits=SMALL, control=SMALL_R, **CU
    ),
    "car.test.frame, Mileage": Case("car_test_frame", "Mileage", method="anova", drop=("rowname",)),
    "car.test.frame, Price": Case(
        "car_test_frame", "Price", method="anova", drop=("rowname",), limits=SMALL, control=SMALL_R
    ),
    "car.test.frame, Country": Case(
        "car_test_frame", "Country", drop=("rowname",), limits=SMALL, control=SMALL_R
    ),
    "solder, skips": Case("solder", "skips", method="anova"),
    "solder, Opening": Case("solder", "Opening"),
    "solder, Solder, weights": Case("solder", "Solder", weights=True, limits=SMALL, control=SMALL_R),
}


def nudged(text):
    """A number moved a little, so that it is no longer in the middle between two others; order stays."""
    try:
        x = float(text)
    except ValueError:
        return text
    return repr(x + 1e-6 * x * x)


def write_table(case, source, to, nudge=False):
    """The case's table: only rows with a target, the columns both programs see, groups and weights."""
    with source.open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row[case.target] not in ("NA", "")]
    columns = [name for name in rows[0] if name not in case.drop]
    with to.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow([*columns, "groups__", "weights__"])
        for i, row in enumerate(rows):
            cells = [nudged(row[n]) if nudge and n != case.target else row[n] for n in columns]
            out.writerow([*cells, i * 7 % 10 + 1, 1 + (i * 5 % 4) / 2])


def r_call(case):
    """The fit as R code."""
    words = [f"{case.target} ~ .", "d", f"method='{case.method}'"]
    if case.r:
        words.append(case.r)
    if case.weights:
        words.append("weights=weights__")
    words.append(f"control=rpart.control({case.control}, xval=groups, maxcompete=4)")
    code = f"rpart({', '.join(words)})"
    if case.ordinal:
        levels = ",".join(f"'{level}'" for level in RELIABILITY)
        code = f"d${case.ordinal} <- factor(d${case.ordinal}, levels=c({levels}), ordered=TRUE); {code}"
    return code


def our_flags(case):
    """The same for `bough train`."""
    flags = ["--target", case.target, "--cp-groups", "groups__", "--competitors", "4", "--holdout", "0"]
    flags += ["--task", "classification" if case.method == "class" else "regression"]
    if "--missing-policy" not in case.flags:
        flags += ["--missing-policy", "surrogate"]
    flags += ["--weight", "weights__"] if case.weights else ["--ignore", "weights__"]
    if case.ordinal and case.ordinal != case.target:
        flags += ["--ordinal", f"{case.ordinal}:{'<'.join(RELIABILITY)}"]
    if case.ordinal and case.ordinal == case.target:
        flags += ["--ordinal", f"{case.target}:{'<'.join(RELIABILITY)}"]
    return [*flags, *case.flags, *case.limits]

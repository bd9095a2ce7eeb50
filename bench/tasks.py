# SPDX-License-Identifier: Apache-2.0
"""What is measured: sessions of contenders that take turns on the same data, and the rows that compare them.

A session starts one process per contender, lets them take turns, and checks each answer. A row divides the
times (or takes another figure) of one contender by those of its rivals in the same session, and knows its
target.
"""

from dataclasses import dataclass, field

from data import Made, Real, Sparse


@dataclass(frozen=True)
class Contender:
    """One process: `program` is bough or a peer of rivals.py; the options are those of bench_tasks."""

    program: str
    options: dict = field(default_factory=dict)
    data: object = None  # another data set than the session's


@dataclass(frozen=True)
class Session:
    name: str
    data: object
    contenders: dict
    inner: int = 1  # runs per turn, for work of microseconds


@dataclass(frozen=True)
class Row:
    """`measure`: speed (rival time / own time, at least the target), cost (own time / rival time, at most),
    memory (peak above the input / input, at most), growth (largest ratio of neighbours in `rivals`)."""

    name: str
    session: str
    work: str
    against: str
    contender: str
    rivals: tuple
    measure: str
    target: float
    first_target: float | None = None


MILLION = Made(1_000_000, quick=20_000)
SMALLER = Made(200_000, quick=10_000)
HISTOGRAMS = ("lightgbm", "xgboost", "sklearnex")
DOUBLINGS = tuple(10_000_000 // 2**k for k in range(6, -1, -1))  # 156,250 to 10,000,000


def bough(**options):
    return Contender("bough", options)


def rival(program, data=None, **options):
    return Contender(program, options, data)


def pair(name, data, inner=1, **options):
    """bough and scikit-learn with the same options."""
    return Session(name, data, {"bough": bough(**options), "sklearn": rival("sklearn", **options)}, inner)


def all_peers(name, criterion):
    options = {"criterion": criterion, "depth": 8}
    contenders = {
        "bough": bough(**options),
        "bough_avx2": bough(simd="AVX2", **options),
        "bough_2_threads": bough(threads=2, **options),
        "sklearn": rival("sklearn", **options),
    }
    return Session(name, MILLION, contenders | {p: rival(p, **options) for p in HISTOGRAMS})


def variants():
    missing = Made(200_000, missing=0.1, quick=10_000)
    contenders = {
        "bough": bough(criterion="gini", depth=8),
        "entropy": bough(criterion="entropy", depth=8),
        "poisson": bough(criterion="poisson", depth=8),
        "hellinger": bough(criterion="hellinger", depth=8),
        "weights": bough(criterion="gini", depth=8, weights=1),
        "missing": Contender("bough", {"criterion": "gini", "depth": 8}, missing),
        "float64": bough(criterion="gini", depth=8, dtype="f64"),
        "sklearn": rival("sklearn", criterion="gini", depth=8),
        "sklearn_entropy": rival("sklearn", criterion="entropy", depth=8),
        "sklearn_poisson": rival("sklearn", criterion="poisson", depth=8),
        "sklearn_weights": rival("sklearn", criterion="gini", depth=8, weights=1),
        "sklearn_missing": rival("sklearn", missing, criterion="gini", depth=8),
    }
    return Session("made_200k_gini_d8", SMALLER, contenders)


def sparse():
    options = {"criterion": "gini", "depth": 8}
    contenders = {
        "bough": bough(**options),
        "dense": bough(dense=1, **options),
        "sklearn": rival("sklearn", **options),
    }
    return Session("sparse", Sparse(200_000, 5_000, quick=(4_000, 200)), contenders)


def with_two_threads(session):
    one = session.contenders["bough"]
    two = Contender("bough", one.options | {"threads": 2}, one.data)
    return Session(session.name, session.data, session.contenders | {"bough_2_threads": two}, session.inner)


def doublings():
    contenders = {
        str(rows): Contender(
            "bough", {"criterion": "gini", "depth": 8}, Made(rows, quick=max(1_000, rows // 500))
        )
        for rows in DOUBLINGS
    }
    return Session("doublings", Made(DOUBLINGS[0], quick=1_000), contenders)


SESSIONS = [
    all_peers("made_1m_gini_d8", "gini"),
    all_peers("made_1m_se_d8", "squared_error"),
    with_two_threads(pair("made_1m_gini_full", MILLION, criterion="gini")),
    variants(),
    pair("made_200k_gini_full", SMALLER, criterion="gini"),
    pair("made_200k_se_d8", SMALLER, criterion="squared_error", depth=8),
    pair("made_200k_se_full", SMALLER, criterion="squared_error"),
    pair("covtype_d8", Real("covtype"), criterion="gini", depth=8),
    pair("covtype_full", Real("covtype"), criterion="gini"),
    pair("kddcup_d8", Real("kddcup"), criterion="gini", depth=8),
    pair("kddcup_full", Real("kddcup"), criterion="gini"),
    pair("adult_d8", Real("adult"), criterion="gini", depth=8),
    sparse(),
    pair("absolute_error", Made(20_000, quick=2_000), criterion="absolute_error", depth=8),
    pair("path", SMALLER, job="path", criterion="gini"),
    pair("iris", Real("iris"), inner=50, criterion="gini"),
    pair("breast_cancer", Real("breast_cancer"), inner=20, criterion="gini"),
    pair("digits", Real("digits"), inner=20, criterion="gini"),
    pair("predict_d8", MILLION, job="predict", criterion="gini", depth=8),
    pair("predict_full", MILLION, job="predict", criterion="gini"),
    doublings(),
]


def faster(
    name,
    session,
    work,
    target,
    first_target=None,
    contender="bough",
    rivals=("sklearn",),
    against="scikit-learn",
):
    return Row(name, session, work, against, contender, rivals, "speed", target, first_target)


def costs(what, words):
    return Row(
        f"{what}_cost",
        "made_200k_gini_d8",
        f"made 200k x 28, depth 8, {words}",
        "bough, gini float32",
        what,
        ("bough",),
        "cost",
        1.5,
    )


def memory(name, session, work):
    return Row(name, session, work, "the input matrix", "bough", (), "memory", 1.0)


FASTEST = {"rivals": HISTOGRAMS, "against": "fastest histogram trainer"}
AVX2 = {"contender": "bough_avx2"}
THREADS = {"contender": "bough_2_threads", "rivals": ("bough",), "against": "bough, 1 thread"}

ROWS = [
    faster("1m_gini_d8", "made_1m_gini_d8", "made 1M x 28, gini, depth 8", 150, 90),
    faster("1m_gini_full", "made_1m_gini_full", "made 1M x 28, gini, full", 80),
    faster("200k_gini_d8", "made_200k_gini_d8", "made 200k x 28, gini, depth 8", 100),
    faster("200k_gini_full", "made_200k_gini_full", "made 200k x 28, gini, full", 70),
    faster("200k_se_d8", "made_200k_se_d8", "made 200k x 28, squared error, depth 8", 60),
    faster("200k_se_full", "made_200k_se_full", "made 200k x 28, squared error, full", 25),
    faster("hist_gini_d8", "made_1m_gini_d8", "made 1M x 28, gini, depth 8", 10, **FASTEST),
    faster("hist_se_d8", "made_1m_se_d8", "made 1M x 28, squared error, depth 8", 10, **FASTEST),
    faster("avx2_gini_d8", "made_1m_gini_d8", "made 1M x 28, gini, depth 8, AVX2 only", 60, **AVX2),
    faster("avx2_se_d8", "made_1m_se_d8", "made 1M x 28, squared error, depth 8, AVX2 only", 60, **AVX2),
    costs("entropy", "entropy"),
    costs("poisson", "poisson"),
    costs("hellinger", "hellinger"),
    costs("weights", "row weights"),
    costs("missing", "10 % missing cells"),
    costs("float64", "float64 input"),
    faster("covtype_d8", "covtype_d8", "covtype 100k x 54, 7 classes, depth 8", 20),
    faster("covtype_full", "covtype_full", "covtype 100k x 54, 7 classes, full", 20),
    faster("kddcup_d8", "kddcup_d8", "kddcup99 10 % as codes, 23 classes, depth 8", 10),
    faster("kddcup_full", "kddcup_full", "kddcup99 10 % as codes, 23 classes, full", 10),
    faster(
        "adult_d8",
        "adult_d8",
        "adult, categories as categories, depth 8",
        10,
        against="scikit-learn on codes",
    ),
    faster("sparse", "sparse", "sparse 200k x 5,000, 1 % filled, depth 8", 10),
    faster("sparse_dense", "sparse", "the same", 10, rivals=("dense",), against="bough, dense"),
    faster("absolute_error", "absolute_error", "made 20k x 28, absolute error, depth 8", 30),
    faster("path", "path", "cost-complexity path, full tree of 200k rows", 100),
    faster("iris", "iris", "iris, full", 30),
    faster("breast_cancer", "breast_cancer", "breast cancer, full", 30),
    faster("digits", "digits", "digits, full", 30),
    faster("predict_d8", "predict_d8", "predict 1M x 28 rows, depth 8", 5),
    faster("predict_full", "predict_full", "predict 1M x 28 rows, full", 4),
    faster("threads_d8", "made_1m_gini_d8", "made 1M x 28, gini, depth 8, 2 threads", 1.6, **THREADS),
    faster("threads_full", "made_1m_gini_full", "made 1M x 28, gini, full, 2 threads", 1.6, **THREADS),
    memory("memory_d8", "made_1m_gini_d8", "peak memory above the input, 1M x 28 float32, gini, depth 8"),
    memory(
        "memory_se_d8",
        "made_1m_se_d8",
        "peak memory above the input, 1M x 28 float32, squared error, depth 8",
    ),
    memory("memory_full", "made_1m_gini_full", "peak memory above the input, 1M x 28 float32, gini, full"),
    Row(
        "doublings",
        "doublings",
        "largest growth of time when rows double, 156k to 10M x 28, gini, depth 8",
        "half the rows",
        str(DOUBLINGS[-1]),
        tuple(map(str, DOUBLINGS)),
        "growth",
        2.2,
    ),
]

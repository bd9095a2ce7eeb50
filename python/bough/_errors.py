# SPDX-License-Identifier: Apache-2.0
"""The exception that the compiled part raises for wrong parameters, data and models."""

import re


class BoughError(ValueError):
    """An error in the parameters, the data or a model file.

    The message says what is wrong and where, and ``hint`` says what to do.

    Attributes
    ----------
    code : str
        ``bad_params``, ``bad_data`` or ``bad_model``.
    hint : str
        What to do about the error; may be empty.
    """

    code: str = "bad_data"
    hint: str = ""


# What the core says in words of its own parameters or of the command line, and how Python has it.
_PHRASES = [
    (
        r"fit with calibration_fraction, or calibrate it with rows it has not seen",
        "call calibrate(X, y) with rows that it has not seen; honest models also take calibration_fraction",
    ),
    (
        r"fit (it )?with honest=true",
        "fit an honest tree or forest (HonestTreeClassifier, HonestForestRegressor, ...)",
    ),
    (r"\(--weight, sample_weight\)", "(sample_weight)"),
    (r" \(--[^)]*\)", ""),
    (r"--([a-z]+) (\S+)", r"\1='\2'"),
    (r"--([a-z]+)", r"\1"),
    (r"\balgorithm=cart\b", "DecisionTreeClassifier"),
    (r"\balgorithm=id3\b", "ID3Classifier"),
    (r"\balgorithm=c45\b", "C45Classifier"),
    (r"\bforest=", "n_estimators="),
    (r"\bforest must be\b", "n_estimators must be"),
    (r"\bforest a multiple\b", "n_estimators a multiple"),
    (r"\bdrop tao or forest\b", "leave refine out"),
    (r"\btao\b(?!=)", "refine=TAO()"),
]


def spelt(text: str) -> str:
    """A message of the core with parameters as Python's classes have them."""
    from . import _groups
    from ._table import TABLE

    for pattern, words in _PHRASES:
        text = re.sub(pattern, words, text)
    for rows in (r"(\b(?:in|of|for) )row (\d+)\b", r"(^|\()row (\d+)(?=:| ends| holds| has)"):
        text = re.sub(rows, lambda f: f"{f[1]}row {int(f[2]) - 1} (counted from 0)", text)
    quoted = "|".join(name for name, row in TABLE.items() if row["type"] == "choice")
    text = re.sub(rf"\b({quoted})=([a-z_]+)\b(?: or ([a-z_]+)\b(?!=))?", _chosen, text)
    text = text.replace("missing_policy", "missing")
    # Of parameters that are part of a group only names that are no common words, and no choices (='name').
    names = "|".join(name for name in _groups.SPELLINGS if "_" in name and name != "missing_policy")
    text = re.sub(rf"(?<!=')\b({names})\b(?:=('?[\w.+-]+'?))?", _in_group, text)
    # The group says by itself what it is for: pruning=CriticalValue(value=0) is pruning='critical_value'.
    return re.sub(r"\b([a-z]+)='[a-z_]+' with (?=\1=[A-Z])", "", text)


def _chosen(found: re.Match[str]) -> str:
    from ._table import TABLE

    name, first, second = found.groups()
    if second is None:
        return f"{name}='{first}'"
    return f"{name}='{first}' or " + (f"'{second}'" if second in TABLE[name]["choices"] else second)


def _in_group(found: re.Match[str]) -> str:
    from . import _groups

    return _groups.SPELLINGS[found[1]].replace("...", found[2] or "...")

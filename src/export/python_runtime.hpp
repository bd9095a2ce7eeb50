// SPDX-License-Identifier: Apache-2.0
// The part of exported Python that is the same for all models.
#pragma once

#include <string_view>

namespace bough {

inline constexpr std::string_view kPythonRuntime = R"PY(
_NAN = float("nan")


def _cells(row):
    if isinstance(row, dict):
        row = [row[name] for name in COLUMNS]
    if len(row) != len(COLUMNS):
        raise ValueError("a row has %d cells, this one has %d" % (len(COLUMNS), len(row)))
    cells = []
    for cell, levels in zip(row, _LEVELS):
        if cell is None or cell != cell:
            cells.append(_NAN)
        elif levels is None:
            cells.append(float(cell))
        else:
            cells.append(levels.get(cell, -1))
    return cells


def _lost(node, cells):
    """Child of a row whose cell is missing; -1: it stays here, -2: it goes to all children."""
    if _SURROGATES_AT:
        for i in range(_SURROGATES_AT[node], _SURROGATES_AT[node + 1]):
            test, turned, column, at = _SURROGATES[i]
            cell = cells[column]
            if cell != cell or (test in (2, 3, 8) and cell < 0):
                continue
            if test == 8:
                child = _MAP[at + 1 + cell]
                if child < 0:
                    continue
                return child
            if test == 1:
                holds = cell <= _NUMBERS[at]
            elif test == 2:
                holds = cell < _NUMBERS[at]
            elif test == 3:
                holds = cell == _NUMBERS[at]
            else:
                holds = test == 6 or cell == -float("inf")
            return 1 if holds == turned else 0
    return _MISSING[node]


def _route(node, cells):
    """Number of the child that a row goes to at an inner node; -1 and -2 as _lost has them."""
    test, at = _TEST[node], _AT[node]
    if test == 5:
        cell = 0.0
        for i in range(at + 1, at + 1 + _TERM_COLUMNS[at]):
            cell += _TERM_WEIGHTS[i] * cells[_TERM_COLUMNS[i]]
    else:
        cell = cells[_COLUMN[node]]
    if cell != cell:
        return _lost(node, cells)
    if test == 1:
        return 0 if cell <= _NUMBERS[at] else 1
    if test == 2:
        if cell < 0:
            return _lost(node, cells)
        return 0 if cell < _NUMBERS[at] else 1
    if test == 3:
        return 0 if cell == _NUMBERS[at] else 1
    if test == 4:
        child = _BITS[at] if cell < 0 else _BITS[at + 1 + (cell >> 3)] >> (cell & 7) & 1
        return _lost(node, cells) if child == 255 else child
    if test == 5:
        return 0 if cell <= _TERM_WEIGHTS[at] else 1
    if test == 6:
        return 0
    if test == 7:
        return 0 if cell == -float("inf") else 1
    if test == 8:
        child = _MAP[at] if cell < 0 else _MAP[at + 1 + cell]
        return _lost(node, cells) if child < 0 else child
    low, high = 0, _KIDS[_NEXT[node]] - 1
    while low < high:
        middle = (low + high) // 2
        if _CUTS[at + middle] < cell:
            low = middle + 1
        else:
            high = middle
    return low


def _child(node, number):
    if _TEST[node] >= 8:
        return _KIDS[_NEXT[node] + 1 + number]
    return node + 1 if number == 0 else _NEXT[node]


def _ends(root, cells):
    """(node, share) of all parts of a row, and whether it was divided."""
    node = root
    while _TEST[node] != 0:
        number = _route(node, cells)
        if number < 0:
            break
        node = _child(node, number)
    if _TEST[node] == 0 or number == -1:
        return [(node, 1.0)], False
    ends, waiting = [], [(root, 1.0)]
    while waiting:
        node, share = waiting.pop()
        number = -1 if _TEST[node] == 0 else _route(node, cells)
        if number == -1:
            ends.append((node, share))
        elif number >= 0:
            waiting.append((_child(node, number), share))
        else:
            count = _KIDS[_NEXT[node]] if _TEST[node] >= 8 else 2
            for i in reversed(range(count)):
                part = _SHARES[_SHARES_AT[node] + i]
                if part > 0.0:
                    waiting.append((_child(node, i), share * part))
    return ends, True


def _row(node):
    return _AT[node] if _TEST[node] == 0 else _STOP_AT[node]


def _normalised(weights):
    out, at = [], 0
    for width in _WIDTHS:
        total = 0.0
        for weight in weights[at : at + width]:
            total += weight
        out += [w / total if total > 0.0 else 1.0 / width for w in weights[at : at + width]]
        at += width
    return out


def _largest(weights):
    return max(range(len(weights)), key=weights.__getitem__)


def _chosen(weights):
    if not _LOSS:
        return _largest(weights)
    best, least = 0, 0.0
    for guess in range(len(weights)):
        total = 0.0
        for i, weight in enumerate(weights):
            total += weight * _LOSS[i][guess]
        if guess == 0 or total < least:
            best, least = guess, total
    return best


def _one(root, cells):
    """Values of one tree, its classes (None: to be chosen), and whether a missing cell divided the row."""
    ends, divided = _ends(root, cells)
    if not divided:
        row = _row(ends[0][0])
        return list(_VALUES[row]), _CHOICES[row] if _CHOICES else None, False
    total = [0.0] * len(_VALUES[0])
    for node, share in ends:
        for i, value in enumerate(_VALUES[_row(node)]):
            total[i] += share * value
    return total, None, True


def _split(weights):
    at = 0
    for width in _WIDTHS:
        yield weights[at : at + width]
        at += width


def _answer(cells):
    """Values or class weights of all trees together, and the classes where they are known already."""
    if _COMBINE == "single":
        weights, choices, divided = _one(0, cells)
        return weights, choices, divided
    total = [0.0] * len(_VALUES[0])
    for root in _ROOTS:
        weights, choices, divided = _one(root, cells)
        if _COMBINE == "vote":
            if divided:
                choices = [_largest(part) for part in _split(weights)]
            at = 0
            for width, choice in zip(_WIDTHS, choices):
                total[at + choice] += 1.0
                at += width
            continue
        if divided and CLASSES:
            weights = _normalised(weights)
        for i, weight in enumerate(weights):
            total[i] += weight
    if not CLASSES:
        total = [value / len(_ROOTS) for value in total]
    return total, None, True


def leaf(row, tree=0):
    """The node where a row ends in a tree (its largest part, where a missing cell divides it)."""
    ends, _ = _ends(_ROOTS[tree], _cells(row))
    node, most = ends[0]
    for other, share in ends:
        if share > most:
            node, most = other, share
    return node - _ROOTS[tree]


def predict_values(row):
    """Class numbers, or numbers, of all outputs as a list."""
    weights, choices, _ = _answer(_cells(row))
    if not CLASSES:
        return weights
    if choices is None:
        choices = [_chosen(part) for part in _split(weights)]
    return list(choices)


def predict(row):
    """The class or the number of a row; a list where there are several outputs."""
    values = predict_values(row)
    if CLASSES:
        values = [names[value] for names, value in zip(CLASSES, values)]
    return values[0] if len(values) == 1 else values


def predict_proba(row):
    """Shares of the classes, in the order of CLASSES; a list of lists where there are several outputs."""
    if not CLASSES:
        raise TypeError("a model of numbers has no classes")
    weights, _, unfinished = _answer(_cells(row))
    parts = list(_split(_normalised(weights) if unfinished else weights))
    return parts[0] if len(parts) == 1 else parts


if __name__ == "__main__":
    import json
    import sys

    for line in sys.stdin:
        print(json.dumps(predict(json.loads(line))))
)PY";

}  // namespace bough

# SPDX-License-Identifier: Apache-2.0
"""Changes that make a bound of the search claim too much, or a search leave out what it must look at.

One place each where src/search computes a bound, prunes by it, passes it on or keeps it; bounds.py judges
them. `old` is an expression inside `context`, which is found once in the file; both go over line ends.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Change:
    file: str
    context: str
    old: str
    new: str
    # Why no tree is lost and nothing untrue is claimed all the same.
    sound: str = ""


def changes_of(file, *entries):
    return [Change(f"src/search/{file}", *entry) for entry in entries]


CHANGES = [
    *changes_of(
        "intervals.hpp",
        ("if (top->key.bound >= bound) {", "top->key.bound", "top->key.bound + 1"),
        ("lower = std::min(lower, one->key.bound)", "one->key.bound", "lower"),
        ("      if (budget.is_spent() || !divide(*top)) {", "divide(*top)", "(divide(*top), true)"),
        ("if (bound < low.bound) low =", "bound < low.bound", "bound < low.bound && low.first < 0"),
        ("bound_at(key.first + 1) >= bound", "bound_at(key.first + 1)", "bound_at(key.first + 1) + 1"),
        ("bound_at(key.last - 1) >= bound", "bound_at(key.last - 1)", "bound_at(key.last - 1) + 1"),
        (
            "pass_first(before[at(key.first) + 1] - before[at(key.first)])",
            "before[at(key.first) + 1] - before[at(key.first)]",
            "Cost{0}",
        ),
        (
            "pass_last(before[at(key.last)] - before[at(key.last) - 1])",
            "before[at(key.last)] - before[at(key.last) - 1]",
            "Cost{0}",
        ),
        (
            "key.bound = lowest_bound(key, bound_at).bound",
            "lowest_bound(key, bound_at).bound",
            "lowest_bound(key, bound_at).bound + 1",
        ),
        ("return key.bound < bound;", "key.bound", "key.bound + 1"),
    ),
    *changes_of(
        "depth_two.cpp",
        (
            "pair->now == ClassPair::kMixed || pair->now != pair->last",
            "pair->now == ClassPair::kMixed",
            "false",
        ),
        ("const bool here = most > s.right[side];", "s.right[side]", "s.right[side] + 1"),
        ("subset_.weight() - most - s.top[1 - side] < limit_", "limit_", "limit_ - 1"),
        ("subset_.weight() - most - s.top[1 - side] < limit_", "s.top[1 - side]", "s.right[1 - side]"),
        ("out_[j].cut_short = true;", "true", "false"),
        ("costs.cut_short ? std::min(four, limit) : four", "std::min(four, limit)", "four"),
        ("values[i] = stump.errors;", "stump.errors", "subset.leaf_cost()"),
        (
            "s.top[side] = std::max(s.top[side], of[side] + s.right[side]);",
            "of[side] + s.right[side]",
            "of[side]",
        ),
        (
            "std::min(costs.leaf[0] + costs.stump[1], costs.stump[0] + costs.leaf[1])",
            "costs.leaf[0] + costs.stump[1]",
            "costs.leaf[0] + costs.leaf[1]",
        ),
    ),
    *changes_of(
        "depth_three.cpp",
        ("std::max(near[k], far[k] - between)", "near[k]", "near[k] + 1"),
        ("std::max(near[k], far[k] - between)", "far[k] - between", "far[k]"),
        ("if (leaves_ == 3 || bound_ <= 3 * price_) return", "3 * price_", "5 * price_"),
        (
            "if (leaves_ == 3 || bound_ <= 3 * price_) return",
            "bound_ <= 3 * price_",
            "bound_ <= 4 * price_",
            "trees of three levels have four leaves at least, and smaller ones have been looked at",
        ),
        ("std::int32_t k = 1; k <= 4; ++k) {\n    for", "k <= 4", "k <= 3"),
        ("q <= 4 && k + q <= leaves_", "q <= 4", "q <= 3"),
        ("q <= 4 && k + q <= leaves_", "k + q <= leaves_", "k + q < leaves_"),
        ("right[at(q)] + price_ * (k + q)", "k + q", "k + q + 1"),
        ("q <= 4 && q + 3 <= leaves_", "q + 3 <= leaves_", "q + 4 <= leaves_"),
        (
            "least = std::min(least, other[at(q)] + price_ * q);\n",
            "std::min(least, other[at(q)] + price_ * q)",
            "other[1] + price_",
        ),
        ("return bound_ - least - 3 * price_;", "3 * price_", "4 * price_"),
        (
            "return bound_ - least - 3 * price_;",
            "bound_ - least - 3 * price_",
            "bound_ - least - 3 * price_ - 1",
        ),
        (
            "k, before[at(of.key.last)] - before[at(i)]",
            "before[at(of.key.last)] - before[at(i)]",
            "before[at(i)] - before[at(of.key.first)]",
        ),
        (
            "k, before[at(i)] - before[at(of.key.first)]",
            "before[at(i)] - before[at(of.key.first)]",
            "before[at(of.key.last)] - before[at(i)]",
        ),
        ("costs[k] -= passed;", "passed", "Cost{0}"),
        ("one.high -= passed;", "passed", "Cost{0}"),
        ("{static_cast<std::int32_t>(cut), 0, table[cut]}", "0", "1"),
        ("{static_cast<std::int32_t>(cut), 0, table[cut]}", "0", "table[cut]"),
        ("list[i].high - weaker", "list[i].high - weaker", "list[i].high"),
        ("if (found.values[i] >= limit) continue;", "found.values[i]", "found.values[i] + 1"),
        ("std::min(found.errors[k], std::max(rest, 0))", "std::max(rest, 0)", "found.errors[k]"),
        ("if (low.bound >= bound_) return;", "low.bound", "low.bound + 1"),
        ("evaluate(left, of.left, after,", "after", "passed"),
        ("evaluate(right, of.right, passed,", "passed", "after"),
        ("after, useful_below(of.right_last)", "of.right_last", "of.right_first"),
        ("passed, useful_below(of.left_first)", "of.left_first", "of.left_last"),
        ("floor_at(of.left_first, of.left_last, k, after)", "after", "passed"),
        ("floor_at(of.right_last, of.right_first, k, passed)", "passed", "after"),
        ("part->left_first = first ? of.left_first : l.errors", "of.left_first", "l.errors"),
        ("part->left_last = first ? l.errors : of.left_last", "l.errors", "of.left_last"),
        ("part->right_first = first ? of.right_first : r.errors", "r.errors", "of.right_first"),
        ("part->right_last = first ? r.errors : of.right_last", "of.right_last", "r.errors"),
        ("combine(part->left_first, part->right_last) >= bound_", "part->left_first", "part->left_last"),
        ("combine(part->left_first, part->right_last) >= bound_", "part->right_last", "part->right_first"),
        (
            "combine(part->left_first, part->right_last) >= bound_",
            "combine(part->left_first, part->right_last)",
            "combine(part->left_first, part->right_last) + 1",
        ),
        ("left_limit = useful_below(part->right_last)", "part->right_last", "part->right_first"),
        ("right_limit = useful_below(part->left_first)", "part->left_first", "part->left_last"),
        ("now.low < left_limit", "now.low", "now.low + 1"),
        ("now.low < right_limit", "now.low", "now.low + 1"),
        ("Candidate{old.cut, old.low, l.values[i]}", "old.low", "l.values[i]"),
        ("Candidate{old.cut, l.values[i], old.high}", "l.values[i]", "old.high"),
        ("Candidate{old.cut, r.values[i], old.high}", "r.values[i]", "old.high"),
        ("Candidate{old.cut, old.low, r.values[i]}", "old.low", "r.values[i]"),
    ),
    *changes_of(
        "deep.cpp",
        (
            "free_ = limits.leaves >= most_leaves(limits.depth)",
            "most_leaves(limits.depth)",
            "most_leaves(limits.depth) / 2",
        ),
        ("for (std::int32_t k = 1; k <= most_; ++k) pairs_", "k <= most_", "k < most_"),
        ("if (bound_ <= 2 * price_) return std::move(found_);", "2 * price_", "3 * price_"),
        ("free_ ? limits_.leaves / 2 : k;", "limits_.leaves / 2", "limits_.leaves / 2 - 1"),
        ("{leaves, limits_.depth - 1}", "limits_.depth - 1", "limits_.depth - 2"),
        ("low[at(k)] = found.lower;", "found.lower", "found.lower + 1"),
        ("low[at(k)] = found.lower;", "found.lower", "bound_"),
        ("std::max(low[at(k)], low[at(k) + 1])", "low[at(k) + 1]", "low[1]"),
        ("interval->left_first.assign(at(most_) + 1, price_)", "price_", "2 * price_"),
        (
            "of.left_last[k] - (before[at(of.key.last)] - before[at(i)])",
            "before[at(of.key.last)] - before[at(i)]",
            "before[at(i)] - before[at(of.key.first)]",
        ),
        (
            "of.right_first[k] - (before[at(i)] - before[at(of.key.first)])",
            "before[at(i)] - before[at(of.key.first)]",
            "before[at(of.key.last)] - before[at(i)]",
        ),
        (
            "least = std::min(least, left[at(pair.left)] + right[at(pair.right)])",
            "left[at(pair.left)] + right[at(pair.right)]",
            "left[at(pair.left)] + right[at(pair.right)] + 1",
        ),
        (
            "least = std::min(least, left[at(pair.left)] + right[at(pair.right)])",
            "right[at(pair.right)]",
            "right[1]",
        ),
        ("for (Cost& cost : costs) cost -= passed;", "passed", "Cost{0}"),
        ("if (low.bound >= bound_) return true;", "low.bound", "low.bound + 1"),
        ("if (!free_) {\n", "!free_", "true"),
        (
            "(part ? inner->left_last : inner->left_first) = known",
            "part ? inner->left_last : inner->left_first",
            "part ? inner->left_first : inner->left_first",
        ),
        (
            "(part ? inner->right_last : inner->right_first) = known",
            "part ? inner->right_last : inner->right_first",
            "part ? inner->right_last : inner->right_last",
        ),
        ("if (open == nullptr || least >= bound_) return true;", "least >= bound_", "least + 1 >= bound_"),
        (
            "bound_ - known.low[1 - s][at(k[1 - s])] + slack",
            "bound_ - known.low[1 - s][at(k[1 - s])] + slack",
            "bound_ - known.low[1 - s][at(k[1 - s])] + slack - 1",
        ),
        ("for (std::int32_t j = 1; j <= k[s]; ++j)", "k[s]", "most_"),
        ("std::max(known.low[s][at(j)], found.lower)", "found.lower", "found.lower + 1"),
        ("if (budget_.is_spent()) return false;", "false", "true"),
        ("found.lower = bound;\n", "bound", "bound + 1"),
        (
            "std::min(limits.leaves, most_leaves(limits.depth))",
            "most_leaves(limits.depth)",
            "most_leaves(limits.depth) - 1",
        ),
        (
            "limits.depth = std::min(limits.depth, limits.leaves - 1);",
            "limits.leaves - 1",
            "limits.leaves - 2",
        ),
        ("found.lower = std::min(cost, bound);", "std::min(cost, bound)", "bound"),
        ("std::min(limits.leaves, 8)", "8", "7"),
    ),
    *changes_of(
        "held.cpp",
        ("limits_.depth > 1 && bound_ > 2 * price_", "bound_ > 2 * price_", "bound_ > 4 * price_"),
        ("std::max(found_.lower, std::min(lower, bound_))", "std::min(lower, bound_)", "bound_"),
        ("begins[at(first)] < min_cases_", "begins[at(first)]", "begins[at(first)] - 1"),
        ("subset_.size() - begins[at(last)] < min_cases_", "begins[at(last)]", "begins[at(last)] - 1"),
        ("interval->left_first = interval->right_last = price_;", "price_", "2 * price_"),
        (
            "whole - (before_.back().back() - before_.back()[at(last) + 1])",
            "before_.back().back() - before_.back()[at(last) + 1]",
            "Cost{0}",
        ),
        ("whole - before_.back()[at(first) - 1]", "before_.back()[at(first) - 1]", "Cost{0}"),
        (
            "of.left_last - (before[at(of.key.last)] - before[at(i)])",
            "before[at(of.key.last)] - before[at(i)]",
            "before[at(i)] - before[at(of.key.first)]",
        ),
        (
            "of.right_first - (before[at(i)] - before[at(of.key.first)])",
            "before[at(i)] - before[at(of.key.first)]",
            "before[at(of.key.last)] - before[at(i)]",
        ),
        ("return sides.left + sides.right;", "sides.left + sides.right", "sides.left + sides.right + 1"),
        ("of.right_first -= passed", "passed", "Cost{0}"),
        ("of.left_last -= passed", "passed", "Cost{0}"),
        ("if (low.bound >= bound_) return true;", "low.bound", "low.bound + 1"),
        (
            "std::min(limits_.leaves - 1, most()), limits_.depth - 1};",
            "limits_.leaves - 1",
            "limits_.leaves - 2",
        ),
        (
            "std::min(limits_.leaves - 1, most()), limits_.depth - 1};",
            "limits_.depth - 1",
            "limits_.depth - 2",
        ),
        (
            "best_tree(left, any, price_, bound_ - sides.right, budget_, false).lower",
            "best_tree(left, any, price_, bound_ - sides.right, budget_, false).lower",
            "best_tree(left, any, price_, bound_ - sides.right, budget_, false).lower + 1",
        ),
        ("if (sides.left + sides.right < bound_) search_sides", "bound_", "bound_ - 1"),
        ("if (budget_.is_spent()) return false;", "false", "true"),
        (
            "(part ? inner->left_last : inner->left_first) = sides",
            "part ? inner->left_last : inner->left_first",
            "part ? inner->left_first : inner->left_first",
        ),
        (
            "(part ? inner->right_last : inner->right_first) = sides",
            "part ? inner->right_last : inner->right_first",
            "part ? inner->right_last : inner->right_last",
        ),
        (
            "std::clamp(limits_.leaves - most(), 1, most())",
            "limits_.leaves - most()",
            "limits_.leaves - most() + 1",
        ),
        ("k <= std::min(limits_.leaves - 1, most())", "limits_.leaves - 1", "limits_.leaves - 2"),
        ("bound_ - sides.right, min_cases_", "bound_ - sides.right", "bound_ - sides.right - 1"),
        ("bound_ - l.cost, min_cases_", "bound_ - l.cost", "bound_ - l.cost - 1"),
        ("if (subset.size() < 2 * min_cases)", "2 * min_cases", "3 * min_cases"),
        ("free.tree.leaves_hold(min_cases, subset)", "min_cases", "min_cases - 1"),
        (
            "{limits.leaves, subset.size() / min_cases, 1 <<",
            "subset.size() / min_cases",
            "subset.size() / min_cases - 1",
        ),
        (
            "limits.depth = std::min(limits.depth, limits.leaves - 1);",
            "limits.leaves - 1",
            "limits.leaves - 2",
        ),
        (".solve(bound, free.lower)", "free.lower", "free.lower + 1"),
    ),
    *changes_of(
        "squares_proof.cpp",
        ("if (bound_ <= 2 * price_) return", "2 * price_", "4 * price_"),
        ("if (top.bound >= bound_) break;", "top.bound >= bound_", "top.bound * 2 >= bound_"),
        ("found_.lower = std::min(bound_, top.bound);", "std::min(bound_, top.bound)", "bound_"),
        (
            "interval.left[at(k)] + interval.right[at(other(k))]",
            "interval.left[at(k)]",
            "2 * interval.left[at(k)]",
        ),
        ("if (interval.bound >= bound_) return;", "interval.bound >= bound_", "interval.bound * 2 >= bound_"),
        ("search(left, k, bound_ - low_right[at(q)])", "low_right[at(q)]", "2 * low_right[at(q)]"),
        ("search(right, q, bound_ - low_left[at(k)])", "low_left[at(k)]", "2 * low_left[at(k)]"),
        (
            "push(open, {of.chain, of.first, mid, of.left, low_right});",
            "of.left",
            "low_left",
        ),
        (
            "push(open, {of.chain, mid, of.last, low_left, of.right});",
            "of.right",
            "low_right",
        ),
        (
            "push(open, {of.chain, of.first, mid, of.left, low[1]});",
            "of.left",
            "low[0]",
        ),
        (
            "push(open, {of.chain, mid, of.last, low[0], of.right});",
            "of.right",
            "low[1]",
        ),
        ("free_ ? limits_.leaves / 2 : k;", "limits_.leaves / 2", "limits_.leaves / 2 - 1"),
        ("for (std::int32_t j = 1; j <= k; ++j)", "j <= k", "j < std::ssize(low)"),
        ("is_leaf ? leaf : any)", "any", "leaf"),
        ("{leaves, limits_.depth - 1}", "limits_.depth - 1", "limits_.depth - 2"),
    ),
    *changes_of(
        "search.cpp",
        (
            "if (!spec_.prove) lower_ = cost_ <= price_ ? cost_ : 0;",
            "cost_ <= price_",
            "cost_ <= 2 * price_",
            "a single leaf has been looked at, and larger trees cost two prices at least",
        ),
        (
            ": best_tree(all_, spec_.limits, price_, cost_, budget_);\n"
            "    lower_ = std::min(found.lower, cost_);",
            "std::min(found.lower, cost_)",
            "cost_",
        ),
        (
            "best_square_tree(measure_, all_, spec_.limits, price_, cost_, budget_);\n"
            "    lower_ = std::min(found.lower, cost_);",
            "std::min(found.lower, cost_)",
            "cost_",
        ),
        ("price_, cost_, least, budget_)", "cost_", "cost_ - 1"),
        (
            ": best_tree(all_, spec_.limits, price_, cost_, budget_);\n    lower_ =",
            "cost_",
            "cost_ - 1",
        ),
    ),
]

// SPDX-License-Identifier: Apache-2.0
// Every change of one column, tried out: exact for rows whose missing cells are divided or asked about
// elsewhere.
#include <algorithm>
#include <cmath>
#include <limits>

#include "explain/nearest.hpp"

namespace bough {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What the tests of the tree can tell apart: thresholds by column, and whether a column is tested at all.
struct Tested {
  std::vector<double> cuts;
  bool is_used = false;
};

std::vector<Tested> tested_columns(const Tree& tree, std::size_t n_columns) {
  std::vector<Tested> out(n_columns);
  const auto add = [&](ColId column, NodeKind kind, double threshold) {
    Tested& tested = out[static_cast<std::size_t>(column)];
    tested.is_used = true;
    if (kind == NodeKind::numeric && std::isfinite(threshold)) tested.cuts.push_back(threshold);
  };
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    if (tree.is_leaf(node)) continue;
    add(tree.column(node), tree.kind(node), tree.threshold(node));
    for (const double cut : tree.cuts(node)) add(tree.column(node), NodeKind::numeric, cut);
    for (const Alternative& test : tree.alternatives(node))
      if (test.role == AlternativeRole::surrogate) add(test.column, test.kind, test.threshold);
  }
  for (Tested& tested : out) {
    std::ranges::sort(tested.cuts);
    tested.cuts.erase(std::unique(tested.cuts.begin(), tested.cuts.end()), tested.cuts.end());
  }
  return out;
}

// Other cells of a column of levels.
std::vector<Move> other_levels(ColId column, const ColumnRule& rule, double own) {
  std::vector<Move> moves;
  const bool unknown = !(own >= 0.0);
  for (std::uint32_t level = 0; level < rule.n_levels; ++level) {
    if (level == own) continue;
    const double size = rule.kind == Kind::category || unknown ? 1.0 : std::fabs(level - own) / rule.spread;
    if (rule.kind == Kind::ordinal && !unknown && !(level > own ? rule.may_rise : rule.may_fall)) continue;
    moves.push_back(
        {column, static_cast<double>(level), size, level - 1.0, static_cast<double>(level), {level}});
  }
  return moves;
}

// Of numbers the nearest cell between any two neighbouring thresholds.
std::vector<Move> other_numbers(ColId column, const ColumnRule& rule, double own,
                                const std::vector<double>& cuts) {
  std::vector<Move> moves;
  const bool unknown = std::isnan(own);
  for (std::size_t i = 0; i <= cuts.size(); ++i) {
    const double low = i == 0 ? -kInfinity : cuts[i - 1];
    const double high = i == cuts.size() ? kInfinity : cuts[i];
    if (!unknown && own > low && own <= high) continue;
    const bool rises = unknown ? low > -kInfinity : own <= low;
    if (!unknown && !(rises ? rule.may_rise : rule.may_fall)) continue;
    const double cell = rises              ? grid_above(low, rule.grid)
                        : high < kInfinity ? grid_at_most(high, rule.grid)
                                           : 0.0;
    if (cell > low && cell <= high)
      moves.push_back({column, cell, unknown ? 1.0 : std::fabs(cell - own) / rule.spread, low, high, {}});
  }
  return moves;
}

}  // namespace

std::optional<Move> find_single(const Tree& tree, std::span<const double> row,
                                std::span<const ColumnRule> rules,
                                const std::function<bool(std::span<const double>)>& wanted) {
  const std::vector<Tested> columns = tested_columns(tree, rules.size());
  std::vector<double> probe(row.begin(), row.end());
  std::optional<Move> best;
  for (std::size_t j = 0; j < rules.size(); ++j) {
    if (!columns[j].is_used || (!rules[j].may_rise && !rules[j].may_fall)) continue;
    const auto column = static_cast<ColId>(j);
    std::vector<Move> moves = rules[j].kind == Kind::numeric
                                  ? other_numbers(column, rules[j], row[j], columns[j].cuts)
                                  : other_levels(column, rules[j], row[j]);
    std::ranges::stable_sort(moves, std::less<>(), &Move::size);
    for (Move& move : moves) {
      if (best && move.size >= best->size) break;
      probe[j] = move.cell;
      if (wanted(probe)) best = std::move(move);
    }
    probe[j] = row[j];
  }
  return best;
}

}  // namespace bough

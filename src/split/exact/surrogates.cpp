// SPDX-License-Identifier: Apache-2.0
// The test of one column that agrees best with a split.
#include "split/exact/surrogates.hpp"

#include <array>

namespace bough {
namespace {

constexpr std::size_t kMinRows = 2;  // on both sides of a cut
constexpr std::size_t kMinOdd =
    2;  // rows on which a map of categories differs from the split, see surrogates.hpp
constexpr double kWorth = 1e-10;  // adjusted agreement that is more than rounding

struct Agreement {
  double weight = 0.0;  // on which the test and the split agree
  SideWeights known;    // rows with a cell in the column
  bool found = false;
  Alternative test;
};

double weight_of(const SurrogateOptions& options, RowId row) {
  return options.weights.empty() ? 1.0 : options.weights[row];
}

void add(SideWeights& sums, std::int8_t side, double weight) {
  (side == 0 ? sums.left : sums.right) += weight;
}

// The rows of the node that have a cell, by code.
std::span<const RowId> known_rows(const SurrogateColumn& column) {
  std::size_t n = column.sorted.size();
  while (n > 0 && column.codes[column.sorted[n - 1]] == kMissingCode) --n;
  return column.sorted.first(n);
}

// Rows without a side count for nothing, but cuts lie between their values too.
Agreement best_cut(const SurrogateColumn& column, std::span<const RowId> rows, const Sides& sides,
                   const SurrogateOptions& options) {
  Agreement best;
  std::size_t n_above = 0, n_below = 0;
  for (const RowId row : rows) {
    if (sides[row] < 0) continue;
    add(best.known, sides[row], weight_of(options, row));
    ++n_above;
  }
  best.weight = best.known.heavier();
  SideWeights below;
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < rows.size() && n_above >= kMinRows; ++i) {
    const std::uint32_t code = column.codes[rows[i]];
    if (n_below >= kMinRows && code != last) {
      const double same = below.left + (best.known.right - below.right);
      const double turned = below.right + (best.known.left - below.left);
      if (same > best.weight || turned > best.weight) {
        best.found = true;
        best.test.turned = turned > same;
        best.weight = best.test.turned ? turned : same;
        const bool number = column.column->kind == Kind::numeric;
        best.test.kind = number ? NodeKind::numeric : NodeKind::ordinal;
        best.test.threshold = number ? midpoint(column.column->values[last], column.column->values[code])
                                     : static_cast<double>(code);
      }
    }
    last = code;
    if (sides[rows[i]] < 0) continue;
    add(below, sides[rows[i]], weight_of(options, rows[i]));
    ++n_below;
    --n_above;
  }
  return best;
}

Agreement best_map(const SurrogateColumn& column, std::span<const RowId> rows, const Sides& sides,
                   bool ties_left, const SurrogateOptions& options) {
  Agreement best;
  best.test.kind = NodeKind::subset;
  std::vector<SideWeights> levels;
  std::vector<std::array<std::size_t, 2>> counts;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (sides[rows[i]] < 0) continue;
    const std::uint32_t code = column.codes[rows[i]];
    if (levels.empty() || code != best.test.map_levels.back()) {
      best.test.map_levels.push_back(code);
      levels.emplace_back();
      counts.push_back({0, 0});
    }
    ++counts.back()[static_cast<std::size_t>(sides[rows[i]])];
    add(levels.back(), sides[rows[i]], weight_of(options, rows[i]));
    add(best.known, sides[rows[i]], weight_of(options, rows[i]));
  }
  const bool even_left = best.known.left != best.known.right ? best.known.left > best.known.right : ties_left;
  std::size_t n_odd = 0;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const SideWeights& level = levels[l];
    const bool left = level.left > level.right || (level.left == level.right && even_left);
    n_odd += counts[l][left ? 1 : 0];
    best.test.map_children.push_back(left ? 0 : 1);
    best.weight += left ? level.left : level.right;
  }
  best.found = n_odd >= kMinOdd;
  return best;
}

}  // namespace

std::optional<Alternative> find_surrogate(const SurrogateColumn& column, const Sides& sides,
                                          const SideWeights& decided, const SurrogateOptions& options) {
  const std::span<const RowId> rows = known_rows(column);
  Agreement best = column.column->kind == Kind::category
                       ? best_map(column, rows, sides, decided.even_left, options)
                       : best_cut(column, rows, sides, options);
  const SideWeights& base = options.known_agreement ? best.known : decided;
  if (!best.found || !(base.total() > base.heavier())) return std::nullopt;
  best.test.score = best.weight / base.total();
  best.test.adjusted = (best.weight - base.heavier()) / (base.total() - base.heavier());
  if (!(best.test.adjusted > kWorth)) return std::nullopt;
  best.test.role = AlternativeRole::surrogate;
  best.test.column = column.id;
  return best.test;
}

}  // namespace bough

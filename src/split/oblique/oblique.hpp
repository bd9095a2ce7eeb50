// SPDX-License-Identifier: Apache-2.0
// Combinations of columns that the nodes of an oblique tree try: how they are drawn, and what they become.
//
// A combination has 1 + Binomial(p - 1, (lambda - 1) / (p - 1)) of the p numeric columns: lambda of them on
// average, at least one, and every set of columns of one size is as likely as any other. (Forest-RC draws a
// fixed number, SPORF fills a grid of combinations by columns and leaves some of them empty; Breiman 2001,
// Tomita et al. 2020.) Draws are functions of the node's key, so neither threads nor the order of nodes change
// them.
//
// A combination and its negative part rows alike: the first weight is made positive, and combinations drawn twice
// are dropped. A combination of one column is the test of that column, and only of interest where columns are not
// tried anyway (axis = false).
//
// The value of a combination is 0 + w1 * x1 + w2 * x2 + ... in doubles, by increasing column, as route() has it.
// It is missing when that is NaN: a cell is missing, or infinities cancel.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "bough/tree.hpp"
#include "data/targets.hpp"
#include "split/candidate.hpp"
#include "split/options.hpp"

namespace bough {

/// Draws the combinations of nodes; one per thread.
class ProjectionDraw {
 public:
  /// `columns`: the numeric ones, increasing. `scales`: per table column what its weights are divided by; empty: 1.
  ProjectionDraw(const ObliqueOptions& options, std::vector<ColId> columns, std::vector<double> scales);

  /// Draws for the node of this key; what was drawn before is gone.
  void draw(std::uint64_t key);
  [[nodiscard]] std::size_t size() const noexcept { return begins_.size() - 1; }
  /// Two or more terms, columns increasing, the first weight positive.
  [[nodiscard]] std::span<const ObliqueTerm> terms(std::size_t i) const noexcept {
    return std::span(terms_).subspan(begins_[i], begins_[i + 1] - begins_[i]);
  }
  /// Columns that were drawn alone, increasing; empty where axis = true.
  [[nodiscard]] std::span<const ColId> singles() const noexcept { return singles_; }

 private:
  void make_counts(double lambda);
  [[nodiscard]] std::size_t n_terms(std::uint64_t key) const noexcept;
  void add(std::uint64_t key, std::size_t count);
  bool drop_if_known();

  ObliqueOptions options_;
  std::vector<ColId> columns_;
  std::vector<double> scales_;
  std::size_t least_ = 1;           // smallest number of terms that chances_ has
  std::vector<double> chances_;     // cumulated, from least_ terms on
  std::vector<std::uint8_t> used_;  // per column, while one combination is drawn
  std::vector<ObliqueTerm> terms_;
  std::vector<std::uint32_t> begins_{0};
  std::vector<ColId> singles_;
  std::vector<std::uint32_t> slots_;  // hash table of what was drawn: index + 1
};

/// Standard deviations of columns over the rows to grow on, by weight, missing cells left out; of a constant column a power of
/// two of its size, 1 where that is no use as a divisor. `each(column, visit)` calls visit(row, number) for all rows whose cell is a number other than 0, by
/// increasing row, and returns the weight of the rows whose cell is 0, in fixed point. The same for dense and sparse columns.
template <class EachCell>
std::vector<double> column_scales(std::size_t n_columns, std::span<const ColId> columns,
                                  const Targets& targets, const EachCell& each);

/// sqrt of the mean squared distance from the mean, or 1 where that is 0 or beyond reason.
double usable_scale(double squares, double weight) noexcept;

template <class EachCell>
std::vector<double> column_scales(std::size_t n_columns, std::span<const ColId> columns,
                                  const Targets& targets, const EachCell& each) {
  std::vector<double> scales(n_columns, 1.0);
  for (const ColId column : columns) {
    double largest = 0.0;
    std::int64_t known = 0;
    const std::int64_t zeros = each(column, [&](RowId row, double x) {
      largest = std::max(largest, std::fabs(x));
      known += targets.weight(row);
    });
    if (!(largest > 0x1p-511 && largest < 0x1p511)) continue;
    // In fixed point: scales must not depend on the order of rows.
    const PowerOfTwo unit(60 - std::ilogb(largest)), square(57 - 2 * std::ilogb(largest));
    const auto weight = static_cast<double>(known + zeros);
    int128 sum = 0, squares = 0;
    each(column,
         [&](RowId row, double x) { sum += static_cast<int128>(unit.nearest(x)) * targets.weight(row); });
    const double mean = std::ldexp(static_cast<double>(sum) / weight, std::ilogb(largest) - 60);
    each(column, [&](RowId row, double x) {
      squares += static_cast<int128>(square.nearest((x - mean) * (x - mean))) * targets.weight(row);
    });
    squares += static_cast<int128>(square.nearest(mean * mean)) * zeros;
    const double spread = std::ldexp(static_cast<double>(squares), 2 * std::ilogb(largest) - 57);
    // A constant column has none, but sums may not know its unit either.
    scales[static_cast<std::size_t>(column)] =
        squares == 0 ? std::ldexp(1.0, std::ilogb(largest)) : usable_scale(spread, weight);
  }
  return scales;
}

/// The value of a combination; `cells(column)` is NaN where missing.
template <class Cells>
double projected(std::span<const ObliqueTerm> terms, const Cells& cells) {
  double sum = 0.0;
  for (const ObliqueTerm& term : terms) sum += term.weight * cells(term.column);
  return sum;
}

/// The split of a cut along a combination; `candidate` is as a numeric column would have it.
Split oblique_split(const Candidate& candidate, std::span<const ObliqueTerm> terms, bool missing_known);

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// Node statistics from exact sums: leaves from their rows, inner nodes from their children.
#include "grow/fill.hpp"

#include <algorithm>
#include <cmath>

#include "base/assert.hpp"
#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "grow/fill_sums.hpp"
#include "split/stats/order_family.hpp"

namespace bough {
namespace {

using Handle = TreeBuilder::Handle;

NodeStats order_stats(std::span<const RowId> rows, const Targets& targets, const QuantileLoss& rule) {
  if (rows.empty()) return {0, 0.0, 0.0, std::vector<double>(targets.numbers.size(), 0.0)};
  NodeStats stats;
  stats.n_rows = static_cast<std::int64_t>(rows.size());
  std::int64_t weight = 0;
  for (const RowId row : rows) weight += targets.weight(row);
  stats.weight = std::ldexp(static_cast<double>(weight), -targets.weight_exponent);
  double impurity = 0.0;
  std::vector<RowId> sorted(rows.begin(), rows.end());
  for (const NumberTarget& target : targets.numbers) {
    const auto fine = [&](RowId row) { return to_fixed(target.raw[row], target.fine); };
    std::sort(sorted.begin(), sorted.end(), [&](RowId a, RowId b) { return target.raw[a] < target.raw[b]; });
    const QuantilePoint point = quantile_point(
        sorted.size(), rule, [&](std::size_t i) { return fine(sorted[i]); },
        [&](std::size_t i) { return targets.weight(sorted[i]); });
    const double low = target.raw[sorted[point.low_at]], high = target.raw[sorted[point.high_at]];
    stats.values.push_back(low == high ? low : low / 2 + high / 2);
    impurity += std::ldexp(point.loss / static_cast<double>(weight), -target.fine);
  }
  stats.impurity = impurity / static_cast<double>(targets.numbers.size());
  return stats;
}

// Leaves in parallel, then parents from children: children have higher handles than their parents.
// `leaf(sums, h)` adds what is known about handle h; it is asked about inner nodes too where those are not
// what their children are.
template <class Filler, class Leaf>
void fill_additive(TreeBuilder& builder, const Filler& filler, bool own_rows, const Leaf& leaf) {
  using Cell = typename Filler::Cell;
  const std::size_t n = builder.n_handles(), width = filler.width();
  Buffer<Cell> cells(n * width);
  std::vector<NodeSums<Cell>> sums(n);
  // Few nodes mean large ones.
  parallel_ranges(n, n < 4096 ? 1 : 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t h = begin; h < end; ++h) {
      sums[h].cells = std::span(cells.data() + h * width, width);
      std::fill(sums[h].cells.begin(), sums[h].cells.end(), Cell{});
      if (!own_rows && !builder.is_leaf(static_cast<Handle>(h))) continue;
      leaf(sums[h], h);
    }
  });
  NodeStats stats;
  for (std::size_t h = n; h-- > 0;) {
    for (const Handle child : builder.children(static_cast<Handle>(h))) {
      if (own_rows) break;
      const NodeSums<Cell>& from = sums[static_cast<std::size_t>(child)];
      for (std::size_t i = 0; i < width; ++i) Filler::join(sums[h].cells[i], from.cells[i]);
      sums[h].weight += from.weight;
      sums[h].n_rows += from.n_rows;
    }
    stats = {sums[h].n_rows, 0.0, 0.0, std::move(stats.values)};
    stats.values.assign(width, 0.0);
    if (sums[h].n_rows > 0) filler.stats(sums[h], stats.weight, stats.impurity, stats.values);
    builder.set_stats(static_cast<Handle>(h), stats);
  }
}

void clip(TreeBuilder& builder, std::span<const ValueBounds> bounds, bool classes) {
  for (std::size_t h = 0; h < bounds.size(); ++h) {
    NodeStats stats = builder.stats(static_cast<Handle>(h));
    if (classes) {
      const double share = std::clamp(stats.values[1] / stats.weight, bounds[h].low, bounds[h].high);
      if (share == stats.values[1] / stats.weight) continue;
      stats.values = {(1.0 - share) * stats.weight, share * stats.weight};
    } else {
      stats.values[0] = std::clamp(stats.values[0], bounds[h].low, bounds[h].high);
    }
    builder.set_stats(static_cast<Handle>(h), stats);
  }
}

}  // namespace

void fill(TreeBuilder& builder, std::span<const std::span<const RowId>> rows, const Targets& targets,
          const FillSpec& spec) {
  const auto from_rows = [&](const auto& filler) {
    fill_additive(builder, filler, spec.own_rows,
                  [&](auto& sums, std::size_t h) { filler.add(sums, rows[h]); });
  };
  switch (criterion_info(spec.criterion).family) {
    case Family::classes:
      from_rows(ClassFiller(targets, spec.criterion));
      break;
    case Family::moments:
      from_rows(MomentFiller(targets, spec.criterion));
      break;
    case Family::order: {
      const QuantileLoss rule = quantile_loss(spec.criterion, spec.quantile);
      for (std::size_t h = 0; h < builder.n_handles(); ++h)
        builder.set_stats(static_cast<Handle>(h), order_stats(rows[h], targets, rule));
      break;
    }
  }
  clip(builder, spec.bounds, targets.is_classification());
}

void fill(TreeBuilder& builder, std::span<const LeafTotals> leaves, const Targets& shape,
          std::span<const PoissonFrame> poisson, const FillSpec& spec) {
  const auto from_totals = [&](const auto& filler) {
    fill_additive(builder, filler, false, [&](auto& sums, std::size_t h) {
      const auto from = filler.cells(leaves[h]);
      BOUGH_ASSERT(from.empty() || from.size() == sums.cells.size());
      std::copy(from.begin(), from.end(), sums.cells.begin());
      sums.weight = leaves[h].weight;
      sums.n_rows = leaves[h].n_rows;
    });
  };
  switch (criterion_info(spec.criterion).family) {
    case Family::classes:
      from_totals(ClassFiller(shape, spec.criterion));
      break;
    case Family::moments:
      from_totals(MomentFiller(shape, spec.criterion, poisson));
      break;
    case Family::order:
      refuse_order(spec.criterion);
  }
  clip(builder, spec.bounds, shape.is_classification());
}

}  // namespace bough

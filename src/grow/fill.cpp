// SPDX-License-Identifier: Apache-2.0
// Node statistics from exact sums: leaves from their rows, inner nodes from their children.
#include "grow/fill.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "base/math.hpp"
#include "base/parallel.hpp"
#include "split/order_family.hpp"

namespace bough {
namespace {

using Handle = TreeBuilder::Handle;

constexpr int kRestBits = 61;

// Class weights of all outputs.
struct ClassSums {
  explicit ClassSums(const Targets& targets) {
    std::size_t width = 0;
    for (const ClassTarget& target : targets.classes) width += target.n_classes;
    counts.assign(width, 0);
  }
  void add(const Targets& targets, RowId row) {
    const std::int64_t w = targets.weight(row);
    std::size_t begin = 0;
    for (const ClassTarget& target : targets.classes) {
      counts[begin + target.codes[row]] += w;
      begin += target.n_classes;
    }
    weight += w;
    ++n_rows;
  }
  void add(const ClassSums& other) {
    for (std::size_t c = 0; c < counts.size(); ++c) counts[c] += other.counts[c];
    weight += other.weight;
    n_rows += other.n_rows;
  }

  std::vector<std::int64_t> counts;
  std::int64_t weight = 0;
  std::int64_t n_rows = 0;
};

NodeStats class_stats(const ClassSums& sums, const Targets& targets, CriterionId criterion) {
  NodeStats stats;
  stats.n_rows = sums.n_rows;
  stats.weight = std::ldexp(static_cast<double>(sums.weight), -targets.weight_exponent);
  std::size_t begin = 0;
  double impurity = 0.0;
  for (const ClassTarget& target : targets.classes) {
    const ClassSide side{std::span(sums.counts).subspan(begin, target.n_classes), sums.weight};
    impurity += with_class_criterion(criterion, [&](auto tag) { return decltype(tag)::type::impurity(side); });
    begin += target.n_classes;
  }
  stats.impurity = impurity / static_cast<double>(targets.classes.size());
  for (const std::int64_t c : sums.counts)
    stats.values.push_back(std::ldexp(static_cast<double>(c), -targets.weight_exponent));
  return stats;
}

// Sums of one number target. Values come from the fine sum (61 bits of the largest target) and the sum of what those bits
// leave out (61 more), so that leaves of small targets beside large ones keep their digits; impurities come from the squares
// of the fixed-point targets (squared_error) or from y log y made small (poisson).
struct NumberSums {
  int128 fine = 0;
  int128 rest = 0;
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();
  int128 sum = 0;
  Wide squares;
  int128 excess = 0;
};

struct MomentSums {
  explicit MomentSums(const Targets& targets) : outputs(targets.numbers.size()) {}
  void add(const MomentSums& other) {
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      NumberSums& to = outputs[o];
      const NumberSums& from = other.outputs[o];
      to.fine += from.fine;
      to.rest += from.rest;
      to.lowest = std::min(to.lowest, from.lowest);
      to.highest = std::max(to.highest, from.highest);
      to.sum += from.sum;
      to.squares += from.squares;
      to.excess += from.excess;
    }
    weight += other.weight;
    n_rows += other.n_rows;
  }

  std::vector<NumberSums> outputs;
  std::int64_t weight = 0;
  std::int64_t n_rows = 0;
};

class MomentFiller {
 public:
  MomentFiller(const Targets& targets, CriterionId criterion) : targets_(&targets), poisson_(criterion == CriterionId::poisson) {
    if (!poisson_) return;
    for (const NumberTarget& target : targets.numbers) excesses_.push_back(make_excess(target));
  }

  void add(MomentSums& sums, RowId row) const {
    const std::int64_t w = targets_->weight(row);
    sums.weight += w;
    ++sums.n_rows;
    for (std::size_t o = 0; o < sums.outputs.size(); ++o) {
      const NumberTarget& target = targets_->numbers[o];
      NumberSums& out = sums.outputs[o];
      const double raw = target.raw[row];
      const std::int64_t fine = to_fixed(raw, target.fine);
      const std::int64_t y = target.fixed.values[row];
      out.fine += static_cast<int128>(fine) * w;
      // Exact: where `fine` was rounded it has fewer than 54 bits, and so has the difference.
      const double rest = std::ldexp(raw, target.fine) - static_cast<double>(fine);
      out.rest += static_cast<int128>(to_fixed(rest, kRestBits)) * w;
      out.lowest = std::min(out.lowest, raw);
      out.highest = std::max(out.highest, raw);
      out.sum += static_cast<int128>(y) * w;
      if (poisson_) {
        out.excess += static_cast<int128>(excesses_[o].fixed.values[row]) * w;
      } else {
        out.squares += Wide::product(magnitude(static_cast<int128>(y) * y), static_cast<std::uint64_t>(w));
      }
    }
  }

  [[nodiscard]] NodeStats stats(const MomentSums& sums) const {
    NodeStats stats;
    stats.n_rows = sums.n_rows;
    stats.weight = std::ldexp(static_cast<double>(sums.weight), -targets_->weight_exponent);
    double impurity = 0.0;
    for (std::size_t o = 0; o < sums.outputs.size(); ++o) {
      const NumberSums& out = sums.outputs[o];
      stats.values.push_back(mean(out, sums.weight, o));
      impurity += poisson_ ? deviance(out, sums.weight, o, stats.values.back()) : variance(out, sums.weight, o);
    }
    stats.impurity = impurity / static_cast<double>(sums.outputs.size());
    return stats;
  }

 private:
  // g(y) = y log(y / c) - y + c, with c the mean of all rows. The deviance of a node of mean m is the mean of g minus g(m),
  // whatever c is; near c both are small, so that little cancels.
  struct Excess {
    double centre = 1.0;
    Fixed fixed;  // g of every row
    [[nodiscard]] double of(double y) const noexcept { return centre * xlogx_excess((y - centre) / centre); }
  };

  [[nodiscard]] Excess make_excess(const NumberTarget& target) const {
    Excess out;
    int128 sum = 0;
    for (const RowId row : targets_->rows) sum += static_cast<int128>(target.fixed.values[row]) * targets_->weight(row);
    if (sum > 0)
      out.centre = std::ldexp(static_cast<double>(sum) / static_cast<double>(targets_->total_weight), -target.fixed.exponent);
    std::vector<double> excess(target.raw.size(), 0.0);
    for (const RowId row : targets_->rows) excess[row] = out.of(target.raw[row]);
    out.fixed.exponent = fine_exponent(excess);
    for (const double g : excess) out.fixed.values.push_back(to_fixed(g, out.fixed.exponent));
    return out;
  }

  // A node whose rows agree answers with their value itself.
  [[nodiscard]] double mean(const NumberSums& sums, std::int64_t weight, std::size_t o) const {
    if (sums.lowest == sums.highest) return sums.lowest;
    const double units = static_cast<double>(sums.fine) + std::ldexp(static_cast<double>(sums.rest), -kRestBits);
    return std::ldexp(units / static_cast<double>(weight), -targets_->numbers[o].fine);
  }
  // (w * squares - sum^2) / w^2: the difference is exact, so nothing cancels.
  [[nodiscard]] double variance(const NumberSums& sums, std::int64_t weight, std::size_t o) const {
    Wide difference = sums.squares.times(static_cast<std::uint64_t>(weight));
    difference -= Wide::product(magnitude(sums.sum), magnitude(sums.sum));
    const double w = static_cast<double>(weight);
    return std::ldexp(difference.to_double() / w / w, -2 * targets_->numbers[o].fixed.exponent);
  }
  [[nodiscard]] double deviance(const NumberSums& sums, std::int64_t weight, std::size_t o, double m) const {
    const Excess& excess = excesses_[o];
    const double mean_excess =
        std::ldexp(static_cast<double>(sums.excess) / static_cast<double>(weight), -excess.fixed.exponent);
    const double deviance = mean_excess - excess.of(m);
    return sums.lowest == sums.highest || deviance < 0.0 ? 0.0 : deviance;
  }

  const Targets* targets_;
  bool poisson_;
  std::vector<Excess> excesses_;  // per output; poisson only
};

NodeStats order_stats(std::span<const RowId> rows, const Targets& targets, const QuantileLoss& rule) {
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
template <class Sums, class Add, class Finish>
void fill_additive(TreeBuilder& builder, std::span<const std::span<const RowId>> rows, const Sums& zero, Add add,
                   Finish finish) {
  const std::size_t n = builder.n_handles();
  std::vector<std::unique_ptr<Sums>> sums(n);
  parallel_ranges(n, 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t h = begin; h < end; ++h) {
      if (!builder.is_leaf(static_cast<Handle>(h))) continue;
      sums[h] = std::make_unique<Sums>(zero);
      for (const RowId row : rows[h]) add(*sums[h], row);
    }
  });
  for (std::size_t h = n; h-- > 0;) {
    if (!builder.is_leaf(static_cast<Handle>(h))) {
      sums[h] = std::make_unique<Sums>(zero);
      for (const Handle child : builder.children(static_cast<Handle>(h))) {
        sums[h]->add(*sums[static_cast<std::size_t>(child)]);
        sums[static_cast<std::size_t>(child)].reset();
      }
    }
    builder.set_stats(static_cast<Handle>(h), finish(*sums[h]));
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
    builder.set_stats(static_cast<Handle>(h), std::move(stats));
  }
}

}  // namespace

void fill(TreeBuilder& builder, std::span<const std::span<const RowId>> rows, const Targets& targets, const FillSpec& spec) {
  switch (criterion_info(spec.criterion).family) {
    case Family::classes:
      fill_additive(
          builder, rows, ClassSums(targets), [&](ClassSums& sums, RowId row) { sums.add(targets, row); },
          [&](const ClassSums& sums) { return class_stats(sums, targets, spec.criterion); });
      break;
    case Family::moments: {
      const MomentFiller filler(targets, spec.criterion);
      fill_additive(
          builder, rows, MomentSums(targets), [&](MomentSums& sums, RowId row) { filler.add(sums, row); },
          [&](const MomentSums& sums) { return filler.stats(sums); });
      break;
    }
    case Family::order: {
      const QuantileLoss rule = quantile_loss(spec.criterion, spec.quantile);
      for (std::size_t h = 0; h < builder.n_handles(); ++h)
        builder.set_stats(static_cast<Handle>(h), order_stats(rows[h], targets, rule));
      break;
    }
  }
  clip(builder, spec.bounds, targets.is_classification());
}

}  // namespace bough

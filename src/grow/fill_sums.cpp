// SPDX-License-Identifier: Apache-2.0
// From rows to exact sums, from those to statistics.
#include "grow/fill_sums.hpp"

#include <fmt/format.h>

namespace bough {
namespace {

constexpr double kRestUnit = NumberFiller::kRestUnit;

// The nearest double; most numbers are short, and those take no call.
double to_double(int128 x) noexcept {
  return x == static_cast<std::int64_t>(x) ? static_cast<double>(static_cast<std::int64_t>(x))
                                           : static_cast<double>(x);
}

}  // namespace

void ClassFiller::stats(const NodeSums<Cell>& sums, double& weight, double& impurity,
                        std::span<double> values) const {
  weight = unit_.times(static_cast<double>(sums.weight));
  std::size_t begin = 0;
  impurity = 0.0;
  for (const ClassTarget& target : targets_->classes) {
    const ClassSide side{sums.cells.subspan(begin, target.n_classes), sums.weight};
    impurity +=
        with_class_criterion(criterion_, [&](auto tag) { return decltype(tag)::type::impurity(side); });
    begin += target.n_classes;
  }
  impurity /= static_cast<double>(targets_->classes.size());
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = sums.cells[k] == 0 ? 0.0 : unit_.times(static_cast<double>(sums.cells[k]));
}

MomentFiller::MomentFiller(const Targets& targets, CriterionId criterion,
                           std::span<const PoissonFrame> frames)
    : targets_(&targets),
      poisson_(criterion == CriterionId::poisson),
      weight_(-targets.weight_exponent),
      frames_(frames.begin(), frames.end()) {
  for (const NumberTarget& target : targets.numbers) add_units(target);
  if (poisson_ && frames_.size() != targets.numbers.size())
    throw Error(ErrorCode::bad_data,
                fmt::format("{} frames of y log y for {} targets", frames_.size(), targets.numbers.size()));
}

MomentFiller::MomentFiller(const Targets& targets, CriterionId criterion)
    : targets_(&targets), poisson_(criterion == CriterionId::poisson), weight_(-targets.weight_exponent) {
  for (std::size_t o = 0; o < targets.numbers.size(); ++o) {
    const NumberTarget& target = targets.numbers[o];
    add_units(target);
    if (!poisson_) continue;
    PoissonFrame frame{
        poisson_centre(target_sum(targets.rows, targets, o), targets.total_weight, target.fixed.exponent), 0};
    std::vector<double> excess(target.raw.size(), 0.0);
    for (const RowId row : targets.rows) excess[row] = frame.excess(target.raw[row]);
    frame.exponent = fine_exponent(excess);
    frames_.push_back(frame);
    excesses_.emplace_back();
    for (const double g : excess) excesses_.back().push_back(to_fixed(g, frame.exponent));
  }
}

void MomentFiller::add_units(const NumberTarget& target) {
  scales_.emplace_back(target.fine);
  means_.emplace_back(-target.fine);
  variances_.emplace_back(-2 * target.fixed.exponent);
}

void MomentFiller::add(NodeSums<Cell>& sums, std::span<const RowId> rows) const {
  for (const RowId row : rows) sums.weight += targets_->weight(row);
  sums.n_rows += static_cast<std::int64_t>(rows.size());
  for (std::size_t o = 0; o < sums.cells.size(); ++o)
    targets_->weights.empty() ? add<false>(sums.cells[o], rows, o) : add<true>(sums.cells[o], rows, o);
}

std::int64_t MomentFiller::excess(std::size_t o, RowId row) const {
  if (!excesses_.empty()) return excesses_[o][row];
  return to_fixed(frames_[o].excess(targets_->numbers[o].raw[row]), frames_[o].exponent);
}

template <bool kWeighted>
void MomentFiller::add(NumberTotals& sums, std::span<const RowId> rows, std::size_t o) const {
  const NumberTarget& target = targets_->numbers[o];
  const PowerOfTwo scale = scales_[o];
  constexpr std::size_t ahead = 16;
  NumberTotals out = sums;
  uint128 squares = 0;  // without weights: at most the square of the sum of |y|, which is below 2^61
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + ahead < rows.size()) {
      __builtin_prefetch(&target.raw[rows[i + ahead]]);
      __builtin_prefetch(&target.fixed.values[rows[i + ahead]]);
    }
    const RowId row = rows[i];
    const std::int64_t w = kWeighted ? targets_->weight(row) : 1;
    const double raw = target.raw[row], units = scale.times(raw);
    const std::int64_t fine = PowerOfTwo::round(units), y = target.fixed.values[row];
    out.fine += static_cast<int128>(fine) * w;
    // Exact: where `fine` was rounded it has fewer than 54 bits, and so has the difference.
    out.rest += static_cast<int128>(PowerOfTwo::round((units - static_cast<double>(fine)) * kRestUnit)) * w;
    out.lowest = raw < out.lowest ? raw : out.lowest;
    out.highest = raw > out.highest ? raw : out.highest;
    out.sum += static_cast<int128>(y) * w;
    if (poisson_) {
      out.excess += static_cast<int128>(excess(o, row)) * w;
    } else if constexpr (kWeighted) {
      const uint128 square = magnitude(static_cast<int128>(y) * y);
      if (w < 64) {  // |y| < 2^61: the product has less than 128 bits
        const uint128 product = square * static_cast<uint128>(w);
        out.squares.low += product;
        out.squares.high += out.squares.low < product ? 1 : 0;
      } else {
        out.squares += Wide::product(square, static_cast<std::uint64_t>(w));
      }
    } else {
      squares += magnitude(static_cast<int128>(y) * y);
    }
  }
  out.squares += Wide{0, squares};
  sums = out;
}

void MomentFiller::stats(const NodeSums<Cell>& sums, double& weight, double& impurity,
                         std::span<double> values) const {
  weight = weight_.times(static_cast<double>(sums.weight));
  impurity = 0.0;
  for (std::size_t o = 0; o < sums.cells.size(); ++o) {
    const NumberTotals& out = sums.cells[o];
    values[o] = mean(out, sums.weight, o);
    impurity += poisson_ ? deviance(out, sums.weight, o, values[o]) : variance(out, sums.weight, o);
  }
  impurity /= static_cast<double>(sums.cells.size());
}

// A node whose rows agree answers with their value itself.
double MomentFiller::mean(const NumberTotals& sums, std::int64_t weight, std::size_t o) const {
  if (sums.lowest == sums.highest) return sums.lowest;
  const double units = static_cast<double>(sums.fine) + static_cast<double>(sums.rest) / kRestUnit;
  return means_[o].times(units / static_cast<double>(weight));
}

// (w * squares - sum^2) / w^2: the difference is exact, so nothing cancels.
double MomentFiller::variance(const NumberTotals& sums, std::int64_t weight, std::size_t o) const {
  if (sums.lowest == sums.highest) return 0.0;
  const uint128 sum = magnitude(sums.sum);
  if (sums.squares.high == 0 && (sums.squares.low >> 96) == 0 && (sum >> 63) == 0 && (weight >> 31) == 0) {
    const double w = static_cast<double>(weight);
    return variances_[o].times(
        static_cast<double>(sums.squares.low * static_cast<uint128>(weight) - sum * sum) / w / w);
  }
  Wide difference = sums.squares.times(static_cast<std::uint64_t>(weight));
  difference -= Wide::product(sum, sum);
  const double w = static_cast<double>(weight);
  return variances_[o].times(difference.to_double() / w / w);
}

double MomentFiller::deviance(const NumberTotals& sums, std::int64_t weight, std::size_t o, double m) const {
  const double mean_excess =
      std::ldexp(static_cast<double>(sums.excess) / static_cast<double>(weight), -frames_[o].exponent);
  const double deviance = mean_excess - frames_[o].excess(m);
  return sums.lowest == sums.highest || deviance < 0.0 ? 0.0 : deviance;
}

NumberFiller::NumberFiller(const Targets& targets)
    : raw_(targets.numbers[0].raw.data()),
      values_(targets.numbers[0].fixed.values.data()),
      weights_(targets.weights.empty() ? nullptr : targets.weights.data()),
      scale_(targets.numbers[0].fine),
      mean_(-targets.numbers[0].fine),
      variance_(-2 * targets.numbers[0].fixed.exponent) {}

void NumberFiller::inner_stats(const Cell& cell, std::int64_t weight, double& impurity, double& value) const {
  const double w = static_cast<double>(weight);
  value = mean_.times((to_double(cell.fine) + to_double(cell.rest) / kRestUnit) / w);
  const uint128 sum = magnitude(cell.sum);
  if ((cell.squares >> 96) == 0) {
    const uint128 difference = cell.squares * static_cast<uint128>(weight) - sum * sum;
    impurity = variance_.times(static_cast<double>(difference) / w / w);
    return;
  }
  Wide difference = Wide{0, cell.squares}.times(static_cast<std::uint64_t>(weight));
  difference -= Wide::product(sum, sum);
  impurity = variance_.times(difference.to_double() / w / w);
}

}  // namespace bough

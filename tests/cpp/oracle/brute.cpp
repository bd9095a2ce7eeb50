// SPDX-License-Identifier: Apache-2.0
// Criteria by the book and all splits by enumeration.
#include "oracle/brute.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "criterion/registry.hpp"

namespace bough::oracle {
namespace {

using Column = OutputRows;

Column column_of(const Case& sample, const RowList& rows, std::size_t output) {
  Column column;
  for (const std::size_t row : rows) {
    column.y.push_back(sample.targets[output][row]);
    column.w.push_back(sample.weight(row));
    column.total += column.w.back();
  }
  if (sample.classes) column.n_classes = sample.n_classes[output];
  return column;
}

std::vector<Real> shares(const Column& column) {
  std::vector<Real> p(column.n_classes, 0);
  for (std::size_t i = 0; i < column.y.size(); ++i) p[static_cast<std::size_t>(column.y[i])] += column.w[i];
  for (Real& share : p) share /= column.total;
  return p;
}

Real mean_of(const Column& column) {
  Real sum = 0;
  for (std::size_t i = 0; i < column.y.size(); ++i) sum += column.w[i] * column.y[i];
  return sum / column.total;
}

// The interval of minimisers of the pinball loss at a level: by definition of a quantile, at most a share
// `level` of the weight lies below it and at most 1 - level above.
Interval quantile_of(const Column& column, Real level) {
  std::vector<std::size_t> order(column.y.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return column.y[a] < column.y[b]; });
  const Real slack = 1e-12L * column.total;
  Real below = 0;
  Interval interval{column.y[order.back()], column.y[order.back()]};
  for (std::size_t i = 0; i < order.size(); ++i) {
    below += column.w[order[i]];
    if (below < level * column.total - slack) continue;
    interval.low = interval.high = column.y[order[i]];
    if (std::fabs(below - level * column.total) <= slack && i + 1 < order.size())
      interval.high = column.y[order[i + 1]];
    break;
  }
  return interval;
}

Real quantile_level(const Case& sample) {
  return sample.params.criterion == "quantile" ? static_cast<Real>(sample.params.quantile) : 0.5L;
}

Real pinball(const Column& column, Real level) {
  const Real q = quantile_of(column, level).low;
  Real sum = 0;
  for (std::size_t i = 0; i < column.y.size(); ++i) {
    const Real residual = column.y[i] - q;
    sum += column.w[i] * (residual > 0 ? level * residual : (level - 1) * residual);
  }
  return sum / column.total;
}

Real variance(const Column& column) {
  const Real mean = mean_of(column);
  Real sum = 0;
  for (std::size_t i = 0; i < column.y.size(); ++i)
    sum += column.w[i] * (column.y[i] - mean) * (column.y[i] - mean);
  return sum / column.total;
}

Real half_poisson_deviance(const Column& column) {
  const Real mean = mean_of(column);
  Real sum = 0;
  for (std::size_t i = 0; i < column.y.size(); ++i) {
    const Real y = column.y[i], excess = y - mean;
    // Near the mean the logarithm of 1 + a small number is exact, far below it that of the ratio.
    const Real log = y <= 0 ? 0 : excess > mean / -2 ? std::log1p(excess / mean) : std::log(y / mean);
    sum += column.w[i] * (y * log - excess);
  }
  return sum / column.total;
}

Real class_impurity(const std::string& criterion, const std::vector<Real>& p) {
  Real sum = 0, most = 0;
  for (const Real share : p) {
    most = std::max(most, share);
    if (criterion == "gini") sum += share * share;
    if ((criterion == "entropy" || criterion == "gain_ratio") && share > 0) sum -= share * std::log2(share);
    if (criterion == "hellinger") sum += 2 * std::sqrt(share * std::max<Real>(0, 1 - share));
  }
  if (criterion == "gini") return 1 - sum;
  if (criterion == "misclassification") return 1 - most;
  if (criterion == "hellinger") return sum / static_cast<Real>(p.size());
  return sum;
}

Real output_impurity(const Case& sample, const Column& column) {
  const std::string& criterion = sample.params.criterion;
  if (sample.classes) return class_impurity(criterion, shares(column));
  if (criterion == "squared_error") return variance(column);
  if (criterion == "poisson") return half_poisson_deviance(column);
  if (criterion == "absolute_error") return 2 * pinball(column, 0.5L);
  return pinball(column, quantile_level(sample));
}

// Cieslak and others: sum over the sides of (sqrt(share of the class's rows there) - sqrt(share of the
// rest's))^2, halved, averaged over the classes present.
Real hellinger_score(const Column& parent, const Column& left, const Column& right) {
  const std::vector<Real> all = shares(parent), in_left = shares(left), in_right = shares(right);
  Real sum = 0;
  int present = 0;
  for (std::size_t c = 0; c < all.size(); ++c) {
    const Real own = all[c] * parent.total, rest = parent.total - own;
    if (own <= 1e-15L * parent.total || rest <= 1e-15L * parent.total) continue;
    const auto side = [&](const Column& column, Real share) {
      const Real p = share * column.total / own, q = std::max<Real>(0, 1 - share) * column.total / rest;
      return (std::sqrt(p) - std::sqrt(q)) * (std::sqrt(p) - std::sqrt(q));
    };
    sum += (side(left, in_left[c]) + side(right, in_right[c])) / 2;
    ++present;
  }
  return present > 0 ? sum / present : 0;
}

}  // namespace

Real weight(const Case& sample, const RowList& rows) {
  Real sum = 0;
  for (const std::size_t row : rows) sum += sample.weight(row);
  return sum;
}

Real impurity(const Case& sample, const RowList& rows) {
  Real sum = 0;
  for (std::size_t o = 0; o < sample.targets.size(); ++o)
    sum += output_impurity(sample, column_of(sample, rows, o));
  return sum / static_cast<Real>(sample.targets.size());
}

bool is_class_criterion(std::string_view criterion) {
  const CriterionInfo* row = find_criterion(criterion);
  return row != nullptr && row->task == Task::classification;
}

bool score_is_gain(std::string_view criterion) {
  const CriterionInfo* row = find_criterion(criterion);
  return row == nullptr || row->score == SplitScore::decrease;
}

Judge::Judge(const Case& sample, const RowList& rows) : sample_(&sample) {
  for (std::size_t o = 0; o < sample.targets.size(); ++o) outputs_.push_back(column_of(sample, rows, o));
  total_impurity_ = weight(sample, rows) * impurity(sample, rows);
}

Real Judge::gain(const RowList& left, const RowList& right) const {
  return total_impurity_ - weight(*sample_, left) * impurity(*sample_, left) -
         weight(*sample_, right) * impurity(*sample_, right);
}

Real Judge::score(const RowList& left, const RowList& right) const {
  const std::string& criterion = sample_->params.criterion;
  if (criterion == "gain_ratio") {
    // The weight is the same for every output, and so is the split information.
    const Real a = weight(*sample_, left), b = weight(*sample_, right);
    return gain(left, right) / (a * std::log2(1 + b / a) + b * std::log2(1 + a / b));
  }
  if (score_is_gain(criterion)) return gain(left, right);
  Real sum = 0;
  for (std::size_t o = 0; o < outputs_.size(); ++o)
    sum += hellinger_score(outputs_[o], column_of(*sample_, left, o), column_of(*sample_, right, o));
  return sum / static_cast<Real>(outputs_.size());
}

bool pure(const Case& sample, const RowList& rows) {
  for (const auto& target : sample.targets)
    for (const std::size_t row : rows)
      if (target[row] != target[rows.front()]) return false;
  return true;
}

bool side_allowed(const Case& sample, const RowList& side) {
  if (sample.params.criterion != "poisson") return true;
  for (std::size_t o = 0; o < sample.targets.size(); ++o)
    if (mean_of(column_of(sample, side, o)) <= 0) return false;
  return true;
}

std::vector<Interval> values(const Case& sample, const RowList& rows) {
  std::vector<Interval> out;
  for (std::size_t o = 0; o < sample.targets.size(); ++o) {
    const Column column = column_of(sample, rows, o);
    if (sample.classes) {
      for (const Real share : shares(column)) out.push_back({share * column.total, share * column.total});
    } else if (sample.params.criterion == "absolute_error" || sample.params.criterion == "quantile") {
      // With whole weights whose sums are exact and a level of few bits the level is hit exactly or clearly
      // not: then the middle is the value.
      Interval interval = quantile_of(column, quantile_level(sample));
      const bool sharp = std::all_of(column.w.begin(), column.w.end(),
                                     [](Real w) { return w == std::floor(w) && w < 0x1p30L; }) &&
                         std::floor(4 * quantile_level(sample)) == 4 * quantile_level(sample);
      if (sharp) interval.low = interval.high = interval.low / 2 + interval.high / 2;
      out.push_back(interval);
    } else {
      out.push_back({mean_of(column), mean_of(column)});
    }
  }
  return out;
}

Interval constrained_value(const Case& sample, const RowList& rows) {
  if (!sample.classes) return values(sample, rows).front();
  const Real share = shares(column_of(sample, rows, 0))[1];
  return {share, share};
}

std::vector<double> known_cells(const Case& sample, const RowList& rows, std::size_t column) {
  std::vector<double> cells;
  for (const std::size_t row : rows)
    if (!std::isnan(sample.columns[column].cells[row])) cells.push_back(sample.columns[column].cells[row]);
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

void for_each_split(const Case& sample, const RowList& rows, std::size_t column,
                    const std::function<void(const RowList&, const RowList&)>& visit) {
  const PlainColumn& plain = sample.columns[column];
  const std::vector<double> cells = known_cells(sample, rows, column);
  const bool has_missing =
      std::any_of(rows.begin(), rows.end(), [&](std::size_t row) { return std::isnan(plain.cells[row]); });
  RowList left, right;
  // `chosen[k]`: known cell k goes left.
  const auto divide = [&](const std::vector<char>& chosen, bool missing_left) {
    left.clear();
    right.clear();
    for (const std::size_t row : rows) {
      const double cell = plain.cells[row];
      const bool goes_left =
          std::isnan(cell) ? missing_left
                           : chosen[static_cast<std::size_t>(
                                 std::lower_bound(cells.begin(), cells.end(), cell) - cells.begin())] != 0;
      (goes_left ? left : right).push_back(row);
    }
    if (!left.empty() && !right.empty()) visit(left, right);
  };
  const auto both_sides = [&](const std::vector<char>& chosen) {
    divide(chosen, false);
    if (has_missing) divide(chosen, true);
  };
  if (has_missing) divide(std::vector<char>(cells.size(), 1), false);
  std::vector<char> chosen(cells.size(), 0);
  if (plain.kind != Kind::category) {
    for (std::size_t k = 0; k + 1 < cells.size(); ++k) {
      chosen[k] = 1;
      both_sides(chosen);
    }
  } else if (sample.params.category_split == "equality") {
    for (std::size_t k = 0; k < cells.size(); ++k) {
      std::fill(chosen.begin(), chosen.end(), 0);
      chosen[k] = 1;
      both_sides(chosen);
    }
  } else if (!cells.empty()) {
    for (std::size_t mask = 1; mask < (std::size_t{1} << cells.size()); mask += 2) {
      for (std::size_t k = 0; k < cells.size(); ++k) chosen[k] = static_cast<char>(mask >> k & 1);
      both_sides(chosen);
    }
  }
}

bool search_is_exact(const Case& sample, const RowList& rows, std::size_t column) {
  if (sample.columns[column].kind != Kind::category || sample.params.category_split == "equality")
    return true;
  const bool one_output = sample.targets.size() == 1;
  const bool by_order = one_output && (sample.classes ? sample.n_classes[0] <= 2
                                                      : sample.params.criterion == "squared_error" ||
                                                            sample.params.criterion == "poisson");
  if (!by_order) return known_cells(sample, rows, column).size() <= 10;
  // An order holds the best of all subsets; limits may forbid exactly that one.
  return sample.params.min_samples_leaf == Amount::count(1) &&
         sample.params.min_weight_fraction_leaf == 0.0 && sample.params.monotonic_cst.empty();
}

}  // namespace bough::oracle

// SPDX-License-Identifier: Apache-2.0
// Weighted sums of columns for the nodes of oblique trees: logistic regression with an L1 penalty.
//
// A care row is a labelled row (its better side) whose weight is what the worse side costs. Minimised is
//   sum_i u_i log(1 + exp(-y_i (b + x_i beta))) + lambda sum_j |beta_j|
// over standardised columns, by the usual two loops: a quadratic model of the logistic loss around the
// present coefficients, minimised by coordinate descent with soft thresholds (Friedman, Hastie, Tibshirani
// 2010). A few penalties from strong to weak start each from the coefficients of the one before. Logistic
// loss only proposes directions: the cut along each is chosen by the exact sums of delta, and the node keeps
// its test unless that sum falls.
//
// Everything runs in one order of rows, which is that of their cells, on doubles with our own exp, so the coefficients have the
// same bits everywhere. Columns with a missing cell in a care row are left out. Of very many care rows every k-th takes
// part in the regression (all take part in choosing the cut), so that a node costs no more than kMostCells
// cells.
#include <algorithm>
#include <cmath>

#include "base/math.hpp"
#include "grow/row_test.hpp"
#include "grow/tao_search.hpp"

namespace bough {
namespace {

constexpr std::size_t kMostCells = std::size_t{1} << 21;
constexpr std::size_t kMostRows = 20000;
constexpr double kPenalties[] = {0.5, 0.2, 0.05, 0.01, 0.001};  // of the least that makes all coefficients 0
constexpr int kModels = 8;                                      // quadratic models per penalty
constexpr int kSweeps = 4;                                      // rounds over the coordinates per model
constexpr double kLeastChance = 1e-5;                           // chances stay away from 0 and 1 by this

struct Design {
  std::vector<ColId> columns;
  std::vector<double> scale;           // standard deviation per column
  std::vector<std::vector<double>> x;  // per column: standardised cells
  std::vector<double> y, weight;       // per row: 1 for right, 0 for left; weights of mean 1
};

// The cells of a column at the rows, centred and scaled. False: a cell is missing, or they all agree.
bool standardise(const EncodedColumn& column, std::span<const CareRow> rows, std::span<const double> weight,
                 std::vector<double>& cells, double& scale) {
  cells.clear();
  double sum = 0.0, total = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint32_t code = column.code(rows[i].row);
    if (code == kMissingCode) return false;
    cells.push_back(column.values[code]);
    sum += weight[i] * cells.back();
    total += weight[i];
  }
  const double mean = sum / total;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i] -= mean;
    squares += weight[i] * cells[i] * cells[i];
  }
  scale = std::sqrt(squares / total);
  if (!(scale > 0.0) || !std::isfinite(scale)) return false;
  for (double& cell : cells) cell /= scale;
  return true;
}

// An order of what rows hold, so that the regression does not depend on the order they come in.
bool comes_before(const EncodedTable& table, const CareRow& a, const CareRow& b) {
  if (a.delta != b.delta) return a.delta < b.delta;
  for (const EncodedColumn& column : table.columns) {
    if (column.kind != Kind::numeric) continue;
    if (const std::uint32_t x = column.code(a.row), y = column.code(b.row); x != y) return x < y;
  }
  return false;
}

Design make_design(const CareRows& care) {
  const EncodedTable& table = *care.table;
  const auto n_numeric =
      static_cast<std::size_t>(std::count_if(table.columns.begin(), table.columns.end(),
                                             [](const EncodedColumn& c) { return c.kind == Kind::numeric; }));
  const std::size_t most =
      std::max<std::size_t>(64, std::min(kMostRows, kMostCells / std::max<std::size_t>(n_numeric, 1)));
  const std::size_t step = (care.rows.size() + most - 1) / most;
  std::vector<CareRow> sorted(care.rows.begin(), care.rows.end()), rows;
  std::sort(sorted.begin(), sorted.end(),
            [&](const CareRow& a, const CareRow& b) { return comes_before(table, a, b); });
  for (std::size_t i = 0; i < sorted.size(); i += step) rows.push_back(sorted[i]);
  Design design;
  double sum = 0.0;
  for (const CareRow& row : rows) {
    design.y.push_back(row.delta > 0 ? 1.0 : 0.0);
    design.weight.push_back(std::fabs(static_cast<double>(row.delta)));
    sum += design.weight.back();
  }
  for (double& w : design.weight) w *= static_cast<double>(rows.size()) / sum;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    if (table.columns[j].kind != Kind::numeric) continue;
    std::vector<double> cells;
    double scale = 0.0;
    if (!standardise(table.columns[j], rows, design.weight, cells, scale)) continue;
    // Cells outside the sample may be missing too.
    const bool missing = step > 1 && table.columns[j].has_missing &&
                         std::any_of(care.rows.begin(), care.rows.end(), [&](const CareRow& row) {
                           return table.columns[j].code(row.row) == kMissingCode;
                         });
    if (missing) continue;
    design.columns.push_back(static_cast<ColId>(j));
    design.scale.push_back(scale);
    design.x.push_back(std::move(cells));
  }
  return design;
}

class Logistic {
 public:
  explicit Logistic(const Design& design)
      : d_(design),
        beta_(design.x.size(), 0.0),
        margin_(design.y.size(), 0.0),
        curve_(design.y.size()),
        rest_(design.y.size()) {
    double right = 0.0, total = 0.0;
    for (std::size_t i = 0; i < d_.y.size(); ++i) {
      right += d_.weight[i] * d_.y[i];
      total += d_.weight[i];
    }
    const double share = std::clamp(right / total, kLeastChance, 1.0 - kLeastChance);
    intercept_ = log_exact(share / (1.0 - share));
    std::fill(margin_.begin(), margin_.end(), intercept_);
    for (const std::vector<double>& x : d_.x) {
      double slope = 0.0;
      for (std::size_t i = 0; i < x.size(); ++i) slope += d_.weight[i] * x[i] * (d_.y[i] - share);
      steepest_ = std::max(steepest_, std::fabs(slope));
    }
  }

  /// The coefficients at a share of the least penalty that leaves none.
  const std::vector<double>& fit(double share) {
    const double penalty = share * steepest_;
    for (int model = 0; model < kModels; ++model) {
      make_model();
      double change = 0.0;
      for (int sweep = 0; sweep < kSweeps; ++sweep) change = std::max(change, run_sweep(penalty));
      if (change < 1e-4) break;
    }
    return beta_;
  }

 private:
  // curve: second derivatives per row; rest: what is left of the first ones as coefficients move.
  void make_model() {
    for (std::size_t i = 0; i < margin_.size(); ++i) {
      const double chance =
          std::clamp(1.0 / (1.0 + exp_exact(-margin_[i])), kLeastChance, 1.0 - kLeastChance);
      curve_[i] = d_.weight[i] * chance * (1.0 - chance);
      rest_[i] = d_.weight[i] * (d_.y[i] - chance);
    }
  }

  double run_sweep(double penalty) {
    double change = 0.0, slope = 0.0, curve = 0.0;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      slope += rest_[i];
      curve += curve_[i];
    }
    const double step = slope / curve;
    intercept_ += step;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      margin_[i] += step;
      rest_[i] -= curve_[i] * step;
    }
    for (std::size_t j = 0; j < beta_.size(); ++j) change = std::max(change, std::fabs(move(j, penalty)));
    return change;
  }

  double move(std::size_t j, double penalty) {
    const std::vector<double>& x = d_.x[j];
    double slope = 0.0, curve = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      slope += x[i] * rest_[i];
      curve += curve_[i] * x[i] * x[i];
    }
    if (!(curve > 0.0)) return 0.0;
    const double aim = slope + curve * beta_[j];
    const double next = std::fabs(aim) <= penalty ? 0.0 : (aim > 0.0 ? aim - penalty : aim + penalty) / curve;
    const double step = next - beta_[j];
    if (step == 0.0) return 0.0;
    beta_[j] = next;
    for (std::size_t i = 0; i < x.size(); ++i) {
      margin_[i] += step * x[i];
      rest_[i] -= curve_[i] * x[i] * step;
    }
    return step;
  }

  const Design& d_;
  std::vector<double> beta_, margin_, curve_, rest_;
  double intercept_ = 0.0;
  double steepest_ = 0.0;
};

// The largest weight is 1 or -1, the first one positive: a sum and its negative part rows alike.
std::vector<ObliqueTerm> terms_of(const Design& design, const std::vector<double>& beta) {
  std::vector<ObliqueTerm> terms;
  double largest = 0.0;
  for (std::size_t j = 0; j < beta.size(); ++j) {
    const double weight = beta[j] / design.scale[j];
    if (weight == 0.0 || !std::isfinite(weight)) continue;
    terms.push_back({design.columns[j], weight});
    largest = std::max(largest, std::fabs(weight));
  }
  if (terms.empty()) return terms;
  const double unit = terms.front().weight < 0.0 ? -largest : largest;
  for (ObliqueTerm& term : terms) term.weight /= unit;
  std::erase_if(terms, [](const ObliqueTerm& term) { return term.weight == 0.0; });
  return terms;
}

}  // namespace

std::optional<TaoTest> best_oblique_test(const CareRows& care, std::span<const ObliqueTerm> own) {
  std::optional<TaoTest> best;
  const auto offer = [&](std::vector<ObliqueTerm> terms) {
    std::optional<TaoTest> test = best_projection_test(care, std::move(terms));
    if (test && (!best || test->loss < best->loss)) best = std::move(test);
  };
  if (!own.empty()) offer({own.begin(), own.end()});
  const bool both =
      std::any_of(care.rows.begin(), care.rows.end(), [](const CareRow& r) { return r.delta > 0; }) &&
      std::any_of(care.rows.begin(), care.rows.end(), [](const CareRow& r) { return r.delta < 0; });
  if (!both) return best;
  const Design design = make_design(care);
  if (design.columns.size() < 2) return best;
  Logistic logistic(design);
  std::vector<ObliqueTerm> last;
  for (const double share : kPenalties) {
    std::vector<ObliqueTerm> terms = terms_of(design, logistic.fit(share));
    if (terms.size() < 2 || terms == last) continue;  // single columns are tried elsewhere, exactly
    last = terms;
    offer(std::move(terms));
  }
  return best;
}

}  // namespace bough

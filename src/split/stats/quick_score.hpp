// SPDX-License-Identifier: Apache-2.0
// Scores from the sums of one side in plain floating point: near the exact ones, for telling which cuts are worth scoring.
//
// curve_slack() (curve_kernels.hpp) says how far they may be off; the formulas are those of the vector kernels.
#pragma once

#include <algorithm>
#include <cmath>

#include "split/histogram/curve_kernels.hpp"

namespace bough {

/// What the rounding of a node's scores is measured by: its weight, or, for poisson, the sum of its targets.
template <class Node>
double score_scale(const Node& node, CriterionId criterion) noexcept {
  if constexpr (requires { node.counts; }) {
    return static_cast<double>(node.weight);
  } else {
    if (criterion != CriterionId::poisson) return static_cast<double>(node.totals[0].weight);
    double scale = 0.0;
    for (const auto& total : node.totals) scale += static_cast<double>(total.sum);
    return scale;
  }
}

/// Two classes: `n` and `l` are the weight and the second-class weight on the left, `m` and `r` on the right.
/// All are exact numbers rounded once, so that a light side beside a heavy one keeps its digits.
class QuickTwoClass {
 public:
  QuickTwoClass() = default;
  QuickTwoClass(CriterionId criterion, double all, double second) : criterion_(criterion), all_(all) {
    switch (criterion) {
      case CriterionId::entropy:
        parent_ = spread(all, second);
        break;
      case CriterionId::misclassification:
        parent_ = std::max(second, all - second);
        break;
      case CriterionId::hellinger:
        parent_ = 1.0 / std::sqrt(second * (all - second));
        break;
      default:
        parent_ = 2.0 / all;
        break;
    }
  }

  [[nodiscard]] double operator()(double n, double l, double m, double r) const noexcept {
    switch (criterion_) {
      case CriterionId::entropy:
        return parent_ - spread(n, l) - spread(m, r);
      case CriterionId::misclassification:
        return std::max(l, n - l) + std::max(r, m - r) - parent_;
      case CriterionId::hellinger:
        return 1.0 - (root(l * (n - l)) + root(r * (m - r))) * parent_;
      default: {
        const double d = m * l - n * r;
        return d / (n * m) * d * parent_;
      }
    }
  }
  /// Scores from `best` less this may belong to a cut that is as good.
  [[nodiscard]] double slack(double best) const noexcept {
    return curve_slack(criterion_, all_, std::fabs(best));
  }

 private:
  static double root(double x) noexcept { return std::sqrt(std::max(x, 0.0)); }
  static double bits(double x) noexcept { return x > 0.0 ? x * std::log2(x) : 0.0; }
  static double spread(double n, double l) noexcept { return bits(n) - bits(l) - bits(n - l); }

  CriterionId criterion_ = CriterionId::gini;
  double all_ = 1.0;
  double parent_ = 0.0;
};

/// Number targets: `n` and `s` are the weight and the sum less the centre on the left, `m` and `r` on the right.
class QuickMoments {
 public:
  QuickMoments() = default;
  QuickMoments(CriterionId criterion, double all, double sum, double centre)
      : squared_(criterion == CriterionId::squared_error), all_(all), sum_(sum), centre_(centre) {}

  [[nodiscard]] double operator()(double n, double s, double m, double r) const noexcept {
    if (squared_) {
      const double d = m * s - n * r;
      return d / (n * m) * d / all_;
    }
    const double rate = all_ / (sum_ + centre_ * all_);
    return part(n, s + centre_ * n, rate) + part(m, r + centre_ * m, rate);
  }
  /// Not below the score, without a logarithm: log x <= (x - 1) / sqrt x from 1 on, and <= 2 (x - 1) / (x + 1) up to 1.
  [[nodiscard]] double at_most(double n, double s, double m, double r) const noexcept {
    if (squared_) return (*this)(n, s, m, r);
    const double rate = all_ / (sum_ + centre_ * all_);
    return (part_at_most(n, s + centre_ * n, rate) + part_at_most(m, r + centre_ * m, rate)) * (1.0 + 1e-12) +
           1e-12 * std::fabs(sum_ + centre_ * all_);
  }
  /// Whether the score is at least `floor`; divides and takes logarithms only where it must.
  [[nodiscard]] bool reaches(double floor, double n, double s, double m, double r) const noexcept {
    const double d = m * s - n * r;
    if (squared_) return d * d >= floor * (n * m * all_);
    return at_most(n, s, m, r) >= floor && (*this)(n, s, m, r) >= floor;
  }
  [[nodiscard]] double slack(double best) const noexcept {
    return curve_slack(squared_ ? CriterionId::squared_error : CriterionId::poisson,
                       std::fabs(sum_ + centre_ * all_), std::fabs(best));
  }

 private:
  static double part_at_most(double n, double s, double inverse_rate) noexcept {
    const double x = s / n * inverse_rate;
    return s > 0.0 ? s * ((x - 1.0) / (x >= 1.0 ? std::sqrt(x) : 0.5 * (x + 1.0))) : 0.0;
  }
  static double part(double n, double s, double inverse_rate) noexcept {
    return s > 0.0 ? s * std::log(s / n * inverse_rate) : 0.0;
  }

  bool squared_ = true;
  double all_ = 1.0;
  double sum_ = 0.0;
  double centre_ = 0.0;
};

}  // namespace bough

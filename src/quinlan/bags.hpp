// SPDX-License-Identifier: Apache-2.0
// Class weights per branch of a split, and what they say in bits.
//
// With f(x) = x log2 x, a set of weight w and class weights c has w * entropy = f(w) - sum f(c). A split into
// bags of known rows has the gain (f(known) - sum f(class) - sum over bags of the same) / all, where `all`
// counts the rows with a missing cell too: that is the gain among the known rows times their share. Its split
// information counts the missing rows as a branch of their own: (f(all) - sum f(bag) - f(all - known)) / all.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/math.hpp"

namespace bough {

/// weight * entropy, in bits.
inline double scatter(std::span<const double> classes, double weight) noexcept {
  double sum = 0.0;
  for (const double c : classes) sum += xlog2x(c);
  return std::max(xlog2x(weight) - sum, 0.0);
}

class Bags {
 public:
  Bags(std::size_t n_bags, std::size_t n_classes)
      : n_classes_(n_classes), cells_(n_bags * n_classes), weights_(n_bags) {}

  void add(std::size_t bag, std::size_t code, double weight) noexcept {
    cells_[bag * n_classes_ + code] += weight;
    weights_[bag] += weight;
  }
  /// One more, empty bag at the end.
  void append() {
    cells_.resize(cells_.size() + n_classes_);
    weights_.push_back(0.0);
  }
  /// Adds bag `from` to bag `to` and removes it; later bags move up.
  void join(std::size_t to, std::size_t from) {
    for (std::size_t c = 0; c < n_classes_; ++c) cells_[to * n_classes_ + c] += cells_[from * n_classes_ + c];
    weights_[to] += weights_[from];
    const auto at = [&](std::size_t bag) {
      return cells_.begin() + static_cast<std::ptrdiff_t>(bag * n_classes_);
    };
    cells_.erase(at(from), at(from + 1));
    weights_.erase(weights_.begin() + static_cast<std::ptrdiff_t>(from));
  }

  [[nodiscard]] std::size_t size() const noexcept { return weights_.size(); }
  [[nodiscard]] std::size_t n_classes() const noexcept { return n_classes_; }
  [[nodiscard]] std::span<const double> classes(std::size_t bag) const noexcept {
    return std::span(cells_).subspan(bag * n_classes_, n_classes_);
  }
  [[nodiscard]] std::span<const double> weights() const noexcept { return weights_; }

  [[nodiscard]] double known() const noexcept {
    double sum = 0.0;
    for (const double w : weights_) sum += w;
    return sum;
  }
  /// Decrease of weight * entropy of the known rows.
  [[nodiscard]] double decrease() const {
    std::vector<double> all(n_classes_);
    double inside = 0.0;
    for (std::size_t bag = 0; bag < size(); ++bag) {
      const std::span<const double> own = classes(bag);
      for (std::size_t c = 0; c < n_classes_; ++c) all[c] += own[c];
      inside += scatter(own, weights_[bag]);
    }
    return scatter(all, known()) - inside;
  }
  /// `all` times the split information.
  [[nodiscard]] double spread(double all) const noexcept {
    double sum = xlog2x(all) - xlog2x(std::max(all - known(), 0.0));
    for (const double w : weights_) sum -= xlog2x(w);
    return sum;
  }
  /// Whether two bags at least hold `least`.
  [[nodiscard]] bool two_hold(double least, double slack) const noexcept {
    return std::count_if(weights_.begin(), weights_.end(), [&](double w) { return w + slack >= least; }) >= 2;
  }

 private:
  std::size_t n_classes_;
  std::vector<double> cells_;
  std::vector<double> weights_;
};

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// What a set of rows costs as a leaf (weight times impurity), as integers that add up the same in any order:
// two trees of the same leaves cost exactly the same.
//
// A set is an array of cells: sums, then the weight, then the number of rows. A rule of costs is made for the
// rows of a node, which it knows by their position there; it has Cell, width(), add(), cost() and unit(), the
// size of one unit of cost in the user's units.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "split/stats/families.hpp"

namespace bough {

/// All costs of a node stay below 2^kCostBits units.
inline constexpr int kCostBits = 60;

/// Class weights of all outputs, weight, rows.
template <class Criterion>
class ClassCosts {
 public:
  using Cell = std::int64_t;

  ClassCosts(const Targets& targets, Rows rows) : weight_exponent_(targets.weight_exponent) {
    for (const ClassTarget& target : targets.classes) {
      begins_.push_back(width_);
      width_ += target.n_classes;
    }
    begins_.push_back(width_);
    double weight = 0.0, classes = 2.0;
    for (const RowId row : rows) {
      weights_.push_back(targets.weight(row));
      weight += static_cast<double>(weights_.back());
      for (std::size_t o = 0; o < targets.classes.size(); ++o)
        cells_.push_back(static_cast<std::uint32_t>(begins_[o] + targets.classes[o].codes[row]));
    }
    for (const ClassTarget& target : targets.classes)
      classes = std::max(classes, static_cast<double>(target.n_classes));
    // No impurity per unit of weight is above the number of classes (entropy: their logarithm).
    exponent_ = kCostBits - 1 - std::ilogb(weight * classes * static_cast<double>(targets.classes.size()));
  }
  [[nodiscard]] std::size_t width() const noexcept { return width_ + 2; }
  [[nodiscard]] std::int64_t rows(const Cell* set) const noexcept { return set[width_ + 1]; }
  [[nodiscard]] double weight(const Cell* set) const noexcept { return static_cast<double>(set[width_]); }
  [[nodiscard]] double unit() const noexcept {
    return std::ldexp(1.0, -exponent_ - weight_exponent_) / static_cast<double>(n_outputs());
  }

  void add(Cell* set, std::size_t i) const noexcept {
    const std::size_t n = n_outputs();
    for (std::size_t o = 0; o < n; ++o) set[cells_[i * n + o]] += weights_[i];
    set[width_] += weights_[i];
    ++set[width_ + 1];
  }
  [[nodiscard]] std::int64_t cost(const Cell* set) const noexcept {
    double sum = 0.0;
    const std::int64_t w = set[width_];
    for (std::size_t o = 0; o < n_outputs(); ++o)
      sum += Criterion::impurity({std::span(set + begins_[o], begins_[o + 1] - begins_[o]), w});
    return to_fixed(sum * static_cast<double>(w), exponent_);
  }
  /// Of the whole node.
  [[nodiscard]] bool pure(const Cell* all) const noexcept {
    return std::all_of(all, all + width_, [&](Cell c) { return c == 0 || c == all[width_]; });
  }

 private:
  [[nodiscard]] std::size_t n_outputs() const noexcept { return begins_.size() - 1; }

  int weight_exponent_;
  std::vector<std::size_t> begins_;
  std::size_t width_ = 0;
  std::vector<std::uint32_t> cells_;   // per position and output
  std::vector<std::int64_t> weights_;  // per position
  int exponent_ = 0;
};

/// Sums of y - c per output, their squares in units of cost, weight, rows; c is about the mean of the node.
class SquareCosts {
 public:
  using Cell = int128;

  SquareCosts(const Targets& targets, Rows rows) : units_(targets, 2), n_outputs_(targets.numbers.size()) {
    std::vector<std::int64_t> centres;
    for (const NumberTarget& target : targets.numbers) {
      Moments moments;
      for (const RowId row : rows) {
        moments.sum += static_cast<int128>(target.fixed.values[row]) * targets.weight(row);
        moments.weight += targets.weight(row);
        pure_ &= target.fixed.values[row] == target.fixed.values[rows.front()];
      }
      centres.push_back(make_parent(moments).centre);
    }
    std::vector<double> squares;
    double sum = 0.0;
    for (const RowId row : rows) {
      weights_.push_back(targets.weight(row));
      squares.push_back(0.0);
      for (std::size_t o = 0; o < n_outputs_; ++o) {
        shifted_.push_back(targets.numbers[o].fixed.values[row] - centres[o]);
        const auto d = static_cast<double>(shifted_.back());
        squares.back() += static_cast<double>(weights_.back()) * d * d * units_.relative[o];
      }
      sum += squares.back();
    }
    exponent_ = sum > 0.0 ? kCostBits - 1 - std::ilogb(sum) : 0;
    for (const double square : squares) squares_.push_back(to_fixed(square, exponent_));
  }
  [[nodiscard]] std::size_t width() const noexcept { return n_outputs_ + 3; }
  [[nodiscard]] std::int64_t rows(const Cell* set) const noexcept {
    return static_cast<std::int64_t>(set[n_outputs_ + 2]);
  }
  [[nodiscard]] double weight(const Cell* set) const noexcept {
    return static_cast<double>(set[n_outputs_ + 1]);
  }
  [[nodiscard]] double unit() const noexcept {
    return std::ldexp(1.0, units_.real - exponent_) / static_cast<double>(n_outputs_);
  }

  void add(Cell* set, std::size_t i) const noexcept {
    for (std::size_t o = 0; o < n_outputs_; ++o)
      set[o] += static_cast<int128>(shifted_[i * n_outputs_ + o]) * weights_[i];
    set[n_outputs_] += squares_[i];
    set[n_outputs_ + 1] += weights_[i];
    ++set[n_outputs_ + 2];
  }
  [[nodiscard]] std::int64_t cost(const Cell* set) const noexcept {
    const auto w = static_cast<double>(set[n_outputs_ + 1]);
    double explained = 0.0;
    for (std::size_t o = 0; o < n_outputs_; ++o) {
      const auto s = static_cast<double>(set[o]);
      explained += s / w * s * units_.relative[o];
    }
    return static_cast<std::int64_t>(set[n_outputs_]) - to_fixed(explained, exponent_);
  }
  /// Of the whole node.
  [[nodiscard]] bool pure(const Cell* /*all*/) const noexcept { return pure_; }

 private:
  TargetUnits units_;
  std::size_t n_outputs_;
  std::vector<std::int64_t> shifted_;  // per position and output
  std::vector<std::int64_t> weights_;  // per position
  std::vector<std::int64_t> squares_;  // per position
  bool pure_ = true;
  int exponent_ = 0;
};

}  // namespace bough

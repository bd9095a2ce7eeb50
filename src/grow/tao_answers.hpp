// SPDX-License-Identifier: Apache-2.0
// What the leaves of a tree under refinement answer, and what rows lose by it.
#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "base/fixed.hpp"
#include "data/targets.hpp"

namespace bough {

/// What leaves answer: class codes or means, one per output.
class TaoAnswers {
 public:
  explicit TaoAnswers(const Targets& targets) : targets_(&targets), n_outputs_(targets.n_outputs()) {}

  void fit(std::size_t n_nodes, std::span<const std::int32_t> leaf_of) {
    values_.assign(n_nodes * n_outputs_, 0.0);
    for (std::size_t o = 0; o < n_outputs_; ++o)
      targets_->is_classification() ? fit_classes(n_nodes, leaf_of, o) : fit_numbers(n_nodes, leaf_of, o);
  }

  /// What a row loses at `a` minus what it loses at `b`, per unit of weight.
  [[nodiscard]] double difference(RowId row, std::int32_t a, std::int32_t b) const {
    double sum = 0.0;
    for (std::size_t o = 0; o < n_outputs_; ++o) {
      const double va = value(a, o), vb = value(b, o);
      if (targets_->is_classification()) {
        const auto code = static_cast<double>(targets_->classes[o].codes[row]);
        sum += static_cast<double>(code != va) - static_cast<double>(code != vb);
      } else {
        sum += (vb - va) * (2.0 * targets_->numbers[o].raw[row] - va - vb);
      }
    }
    return sum;
  }

  /// What a row of `targets` loses at a leaf, per unit of weight.
  [[nodiscard]] double loss(const Targets& targets, RowId row, std::int32_t leaf) const {
    double sum = 0.0;
    for (std::size_t o = 0; o < n_outputs_; ++o) {
      if (targets.is_classification()) {
        sum += static_cast<double>(targets.classes[o].codes[row]) != value(leaf, o) ? 1.0 : 0.0;
      } else {
        const double d = targets.numbers[o].raw[row] - value(leaf, o);
        sum += d * d;
      }
    }
    return sum;
  }

 private:
  [[nodiscard]] double value(std::int32_t node, std::size_t o) const {
    return values_[static_cast<std::size_t>(node) * n_outputs_ + o];
  }

  void fit_classes(std::size_t n_nodes, std::span<const std::int32_t> leaf_of, std::size_t o) {
    const ClassTarget& target = targets_->classes[o];
    const std::size_t width = target.n_classes;
    // Rows of one leaf together: a table of all leaves and classes could be large.
    std::vector<RowId> rows = targets_->rows;
    std::vector<std::uint32_t> begins(n_nodes + 1, 0);
    for (const RowId row : rows) ++begins[static_cast<std::size_t>(leaf_of[row]) + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<std::uint32_t> at(begins.begin(), begins.end() - 1);
    for (const RowId row : targets_->rows) rows[at[static_cast<std::size_t>(leaf_of[row])]++] = row;
    std::vector<std::int64_t> counts(width, 0);
    for (std::size_t node = 0; node < n_nodes; ++node) {
      const auto here = std::span(rows).subspan(begins[node], begins[node + 1] - begins[node]);
      std::uint32_t best = 0;
      for (const RowId row : here) counts[target.codes[row]] += targets_->weight(row);
      for (const RowId row : here) {
        const std::uint32_t code = target.codes[row];
        if (counts[code] > counts[best] || (counts[code] == counts[best] && code < best)) best = code;
      }
      values_[node * n_outputs_ + o] = best;
      for (const RowId row : here) counts[target.codes[row]] = 0;
    }
  }

  void fit_numbers(std::size_t n_nodes, std::span<const std::int32_t> leaf_of, std::size_t o) {
    const NumberTarget& target = targets_->numbers[o];
    std::vector<int128> sums(n_nodes, 0);
    std::vector<std::int64_t> weights(n_nodes, 0);
    for (const RowId row : targets_->rows) {
      const auto leaf = static_cast<std::size_t>(leaf_of[row]);
      sums[leaf] += static_cast<int128>(target.fixed.values[row]) * targets_->weight(row);
      weights[leaf] += targets_->weight(row);
    }
    for (std::size_t node = 0; node < n_nodes; ++node)
      if (weights[node] > 0)
        values_[node * n_outputs_ + o] = std::ldexp(
            static_cast<double>(sums[node]) / static_cast<double>(weights[node]), -target.fixed.exponent);
  }

  const Targets* targets_;
  std::size_t n_outputs_;
  std::vector<double> values_;
};

}  // namespace bough

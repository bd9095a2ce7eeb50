// SPDX-License-Identifier: Apache-2.0
// What out-of-bag figures share: the check of the forest and its rows, and errors against the truth.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bough/out_of_bag.hpp"
#include "inference/labelled_rows.hpp"
#include "inference/tree_answers.hpp"

namespace bough {

/// Throws unless the model is a forest that was grown with bootstrap on so many rows.
void check_bagged(const Model& forest, std::int64_t n_rows);

/// The truth about rows, and how far answers are off.
class TrueErrors {
 public:
  TrueErrors(const Model& model, const Table& table, const OobSpec& spec);
  [[nodiscard]] std::string measure() const;
  /// The mean over the outputs of 1 for a wrong class, or of the squared difference. `values` as
  /// TreeBlock::answer().
  [[nodiscard]] double of(std::size_t row, std::span<const double> values) const;
  [[nodiscard]] double weight(std::size_t row) const noexcept {
    return scored_.weights.empty() ? 1.0 : scored_.weights[row];
  }

 private:
  const Model& model_;
  Scored scored_;
};

}  // namespace bough

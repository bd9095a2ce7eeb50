// SPDX-License-Identifier: Apache-2.0
// What out-of-bag figures share: the check of the forest and its rows, and errors against the truth.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "bough/out_of_bag.hpp"
#include "inference/labelled_rows.hpp"
#include "inference/tree_answers.hpp"

namespace bough {

/// Throws unless the model is a forest that was grown with bootstrap on so many rows.
void check_bagged(const Model& forest, std::int64_t n_rows);

/// Counts where the rows that trees have drawn end. In the fit they were what the nodes say they hold, so other
/// rows, and the same rows in another order, are found out.
class DrawnEnds {
 public:
  DrawnEnds(const Model& forest, const DrawnRows& drawn);
  /// The rows of a block that has entered a tree; from any thread.
  void count(const TreeBlock& block, std::size_t tree);
  /// Throws bad_data unless all rows that were counted are those of the fit. Of honest trees, whose nodes hold some
  /// of the drawn rows, no node may hold more than were counted.
  void check() const;

 private:
  const Model& forest_;
  const DrawnRows& drawn_;
  std::vector<std::vector<std::atomic<std::int64_t>>> counts_;  // per tree and node
};
/// The same for all rows at once.
void check_drawn_rows(const Model& forest, const RowReader& rows, const DrawnRows& drawn);

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

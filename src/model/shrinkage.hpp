// SPDX-License-Identifier: Apache-2.0
// The strength of shrinkage, given or chosen by rows that a tree has not seen.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "model/pruning.hpp"

namespace bough {

/// The strengths that are tried, times the unit of the weights in the trees; the first is none. A strength is a weight.
inline constexpr std::array<double, 10> kStrengths{0.0, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0};
/// The mean weight of the rows: with it as the unit, what is chosen does not depend on that of the weights.
double mean_weight(const Prepared& prepared);
std::vector<double> strengths_by(double unit);

struct ChosenStrength {
  double strength = 0.0;
  std::string note;  ///< what was chosen and why
};

/// Answers of trees for rows that they have not seen, under every strength at once: trees are grown once, and
/// only their values are made anew. Sums go in the order of rows and trees.
class StrengthTrial {
 public:
  /// `loss` is that of numbers; classes are judged by log loss. All must outlive this.
  StrengthTrial(const Table& table, const Prepared& prepared, const Loss& loss, double unit);

  /// Asks a tree about the rows of `judged` that are not 0.
  void ask(const Tree& tree, std::span<const double> judged);
  /// The strength of the lowest mean loss over all rows that were asked about (of equals the lowest); trees
  /// that were asked about one row answer by their mean. Throws bad_data when there was no row.
  [[nodiscard]] ChosenStrength choose() const;

 private:
  [[nodiscard]] double loss_of(RowId row, std::span<const double> answer) const;

  RowReader reader_;
  const Prepared& prepared_;
  Loss loss_;
  std::vector<double> strengths_;
  std::size_t width_ = 0;
  std::vector<std::vector<double>> answers_;  // per strength: value_width numbers per row, added over trees
  std::vector<std::uint32_t> asked_;          // per row: trees
};

/// By the folds of pruning: asks `fold_trees`, or where there are none the trees that `grow` makes of the rows outside
/// each fold.
ChosenStrength choose_strength(const PruningJob& job, std::span<const Tree> fold_trees,
                               const std::function<Tree(const Prepared&)>& grow);

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// Errors of rows under the trees of a path of sizes: the ground of every choice by cross-validation.
#pragma once

#include <span>
#include <vector>

#include "bough/prune.hpp"
#include "model/folds.hpp"
#include "prune/node_errors.hpp"

namespace bough {

/// The trees of a cost-complexity path that differ in price: one entry per price, without errors.
PruningTable distinct_prices(const PruningPath& path);
/// Where the trees of folds are judged: the geometric mean of every price and the next, the last one at infinity.
std::vector<double> middles(const std::vector<double>& prices);
/// A branch of price 0 is worth nothing: it goes even when the price is 0.
double above_zero(double price);

/// The rows of `prepared` that judge, by weights per row (0: not).
JudgeRows judge_rows(const Prepared& prepared, const RowReader& reader, std::span<const double> weights);

/// What a fold grows on, and the weights by which its other rows judge (0: none); those above 0 are added to `judged`.
struct FoldRows {
  Prepared grown;
  std::vector<double> weights;
};
FoldRows fold_rows(const Prepared& prepared, const Folds& folds, std::int32_t fold,
                   std::vector<double>& judged);

/// Sums of errors per tree of a path. Rows may come in parts, fold by fold, each judged by another tree; sums are
/// exact, so the order of parts changes no bit.
class PathErrors {
 public:
  PathErrors(const Prepared& prepared, const Loss& loss, std::size_t n_trees);

  /// Adds the rows that end at `ends` under the trees of `path` (the path of `tree`) at the prices, which rise. Nodes
  /// answer by `values`.
  void add_path(const Tree& tree, const PruningPath& path, const JudgeRows& rows,
                std::span<const RowEnd> ends, const NodeValues& values, std::span<const double> prices);
  /// The same under one tree as it is.
  void add_tree(std::size_t i, const Tree& tree, const JudgeRows& rows, std::span<const RowEnd> ends,
                const NodeValues& values);

  /// Mean error of a row and output, and the standard error of that mean. `judged`: the weights of all rows that were
  /// added. With weights the rows count like (sum w)^2 / sum w^2 of equal weight.
  struct Means {
    std::vector<double> errors, standard_errors;
  };
  [[nodiscard]] Means means(std::vector<double> judged) const;

 private:
  Loss loss_;
  std::size_t n_outputs_;
  ErrorScale scale_;
  std::vector<int128> errors_, squares_;
};

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// Scores of predictions against the truth: plain arithmetic over rows and weights.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bough/inference.hpp"

namespace bough {

/// Rows of one predicted chance: the weight of those that are of the class in question, and of the others.
struct ScoreGroup {
  double score = 0.0, positive = 0.0, negative = 0.0;
};

/// A row to be ranked.
struct RankedRow {
  double score = 0.0;
  double weight = 1.0;
  bool positive = false;
};

/// Rows put together by score, highest first. Rows of weight 0 do not count.
std::vector<ScoreGroup> group_scores(std::vector<RankedRow> rows);

/// Chance that a row of the class scores higher than one of the others, a tie counting half (midranks).
/// Nothing when one side is empty.
std::optional<double> area_under_curve(std::span<const ScoreGroup> groups);
/// Largest distance between the distributions of the score on the two sides (Kolmogorov-Smirnov).
std::optional<double> ks_distance(std::span<const ScoreGroup> groups);
/// Ten tenths of the weight, best scores first. Rows of equal score are spread evenly over the tenths they
/// reach into, so the order of rows does not matter. Empty when the class does not occur.
std::vector<LiftDecile> lift_table(std::span<const ScoreGroup> groups);

/// True and predicted classes of some rows.
struct ClassRows {
  std::span<const std::int64_t> rows;   ///< numbers of the rows; the other members are indexed by them
  std::span<const double> weights;      ///< empty: all 1
  std::span<const std::int32_t> truth;  ///< class of every row; n_known or more: unknown to the model
  std::span<const double> predicted;    ///< class index of every row
  std::span<const double> chances;      ///< n_known numbers per row
  std::size_t n_known = 0;              ///< classes of the model
  std::size_t n_classes = 0;            ///< these and the labels that only the truth has
};

/// True and predicted numbers of some rows.
struct NumberRows {
  std::span<const std::int64_t> rows;
  std::span<const double> weights;
  std::span<const double> truth;
  std::span<const double> predicted;
  double quantile = 0.5;
};

/// Fills scores, confusion, lift, n_rows and weight.
void score_classes(const ClassRows& rows, Evaluation& evaluation);
void score_numbers(const NumberRows& rows, Evaluation& evaluation);

/// Weight of a row; 1 when there are no weights.
inline double weight_of(std::span<const double> weights, std::int64_t row) {
  return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(row)];
}
/// Predicted chance of a class; 0 of one that the model does not know.
inline double chance_of(const ClassRows& data, std::int64_t row, std::size_t of_class) {
  return of_class < data.n_known ? data.chances[static_cast<std::size_t>(row) * data.n_known + of_class]
                                 : 0.0;
}
/// The rows put together by the chance of one class.
std::vector<ScoreGroup> groups_of(const ClassRows& data, std::size_t of_class);
/// What one row adds to log_loss and brier, at weight 1.
double log_loss_of(const ClassRows& data, std::int64_t row);
double brier_of(const ClassRows& data, std::int64_t row);
/// What one row adds to deviance and pinball, at weight 1.
double deviance_of(double truth, double predicted);
double pinball_of(double gap, double quantile);

/// Fills the intervals of the scores that are there, at the evaluation's confidence.
void add_intervals(const ClassRows& rows, Evaluation& evaluation);
void add_intervals(const NumberRows& rows, Evaluation& evaluation);

}  // namespace bough

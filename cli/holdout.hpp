// SPDX-License-Identifier: Apache-2.0
// Which rows are kept out of training to score it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bough/inference.hpp"

namespace bough::cli {

struct RowParts {
  std::vector<RowId> training;
  std::vector<RowId> held_out;
};

/// A part of the rows, drawn by `seed`, the same on every machine. For classes every combination of labels
/// gives its share, and at least one of its rows stays in training.
RowParts hold_out(const Table& table, const Model& model, double fraction, std::int64_t seed);

/// Scores on the rows a tree was grown on and on rows it never saw.
struct ScorePair {
  std::vector<Evaluation> training;
  std::vector<Evaluation> held_out;
  std::string why_not;  ///< not empty: there are no scores, and why
};

/// Grows a second tree without the held-out rows, as `model` was grown, and scores it on both parts.
struct HoldoutJob {
  const Table& table;
  const FitSpec& spec;
  const Model& model;
  double fraction = 0.2;
  int threads = 0;
};
ScorePair score_holdout(const HoldoutJob& job);

}  // namespace bough::cli

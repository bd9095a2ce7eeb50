// SPDX-License-Identifier: Apache-2.0
// Scores on rows kept out of training.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bough/inference.hpp"

namespace bough::cli {

/// Scores on the rows a tree was grown on and on rows it never saw.
struct ScorePair {
  std::vector<Evaluation> training;
  std::vector<Evaluation> held_out;
  std::vector<Evaluation>
      baseline;         ///< of the same rows by one leaf: the largest class, the mean; may be empty
  NodeId leaves = 0;    ///< of the tree that was scored; 0: several trees
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

/// The scores of rows, without intervals where these say nothing; of a sample of them, which is told, where chances
/// of all classes for all rows would fill the memory.
std::vector<Evaluation> score_rows(const Model& model, const Table& rows, const std::string& weight,
                                   int threads);
/// The model cut down to its root.
std::vector<Evaluation> score_baseline(const Model& model, const Table& rows, const std::string& weight,
                                       int threads);

}  // namespace bough::cli

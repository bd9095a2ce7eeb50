// SPDX-License-Identifier: Apache-2.0
// Scores on rows kept out of training.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bough/inference.hpp"

namespace bough::cli {

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

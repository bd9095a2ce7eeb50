// SPDX-License-Identifier: Apache-2.0
// What bough train says about the model it has made.
#pragma once

#include <string>
#include <vector>

#include "bough/inference.hpp"
#include "holdout.hpp"

namespace bough::cli {

/// No row shows its effect, so models of a treatment have no scores; this is said instead.
struct EffectSummary {
  double mean = 0.0, low = 0.0, high = 0.0;
};

struct Trained {
  Model model;
  ScorePair scores;
  std::vector<Evaluation> out_of_bag;  // of forests whose trees draw rows
  std::int64_t n_rows = 0;
  EffectSummary effects;
  bool chosen = false;               // choose_tree() has made it
  std::int64_t n_weighted = n_rows;  // rows of positive weight
};

struct TrainReport {
  const Trained& trained;
  const std::string& output;  ///< file of the model, or empty
  const std::string& test;    ///< file of other rows, or empty
  double holdout = 0.0;
  bool has_scores = true;
};

std::string train_text(const TrainReport& report);
std::string train_json(const TrainReport& report);

}  // namespace bough::cli

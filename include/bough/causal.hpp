// SPDX-License-Identifier: Apache-2.0
// Effects of a treatment: models that were fitted with FitSpec::treatment answer with them.
#pragma once

#include <vector>

#include "bough/model.hpp"

namespace bough {

/// Whether the model answers with effects of a treatment.
bool is_causal(const Model& model) noexcept;

/// The effect of every row's leaf and the means of y that it is the difference of; of several trees their
/// averages.
struct Effects {
  std::vector<double> effect;  ///< the same as Model::predict
  std::vector<double> treated_mean;
  std::vector<double> control_mean;
};
/// "effect of drug on y"; empty for other models.
std::string effect_words(const Model& model);

/// Throws bad_params when the model has no treatment.
Effects effects(const Model& model, const Table& rows, const Execution& execution = {});

/// Intervals of effects, row by row.
struct EffectIntervals {
  std::vector<double> low;
  std::vector<double> high;
  std::vector<double> standard_error;
};
/// Of one tree: Welch's t interval of the average effect among the rows of the leaf, from the rows that
/// estimated it. It holds for honest trees and propensity trees, whose splits have not looked at those rows'
/// y; other trees are refused, as is a coverage that is not in (0, 1). Of a forest: a normal interval around
/// the effect, from little bags.
EffectIntervals effect_intervals(const Model& model, const Table& rows, double coverage = 0.9,
                                 const Execution& execution = {});

}  // namespace bough

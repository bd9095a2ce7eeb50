// SPDX-License-Identifier: Apache-2.0
// How far answers may be off: prediction intervals and sets, intervals of means, standard errors of forests,
// quantiles.
//
// What each covers (docs/honest.md):
//   predict_interval, predict_set   a new target, with at least the coverage asked for, whatever the model
//   predict_mean_interval           honest tree: the mean of the leaf that the row ends in; honest forest
//   with
//                                   little_bags: the forest's expectation, about the true mean where forests
//                                   have no bias
//   predict_quantile                nothing: an estimate of the quantile of targets around the row
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bough/model.hpp"

namespace bough {

/// Ends of intervals, row after row. Infinite where nothing can be said, NaN where the model answers nothing.
struct Intervals {
  std::vector<double> lower;
  std::vector<double> upper;
};

/// Which calibration rows an interval is made of.
enum class CalibrateBy : std::uint8_t {
  all,  ///< all of them
  leaf  ///< those of the row's leaf, or of a node above it where the leaves are too small; one tree only
};

/// The model with the errors that it makes on rows it has not seen, one per row (weights of rows are not
/// looked at, but those of weight 0 are left out). Replaces an earlier calibration. Throws bad_data when a
/// target is missing or no class of the model.
[[nodiscard]] Model calibrate(const Model& model, const Table& table, const std::string& weight = {},
                              const Execution& execution = {});
/// Number of calibration rows; 0: not calibrated.
[[nodiscard]] std::int64_t calibration_rows(const Model& model);

/// Intervals for a new target, n_outputs per row, each with the coverage by itself (split conformal, absolute
/// errors). Throws not_supported for classes and for models without calibration.
[[nodiscard]] Intervals predict_interval(const Model& model, const Table& table, double coverage = 0.9,
                                         CalibrateBy by = CalibrateBy::all, const Execution& execution = {});
/// Sets of classes that hold a new label with that coverage: 1 for each class of the output that belongs to
/// it, row after row (split conformal, by the share of the true class).
[[nodiscard]] std::vector<char> predict_set(const Model& model, const Table& table, double coverage = 0.9,
                                            CalibrateBy by = CalibrateBy::all, std::size_t output = 0,
                                            const Execution& execution = {});

/// Intervals of means: regression n_outputs per row, classification one per class of `output`. Honest trees:
/// Student's t or Wilson over the leaf's own estimating rows. Honest forests with little_bags: normal, by
/// predict_std_error. Throws not_supported, saying why, for all other models.
[[nodiscard]] Intervals predict_mean_interval(const Model& model, const Table& table, double coverage = 0.9,
                                              std::size_t output = 0, const Execution& execution = {});
/// Standard errors of an honest forest with little_bags, numbers as predict_mean_interval has them.
[[nodiscard]] std::vector<double> predict_std_error(const Model& model, const Table& table,
                                                    std::size_t output = 0, const Execution& execution = {});

/// Quantiles of the targets kept by leaf_samples, levels.size() per row: the least target whose rows and all
/// below weigh the level or more, where a row weighs its share of the leaf, averaged over trees (Meinshausen
/// 2006). One number target. Throws bad_params for levels outside [0, 1].
[[nodiscard]] std::vector<double> predict_quantile(const Model& model, const Table& table,
                                                   std::span<const double> levels,
                                                   const Execution& execution = {});

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// How alike rows are in the eyes of a forest, and how alike its trees are to the whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bough/model.hpp"

namespace bough {

/// Rows by rows: the share of the trees in which two rows end in one leaf, row after row, n x n. With
/// out_of_bag only the trees count that have drawn neither (NaN where there is none); then `weight` is the
/// column of weights in the fit, and the rows must be those of the fit. Throws not_supported above 2^28
/// pairs.
struct ProximitySpec {
  bool out_of_bag = false;
  std::string weight{};
};
std::vector<double> proximity(const Model& model, const Table& rows, const ProximitySpec& spec = {},
                              const Execution& execution = {});
/// Rows by other rows, n x m.
std::vector<double> proximity(const Model& model, const Table& rows, const Table& others,
                              const Execution& execution = {});

/// How far the answers of every tree are from those of all together.
struct TreeProximity {
  /// Mean over the rows: the squared differences of the class shares, summed over the classes, mean over
  /// outputs; or of numbers, in parts of the variance of the forest's answers.
  std::vector<double> distances;
  std::size_t representative = 0;  ///< the nearest tree, ties to the first
};
TreeProximity tree_proximity(const Model& model, const Table& rows, const Execution& execution = {});
std::string to_json(const TreeProximity& proximity);

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// What a model keeps beside its trees for intervals: errors on rows it has not seen, and the targets of its
// leaves.
//
// Both live in Model::Parts::extras and may come from strangers' files: whoever reads them goes through here.
#pragma once

#include <optional>
#include <vector>

#include "bough/model.hpp"
#include "model/prepare.hpp"

namespace bough {

/// Errors of calibration rows, one entry per row.
struct Calibration {
  std::size_t n_rows = 0;
  std::vector<double> scores;  ///< n_outputs per row: |target - answer|, or 1 - share of the true class
  std::vector<NodeId> nodes;   ///< where the row ends; empty unless the model is one tree
};

/// None when the model was not calibrated. Throws bad_model when what is kept makes no sense for its trees.
std::optional<Calibration> read_calibration(const Model::Parts& parts);
/// calibrate() of bough/intervals.hpp.
Model measure_errors(const Model& model, const Table& table, const std::string& weight,
                     const Execution& execution);
void write_calibration(Model::Parts& parts, const Calibration& calibration);

/// Targets of the rows in every node of every tree.
struct LeafSamples {
  std::vector<double> targets;             ///< of all rows that are kept, once per weight, increasing
  std::vector<std::size_t> starts;         ///< per node of all trees one after the other, and the end
  std::vector<std::uint32_t> rows;         ///< places in `targets`, node by node, of the rows that end there
  std::vector<double> weights;             ///< of rows, by place in `targets`; empty: all 1
  std::vector<std::size_t> first_of_tree;  ///< number of a tree's root among all nodes
};

/// None when no samples were kept. Throws bad_model when what is kept makes no sense for the trees.
std::optional<LeafSamples> read_leaf_samples(const Model::Parts& parts);
/// Keeps the targets of the training rows that end in every node (of honest trees: those that estimate).
/// Throws not_supported, naming it, for targets that have no quantiles.
void keep_leaf_samples(Model::Parts& parts, const Table& table, const Prepared& prepared);

/// Sets the weight of the rows that calibrate to 0 and returns them; class by class. Nothing without
/// calibration_fraction. Throws bad_data when a part is empty.
std::vector<RowId> hold_for_calibration(Prepared& prepared, const Params& params, std::size_t n_rows);

/// fit()'s last step: the model with leaf samples and calibration as its parameters say.
Model finish_model(Model::Parts parts, const Table& table, const Prepared& prepared,
                   std::span<const RowId> held, const Execution& execution);

}  // namespace bough

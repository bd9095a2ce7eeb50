// SPDX-License-Identifier: Apache-2.0
// What the ways of showing a split share: rows prepared as for fit(), the way to a node.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/why.hpp"
#include "model/prepare.hpp"

namespace bough {

/// The targets as fit() saw them, in the model's classes.
Prepared prepare_why(const Model& model, const Table& table, const WhySpec& spec);

/// A node above, and the child that leads down.
struct WhyStep {
  NodeId node = 0;
  std::int32_t child = 0;
};
std::vector<WhyStep> steps_to(const Tree& tree, NodeId node);

/// Throws bad_data: none of the rows comes to the node.
[[noreturn]] void refuse_no_rows(const Table& table, NodeId node);
/// What WhySplit says before any column is looked at.
WhySplit start_why(const Model& model, NodeId node, const WhySpec& spec, std::string_view measure,
                   WhySide here);

/// why_split() for trees of ID3 and C4.5.
WhySplit why_classic(const Model& model, const Table& table, NodeId node, const WhySpec& spec);

}  // namespace bough

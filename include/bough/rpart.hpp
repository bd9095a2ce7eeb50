// SPDX-License-Identifier: Apache-2.0
// Trees as users of rpart know them: its node numbers and its printed forms.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bough/model.hpp"

namespace bough {

/// The number of every node as rpart counts: the root is 1, the children of k are 2k and 2k + 1, the child of
/// the lower mean (of class numbers or values) first. 0 below depth 61, where numbers end. Throws
/// not_supported unless every inner node has two children.
[[nodiscard]] std::vector<std::uint64_t> rpart_numbers(const Model& model);
/// The node of an rpart number. Throws bad_params listing it when there is none.
[[nodiscard]] std::vector<NodeId> nodes_of_rpart(const Model& model, std::span<const std::uint64_t> numbers);

/// The tree, the cp table and the summary of all nodes as text, laid out as users of rpart know them.
[[nodiscard]] std::string rpart_text(const Model& model, int digits = 7);
[[nodiscard]] std::string cp_text(const Model& model, int digits = 7);
[[nodiscard]] std::string rpart_summary(const Model& model, int digits = 7);
/// The cp table as a picture (SVG): error against the size of the tree.
[[nodiscard]] std::string cp_svg(const Model& model);

}  // namespace bough

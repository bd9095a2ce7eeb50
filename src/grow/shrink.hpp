// SPDX-License-Identifier: Apache-2.0
// Hierarchical shrinkage: answers of nodes drawn towards those of the nodes above them.
#pragma once

#include <vector>

#include "bough/tree.hpp"

namespace bough {

/// What every node answers under shrinkage, value_width numbers per node: class shares of every output, or
/// numbers. Nodes of weight 0 answer as their parents.
std::vector<double> shrunken_answers(const Tree& tree, double lambda);

/// The tree with these answers: numbers as they are, class shares times the node's class weight. Everything
/// else stays, and with lambda 0 every bit. Answers of monotone trees stay monotone.
Tree shrink(Tree tree, double lambda);

/// The tree that shrink(tree, lambda) was made of, with what its training rows said in place of shrunken answers:
/// class weights (whole numbers come back exactly, others within rounding, and a node is the sum of its children
/// where it was) or numbers. Throws not_supported where shrinkage was so strong that rounding has lost them.
Tree unshrink(Tree tree, double lambda);

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// A model with all its trees pruned.
#include "bough/prune.hpp"

#include <algorithm>

#include "bough/model.hpp"

namespace bough {

Model prune(const Model& model, double alpha) {
  Model::Parts parts = model.parts();
  for (Tree& tree : parts.trees) tree = prune(tree, alpha);
  parts.cp_table.clear();
  // Trees of a path are nested: what a lower price has cut is cut by the higher one too.
  parts.params.ccp_alpha = std::max(parts.params.ccp_alpha, alpha);
  return Model(std::move(parts));
}

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// The columns that a model looks at.
#pragma once

#include <set>

#include "bough/model.hpp"

namespace bough {

/// The columns that some split tests, alone, in a combination or as a surrogate.
inline std::set<ColId> tested_columns(const Model& model) {
  std::set<ColId> columns;
  for (const Tree& tree : model.trees())
    for (NodeId node = 0; node < tree.n_nodes(); ++node) {
      if (tree.is_leaf(node)) continue;
      if (tree.column(node) >= 0) columns.insert(tree.column(node));
      for (const ObliqueTerm& term : tree.terms(node)) columns.insert(term.column);
      for (const Alternative& test : tree.alternatives(node))
        if (test.role == AlternativeRole::surrogate) columns.insert(test.column);
    }
  return columns;
}

}  // namespace bough

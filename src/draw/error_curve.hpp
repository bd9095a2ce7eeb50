// SPDX-License-Identifier: Apache-2.0
// Errors along the path of pruned trees, from whichever table a model has.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bough/prune.hpp"

namespace bough {

/// A line over the number of leaves, leaves falling.
struct ErrorLine {
  std::string name;
  std::vector<double> leaves;
  std::vector<double> errors;
};

struct ErrorCurves {
  std::vector<ErrorLine> training;
  ErrorLine judged;                     ///< cross-validated; empty when the model has no table
  std::vector<double> spread;           ///< standard errors of it
  std::optional<std::size_t> chosen{};  ///< position of the model's own tree
  std::string measure;                  ///< what an error is
  std::string how;                      ///< a sentence about folds and rule
};

/// The curves of one tree of a model.
ErrorCurves error_curves(const Model& model);

/// The sum of `measure` over the leaves of every tree of a path, O(nodes).
std::vector<double> along_path(const Tree& tree, const PruningPath& path, const std::vector<double>& measure);

}  // namespace bough

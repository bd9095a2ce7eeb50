// SPDX-License-Identifier: Apache-2.0
// The small real data sets that travel inside the command line.
#pragma once

#include <span>
#include <string_view>

namespace bough::cli {

/// One embedded table; everything points into static memory.
struct EmbeddedSet {
  std::string_view name;         ///< "iris"
  std::string_view description;  ///< one line
  std::string_view target;       ///< the column to predict
  std::string_view csv;          ///< the whole file, header first
  std::string_view weight;       ///< column of row weights, or empty
};

/// Every embedded table, the one to start with first (cli/data/sets.json).
std::span<const EmbeddedSet> embedded_sets();

}  // namespace bough::cli

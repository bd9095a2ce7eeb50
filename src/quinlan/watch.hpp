// SPDX-License-Identifier: Apache-2.0
// The search of ID3 and C4.5 at one node, with what every column could do.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "quinlan/quinlan.hpp"

namespace bough {

/// What falls into a branch, of the known cells.
struct QuinlanBranch {
  std::int64_t n_rows = 0;
  double weight = 0.0;
  std::vector<double> classes;
};

struct QuinlanColumnView {
  bool found = false;
  bool constant = false;  ///< one value only, or none
  std::int64_t n_missing = 0;
  Split split{};      ///< its gain: decrease of weight * entropy; its score: what columns are compared by
  double gain = 0.0;  ///< bits per unit of weight, less the price
  double ratio = 0.0;
  double price = 0.0;  ///< of naming the threshold
  std::vector<QuinlanBranch> branches{};
  std::vector<QuinlanCut> curve{};
};

struct QuinlanView {
  std::vector<QuinlanColumnView> columns;
  std::optional<std::size_t> chosen{};
};

/// Columns with a mark in `used` are left out.
[[nodiscard]] QuinlanView watch_quinlan(const EncodedTable& table, const Targets& targets,
                                        const QuinlanSpec& spec, std::span<const QuinlanPart> parts,
                                        std::span<const char> used);

}  // namespace bough

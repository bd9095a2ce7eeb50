// SPDX-License-Identifier: Apache-2.0
// Cuts of a numeric column where the classes change, as many as pay for their description.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace bough {

/// Rows of one value: its code and the class weights of its rows.
struct ValueGroup {
  std::uint32_t code = 0;
  double value = 0.0;
  std::span<const double> classes;
};

/// A cut between two values: x <= threshold stays below; `first_code` is the first code above.
struct MdlCut {
  double threshold = 0.0;
  std::uint32_t first_code = 0;
};

/// The cuts of groups in increasing order of value, by the minimum description length rule of Fayyad and
/// Irani (1993); increasing, possibly none. Cuts beside infinite values are left out.
[[nodiscard]] std::vector<MdlCut> mdl_cuts(std::span<const ValueGroup> groups);

}  // namespace bough

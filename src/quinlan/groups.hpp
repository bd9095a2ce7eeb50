// SPDX-License-Identifier: Apache-2.0
// Values of a category joined into groups.
#pragma once

#include <cstdint>
#include <vector>

#include "quinlan/bags.hpp"

namespace bough {

/// The group of every bag after joining, pair by pair, what raises the gain ratio most, as long as it does
/// not fall and more than two groups are left (C4.5's greedy grouping); groups are numbered by their first
/// bag. `all` is the weight of the node. More than kMostGrouped bags stay as they are.
inline constexpr std::size_t kMostGrouped = 512;
[[nodiscard]] std::vector<std::uint32_t> group_bags(const Bags& bags, double all, double min_branch);

}  // namespace bough

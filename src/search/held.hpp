// SPDX-License-Identifier: Apache-2.0
// The best tree whose leaves all hold some number of cases.
#pragma once

#include "search/deep.hpp"

namespace bough::search {

/// As best_tree(), of the trees whose leaves hold at least `min_cases` cases. A single leaf is always one of them.
Found best_held_tree(const Subset& subset, Limits limits, Cost price, Cost bound, std::int32_t min_cases,
                     Budget& budget);

}  // namespace bough::search

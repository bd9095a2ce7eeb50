// SPDX-License-Identifier: Apache-2.0
// Trees before and after a row is left out, drawn beside each other.
#pragma once

#include <string>

#include "bough/draw.hpp"
#include "bough/study.hpp"

namespace bough {

/// One SVG document: for every changed tree that is kept (at most `most`) the tree of all rows and the
/// changed one, under words that say which rows lead to it and what differs. Node numbers are drawn; large
/// trees are folded.
std::string draw_changes(const LeaveOneOut& result, std::size_t most = 10, Theme theme = Theme::light);

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// C4.5rules, third part: the order of the rules, the default class, and rules that do more harm than good.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/rules.hpp"
#include "rules/bits.hpp"

namespace bough {

/// A rule that was kept.
struct RuleCandidate {
  std::size_t of_class = 0;
  std::vector<std::size_t> tests;  ///< what it is made of, increasing
  Bits covered;
  double weight = 0.0;
  double estimated_error = 1.0;
  NodeId node = -1;
};

/// The rows that rules are ranked on.
struct RankedRows {
  std::span<const std::int32_t> classes;
  std::size_t n_classes = 0;
  RowWeights weights;
};

/// Class weights of the rows that no rule covers; of all rows when none is left.
std::vector<double> rest_of(std::span<const RuleCandidate> rules, const RankedRows& rows);

/// Sorts by estimated error, then by weight covered, then by node; `classes` puts class after class: next
/// always the one whose rules cover the least weight of other classes among the rows that are left.
void rank_rules(std::vector<RuleCandidate>& rules, RuleOrder order, const RankedRows& rows);

/// Removes rules, one at a time, as long as the whole list with its default makes no more mistakes without
/// it.
void polish_rules(std::vector<RuleCandidate>& rules, const RankedRows& rows);

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// Order, default and polishing of rules, by hand.
#include "rules/ranking.hpp"

#include <gtest/gtest.h>

namespace bough {
namespace {

RuleCandidate rule(std::size_t of_class, std::uint64_t rows, double error, NodeId node) {
  return {of_class,   {static_cast<std::size_t>(node)},
          Bits{rows}, static_cast<double>(std::popcount(rows)),
          error,      node};
}

std::vector<NodeId> nodes(const std::vector<RuleCandidate>& rules) {
  std::vector<NodeId> out;
  for (const RuleCandidate& one : rules) out.push_back(one.node);
  return out;
}

// Rows 0-2 are of class 0, rows 3-5 of class 1.
const std::vector<std::int32_t> kClasses{0, 0, 0, 1, 1, 1};
const RankedRows kRows{kClasses, 2, RowWeights({})};

TEST(ranking, the_most_accurate_rule_goes_first_and_then_the_wider_one) {
  std::vector<RuleCandidate> rules{rule(0, 0b000011, 0.3, 1), rule(1, 0b111000, 0.2, 2),
                                   rule(0, 0b000111, 0.3, 3)};
  rank_rules(rules, RuleOrder::accuracy, kRows);
  EXPECT_EQ(nodes(rules), (std::vector<NodeId>{2, 3, 1}));
}

TEST(ranking, classes_go_by_their_false_positives) {
  // Class 0 covers rows 0-3, one of them wrongly; class 1 covers rows 3-5, none wrongly.
  std::vector<RuleCandidate> rules{rule(0, 0b001111, 0.1, 1), rule(1, 0b010000, 0.4, 2),
                                   rule(1, 0b111000, 0.2, 3)};
  rank_rules(rules, RuleOrder::classes, kRows);
  EXPECT_EQ(nodes(rules), (std::vector<NodeId>{3, 2, 1}));
}

TEST(ranking, the_default_is_made_of_the_rows_left_over) {
  const std::vector<RuleCandidate> rules{rule(0, 0b000111, 0.1, 1), rule(1, 0b001000, 0.2, 2)};
  EXPECT_EQ(rest_of(rules, kRows), (std::vector<double>{0.0, 2.0}));
  const std::vector<RuleCandidate> all{rule(0, 0b111111, 0.5, 1)};
  EXPECT_EQ(rest_of(all, kRows), (std::vector<double>{3.0, 3.0}));
}

TEST(ranking, a_rule_that_does_harm_or_nothing_goes) {
  // Node 1 answers rows 0-2 rightly. Node 2 says 0 for rows 3 and 4, both of class 1, which the default would
  // get right. Node 3 says what the default says.
  std::vector<RuleCandidate> rules{rule(0, 0b000111, 0.1, 1), rule(0, 0b011000, 0.4, 2),
                                   rule(1, 0b100000, 0.5, 3)};
  polish_rules(rules, kRows);
  EXPECT_EQ(nodes(rules), (std::vector<NodeId>{1}));
}

}  // namespace
}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// Every engine grows the same tree, bit for bit, as the lists engine, which the oracle tests judge.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <random>
#include <sstream>

#include "bough/model.hpp"
#include "engines/maker.hpp"
#include "engines/random_cases.hpp"

namespace bough {
namespace {

int n_cases() {
  return cases_or(1000, 40);
}

std::string node_words(const Tree& tree, NodeId node) {
  std::ostringstream out;
  out.precision(17);
  out << "kind " << static_cast<int>(tree.kind(node)) << " column " << tree.column(node) << " threshold "
      << tree.threshold(node) << " missing to " << tree.missing_to(node) << " rows " << tree.n_rows(node)
      << " weight " << tree.weight(node) << " impurity " << tree.impurity(node) << " gain "
      << tree.gain(node);
  return out.str();
}

std::string first_difference(const Tree& a, const Tree& b) {
  for (NodeId node = 0; node < std::min(a.n_nodes(), b.n_nodes()); ++node)
    if (node_words(a, node) != node_words(b, node))
      return "\nnode " + std::to_string(node) + ": " + node_words(a, node) + "\ninstead of " +
             node_words(b, node);
  return "\nno node differs in the common part";
}

// In parts, which run side by side.
constexpr int kParts = 5;
class EveryEngine : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Parts, EveryEngine, testing::Range(0, kParts));

TEST_P(EveryEngine, gives_the_same_tree_bit_for_bit) {
  const std::uint64_t base = base_seed();
  std::cout << "BOUGH_SEED=" << base << "\n";
  for (int i = GetParam(); i < n_cases(); i += kParts) {
    Maker maker(base + static_cast<std::uint64_t>(i));
    const MadeCase c = maker.make();
    Execution lists;
    lists.engine = "lists";
    const Model expected = fit(c.table, c.spec, c.params, lists);
    for (const char* engine : {"refine", "frugal", "presorted", "sparse", "ranked", "auto"}) {
      Execution execution;
      execution.engine = engine;
      execution.threads = 1 + i % 2;
      const Model model = fit(c.table, c.spec, c.params, execution);
      ASSERT_TRUE(model.tree() == expected.tree())
          << "engine " << engine << ", seed " << base + static_cast<std::uint64_t>(i) << ": " << c.words
          << first_difference(model.tree(), expected.tree());
      ASSERT_EQ(model.to_bytes(), expected.to_bytes());
    }
  }
}

}  // namespace
}  // namespace bough

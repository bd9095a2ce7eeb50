// SPDX-License-Identifier: Apache-2.0
// The page lays trees out by itself; both it and the library are held to tests/report/layouts.json.
// BOUGH_UPDATE=1 writes the file anew, from this library.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "bough/draw.hpp"

namespace bough {
namespace {

using Json = nlohmann::json;
constexpr const char* kFile = "tests/report/layouts.json";

// Middles of boxes whose neighbours stand one unit apart, the leftmost at 0.
std::vector<double> positions(const std::vector<std::int32_t>& parents) {
  const std::vector<double> widths(parents.size(), 0.5);
  std::vector<double> x = lay_out(parents, widths, {.siblings = 0.5, .cousins = 0.5}).x;
  for (double& middle : x) middle -= 0.25;
  return x;
}

// A preorder: every box hangs below one of the way to the box before it.
std::vector<std::int32_t> random_tree(std::mt19937& draw, std::int32_t n, int bushiness) {
  std::vector<std::int32_t> parents{-1};
  for (std::int32_t i = 1; i < n; ++i) {
    std::int32_t at = i - 1;
    while (parents[static_cast<std::size_t>(at)] >= 0 && static_cast<int>(draw() % 10) < bushiness)
      at = parents[static_cast<std::size_t>(at)];
    parents.push_back(at);
  }
  return parents;
}

void write_layouts() {
  std::mt19937 draw(11);
  Json all = Json::array();
  for (int round = 0; round < 30; ++round) {
    const auto parents = random_tree(draw, 1 + static_cast<std::int32_t>(draw() % 60), 2 + round % 7);
    all.push_back({{"parents", parents}, {"x", positions(parents)}});
  }
  std::ofstream(kFile) << all.dump() << '\n';
}

TEST(Layouts, are_those_that_the_page_is_held_to) {
  if (std::getenv("BOUGH_UPDATE") != nullptr) write_layouts();
  std::ifstream file(kFile);
  ASSERT_TRUE(file) << kFile;
  const Json all = Json::parse(file);
  EXPECT_GE(all.size(), 30U);
  for (const Json& kept : all) {
    const auto wanted = kept["x"].get<std::vector<double>>();
    const std::vector<double> x = positions(kept["parents"].get<std::vector<std::int32_t>>());
    ASSERT_EQ(x.size(), wanted.size());
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], wanted[i], 1e-9);
  }
}

}  // namespace
}  // namespace bough

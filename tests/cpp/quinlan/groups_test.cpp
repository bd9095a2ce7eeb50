// SPDX-License-Identifier: Apache-2.0
// Values joined into groups.
#include "quinlan/groups.hpp"

#include <gtest/gtest.h>

#include <random>

#include "quinlan/support.hpp"

namespace bough {
namespace {

using namespace quinlan;

Bags joined(const Bags& bags, const std::vector<std::uint32_t>& group) {
  Bags out(*std::max_element(group.begin(), group.end()) + std::size_t{1}, bags.n_classes());
  for (std::size_t b = 0; b < bags.size(); ++b)
    for (std::size_t c = 0; c < bags.n_classes(); ++c) out.add(group[b], c, bags.classes(b)[c]);
  return out;
}

double ratio(const Bags& bags, double all) {
  return bags.decrease() / bags.spread(all);
}

TEST(Groups, values_of_the_same_classes_are_joined) {
  Bags bags(4, 2);
  bags.add(0, 0, 5);
  bags.add(1, 1, 5);
  bags.add(2, 0, 3);
  bags.add(3, 1, 2);
  EXPECT_EQ(group_bags(bags, 15, 2), (std::vector<std::uint32_t>{0, 1, 0, 1}));
}

// Whatever is returned: its ratio is not below that of single values, and no further pair can be joined for
// more.
TEST(Groups, joining_stops_where_no_pair_raises_the_ratio) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 3 + random() % 7, k = 2 + random() % 3;
    Bags bags(n, k);
    for (std::size_t b = 0; b < n; ++b)
      for (std::size_t c = 0; c < k; ++c)
        bags.add(b, c, static_cast<double>(random() % 9) + (c == 0 ? 1.0 : 0.0));
    const double all = bags.known() + static_cast<double>(random() % 3);
    const std::vector<std::uint32_t> group = group_bags(bags, all, 1.0);
    const Bags now = joined(bags, group);
    EXPECT_GE(ratio(now, all), ratio(bags, all) - 1e-9);
    if (now.size() == 2) continue;
    for (std::size_t a = 0; a < now.size(); ++a)
      for (std::size_t b = a + 1; b < now.size(); ++b) {
        Bags next = now;
        next.join(a, b);
        EXPECT_LE(ratio(next, all), ratio(now, all) + 1e-9);
      }
  }
}

TEST(Groups, a_grouped_split_sends_each_group_to_one_branch) {
  std::string text = "colour,class\n";
  for (int i = 0; i < 24; ++i)
    text += fmt::format("{},{}\n", std::array{"blue", "cyan", "red", "rose"}[static_cast<std::size_t>(i % 4)],
                        i % 4 < 2 ? "cold" : "warm");
  const Model model = grow(text, "class", params_of("c45", {{"category_branches", "grouped"}}));
  EXPECT_EQ(model.tree().n_leaves(), 2);
  EXPECT_EQ(model.predict_labels(parse_table("colour\nblue\ncyan\nred\nrose\n")),
            (std::vector<std::string>{"cold", "cold", "warm", "warm"}));
}

}  // namespace
}  // namespace bough

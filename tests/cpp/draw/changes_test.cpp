// SPDX-License-Identifier: Apache-2.0
// Trees before and after a row is left out, as one document.
#include "bough/changes.hpp"

#include <gtest/gtest.h>

namespace bough {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

LeaveOneOut left_out(const std::vector<double>& x, const std::vector<std::string>& y) {
  Table table;
  table.add("<b>&\"", std::span<const double>(x));
  table.add("y", std::span<const std::string>(y));
  FitSpec spec;
  spec.targets = {"y"};
  return leave_one_out(fit(table, spec), table);
}

TEST(Changes, every_changed_tree_stands_beside_the_tree_of_all_rows) {
  const LeaveOneOut result = left_out({1, 2, 3, 4, 5}, {"no", "no", "yes", "</script>", "yes"});
  ASSERT_GE(result.changed.size(), 3u);
  const std::string all = draw_changes(result);
  EXPECT_EQ(count(all, "<svg "), 1 + 2 * result.changed.size());
  EXPECT_EQ(count(all, "</svg>"), count(all, "<svg "));
  EXPECT_EQ(count(all, "</script>"), 0u);
  EXPECT_EQ(count(all, "<b>"), 0u);
  EXPECT_EQ(count(draw_changes(result, 1), "<svg "), 3u);
}

TEST(Changes, a_tree_that_no_row_changes_stands_alone) {
  const LeaveOneOut result = left_out({1, 1, 1}, {"a", "a", "a"});
  EXPECT_TRUE(result.changed.empty());
  EXPECT_EQ(count(draw_changes(result), "<svg "), 2u);
}

}  // namespace
}  // namespace bough

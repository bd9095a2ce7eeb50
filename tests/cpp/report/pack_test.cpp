// SPDX-License-Identifier: Apache-2.0
// Columns of numbers and names on their way into a page.
#include "report/pack.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "report/unpacked.hpp"

namespace bough {
namespace {

using testing::unpacked;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Pack, the_narrowest_exact_type_is_taken) {
  Pack pack;
  pack.add("small", std::vector<double>{-128, 0, 127});
  pack.add("short", std::vector<double>{-129, 5});
  pack.add("whole", std::vector<double>{1e9});
  pack.add("half", std::vector<double>{0.5, kNaN, kInfinity});
  pack.add("tenth", std::vector<double>{0.1});
  pack.add("large", std::vector<double>{1e300});
  pack.add("zero", std::vector<double>{-0.0});
  pack.add("none", std::vector<double>{});
  const std::vector<std::string> wanted{"i8", "i16", "i32", "f32", "f64", "f64", "f32", "i8"};
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(pack.columns()[i][1], wanted[i]) << i;
}

TEST(Pack, what_goes_in_comes_out) {
  Pack pack;
  const std::vector<double> odd{1, 2, 3};  // 3 bytes: the next column begins at the next multiple of 8
  const std::vector<double> fine{0.1, -1e-300, kInfinity, -0.0};
  pack.add("odd", odd);
  pack.add("fine", fine);
  pack.add("missing", std::vector<double>{kNaN, 2.0});
  const auto columns = unpacked(pack.columns(), pack.text());
  EXPECT_EQ(columns.at("odd"), odd);
  EXPECT_EQ(columns.at("fine"), fine);
  EXPECT_TRUE(std::signbit(columns.at("fine")[3]));
  EXPECT_TRUE(std::isnan(columns.at("missing")[0]));
  EXPECT_EQ(columns.at("missing")[1], 2.0);
}

TEST(Pack, names_cannot_end_their_script_and_stay_what_they_are) {
  const std::string evil = "</script><script>alert('&')</script><!-- \u2028\n\"\\";
  const std::string text = script_json({{"name", evil}});
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos) << text;
  EXPECT_EQ(Json::parse(text)["name"], evil);
  EXPECT_EQ(Json::parse(script_json(Json("a\xFFz"))), "a\uFFFDz");
}

TEST(Pack, a_title_is_text) {
  EXPECT_EQ(html_text("<b a='1' c=\"2\">&\n"), "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp; ");
}

}  // namespace
}  // namespace bough

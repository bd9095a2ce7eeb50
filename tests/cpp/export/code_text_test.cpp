// SPDX-License-Identifier: Apache-2.0
// Numbers and names as source code.
#include "export/code_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "bough/error.hpp"
#include "export/code_tables.hpp"

namespace bough {
namespace {

TEST(CodeText, numbers_keep_a_point_or_an_exponent) {
  EXPECT_EQ(double_literal(3.0), "3.0");
  EXPECT_EQ(double_literal(-0.0), "-0.0");
  EXPECT_EQ(double_literal(0.1), "0.1");
  EXPECT_EQ(double_literal(1e22), "1e+22");
  EXPECT_EQ(double_literal(5e-324), "5e-324");
  EXPECT_EQ(float_literal(0.1F), "0.1f");
}

TEST(CodeText, strings_hold_nothing_that_ends_them) {
  EXPECT_EQ(c_string("a\"b\\c\n?\?/\xc3\xa9"), R"("a\"b\\c\012\?\?/\303\251")");
  EXPECT_EQ(python_string("a\"b\\c\n\xc3\xa9\xf0\x9f\x8c\xb3\xff"),
            R"("a\"b\\c\u000a\u00e9\U0001f333\udcff")");
  EXPECT_EQ(comment_text("a*/b/*c"), "a* /b/ *c");
  EXPECT_EQ(comment_text("x?\?/"), "x? ?/");
  EXPECT_EQ(comment_text("end\\").back(), ' ');
}

TEST(CodeText, identifiers_are_unique_whatever_the_names) {
  Identifiers names;
  EXPECT_EQ(names.make("a b", "x"), "a_b");
  EXPECT_EQ(names.make("a_b", "x"), "a_b_2");
  EXPECT_EQ(names.make("a-b", "x"), "a_b_3");
  EXPECT_EQ(names.make("a_b_2", "x"), "a_b_2_2");
  EXPECT_EQ(names.make("\xc3\xa9", "x"), "x");
  EXPECT_EQ(names.make("", "x"), "x_2");
  EXPECT_EQ(names.make(std::string(100, 'q'), "x").size(), 40U);
}

TEST(CodeText, a_prefix_is_a_name_and_no_keyword) {
  EXPECT_NO_THROW(check_identifier("churn_2"));
  for (const char* wrong : {"", "2x", "a b", "class", "def", "_x", "\xc3\xa9"})
    EXPECT_THROW(check_identifier(wrong), Error) << wrong;
}

// The definition: the largest float that is not above the number.
TEST(CodeTables, rounding_down_keeps_every_comparison_of_floats) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-46.0, 39.0);
  for (int i = 0; i < 20'000; ++i) {
    const double value = (i % 2 == 0 ? 1.0 : -1.0) * std::pow(10.0, exponent(random));
    const float below = float_below(value);
    EXPECT_LE(static_cast<double>(below), value);
    const float above = std::nextafter(below, std::numeric_limits<float>::infinity());
    if (std::isfinite(below)) {
      EXPECT_GT(static_cast<double>(above), value);
    }
  }
  EXPECT_EQ(float_below(1e300), std::numeric_limits<float>::max());
  EXPECT_EQ(float_below(-1e300), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(float_below(std::numeric_limits<double>::infinity()), std::numeric_limits<float>::infinity());
}

}  // namespace
}  // namespace bough

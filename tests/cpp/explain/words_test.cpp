// SPDX-License-Identifier: Apache-2.0
// Names, numbers and shares on one line.
#include "explain/words.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace bough {
namespace {

TEST(Words, plain_names_stay_and_unclear_ones_get_quotes) {
  EXPECT_EQ(shown_name("petal length"), "petal length");
  EXPECT_EQ(shown_name("größe"), "größe");
  EXPECT_EQ(shown_name("日本 <b> & \\ 'x'"), "日本 <b> & \\ 'x'");
  EXPECT_EQ(shown_name(""), "\"\"");
  EXPECT_EQ(shown_name(" a"), "\" a\"");
  EXPECT_EQ(shown_name("a, b"), "\"a, b\"");
  EXPECT_EQ(shown_name("say \"hi\" \\"), R"("say \"hi\" \\")");
}

TEST(Words, signs_that_would_break_a_line_or_steer_a_terminal_are_escaped) {
  EXPECT_EQ(shown_name("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(shown_name("\x1b[31mred"), "\\u001b[31mred");
  EXPECT_EQ(shown_name(std::string_view("nul\0x", 5)), "nul\\u0000x");
  EXPECT_EQ(shown_name("\u009b"
                       "31m"),
            "\\u009b31m");
  EXPECT_EQ(shown_name("a\u202Eb"), "a\\u202eb");
  EXPECT_EQ(shown_name("a\u2028b"), "a\\u2028b");
  EXPECT_EQ(shown_name("\x7f"), "\\u007f");
}

TEST(Words, broken_utf8_becomes_the_replacement_sign) {
  EXPECT_EQ(shown_name("a\xff"
                       "b"),
            "a\uFFFDb");
  EXPECT_EQ(shown_name("\xc3"), "\uFFFD");
  EXPECT_EQ(shown_name("\xe2\x82"), "\uFFFD\uFFFD");
  EXPECT_EQ(shown_name("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
  EXPECT_EQ(shown_name("\xf0\x9f\x8c\xb3"), "🌳");
}

TEST(Words, numbers_keep_their_whole_part_and_lose_noise) {
  EXPECT_EQ(shown_number(2.449999988079071), "2.45");
  EXPECT_EQ(shown_number(2.449999988079071, 0), "2.449999988079071");
  EXPECT_EQ(shown_number(1234567.5), "1,234,567.5");
  EXPECT_EQ(shown_number(-20260131.0), "-20,260,131");
  EXPECT_EQ(shown_number(9999.5), "9999.5");
  EXPECT_EQ(plain_number(1234567.5), "1234567.5");
  EXPECT_EQ(shown_number(1234567.5, 0), "1234567.5");
  EXPECT_EQ(shown_number(-0.0), "0");
  EXPECT_EQ(shown_number(1e20), "1e+20");
  EXPECT_EQ(shown_number(-3.0), "-3");
  EXPECT_EQ(shown_number(1.0 / 3.0, 3), "0.333");
  EXPECT_EQ(shown_number(std::numeric_limits<double>::infinity()), "inf");
}

TEST(Words, only_all_is_a_hundred_percent) {
  EXPECT_EQ(shown_share(1.0), "100%");
  EXPECT_EQ(shown_share(0.0), "0%");
  EXPECT_EQ(shown_share(1.0 / 3.0), "33.3%");
  EXPECT_EQ(shown_share(0.5), "50%");
  EXPECT_EQ(shown_share(0.99999), ">99.9%");
  EXPECT_EQ(shown_share(0.00001), "<0.1%");
}

TEST(Words, counts_know_the_plural_and_long_lists_are_cut) {
  EXPECT_EQ(shown_count(1, "row"), "1 row");
  EXPECT_EQ(shown_count(0, "row"), "0 rows");
  const std::vector<std::string> names{"a", "b", "c", "d", "e", "f"};
  EXPECT_EQ(shown_list(names, std::vector<std::uint32_t>{0, 1, 2, 3, 4}, 5), "a, b, c, d, e");
  EXPECT_EQ(shown_list(names, std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}, 5), "a, b, c and 3 more");
}

}  // namespace
}  // namespace bough

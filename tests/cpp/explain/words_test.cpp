// SPDX-License-Identifier: Apache-2.0
// Names, numbers and shares on one line.
#include "explain/words.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
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

TEST(Words, thresholds_between_short_numbers_are_printed_whole) {
  EXPECT_EQ(shown_cut((1000.1201 + 1000.1216) / 2), "1000.12085");
  EXPECT_EQ(shown_cut(2.45), "2.45");
  EXPECT_EQ(shown_cut((2.4 + 2.5) / 2), "2.45");
  EXPECT_EQ(shown_cut((0.1 + 0.2) / 2), "0.15");  // as a double 0.15000000000000002
  EXPECT_EQ(shown_cut((-99.7 + 100.1) / 2), "0.2");
  EXPECT_EQ(shown_cut(17715.242), "17,715.242");
  EXPECT_EQ(shown_cut(1000000.125), "1,000,000.125");  // between 1000000.12 and 1000000.13
  EXPECT_EQ(shown_cut(1e12 + 503.5), "1,000,000,000,503.5");
  EXPECT_EQ(shown_cut(5.04818123e-10), "5.04818123e-10");
  EXPECT_EQ(shown_cut(-0.694583500000000026), "-0.6945835");
  EXPECT_EQ(shown_cut(0.0), "0");
  EXPECT_EQ(shown_cut(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(shown_cut(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(shown_cut(1000.12085, 3), "1000.12085");
  EXPECT_EQ(shown_cut(1234567.5, 0), "1234567.5");
}

TEST(Words, thresholds_between_computed_numbers_have_eight_digits) {
  EXPECT_EQ(shown_cut(1.0 / 3.0), "0.33333333");
  EXPECT_EQ(shown_cut(20000.0 / 3.0), "6666.6667");
  EXPECT_EQ(shown_cut(200000.0 / 3.0), "66,666.667");
  EXPECT_EQ(shown_cut(1.0 / 3.0, 12), "0.333333333333");
}

// Between two neighbours of single precision, too.
TEST(Words, thresholds_between_numbers_of_single_precision_have_theirs) {
  EXPECT_EQ(shown_cut((static_cast<double>(2.4F) + 2.5F) / 2), "2.45");
  EXPECT_EQ(shown_cut(0.1F), "0.1");
  EXPECT_EQ(shown_cut((static_cast<double>(1.9F) + 3.0F) / 2), "2.45");
  // The next smaller and larger one of a power of 2, which lie unequally far from it.
  const float least = std::nextafter(2.0F, 0.0F), most = std::nextafter(2.0F, 3.0F);
  const double middle = (static_cast<double>(least) + most) / 2;
  EXPECT_LE(least, std::stod(plain_number(middle, cut_digits(middle))));
  EXPECT_LT(std::stod(plain_number(middle, cut_digits(middle))), most);
  float low = 0.7F;
  for (int i = 0; i < 2000; ++i, low = std::nextafter(low * 1.013F, 1e30F)) {
    const float high = std::nextafter(low, 1e38F);
    const double cut = (static_cast<double>(low) + high) / 2;
    const double printed = std::stod(plain_number(cut, cut_digits(cut)));
    EXPECT_LE(low, printed) << cut;
    EXPECT_LT(printed, high) << cut;
  }
}

// Cells of up to nine digits, near each other and far apart: the printed threshold lies between them.
TEST(Words, a_printed_threshold_separates_the_cells_that_the_real_one_separates) {
  std::uint64_t state = 7;
  const auto draw = [&](std::uint64_t n) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (state >> 33U) % n;
  };
  for (int i = 0; i < 20000; ++i) {
    const int digits = 1 + static_cast<int>(draw(9)), places = static_cast<int>(draw(15)) - 3;
    const auto most = static_cast<std::uint64_t>(std::pow(10.0, digits));
    const auto cell = [&](std::uint64_t whole) {
      return std::stod(std::to_string(whole) + "e" + std::to_string(-places));
    };
    const std::uint64_t first = draw(most);
    const double low = cell(first), high = cell(first + 1 + (draw(2) == 0 ? 0 : draw(most)));
    const double cut = low + (high - low) / 2;
    const std::string text = plain_number(cut, cut_digits(cut));
    EXPECT_LE(low, std::stod(text)) << low << ' ' << high;
    EXPECT_LT(std::stod(text), high) << low << ' ' << high;
  }
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

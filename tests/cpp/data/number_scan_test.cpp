// SPDX-License-Identifier: Apache-2.0
// Tests of the fast number scanner against strtod.
#include "data/number_scan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

namespace bough {
namespace {

ScannedNumber scan(const std::string& text) {
  return scan_number(text.c_str(), text.c_str() + text.size());
}

TEST(NumberScan, agrees_with_strtod_bit_for_bit) {
  std::mt19937_64 random(20240607);
  for (int i = 0; i < 200000; ++i) {
    std::string text;
    const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
    if (pick(3) == 0) text += '-';
    const int whole = pick(20);
    for (int k = 0; k < whole; ++k) text += static_cast<char>('0' + pick(10));
    text += '.';
    const int decimals = 1 + pick(20);
    for (int k = 0; k < decimals; ++k) text += static_cast<char>('0' + pick(10));
    if (pick(4) == 0) text.append("e").append(std::to_string(pick(60) - 30));
    const ScannedNumber number = scan(text);
    const double expected = std::strtod(text.c_str(), nullptr);
    ASSERT_NE(number.end, nullptr) << text;
    ASSERT_EQ(*number.end, '\0') << text;
    ASSERT_EQ(number.value, expected) << text;
  }
}

TEST(NumberScan, whole_numbers_are_told_from_others) {
  EXPECT_TRUE(scan("42").whole);
  EXPECT_TRUE(scan("-0").whole);
  EXPECT_FALSE(std::signbit(scan("-0").value));
  EXPECT_FALSE(scan("42.0").whole);
  EXPECT_FALSE(scan("4e2").whole);
  EXPECT_TRUE(scan("4e2").letter);
  for (const char* text : {"42", "4.0e2", "-4e2", "4e-2", "4e+2"}) EXPECT_FALSE(scan(text).letter) << text;
  EXPECT_EQ(scan("9007199254740992").value, 9007199254740992.0);
  EXPECT_TRUE(scan("9007199254740992").whole);
}

TEST(NumberScan, what_is_not_simple_is_left_to_others) {
  for (const char* text :
       {"", "-", ".", "-.", "x", "9007199254740993", "123456789012345678901", "1e999", "+1"})
    EXPECT_EQ(scan(text).end, nullptr) << text;
}

TEST(NumberScan, stops_behind_the_number) {
  EXPECT_STREQ(scan("12,5").end, ",5");
  EXPECT_STREQ(scan("1.2.3").end, ".3");
  EXPECT_STREQ(scan("7abc").end, "abc");
  EXPECT_STREQ(scan(".5 ").end, " ");
}

}  // namespace
}  // namespace bough

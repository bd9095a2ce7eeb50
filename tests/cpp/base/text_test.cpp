// SPDX-License-Identifier: Apache-2.0
// Numbers as text and back, lists, near names.
#include "base/text.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>

#include "bough/parse_double.hpp"

namespace bough {
namespace {

TEST(Text, numbers_are_shortest_and_read_back_the_same) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(3.0), "3");
  EXPECT_EQ(number_text(-2.5), "-2.5");
  EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(number_text(std::nan("")), "nan");
  std::mt19937_64 engine(1);
  for (int i = 0; i < 20000; ++i) {
    const double x = std::bit_cast<double>(engine());
    if (!std::isfinite(x)) continue;
    EXPECT_EQ(parse_number(number_text(x)), x);
  }
}

TEST(Text, digits_limit_the_precision) {
  EXPECT_EQ(number_text(3.14159, 3), "3.14");
  EXPECT_EQ(number_text(2.0, 6), "2");
}

TEST(Text, only_whole_texts_are_numbers) {
  EXPECT_EQ(parse_number("+1.5"), 1.5);
  EXPECT_EQ(parse_number("+-7"), std::nullopt);
  EXPECT_EQ(parse_integer("+-7"), std::nullopt);
  EXPECT_EQ(parse_number("1e3"), 1000.0);
  EXPECT_EQ(parse_number("inf"), std::numeric_limits<double>::infinity());
  for (const char* text : {"", " ", "1 2", "1x", "x", "--1", "+", "1,5"})
    EXPECT_FALSE(parse_number(text)) << text;
  EXPECT_EQ(parse_integer("-42"), -42);
  for (const char* text : {"", "1.0", "9223372036854775808", "a"}) EXPECT_FALSE(parse_integer(text)) << text;
}

TEST(Text, a_number_that_no_double_is_near_is_infinite_or_0) {
  const double inf = std::numeric_limits<double>::infinity();
  const std::string many(400, '1'), zeros(400, '0');
  for (const std::string& text : std::vector<std::string>{"1e999", many, many + ".5", many + "e-90",
                                                          "0.001e400", "1E+400", "9e99999999999999999999"}) {
    EXPECT_EQ(parse_number(text), inf) << text;
    EXPECT_EQ(parse_number("-" + text), -inf) << text;
  }
  for (const std::string& text : std::vector<std::string>{"1e-400", "0." + zeros + "1", "." + zeros + "1e50",
                                                          "1000e-400", "1E-99999999999999999999"})
    EXPECT_EQ(parse_number(text), 0.0) << text;
  EXPECT_EQ(parse_number(many + "e-400"), parse_number("0." + many));
  EXPECT_EQ(parse_number("0." + zeros + "1e401"), 1.0);
}

TEST(Text, long_lists_are_cut) {
  const std::vector<std::string> names{"a", "b", "c", "d"};
  EXPECT_EQ(list_some(names, 4), "a, b, c, d");
  EXPECT_EQ(list_some(names, 2), "a, b and 2 more");
  EXPECT_EQ(join(names, "-"), "a-b-c-d");
  EXPECT_EQ(trim(" \t x y\n"), "x y");
  EXPECT_EQ(split_text("a,,b", ',').size(), 3U);
}

TEST(Text, a_slip_of_the_pen_finds_the_name_and_nonsense_finds_none) {
  const std::vector<std::string> names{"age", "income", "education"};
  EXPECT_EQ(nearest_name("incme", names), "income");
  EXPECT_EQ(nearest_name("Age", names), "age");
  EXPECT_EQ(nearest_name("zzzzzzzz", names), "");
}

#if defined(__cpp_lib_to_chars)
// libc++ has no std::from_chars for doubles; what stands in for it must read the same.
TEST(Text, strtod_reads_what_from_chars_reads) {
  const auto expect_same = [](const std::string& text) {
    const char* const first = text.data();
    const char* const last = first + text.size();
    double wanted = 7.0, found = 7.0;
    const auto [wanted_end, wanted_status] = std::from_chars(first, last, wanted);
    const auto [end, status] = parse_double_by_strtod(first, last, found);
    EXPECT_EQ(end - first, wanted_end - first) << text;
    EXPECT_EQ(status, wanted_status) << text;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(found), std::bit_cast<std::uint64_t>(wanted)) << text;
  };
  for (const char* text : {"",
                           "-",
                           "+1",
                           " 1",
                           "1 ",
                           ".",
                           "-.",
                           ".5",
                           "5.",
                           "-0",
                           "0.0e5",
                           "1e",
                           "1e+",
                           "1e-x",
                           "1.5E3rest",
                           "0x10",
                           "1,5",
                           "inf",
                           "-INF",
                           "infinity",
                           "infinit",
                           "nan",
                           "-nan",
                           "in",
                           "1e400",
                           "-1e400",
                           "1e-400",
                           "0e-400",
                           "4.9e-324",
                           "2e-324",
                           "2.2250738585072011e-308",
                           "9007199254740993",
                           "1e23",
                           "123456789012345678901234567890.5e-10"})
    expect_same(text);
  std::mt19937_64 engine(2);
  for (int i = 0; i < 5000; ++i) expect_same(number_text(std::bit_cast<double>(engine())));
}
#endif

}  // namespace
}  // namespace bough

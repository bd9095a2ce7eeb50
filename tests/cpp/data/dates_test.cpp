// SPDX-License-Identifier: Apache-2.0
// Days as dates and back.
#include "data/dates.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bough {
namespace {

TEST(dates, days_are_dates_of_as_few_parts_as_tell_them) {
  EXPECT_EQ(date_text(0.0), "1970-01-01");
  EXPECT_EQ(date_text(-1.0), "1969-12-31");
  EXPECT_EQ(date_text(18321.5), "2020-02-29 12:00");
  EXPECT_EQ(date_text(-0.25), "1969-12-31 18:00");
  EXPECT_EQ(date_text(1.0 / 86400.0), "1970-01-01 00:00:01");
  EXPECT_EQ(date_text(*parse_date("2024-02-29T23:59:59.5Z")), "2024-02-29 23:59:59.500");
}

TEST(dates, what_is_shown_is_read_as_the_same_number) {
  for (const char* text :
       {"0000-01-01", "9999-12-31", "1600-02-29", "2013-01-31 05:07", "2013-01-31 05:07:09"}) {
    const auto days = parse_date(text);
    ASSERT_TRUE(days) << text;
    EXPECT_EQ(date_text(*days), text);
  }
}

TEST(dates, other_numbers_are_no_dates) {
  for (const double days : {-719'529.0, 2'932'896.5 + 1.0, HUGE_VAL, -HUGE_VAL, std::nan("")})
    EXPECT_FALSE(date_text(days)) << days;
}

}  // namespace
}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// The JSON value: what it writes and reads is what nlohmann's writes and reads.
#include "bough/json.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

namespace bough {
namespace {

using Judge = nlohmann::ordered_json;

TEST(Json, texts_come_out_as_the_judge_writes_them) {
  for (
      const char* text :
      {"null", "[]", "{}", "[[],{}]", "-0", "-0.0", "18446744073709551615", "-9223372036854775808", "1e5",
       "0.1",
       R"({"b": 1, "a": [true, false, null, "x\"\\\n\t\u0001\u00e9\ud834\udd1e"], "c": {"d": -3, "e": 2.50}})",
       R"({"twice": 1, "once": 2, "twice": [3]})"}) {
    for (const int indent : {-1, 0, 2})
      EXPECT_EQ(Json::parse(text).dump(indent), Judge::parse(text).dump(indent)) << text;
    EXPECT_EQ(Json::sorted(Json::parse(text)).dump(), nlohmann::json::parse(text).dump()) << text;
  }
}

TEST(Json, numbers_have_the_judges_digits) {
  std::mt19937_64 draw(7);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t bits = draw();
    double value = 0.0;
    static_assert(sizeof value == sizeof bits);
    std::memcpy(&value, &bits, sizeof value);
    EXPECT_EQ(Json(value).dump(), Judge(value).dump());
  }
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).dump(), "null");
}

TEST(Json, braces_mean_what_they_mean_to_the_judge) {
  EXPECT_EQ((Json{{"a", 1}, {"b", {1, 2.5, "x"}}, {"c", {{"d", nullptr}}}}.dump()),
            (Judge{{"a", 1}, {"b", {1, 2.5, "x"}}, {"c", {{"d", nullptr}}}}.dump()));
  EXPECT_EQ((Json{1, "two", true}.dump()), R"([1,"two",true])");
  EXPECT_EQ(Json::array({{"a", 1}}).dump(), R"([["a",1]])");
  EXPECT_EQ((Json{{"v", std::vector<int>{1, 2}}, {"m", std::map<std::string, double>{{"k", 0.5}}}}.dump()),
            R"({"v":[1,2],"m":{"k":0.5}})");
}

TEST(Json, text_that_is_not_utf8_is_refused_or_replaced) {
  const std::string bad = "a\xFFz";
  EXPECT_THROW(static_cast<void>(Json(bad).dump()), JsonError);
  EXPECT_EQ(Json(bad).dump(-1, Json::BadText::replaced), "\"a\uFFFDz\"");
  EXPECT_EQ(ascii_json("\u00e9\xFF"), R"("\u00e9\ufffd")");
}

TEST(Json, errors_of_syntax_name_the_byte_and_others_none) {
  for (const char* text : {"", "[1,", "{\"a\" 1}", "[1] 2", "nul", "\"\x01\"", "01"}) {
    try {
      static_cast<void>(Json::parse(text));
      ADD_FAILURE() << text;
    } catch (const JsonError& error) {
      try {
        ADD_FAILURE() << Judge::parse(text);
      } catch (const Judge::parse_error& judge) {
        EXPECT_EQ(error.position(), judge.byte) << text;
        EXPECT_STREQ(error.what(), judge.what());
      }
    }
  }
  try {
    static_cast<void>(Json::parse("[1e999]"));
    ADD_FAILURE();
  } catch (const JsonError& error) {
    EXPECT_EQ(error.position(), 0);
  }
}

TEST(Json, values_are_found_and_of_their_type) {
  Json json = Json::parse(R"({"a": [1, -2, 2.5, "x", true], "b": {}})");
  EXPECT_EQ(json["a"].size(), 5);
  EXPECT_EQ(json["a"][0].get<int>(), 1);
  EXPECT_EQ(json["a"][1].get<double>(), -2.0);
  EXPECT_TRUE(json["a"][0].is_number_unsigned() && !json["a"][1].is_number_unsigned());
  EXPECT_TRUE(json["a"][2].is_number_float() && json["a"][3] == "x" && json["a"][4].get<bool>());
  EXPECT_THROW(static_cast<void>(json["a"][3].get<double>()), JsonError);
  EXPECT_THROW(static_cast<void>(json.at("c")), JsonError);
  EXPECT_THROW(static_cast<void>(json["a"].at(5)), JsonError);
  const Json copy = json;
  json["b"]["c"] = 3;
  EXPECT_TRUE(copy["b"].empty());
  EXPECT_EQ(json.value("x", "otherwise"), "otherwise");
}

}  // namespace
}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// Tests of ARFF files.
#include <ctime>

#include "support.hpp"

namespace bough {
namespace {

using namespace test;

Table parse(const std::string& text, ReadOptions options = {}) {
  options.format = "arff";
  return parse_table(text, options);
}

const std::string kWeather = R"(% a comment
@RELATION weather

@attribute outlook {sunny, 'over cast', rainy}  % trailing
@ATTRIBUTE temperature real
@attribute 'wind speed' NUMERIC
@attribute count integer
@attribute note string
@data
% another comment
sunny, 85, 1.5, 3, "it's fine"
'over cast', ?, -2e1, ?, 'a \'quoted\' word'

rainy,70,0,1,?
)";

TEST(Arff, attributes_become_typed_columns) {
  const Table table = parse(kWeather);
  EXPECT_EQ(table.n_rows(), 3);
  EXPECT_EQ(texts_of(table, "outlook"), (Texts{"sunny", "over cast", "rainy"}));
  EXPECT_EQ(texts_of(table, "temperature"), (Texts{"85", "<missing>", "70"}));
  EXPECT_EQ(numbers_of(table, "wind speed"), (Numbers{1.5, -20, 0}));
  EXPECT_EQ(texts_of(table, "count"), (Texts{"3", "<missing>", "1"}));
  EXPECT_EQ(texts_of(table, "note"), (Texts{"it's fine", "a 'quoted' word", "<missing>"}));
}

TEST(Arff, declared_digits_are_text_unless_numbers_are_asked_for) {
  const std::string text = "@relation r\n@attribute a {0,1}\n@attribute b numeric\n@data\n0,5\n1,6\n";
  EXPECT_EQ(type_of(parse(text), "a"), Dtype::text);
  ReadOptions options;
  options.numeric_columns = {"a"};
  options.text_columns = {"b"};
  EXPECT_EQ(numbers_of(parse(text, options), "a"), (Numbers{0, 1}));
  EXPECT_EQ(texts_of(parse(text, options), "b"), (Texts{"5", "6"}));
}

TEST(Arff, a_quoted_question_mark_is_a_value) {
  const Table table = parse("@relation r\n@attribute a {'?',x}\n@data\n'?'\n?\n");
  EXPECT_EQ(texts_of(table, "a"), (Texts{"?", "<missing>"}));
}

TEST(Arff, errors_name_line_and_column) {
  const auto refused = [](const std::string& text) {
    return std::string(error_of([&] { parse(text); }).what());
  };
  const std::string head = "@relation r\n@attribute a {x,y}\n@attribute b real\n@data\n";
  EXPECT_MENTIONS(refused(head + "z,1\n"), "line 5: column \"a\": the value \"z\" is not declared");
  EXPECT_MENTIONS(refused(head + "x,one\n"), "line 5: column \"b\": \"one\" is not a number");
  EXPECT_MENTIONS(refused(head + "x\n"), "line 5: 1 value where 2 are expected");
  EXPECT_MENTIONS(refused(head + "x,1,2\n"), "line 5: more values where 2 are expected");
  EXPECT_MENTIONS(refused(head + "'x,1\n"), "line 5: a quote is opened");
  EXPECT_MENTIONS(refused(head), "no rows");
  EXPECT_MENTIONS(refused("@relation r\n@attribute a {x,y\n@data\n"), "line 2");
  EXPECT_MENTIONS(refused("@relation r\n@attribute a real\n@attribute a real\n@data\n1,2\n"),
                  "\"a\" is declared twice");
  EXPECT_MENTIONS(refused("a,b\n1,2\n"), "line 1");
  EXPECT_MENTIONS(refused("@relation r\n@attribute a real\n"), "no @data");
}

TEST(Arff, a_long_header_takes_time_in_proportion) {
  // Names compared each with each would be 5e9 comparisons, more than ten seconds.
  std::string text = "@relation r\n";
  for (int i = 0; i < 100'000; ++i) text += "@attribute name" + std::to_string(100'000 + i) + " real\n";
  const std::clock_t begun = std::clock();
  const std::string said = error_of([&] { parse(text + "@attribute name150000 real\n@data\n"); }).what();
  EXPECT_LT(std::clock() - begun, 5 * CLOCKS_PER_SEC);
  EXPECT_MENTIONS(said, "line 100002: the attribute \"name150000\" is declared twice");
}

TEST(Arff, dates_and_sparse_rows_are_refused_by_name) {
  const Error date = error_of([] { parse("@relation r\n@attribute d date yyyy\n@data\n2000\n"); });
  EXPECT_EQ(date.code(), ErrorCode::not_supported);
  EXPECT_MENTIONS(std::string(date.what()), "line 2: attribute \"d\" is of type date");
  const Error sparse = error_of([] { parse("@relation r\n@attribute d real\n@data\n{0 1}\n"); });
  EXPECT_EQ(sparse.code(), ErrorCode::not_supported);
  EXPECT_MENTIONS(std::string(sparse.what()), "line 4");
}

}  // namespace
}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// Tests of distinct values and of cells as level indices.
#include "data/levels.hpp"

#include <cmath>

#include "support.hpp"

namespace bough {
namespace {

using namespace test;
using Codes = std::vector<std::int32_t>;

Table text_table(const Texts& cells) {
  Table table;
  table.add("x", std::span<const std::string>(cells));
  return table;
}
Table number_table(const Numbers& cells) {
  Table table;
  table.add("x", std::span<const double>(cells));
  return table;
}
Codes read_levels(const Table& table, const Levels& levels) {
  Codes out(static_cast<std::size_t>(table.n_rows()));
  LevelReader(table.column(0), levels).read(0, out);
  return out;
}

TEST(Levels, text_is_sorted_by_bytes_whatever_its_order_of_appearance) {
  const Levels levels = collect_levels(text_table({"b", "Z", "a", "b", "é"}).column(0));
  EXPECT_EQ(levels.type, Levels::Type::text);
  EXPECT_EQ(levels.names, (Texts{"Z", "a", "b", "é"}));
  EXPECT_TRUE(levels.numbers.empty());
}

TEST(Levels, whole_numbers_are_sorted_by_size) {
  const Levels levels = collect_levels(number_table({10, 9, std::nan(""), -1, 9}).column(0));
  EXPECT_EQ(levels.type, Levels::Type::integer);
  EXPECT_EQ(levels.names, (Texts{"-1", "9", "10"}));
  EXPECT_EQ(levels.numbers, (Numbers{-1, 9, 10}));
}

TEST(Levels, one_broken_number_makes_them_real) {
  const Levels levels = collect_levels(number_table({1, 0.5, -0.0, 0.0}).column(0));
  EXPECT_EQ(levels.type, Levels::Type::real);
  EXPECT_EQ(levels.names, (Texts{"0", "0.5", "1"}));
}

TEST(Levels, integers_that_are_equal_as_doubles_are_one_level) {
  Table table;
  table.add("x", std::vector<std::int64_t>{9007199254740993, 9007199254740992, 5});
  const Levels levels = collect_levels(table.column(0));
  EXPECT_EQ(levels.names, (Texts{"5", "9007199254740992"}));
  EXPECT_EQ(read_levels(table, levels), (Codes{1, 1, 0}));
}

TEST(Levels, many_distinct_numbers_are_found_once_each) {
  Numbers cells;
  for (int i = 0; i < 200000; ++i) cells.push_back((i * 7919) % 100003);
  const Levels levels = collect_levels(number_table(cells).column(0));
  ASSERT_EQ(levels.size(), 100003u);
  EXPECT_EQ(levels.numbers.front(), 0);
  EXPECT_EQ(levels.numbers.back(), 100002);
}

TEST(Levels, unused_dictionary_entries_are_no_levels) {
  Table table;
  table.add("x", Codes{2, 2, -1}, Texts{"a", "b", "c"});
  EXPECT_EQ(collect_levels(table.column(0)).names, (Texts{"c"}));
}

TEST(Levels, booleans_and_sparse_columns_have_levels_too) {
  const Table flags = parse_table("b\ntrue\nfalse\ntrue\n");
  const Levels truth = collect_levels(flags.column(0));
  EXPECT_EQ(truth.type, Levels::Type::boolean);
  EXPECT_EQ(truth.names, (Texts{"false", "true"}));
  EXPECT_EQ(truth.numbers, (Numbers{0, 1}));
  const Numbers values{3};
  const std::vector<std::int64_t> rows{1};
  Table sparse;
  sparse.view(
      "x",
      SparseView{.values = values.data(), .rows = rows.data(), .wide_rows = true, .count = 1, .length = 3});
  EXPECT_EQ(collect_levels(sparse.column(0)).numbers, (Numbers{0, 3}));
  EXPECT_EQ(read_levels(sparse, number_levels({3, 7})), (Codes{kUnseenLevel, 0, kUnseenLevel}));
}

TEST(Levels, text_that_is_not_utf8_is_refused) {
  EXPECT_EQ(error_of([] { collect_levels(text_table({"caf\xE9"}).column(0)); }).code(), ErrorCode::bad_data);
}

TEST(LevelReader, text_is_matched_by_value_in_the_order_of_the_levels) {
  Levels levels;
  levels.names = {"small", "large", "medium"};
  Table table;
  table.add("x", Codes{0, 1, 2, -1}, Texts{"large", "huge", "small"});
  EXPECT_EQ(read_levels(table, levels), (Codes{1, kUnseenLevel, 0, kMissingLevel}));
}

TEST(LevelReader, plain_text_chunks_are_matched_cell_by_cell) {
  const std::vector<std::int32_t> offsets{0, 1, 3, 4};
  const std::uint8_t validity = 0b101;
  ColumnView view;
  view.dtype = Dtype::text;
  view.chunks.push_back(Chunk{.data = offsets.data(), .length = 3, .validity = &validity, .chars = "abbc"});
  Table table;
  table.view("x", view);
  Levels levels;
  levels.names = {"a", "bb"};
  EXPECT_EQ(read_levels(table, levels), (Codes{0, kMissingLevel, kUnseenLevel}));
}

TEST(LevelReader, numbers_match_text_levels_by_their_shortest_text) {
  Levels levels;
  levels.names = {"0.5", "2", "two"};
  EXPECT_EQ(read_levels(number_table({2.0, 0.5, std::nan(""), 3}), levels),
            (Codes{1, 0, kMissingLevel, kUnseenLevel}));
}

TEST(LevelReader, text_matches_numeric_levels_by_number) {
  const Levels levels = number_levels({1, 2.5, 10});
  EXPECT_EQ(read_levels(text_table({"1.0", "10", "02.50", "x", "3"}), levels),
            (Codes{0, 2, 1, kUnseenLevel, kUnseenLevel}));
}

TEST(LevelReader, text_matches_boolean_levels_by_word_and_number) {
  const Levels levels = collect_levels(parse_table("b\ntrue\nfalse\n").column(0));
  EXPECT_EQ(read_levels(text_table({"True", "FALSE", "1", "yes"}), levels), (Codes{1, 0, 1, kUnseenLevel}));
}

TEST(LevelReader, a_later_block_starts_where_it_is_told) {
  const Table table = text_table({"a", "b", "c", "b"});
  Levels levels;
  levels.names = {"a", "b", "c"};
  Codes out(2);
  LevelReader(table.column(0), levels).read(2, out);
  EXPECT_EQ(out, (Codes{2, 1}));
}

}  // namespace
}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// Tests of RowReader: matching by name, blocks of doubles, and what it refuses.
#include <cmath>

#include "data/levels.hpp"
#include "support.hpp"

namespace bough {
namespace {

using namespace test;

Field numeric(const std::string& name) {
  return {name, Kind::numeric, Role::feature, {}};
}
Field category(const std::string& name, const Texts& names) {
  Field field{name, Kind::category, Role::feature, {}};
  field.levels.names = names;
  return field;
}
Field ordinal(const std::string& name, const Texts& names) {
  Field field = category(name, names);
  field.kind = Kind::ordinal;
  return field;
}

TEST(RowReader, columns_come_in_the_order_of_the_model) {
  const Table table = parse_table("extra,size,colour,age\nq,small,red,30\nq,huge,pink,?\nq,?,?,5.5\n");
  const Schema schema{
      {numeric("age"), category("colour", {"blue", "red"}), ordinal("size", {"small", "large"})}};
  const RowReader reader(table, schema);
  EXPECT_EQ(reader.n_rows(), 3);
  EXPECT_EQ(reader.n_columns(), 3u);
  Numbers out(9);
  reader.load(0, 3, out);
  EXPECT_EQ(out[0], 30);
  EXPECT_TRUE(std::isnan(out[1]));
  EXPECT_EQ(out[2], 5.5);
  EXPECT_EQ(out[3], 1);
  EXPECT_EQ(out[4], kUnseenCell);
  EXPECT_TRUE(std::isnan(out[5]));
  EXPECT_EQ(out[6], 0);
  EXPECT_TRUE(std::isnan(out[7]));  // an ordinal value that the model does not know
  EXPECT_TRUE(std::isnan(out[8]));
  Numbers last(3);
  reader.load(2, 1, last);
  EXPECT_EQ(last[0], 5.5);
}

TEST(RowReader, blocks_longer_than_its_own_pieces_are_whole) {
  Texts cells;
  for (int i = 0; i < 3000; ++i) cells.push_back(i % 3 == 0 ? "a" : "b");
  Table table;
  table.add("c", std::span<const std::string>(cells));
  const Schema schema{{category("c", {"a", "b"})}};
  Numbers out(3000);
  RowReader(table, schema).load(0, 3000, out);
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], i % 3 == 0 ? 0 : 1) << i;
}

TEST(RowReader, every_absent_column_is_named_with_a_guess) {
  const Table table = parse_table("agee,colour\n1,red\n");
  const Schema schema{{numeric("age"), numeric("height"), category("colour", {"red"})}};
  const Error error = error_of([&] { RowReader(table, schema); });
  EXPECT_EQ(error.code(), ErrorCode::bad_data);
  EXPECT_MENTIONS(std::string(error.what()), "\"age\" (is it \"agee\"?)");
  EXPECT_MENTIONS(std::string(error.what()), "\"height\"");
  EXPECT_FALSE(error.hint().empty());
}

TEST(RowReader, text_for_a_numeric_column_names_the_first_row) {
  const Table table = parse_table("a,b\n?,x\nfoo,y\n3,z\n");
  const Schema schema{{numeric("a"), numeric("b")}};
  const Error error = error_of([&] { RowReader(table, schema); });
  EXPECT_MENTIONS(std::string(error.what()), "\"a\"");
  EXPECT_MENTIONS(std::string(error.what()), "row 2: \"foo\"");
  EXPECT_MENTIONS(std::string(error.what()), "\"b\"");
  EXPECT_MENTIONS(std::string(error.what()), "row 1: \"x\"");
}

TEST(RowReader, text_that_looks_like_numbers_is_still_refused) {
  Table table;
  table.add("a", Texts{"1", "2"});
  const Schema schema{{numeric("a")}};
  const Error error = error_of([&] { RowReader(table, schema); });
  EXPECT_MENTIONS(std::string(error.what()), "row 1: \"1\"");
  EXPECT_MENTIONS(error.hint(), "as numbers");
}

TEST(RowReader, a_text_column_without_a_single_cell_counts_as_missing_numbers) {
  Table table;
  table.add("a", std::vector<std::int32_t>{-1, -1}, Texts{});
  const Schema schema{{numeric("a")}};
  Numbers out(2);
  RowReader(table, schema).load(0, 2, out);
  EXPECT_TRUE(std::isnan(out[0]) && std::isnan(out[1]));
}

TEST(RowReader, numbers_for_text_levels_are_refused_unless_a_level_looks_like_one) {
  const Table table = parse_table("c\n1\n2\n");
  const Schema words{{category("c", {"blue", "red"})}};
  const Error error = error_of([&] { RowReader(table, words); });
  EXPECT_MENTIONS(std::string(error.what()), "\"c\" must hold text (blue, red)");
  const Schema mixed{{category("c", {"2", "A"})}};
  Numbers out(2);
  RowReader(table, mixed).load(0, 2, out);
  EXPECT_EQ(out, (Numbers{kUnseenCell, 0}));
}

TEST(RowReader, a_column_of_missing_numbers_fits_any_field) {
  const Table table = parse_table("c,d\n?,1\n?,2\n");
  const Schema schema{{category("c", {"blue", "red"})}};
  Numbers out(2);
  RowReader(table, schema).load(0, 2, out);
  EXPECT_TRUE(std::isnan(out[0]) && std::isnan(out[1]));
}

}  // namespace
}  // namespace bough

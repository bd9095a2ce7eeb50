// SPDX-License-Identifier: Apache-2.0
// Tests of Table: adding, viewing, sharing, taking rows.
#include <cmath>

#include "support.hpp"

namespace bough {
namespace {

using namespace test;

const double kNaN = std::nan("");

TEST(Table, an_empty_table_has_no_rows_and_no_columns) {
  const Table table;
  EXPECT_EQ(table.n_rows(), 0);
  EXPECT_EQ(table.n_columns(), 0u);
  EXPECT_FALSE(table.find("a").has_value());
}

TEST(Table, added_columns_are_copied) {
  Table table;
  std::vector<double> doubles{1.5, kNaN, -0.0};
  std::vector<float> floats{0.5f, 2.0f, 3.0f};
  std::vector<std::int64_t> wholes{1, -2, 9007199254740993};
  table.add("d", std::span<const double>(doubles));
  table.add("f", std::span<const float>(floats));
  table.add("i", std::span<const std::int64_t>(wholes));
  table.add("s", Texts{"x", "", "x"});
  doubles[0] = 99;
  EXPECT_EQ(table.n_rows(), 3);
  EXPECT_EQ(table.n_columns(), 4u);
  EXPECT_EQ(table.name(2), "i");
  EXPECT_EQ(texts_of(table, "d"), (Texts{"1.5", "<missing>", "0"}));
  EXPECT_EQ(texts_of(table, "f"), (Texts{"0.5", "2", "3"}));
  EXPECT_EQ(texts_of(table, "i"), (Texts{"1", "-2", "9007199254740993"}));
  EXPECT_EQ(texts_of(table, "s"), (Texts{"x", "", "x"}));
}

TEST(Table, codes_are_looked_up_and_minus_one_is_missing) {
  Table table;
  const std::vector<std::int32_t> codes{1, -1, 0, 1};
  table.add("c", codes, Texts{"no", "yes"});
  EXPECT_EQ(texts_of(table, "c"), (Texts{"yes", "<missing>", "no", "yes"}));
  const std::vector<std::int32_t> bad{0, 2};
  const Error error = error_of([&] { Table().add("c", bad, Texts{"no", "yes"}); });
  EXPECT_EQ(error.code(), ErrorCode::bad_data);
  EXPECT_MENTIONS(std::string(error.what()), "\"c\"");
  EXPECT_MENTIONS(std::string(error.what()), "row 2");
}

TEST(Table, a_repeated_name_and_another_length_are_refused_by_name) {
  Table table;
  table.add("a", Numbers{1, 2});
  const Error twice = error_of([&] { table.add("a", Numbers{1, 2}); });
  EXPECT_EQ(twice.code(), ErrorCode::bad_data);
  EXPECT_MENTIONS(std::string(twice.what()), "\"a\" appears twice");
  const Error longer = error_of([&] { table.add("b", Numbers{1, 2, 3}); });
  EXPECT_EQ(longer.code(), ErrorCode::bad_data);
  EXPECT_MENTIONS(std::string(longer.what()), "\"b\" has 3 rows");
  EXPECT_EQ(table.n_columns(), 1u);
}

TEST(Table, a_copy_shares_cells_but_grows_alone) {
  Table table;
  table.add("a", Numbers{1, 2});
  Table copy = table;
  copy.add("b", Numbers{3, 4});
  EXPECT_EQ(table.n_columns(), 1u);
  EXPECT_EQ(copy.n_columns(), 2u);
  EXPECT_EQ(std::get<ColumnView>(table.column(0)).chunks[0].data,
            std::get<ColumnView>(copy.column(0)).chunks[0].data);
}

TEST(Table, a_held_owner_lives_as_long_as_the_last_copy) {
  const auto owner = std::make_shared<const std::vector<double>>(3, 7.0);
  const std::weak_ptr<const void> watch = owner;
  std::optional<Table> copy;
  {
    Table table;
    ColumnView view;
    view.chunks.push_back(Chunk{.data = owner->data(), .stride = 8, .length = 3});
    table.view("x", view);
    table.hold(owner);
    copy = table;
  }
  EXPECT_EQ(numbers_of(*copy, "x"), (Numbers{7, 7, 7}));
  EXPECT_EQ(watch.use_count(), 2);
  copy.reset();
  EXPECT_EQ(watch.use_count(), 1);
}

TEST(Table, a_matrix_is_viewed_in_either_order) {
  const std::vector<float> cells{1, 2, 3, 4, 5, 6};
  Table by_row;
  by_row.view_matrix(Dtype::f32, cells.data(), 2, 3, 12, 4);
  EXPECT_EQ(numbers_of(by_row, "x0"), (Numbers{1, 4}));
  EXPECT_EQ(numbers_of(by_row, "x2"), (Numbers{3, 6}));
  Table by_column;
  by_column.view_matrix(Dtype::f32, cells.data(), 2, 3, 4, 8, Texts{"a", "b", "c"});
  EXPECT_EQ(numbers_of(by_column, "a"), (Numbers{1, 2}));
  EXPECT_EQ(numbers_of(by_column, "c"), (Numbers{5, 6}));
  EXPECT_THROW(Table().view_matrix(Dtype::f32, cells.data(), 2, 3, 4, 8, Texts{"a"}), Error);
}

TEST(Table, views_that_cannot_be_read_are_refused) {
  Table table;
  ColumnView no_memory;
  no_memory.chunks.push_back(Chunk{.stride = 8, .length = 2});
  EXPECT_MENTIONS(std::string(error_of([&] { table.view("hole", no_memory); }).what()), "\"hole\"");

  const std::vector<std::int32_t> offsets{0, 3, 1};
  ColumnView falling;
  falling.dtype = Dtype::text;
  falling.chunks.push_back(Chunk{.data = offsets.data(), .length = 2, .chars = "abc"});
  EXPECT_MENTIONS(std::string(error_of([&] { table.view("t", falling); }).what()), "cell 2");

  const std::vector<std::int8_t> codes{0, 5};
  const std::vector<double> values{1.0, 2.0};
  auto dictionary = std::make_shared<ColumnView>();
  dictionary->chunks.push_back(Chunk{.data = values.data(), .stride = 8, .length = 2});
  ColumnView coded;
  coded.dtype = Dtype::i8;
  coded.chunks.push_back(Chunk{.data = codes.data(), .stride = 1, .length = 2});
  coded.dictionary = dictionary;
  EXPECT_MENTIONS(std::string(error_of([&] { table.view("k", coded); }).what()), "row 2");
  EXPECT_EQ(table.n_columns(), 0u);
}

TEST(Table, take_gives_rows_in_the_asked_order_with_their_missing_cells) {
  Table table;
  table.add("d", Numbers{10, kNaN, 30});
  const std::vector<std::int32_t> codes{0, 1, -1};
  table.add("c", codes, Texts{"p", "q"});
  const std::vector<std::uint8_t> bits{0b101};
  ColumnView flags;
  flags.dtype = Dtype::bits;
  flags.chunks.push_back(Chunk{.data = bits.data(), .length = 3});
  table.view("b", flags);
  const std::vector<RowId> rows{2, 0, 0, 1};
  const Table taken = table.take(rows);
  EXPECT_EQ(taken.n_rows(), 4);
  EXPECT_EQ(texts_of(taken, "d"), (Texts{"30", "10", "10", "<missing>"}));
  EXPECT_EQ(texts_of(taken, "c"), (Texts{"<missing>", "p", "p", "q"}));
  EXPECT_EQ(texts_of(taken, "b"), (Texts{"true", "true", "true", "false"}));
  const std::vector<RowId> outside{3};
  EXPECT_MENTIONS(std::string(error_of([&] { (void)table.take(outside); }).what()), "row 3");
}

TEST(Table, take_copies_numbers_behind_a_dictionary) {
  const std::vector<std::uint8_t> codes{1, 0, 1};
  const std::vector<std::int32_t> values{-5, 7};
  auto dictionary = std::make_shared<ColumnView>();
  dictionary->dtype = Dtype::i32;
  dictionary->chunks.push_back(Chunk{.data = values.data(), .stride = 4, .length = 2});
  const std::uint8_t valid = 0b110;
  ColumnView view;
  view.dtype = Dtype::u8;
  view.chunks.push_back(Chunk{.data = codes.data(), .stride = 1, .length = 3, .validity = &valid});
  view.dictionary = dictionary;
  Table table;
  table.view("k", view);
  EXPECT_EQ(texts_of(table, "k"), (Texts{"<missing>", "-5", "7"}));
  const std::vector<RowId> rows{2, 1, 0};
  EXPECT_EQ(texts_of(table.take(rows), "k"), (Texts{"7", "-5", "<missing>"}));
}

}  // namespace
}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// Tests of cells as numbers and as text, over every physical type.
#include <cmath>
#include <cstring>

#include "support.hpp"

namespace bough {
namespace {

using namespace test;

template <class T>
Table one_column(Dtype dtype, const std::vector<T>& cells, const std::uint8_t* validity = nullptr) {
  ColumnView view;
  view.dtype = dtype;
  view.chunks.push_back(
      Chunk{.data = cells.data(), .stride = sizeof(T), .length = std::ssize(cells), .validity = validity});
  Table table;
  table.view("x", view);
  return table;
}

template <class T>
void expect_reads(Dtype dtype, const std::vector<T>& cells, const Texts& texts) {
  const Table table = one_column(dtype, cells);
  Numbers expected(cells.begin(), cells.end());
  EXPECT_EQ(numbers_of(table, "x"), expected);
  EXPECT_EQ(texts_of(table, "x"), texts);
  const std::uint8_t second_only = 0b10;
  const Table holed = one_column(dtype, cells, &second_only);
  EXPECT_EQ(texts_of(holed, "x"), (Texts{"<missing>", texts[1]}));
  EXPECT_TRUE(std::isnan(numbers_of(holed, "x")[0]));
  EXPECT_EQ(numbers_of(holed, "x")[1], expected[1]);
}

TEST(Cells, every_number_type_reads_as_doubles_and_as_text) {
  expect_reads<double>(Dtype::f64, {0.1, -1e300}, {"0.1", "-1e+300"});
  expect_reads<float>(Dtype::f32, {0.1f, 16777216.0f}, {"0.1", "16777216"});
  expect_reads<std::int8_t>(Dtype::i8, {-128, 127}, {"-128", "127"});
  expect_reads<std::int16_t>(Dtype::i16, {-32768, 32767}, {"-32768", "32767"});
  expect_reads<std::int32_t>(Dtype::i32, {-5, 6}, {"-5", "6"});
  expect_reads<std::int64_t>(Dtype::i64, {-(std::int64_t{1} << 40), 3}, {"-1099511627776", "3"});
  expect_reads<std::uint8_t>(Dtype::u8, {0, 255}, {"0", "255"});
  expect_reads<std::uint16_t>(Dtype::u16, {0, 65535}, {"0", "65535"});
  expect_reads<std::uint32_t>(Dtype::u32, {7, 4294967295u}, {"7", "4294967295"});
  expect_reads<std::uint64_t>(Dtype::u64, {1, 1ull << 63}, {"1", "9223372036854775808"});
}

TEST(Cells, minus_zero_reads_as_zero) {
  const Numbers minus{-0.0};
  const Table wide = one_column(Dtype::f64, minus);
  const std::vector<double> cell = numbers_of(wide, "x");
  EXPECT_FALSE(std::signbit(cell[0]));
}

TEST(Cells, booleans_are_zero_and_one_and_print_as_words) {
  const std::vector<std::uint8_t> bytes{0, 1, 1};
  const Table table = one_column(Dtype::boolean, bytes);
  EXPECT_EQ(numbers_of(table, "x"), (Numbers{0, 1, 1}));
  EXPECT_EQ(texts_of(table, "x"), (Texts{"false", "true", "true"}));
}

TEST(Cells, bits_and_validity_start_at_the_offset) {
  // Cells 3..9 of the bitmaps: values 0,1,1,0,1,0,1 of which the second is missing.
  const std::vector<std::uint8_t> bits{0b10110000, 0b00000010};
  const std::vector<std::uint8_t> validity{0b11101000, 0b00000011};
  ColumnView view;
  view.dtype = Dtype::bits;
  view.chunks.push_back(Chunk{.data = bits.data(), .length = 7, .offset = 3, .validity = validity.data()});
  Table table;
  table.view("x", view);
  EXPECT_EQ(texts_of(table, "x"), (Texts{"false", "<missing>", "true", "false", "true", "false", "true"}));
}

TEST(Cells, a_block_may_span_chunks_and_strides) {
  const std::vector<double> interleaved{1, 100, 2, 200, 3, 300};
  ColumnView view;
  view.chunks.push_back(Chunk{.data = interleaved.data(), .stride = 16, .length = 3});
  view.chunks.push_back(Chunk{.data = interleaved.data(), .stride = 16, .length = 0});
  view.chunks.push_back(Chunk{.data = interleaved.data() + 5, .stride = -16, .length = 3});
  Table table;
  table.view("x", view);
  EXPECT_EQ(numbers_of(table, "x"), (Numbers{1, 2, 3, 300, 200, 100}));
  Numbers middle(3);
  read_numbers(table.column(0), 2, middle);
  EXPECT_EQ(middle, (Numbers{3, 300, 200}));
  EXPECT_EQ(cell_text(table.column(0), 4), "200");
}

TEST(Cells, cells_need_not_be_aligned) {
  std::vector<char> bytes(1 + 2 * sizeof(double));
  const double values[2] = {1.25, -3.5};
  std::memcpy(bytes.data() + 1, values, sizeof(values));
  ColumnView view;
  view.chunks.push_back(Chunk{.data = bytes.data() + 1, .stride = 8, .length = 2});
  Table table;
  table.view("x", view);
  EXPECT_EQ(numbers_of(table, "x"), (Numbers{1.25, -3.5}));
}

TEST(Cells, text_reads_through_narrow_and_wide_offsets) {
  const std::vector<std::int32_t> narrow{0, 0, 2, 5};
  const std::vector<std::int64_t> wide{0, 0, 2, 5};
  for (const bool is_wide : {false, true}) {
    ColumnView view;
    view.dtype = Dtype::text;
    // The first cell is cut off by the offset.
    view.chunks.push_back(Chunk{.data = is_wide ? static_cast<const void*>(wide.data()) : narrow.data(),
                                .length = 2,
                                .offset = 1,
                                .chars = "abcde",
                                .wide_offsets = is_wide});
    Table table;
    table.view("x", view);
    EXPECT_EQ(texts_of(table, "x"), (Texts{"ab", "cde"}));
    EXPECT_FALSE(is_number_column(table.column(0)));
    Numbers out(2);
    EXPECT_EQ(error_of([&] { read_numbers(table.column(0), 0, out); }).code(), ErrorCode::bad_data);
  }
}

TEST(Cells, numbers_behind_a_dictionary_are_numbers) {
  const std::vector<std::int16_t> codes{2, 0, 1, 2};
  const Numbers values{0.5, std::nan(""), 8};
  auto dictionary = std::make_shared<ColumnView>();
  dictionary->chunks.push_back(Chunk{.data = values.data(), .stride = 8, .length = 3});
  ColumnView view;
  view.dtype = Dtype::i16;
  view.chunks.push_back(Chunk{.data = codes.data(), .stride = 2, .length = 4});
  view.dictionary = dictionary;
  Table table;
  table.view("x", view);
  EXPECT_TRUE(is_number_column(table.column(0)));
  EXPECT_EQ(texts_of(table, "x"), (Texts{"8", "0.5", "<missing>", "8"}));
  // One cell at a time looks entries up, a block decodes the dictionary: the answers agree.
  for (std::int64_t row : {0, 1, 3}) {
    double cell = 0;
    read_numbers(table.column(0), row, {&cell, 1});
    EXPECT_EQ(cell, numbers_of(table, "x")[static_cast<std::size_t>(row)]);
  }
}

TEST(Cells, sparse_cells_are_zero_where_nothing_is_stored) {
  const std::vector<float> values{2.5f, -1.0f};
  const std::vector<std::int32_t> rows{1, 4};
  Table table;
  table.view(
      "x",
      SparseView{.dtype = Dtype::f32, .values = values.data(), .rows = rows.data(), .count = 2, .length = 6});
  EXPECT_EQ(numbers_of(table, "x"), (Numbers{0, 2.5, 0, 0, -1, 0}));
  Numbers part(3);
  read_numbers(table.column(0), 2, part);
  EXPECT_EQ(part, (Numbers{0, 0, -1}));
  EXPECT_EQ(texts_of(table, "x"), (Texts{"0", "2.5", "0", "0", "-1", "0"}));
}

}  // namespace
}  // namespace bough

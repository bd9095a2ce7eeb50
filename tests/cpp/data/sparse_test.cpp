// SPDX-License-Identifier: Apache-2.0
// Tests of compressed sparse matrices as columns.
#include "support.hpp"

namespace bough {
namespace {

using namespace test;

// The matrix  1 0 2
//             0 0 3
//             4 5 6   by columns and by rows.
const std::vector<float> kByColumn{1, 4, 5, 2, 3, 6};
const std::vector<std::int32_t> kRowOf{0, 2, 2, 0, 1, 2};
const std::vector<std::int32_t> kColumnStarts{0, 2, 3, 6};
const std::vector<double> kByRow{1, 2, 3, 4, 5, 6};
const std::vector<std::int64_t> kColumnOf{0, 2, 2, 0, 1, 2};
const std::vector<std::int64_t> kRowStarts{0, 2, 3, 6};

Table::Compressed csc() {
  return {Dtype::f32, kByColumn.data(), kRowOf.data(), kColumnStarts.data(), false, 3, 3};
}
Table::Compressed csr() {
  return {Dtype::f64, kByRow.data(), kColumnOf.data(), kRowStarts.data(), true, 3, 3};
}

void expect_matrix(const Table& table, const Texts& names) {
  EXPECT_EQ(numbers_of(table, names[0]), (Numbers{1, 0, 4}));
  EXPECT_EQ(numbers_of(table, names[1]), (Numbers{0, 0, 5}));
  EXPECT_EQ(numbers_of(table, names[2]), (Numbers{2, 3, 6}));
}

TEST(Sparse, columns_are_viewed_where_they_are) {
  Table table;
  table.view_csc(csc());
  expect_matrix(table, {"x0", "x1", "x2"});
  EXPECT_EQ(std::get<SparseView>(table.column(1)).values, kByColumn.data() + 2);
}

TEST(Sparse, rows_are_transposed) {
  Table table;
  table.add_csr(csr(), Texts{"a", "b", "c"});
  expect_matrix(table, {"a", "b", "c"});
  const Table copy = table;
  table = Table();
  expect_matrix(copy, {"a", "b", "c"});
}

TEST(Sparse, taken_rows_may_repeat_and_change_places) {
  Table table;
  table.view_csc(csc());
  const std::vector<RowId> rows{2, 0, 2};
  const Table taken = table.take(rows);
  EXPECT_EQ(numbers_of(taken, "x0"), (Numbers{4, 1, 4}));
  EXPECT_EQ(numbers_of(taken, "x1"), (Numbers{5, 0, 5}));
  EXPECT_EQ(numbers_of(taken, "x2"), (Numbers{6, 2, 6}));
  EXPECT_EQ(std::get<SparseView>(taken.column(0)).dtype, Dtype::f32);
}

TEST(Sparse, matrices_that_make_no_sense_are_refused) {
  Table table;
  const std::vector<std::int32_t> falling{0, 3, 2, 6};
  Table::Compressed matrix = csc();
  matrix.starts = falling.data();
  EXPECT_THROW(table.view_csc(matrix), Error);
  const std::vector<std::int32_t> unsorted{2, 0, 2, 0, 1, 2};
  matrix = csc();
  matrix.indices = unsorted.data();
  EXPECT_MENTIONS(error_of([&] { table.view_csc(matrix); }).hint(), "sort the indices");
  const std::vector<std::int64_t> outside{0, 3, 2, 0, 1, 2};
  matrix = csr();
  matrix.indices = outside.data();
  EXPECT_MENTIONS(std::string(error_of([&] { table.add_csr(matrix); }).what()), "column 3");
  matrix = csc();
  matrix.dtype = Dtype::i32;
  EXPECT_THROW(table.view_csc(matrix), Error);
}

TEST(Sparse, an_empty_matrix_gives_columns_of_zeros) {
  const std::vector<std::int32_t> starts{0, 0, 0};
  Table table;
  table.view_csc({Dtype::f64, nullptr, nullptr, starts.data(), false, 4, 2});
  EXPECT_EQ(numbers_of(table, "x1"), (Numbers{0, 0, 0, 0}));
}

}  // namespace
}  // namespace bough

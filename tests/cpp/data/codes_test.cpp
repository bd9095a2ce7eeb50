// SPDX-License-Identifier: Apache-2.0
// Codes against the cells they stand for, whatever shares a slot.
#include "data/codes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace bough {
namespace {

using Columns = std::vector<std::vector<double>>;

CodedTable code(const Columns& columns, CodeUse use) {
  Table table;
  Schema features;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    Field field;
    field.name = std::string("x").append(std::to_string(j));
    table.add(field.name, std::span<const double>(columns[j]));
    features.fields.push_back(field);
  }
  Fingerprint fingerprint;
  Monitor monitor{Monitor::Report()};
  return make_codes(table, features, use, fingerprint, monitor);
}

// The bucket that a cell should have, read off the column's cuts.
std::size_t bucket_of(const CodedColumn& column, double cell) {
  return std::isnan(cell) ? column.missing_bucket() : column.bucket_of(cell);
}

void expect_right(const Columns& columns, const CodedTable& coded) {
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const CodedColumn& column = coded.columns[j];
    const std::uint8_t* codes = coded.codes(static_cast<ColId>(j));
    ASSERT_LE(column.n_buckets, kBuckets);
    for (std::size_t i = 0; i < columns[j].size(); ++i) {
      const std::size_t bucket = column.mark == 0 ? codes[i] : codes[i] == column.mark ? 1 : 0;
      ASSERT_EQ(bucket, bucket_of(column, columns[j][i])) << "column " << j << " row " << i;
      ASSERT_EQ(codes[i], coded.by_row[i * coded.row_stride + column.slot]);
      if (column.single[bucket] && bucket < column.cuts.size()) {
        ASSERT_EQ(columns[j][i], column.cuts[bucket]);
      }
      ASSERT_LT(coded.slot_begins[column.slot] + codes[i], coded.slot_begins[column.slot + 1]);
    }
  }
}

// The 0/1 columns of one category.
Columns one_hot(std::size_t n_rows, int n_levels, std::mt19937_64& random) {
  Columns columns(static_cast<std::size_t>(n_levels), std::vector<double>(n_rows, 0.0));
  for (std::size_t i = 0; i < n_rows; ++i) columns[random() % static_cast<std::uint64_t>(n_levels)][i] = 1.0;
  return columns;
}

TEST(codes, columns_of_one_category_share_a_slot) {
  std::mt19937_64 random(1);
  const Columns columns = one_hot(40000, 40, random);
  const CodedTable coded = code(columns, CodeUse::search);
  EXPECT_EQ(coded.n_slots(), 1U);
  EXPECT_EQ(coded.n_buckets(), 41U);
  expect_right(columns, coded);
}

TEST(codes, buckets_of_single_columns_are_never_bundled) {
  std::mt19937_64 random(2);
  const Columns columns = one_hot(1000, 4, random);
  const CodedTable coded = code(columns, CodeUse::buckets);
  EXPECT_EQ(coded.n_slots(), 4U);
  expect_right(columns, coded);
}

// 40,000 rows are more than a sample has, so most of these rows are seen by coding only.
TEST(codes, a_single_row_undoes_a_bundle) {
  std::mt19937_64 random(3);
  const double none = std::numeric_limits<double>::quiet_NaN();
  int undone = 0;
  for (int round = 0; round < 12; ++round) {
    Columns columns = one_hot(40000, 3, random);
    const std::size_t row = random() % 40000;
    switch (round % 4) {
      case 0:
        columns[0][row] = columns[1][row] = 1.0;
        break;  // two at once
      case 1:
        columns[1][row] = none;
        break;
      case 2:
        columns[2][row] = 0.5;
        break;  // a third value, between the two
      default:
        columns[2][row] = 7.0;
        break;  // and above them
    }
    const CodedTable coded = code(columns, CodeUse::search);
    EXPECT_GE(coded.n_slots(), 2U);
    undone += coded.n_slots() == 3 ? 1 : 0;
    expect_right(columns, coded);
  }
  EXPECT_GT(undone, 0);
}

TEST(codes, columns_of_every_kind_are_coded_as_their_cuts_say) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 60; ++round) {
    const std::size_t n = 1 + random() % 3000;
    Columns columns(1 + random() % 9);
    for (std::vector<double>& column : columns) {
      const int kind = static_cast<int>(random() % 5);
      const std::uint64_t levels = 1 + random() % (random() % 2 == 0 ? 20 : 300);
      for (std::size_t i = 0; i < n; ++i) {
        const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
        double x = kind == 0   ? unit
                   : kind == 1 ? std::floor(unit * static_cast<double>(levels))
                   : kind == 2 ? std::exp(20 * unit)
                               : 0.0;
        if (kind >= 3) x = random() % 10 == 0 ? 1.0 : 0.0;
        if (kind == 4 && random() % 40 == 0) x = std::numeric_limits<double>::quiet_NaN();
        column.push_back(x);
      }
    }
    expect_right(columns, code(columns, CodeUse::search));
  }
}

}  // namespace
}  // namespace bough

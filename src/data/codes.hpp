// SPDX-License-Identifier: Apache-2.0
// Columns as one-byte buckets: a coarse, monotone view of every cell, made without sorting the columns.
//
// The cuts of a numeric column come from a sorted sample: quantiles, with smaller and smaller buckets towards
// both ends (an end bucket that is pure by chance would keep looking promising). A sample of few distinct
// values gives every value a bucket of its own. Bucket b holds (cut[b - 1], cut[b]]; the last bucket of a
// column holds its missing cells. Search is exact whatever the cuts are: they decide how much work refinement
// has, never the answer.
//
// Codes are stored by slot. A slot holds a column, or a bundle: columns of two values of which at most one is
// at its higher value in any row (bundles.hpp). Histograms count slots, and those of bundled columns follow.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "base/monitor.hpp"
#include "bough/table.hpp"
#include "data/fingerprint.hpp"
#include "data/number_source.hpp"

namespace bough {

/// The most buckets a column has.
inline constexpr std::size_t kBuckets = 256;

/// Cuts padded with +inf to kBuckets, in the type of the column.
template <class T>
struct CutTable {
  alignas(64) std::array<T, kBuckets> cuts;
  alignas(64) std::array<T, 16> blocks;  ///< cuts[15], cuts[31], ...: the first step of the search
  bool few = false;                      ///< fewer than 16 cuts: the first block has them all
  std::uint8_t missing = 255;            ///< the code of NaN
};

struct CodedColumn {
  Kind kind = Kind::numeric;
  std::uint32_t n_levels = 0;  ///< category, ordinal
  bool has_missing = false;
  std::uint32_t slot = 0;
  std::uint32_t n_buckets = 2;  ///< the last one for missing cells
  std::uint8_t mark =
      0;              ///< bundled: what its slot has where the column is at the higher of its values, else 0
  bool wide = false;  ///< more levels than a byte holds: see wide_codes, no buckets
  Buffer<std::uint32_t> wide_codes;  ///< level per row, kMissingCode
  NumberSource numbers;              ///< numeric
  std::vector<double> cuts;          ///< numeric: bucket b holds (cuts[b - 1], cuts[b]]
  bool ranked = false;               ///< CodedTable::ranks has its cells
  bool two_ranks = false;            ///< ranked, of two values, and nothing is missing
  /// True for buckets known to hold one distinct value: no refinement there.
  std::array<bool, kBuckets> single{};

  [[nodiscard]] std::size_t missing_bucket() const noexcept { return n_buckets - 1; }
  /// The bucket of a known number.
  [[nodiscard]] std::size_t bucket_of(double x) const noexcept {
    return static_cast<std::size_t>(std::lower_bound(cuts.begin(), cuts.end(), x) - cuts.begin());
  }
};

/// What codes are for: searching by slots, by buckets of single columns (no bundles), or only looking at cells (then numbers
/// have no codes, and there is no by_row).
enum class CodeUse : std::uint8_t { search, buckets, cells };

struct CodedTable {
  CodeUse use = CodeUse::search;  ///< engines check it before they read codes
  bool has_classes = false;       ///< the free byte of a row has its class (put_classes)
  std::int64_t n_rows = 0;
  std::vector<CodedColumn> columns;
  std::vector<std::uint32_t>
      slot_begins;                 ///< first bucket of each slot in a histogram, and the number of all
  Buffer<std::uint8_t> by_column;  ///< [slot * column_stride + row]
  Buffer<std::uint8_t> by_row;     ///< [row * row_stride + slot]; the last byte of a row is free
  std::size_t column_stride = 0;
  std::size_t row_stride = 0;
  /// [row * columns + column]: cells of ranked columns in their order (add_ranks); empty: not asked for.
  Buffer<std::uint16_t> ranks;

  [[nodiscard]] std::size_t n_slots() const noexcept { return slot_begins.size() - 1; }
  /// Buckets of all slots together.
  [[nodiscard]] std::size_t n_buckets() const noexcept { return slot_begins.back(); }
  /// The codes of the column's slot: its buckets, unless it is bundled.
  [[nodiscard]] const std::uint8_t* codes(ColId j) const noexcept {
    return by_column.data() + columns[static_cast<std::size_t>(j)].slot * column_stride;
  }
  /// The cell of a row as search sees it: a number or level index; NaN when missing.
  [[nodiscard]] double cell(ColId j, RowId row) const noexcept;
};

/// The rank of missing cells.
inline constexpr std::uint16_t kMissingRank = 0xffff;
/// Fills the ranks of columns with at most 65535 distinct cells: many trees on one table need not sort it again and again.
void add_ranks(CodedTable& table, Monitor& monitor);

/// Codes the feature columns (schema fields matched by name); dense columns only. The table's memory must
/// stay valid.
CodedTable make_codes(const Table& table, const Schema& features, CodeUse use, Fingerprint& fingerprint,
                      Monitor& monitor);

}  // namespace bough

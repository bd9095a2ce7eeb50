// SPDX-License-Identifier: Apache-2.0
// One column's way from cells to one-byte codes, block of rows by block of rows.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/internal_limits.hpp"
#include "data/bucket_kernels.hpp"
#include "data/cells.hpp"
#include "data/codes.hpp"
#include "data/cuts.hpp"
#include "data/encoded.hpp"

namespace bough {

/// What a column is, without its cells: kind, levels and buckets; a numeric one gets its cuts from
/// use_cuts().
inline void describe_column(CodedColumn& column, Kind kind, std::size_t n_levels) {
  column.kind = kind;
  column.n_levels = static_cast<std::uint32_t>(n_levels);
  if (kind == Kind::numeric) return;
  column.single.fill(true);
  column.wide = n_levels > internal_limits().byte_levels;
  column.n_buckets = column.wide ? 2 : column.n_levels + 1;
}

inline void use_cuts(CodedColumn& column, const ColumnCuts& chosen) {
  const auto next = [&](double x, double to) {
    return chosen.is_float
               ? static_cast<double>(std::nextafter(static_cast<float>(x), static_cast<float>(to)))
               : std::nextafter(x, to);
  };
  column.cuts = chosen.cuts;
  column.n_buckets = static_cast<std::uint32_t>(column.cuts.size() + 2);  // above the last cut, and missing
  for (std::size_t b = 0; b < column.cuts.size(); ++b)
    column.single[b] = chosen.dense || (b > 0 && next(column.cuts[b - 1], column.cuts[b]) == column.cuts[b]);
}

/// Numbers to buckets.
template <class T>
struct BucketFinder {
  CutTable<T> table;
  bool dense = false;

  explicit BucketFinder(const ColumnCuts& chosen) : dense(chosen.dense) {
    const std::vector<double>& cuts = chosen.cuts;
    table.cuts.fill(std::numeric_limits<T>::infinity());
    std::transform(cuts.begin(), cuts.end(), table.cuts.begin(), [](double x) { return static_cast<T>(x); });
    table.missing = static_cast<std::uint8_t>(cuts.size() + 1);
    table.few = cuts.size() < 16;
    for (std::size_t i = 0; i < 16; ++i) table.blocks[i] = table.cuts[16 * i + 15];
  }

  // In a dense column a value that is not its bucket's own clears `single`.
  void code(const T* block, std::size_t count, std::uint8_t* out, std::array<bool, kBuckets>& single,
            bool& missing) const {
    const CellsSeen cells = find_buckets(table, dense, block, count, out);
    missing |= cells.missing;
    for (std::size_t i = 0; dense && cells.between && i < count; ++i)
      if (out[i] != table.missing && block[i] != table.cuts[out[i]]) single[out[i]] = false;
  }
};

/// Safe to call for different blocks at once.
class ColumnCoder {
 public:
  static constexpr std::size_t kBlockRows = Fingerprint::kBlockRows;

  /// `column` is described already; wide_codes has room for all rows.
  ColumnCoder(CodedColumn& column, const Table::Column& cells, const Field& field, std::int64_t n_rows)
      : column_(&column), cells_(&cells), field_(&field) {
    if (field.kind == Kind::numeric) {
      column.numbers = NumberSource(cells, n_rows);
      as_float_ = column.numbers.is_float();
    } else {
      levels_ = std::make_unique<LevelReader>(cells, field.levels);
    }
  }

  /// Numeric: the cuts; cells are read in the type that they are for.
  void use(const ColumnCuts& chosen) {
    use_cuts(*column_, chosen);
    as_float_ = chosen.is_float;
    if (as_float_) {
      floats_ = std::make_unique<BucketFinder<float>>(chosen);
    } else {
      doubles_ = std::make_unique<BucketFinder<double>>(chosen);
    }
  }
  /// Numeric: cells are also copied to here, in the type of the cuts.
  void keep_cells(void* room) noexcept { kept_ = static_cast<char*>(room); }

  /// Codes rows [begin, begin + count), whose floats may be given, and notes them as those of column j.
  void block(const float* given, std::int64_t begin, std::size_t count, std::uint8_t* out,
             Fingerprint::Rows& rows, std::size_t j) {
    std::array<bool, kBuckets> single;
    single.fill(true);
    bool missing = false;
    if (levels_) {
      missing = read_levels(begin, count, out, rows, j);
    } else if (as_float_) {
      numbers(floats_.get(), given, begin, count, out, rows, j, single, missing);
    } else {
      numbers(doubles_.get(), given, begin, count, out, rows, j, single, missing);
    }
    const bool dense = (floats_ && floats_->dense) || (doubles_ && doubles_->dense);
    if (!missing && !dense) return;
    const std::lock_guard lock(mutex_);
    column_->has_missing |= missing;
    if (dense)
      for (std::size_t b = 0; b < kBuckets; ++b) column_->single[b] &= single[b];
  }

 private:
  // Without a finder only the cells are wanted.
  template <class T>
  void numbers(const BucketFinder<T>* finder, const float* given, std::int64_t begin, std::size_t count,
               std::uint8_t* out, Fingerprint::Rows& rows, std::size_t j, std::array<bool, kBuckets>& single,
               bool& missing) const {
    alignas(64) T room[kBlockRows];
    const T* block = room;
    if constexpr (std::is_same_v<T, float>) {
      if (given != nullptr) {
        block = given;
      } else {
        load(begin, std::span(room, count));
      }
    } else if (given != nullptr) {
      std::copy_n(given, count, room);
    } else {
      load(begin, std::span(room, count));
    }
    rows.column(j, std::span<const T>(block, count));
    if (kept_ != nullptr)
      std::memcpy(kept_ + static_cast<std::size_t>(begin) * sizeof(T), block, count * sizeof(T));
    if (finder != nullptr) finder->code(block, count, out, single, missing);
  }

  template <class T>
  void load(std::int64_t begin, std::span<T> out) const {
    using Other = std::conditional_t<std::is_same_v<T, float>, double, float>;
    if (column_->numbers.is_float() == std::is_same_v<T, float>) return column_->numbers.load(begin, out);
    alignas(64) Other room[kBlockRows];
    column_->numbers.load(begin, std::span<Other>(room, out.size()));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<T>(room[i]);
  }

  bool read_levels(std::int64_t begin, std::size_t count, std::uint8_t* out, Fingerprint::Rows& rows,
                   std::size_t j) {
    std::int32_t levels[kBlockRows];
    bool missing = false;
    levels_->read(begin, std::span(levels, count));
    rows.column(j, std::span<const std::int32_t>(levels, count));
    for (std::size_t i = 0; i < count; ++i) {
      if (levels[i] == kUnseenLevel) refuse_unseen(*cells_, *field_, begin + static_cast<std::int64_t>(i));
      missing |= levels[i] < 0;
      if (column_->wide) {
        column_->wide_codes[static_cast<std::size_t>(begin) + i] =
            levels[i] < 0 ? kMissingCode : static_cast<std::uint32_t>(levels[i]);
        out[i] = 0;
      } else {
        out[i] = static_cast<std::uint8_t>(levels[i] < 0 ? column_->missing_bucket()
                                                         : static_cast<std::size_t>(levels[i]));
      }
    }
    return missing;
  }

  CodedColumn* column_;
  const Table::Column* cells_;
  const Field* field_;
  bool as_float_ = false;
  char* kept_ = nullptr;
  std::unique_ptr<BucketFinder<float>> floats_;
  std::unique_ptr<BucketFinder<double>> doubles_;
  std::unique_ptr<LevelReader> levels_;
  std::mutex mutex_;
};

}  // namespace bough

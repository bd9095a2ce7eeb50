// SPDX-License-Identifier: Apache-2.0
// The fingerprint of a table: every row has a number made of its cells, and the sum over rows tells tables
// apart. It depends neither on the order of rows nor on how they are divided or stored (a float counts as the
// double of its value), and no row is lost in it: who exchanges cells between rows changes it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>

#include "bough/table.hpp"

namespace bough {

/// rows[i] += what cell i of the column with this number adds to its row. NaN counts as one value.
void mark_cells(std::uint64_t column, std::span<const float> cells, std::uint64_t* rows) noexcept;
void mark_cells(std::uint64_t column, std::span<const double> cells, std::uint64_t* rows) noexcept;
void mark_cells(std::uint64_t column, std::span<const std::int32_t> levels, std::uint64_t* rows) noexcept;
/// All bits of a number mixed with each other.
constexpr std::uint64_t mix_bits(std::uint64_t x) noexcept {
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ULL;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ULL;
  return x ^ (x >> 32);
}

/// Numbers of what is no feature, beside those of features.
inline constexpr std::uint64_t kTargetMarks = std::uint64_t{1} << 32, kWeightMarks = std::uint64_t{2} << 32,
                               kTreatmentMarks = std::uint64_t{3} << 32;

/// The classes of target `o`.
inline void mark_classes(std::size_t o, std::span<const std::uint32_t> codes, std::uint64_t* rows) noexcept {
  mark_cells(kTargetMarks + o, std::span(reinterpret_cast<const std::int32_t*>(codes.data()), codes.size()),
             rows);
}

class Fingerprint {
 public:
  static constexpr std::size_t kBlockRows = 1024;

  /// `marks`: what targets and weights have added to every row, or nothing. They must outlive the
  /// fingerprint.
  explicit Fingerprint(std::span<const std::uint64_t> marks = {}) : marks_(marks) {}

  /// Some rows, column by column; then Fingerprint::add().
  class Rows {
   public:
    Rows(const Fingerprint& all, std::size_t first, std::size_t count) : count_(count) {
      for (std::size_t i = 0; i < count; ++i) rows_[i] = all.marks_.empty() ? 0 : all.marks_[first + i];
    }
    /// Cells in the column's own type (float, double or level index).
    template <class T>
    void column(std::size_t j, std::span<const T> cells) noexcept {
      mark_cells(j, cells, rows_.data());
    }
    [[nodiscard]] std::uint64_t sum() const noexcept {
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < count_; ++i) sum += mix_bits(rows_[i] + 1);
      return sum;
    }

   private:
    std::size_t count_;
    alignas(64) std::array<std::uint64_t, kBlockRows> rows_;
  };

  void add(const Rows& rows) noexcept { sum_.fetch_add(rows.sum(), std::memory_order_relaxed); }
  /// A column whose cells are hashed some other way (sparse ones).
  void whole(std::size_t j, std::uint64_t hash) noexcept {
    sum_.fetch_add(mix_bits(hash ^ mix_bits(j + 1)), std::memory_order_relaxed);
  }
  /// The rows will be read again.
  void restart() noexcept { sum_ = 0; }
  [[nodiscard]] std::span<const std::uint64_t> marks() const noexcept { return marks_; }
  [[nodiscard]] std::uint64_t sum() const noexcept { return sum_; }
  [[nodiscard]] std::uint64_t finish(const Schema& features) const noexcept { return finish(sum_, features); }
  /// The same from a sum of sums.
  [[nodiscard]] static std::uint64_t finish(std::uint64_t sum, const Schema& features) noexcept;

 private:
  std::span<const std::uint64_t> marks_;
  std::atomic<std::uint64_t> sum_{0};
};

}  // namespace bough

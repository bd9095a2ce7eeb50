// SPDX-License-Identifier: Apache-2.0
// Values of combinations as a coded table: what the engines need to search them as if they were columns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/codes.hpp"
#include "data/targets.hpp"
#include "split/oblique/oblique.hpp"

namespace bough {

class SumTable {
 public:
  /// Room for some of `n_candidates` combinations of every row at a time.
  SumTable(const CodedTable& table, std::size_t n_candidates);

  /// How many combinations there is room for.
  [[nodiscard]] std::size_t n_slots() const noexcept { return n_slots_; }
  /// The column of a combination, and back.
  [[nodiscard]] ColId column(std::size_t combination) const noexcept {
    return static_cast<ColId>(n_columns_ + combination);
  }
  [[nodiscard]] std::size_t combination(ColId column) const noexcept {
    return static_cast<std::size_t>(column) - n_columns_;
  }

  /// Computes combinations first .. first + count - 1 for some rows, which no other call may have in hand. Returns for each
  /// whether search may take it for a column of finite numbers, with codes where `with_codes`.
  std::vector<std::uint8_t> fill(std::span<const RowId> rows, const ProjectionDraw& draw, std::size_t first,
                                 std::size_t count, bool with_codes);

  [[nodiscard]] const CodedTable& coded() const noexcept { return coded_; }
  [[nodiscard]] CodedTable& coded() noexcept { return coded_; }

 private:
  struct Extent {
    double least;
    double most;
  };
  std::vector<Extent> add_up(std::span<const RowId> rows, const ProjectionDraw& draw, std::size_t first,
                             std::size_t count);
  void code(std::span<const RowId> rows, std::span<const Extent> extents,
            std::span<const std::uint8_t> plain);

  const CodedTable* table_;
  std::size_t n_columns_;
  std::size_t n_slots_;
  CodedTable coded_;
  Buffer<double> values_;  // [row * n_slots + slot]
};

}  // namespace bough

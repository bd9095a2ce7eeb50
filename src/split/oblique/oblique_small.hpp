// SPDX-License-Identifier: Apache-2.0
// Combinations of columns in a small subtree: their values at a node as sorted entries, as SortedLists has columns.
//
// The numeric cells of the subtree's rows are copied once, column by column and by local id, so that a sum is a few
// loads from memory that is near. What is searched and how is the presorted engine's business.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/codes.hpp"
#include "split/oblique/oblique.hpp"

namespace bough {

class SmallSums {
 public:
  /// Columns that a node tries at once: what they are made into stays until the next batch.
  /// What InternalLimits::sum_batch may be.
  static constexpr std::size_t kBatch = 32;

  SmallSums(const CodedTable& table, const ObliqueOptions& options, std::vector<double> scales);

  /// Copies the cells of a subtree's rows. `tags` as SortedLists::load() has them.
  void load(std::span<const RowId> rows, std::span<const std::uint8_t> tags);
  /// The combinations of the node of this key.
  void draw(std::uint64_t key) { draw_.draw(key); }
  [[nodiscard]] std::size_t size() const noexcept { return draw_.size(); }
  [[nodiscard]] std::span<const ObliqueTerm> terms(std::size_t i) const noexcept { return draw_.terms(i); }

  /// A combination at a node.
  struct Sorted {
    const std::uint32_t* entries =
        nullptr;              ///< missing last; null where there is no cut between known values
    std::uint32_t known = 0;  ///< entries that are not missing
  };
  /// The entries of combination i for these ids; kBatch of them can be had at a time, one per slot.
  Sorted sort(std::size_t i, std::span<const std::uint32_t> ids, std::size_t slot);
  /// The value of a combination, NaN where missing.
  [[nodiscard]] double value(std::size_t i, std::uint32_t id) const noexcept;

 private:
  void gather();
  void add_up(std::size_t i, std::span<const std::uint32_t> ids);
  [[nodiscard]] const double* cells_of(ColId column) const noexcept {
    return cells_.data() + place_[static_cast<std::size_t>(column)] * stride_;
  }
  std::uint32_t put_ranks(std::uint32_t* out, std::size_t i) const;

  const CodedTable* table_;
  ProjectionDraw draw_;
  std::vector<ColId> numeric_;
  std::vector<std::size_t> place_;  // of each column's cells in the block
  std::size_t stride_ = 0;
  std::span<const RowId> rows_;
  std::vector<double> cells_;            // [place * stride + id]
  std::vector<std::uint32_t> low_half_;  // by id: tag and id
  std::vector<double> sums_;             // of the node, by position
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> arena_;
};

/// The numeric columns of a table.
std::vector<ColId> numeric_columns(const CodedTable& table);
/// column_scales() of a coded table.
std::vector<double> coded_scales(const CodedTable& table, const Targets& targets);

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// The fingerprint of a table's cells: hashes of blocks of rows, joined per column and over all columns, so
// that blocks can be hashed in any order and the result is the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.hpp"
#include "bough/table.hpp"

namespace bough {

class Fingerprint {
 public:
  static constexpr std::size_t kBlockRows = 1024;

  Fingerprint(std::size_t n_columns, std::size_t n_rows)
      : n_blocks_((n_rows + kBlockRows - 1) / kBlockRows), blocks_(n_columns * n_blocks_, 0) {}

  /// Notes block `index` of a column; cells in the column's own type (float, double or level index).
  template <class T>
  void block(std::size_t column, std::size_t index, std::span<const T> cells) noexcept {
    blocks_[column * n_blocks_ + index] = hash_values(cells, sizeof(T));
  }
  /// All blocks of a column at once.
  template <class T>
  void column(std::size_t column, std::span<const T> cells) noexcept {
    for (std::size_t b = 0; b < n_blocks_; ++b)
      block(column, b, cells.subspan(b * kBlockRows, std::min(kBlockRows, cells.size() - b * kBlockRows)));
  }
  /// A column whose cells are hashed some other way (sparse ones).
  void whole(std::size_t column, std::uint64_t hash) noexcept {
    if (n_blocks_ > 0) blocks_[column * n_blocks_] = hash;
  }
  [[nodiscard]] std::uint64_t finish(const Schema& features) const noexcept {
    std::uint64_t hash = hash_values(std::span<const std::uint64_t>(blocks_), 0);
    for (const Field& field : features.fields) {
      hash = hash_text(field.name, hash);
      for (const std::string& level : field.levels.names) hash = hash_text(level, hash);
    }
    return hash;
  }

 private:
  std::size_t n_blocks_;
  std::vector<std::uint64_t> blocks_;
};

}  // namespace bough

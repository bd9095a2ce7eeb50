// SPDX-License-Identifier: Apache-2.0
// Tests of nodes on codes: what route() says, for rows of an encoded table.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/tree.hpp"
#include "data/encoded.hpp"

namespace bough {

/// A split with two children, ready to be asked about rows.
class RowTest {
 public:
  /// What a row met besides a plain answer.
  enum class Met : std::uint8_t { known, missing, unseen };
  struct Side {
    std::int32_t child = 0;
    Met met = Met::known;
  };

  RowTest() = default;
  /// `table` must outlive the test. The split must send every row to child 0 or 1.
  RowTest(const Split& split, const EncodedTable& table);
  /// Every row to one child.
  static RowTest always(std::int32_t child);

  [[nodiscard]] Side side(RowId row) const;
  [[nodiscard]] bool is_constant() const noexcept { return kind_ == NodeKind::leaf; }
  [[nodiscard]] std::int32_t constant() const noexcept { return missing_to_; }

 private:
  NodeKind kind_ = NodeKind::leaf;
  const EncodedTable* table_ = nullptr;
  const EncodedColumn* column_ = nullptr;
  std::uint32_t bound_ = 0;            // numeric, ordinal: codes below go left; equality: the code that does
  std::vector<std::int8_t> children_;  // subset: per level; -1: the map does not know it
  std::vector<ObliqueTerm> terms_;
  double threshold_ = 0.0;
  std::int32_t missing_to_ = 0;
  std::int32_t unseen_to_ = 0;
};

/// The value of an oblique test, added in the order of its terms; NaN when a cell is missing.
double projection(const EncodedTable& table, std::span<const ObliqueTerm> terms, RowId row);

}  // namespace bough

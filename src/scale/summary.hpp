// SPDX-License-Identifier: Apache-2.0
// What a block says about its columns before there is a plan, and how such words add up.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/exact_sum.hpp"
#include "bough/table.hpp"

namespace bough {

/// Rows whose cells are kept to choose cuts by.
inline constexpr std::size_t kSummaryRows = 16384;

/// What cells are. A later one wins where no block knows better.
enum class CellType : std::uint8_t { number, boolean, text };
std::string_view cell_type_word(CellType type) noexcept;

/// The distinct values of a column in order, and what the rows of each weigh.
struct ValueSet {
  std::vector<std::string> texts;  ///< text
  std::vector<double> numbers;     ///< other types
  std::vector<ExactSum> weights;   ///< by value, or empty where nobody needs them
  [[nodiscard]] std::size_t size() const noexcept { return texts.size() + numbers.size(); }
};

struct ColumnSummary {
  std::string name;
  Role role = Role::feature;  ///< feature, target or weight
  CellType type = CellType::number;
  bool known = false;          ///< some cell is not missing; else the type is that of an empty column
  bool is_float = false;       ///< numbers, all of them float32
  bool huge_integers = false;  ///< whole numbers that doubles cannot tell apart
  bool positive = false;       ///< weights: one of them is above 0
  bool few = false;   ///< targets: numbers that may be classes, or not; `values` has them as long as they may
  bool many = false;  ///< they may not
  double low = 0.0, high = 0.0;  ///< number targets: their range, where known
  ValueSet values;               ///< categories, ordinals, targets
  std::vector<double> sample;    ///< numeric features: cells of the sampled rows; empty: all missing
};

struct Summary {
  std::int64_t n_rows = 0;
  std::vector<ColumnSummary> columns;
  std::vector<std::uint64_t>
      sampled;  ///< priorities of the sampled rows, increasing: the lowest of all rows are kept

  void merge(const Summary& other);  ///< throws bad_data where columns differ
  [[nodiscard]] std::string bytes() const;
  static Summary from_bytes(std::string_view bytes);
};

}  // namespace bough

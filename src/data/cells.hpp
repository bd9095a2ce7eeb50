// SPDX-License-Identifier: Apache-2.0
// Cells of any column as numbers or as level indices: the one place where physical types are told apart.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bough/table.hpp"

namespace bough {

/// True when the cells are numbers (a dictionary counts as its values).
bool is_number_column(const Table::Column& column) noexcept;

/// Cells [begin, begin + out.size()) as doubles; missing is NaN; booleans are 0 and 1; sparse columns are filled
/// with 0. Throws bad_data for text. -0.0 is read as 0.0.
void read_numbers(const Table::Column& column, std::int64_t begin, std::span<double> out);
/// Visits cells [begin, end) as such doubles, a few that stay in the nearest cache at a time: visit(row of the first, doubles).
template <class Visit>
void visit_numbers(const Table::Column& column, std::size_t begin, std::size_t end, const Visit& visit) {
  constexpr std::size_t together = 1024;
  std::array<double, together> room;
  for (; begin < end; begin += together) {
    const std::span<double> numbers(room.data(), std::min(together, end - begin));
    read_numbers(column, static_cast<std::int64_t>(begin), numbers);
    visit(begin, std::span<const double>(numbers));
  }
}

/// One cell as text for people: shortest number, the string itself, "true"/"false"; missing gives "".
std::string cell_text(const Table::Column& column, std::int64_t row);
/// True when the cell is missing.
bool is_missing(const Table::Column& column, std::int64_t row);

/// Distinct values of a column in the order of Levels. For real numbers NaN is missing.
/// Integers outside +-2^53 that are equal as doubles count as one level.
Levels collect_levels(const Table::Column& column);

inline constexpr std::int32_t kMissingLevel = -1;
inline constexpr std::int32_t kUnseenLevel = -2;

/// Level index of cells [begin, begin + out.size()), matched by value (a text column against numeric levels is matched
/// by number, a numeric column against text levels by shortest text); kMissingLevel and kUnseenLevel otherwise.
/// Build once per (column, levels); dictionaries are looked up once per dictionary entry.
class LevelReader {
 public:
  LevelReader(const Table::Column& column, const Levels& levels);
  void read(std::int64_t begin, std::span<std::int32_t> out) const;

 private:
  const Table::Column* column_;
  const Levels* levels_;
  std::vector<std::uint32_t> order_;  // level indices sorted by value, for binary search
  void make_direct();
  double direct_base_ = 0.0;
  std::vector<std::int32_t> direct_;  // level of direct_base_ + i, where levels are close whole numbers
  std::vector<std::vector<std::int32_t>>
      dictionary_;  // per dictionary entry: its level (empty: not a dictionary)
};

/// Cell value of an unseen category in a RowReader block.
inline constexpr double kUnseenCell = -1.0;

/// The feature columns of a table, matched by name to the features of a model, as blocks of doubles.
/// Numbers are themselves; ordinal and category cells are level indices; missing is NaN, unseen kUnseenCell.
/// An ordinal cell of unseen value counts as missing.
class RowReader {
 public:
  /// Throws bad_data naming every column that is absent or of the wrong type. Extra columns are ignored.
  /// `table` and `features` must outlive the reader.
  RowReader(const Table& table, const Schema& features);
  [[nodiscard]] std::int64_t n_rows() const noexcept { return n_rows_; }
  [[nodiscard]] std::size_t n_columns() const noexcept { return columns_.size(); }
  /// Fills out[column * count + i] for rows [begin, begin + count).
  void load(std::int64_t begin, std::int64_t count, std::span<double> out) const;
  /// The cells as they lie in memory, where all features are numbers of one type (f32 or f64) at equal distances.
  [[nodiscard]] std::optional<MatrixView> matrix() const;

 private:
  struct Source {
    const Table::Column* column = nullptr;
    const Field* field = nullptr;
    std::vector<LevelReader> levels;  // one for category and ordinal, none for numeric
  };
  std::int64_t n_rows_ = 0;
  std::vector<Source> columns_;
};

}  // namespace bough

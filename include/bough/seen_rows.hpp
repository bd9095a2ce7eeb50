// SPDX-License-Identifier: Apache-2.0
// What a model has seen in training, and what it has not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bough/model.hpp"

namespace bough {

/// Whether these are the rows that the model was grown on, all of them, in any order: by the data hash of its
/// provenance. `weight` is the column of row weights, or empty. Tables with sparse columns are not recognised.
[[nodiscard]] bool was_grown_on(const Model& model, const Table& rows, std::string_view weight = {});

/// The same whatever the weight was in training: none, or any column of numbers that the model does not know.
[[nodiscard]] bool holds_training_rows(const Model& model, const Table& rows);

/// Among the extras of a model that bough train has made of a text file: the numbers of its numeric features whose cells
/// may be dates, which count as days since 1970-01-01.
inline constexpr const char* kDateColumns = "date_columns";
/// Whether a model has such notes, empty ones too: bough train has made it.
[[nodiscard]] bool notes_dates(const Model& model);
/// These features, increasing; none where nothing is noted.
[[nodiscard]] std::vector<ColId> date_columns(const Model& model);
/// Among the extras: those of them that are known to hold nothing but dates, which words show as such.
inline constexpr const char* kDayColumns = "day_columns";
[[nodiscard]] std::vector<ColId> day_columns(const Model& model);
/// Whether `column` is one of these.
[[nodiscard]] bool holds_days(const Model& model, ColId column);

/// Takes words that a schema knows as values out of those for missing cells of text files: a word that was a value in
/// training is one in all columns, whatever the words were then.
void keep_known_values(std::vector<std::string>& missing, const Schema& schema);

/// Cells of one column whose value is none of its levels.
struct UnseenCells {
  std::string column;
  std::int64_t count = 0;
  std::string example;  ///< one of the values
};
/// Columns of categories and ordered levels with values that the features do not know, in their order. Columns
/// that the table lacks are left out.
[[nodiscard]] std::vector<UnseenCells> unseen_cells(const Schema& features, const Table& rows);

/// Rows that have every target. Columns that the table lacks are not looked at.
[[nodiscard]] std::vector<RowId> rows_with_targets(const Table& table, std::span<const std::string> targets);

}  // namespace bough

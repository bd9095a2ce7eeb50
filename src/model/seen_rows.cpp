// SPDX-License-Identifier: Apache-2.0
// What a model has seen in training, and what it has not.
#include "bough/seen_rows.hpp"

#include <algorithm>

#include "data/cells.hpp"
#include "data/fingerprint.hpp"
#include "model/assemble.hpp"

namespace bough {
namespace {

// Adds a column to the numbers of all rows; false where it is not what the field was in training.
bool mark_column(const Table& rows, const Field& field, std::uint64_t number, bool as_levels,
                 std::vector<std::uint64_t>& marks) {
  const std::optional<std::size_t> at = rows.find(field.name);
  if (!at || std::holds_alternative<SparseView>(rows.column(*at))) return false;
  const Table::Column& column = rows.column(*at);
  if (!as_levels) {
    if (!is_number_column(column)) return false;
    std::vector<double> cells(marks.size());
    read_numbers(column, 0, cells);
    mark_cells(number, std::span<const double>(cells), marks.data());
    return true;
  }
  std::vector<std::int32_t> levels(marks.size());
  LevelReader(column, field.levels).read(0, levels);
  for (const std::int32_t level : levels)
    if (level == kUnseenLevel) return false;
  mark_cells(number, std::span<const std::int32_t>(levels), marks.data());
  return true;
}

// The numbers of all rows without weights; nothing where a column is not what it was in training.
std::optional<std::vector<std::uint64_t>> row_marks(const Model& model, const Table& rows) {
  const Provenance& from = model.parts().provenance;
  if (from.data_hash.empty() || from.n_rows != rows.n_rows()) return std::nullopt;
  std::vector<std::uint64_t> marks(static_cast<std::size_t>(rows.n_rows()), 0);
  const Schema& features = model.features();
  for (std::size_t j = 0; j < features.fields.size(); ++j)
    if (!mark_column(rows, features.fields[j], j, features.fields[j].kind != Kind::numeric, marks))
      return std::nullopt;
  const bool classes = model.task() == Task::classification;
  for (std::size_t o = 0; o < model.targets().fields.size(); ++o)
    if (!mark_column(rows, model.targets().fields[o], kTargetMarks + o, classes, marks)) return std::nullopt;
  for (const Field& field : model.parts().treatment.fields)
    if (!mark_column(rows, field, kTreatmentMarks, true, marks)) return std::nullopt;
  return marks;
}

bool agrees(const Model& model, const Table& rows, std::vector<std::uint64_t> marks,
            std::string_view weight) {
  if (!weight.empty()) {
    Field field;
    field.name = weight;
    if (!mark_column(rows, field, kWeightMarks, false, marks)) return false;
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t mark : marks) sum += mix_bits(mark + 1);
  return data_hash_text(Fingerprint::finish(sum, model.features()), model.targets()) ==
         model.parts().provenance.data_hash;
}

}  // namespace

void keep_known_values(std::vector<std::string>& missing, const Schema& schema) {
  for (const Field& field : schema.fields)
    std::erase_if(missing, [&](const std::string& word) {
      return !word.empty() && field.levels.type == Levels::Type::text &&
             std::ranges::find(field.levels.names, word) != field.levels.names.end();
    });
}

namespace {

std::vector<ColId> noted_columns(const Model& model, const char* note) {
  std::vector<ColId> columns;
  const auto noted = model.parts().extras.find(note);
  if (noted == model.parts().extras.end()) return columns;
  const std::vector<Field>& fields = model.features().fields;
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (fields[i].kind == Kind::numeric &&
        std::ranges::find(noted->second, static_cast<double>(i)) != noted->second.end())
      columns.push_back(static_cast<ColId>(i));
  return columns;
}

}  // namespace

bool notes_dates(const Model& model) {
  return model.parts().provenance.command.starts_with("bough train");
}

std::vector<ColId> date_columns(const Model& model) {
  return noted_columns(model, kDateColumns);
}

std::vector<ColId> day_columns(const Model& model) {
  return noted_columns(model, kDayColumns);
}

bool holds_days(const Model& model, ColId column) {
  const auto noted = model.parts().extras.find(kDayColumns);
  return noted != model.parts().extras.end() &&
         std::ranges::find(noted->second, static_cast<double>(column)) != noted->second.end();
}

bool was_grown_on(const Model& model, const Table& rows, std::string_view weight) {
  const std::optional<std::vector<std::uint64_t>> marks = row_marks(model, rows);
  return marks && agrees(model, rows, *marks, weight);
}

bool holds_training_rows(const Model& model, const Table& rows) {
  const std::optional<std::vector<std::uint64_t>> marks = row_marks(model, rows);
  if (!marks) return false;
  if (agrees(model, rows, *marks, "")) return true;
  for (std::size_t i = 0; i < rows.n_columns(); ++i) {
    const std::string& name = rows.name(i);
    const bool taken =
        model.features().find(name) || model.targets().find(name) || model.parts().treatment.find(name);
    if (!taken && agrees(model, rows, *marks, name)) return true;
  }
  return false;
}

std::vector<UnseenCells> unseen_cells(const Schema& features, const Table& rows) {
  std::vector<UnseenCells> out;
  std::vector<std::int32_t> levels(static_cast<std::size_t>(rows.n_rows()));
  for (const Field& field : features.fields) {
    const std::optional<std::size_t> at = rows.find(field.name);
    if (field.kind == Kind::numeric || !at) continue;
    LevelReader(rows.column(*at), field.levels).read(0, levels);
    UnseenCells found{field.name, 0, {}};
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (levels[i] != kUnseenLevel) continue;
      if (found.count++ == 0) found.example = cell_text(rows.column(*at), static_cast<std::int64_t>(i));
    }
    if (found.count > 0) out.push_back(std::move(found));
  }
  return out;
}

std::vector<RowId> rows_with_targets(const Table& table, std::span<const std::string> targets) {
  std::vector<const Table::Column*> columns;
  for (const std::string& name : targets)
    if (const std::optional<std::size_t> at = table.find(name)) columns.push_back(&table.column(*at));
  std::vector<RowId> rows;
  for (std::int64_t row = 0; row < table.n_rows(); ++row) {
    bool known = true;
    for (const Table::Column* column : columns) known = known && !is_missing(*column, row);
    if (known) rows.push_back(static_cast<RowId>(row));
  }
  return rows;
}

}  // namespace bough

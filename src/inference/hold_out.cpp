// SPDX-License-Identifier: Apache-2.0
// Rows kept out of training, class by class.
#include <fmt/format.h>

#include <numeric>

#include "base/random.hpp"
#include "bough/inference.hpp"
#include "data/cells.hpp"
#include "model/divide_rows.hpp"

namespace bough {
namespace {

constexpr std::uint64_t kHoldOutStream = 0x686f6c64;

// Labels of the rows; those that the model does not have are one class more.
std::vector<ClassTarget> labels_of(const Table& table, const Model& model) {
  std::vector<ClassTarget> classes;
  if (model.task() != Task::classification) return classes;
  std::vector<std::int32_t> codes(static_cast<std::size_t>(table.n_rows()));
  for (const Field& field : model.targets().fields) {
    const std::optional<std::size_t> column = table.find(field.name);
    if (!column)
      throw Error(ErrorCode::bad_data, fmt::format("the table has no column '{}', the target", field.name),
                  "give labelled rows");
    LevelReader(table.column(*column), field.levels).read(0, codes);
    const auto n_known = static_cast<std::uint32_t>(field.levels.size());
    ClassTarget& target = classes.emplace_back();
    target.n_classes = n_known + 1;
    for (const std::int32_t code : codes)
      target.codes.push_back(code < 0 ? n_known : static_cast<std::uint32_t>(code));
  }
  return classes;
}

}  // namespace

HeldOutRows hold_out(const Table& table, const Model& model, double fraction, std::uint64_t seed) {
  std::vector<RowId> rows(static_cast<std::size_t>(table.n_rows()));
  std::iota(rows.begin(), rows.end(), RowId{0});
  const std::vector<char> held =
      hold_out_rows(rows, rows.size(), labels_of(table, model), fraction, mix(seed, kHoldOutStream));
  HeldOutRows parts;
  for (const RowId row : rows) (held[row] ? parts.held_out : parts.training).push_back(row);
  return parts;
}

}  // namespace bough

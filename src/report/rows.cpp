// SPDX-License-Identifier: Apache-2.0
// The rows that travel in the page: cells, truth and answers, column by column.
#include <fmt/format.h>

#include <algorithm>

#include "data/cells.hpp"
#include "report/report_data.hpp"

namespace bough {
namespace {

// Every k-th row, so that what is said about them can be said in one sentence.
std::vector<RowId> thinned(std::int64_t n_rows, std::int64_t most) {
  const std::int64_t step = std::max<std::int64_t>(1, (n_rows + most - 1) / std::max<std::int64_t>(most, 1));
  std::vector<RowId> rows;
  for (std::int64_t row = 0; row < n_rows; row += step) rows.push_back(static_cast<RowId>(row));
  return rows;
}

void add_truth(Pack& pack, const RowLabels& truth, std::span<const RowId> rows) {
  const auto pick = [&](const std::string& name, const auto& all) {
    std::vector<double> values;
    for (const RowId row : rows) values.push_back(static_cast<double>(all[row]));
    pack.add(name, values);
  };
  for (std::size_t i = 0; i < truth.classes.size(); ++i) pick(fmt::format("truth{}", i), truth.classes[i]);
  for (std::size_t i = 0; i < truth.numbers.size(); ++i) pick(fmt::format("truth{}", i), truth.numbers[i]);
  if (!truth.weights.empty()) pick("weight", truth.weights);
}

}  // namespace

Json rows_data(const Model& model, const Table& table, const RowLabels& truth, const ReportOptions& options,
               std::span<const RowId> numbers, Blob& blob) {
  const std::vector<RowId> rows = thinned(table.n_rows(), options.max_rows);
  const Table kept = static_cast<std::int64_t>(rows.size()) == table.n_rows() ? table : table.take(rows);
  const RowReader reader(kept, model.features());
  Pack pack;
  std::vector<double> cells(reader.n_columns() * rows.size());
  reader.load(0, reader.n_rows(), cells);
  for (std::size_t column = 0; column < reader.n_columns(); ++column)
    pack.add(fmt::format("x{}", column), std::span(cells).subspan(column * rows.size(), rows.size()));
  add_truth(pack, truth, rows);
  const std::vector<double> answers = model.predict(kept, options.execution);
  const std::size_t outputs = model.n_outputs();
  for (std::size_t output = 0; output < outputs; ++output) {
    std::vector<double> column(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) column[i] = answers[i * outputs + output];
    pack.add(fmt::format("answer{}", output), column);
  }
  if (!numbers.empty()) {
    std::vector<double> from_one;
    for (const RowId row : rows) from_one.push_back(static_cast<double>(numbers[row]) + 1.0);
    pack.add("number", from_one);
  }
  blob.text = pack.text();
  return {{"rows", table.n_rows()}, {"kept", rows.size()},       {"step", rows.size() > 1 ? rows[1] : 1},
          {"truth", truth.known},   {"columns", pack.columns()}, {"blob", blob.id}};
}

}  // namespace bough

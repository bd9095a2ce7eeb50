// SPDX-License-Identifier: Apache-2.0
// Summaries of several blocks as one, whatever their order.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/text.hpp"
#include "bough/scale.hpp"
#include "model/prepare_rules.hpp"
#include "scale/summary.hpp"

namespace bough {
namespace {

template <class T>
void merge_values(std::vector<T>& values, std::vector<ExactSum>& weights, const std::vector<T>& others,
                  const std::vector<ExactSum>& other_weights) {
  const bool weighed = !weights.empty() || !other_weights.empty();
  std::vector<T> all;
  std::vector<ExactSum> sums;
  all.reserve(std::max(values.size(), others.size()));
  for (std::size_t a = 0, b = 0; a < values.size() || b < others.size();) {
    const bool left = b == others.size() || (a < values.size() && !(others[b] < values[a]));
    const bool right = a == values.size() || (b < others.size() && !(values[a] < others[b]));
    all.push_back(left ? values[a] : others[b]);
    if (weighed) {
      ExactSum& sum = sums.emplace_back();
      if (left && !weights.empty()) sum.add(weights[a]);
      if (right && !other_weights.empty()) sum.add(other_weights[b]);
    }
    a += left;
    b += right;
  }
  values = std::move(all);
  weights = std::move(sums);
}

void merge_values(ValueSet& values, const ValueSet& others) {
  if (values.texts.empty() && others.texts.empty()) {
    merge_values(values.numbers, values.weights, others.numbers, others.weights);
  } else {
    merge_values(values.texts, values.weights, others.texts, others.weights);
  }
}

// Few values that turn out to be many are not kept.
void note_many(ColumnSummary& column) {
  column.many |= column.few && column.values.size() > kFewClasses;
  if (column.many) column.values = {};
}

void merge_types(ColumnSummary& column, const ColumnSummary& other) {
  if (column.known && other.known && column.type != other.type) {
    const bool swap = other.type < column.type;  // the same words for any order
    throw Error(ErrorCode::bad_data,
                fmt::format("column '{}' holds {} in some blocks and {} in others", column.name,
                            cell_type_word(swap ? other.type : column.type),
                            cell_type_word(swap ? column.type : other.type)),
                "read it as the same type everywhere");
  }
  const auto floats = [](const ColumnSummary& c) { return c.type != CellType::number || c.is_float; };
  if (column.known == other.known) {
    const bool number = column.type == CellType::number && other.type == CellType::number;
    column.is_float = number && floats(column) && floats(other);
    column.type = std::max(column.type, other.type);
  } else if (other.known) {
    column.type = other.type;
    column.is_float = other.is_float;
  }
  column.known |= other.known;
}

void merge_column(ColumnSummary& column, const ColumnSummary& other) {
  const bool ranged = column.known, other_ranged = other.known;
  if (other_ranged) {
    column.low = ranged ? std::min(column.low, other.low) : other.low;
    column.high = ranged ? std::max(column.high, other.high) : other.high;
  }
  merge_types(column, other);
  column.huge_integers |= other.huge_integers;
  column.positive |= other.positive;
  column.few |= other.few;
  column.many |= other.many;
  merge_values(column.values, other.values);
  note_many(column);
}

std::vector<std::string> names_of(const Summary& summary) {
  std::vector<std::string> names;
  for (const ColumnSummary& column : summary.columns) names.push_back(column.name);
  return names;
}

std::vector<std::string> quoted_without(const std::vector<std::string>& names,
                                        const std::vector<std::string>& others) {
  std::vector<std::string> out;
  for (const std::string& name : names)
    if (std::find(others.begin(), others.end(), name) == others.end())
      out.push_back(fmt::format("'{}'", name));
  return out;
}

void check_columns(const Summary& a, const Summary& b) {
  const std::vector<std::string> mine = names_of(a), others = names_of(b);
  std::vector<std::string> absent = quoted_without(mine, others);
  for (std::string& name : quoted_without(others, mine)) absent.push_back(std::move(name));
  std::sort(absent.begin(), absent.end());
  if (!absent.empty())
    throw Error(ErrorCode::bad_data,
                fmt::format("some blocks have {} {} that others do not have: {} columns against {}",
                            absent.size() == 1 ? "the column" : "the columns", list_some(absent, 5),
                            std::max(mine.size(), others.size()), std::min(mine.size(), others.size())),
                "give every block the same columns, or ignore those");
  for (std::size_t j = 0; j < mine.size(); ++j) {
    if (mine[j] != others[j])
      throw Error(
          ErrorCode::bad_data,
          fmt::format(
              "the columns of blocks stand in different orders: column {} is '{}' in some and '{}' in others",
              j + 1, std::min(mine[j], others[j]), std::max(mine[j], others[j])),
          "give every block the same columns in the same order");
    if (a.columns[j].role != b.columns[j].role)
      throw Error(ErrorCode::bad_data, fmt::format("column '{}' has other uses in other blocks", mine[j]),
                  "summarise every block by the same wishes");
  }
}

// A row of one of two samples.
struct SampledRow {
  const Summary* from;
  std::size_t row;
  [[nodiscard]] std::uint64_t cell(std::size_t j) const noexcept {
    const std::vector<double>& sample = from->columns[j].sample;
    return std::bit_cast<std::uint64_t>(sample.empty() ? std::numeric_limits<double>::quiet_NaN()
                                                       : sample[row]);
  }
  // Rows of one priority are put in order by their cells.
  bool operator<(const SampledRow& other) const noexcept {
    if (const auto a = from->sampled[row], b = other.from->sampled[other.row]; a != b) return a < b;
    for (std::size_t j = 0; j < from->columns.size(); ++j)
      if (const auto a = cell(j), b = other.cell(j); a != b) return a < b;
    return false;
  }
};

void merge_samples(Summary& summary, const Summary& other) {
  std::vector<SampledRow> rows;
  for (const Summary* one : {static_cast<const Summary*>(&summary), &other})
    for (std::size_t i = 0; i < one->sampled.size(); ++i) rows.push_back({one, i});
  std::sort(rows.begin(), rows.end());
  rows.resize(std::min(rows.size(), kSummaryRows));
  std::vector<std::vector<double>> samples(summary.columns.size());
  for (std::size_t j = 0; j < samples.size(); ++j) {
    if (summary.columns[j].sample.empty() && other.columns[j].sample.empty()) continue;
    for (const SampledRow& row : rows) samples[j].push_back(std::bit_cast<double>(row.cell(j)));
  }
  std::vector<std::uint64_t> sampled;
  for (const SampledRow& row : rows) sampled.push_back(row.from->sampled[row.row]);
  summary.sampled = std::move(sampled);
  for (std::size_t j = 0; j < samples.size(); ++j) summary.columns[j].sample = std::move(samples[j]);
}

}  // namespace

void Summary::merge(const Summary& other) {
  check_columns(*this, other);
  merge_samples(*this, other);
  n_rows += other.n_rows;
  for (std::size_t j = 0; j < columns.size(); ++j) merge_column(columns[j], other.columns[j]);
}

std::string merge_summaries(std::span<const std::string> summaries) {
  if (summaries.empty())
    throw Error(ErrorCode::bad_data, "there are no summaries to merge", "summarise at least one block");
  Summary all = Summary::from_bytes(summaries.front());
  for (const std::string& bytes : summaries.subspan(1)) all.merge(Summary::from_bytes(bytes));
  return all.bytes();
}

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// Summaries as bytes.
#include "scale/summary.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "base/pack.hpp"

namespace bough {
namespace {

constexpr std::size_t kByteValues = 256;
constexpr std::uint64_t kSummaryMagic = 0x314d55534247554fULL;

void put_flag(Packer& to, bool flag) {
  to.put(static_cast<std::uint8_t>(flag));
}

// Cells of few values as bytes that number them; most integers, and all columns of yes and no, are such.
void put_sample(Packer& to, const ColumnSummary& column) {
  std::map<std::uint64_t, std::uint8_t> places;
  for (const double cell : column.sample) {
    places.emplace(std::bit_cast<std::uint64_t>(cell), 0);
    if (places.size() > kByteValues) break;
  }
  put_flag(to, places.size() <= kByteValues);
  if (places.size() > kByteValues) {
    if (column.is_float) {
      to.put(std::vector<float>(column.sample.begin(), column.sample.end()));
    } else {
      to.put(column.sample);
    }
    return;
  }
  std::vector<double> values;
  for (auto& [bits, place] : places) {
    place = static_cast<std::uint8_t>(values.size());
    values.push_back(std::bit_cast<double>(bits));
  }
  std::vector<std::uint8_t> cells;
  for (const double cell : column.sample) cells.push_back(places.at(std::bit_cast<std::uint64_t>(cell)));
  to.put(values).put(cells);
}

void get_sample(Unpacker& from, ColumnSummary& column) {
  if (from.yes()) {
    const std::vector<double> values = from.all<double>();
    for (const std::uint8_t cell : from.all<std::uint8_t>()) {
      if (cell >= values.size()) from.fail("hold a value that means nothing");
      column.sample.push_back(values[cell]);
    }
  } else if (column.is_float) {
    const std::vector<float> cells = from.all<float>();
    column.sample.assign(cells.begin(), cells.end());
  } else {
    column.sample = from.all<double>();
  }
}

void put_column(Packer& to, const ColumnSummary& column) {
  to.put(column.name).put(static_cast<std::uint8_t>(column.role)).put(static_cast<std::uint8_t>(column.type));
  for (const bool flag :
       {column.known, column.is_float, column.huge_integers, column.positive, column.few, column.many})
    put_flag(to, flag);
  to.put(column.low).put(column.high);
  to.put(static_cast<std::uint64_t>(column.values.texts.size()));
  for (const std::string& text : column.values.texts) to.put(text);
  to.put(column.values.numbers);
  std::vector<std::int64_t> n_parts;
  std::vector<double> parts;
  for (const ExactSum& sum : column.values.weights) {
    n_parts.push_back(std::ssize(sum.parts()));
    parts.insert(parts.end(), sum.parts().begin(), sum.parts().end());
  }
  to.put(n_parts).put(parts);
  put_sample(to, column);
}

ColumnSummary get_column(Unpacker& from, std::size_t n_sampled) {
  ColumnSummary column;
  column.name = from.text();
  column.role = from.choice<Role>(6);
  column.type = from.choice<CellType>(3);
  for (bool* flag :
       {&column.known, &column.is_float, &column.huge_integers, &column.positive, &column.few, &column.many})
    *flag = from.yes();
  column.low = from.get<double>();
  column.high = from.get<double>();
  const std::size_t n_texts = from.size(8);
  for (std::size_t i = 0; i < n_texts; ++i) column.values.texts.emplace_back(from.text());
  column.values.numbers = from.all<double>();
  const std::vector<std::int64_t> n_parts = from.all<std::int64_t>();
  const std::vector<double> parts = from.all<double>();
  std::span<const double> rest = parts;
  for (const std::int64_t n : n_parts) {
    if (n < 0 || n > std::ssize(rest)) from.fail("hold sums that have no parts");
    column.values.weights.emplace_back(rest.first(static_cast<std::size_t>(n)));
    rest = rest.subspan(static_cast<std::size_t>(n));
  }
  if (!rest.empty() || !std::ranges::all_of(parts, [](double x) { return std::isfinite(x); }))
    from.fail("hold sums that have other parts");
  get_sample(from, column);
  const ValueSet& values = column.values;
  const bool counted = values.weights.empty() || values.weights.size() == values.size();
  const bool sorted =
      std::is_sorted(values.texts.begin(), values.texts.end()) &&
      std::none_of(values.numbers.begin(), values.numbers.end(), [](double x) { return std::isnan(x); }) &&
      std::is_sorted(values.numbers.begin(), values.numbers.end());
  const bool typed = column.type == CellType::text ? values.numbers.empty() : values.texts.empty();
  if (!counted || !sorted || !typed || (!column.sample.empty() && column.sample.size() != n_sampled))
    from.fail("contradict themselves");
  return column;
}

}  // namespace

std::string_view cell_type_word(CellType type) noexcept {
  return type == CellType::text ? "text" : type == CellType::boolean ? "truth values" : "numbers";
}

std::string Summary::bytes() const {
  Packer to;
  to.put(kSummaryMagic).put(n_rows).put(sampled).put(static_cast<std::uint64_t>(columns.size()));
  for (const ColumnSummary& column : columns) put_column(to, column);
  return to.take();
}

Summary Summary::from_bytes(std::string_view bytes) {
  Unpacker from(bytes, "a summary");
  if (from.get<std::uint64_t>() != kSummaryMagic) from.fail("are none");
  Summary summary;
  summary.n_rows = from.get<std::int64_t>();
  if (summary.n_rows < 0) from.fail("hold a number of rows that is none");
  summary.sampled = from.all<std::uint64_t>();
  if (summary.sampled.size() > kSummaryRows ||
      !std::is_sorted(summary.sampled.begin(), summary.sampled.end()) ||
      static_cast<std::int64_t>(summary.sampled.size()) > summary.n_rows)
    from.fail("contradict themselves");
  const std::size_t n_columns = from.size(8);
  for (std::size_t j = 0; j < n_columns; ++j)
    summary.columns.push_back(get_column(from, summary.sampled.size()));
  from.end();
  return summary;
}

}  // namespace bough

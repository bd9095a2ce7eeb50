// SPDX-License-Identifier: Apache-2.0
// svmlight files: as a whole, and written and read again.
#include "base/text.hpp"
#include "data/reader.hpp"
#include "fuzz/support.hpp"

namespace bough::fuzz {
namespace {

/// Rows of a table as svmlight has them. Columns are f<index> in the order of their indices.
std::string written(const Table& table) {
  std::string out;
  for (std::int64_t row = 0; row < table.n_rows(); ++row) {
    out += is_missing(table.column(0), row) ? std::string("nan") : cell_text(table.column(0), row);
    for (std::size_t c = 1; c < table.n_columns(); ++c) {
      double value = 0.0;
      read_numbers(table.column(c), row, {&value, 1});
      const auto& view = std::get<SparseView>(table.column(c));
      const std::int64_t at = sparse_lower_bound(view, row);
      const bool stored = at < view.count && sparse_row(view, at) == row;
      promise(stored || value == 0.0, "cells that are not stored are 0");
      if (stored) out += " " + table.name(c).substr(1) + ":" + number_text(value);
    }
    out += "\n";
  }
  return out;
}

}  // namespace
}  // namespace bough::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bough;
  using namespace bough::fuzz;
  const std::string text(text_of(data, size));
  Table table;
  if (!accepted([&] { table = read_svmlight(text, {}, ""); })) return 0;
  use_table(table);
  const std::string again = written(table);
  promise(cells_text(read_svmlight(again, {}, "")) == cells_text(table), "rows survive being written", again);
  return 0;
}

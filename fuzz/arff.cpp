// SPDX-License-Identifier: Apache-2.0
// ARFF files: as a whole, and as the first rows of it.
#include "data/reader.hpp"
#include "fuzz/support.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bough;
  using namespace bough::fuzz;
  const std::string text(text_of(data, size));
  Table whole;
  if (!accepted([&] { whole = read_arff(text, {}, "a.arff"); })) return 0;
  use_table(whole);
  ReadOptions first;
  first.max_rows = 1 + static_cast<std::int64_t>(choice_of(text, 5));
  const Table front = read_arff(text, first, "");
  promise(front.n_rows() == std::min(first.max_rows, whole.n_rows()), "as many rows as asked for");
  std::vector<RowId> rows;
  for (std::int64_t row = 0; row < front.n_rows(); ++row) rows.push_back(static_cast<RowId>(row));
  promise(cells_text(front) == cells_text(whole.take(rows)), "the first rows are those of the whole", text);
  return 0;
}

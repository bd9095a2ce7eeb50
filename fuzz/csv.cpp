// SPDX-License-Identifier: Apache-2.0
// Delimited text: read as a whole, in pieces, and again after it was written in another form.
//
// The first byte of an input chooses the options, the rest is the text.
#include "data/csv.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "data/bytes.hpp"
#include "data/row_text.hpp"
#include "fuzz/support.hpp"

namespace bough::fuzz {
namespace {

/// A source that gives a few bytes at a time.
class Trickle final : public ByteSource {
 public:
  Trickle(std::string_view bytes, std::size_t most) : bytes_(bytes), most_(most) {}
  std::size_t read(char* out, std::size_t room) override {
    const std::size_t n = std::min({room, most_, bytes_.size() - at_});
    std::copy_n(bytes_.data() + at_, n, out);
    at_ += n;
    return n;
  }
  [[nodiscard]] std::size_t consumed() const noexcept override { return at_; }

 private:
  std::string_view bytes_;
  std::size_t most_;
  std::size_t at_ = 0;
};

ReadOptions options_of(std::uint8_t bits) {
  ReadOptions options;
  options.format = (bits & 1) != 0 ? "tsv" : "csv";
  if ((bits & 2) != 0) options.header = (bits & 4) != 0;
  if ((bits & 8) != 0) options.delimiter = ";"[0];
  if ((bits & 16) != 0) options.missing = {"0", "x"};
  if ((bits & 32) != 0) options.text_columns = {"a"};
  if ((bits & 64) != 0) options.numeric_columns = {"b"};
  if ((bits & 128) != 0) options.max_rows = 3;
  return options;
}

/// Cells of a whole column, and of the same column in pieces: equal as text, or as numbers.
void compare(const Table& whole, std::int64_t first, const Table& piece) {
  for (std::size_t c = 0; c < whole.n_columns(); ++c)
    for (std::int64_t row = 0; row < piece.n_rows(); ++row) {
      promise(is_missing(whole.column(c), first + row) == is_missing(piece.column(c), row),
              "a cell is missing in pieces where it is in the whole");
      if (is_number_column(whole.column(c)) && is_number_column(piece.column(c))) {
        double a = 0.0;
        double b = 0.0;
        read_numbers(whole.column(c), first + row, {&a, 1});
        read_numbers(piece.column(c), row, {&b, 1});
        promise(a == b || (a != a && b != b), "pieces hold the numbers of the whole");
      } else {
        promise(cell_text(whole.column(c), first + row) == cell_text(piece.column(c), row),
                "pieces hold the cells of the whole", cell_text(piece.column(c), row));
      }
    }
}

void read_in_pieces(std::string_view text, const ReadOptions& options, const CsvLayout& known,
                    const Table& whole) {
  const std::size_t salt = choice_of(text, 97);
  RowText rows(std::make_unique<Trickle>(text, 1 + salt % 23), "");
  CsvLayout layout = known;
  const RowText::Head head = rows.head(1);
  promise(text.starts_with(head.text.substr(0, head.first_row)), "the head is the front of the text");
  rows.start(layout.delimiter, layout.data_at, layout.data_line);
  // Blocks are read as what all of them together are (text_blocks.cpp): 00 alone is a code, beside inf a number.
  for (std::size_t c = 0; c < whole.n_columns(); ++c)
    if (value_type(whole.column(c)) == Dtype::text)
      layout.wants[c] = CsvWant::text;
    else if (layout.wants[c] == CsvWant::any && is_number_column(whole.column(c)))
      layout.wants[c] = CsvWant::number;
  std::int64_t done = 0;
  const std::int64_t count = 1 + static_cast<std::int64_t>(salt % 3);
  while (done < whole.n_rows()) {
    const std::string_view some = rows.rows(count);
    promise(!some.empty(), "pieces have the rows of the whole");
    const CsvRows block = read_csv_rows(some, layout, options, rows.line(), count);
    rows.use(block.bytes, block.lines, block.table.n_rows());
    promise(done + block.table.n_rows() <= whole.n_rows() || options.max_rows >= 0,
            "pieces have no more rows than the whole");
    if (done + block.table.n_rows() > whole.n_rows()) return;
    compare(whole, done, block.table);
    done += block.table.n_rows();
  }
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

/// The table as plain csv, every name and text quoted; missing cells are the token "NA".
std::string written(const Table& table) {
  std::string out;
  for (std::size_t c = 0; c < table.n_columns(); ++c) out += (c == 0 ? "" : ",") + quoted(table.name(c));
  for (std::int64_t row = 0; row < table.n_rows(); ++row)
    for (std::size_t c = 0; c < table.n_columns(); ++c) {
      out += c == 0 ? "\n" : ",";
      const Table::Column& column = table.column(c);
      const std::string cell = cell_text(column, row);
      out += is_missing(column, row) ? "\"miss ing\"" : is_number_column(column) ? cell : quoted(cell);
    }
  return out;
}

void read_again(const Table& table) {
  ReadOptions options;
  options.format = "csv";
  options.delimiter = ',';
  options.header = true;
  options.missing = {"miss ing"};
  for (std::size_t c = 0; c < table.n_columns(); ++c) {
    // A name of nothing is a number of its own, and a cell that is the token would be lost.
    if (table.name(c).empty()) return;
    if (value_type(table.column(c)) != Dtype::text) continue;
    options.text_columns.push_back(table.name(c));
    for (std::int64_t row = 0; row < table.n_rows(); ++row)
      if (cell_text(table.column(c), row) == "miss ing") return;
  }
  const std::string text = written(table);
  const Table again = read_csv(text, options, "");
  promise(cells_text(again) == cells_text(table), "a table survives being written as csv", text);
}

void read(std::string_view bytes, const ReadOptions& options) {
  const std::string text(bytes);  // followed by a NUL, as the readers want it
  const CsvLayout layout = csv_layout(text, options, "");
  const Table table = read_csv(text, options, "");
  use_table(table);
  read_again(table);
  if (choice_of(bytes, 4, 1) == 0) read_in_pieces(text, options, layout, table);
}

}  // namespace
}  // namespace bough::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bough::fuzz;
  if (size == 0) return 0;
  std::string_view text = text_of(data + 1, size - 1);
  // As read_table() does: line ends at the end are nothing.
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  accepted([&] { read(text, options_of(data[0])); });
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// TableStream: a file as tables of some rows each, in memory that does not grow with the file.
//
// Bytes are collected until they hold at least one whole row; whole rows are parsed, the rest waits. A row
// end is a line end outside quotes, found once per byte by RowFinder. Empty lines wait for the row behind
// them, so that those at the end of the file are never taken for rows.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/text.hpp"
#include "data/bytes.hpp"
#include "data/csv.hpp"
#include "data/levels.hpp"
#include "data/reader.hpp"

namespace bough {
namespace {

constexpr std::size_t kReadBytes = 1 << 20;
constexpr std::size_t kMostRowBytes = std::size_t{1} << 28;

/// Where the last whole row of a growing text ends.
class RowFinder {
 public:
  explicit RowFinder(char delimiter) : delimiter_(delimiter) {}
  /// Looks at the next bytes; gives the length of whole rows in them, 0 when no row ends here.
  std::size_t feed(std::string_view bytes) noexcept {
    std::size_t rows_end = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const char c = bytes[i];
      if (state_ == State::quoted) {
        const std::size_t quote = bytes.find('"', i);
        if (quote == std::string_view::npos) return rows_end;
        i = quote;
        state_ = State::quote_seen;
      } else if (c == '\n') {
        if (!blank_) rows_end = i + 1;
        blank_ = true;
        state_ = State::cell_start;
      } else if (c == '\r') {
        state_ = State::cell_start;  // a lone carriage return ends a row; the block ends at a line feed
      } else if (c == delimiter_) {
        blank_ = false;
        state_ = State::cell_start;
      } else if (c == '"' && state_ != State::plain) {
        blank_ = false;
        state_ = State::quoted;  // opens a cell, or doubles the quote before it
      } else if (c != ' ' && c != '\t') {
        blank_ = false;
        state_ = State::plain;
      }
    }
    return rows_end;
  }

 private:
  enum class State : std::uint8_t { cell_start, plain, quoted, quote_seen };
  char delimiter_;
  State state_ = State::cell_start;
  bool blank_ = true;  // nothing but blanks since the last line end
};

/// How a column that the schema knows is to be read.
CsvWant want_of(const Field& field, bool first_block) {
  if (field.kind == Kind::numeric) return CsvWant::number;
  if (field.levels.type != Levels::Type::text) return CsvWant::text;
  // Where no known level looks like a number, a column of numbers is a mistake, and is left to be noticed as
  // such.
  for (const std::string& name : field.levels.names)
    if (parse_number(name) || parse_boolean(name)) return CsvWant::text;
  return first_block ? CsvWant::any : CsvWant::text;
}

/// Columns f<index> that a sparse file does not mention hold 0 everywhere.
void add_absent_zeros(Table& table, const Schema& schema) {
  for (const Field& field : schema.fields) {
    if (table.find(field.name) || !field.name.starts_with('f')) continue;
    const std::optional<std::int64_t> index = parse_integer(std::string_view(field.name).substr(1));
    if (!index || *index < 0 || field.name != fmt::format("f{}", *index)) continue;
    table.view(field.name, SparseView{.dtype = Dtype::f64, .length = table.n_rows()});
  }
}

}  // namespace

struct TableStream::State {
  std::string source;
  ReadOptions options;
  Schema schema;
  // Whole tables (svmlight, arff).
  std::optional<Table> whole;
  std::int64_t rows_given = 0;
  // Delimited text: [begin, rows_end) of the buffer are whole rows, [rows_end, size) the start of more.
  std::unique_ptr<ByteSource> bytes;
  std::vector<char> buffer;
  std::size_t begin = 0;
  std::size_t rows_end = 0;
  std::size_t size = 0;
  bool at_end = false;
  std::int64_t line = 1;
  CsvLayout layout;
  std::vector<CsvWant> asked;  // by the options
  std::optional<RowFinder> finder;

  void open_delimited();
  void read_header(char delimiter);
  std::optional<Table> next_delimited(std::int64_t rows);
  std::optional<Table> next_whole(std::int64_t rows);
  std::size_t fill();
  void find_rows(std::size_t fresh);
  [[nodiscard]] char delimiter_of(std::string_view header) const;
  [[nodiscard]] std::vector<CsvWant> wants(bool first_block) const;
};

/// Reads once; gives the number of new bytes.
std::size_t TableStream::State::fill() {
  if (begin > 0 && begin == rows_end) {
    std::memmove(buffer.data(), buffer.data() + begin, size - begin);
    size -= begin;
    begin = rows_end = 0;
  }
  if (size - begin > kMostRowBytes)
    throw Error(ErrorCode::bad_data,
                fmt::format("{}: line {}: a row is longer than {} bytes", source, line, kMostRowBytes),
                "a quote is probably opened and never closed");
  // One byte stays free for the NUL behind the text.
  if (buffer.size() < size + kReadBytes + 1) buffer.resize(std::max(2 * size, size + kReadBytes) + 1);
  const std::size_t n = bytes->read(buffer.data() + size, buffer.size() - 1 - size);
  at_end = n == 0;
  size += n;
  return n;
}

void TableStream::State::find_rows(std::size_t fresh) {
  const std::size_t from = size - fresh;
  const std::size_t length = finder->feed({buffer.data() + from, fresh});
  if (length > 0) rows_end = from + length;
  if (at_end) {
    while (size > rows_end && (buffer[size - 1] == '\n' || buffer[size - 1] == '\r')) --size;
    rows_end = size;
  }
}

/// The delimiter under which most cells of the header are names of the schema.
char TableStream::State::delimiter_of(std::string_view header) const {
  if (options.delimiter != 0) return options.delimiter;
  if (options.format == "tsv") return '\t';
  char best = guess_delimiter(header);
  std::size_t best_known = 0;
  for (const char candidate : {best, ',', ';', '\t', '|'}) {
    std::size_t known = 0;
    for (const std::string_view cell : split_text(header, candidate)) {
      std::string_view name = trim(cell);
      if (name.size() > 1 && name.front() == '"' && name.back() == '"')
        name = name.substr(1, name.size() - 2);
      known += schema.find(name).has_value() ? 1 : 0;
    }
    if (known > best_known) {
      best = candidate;
      best_known = known;
    }
  }
  return best;
}

void TableStream::State::open_delimited() {
  // The first row that is not blank: up to a line end outside quotes.
  std::size_t row_end = 0;
  bool quoted = false;
  bool content = false;
  std::size_t looked = 0;
  while (row_end == 0 && !at_end) {
    fill();
    for (; looked < size && row_end == 0; ++looked) {
      const char c = buffer[looked];
      if (c == '"') quoted = !quoted;
      if (!quoted && (c == '\n' || c == '\r') && content) row_end = looked + 1;
      content |= c != '\n' && c != '\r' && c != ' ' && c != '\t';
    }
  }
  const std::string_view text(buffer.data(), row_end == 0 ? size : row_end);
  read_header(delimiter_of(text.substr(bom_length(text))));
  finder.emplace(layout.delimiter);
  begin = rows_end = layout.data_at;
  line = layout.data_line;
  find_rows(size - begin);
}

void TableStream::State::read_header(char delimiter) {
  options.delimiter = delimiter;
  const char kept = buffer[size];
  buffer[size] = '\0';
  ReadOptions plain = options;
  plain.text_columns.clear();
  plain.numeric_columns.clear();
  layout = csv_layout({buffer.data(), size}, plain, source);
  const auto known = [&](const std::string& name) { return schema.find(name).has_value(); };
  // Names that are numbers look like data; names that the schema knows are names.
  if (!options.header && !layout.header &&
      std::any_of(layout.first_row.begin(), layout.first_row.end(), known)) {
    plain.header = true;
    layout = csv_layout({buffer.data(), size}, plain, source);
  }
  buffer[size] = kept;
  asked = csv_wants(layout.names, options, source);
}

std::vector<CsvWant> TableStream::State::wants(bool first_block) const {
  std::vector<CsvWant> all = asked;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] != CsvWant::any) continue;
    const std::optional<std::size_t> at = schema.find(layout.names[i]);
    if (at && schema.fields[*at].role != Role::ignored) all[i] = want_of(schema.fields[*at], first_block);
  }
  return all;
}

std::optional<Table> TableStream::State::next_delimited(std::int64_t rows) {
  if (options.max_rows >= 0) rows = std::min(rows, options.max_rows - rows_given);
  while (rows > 0) {
    while (rows_end == begin && !at_end) find_rows(fill());
    if (rows_end == begin) break;
    layout.wants = wants(rows_given == 0);
    const char kept = buffer[rows_end];
    buffer[rows_end] = '\0';
    CsvRows block = read_csv_rows({buffer.data() + begin, rows_end - begin}, layout, options, line, rows);
    buffer[rows_end] = kept;
    begin += block.bytes;
    line = block.lines;
    rows_given += block.table.n_rows();
    if (block.table.n_rows() > 0) return std::move(block.table);
  }
  if (rows_given == 0)
    throw Error(ErrorCode::bad_data,
                fmt::format("{} has a header of {} columns and no rows", source, layout.names.size()),
                "add at least one row of data below the header");
  return std::nullopt;
}

std::optional<Table> TableStream::State::next_whole(std::int64_t rows) {
  const std::int64_t count = std::min(rows, whole->n_rows() - rows_given);
  if (count <= 0) return std::nullopt;
  if (count == whole->n_rows()) {
    rows_given = count;
    return whole;
  }
  std::vector<RowId> ids(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < ids.size(); ++i)
    ids[i] = static_cast<RowId>(rows_given + static_cast<std::int64_t>(i));
  rows_given += count;
  return whole->take(ids);
}

TableStream::TableStream(const std::string& path, const ReadOptions& options, const Schema& schema)
    : state_(std::make_unique<State>()) {
  state_->source = path == "-" ? "standard input" : path;
  state_->options = options;
  state_->options.format = format_of(path, options);
  state_->schema = schema;
  if (state_->options.format == "svmlight" || state_->options.format == "arff") {
    state_->whole = read_table(path, state_->options);
    if (state_->options.format == "svmlight") add_absent_zeros(*state_->whole, schema);
    return;
  }
  naming_source(state_->source, [&] {
    state_->bytes = open_bytes(path);
    state_->open_delimited();
  });
}

TableStream::~TableStream() = default;
TableStream::TableStream(TableStream&&) noexcept = default;
TableStream& TableStream::operator=(TableStream&&) noexcept = default;

std::optional<Table> TableStream::next(std::int64_t rows) {
  if (rows < 1) throw Error(ErrorCode::bad_params, "a block must hold at least one row");
  if (state_->whole) return state_->next_whole(rows);
  return naming_source(state_->source, [&] { return state_->next_delimited(rows); });
}

}  // namespace bough

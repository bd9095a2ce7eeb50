// SPDX-License-Identifier: Apache-2.0
// TableStream: a file as tables of some rows each, in memory that does not grow with the file.
//
// Bytes are collected until they hold at least one whole row (RowText); whole rows are parsed, the rest waits.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.hpp"
#include "bough/table_blocks.hpp"
#include "data/arrow_files.hpp"
#include "data/chunks.hpp"
#include "data/csv.hpp"
#include "data/dates.hpp"
#include "data/levels.hpp"
#include "data/reader.hpp"
#include "data/row_text.hpp"

namespace bough {
namespace {

/// How a column that the schema knows is to be read.
CsvWant want_of(const Field& field) {
  if (field.kind != Kind::numeric) return CsvWant::text;
  if (field.levels.type == Levels::Type::integer) return CsvWant::number_or_day;
  return field.levels.type == Levels::Type::real ? CsvWant::plain_number : CsvWant::number;
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

constexpr std::int64_t kAllRows = std::numeric_limits<std::int64_t>::max();

}  // namespace

/// The rows of one source, read by a schema. (The state of a TableStream has it as its base, so it has linkage.)
struct SchemaRows {
  std::string source;
  ReadOptions options;
  Schema schema;
  // Whole tables (svmlight, arff).
  std::optional<Table> whole;
  std::int64_t rows_given = 0;
  // Parquet and Arrow files.
  bool reads_others = false;  // columns that the schema lacks as well
  std::unique_ptr<TableBlocks> blocks;
  // Delimited text.
  std::optional<RowText> text;
  CsvLayout layout;
  std::vector<CsvWant> asked;        // by the options
  std::vector<std::size_t> written;  // columns whose cells are given as they are written, too
  Table written_cells;               // of the last block

  void open(const std::string& path, const ReadOptions& given, const Schema& columns);
  std::optional<Table> next(std::int64_t rows);
  bool open_arrow(const std::string& path, const ReadOptions& given);
  void open_delimited();
  void read_header(const RowText::Head& head);
  std::optional<Table> next_delimited(std::int64_t rows);
  std::optional<Table> next_arrow(std::int64_t rows);
  std::optional<Table> next_whole(std::int64_t rows);
  void read_written(std::string_view whole_rows, std::int64_t line, std::int64_t n_rows);
  void refuse_truth_values(const Table& rows) const;
  [[nodiscard]] char delimiter_of(std::string_view header) const;
  [[nodiscard]] std::vector<CsvWant> wants() const;
};

/// The delimiter under which most cells of the header are names of the schema.
char SchemaRows::delimiter_of(std::string_view header) const {
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

/// Opens `path`; false where it is text. Of Parquet and Arrow files only what the schema or the options name is read,
/// unless others are wanted.
bool SchemaRows::open_arrow(const std::string& path, const ReadOptions& given) {
  std::vector<std::string> only = given.text_columns;
  only.insert(only.end(), given.numeric_columns.begin(), given.numeric_columns.end());
  for (const Field& field : schema.fields)
    if (field.role != Role::ignored) only.push_back(field.name);
  // What nobody needs may be of any type.
  std::vector<std::string> ignored;
  if (reads_others)
    for (std::string& name : unreadable_columns(path, given))
      if (!schema.find(name)) ignored.push_back(std::move(name));
  const ArrowWanted wanted{{ignored.begin(), ignored.end()}, reads_others ? nullptr : &only};
  if (is_arrow_path(path, given)) {
    blocks = open_arrow_blocks({&path, 1}, given, wanted);
    return true;
  }
  std::string head;
  const bool as_text = !given.format.empty() && !is_arrow_format(given.format);
  std::unique_ptr<ByteSource> bytes = as_text ? open_bytes(path) : open_bytes(path, head);
  if (!as_text && check_arrow_content(head, options.format, source)) {
    blocks = open_arrow_blocks(std::make_shared<const TextBuffer>(read_all(*bytes)), source, given, wanted);
    return true;
  }
  text.emplace(std::move(bytes), source);
  return false;
}

std::optional<Table> SchemaRows::next_arrow(std::int64_t rows) {
  std::optional<Table> block = blocks->next(rows);
  if (!block && rows_given == 0)
    throw Error(ErrorCode::bad_data, fmt::format("{} has no rows", source),
                "write at least one row of data into it");
  if (!block) return block;
  rows_given += block->n_rows();
  refuse_truth_values(*block);
  return block;
}

/// Text says line by line that a truth value is no plain number; typed files say it of a column.
void SchemaRows::refuse_truth_values(const Table& rows) const {
  for (const Field& field : schema.fields) {
    const std::optional<std::size_t> at = rows.find(field.name);
    if (field.kind != Kind::numeric || field.levels.type == Levels::Type::text || !at) continue;
    if (is_boolean(value_type(rows.column(*at))))
      throw Error(ErrorCode::bad_data,
                  fmt::format("{}: column \"{}\" holds truth values, not numbers", source, field.name),
                  "plain numbers are wanted here: give the column as it was in training");
  }
}

void SchemaRows::open_delimited() {
  read_header(text->head(1));
  text->start(layout.delimiter, layout.data_at, layout.data_line);
}

void SchemaRows::read_header(const RowText::Head& head) {
  const std::string_view first_row = head.text.substr(0, head.first_row);
  options.delimiter = delimiter_of(first_row.substr(bom_length(first_row)));
  ReadOptions plain = options;
  plain.text_columns.clear();
  plain.numeric_columns.clear();
  for (const Field& field : schema.fields) plain.known_names.push_back(field.name);
  layout = csv_layout(head.text, plain, source);
  const auto known = [&](const std::string& name) { return schema.find(name).has_value(); };
  for (const std::string& name : layout.names)
    layout.fields.push_back(known(name) ? &schema.fields[*schema.find(name)] : nullptr);
  // What is missing of the schema is told by whoever needs it.
  std::erase_if(options.text_columns, [&](const std::string& name) {
    return known(name) && std::ranges::find(layout.names, name) == layout.names.end();
  });
  asked = csv_wants(layout.names, options, source);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (asked[i] == CsvWant::text || (options.text_others && !known(layout.names[i]))) written.push_back(i);
    if (known(layout.names[i])) asked[i] = CsvWant::any;
  }
}

/// The same rows once more, as text in which nothing is missing.
void SchemaRows::read_written(std::string_view whole_rows, std::int64_t line, std::int64_t n_rows) {
  CsvLayout plain = layout;
  plain.wants.assign(plain.names.size(), CsvWant::text);
  plain.fields.clear();
  ReadOptions all = options;
  all.missing.clear();
  const CsvRows rows = read_csv_rows(whole_rows, plain, all, line, n_rows);
  written_cells = Table();
  for (const std::size_t i : written) {
    std::vector<std::string> cells;
    for (std::int64_t row = 0; row < n_rows; ++row) cells.push_back(cell_text(rows.table.column(i), row));
    written_cells.add(layout.names[i], cells);
  }
}

std::vector<CsvWant> SchemaRows::wants() const {
  std::vector<CsvWant> all = asked;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] != CsvWant::any) continue;
    const std::optional<std::size_t> at = schema.find(layout.names[i]);
    if (at && schema.fields[*at].role != Role::ignored) all[i] = want_of(schema.fields[*at]);
    if (!at && options.text_others) all[i] = CsvWant::text;
  }
  return all;
}

std::optional<Table> SchemaRows::next_delimited(std::int64_t rows) {
  const std::int64_t count = rows == kAllRows ? kAllRows : 1;
  if (options.max_rows >= 0) rows = std::min(rows, options.max_rows - rows_given);
  while (rows > 0) {
    const std::string_view whole_rows = text->rows(count);
    if (whole_rows.empty()) break;
    layout.wants = wants();
    CsvRows block = read_csv_rows(whole_rows, layout, options, text->line(), rows);
    if (!written.empty() && block.table.n_rows() > 0)
      read_written(whole_rows, text->line(), block.table.n_rows());
    text->use(block.bytes, block.lines, block.table.n_rows());
    rows_given += block.table.n_rows();
    if (block.table.n_rows() > 0) return std::move(block.table);
  }
  if (rows_given == 0)
    throw Error(ErrorCode::bad_data,
                fmt::format("{} has a header of {} columns and no rows", source, layout.names.size()),
                "add at least one row of data below the header");
  return std::nullopt;
}

std::optional<Table> SchemaRows::next_whole(std::int64_t rows) {
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

void SchemaRows::open(const std::string& path, const ReadOptions& given, const Schema& columns) {
  source = path == "-" ? "standard input" : path;
  options = given;
  options.format = format_of(path, given);
  schema = columns;
  // Only delimited text is read twice, by the schema and as it is written.
  const auto known = [&](const std::string& name) { return schema.find(name).has_value(); };
  if (options.format == "svmlight" || options.format == "arff") {
    std::erase_if(options.text_columns, known);
    whole = read_table(path, options);
    if (options.format == "svmlight") add_absent_zeros(*whole, schema);
    return;
  }
  naming_source(source, [&] {
    ReadOptions typed = given;
    std::erase_if(typed.text_columns, known);
    if (open_arrow(path, typed)) return;
    open_delimited();
  });
}

std::optional<Table> SchemaRows::next(std::int64_t rows) {
  if (rows < 1) throw Error(ErrorCode::bad_params, "a block must hold at least one row");
  if (whole) return next_whole(rows);
  if (blocks) return next_arrow(rows);
  return naming_source(source, [&] { return next_delimited(rows); });
}

struct TableStream::State : SchemaRows {};

TableStream::TableStream(const std::string& path, const ReadOptions& options, const Schema& schema)
    : state_(std::make_unique<State>()) {
  state_->open(path, options, schema);
}

TableStream::~TableStream() = default;
TableStream::TableStream(TableStream&&) noexcept = default;
TableStream& TableStream::operator=(TableStream&&) noexcept = default;

std::optional<Table> TableStream::next(std::int64_t rows) {
  return state_->next(rows);
}

const Table& TableStream::written() const noexcept {
  return state_->written_cells;
}

Table read_by_schema(const std::string& path, const ReadOptions& options, const Schema& schema) {
  SchemaRows rows;
  rows.reads_others = true;
  rows.open(path, options, schema);
  if (!rows.blocks) return rows.next(kAllRows).value();
  Table table = read_arrow(*rows.blocks, rows.source);
  rows.refuse_truth_values(table);
  return table;
}

Table parse_by_schema(std::string_view text, const ReadOptions& options, const Schema& schema,
                      const std::string& source) {
  SchemaRows rows;
  rows.source = source;
  rows.options = options;
  rows.schema = schema;
  rows.text.emplace(open_bytes_in_memory(text), source);
  return naming_source(source, [&] {
    rows.open_delimited();
    return rows.next(kAllRows).value();
  });
}

}  // namespace bough

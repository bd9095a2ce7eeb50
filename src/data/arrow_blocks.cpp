// SPDX-License-Identifier: Apache-2.0
// Parquet and Arrow files as one sequence of rows, given as tables over the batches' own memory.
//
// Batches come from the component file by file. A table is made of pieces of batches, so that it has the rows
// that were asked for wherever batches and files end; Table::from_arrow joins them. The first file says which
// columns there are and in which order; a column that is null in some files, which is a type of its own, has
// the type that it has in the others.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <limits>

#include "base/text.hpp"
#include "data/arrow_files.hpp"
#include "data/arrow_pieces.hpp"
#include "data/arrow_type.hpp"
#include "data/cells.hpp"
#include "data/chunks.hpp"
#include "data/csv.hpp"
#include "data/data_files.hpp"
#include "data/file_mark.hpp"
#include "data/owned.hpp"
#include "data/reader.hpp"

namespace bough {
namespace {

constexpr std::int64_t kMostBatchRows = std::int64_t{1} << 20;
constexpr std::string_view kNullType = "n";
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

std::string type_name(std::string_view type) {
  const std::size_t colon = type.find(':', 0);
  const std::optional<ArrowType> codes = arrow_type(type.substr(0, colon));
  if (colon == std::string_view::npos || !codes) return arrow_type_name(type);
  return fmt::format("dictionary of {}", arrow_type_name(type.substr(colon + 1)));
}

bool is_readable(std::string_view type) {
  const std::size_t colon = type.find(':');
  if (colon == std::string_view::npos) return arrow_type(type).has_value();
  const std::optional<ArrowType> codes = arrow_type(type.substr(0, colon));
  return codes && is_integer(codes->dtype) && arrow_type(type.substr(colon + 1)).has_value();
}

std::string described(const ArrowFile& file, std::size_t column) {
  return fmt::format("\"{}\" ({})", file.names()[column], type_name(file.types()[column]));
}

Error unreadable(const ArrowFile& file, const std::vector<std::string>& columns) {
  return Error(
      ErrorCode::not_supported,
      fmt::format("{}: columns of these types cannot be read: {}", file.source(), list_some(columns, 10)),
      "leave them out (--ignore), or convert them to numbers, booleans or strings first");
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Any cells as text.
OwnedColumn cells_as_text(const Table::Column& column, std::int64_t n_rows) {
  TextDictionary dictionary;
  std::vector<std::int32_t> codes;
  codes.reserve(static_cast<std::size_t>(n_rows));
  for (std::int64_t row = 0; row < n_rows; ++row)
    codes.push_back(is_missing(column, row) ? -1 : dictionary.code(cell_text(column, row)));
  return own_text(std::move(codes), std::move(dictionary));
}

/// Cells of text as numbers; `first_row` counts the rows before.
OwnedColumn cells_as_numbers(const std::string& name, const Table::Column& column, std::int64_t n_rows,
                             const ReadOptions& options, std::int64_t first_row) {
  std::vector<double> numbers(static_cast<std::size_t>(n_rows), kNoNumber);
  for (std::int64_t row = 0; row < n_rows; ++row) {
    if (is_missing(column, row)) continue;
    const std::string text = cell_text(column, row);
    const std::optional<double> number = parse_number(trim(text));
    if (!number && !holds(options.missing, text))
      throw Error(
          ErrorCode::bad_data,
          fmt::format("column \"{}\", row {}: \"{}\" is not a number", name, first_row + row + 1, text),
          "the column was asked for as numbers");
    if (number) numbers[static_cast<std::size_t>(row)] = *number;
  }
  return own_cells(std::move(numbers), Dtype::f64);
}

class ArrowBlocks final : public TableBlocks {
 public:
  ArrowBlocks(std::vector<std::string> paths, const ReadOptions& options, const ArrowWanted& wanted)
      : paths_(std::move(paths)), options_(options) {
    for (const std::string& path : paths_) marks_.emplace_back(path);
    for (std::size_t i = 0; i < paths_.size(); ++i) look_at(ArrowFile(paths_[i]), i == 0, wanted);
  }
  ArrowBlocks(std::shared_ptr<const TextBuffer> bytes, const std::string& source, const ReadOptions& options,
              const ArrowWanted& wanted)
      : paths_{source}, memory_(std::move(bytes)), options_(options) {
    look_at(ArrowFile(memory_, source), true, wanted);
  }

  std::optional<Table> next(std::int64_t rows) override {
    if (rows < 1) throw Error(ErrorCode::bad_params, "a block must hold at least one row");
    if (options_.max_rows >= 0) rows = std::min(rows, options_.max_rows - given_);
    std::vector<BatchPiece> pieces;
    std::int64_t collected = 0;
    while (collected < rows && have_batch(rows)) {
      const std::int64_t count = std::min(rows - collected, batch_->value.length - batch_at_);
      pieces.push_back({batch_, order_, batch_at_, count});
      collected += count;
      batch_at_ += count;
    }
    if (collected == 0) return std::nullopt;
    Table table = naming_source(paths_.front(), [&] { return table_of(std::move(pieces), collected); });
    given_ += collected;
    return table;
  }
  void rewind() override {
    file_.reset();
    stream_.reset();
    batch_.reset();
    next_file_ = 0;
    given_ = batch_at_ = 0;
  }
  [[nodiscard]] double fraction() const noexcept override {
    const std::int64_t all = n_rows();
    if (all > 0) return std::min(1.0, static_cast<double>(given_) / static_cast<double>(all));
    const bool between = file_ == nullptr;
    return static_cast<double>(next_file_ - (between || next_file_ == 0 ? 0 : 1)) /
           static_cast<double>(paths_.size());
  }
  [[nodiscard]] std::int64_t n_rows() const noexcept override {
    return options_.max_rows >= 0 && n_rows_ >= 0 ? std::min(n_rows_, options_.max_rows) : n_rows_;
  }

 private:
  /// A column of the tables.
  struct Given {
    std::string name;
    bool blank = false;
    CsvWant want = CsvWant::any;
  };

  /// The first file says what is read; the others must have it too.
  void look_at(const ArrowFile& file, bool first, const ArrowWanted& wanted) {
    if (first) {
      choose(file, wanted);
    } else {
      take_types(file, columns_in(file));
      if (file.names().size() != n_columns_)
        throw Error(ErrorCode::bad_data,
                    fmt::format("{} has {} columns, {} has {}", file.source(), file.names().size(),
                                paths_.front(), n_columns_),
                    "files that are read together must have the same columns");
    }
    n_rows_ = n_rows_ < 0 || file.n_rows() < 0 ? -1 : n_rows_ + file.n_rows();
  }
  void choose(const ArrowFile& file, const ArrowWanted& wanted) {
    n_columns_ = file.names().size();
    const std::vector<CsvWant> wants = csv_wants(file.names(), options_, file.source());
    std::vector<std::string> refused;
    for (std::size_t c = 0; c < n_columns_; ++c) {
      const std::string& name = file.names()[c];
      if (wanted.only != nullptr && !holds(*wanted.only, name)) continue;
      const bool blank = holds(wanted.blank, name);
      given_columns_.push_back({name, blank, wants[c]});
      if (blank) continue;
      if (!is_readable(file.types()[c])) refused.push_back(described(file, c));
      if (holds(names_, name))
        throw Error(ErrorCode::bad_data, fmt::format("{} has two columns \"{}\"", file.source(), name),
                    "give every column a name of its own");
      names_.push_back(name);
      types_.push_back(file.types()[c]);
      fields_.push_back({file.schema(), file.schema()->value.children[c]});
    }
    if (!refused.empty()) throw unreadable(file, refused);
    if (names_.empty())
      throw Error(ErrorCode::bad_data,
                  fmt::format("{} has none of the columns that are needed", file.source()),
                  n_columns_ == 0 ? "it has no columns at all"
                                  : fmt::format("its columns are {}", list_some(file.names(), 12)));
  }

  /// Where the columns that are read are in a file.
  [[nodiscard]] std::vector<std::int32_t> columns_in(const ArrowFile& file) const {
    std::vector<std::int32_t> places;
    std::vector<std::string> absent;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      const auto at = std::find(file.names().begin(), file.names().end(), names_[k]);
      if (at == file.names().end()) {
        absent.push_back(fmt::format("\"{}\"", names_[k]));
        continue;
      }
      const auto place = static_cast<std::size_t>(at - file.names().begin());
      if (file.types()[place] != types_[k] && file.types()[place] != kNullType && types_[k] != kNullType)
        throw Error(ErrorCode::bad_data,
                    fmt::format("column \"{}\" is {} in {} and {} in {}", names_[k], type_name(types_[k]),
                                paths_.front(), type_name(file.types()[place]), file.source()),
                    "write the files with the same types");
      places.push_back(static_cast<std::int32_t>(place));
    }
    if (!absent.empty())
      throw Error(ErrorCode::bad_data,
                  fmt::format("{} lacks columns that {} has: {}", file.source(), paths_.front(),
                              list_some(absent, 10)),
                  "files that are read together must have the same columns");
    return places;
  }

  /// Columns that were null in the files before may have a type in this one.
  void take_types(const ArrowFile& file, std::span<const std::int32_t> places) {
    for (std::size_t k = 0; k < places.size(); ++k) {
      const auto place = static_cast<std::size_t>(places[k]);
      if (types_[k] != kNullType || file.types()[place] == kNullType) continue;
      if (!is_readable(file.types()[place])) throw unreadable(file, {described(file, place)});
      types_[k] = file.types()[place];
      fields_[k] = {file.schema(), file.schema()->value.children[place]};
    }
  }

  void open_file(std::int64_t rows) {
    const std::string& path = paths_[next_file_];
    if (!memory_) marks_[next_file_].check();
    file_ = memory_ ? std::make_unique<ArrowFile>(memory_, path) : std::make_unique<ArrowFile>(path);
    ++next_file_;
    std::vector<std::int32_t> columns = columns_in(*file_);
    std::vector<std::int32_t> sorted = columns;
    std::sort(sorted.begin(), sorted.end());
    auto order = std::make_shared<ChildOrder>();
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const bool absent =
          types_[k] != kNullType && file_->types()[static_cast<std::size_t>(columns[k])] == kNullType;
      const auto at = std::lower_bound(sorted.begin(), sorted.end(), columns[k]) - sorted.begin();
      order->push_back(absent ? kNoChild : static_cast<std::size_t>(at));
    }
    order_ = std::move(order);
    stream_ = std::make_unique<SharedArrow<ArrowArrayStream>>();
    stream_->value = file_->batches(sorted, std::min(rows, kMostBatchRows));
  }

  void check(int status) const {
    if (status == 0) return;
    const char* text = stream_->value.get_last_error(&stream_->value);
    const std::string message =
        fmt::format("{}: {}", file_->source(), text == nullptr ? "it cannot be read" : in_one_line(text));
    if (status == ENOMEM) throw Error(ErrorCode::out_of_memory, message);
    throw Error(ErrorCode::bad_data, message, "the file is damaged or not complete; write or copy it again");
  }

  /// Whether rows are left; batch_ then has some.
  bool have_batch(std::int64_t rows) {
    while (batch_ == nullptr || batch_at_ == batch_->value.length) {
      batch_.reset();
      batch_at_ = 0;
      if (stream_ == nullptr) {
        if (next_file_ == paths_.size()) return false;
        open_file(rows);
      }
      auto batch = std::make_shared<SharedArrow<ArrowArray>>();
      batch->memory = memory_;
      check(stream_->value.get_next(&stream_->value, &batch->value));
      if (batch->value.release == nullptr) {
        stream_.reset();
        file_.reset();
      } else {
        batch_ = std::move(batch);
        tick();
      }
    }
    return true;
  }

  [[nodiscard]] Table table_of(std::vector<BatchPiece> pieces, std::int64_t n_rows) const {
    PieceStream joined(fields_, std::move(pieces));
    ArrowArrayStream stream = joined.stream();
    auto read = std::make_shared<Table>(Table::from_arrow(&stream));
    Table table;
    std::size_t at = 0;
    for (std::size_t c = 0; c < given_columns_.size(); ++c) {
      const std::string& name = given_columns_[c].name;
      if (given_columns_[c].blank) {
        ColumnView missing;
        missing.chunks.push_back(Chunk{.data = &kNoNumber, .length = n_rows});
        table.view(name, std::move(missing));
        continue;
      }
      const Table::Column& column = read->column(at++);
      const bool text = value_type(column) == Dtype::text;
      if (given_columns_[c].want == CsvWant::text && !text)
        add_owned(table, name, cells_as_text(column, n_rows));
      else if (given_columns_[c].want == CsvWant::number && text)
        add_owned(table, name, cells_as_numbers(name, column, n_rows, options_, given_));
      else
        table.view(name, std::get<ColumnView>(column));
    }
    table.hold(std::move(read));
    return table;
  }

  std::vector<std::string> paths_;
  std::vector<FileMark> marks_;
  std::shared_ptr<const TextBuffer> memory_;
  ReadOptions options_;
  // What is read and given.
  std::size_t n_columns_ = 0;
  std::vector<Given> given_columns_;
  std::vector<std::string> names_;
  std::vector<std::string> types_;
  std::int64_t n_rows_ = 0;
  std::vector<PieceField> fields_;
  // Where the pass is.
  std::size_t next_file_ = 0;
  std::unique_ptr<ArrowFile> file_;
  std::unique_ptr<SharedArrow<ArrowArrayStream>> stream_;
  std::shared_ptr<const ChildOrder> order_;
  SharedBatch batch_;
  std::int64_t batch_at_ = 0;
  std::int64_t given_ = 0;
};

}  // namespace

std::unique_ptr<TableBlocks> open_arrow_blocks(std::span<const std::string> paths, const ReadOptions& options,
                                               const ArrowWanted& wanted) {
  return std::make_unique<ArrowBlocks>(data_files(paths), options, wanted);
}

std::unique_ptr<TableBlocks> open_arrow_blocks(std::shared_ptr<const TextBuffer> bytes,
                                               const std::string& source, const ReadOptions& options,
                                               const ArrowWanted& wanted) {
  return std::make_unique<ArrowBlocks>(std::move(bytes), source, options, wanted);
}

std::vector<std::string> unreadable_columns(const std::string& path, const ReadOptions& options) {
  std::vector<std::string> names;
  if (!is_typed_file(path, options)) return names;
  const ArrowFile file(data_files({&path, 1}).front());
  for (std::size_t c = 0; c < file.names().size(); ++c)
    if (!is_readable(file.types()[c])) names.push_back(file.names()[c]);
  return names;
}

Table read_arrow(TableBlocks& blocks, const std::string& source) {
  std::optional<Table> table = blocks.next(std::numeric_limits<std::int64_t>::max());
  if (!table)
    throw Error(ErrorCode::bad_data, fmt::format("{} has no rows", source),
                "write at least one row of data into it");
  return std::move(*table);
}

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// Tables: named columns over owned or foreign memory, and the schema that says what they mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bough/error.hpp"

struct ArrowArrayStream;  // Arrow C stream interface, see bough/arrow_abi.h

namespace bough {

using RowId = std::uint32_t;
using ColId = std::int32_t;

/// Physical type of the cells of a column chunk.
enum class Dtype : std::uint8_t {
  f32,
  f64,
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  boolean,  ///< one byte per cell, 0 or 1
  bits,     ///< one bit per cell, least significant first (Arrow)
  text      ///< UTF-8 strings, see Chunk
};

/// A run of cells in memory somebody else owns. Cell i lives at data + i * stride bytes.
/// Missing: validity bit 0, or NaN in a floating column.
struct Chunk {
  const void* data = nullptr;  ///< cells; for text: int32 offsets (length + 1), or int64 if wide_offsets
  std::ptrdiff_t stride = 0;   ///< bytes between cells (ignored for bits and text)
  std::int64_t length = 0;     ///< number of cells
  std::int64_t offset = 0;     ///< first cell, in cells, for bits and validity (and text offsets)
  const std::uint8_t* validity = nullptr;  ///< bitmap, or null when all cells are valid
  const char* chars = nullptr;             ///< text only: the bytes the offsets point into
  bool wide_offsets = false;               ///< text only: offsets are int64
};

/// Non-owning view of one dense column: chunks of one physical type, or of codes into a dictionary.
struct ColumnView {
  Dtype dtype = Dtype::f64;
  std::vector<Chunk> chunks;
  /// When set, the cells are integer codes into this column of values. A code out of range is an error.
  std::shared_ptr<const ColumnView> dictionary;
  [[nodiscard]] std::int64_t length() const noexcept;
};

/// Non-owning view of one sparse column: rows that are not listed hold 0. Row ids strictly increase.
struct SparseView {
  Dtype dtype = Dtype::f64;  ///< f32 or f64
  const void* values = nullptr;
  const void* rows = nullptr;  ///< int32, or int64 if wide_rows
  bool wide_rows = false;
  std::int64_t count = 0;   ///< stored cells
  std::int64_t length = 0;  ///< rows of the table
};

/// Cells laid out regularly in foreign memory, f32 or f64: cell (row, column) lives at
/// data + row * row_stride + column * column_stride bytes.
struct MatrixView {
  Dtype dtype = Dtype::f64;
  const void* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::ptrdiff_t row_stride = 0;
  std::ptrdiff_t column_stride = 0;
};

/// What a column means to a tree.
enum class Kind : std::uint8_t {
  numeric,  ///< numbers; split at midpoints
  ordinal,  ///< ordered levels; split f < level
  category  ///< unordered levels; split by equality or subset
};

/// What a column is used for.
enum class Role : std::uint8_t { feature, target, weight, ignored, group, treatment };

/// The distinct values of a category, ordinal or class column, sorted by value (numbers by size,
/// text by bytes) unless the user gave an order. Numbers that are all whole are integers, however they were stored.
struct Levels {
  enum class Type : std::uint8_t { text, integer, real, boolean };
  Type type = Type::text;
  std::vector<std::string> names;  ///< printable form of every level; the value itself for text
  std::vector<double> numbers;     ///< integer, real, boolean: the values (empty for text)
  [[nodiscard]] std::size_t size() const noexcept { return names.size(); }
  bool operator==(const Levels&) const = default;
};

/// One column as the model remembers it.
struct Field {
  std::string name;
  Kind kind = Kind::numeric;
  Role role = Role::feature;
  Levels levels;  ///< category and ordinal (and class targets): the known values in order
  bool operator==(const Field&) const = default;
};

/// The columns of a table, in order.
struct Schema {
  std::vector<Field> fields;
  /// Index of a field, or nothing.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const noexcept;
  bool operator==(const Schema&) const = default;
};

/// A request by the user about one column; unset members are inferred.
struct ColumnSpec {
  std::string name{};
  std::optional<Kind> kind{};
  std::optional<Role> role{};
  std::vector<std::string> order{};  ///< ordinal: the levels from low to high
};

/// Options of the text readers.
struct ReadOptions {
  char delimiter = 0;  ///< 0: guessed among , ; tab |
  char decimal = '.';  ///< or a comma, and then numbers have no points
  /// Unset: the first line is a header if none of its cells is a number, if it has one of known_names, or if a
  /// cell that is none stands above one in the next row.
  std::optional<bool> header{};
  std::vector<std::string> known_names{};  ///< of columns, which the file need not have
  std::vector<std::string> missing = {"", "?", "NA", "N/A", "NaN", "nan", "null", "NULL"};
  std::vector<std::string> text_columns{};     ///< read as text whatever they look like
  std::vector<std::string> numeric_columns{};  ///< read as numbers; a cell that is none is an error
  bool text_others = false;    ///< TableStream: columns that the schema lacks are read as text
  std::int64_t max_rows = -1;  ///< stop after so many rows; -1: all
  std::string format{};        ///< csv, tsv, svmlight, arff; empty: from the file name
};

/// Named columns of equal length. A Table either owns its cells (readers, add_*) or views foreign memory
/// that must outlive it (view_*). Copying a Table shares the cells.
class Table {
 public:
  Table();
  [[nodiscard]] std::int64_t n_rows() const noexcept;
  [[nodiscard]] std::size_t n_columns() const noexcept;
  [[nodiscard]] const std::string& name(std::size_t column) const;
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const noexcept;

  using Column = std::variant<ColumnView, SparseView>;
  [[nodiscard]] const Column& column(std::size_t index) const;

  /// Appends a column of copied cells. Throws bad_data on a repeated name or another length.
  /// NaN is missing; an empty string is a value.
  void add(std::string name, std::span<const double> values);
  void add(std::string name, std::span<const float> values);
  void add(std::string name, std::span<const std::int64_t> values);
  void add(std::string name, std::span<const std::string> values);
  /// Appends text by codes: cell i is dictionary[codes[i]]; -1 is missing.
  void add(std::string name, std::span<const std::int32_t> codes, std::span<const std::string> dictionary);

  /// Appends columns that view foreign memory.
  void view(std::string name, ColumnView column);
  void view(std::string name, SparseView column);
  /// Every column of a matrix; strides in bytes; names "x0", "x1", ... when none are given.
  void view_matrix(Dtype dtype, const void* data, std::int64_t rows, std::int64_t columns,
                   std::ptrdiff_t row_stride, std::ptrdiff_t column_stride,
                   std::span<const std::string> names = {});
  /// Compressed sparse columns (zero copy) and rows (transposed once into owned columns).
  struct Compressed {
    Dtype dtype = Dtype::f64;  ///< f32 or f64
    const void* values = nullptr;
    const void* indices = nullptr;  ///< int32, or int64 if wide
    const void* starts = nullptr;   ///< columns + 1 (csc) or rows + 1 (csr) of the same width
    bool wide = false;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
  };
  void view_csc(const Compressed& matrix, std::span<const std::string> names = {});
  void add_csr(const Compressed& matrix, std::span<const std::string> names = {});
  /// Reads a whole Arrow C stream; the Table owns the released arrays. Nested types are refused by name.
  static Table from_arrow(ArrowArrayStream* stream);

  /// Keeps `owner` alive as long as this Table or a copy of it.
  void hold(std::shared_ptr<const void> owner);

  /// The given rows, in order, as a new table of copied cells.
  [[nodiscard]] Table take(std::span<const RowId> rows) const;

 private:
  struct Body;
  std::shared_ptr<Body> body_;
};

/// One cell as text for people: shortest number, the string itself, "true"/"false"; missing gives "".
std::string cell_text(const Table::Column& column, std::int64_t row);

/// Reads a file (csv, tsv, svmlight, arff; gzip and zstd by content; "-" is standard input).
/// Throws io when it cannot be read, bad_data naming line and column when it makes no sense.
Table read_table(const std::string& path, const ReadOptions& options = {});
/// The same from memory.
Table parse_table(std::string_view text, const ReadOptions& options = {});

/// Reads a file block by block in constant memory: each call gives the next table of at most
/// `rows` rows, or nothing at the end. Column types are fixed by `schema` (names to kinds).
class TableStream {
 public:
  TableStream(const std::string& path, const ReadOptions& options, const Schema& schema);
  ~TableStream();
  TableStream(TableStream&&) noexcept;
  TableStream& operator=(TableStream&&) noexcept;
  std::optional<Table> next(std::int64_t rows);
  /// Cells of the block that next() gave last as delimited text has them written, where nothing is missing: the columns
  /// that ReadOptions::text_columns or text_others asks for. Other files: no columns.
  [[nodiscard]] const Table& written() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// What the columns of a table mean: text and boolean become categories, numbers numeric; `specs` override.
/// Role of unnamed columns: feature. Unknown names in `specs` are errors.
Schema infer_schema(const Table& table, std::span<const ColumnSpec> specs = {});

/// Schema as editable JSON text and back (`bough schema`).
std::string schema_to_json(const Schema& schema);
Schema schema_from_json(std::string_view text);
/// The requests that give a table the kinds, roles and orders of this schema.
std::vector<ColumnSpec> schema_specs(const Schema& schema);

}  // namespace bough

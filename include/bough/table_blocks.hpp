// SPDX-License-Identifier: Apache-2.0
// Files as tables of some rows each, as often as wanted, in memory that does not grow with the files.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bough/table.hpp"

namespace bough {

/// Rows of one file or of several, one after the other. All tables of a pass have the same columns and types:
/// those that reading all rows at once would give.
class TableBlocks {
 public:
  TableBlocks() = default;
  TableBlocks(const TableBlocks&) = delete;
  TableBlocks& operator=(const TableBlocks&) = delete;
  virtual ~TableBlocks() = default;

  /// The next table, of at least one row and at most `rows`; nothing at the end. Throws as read_table() does,
  /// and io where a file has changed since it was opened.
  virtual std::optional<Table> next(std::int64_t rows) = 0;
  /// True where the last next() has found that a column is something else than the tables before have said (a
  /// word below a million numbers): they are void, and the table it gave is the first again. Happens once at
  /// most, in the first pass.
  [[nodiscard]] virtual bool started_over() const noexcept { return false; }
  /// Back to the first row, with the types of the pass before if that came to its end.
  virtual void rewind() = 0;
  /// How much of the files this pass has read, 0 to 1.
  [[nodiscard]] virtual double fraction() const noexcept = 0;
  /// Rows of all files together, or -1 where only reading tells.
  [[nodiscard]] virtual std::int64_t n_rows() const noexcept { return -1; }
  /// `body` is called now and then where next() takes long; what it throws ends that call.
  void on_tick(std::function<void()> body) { tick_ = std::move(body); }

 protected:
  void tick() const {
    if (tick_) tick_();
  }

 private:
  std::function<void()> tick_;
};

/// Opens files of one kind with the same columns: csv, tsv, arff (plain, gzip, zstd), and what the Arrow
/// component reads (Parquet, Arrow IPC). A folder stands for its files, a pattern (* ? [) for those it fits.
/// `ignored` columns of Parquet and Arrow files are not read and may be of any type; their cells are missing.
/// Throws not_supported for what cannot be read twice or in blocks (standard input, svmlight).
std::unique_ptr<TableBlocks> open_table_blocks(std::span<const std::string> paths,
                                               const ReadOptions& options = {},
                                               std::span<const std::string> ignored = {});

/// read_table(), for which a folder or a pattern may stand for Parquet or Arrow files with the same columns.
/// `ignored` columns of such files are not read and may be of any type; their cells are missing.
Table read_table(const std::string& path, const ReadOptions& options, std::span<const std::string> ignored);

/// All rows at once, with all columns, where those of the schema are read as a TableStream reads them: a numeric field
/// whose levels are of the type `real` takes no dates and truth values, one whose levels are integers no truth values. Columns of Parquet and Arrow files that the
/// schema lacks and that cannot be read are all missing. From memory: delimited text, which errors call `source`.
Table read_by_schema(const std::string& path, const ReadOptions& options, const Schema& schema);
Table parse_by_schema(std::string_view text, const ReadOptions& options, const Schema& schema,
                      const std::string& source);

/// The format of a file: ReadOptions::format where it is given, parquet or arrow for files that say what their columns
/// are, whatever they are called, else by the name (csv where that does not say it).
std::string file_format(const std::string& path, const ReadOptions& options = {});
/// True for Parquet and Arrow files, which say what their columns are (and for what cannot be opened: false).
bool is_typed_file(const std::string& path, const ReadOptions& options = {});
/// The columns of a Parquet or Arrow file whose types are not read (timestamps, lists, ...), to be ignored
/// where nobody needs them; none for other files.
std::vector<std::string> unreadable_columns(const std::string& path, const ReadOptions& options = {});

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// Parquet and Arrow IPC files, read by the Arrow component, which is loaded when the first one is opened.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bough/table.hpp"
#include "bough/table_blocks.hpp"
#include "data/arrow_component.h"
#include "data/arrow_pieces.hpp"
#include "data/bytes.hpp"

namespace bough {

/// What the first bytes of a file say.
enum class ArrowContent : std::uint8_t { none, parquet, ipc };
/// Throws not_supported, naming it, for relatives that are not read (encrypted Parquet, Feather of version
/// 1).
ArrowContent arrow_content(std::string_view head);
/// "parquet" and "arrow".
bool is_arrow_format(std::string_view format) noexcept;
/// Whether data that begin with `head` are for the component. Throws bad_data where `format`, by name or as
/// asked for, is "parquet" or "arrow" and they are something else.
bool check_arrow_content(std::string_view head, std::string_view format, const std::string& source);

/// The functions of the component, or of Python where there is no component (arrow_python.hpp). Throws not_supported where
/// a component cannot be loaded or is not where BOUGH_ARROW_PATH says: what was looked for where, and what to do.
const BoughArrowFunctions& arrow_component();

/// What a library says, which may be many lines, in one.
std::string in_one_line(std::string_view text);

/// One open file.
class ArrowFile {
 public:
  /// Throws io, bad_data, not_supported; messages begin with the path.
  explicit ArrowFile(const std::string& path);
  /// A file in memory, which it keeps; `source` names it in errors.
  ArrowFile(std::shared_ptr<const TextBuffer> bytes, std::string source);

  [[nodiscard]] const std::string& source() const noexcept { return source_; }
  /// Of all columns.
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  /// By column: the Arrow format, and after a colon that of its dictionary's values.
  [[nodiscard]] const std::vector<std::string>& types() const noexcept { return types_; }
  [[nodiscard]] const SharedSchema& schema() const noexcept { return schema_; }
  [[nodiscard]] std::int64_t n_rows() const noexcept;  ///< -1: only reading tells
  /// All rows of these columns (ascending), in batches of at most `batch_rows`. Whoever gets it releases it;
  /// batches need memory() as long as they live.
  [[nodiscard]] ArrowArrayStream batches(std::span<const std::int32_t> columns,
                                         std::int64_t batch_rows) const;
  [[nodiscard]] const std::shared_ptr<const TextBuffer>& memory() const noexcept { return memory_; }

 private:
  void read_schema();
  std::shared_ptr<const TextBuffer> memory_;  // first: the last to go
  std::string source_;
  std::shared_ptr<BoughArrowFile> file_;
  SharedSchema schema_;
  std::vector<std::string> names_;
  std::vector<std::string> types_;
};

/// Which columns are read.
struct ArrowWanted {
  std::vector<std::string> blank;  ///< not read, and given as missing cells; their type does not matter
  const std::vector<std::string>* only = nullptr;  ///< when set: all others are not given at all
};

/// Files of one kind and with the same columns, as one sequence of rows.
std::unique_ptr<TableBlocks> open_arrow_blocks(std::span<const std::string> paths, const ReadOptions& options,
                                               const ArrowWanted& wanted = {});
/// One file in memory.
std::unique_ptr<TableBlocks> open_arrow_blocks(std::shared_ptr<const TextBuffer> bytes,
                                               const std::string& source, const ReadOptions& options,
                                               const ArrowWanted& wanted = {});
/// All rows. Throws bad_data where there are none.
Table read_arrow(TableBlocks& blocks, const std::string& source);
/// Whether `path`, or the first file behind it (see data_files), is for the component, as it is stored: by
/// its first bytes unless `options` ask for a format, and by its name.
bool is_arrow_path(const std::string& path, const ReadOptions& options);

}  // namespace bough

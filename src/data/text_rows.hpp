// SPDX-License-Identifier: Apache-2.0
// One text file, some rows at a time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/interface.hpp"
#include "bough/table.hpp"
#include "data/csv.hpp"

namespace bough {

/// Some rows of a file, and what their columns have shown.
struct TextRows {
  Table table;
  std::vector<CsvSeen> seen;  ///< by column; empty where the file declares its types
};

class TextRowReader : public Interface {
 public:
  [[nodiscard]] virtual const std::vector<std::string>& names() const noexcept = 0;
  /// The next rows, at most `rows`, columns read as `wants` says (by column; of no interest where types are
  /// declared). Nothing at the end.
  virtual std::optional<TextRows> next(std::int64_t rows, std::span<const CsvWant> wants) = 0;
  /// What the options want of every column.
  [[nodiscard]] virtual const std::vector<CsvWant>& asked() const noexcept = 0;
  /// Bytes of the file read so far, as it is stored.
  [[nodiscard]] virtual std::size_t consumed() const noexcept = 0;
};

/// csv, tsv: header, delimiter and missing tokens as read_table() takes them. `options.format` is set.
std::unique_ptr<TextRowReader> open_csv_rows(const std::string& path, const ReadOptions& options);
/// The same for attribute-relation files.
std::unique_ptr<TextRowReader> open_arff_rows(const std::string& path, const ReadOptions& options);

}  // namespace bough

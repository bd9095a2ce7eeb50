// SPDX-License-Identifier: Apache-2.0
// A header of C or C++ while it is being written: names with a prefix or in a namespace, constant tables,
// bytes.
//
// Texts are written once for both languages. In them @name is a name of the header (prefix_name in C, name in
// the namespace of C++), $CELL the type of a cell, $VALUE that of a stored answer, $OUT that of an answer.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bough/export.hpp"
#include "export/code_tables.hpp"

namespace bough {

enum class CLanguage : std::uint8_t { c, cpp };

class CSource {
 public:
  CSource(const Model& model, CLanguage language, const ExportOptions& options);

  /// Adds text, with names, types and `static inline` as the language has them.
  void code(std::string_view text);
  /// Adds text as it is.
  void raw(std::string_view text);
  /// The largest number of the type that table() takes for these values: there the marks end.
  static std::uint32_t largest(std::span<const std::uint32_t> values);
  /// A constant table of the narrowest unsigned type; marks become its largest numbers.
  void table(std::string_view name, std::span<const std::uint32_t> values);
  void table(std::string_view name, std::span<const double> values, bool as_floats);
  /// A table of texts.
  void texts(std::string_view name, std::span<const std::string> texts);

  [[nodiscard]] std::string name(std::string_view text) const;
  /// The row of values of an end that t_end() gave.
  [[nodiscard]] std::string row_of(std::string_view end) const;
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::string take() { return std::move(out_); }

  const Model& model;
  const CLanguage language;
  const bool floats;    ///< cells are floats
  const bool branches;  ///< if-else instead of tables
  const std::string prefix;
  const CodeTables tables;
  const bool simple;         ///< one tree, and rows end whole: answers are rows of a table
  const bool keeps_values;   ///< the table of values is looked at
  const bool floats_stored;  ///< it holds floats

 private:
  std::string out_;
  std::size_t bytes_ = 0;
};

/// Names of columns, and functions that turn categories into cells.
void write_columns(CSource& out);
/// Functions that find where a row ends in a tree: t_end(tree, row), and with shares t_parts(tree, row, out).
void write_table_walk(CSource& out);
/// The same as if-else. Throws not_supported for what only tables can do.
void write_branch_walk(CSource& out);
/// What several trees, or several parts of a row, say together.
void write_answer(CSource& out);
/// Tables and functions of sets, maps, cuts and sums that both styles use.
void write_tests(CSource& out);

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// Cells and rows of delimited text: quotes, blanks, line ends, and where we are in the file.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "bough/error.hpp"

namespace bough {

/// Walks over delimited text that is followed by a NUL. A cell is quoted when its first character that is no
/// blank is a quote; inside, a doubled quote is a quote. Unquoted cells are trimmed of blanks.
class CellScanner {
 public:
  /// `source` names the text in errors and may be empty. `line` is the number of the first line.
  CellScanner(std::string_view text, char delimiter, std::string source, std::int64_t line = 1);

  [[nodiscard]] const char* at() const noexcept { return at_; }
  [[nodiscard]] const char* end() const noexcept { return end_; }
  void seek(const char* at) noexcept { at_ = at; }
  [[nodiscard]] char delimiter() const noexcept { return delimiter_; }
  /// Line of the row being read.
  [[nodiscard]] std::int64_t line() const noexcept { return line_; }
  /// True for the characters behind which an unquoted cell cannot go on.
  [[nodiscard]] bool is_stop(char c) const noexcept { return stop_[static_cast<unsigned char>(c)]; }
  [[nodiscard]] bool at_end() const noexcept { return at_ == end_; }
  [[nodiscard]] bool at_delimiter() const noexcept { return *at_ == delimiter_ && at_ != end_; }
  [[nodiscard]] bool at_row_end() const noexcept { return at_ == end_ || *at_ == '\n' || *at_ == '\r'; }

  /// Reads the cell at the current place and stops behind it; the text lives until the next call. `column` is
  /// for errors only.
  std::string_view cell(std::string_view column);
  /// Passes over the delimiter.
  void next_cell() noexcept { ++at_; }
  /// Passes over the line end.
  void next_row() noexcept;
  /// Passes over lines that are empty or blank.
  void skip_blank_rows() noexcept;

  /// An error at the current line; `column` may be empty.
  [[nodiscard]] Error error(std::string_view column, std::string_view what, std::string hint = {}) const;

 private:
  std::string_view quoted_cell(std::string_view column);
  [[nodiscard]] bool is_blank(char c) const noexcept { return (c == ' ' || c == '\t') && c != delimiter_; }

  const char* at_;
  const char* end_;
  char delimiter_;
  std::int64_t line_;
  std::int64_t inner_lines_ = 0;  // line ends inside quotes of the current row
  std::string source_;
  std::string unescaped_;
  std::array<bool, 256> stop_{};
};

}  // namespace bough

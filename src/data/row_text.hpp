// SPDX-License-Identifier: Apache-2.0
// Delimited text on its way from a file: a buffer of whole rows and the start of more.
//
// A row end is a line end outside quotes, found once per byte by RowFinder. Empty lines wait for the row
// behind them, so that those at the end of the file are never taken for rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/bytes.hpp"

namespace bough {

/// Where the last whole row of a growing text ends.
class RowFinder {
 public:
  explicit RowFinder(char delimiter) : delimiter_(delimiter) {}
  /// Looks at the next bytes; gives the length of whole rows in them, 0 when no row ends here.
  std::size_t feed(std::string_view bytes) noexcept;
  /// Line ends outside quotes so far: at least as many as rows.
  [[nodiscard]] std::int64_t rows() const noexcept { return rows_; }

 private:
  enum class State : std::uint8_t { cell_start, plain, quoted, quote_seen };
  char delimiter_;
  State state_ = State::cell_start;
  bool blank_ = true;      // nothing but blanks since the last line end
  bool after_cr_ = false;  // the last byte was a carriage return
  std::int64_t rows_ = 0;
};

/// The rows of one source, read from front to back in memory that does not grow with it.
class RowText {
 public:
  /// `name` is for errors.
  RowText(std::unique_ptr<ByteSource> bytes, std::string name);

  struct Head {
    std::string_view text;
    std::size_t first_row = 0;  ///< where the first row that is not blank ends, its line end included
  };
  /// Reads the first row that is not blank, and at least `bytes` bytes if there are so many. Before start()
  /// only.
  Head head(std::size_t bytes);
  /// Rows begin `at` bytes behind the front, in line `line`.
  void start(char delimiter, std::size_t at, std::int64_t line);
  /// Whole rows, `count` of them or more where so many are left (fewer where lines are blank); empty at the
  /// end. What this and head() give is followed by a NUL.
  std::string_view rows(std::int64_t count);
  /// The front of rows() that was used up, the line behind it, and how many rows it was.
  void use(std::size_t bytes, std::int64_t line, std::int64_t count) noexcept;
  [[nodiscard]] std::int64_t line() const noexcept { return line_; }
  /// Bytes of the file read so far, as it is stored.
  [[nodiscard]] std::size_t consumed() const noexcept { return bytes_->consumed(); }

 private:
  std::size_t fill();
  void find_rows(std::size_t fresh);
  void end_text(std::size_t at) noexcept;

  std::unique_ptr<ByteSource> bytes_;
  std::string name_;
  // [begin, rows_end) of the buffer are whole rows, [rows_end, size) the start of more.
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t rows_end_ = 0;
  std::size_t size_ = 0;
  bool at_end_ = false;
  std::int64_t line_ = 1;
  std::int64_t used_ = 0;
  RowFinder finder_{','};
  std::size_t nul_at_ = 0;  // where a character was put aside for a NUL
  char kept_ = '\0';
  bool has_nul_ = false;
};

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// What the tests of tables share: cells as text, errors as values, files that go away.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "bough/table.hpp"
#include "data/cells.hpp"

namespace bough::test {

/// The bough::Error that `body` throws; fails the test when it throws none.
template <class F>
Error error_of(F&& body) {
  try {
    body();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error was thrown";
  return Error(ErrorCode::internal, "none");
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

#define EXPECT_MENTIONS(text, part) EXPECT_TRUE(bough::test::contains(text, part)) << "in: " << (text)

inline const Table::Column& column_of(const Table& table, const std::string& name) {
  return table.column(table.find(name).value());
}

inline std::vector<double> numbers_of(const Table& table, const std::string& name) {
  std::vector<double> out(static_cast<std::size_t>(table.n_rows()));
  read_numbers(column_of(table, name), 0, out);
  return out;
}

/// Cells as text; missing ones as "<missing>".
inline std::vector<std::string> texts_of(const Table& table, const std::string& name) {
  std::vector<std::string> out;
  for (std::int64_t row = 0; row < table.n_rows(); ++row)
    out.push_back(is_missing(column_of(table, name), row) ? "<missing>"
                                                          : cell_text(column_of(table, name), row));
  return out;
}

/// Type of the cells, through a dictionary.
inline Dtype type_of(const Table& table, const std::string& name) {
  const ColumnView& view = std::get<ColumnView>(column_of(table, name));
  return view.dictionary ? view.dictionary->dtype : view.dtype;
}

using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

/// A file in the temporary folder that is removed at the end.
class TempFile {
 public:
  TempFile(const std::string& name, const std::string& bytes)
      : path_(std::filesystem::temp_directory_path() / ("bough_" + std::to_string(::getpid()) + "_" + name)) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  ~TempFile() { std::filesystem::remove(path_); }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace bough::test

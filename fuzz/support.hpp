// SPDX-License-Identifier: Apache-2.0
// What every fuzz target needs: refusals that are right, promises that are checked, tables as text.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/hash.hpp"
#include "bough/error.hpp"
#include "bough/table.hpp"
#include "data/cells.hpp"
#include "data/chunks.hpp"

namespace bough::fuzz {

[[noreturn]] inline void broken(std::string_view promise, std::string_view details = {}) {
  std::fprintf(stderr, "BROKEN PROMISE: %.*s\n%.*s\n", static_cast<int>(promise.size()), promise.data(),
               static_cast<int>(details.size()), details.data());
  std::abort();
}

/// A promise of the library; the fuzzer keeps the input for which it does not hold.
inline void promise(bool holds, std::string_view what, std::string_view details = {}) {
  if (!holds) broken(what, details);
}

/// Runs `body`; true when it came to its end, false when it refused by an Error with words in it. Any other
/// exception is a crash, and so is an error that blames ourselves.
template <class F>
bool accepted(F&& body) {
  try {
    body();
    return true;
  } catch (const Error& error) {
    promise(error.code() != ErrorCode::internal, "no input leads to an internal error", error.what());
    promise(error.what()[0] != '\0', "an error says what is wrong");
    return false;
  }
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) noexcept {
  return {reinterpret_cast<const char*>(data), size};
}

/// One choice out of `count`, the same for the same input.
inline std::size_t choice_of(std::string_view input, std::size_t count, std::uint64_t salt = 0) noexcept {
  return static_cast<std::size_t>(hash_text(input, salt) % count);
}

/// A table as text: names and cells, missing cells told from empty ones. Numbers as doubles.
inline std::string cells_text(const Table& table) {
  std::string out;
  for (std::size_t c = 0; c < table.n_columns(); ++c) {
    const Table::Column& column = table.column(c);
    out += "[" + table.name(c) + "]";
    for (std::int64_t row = 0; row < table.n_rows(); ++row)
      out += is_missing(column, row) ? "\x01" : "|" + cell_text(column, row);
  }
  return out;
}

/// What every table must be good for: its cells can be read, taken, and given a meaning.
inline void use_table(const Table& table) {
  const std::string cells = cells_text(table);
  std::vector<RowId> rows;
  for (std::int64_t row = 0; row < table.n_rows(); ++row) rows.push_back(static_cast<RowId>(row));
  const Table taken = table.take(rows);
  promise(cells_text(taken) == cells, "the rows of a table, taken in order, are the table", cells);
  if (choice_of(cells, 16) != 0) return;  // slow: JSON
  accepted([&] {
    const Schema schema = infer_schema(table);
    promise(schema_from_json(schema_to_json(schema)) == schema, "a schema survives its JSON", cells);
  });
}

}  // namespace bough::fuzz

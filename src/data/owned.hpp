// SPDX-License-Identifier: Apache-2.0
// Columns that own their cells: what the readers build and hand to a Table.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bough/table.hpp"

namespace bough {

/// Distinct texts, numbered in order of appearance.
class TextDictionary {
 public:
  /// Number of a text, new or known. Throws not_supported above 2^31 - 1 texts.
  std::int32_t code(std::string_view text);
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size() - 1; }
  [[nodiscard]] std::string_view operator[](std::size_t code) const noexcept {
    const auto from = static_cast<std::size_t>(ends_[code]);
    return {chars_.data() + from, static_cast<std::size_t>(ends_[code + 1]) - from};
  }
  /// Gives up the offsets (size() + 1) and the characters.
  std::pair<std::vector<std::int64_t>, std::string> release() &&;

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::int32_t code = -1;
  };
  void grow();

  std::vector<std::int64_t> ends_{0};
  std::string chars_;
  std::vector<Slot> slots_;  // open addressing, a power of two, at most half full
};

/// A view and the memory behind it.
struct OwnedColumn {
  ColumnView view;
  std::shared_ptr<const void> memory;
};

/// A bitmap of `present`, least significant bit first, as ColumnView wants it.
std::vector<std::uint8_t> pack_bits(const std::vector<bool>& present);

/// Text cells by codes; -1 is missing.
OwnedColumn own_text(std::vector<std::int32_t> codes, TextDictionary dictionary);
/// Fixed-width cells; `validity` is a bitmap, empty when nothing is missing.
template <class T>
OwnedColumn own_cells(std::vector<T> cells, Dtype dtype, std::vector<std::uint8_t> validity = {}) {
  struct Memory {
    std::vector<T> cells;
    std::vector<std::uint8_t> validity;
  };
  auto memory = std::make_shared<const Memory>(Memory{std::move(cells), std::move(validity)});
  OwnedColumn column;
  column.view.dtype = dtype;
  column.view.chunks.push_back(
      Chunk{.data = memory->cells.data(),
            .stride = sizeof(T),
            .length = std::ssize(memory->cells),
            .validity = memory->validity.empty() ? nullptr : memory->validity.data()});
  column.memory = std::move(memory);
  return column;
}

/// Appends the column and keeps its memory alive.
void add_owned(Table& table, std::string name, OwnedColumn column);

}  // namespace bough

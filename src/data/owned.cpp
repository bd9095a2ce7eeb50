// SPDX-License-Identifier: Apache-2.0
// Columns that own their cells.
#include "data/owned.hpp"

#include <functional>
#include <limits>

namespace bough {

std::int32_t TextDictionary::code(std::string_view text) {
  if (2 * (size() + 1) > slots_.size()) grow();
  const std::size_t full = std::hash<std::string_view>{}(text);
  const auto hash = static_cast<std::uint32_t>(full ^ (full >> 32));
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.code < 0) {
      if (size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw Error(ErrorCode::not_supported, "a text column has more than 2,147,483,647 distinct values");
      slot = {hash, static_cast<std::int32_t>(size())};
      chars_.append(text);
      ends_.push_back(static_cast<std::int64_t>(chars_.size()));
      return slot.code;
    }
    if (slot.hash == hash && (*this)[static_cast<std::size_t>(slot.code)] == text) return slot.code;
  }
}

void TextDictionary::grow() {
  std::vector<Slot> old(slots_.empty() ? 32 : 2 * slots_.size());
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.code < 0) continue;
    std::size_t at = slot.hash & mask;
    while (slots_[at].code >= 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

std::pair<std::vector<std::int64_t>, std::string> TextDictionary::release() && {
  slots_.clear();
  return {std::move(ends_), std::move(chars_)};
}

std::vector<std::uint8_t> pack_bits(const std::vector<bool>& present) {
  std::vector<std::uint8_t> bits((present.size() + 7) / 8, 0);
  for (std::size_t i = 0; i < present.size(); ++i)
    if (present[i]) bits[i >> 3] = static_cast<std::uint8_t>(bits[i >> 3] | (1u << (i & 7)));
  return bits;
}

OwnedColumn own_text(std::vector<std::int32_t> codes, TextDictionary dictionary) {
  struct Memory {
    std::vector<std::int64_t> offsets;
    std::string chars;
  };
  std::vector<std::uint8_t> validity;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] >= 0) continue;
    if (validity.empty()) validity.assign((codes.size() + 7) / 8, 0xFF);
    codes[i] = 0;
    validity[i >> 3] = static_cast<std::uint8_t>(validity[i >> 3] & ~(1u << (i & 7)));
  }
  auto [offsets, chars] = std::move(dictionary).release();
  auto values = std::make_shared<const Memory>(Memory{std::move(offsets), std::move(chars)});
  auto dictionary_view = std::make_shared<ColumnView>();
  dictionary_view->dtype = Dtype::text;
  dictionary_view->chunks.push_back(Chunk{.data = values->offsets.data(),
                                          .length = std::ssize(values->offsets) - 1,
                                          .chars = values->chars.data(),
                                          .wide_offsets = true});
  OwnedColumn column = own_cells(std::move(codes), Dtype::i32, std::move(validity));
  column.view.dictionary = std::move(dictionary_view);
  using Both = std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>;
  column.memory = std::make_shared<const Both>(column.memory, values);
  return column;
}

void add_owned(Table& table, std::string name, OwnedColumn column) {
  table.hold(std::move(column.memory));  // first: a view of cells that nobody holds must not stay behind
  table.view(std::move(name), std::move(column.view));
}

}  // namespace bough

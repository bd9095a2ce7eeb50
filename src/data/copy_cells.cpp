// SPDX-License-Identifier: Apache-2.0
// Chosen cells of a dense column, copied.
#include "data/copy_cells.hpp"

#include <algorithm>

#include "data/chunks.hpp"

namespace bough {
namespace {

/// Finds the chunk of a row; cheap for rows near the one asked before.
class Cursor {
 public:
  explicit Cursor(const ColumnView& view) : view_(&view) {
    for (const Chunk& chunk : view.chunks) starts_.push_back(starts_.back() + chunk.length);
  }
  CellPlace at(std::int64_t row) noexcept {
    if (row < starts_[chunk_] || row >= starts_[chunk_ + 1])
      chunk_ =
          static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end(), row) - starts_.begin()) -
          1;
    return {&view_->chunks[chunk_], row - starts_[chunk_]};
  }

 private:
  const ColumnView* view_;
  std::vector<std::int64_t> starts_{0};
  std::size_t chunk_ = 0;
};

bool has_validity(const ColumnView& view) noexcept {
  return std::any_of(view.chunks.begin(), view.chunks.end(),
                     [](const Chunk& c) { return c.validity != nullptr; });
}

std::vector<std::uint8_t> gather_validity(const ColumnView& view, std::span<const RowId> rows) {
  if (!has_validity(view) || rows.empty()) return {};
  Cursor cursor(view);
  std::vector<bool> present(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CellPlace place = cursor.at(rows[i]);
    present[i] = is_valid(*place.chunk, place.index);
  }
  return pack_bits(present);
}

template <class T>
OwnedColumn gather_cells(const ColumnView& view, std::span<const RowId> rows) {
  std::vector<T> cells(rows.size());
  Cursor cursor(view);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CellPlace place = cursor.at(rows[i]);
    if constexpr (std::is_same_v<T, std::uint8_t>) {
      if (view.dtype == Dtype::bits) {
        cells[i] = bit_at(place.chunk->data, place.chunk->offset + place.index) ? 1 : 0;
        continue;
      }
    }
    cells[i] = load_cell<T>(*place.chunk, place.index);
  }
  const Dtype dtype = view.dtype == Dtype::bits ? Dtype::boolean : view.dtype;
  return own_cells(std::move(cells), dtype, gather_validity(view, rows));
}

OwnedColumn gather_text(const ColumnView& view, std::span<const RowId> rows) {
  TextDictionary dictionary;
  std::vector<std::int32_t> codes(rows.size(), -1);
  Cursor cursor(view);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CellPlace place = cursor.at(rows[i]);
    if (is_valid(*place.chunk, place.index)) codes[i] = dictionary.code(text_at(*place.chunk, place.index));
  }
  return own_text(std::move(codes), std::move(dictionary));
}

/// Calls visit(i, code) for every known cell rows[i].
template <class Visit>
void each_code(const ColumnView& view, std::span<const RowId> rows, Visit visit) {
  Cursor cursor(view);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CellPlace place = cursor.at(rows[i]);
    if (is_valid(*place.chunk, place.index)) visit(i, code_at(view.dtype, *place.chunk, place.index));
  }
}

/// Codes into text: the dictionary is made anew from the values in use.
OwnedColumn gather_text_codes(const ColumnView& view, std::span<const RowId> rows) {
  TextDictionary dictionary;
  std::vector<std::int32_t> renumbered(static_cast<std::size_t>(view.dictionary->length()), -2);
  std::vector<std::int32_t> codes(rows.size(), -1);
  Cursor values(*view.dictionary);
  each_code(view, rows, [&](std::size_t i, std::int64_t code) {
    std::int32_t& own = renumbered.at(static_cast<std::size_t>(code));
    if (own == -2) {
      const CellPlace value = values.at(code);
      own = is_valid(*value.chunk, value.index) ? dictionary.code(text_at(*value.chunk, value.index)) : -1;
    }
    codes[i] = own;
  });
  return own_text(std::move(codes), std::move(dictionary));
}

/// Codes into numbers: the numbers themselves.
OwnedColumn gather_number_codes(const ColumnView& view, std::span<const RowId> rows) {
  const auto n_values = static_cast<std::size_t>(view.dictionary->length());
  std::vector<bool> present(rows.size());
  std::vector<RowId> codes(rows.size(), 0);
  Cursor values(*view.dictionary);
  each_code(view, rows, [&](std::size_t i, std::int64_t code) {
    if (code < 0 || static_cast<std::size_t>(code) >= n_values)
      throw Error(ErrorCode::bad_data, "a code lies outside its dictionary");
    const CellPlace value = values.at(code);
    present[i] = is_valid(*value.chunk, value.index);
    codes[i] = static_cast<RowId>(code);
  });
  if (n_values == 0) {
    const Dtype dtype = is_boolean(value_type(view)) ? Dtype::boolean : value_type(view);
    return with_cell_type(dtype, [&](auto type) {
      return own_cells(std::vector<typename decltype(type)::type>(rows.size()), dtype, pack_bits(present));
    });
  }
  OwnedColumn cells = gather(*view.dictionary, codes);
  const auto bits = std::make_shared<const std::vector<std::uint8_t>>(pack_bits(present));
  cells.view.chunks.front().validity = bits->data();
  using Both = std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>;
  cells.memory = std::make_shared<const Both>(cells.memory, bits);
  return cells;
}

}  // namespace

OwnedColumn gather(const ColumnView& view, std::span<const RowId> rows) {
  if (view.dictionary)
    return value_type(view) == Dtype::text ? gather_text_codes(view, rows) : gather_number_codes(view, rows);
  if (view.dtype == Dtype::text) return gather_text(view, rows);
  return with_cell_type(view.dtype,
                        [&](auto type) { return gather_cells<typename decltype(type)::type>(view, rows); });
}

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// One column of an Arrow stream, over all its batches, as a column of a table.
#include "data/arrow_column.hpp"

#include <fmt/format.h>

#include <limits>
#include <numeric>

#include "data/chunks.hpp"
#include "data/copy_cells.hpp"
#include "data/owned.hpp"

namespace bough {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Error arrow_error(const std::string& name, const std::string& what) {
  return Error(ErrorCode::bad_data, fmt::format("Arrow column \"{}\": {}", name, what));
}

const void* buffer_of(const ArrowColumn& column, const ArrowArray& array, std::int64_t index) {
  if (index >= array.n_buffers || array.buffers == nullptr)
    throw arrow_error(column.name, fmt::format("{} buffers where {} are needed", array.n_buffers, index + 1));
  return array.buffers[index];
}

/// Texts end behind where they begin; where the last of them ends nobody can check, an array does not tell.
template <class Offset>
void check_offsets(const ArrowColumn& column, const ArrowPart& part, const char* offsets, const char* chars) {
  const char* at = offsets + part.first * static_cast<std::int64_t>(sizeof(Offset));
  auto begin = load_as<Offset>(at);
  for (std::int64_t i = 0; i < part.length; ++i) {
    const auto end = load_as<Offset>(at + (i + 1) * static_cast<std::int64_t>(sizeof(Offset)));
    if (begin < 0 || end < begin)
      throw arrow_error(column.name, fmt::format("text {} goes from byte {} to byte {}", i, begin, end));
    if (end > begin && chars == nullptr) throw arrow_error(column.name, "texts without a buffer");
    begin = end;
  }
}

/// The cells of a part as a chunk over its own memory. Not for text views.
Chunk chunk_of(const ArrowColumn& column, const ArrowType& type, const ArrowPart& part) {
  Chunk chunk{.length = part.length};
  if (type.layout == ArrowLayout::nothing) {
    chunk.data = &kNaN;  // stride 0: every cell is this one
    return chunk;
  }
  if (part.length == 0) return chunk;
  chunk.offset = part.first;
  if (part.array->null_count != 0)
    chunk.validity = static_cast<const std::uint8_t*>(buffer_of(column, *part.array, 0));
  const auto* data = static_cast<const char*>(buffer_of(column, *part.array, 1));
  if (data == nullptr) throw arrow_error(column.name, "cells without a buffer");
  chunk.data = data;
  if (type.layout == ArrowLayout::plain) {
    chunk.stride = cell_bytes(type.dtype);
    chunk.data = data + part.first * chunk.stride;
  } else if (type.layout != ArrowLayout::bits) {
    chunk.wide_offsets = type.layout == ArrowLayout::wide_text;
    chunk.chars = static_cast<const char*>(buffer_of(column, *part.array, 2));
    if (chunk.wide_offsets) {
      check_offsets<std::int64_t>(column, part, data, chunk.chars);
    } else {
      check_offsets<std::int32_t>(column, part, data, chunk.chars);
    }
  }
  return chunk;
}

/// Cell i of a text view part: short texts sit in the view, long ones in one of the data buffers.
std::string_view text_view_at(const ArrowColumn& column, const ArrowPart& part, std::int64_t i) {
  const auto* views = static_cast<const char*>(buffer_of(column, *part.array, 1));
  if (views == nullptr) throw arrow_error(column.name, "cells without a buffer");
  const char* view = views + (part.first + i) * 16;
  const auto length = load_as<std::int32_t>(view);
  if (length < 0) throw arrow_error(column.name, "a text of negative length");
  if (length <= 12) return {view + 4, static_cast<std::size_t>(length)};
  const auto buffer = load_as<std::int32_t>(view + 8);
  const auto offset = load_as<std::int32_t>(view + 12);
  // The last buffer of the array holds the lengths of the data buffers.
  const std::int64_t n_data = part.array->n_buffers - 3;
  const auto* lengths = static_cast<const char*>(buffer_of(column, *part.array, part.array->n_buffers - 1));
  if (buffer < 0 || buffer >= n_data || offset < 0 || lengths == nullptr ||
      offset + static_cast<std::int64_t>(length) > load_as<std::int64_t>(lengths + buffer * std::int64_t{8}))
    throw arrow_error(column.name, "a text view points outside its buffers");
  const auto* chars = static_cast<const char*>(buffer_of(column, *part.array, 2 + buffer));
  if (chars == nullptr) throw arrow_error(column.name, "texts without a buffer");
  return {chars + offset, static_cast<std::size_t>(length)};
}

bool is_present(const ArrowColumn& column, const ArrowPart& part, std::int64_t i) {
  if (part.array->null_count == 0) return true;
  const void* validity = buffer_of(column, *part.array, 0);
  return validity == nullptr || bit_at(validity, part.first + i);
}

OwnedColumn copy_text_views(const ArrowColumn& column) {
  TextDictionary dictionary;
  std::vector<std::int32_t> codes;
  for (const ArrowPart& part : column.parts)
    for (std::int64_t i = 0; i < part.length; ++i)
      codes.push_back(is_present(column, part, i) ? dictionary.code(text_view_at(column, part, i)) : -1);
  return own_text(std::move(codes), std::move(dictionary));
}

ArrowPart whole_array(const ArrowArray& array) {
  return {&array, array.offset, array.length};
}

void check_dictionary(const ArrowColumn& column, const ArrowArray* dictionary) {
  if (dictionary == nullptr) throw arrow_error(column.name, "codes without their dictionary");
  // A buffer of so many values has addresses.
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 16;
  if (dictionary->length < 0 || dictionary->offset < 0 || dictionary->offset > kMost ||
      dictionary->length > kMost - dictionary->offset)
    throw arrow_error(column.name, fmt::format("a dictionary of {} values behind {} others",
                                               dictionary->length, dictionary->offset));
}

bool same_buffers(const ArrowArray& a, const ArrowArray& b) {
  if (&a == &b) return true;
  if (a.length != b.length || a.offset != b.offset || a.n_buffers != b.n_buffers ||
      a.null_count != b.null_count || a.buffers == nullptr || b.buffers == nullptr)
    return false;
  for (std::int64_t i = 0; i < a.n_buffers; ++i)
    if (a.buffers[i] != b.buffers[i]) return false;
  return a.length > 0;
}

/// The dictionary of one batch as a view. Not for text views.
std::shared_ptr<const ColumnView> dictionary_view(const ArrowColumn& column, const ArrowPart& part) {
  auto view = std::make_shared<ColumnView>();
  view->dtype = column.values.dtype;
  view->chunks.push_back(chunk_of(column, column.values, whole_array(*part.array->dictionary)));
  return view;
}

bool share_dictionary(const ArrowColumn& column) {
  for (const ArrowPart& part : column.parts)
    if (!same_buffers(*part.array->dictionary, *column.parts.front().array->dictionary)) return false;
  return column.values.layout != ArrowLayout::text_view;
}

/// New code of every entry of a batch's dictionary: equal texts get one code.
std::vector<std::int32_t> entry_codes(const ArrowColumn& column, const ArrowPart& part,
                                      TextDictionary& merged) {
  const ArrowPart entries = whole_array(*part.array->dictionary);
  std::vector<std::int32_t> codes(static_cast<std::size_t>(entries.length), -1);
  const bool views = column.values.layout == ArrowLayout::text_view;
  const Chunk chunk = views ? Chunk{} : chunk_of(column, column.values, entries);
  for (std::int64_t i = 0; i < entries.length; ++i)
    if (is_present(column, entries, i))
      codes[static_cast<std::size_t>(i)] =
          merged.code(views ? text_view_at(column, entries, i) : text_at(chunk, i));
  return codes;
}

OwnedColumn merge_text_dictionaries(const ArrowColumn& column) {
  TextDictionary merged;
  std::vector<std::int32_t> codes;
  for (const ArrowPart& part : column.parts) {
    const std::vector<std::int32_t> entries = entry_codes(column, part, merged);
    const Chunk chunk = chunk_of(column, column.type, part);
    for (std::int64_t i = 0; i < part.length; ++i) {
      if (!is_valid(chunk, i)) {
        codes.push_back(-1);
        continue;
      }
      const std::int64_t code = code_at(column.type.dtype, chunk, i);
      if (code < 0 || code >= std::ssize(entries))
        throw arrow_error(
            column.name, fmt::format("code {} is outside its dictionary of {} values", code, entries.size()));
      codes.push_back(entries[static_cast<std::size_t>(code)]);
    }
  }
  return own_text(std::move(codes), std::move(merged));
}

/// Numbers by codes into dictionaries that differ: the numbers themselves, a chunk per batch.
OwnedColumn expand_number_dictionaries(const ArrowColumn& column) {
  OwnedColumn all;
  auto memory = std::make_shared<std::vector<std::shared_ptr<const void>>>();
  for (const ArrowPart& part : column.parts) {
    ColumnView codes;
    codes.dtype = column.type.dtype;
    codes.chunks.push_back(chunk_of(column, column.type, part));
    codes.dictionary = dictionary_view(column, part);
    std::vector<RowId> rows(static_cast<std::size_t>(part.length));
    std::iota(rows.begin(), rows.end(), RowId{0});
    OwnedColumn values = gather(codes, rows);
    all.view.dtype = values.view.dtype;
    all.view.chunks.push_back(values.view.chunks.front());
    memory->push_back(std::move(values.memory));
  }
  all.memory = std::move(memory);
  return all;
}

}  // namespace

void add_arrow_column(Table& table, const ArrowColumn& column) {
  if (column.schema->dictionary == nullptr) {
    if (column.type.layout == ArrowLayout::text_view)
      return add_owned(table, column.name, copy_text_views(column));
    ColumnView view;
    view.dtype = column.type.dtype;
    for (const ArrowPart& part : column.parts) view.chunks.push_back(chunk_of(column, column.type, part));
    return table.view(column.name, std::move(view));
  }
  for (const ArrowPart& part : column.parts) check_dictionary(column, part.array->dictionary);
  if (column.parts.empty() || !share_dictionary(column)) {
    const bool text = column.values.dtype == Dtype::text;
    return add_owned(
        table, column.name,
        text || column.parts.empty() ? merge_text_dictionaries(column) : expand_number_dictionaries(column));
  }
  ColumnView view;
  view.dtype = column.type.dtype;
  for (const ArrowPart& part : column.parts) view.chunks.push_back(chunk_of(column, column.type, part));
  view.dictionary = dictionary_view(column, column.parts.front());
  table.view(column.name, std::move(view));
}

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// Table::from_arrow: a stream of record batches becomes a table over the batches' own memory.
//
// Numbers, booleans and text are viewed where they are; text views and dictionaries that differ between
// batches are copied. Every struct that was handed to us is released, on errors too: the stream and the
// schema on return, the batches with the last table that views them.
#include <fmt/format.h>

#include <limits>

#include "base/text.hpp"
#include "bough/arrow_abi.h"
#include "bough/table.hpp"
#include "data/arrow_column.hpp"
#include "data/arrow_type.hpp"
#include "data/chunks.hpp"

namespace bough {
namespace {

/// Releases what it holds, once.
template <class T>
struct Released {
  T value{};
  Released() = default;
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
  ~Released() {
    if (value.release != nullptr) value.release(&value);
  }
};
struct StreamRelease {
  ArrowArrayStream* stream;
  ~StreamRelease() {
    if (stream->release != nullptr) stream->release(stream);
  }
};

using Batch = std::shared_ptr<Released<ArrowArray>>;

Error stream_error(const std::string& what, std::string hint = {}) {
  return Error(ErrorCode::bad_data, fmt::format("Arrow stream: {}", what), std::move(hint));
}

void check_call(ArrowArrayStream* stream, int status, const char* what) {
  if (status == 0) return;
  const char* text = stream->get_last_error == nullptr ? nullptr : stream->get_last_error(stream);
  throw Error(ErrorCode::io, fmt::format("the Arrow stream failed to give its {}: {}", what,
                                         text == nullptr ? fmt::format("error {}", status) : text));
}

std::string_view format_of(const ArrowSchema& schema) noexcept {
  return schema.format == nullptr ? "" : schema.format;
}

/// Names and types of the columns; refuses all that cannot be read at once.
std::vector<ArrowColumn> columns_of(const ArrowSchema& schema) {
  if (format_of(schema) != "+s")
    throw stream_error(fmt::format("it holds {} and no table", arrow_type_name(format_of(schema))),
                       "give a table or a data frame, not a single array");
  if (schema.n_children > 0 && schema.children == nullptr)
    throw stream_error("the schema has no columns' memory");
  std::vector<ArrowColumn> columns;
  std::vector<std::string> refused;
  for (std::int64_t c = 0; c < schema.n_children; ++c) {
    const ArrowSchema* child = schema.children[c];
    if (child == nullptr) throw stream_error(fmt::format("column {} has no schema", c));
    ArrowColumn column;
    column.name = child->name == nullptr ? "" : child->name;
    column.schema = child;
    const ArrowSchema* values = child->dictionary == nullptr ? child : child->dictionary;
    const std::optional<ArrowType> codes = arrow_type(format_of(*child));
    const std::optional<ArrowType> type = arrow_type(format_of(*values));
    if (!codes || !type || (child->dictionary != nullptr && !is_integer(codes->dtype)) ||
        (child->dictionary != nullptr && child->dictionary->dictionary != nullptr)) {
      refused.push_back(fmt::format("\"{}\" ({})", column.name, arrow_type_name(format_of(*values))));
      continue;
    }
    column.type = *codes;
    column.values = *type;
    columns.push_back(std::move(column));
  }
  if (!refused.empty())
    throw Error(ErrorCode::not_supported,
                fmt::format("columns of these Arrow types cannot be read: {}", list_some(refused, 10)),
                "drop them, or convert them to numbers, booleans or strings first");
  return columns;
}

/// Whether an array of so many cells behind so many others has addresses.
bool fits_memory(std::int64_t offset, std::int64_t length) noexcept {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 16;
  return offset <= kMost && length <= kMost - offset;
}

void add_batch(std::vector<ArrowColumn>& columns, const ArrowArray& batch) {
  if (batch.length < 0 || batch.offset < 0) throw stream_error("a batch has a negative length or offset");
  if (batch.n_children != std::ssize(columns) || (batch.n_children > 0 && batch.children == nullptr))
    throw stream_error(
        fmt::format("a batch has {} columns, the schema {}", batch.n_children, columns.size()));
  if (batch.null_count > 0) throw stream_error("whole rows are null", "drop the null rows first");
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const ArrowArray* array = batch.children[c];
    // Compared so that no sum of what strangers say leaves its type.
    if (array == nullptr || array->length < 0 || array->offset < 0 || array->length < batch.length ||
        array->length - batch.length < batch.offset || !fits_memory(array->offset, array->length))
      throw stream_error(fmt::format("column \"{}\" is shorter than its batch", columns[c].name));
    columns[c].parts.push_back({array, array->offset + batch.offset, batch.length});
  }
}

}  // namespace

Table Table::from_arrow(ArrowArrayStream* stream) {
  if (stream == nullptr || stream->release == nullptr) throw stream_error("it was released already");
  const StreamRelease release{stream};
  Released<ArrowSchema> schema;
  check_call(stream, stream->get_schema(stream, &schema.value), "schema");
  std::vector<ArrowColumn> columns = columns_of(schema.value);
  std::vector<Batch> batches;
  for (;;) {
    auto batch = std::make_shared<Released<ArrowArray>>();
    check_call(stream, stream->get_next(stream, &batch->value), "next batch");
    if (batch->value.release == nullptr) break;
    if (batch->value.length == 0) continue;
    add_batch(columns, batch->value);
    batches.push_back(std::move(batch));
  }
  Table table;
  for (const ArrowColumn& column : columns) add_arrow_column(table, column);
  table.hold(std::make_shared<const std::vector<Batch>>(std::move(batches)));
  return table;
}

}  // namespace bough

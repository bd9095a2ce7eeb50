// SPDX-License-Identifier: Apache-2.0
// Views or copies the numbers of a column.
#include "data/number_source.hpp"

#include "data/cells.hpp"

namespace bough {

NumberSource::NumberSource(const Table::Column& column, std::int64_t n_rows) {
  if (const auto* dense = std::get_if<ColumnView>(&column);
      dense != nullptr && !dense->dictionary && dense->chunks.size() == 1 &&
      dense->chunks[0].validity == nullptr && (dense->dtype == Dtype::f32 || dense->dtype == Dtype::f64)) {
    data_ = static_cast<const char*>(dense->chunks[0].data);
    stride_ = dense->chunks[0].stride;
    is_float_ = dense->dtype == Dtype::f32;
    return;
  }
  owned_.resize(static_cast<std::size_t>(n_rows));
  read_numbers(column, 0, owned_);
  data_ = reinterpret_cast<const char*>(owned_.data());
  stride_ = sizeof(double);
}

}  // namespace bough

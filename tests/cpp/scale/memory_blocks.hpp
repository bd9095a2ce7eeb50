// SPDX-License-Identifier: Apache-2.0
// A table in memory that is read as a file is: block by block, in passes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "bough/out_of_core.hpp"

namespace bough {

/// A table in memory as blocks, as many rows each as are asked for.
class MemoryBlocks final : public TableBlocks {
 public:
  explicit MemoryBlocks(Table table) : table_(std::move(table)) {}
  std::optional<Table> next(std::int64_t rows) override {
    ++calls;
    const std::int64_t count = std::min(rows, table_.n_rows() - at_ - (passes_ > 0 ? short_by : 0));
    if (count <= 0) return std::nullopt;
    std::vector<RowId> ids;
    for (std::int64_t i = 0; i < count; ++i) ids.push_back(static_cast<RowId>(at_ + i));
    at_ += count;
    return table_.take(ids);
  }
  void rewind() override {
    at_ = 0;
    ++passes_;
  }
  [[nodiscard]] double fraction() const noexcept override {
    return static_cast<double>(at_) / static_cast<double>(table_.n_rows());
  }
  int calls = 0;
  std::int64_t short_by = 0;  // rows that the second pass does not find

 private:
  Table table_;
  std::int64_t at_ = 0;
  int passes_ = 0;
};

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// The next block is read by another thread while this one works on the block before.
#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <optional>

#include "bough/table_blocks.hpp"

namespace bough {

/// One pass over blocks; nobody else may use them meanwhile.
class ReadAhead {
 public:
  /// `waiting` is called now and then while a block is awaited; what it throws ends the pass.
  ReadAhead(TableBlocks& rows, std::function<void()> waiting);
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  struct Block {
    Table table;
    bool started_over = false;  ///< see TableBlocks
    double fraction = 0.0;      ///< of the pass, this block included
  };
  /// The block that was asked for ahead, else one of at most `rows` rows; nothing at the end. Starts to read
  /// one of at most `ahead` rows (0: none).
  std::optional<Block> next(std::int64_t rows, std::int64_t ahead);

 private:
  using Read = std::optional<Block>;
  [[nodiscard]] std::future<Read> start(std::int64_t rows);
  Read await();

  TableBlocks& rows_;
  std::function<void()> waiting_;
  std::atomic<bool> stop_{false};
  std::future<Read> pending_;
};

}  // namespace bough

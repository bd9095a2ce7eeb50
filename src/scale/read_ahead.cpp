// SPDX-License-Identifier: Apache-2.0
// The next block is read by another thread.
#include "scale/read_ahead.hpp"

#include <chrono>

namespace bough {

ReadAhead::ReadAhead(TableBlocks& rows, std::function<void()> waiting)
    : rows_(rows), waiting_(std::move(waiting)) {
  rows_.on_tick([this] {
    if (stop_) throw Error(ErrorCode::cancelled, "stopped on request");
  });
}

ReadAhead::~ReadAhead() {
  stop_ = true;
  if (pending_.valid()) pending_.wait();
  rows_.on_tick({});
}

std::future<ReadAhead::Read> ReadAhead::start(std::int64_t rows) {
  return std::async(std::launch::async, [this, rows]() -> Read {
    std::optional<Table> table = rows_.next(rows);
    if (!table) return std::nullopt;
    return Block{std::move(*table), rows_.started_over(), rows_.fraction()};
  });
}

ReadAhead::Read ReadAhead::await() {
  while (pending_.wait_for(std::chrono::milliseconds(100)) == std::future_status::timeout) waiting_();
  return pending_.get();
}

std::optional<ReadAhead::Block> ReadAhead::next(std::int64_t rows, std::int64_t ahead) {
  if (!pending_.valid()) pending_ = start(rows);
  Read block = await();
  if (block && ahead > 0) pending_ = start(ahead);
  return block;
}

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// How a given memory is divided.
#include "scale/memory_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "scale/sizes.hpp"

namespace bough {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t kProgram = 64 * kMiB;    // the program itself, its libraries, what is small
constexpr std::int64_t kLeastWork = 64 * kMiB;  // histograms, gathered rows
constexpr std::int64_t kLeastRows = 1 << 12;
constexpr std::int64_t kMostRows = 1 << 18;
// A cell is in the text, in a column that grows by doubling, and in a block's image while it is coded; the
// next block is read meanwhile.
constexpr std::int64_t kCopies = 8;
constexpr std::int64_t kNoteBytes = 5;  // of a row, per tree that grows

/// Rounded up to whole megabytes.
constexpr std::int64_t as_given(std::int64_t bytes) {
  return (bytes + 999'999) / 1'000'000 * 1'000'000;
}

[[noreturn]] void refuse(std::int64_t memory, std::int64_t least) {
  const std::int64_t megabytes = as_given(least) / 1'000'000;
  throw Error(
      ErrorCode::bad_params,
      fmt::format("a memory of {} is too little: this takes at least {} MB", bytes_text(memory), megabytes),
      fmt::format("give --memory {}MB or more", megabytes));
}

std::int64_t cell_bytes(const Table::Column& column) {
  const auto* dense = std::get_if<ColumnView>(&column);
  if (dense == nullptr) return 8;
  if (dense->dtype != Dtype::text) return 8;
  std::int64_t chars = 0;
  for (const Chunk& chunk : dense->chunks) {
    if (chunk.length == 0) continue;
    if (chunk.wide_offsets) {
      const auto* offsets = static_cast<const std::int64_t*>(chunk.data) + chunk.offset;
      chars += offsets[chunk.length] - offsets[0];
    } else {
      const auto* offsets = static_cast<const std::int32_t*>(chunk.data) + chunk.offset;
      chars += offsets[chunk.length] - offsets[0];
    }
  }
  return 8 + chars / std::max<std::int64_t>(1, dense->length());
}

}  // namespace

void check_least_memory(std::int64_t memory) {
  if (memory < kProgram + kLeastWork) refuse(memory, kProgram + kLeastWork);
}

std::int64_t bytes_per_row(const Table& table) {
  std::int64_t bytes = 0;
  for (std::size_t c = 0; c < table.n_columns(); ++c) bytes += cell_bytes(table.column(c));
  return bytes;
}

std::int64_t rows_per_block(std::int64_t memory, std::int64_t table_row_bytes) {
  const std::int64_t rows = memory / 8 / std::max<std::int64_t>(1, kCopies * table_row_bytes);
  return static_cast<std::int64_t>(
      std::bit_floor(static_cast<std::uint64_t>(std::clamp(rows, kLeastRows, kMostRows))));
}

MemoryPlan plan_memory(std::int64_t memory, const ScalePlan& plan, const Params& params,
                       std::int64_t block_rows, std::int64_t table_row_bytes) {
  const std::int64_t row_bytes = std::max(kCopies * table_row_bytes, 2 * plan.bytes_per_row());
  const auto fixed = [&](std::int64_t rows) { return kProgram + std::min(rows, plan.n_rows()) * row_bytes; };
  const std::int64_t least_work = fixed(block_rows) + kLeastWork;
  if (memory < least_work) {
    // Where blocks grow with the memory, more of it takes more.
    const bool chosen = block_rows == rows_per_block(memory, table_row_bytes);
    std::int64_t least = as_given(least_work);
    for (int i = 0; chosen && i < 64; ++i)
      least = std::max(least, as_given(fixed(rows_per_block(least, table_row_bytes)) + kLeastWork));
    refuse(memory, least);
  }
  // Notes of the trees that grow together; where not even one tree's fit, they are made again for every
  // request.
  const std::int64_t room = memory - fixed(block_rows);
  const std::int64_t tree_notes = plan.n_rows() * kNoteBytes;
  const std::int64_t n_trees = std::max<std::int64_t>(1, params.forest);
  const std::int64_t together = std::min(n_trees, std::min(room / 2, room - kLeastWork) / tree_notes);
  MemoryPlan own;
  own.keep_notes = together > 0;
  own.blocks.trees_at_once = static_cast<std::size_t>(std::max<std::int64_t>(1, together));
  const std::int64_t left = room - together * tree_notes;
  // Histograms and cells are there several times: answered, merged, read, searched. A group takes some times
  // its rows to finish.
  own.blocks.histogram_bytes = left / 10;
  own.blocks.gather_bytes = std::clamp(left / 32, kMiB, 64 * kMiB);
  own.blocks.groups_at_once =
      static_cast<std::size_t>(std::max<std::int64_t>(1, left / 16 / own.blocks.gather_bytes));
  return own;
}

}  // namespace bough

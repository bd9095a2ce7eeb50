// SPDX-License-Identifier: Apache-2.0
// Blocks of memory, some of them kept for the next who wants one of that size.
#include "base/buffer.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace bough {
namespace {

constexpr std::size_t kHuge = std::size_t{2} << 20, kLine = 64;
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kKept = 0;  // a block that is used after its end should be noticed
#else
constexpr std::size_t kKept = std::size_t{256} << 20;
#endif

struct Shelf {
  std::mutex mutex;
  std::vector<Block> blocks;  // oldest first
  std::size_t bytes = 0;
};

Shelf& shelf() {
  static Shelf& shelf = *new Shelf;  // never destroyed: blocks may come back while the program ends
  return shelf;
}

// The smallest kept block that fits without wasting half of itself.
Block from_shelf(std::size_t bytes) {
  Shelf& all = shelf();
  const std::lock_guard lock(all.mutex);
  auto best = all.blocks.end();
  for (auto it = all.blocks.begin(); it != all.blocks.end(); ++it)
    if (it->bytes >= bytes && it->bytes <= 2 * bytes && (best == all.blocks.end() || it->bytes < best->bytes)) best = it;
  if (best == all.blocks.end()) return {};
  const Block block = *best;
  all.blocks.erase(best);
  all.bytes -= block.bytes;
  return block;
}

}  // namespace

Block take_block(std::size_t wanted) {
  const std::size_t align = wanted >= kHuge ? kHuge : kLine;
  const std::size_t bytes = (wanted + align - 1) / align * align;
  if (align == kHuge)
    if (const Block block = from_shelf(bytes); block.memory != nullptr) return block;
  void* memory = std::aligned_alloc(align, bytes);
  if (memory == nullptr) throw std::bad_alloc();
#if defined(__linux__)
  if (align == kHuge) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  return {memory, bytes};
}

void give_block(Block block) noexcept {
  if (block.bytes < kHuge || block.bytes > kKept) return std::free(block.memory);
  Shelf& all = shelf();
  std::vector<Block> old;
  try {
    const std::lock_guard lock(all.mutex);
    all.blocks.push_back(block);
    all.bytes += block.bytes;
    while (all.bytes > kKept) {
      all.bytes -= all.blocks.front().bytes;
      old.push_back(all.blocks.front());
      all.blocks.erase(all.blocks.begin());
    }
  } catch (const std::bad_alloc&) {
    return std::free(block.memory);
  }
  for (const Block& b : old) std::free(b.memory);
}

}  // namespace bough

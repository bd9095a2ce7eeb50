// SPDX-License-Identifier: Apache-2.0
// Blocks of memory, some of them kept for the next who wants one of that size.
#include "base/buffer.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "base/parallel.hpp"

#if defined(__unix__)
#include <pthread.h>
#endif
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace bough {
namespace {

constexpr std::size_t kHuge = std::size_t{2} << 20, kLine = 64;
#if defined(__has_feature)
#define BOUGH_HAS_FEATURE(x) __has_feature(x)
#else
#define BOUGH_HAS_FEATURE(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || BOUGH_HAS_FEATURE(address_sanitizer)
constexpr std::size_t kKept = 0;  // a block that is used after its end should be noticed
#else
constexpr std::size_t kKept = std::size_t{256} << 20;
#endif

struct Shelf {
  std::mutex mutex;
  std::vector<Block> blocks;  // oldest first
  std::size_t bytes = 0;
};

Shelf& shelf();

Shelf* make_shelf() {
  auto* const made = new Shelf;
#if defined(__unix__)
  // A process may be forked while a thread is at the shelf; in the child nobody would ever leave it.
  pthread_atfork([] { shelf().mutex.lock(); }, [] { shelf().mutex.unlock(); },
                 [] { shelf().mutex.unlock(); });
#endif
  return made;
}

Shelf& shelf() {
  static Shelf& shelf = *make_shelf();  // never destroyed: blocks may come back while the program ends
  return shelf;
}

// The smallest kept block that fits without wasting half of itself.
Block from_shelf(std::size_t bytes) {
  Shelf& all = shelf();
  const std::lock_guard lock(all.mutex);
  auto best = all.blocks.end();
  for (auto it = all.blocks.begin(); it != all.blocks.end(); ++it)
    if (it->bytes >= bytes && it->bytes <= 2 * bytes && (best == all.blocks.end() || it->bytes < best->bytes))
      best = it;
  if (best == all.blocks.end()) return {};
  const Block block = *best;
  all.blocks.erase(best);
  all.bytes -= block.bytes;
  return block;
}

// Whole cache lines, behind the address that malloc gave: aligned_alloc takes several times as long as malloc for small blocks.
Block take_lines(std::size_t bytes) {
  static_assert(kLine >= 2 * alignof(std::max_align_t) && alignof(std::max_align_t) >= sizeof(void*));
  void* const given = std::malloc(bytes + kLine);
  if (given == nullptr) throw std::bad_alloc();
  const auto line = reinterpret_cast<std::uintptr_t>(given) / kLine + 1;
  void** const memory = reinterpret_cast<void**>(line * kLine);
  memory[-1] = given;
  return {memory, bytes};
}
void give_lines(Block block) noexcept {
  std::free(static_cast<void**>(block.memory)[-1]);
}

// Off the shelf, when it holds more than is to be kept.
Block oldest_too_many(Shelf& all) {
  const std::lock_guard lock(all.mutex);
  if (all.bytes <= kKept) return {};
  const Block block = all.blocks.front();
  all.blocks.erase(all.blocks.begin());
  all.bytes -= block.bytes;
  return block;
}

}  // namespace

void want_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(__linux__)
  constexpr std::size_t page = 4096;
  if (bytes < kHuge) return;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);  // best effort
#endif
}

void touch_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_POPULATE_WRITE)
  if (bytes < 4 * kHuge || available_threads() == 1) return;
  const auto first = reinterpret_cast<std::uintptr_t>(memory) / kHuge + 1;
  const auto last = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / kHuge;
  parallel_ranges(last - first, 1, [&](std::size_t begin, std::size_t end) {
    madvise(reinterpret_cast<void*>((first + begin) * kHuge), (end - begin) * kHuge, MADV_POPULATE_WRITE);
  });
#endif
}

Block take_block(std::size_t wanted) {
  if (wanted < kHuge) return take_lines(wanted);
  const std::size_t bytes = (wanted + kHuge - 1) / kHuge * kHuge;
  if (const Block block = from_shelf(bytes); block.memory != nullptr) return block;
  void* memory = std::aligned_alloc(kHuge, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  want_huge_pages(memory, bytes);
  return {memory, bytes};
}

void give_block(Block block) noexcept {
  if (block.bytes < kHuge) return give_lines(block);
  if (block.bytes > kKept) return std::free(block.memory);
  Shelf& all = shelf();  // made when the block was taken
  try {
    const std::lock_guard lock(all.mutex);
    all.blocks.push_back(block);
    all.bytes += block.bytes;
  } catch (const std::bad_alloc&) {
    return std::free(block.memory);
  }
  for (Block old = oldest_too_many(all); old.memory != nullptr; old = oldest_too_many(all))
    std::free(old.memory);
}

}  // namespace bough

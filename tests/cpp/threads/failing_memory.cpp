// SPDX-License-Identifier: Apache-2.0
// operator new in all its forms and aligned_alloc, with a request that fails.
#include "threads/failing_memory.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace bough::failing_memory {
namespace {

constexpr std::int64_t kNever = INT64_MAX;
std::atomic<std::int64_t> left{kNever}, asked{0}, held{0};
std::atomic<bool> refused{false}, for_ever{false};

bool refuse() noexcept {
  asked.fetch_add(1, std::memory_order_relaxed);
  if (left.load(std::memory_order_relaxed) == kNever) return false;
  const std::int64_t before = left.fetch_sub(1, std::memory_order_relaxed);
  const bool now = before == 1 || (before < 1 && for_ever.load(std::memory_order_relaxed));
  if (now) refused.store(true, std::memory_order_relaxed);
  return now;
}

}  // namespace

void arm(std::int64_t n, Fail fail) noexcept {
  refused = false;
  for_ever = fail == Fail::forever;
  left = n;
}

void pause() noexcept {
  left = kNever;
}

bool disarm() noexcept {
  left = kNever;
  return refused;
}

std::int64_t requests() noexcept {
  return asked;
}

std::int64_t live() noexcept {
  return held;
}

// The two ways to memory, and the one back.
void* take(std::size_t bytes, std::size_t align) noexcept {
  if (refuse()) return nullptr;
  void* memory = nullptr;
  if (align <= alignof(std::max_align_t)) {
    memory = std::malloc(bytes > 0 ? bytes : 1);
  } else if (posix_memalign(&memory, align, bytes) != 0) {
    return nullptr;
  }
  if (memory != nullptr) held.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

void* take_or_throw(std::size_t bytes, std::size_t align) {
  void* const memory = take(bytes, align);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void give(void* memory) noexcept {
  if (memory == nullptr) return;
  held.fetch_sub(1, std::memory_order_relaxed);
  std::free(memory);
}

void* take_aligned(std::size_t align, std::size_t bytes) noexcept {
  void* memory = nullptr;
  if (!refuse() && posix_memalign(&memory, align, bytes) == 0) return memory;
  errno = ENOMEM;
  return nullptr;
}

}  // namespace bough::failing_memory

namespace memory = bough::failing_memory;
using Align = std::align_val_t;
constexpr std::size_t kPlain = alignof(std::max_align_t);

void* operator new(std::size_t n) {
  return memory::take_or_throw(n, kPlain);
}
void* operator new[](std::size_t n) {
  return memory::take_or_throw(n, kPlain);
}
void* operator new(std::size_t n, const std::nothrow_t&) noexcept {
  return memory::take(n, kPlain);
}
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept {
  return memory::take(n, kPlain);
}
void* operator new(std::size_t n, Align a) {
  return memory::take_or_throw(n, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t n, Align a) {
  return memory::take_or_throw(n, static_cast<std::size_t>(a));
}
void* operator new(std::size_t n, Align a, const std::nothrow_t&) noexcept {
  return memory::take(n, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t n, Align a, const std::nothrow_t&) noexcept {
  return memory::take(n, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept {
  memory::give(p);
}
void operator delete[](void* p) noexcept {
  memory::give(p);
}
void operator delete(void* p, std::size_t) noexcept {
  memory::give(p);
}
void operator delete[](void* p, std::size_t) noexcept {
  memory::give(p);
}
void operator delete(void* p, const std::nothrow_t&) noexcept {
  memory::give(p);
}
void operator delete[](void* p, const std::nothrow_t&) noexcept {
  memory::give(p);
}
void operator delete(void* p, Align) noexcept {
  memory::give(p);
}
void operator delete[](void* p, Align) noexcept {
  memory::give(p);
}
void operator delete(void* p, std::size_t, Align) noexcept {
  memory::give(p);
}
void operator delete[](void* p, std::size_t, Align) noexcept {
  memory::give(p);
}
void operator delete(void* p, Align, const std::nothrow_t&) noexcept {
  memory::give(p);
}
void operator delete[](void* p, Align, const std::nothrow_t&) noexcept {
  memory::give(p);
}

// base/buffer.cpp asks for large arrays here.
extern "C" void* aligned_alloc(std::size_t align, std::size_t bytes) {
  return memory::take_aligned(align, bytes);
}

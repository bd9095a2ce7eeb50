// SPDX-License-Identifier: Apache-2.0
// Large scratch arrays: aligned, not initialised, on huge pages where the system has them, and kept between fits.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace bough {

/// Asks the system for huge pages where `bytes` are many: fresh ones are ready in a fraction of the time of small ones.
void want_huge_pages(void* memory, std::size_t bytes) noexcept;
/// Lets all threads fetch the pages of memory that nobody has written yet.
void touch_pages(void* memory, std::size_t bytes);
/// A vector of `size` elements of value 0, large ones on huge pages.
template <class T>
std::vector<T> zeros(std::size_t size) {
  std::vector<T> out;
  out.reserve(size);
  want_huge_pages(out.data(), size * sizeof(T));
  touch_pages(out.data(), size * sizeof(T));
  out.resize(size);
  return out;
}

/// Memory of take_block(), which give_block() takes back. Blocks of some megabytes are kept for the next caller, up to 256 MB in
/// all: fresh pages cost as much as filling them.
struct Block {
  void* memory = nullptr;
  std::size_t bytes = 0;
};
/// At least so many bytes; throws std::bad_alloc.
Block take_block(std::size_t bytes);
void give_block(Block block) noexcept;

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  /// Room for `size` elements and a little more, so that vector loads may run past the end.
  explicit Buffer(std::size_t size) : block_(take_block(size * sizeof(T) + 256)), size_(size) {}
  /// Elements that somebody else owns and must not be written; vector loads may run 256 bytes past the end.
  static Buffer view(const T* data, std::size_t size) noexcept {
    Buffer buffer;
    buffer.block_ = {const_cast<T*>(data), 0};
    buffer.size_ = size;
    return buffer;
  }
  Buffer(Buffer&& other) noexcept
      : block_(std::exchange(other.block_, {})), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(block_, other.block_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Buffer() {
    if (block_.memory != nullptr && block_.bytes > 0) give_block(block_);
  }

  [[nodiscard]] T* data() noexcept { return static_cast<T*>(block_.memory); }
  [[nodiscard]] const T* data() const noexcept { return static_cast<const T*>(block_.memory); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  T& operator[](std::size_t i) noexcept { return data()[i]; }
  const T& operator[](std::size_t i) const noexcept { return data()[i]; }

 private:
  Block block_;
  std::size_t size_ = 0;
};

}  // namespace bough

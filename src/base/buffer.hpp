// SPDX-License-Identifier: Apache-2.0
// Large scratch arrays: aligned, not initialised, on huge pages where the system has them.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace bough {

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  /// Room for `size` elements and a little more, so that vector loads may run past the end.
  explicit Buffer(std::size_t size) : size_(size) {
    constexpr std::size_t huge = std::size_t{2} << 20, line = 64;
    const std::size_t wanted = size * sizeof(T) + 256;
    const std::size_t align = wanted >= huge ? huge : line;
    const std::size_t bytes = (wanted + align - 1) / align * align;
    data_.reset(static_cast<T*>(std::aligned_alloc(align, bytes)));
    if (!data_) throw std::bad_alloc();
#if defined(__linux__)
    if (align == huge) madvise(data_.get(), bytes, MADV_HUGEPAGE);
#endif
  }

  [[nodiscard]] T* data() noexcept { return data_.get(); }
  [[nodiscard]] const T* data() const noexcept { return data_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  T& operator[](std::size_t i) noexcept { return data_.get()[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_.get()[i]; }

 private:
  struct Free {
    void operator()(T* memory) const noexcept { std::free(memory); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// The hash of bytes that come in pieces.
#pragma once

#include <cstdint>
#include <string_view>

namespace bough {

/// XXH3 with seed 0 of all pieces one after the other: hash_text() of their concatenation.
class HashStream {
 public:
  HashStream();
  ~HashStream();
  HashStream(const HashStream&) = delete;
  HashStream& operator=(const HashStream&) = delete;

  void add(std::string_view piece) noexcept;
  [[nodiscard]] std::uint64_t value() const noexcept;

 private:
  void* state_;
};

}  // namespace bough

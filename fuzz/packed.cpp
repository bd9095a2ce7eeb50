// SPDX-License-Identifier: Apache-2.0
// gzip and zstd, told by content: one inside the other, damaged, cut off, and blown up out of proportion.
#include <array>

#include "data/bytes.hpp"
#include "fuzz/support.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bough;
  using namespace bough::fuzz;
  static std::array<char, 1 << 16> buffer;
  accepted([&] {
    std::string head;
    const std::unique_ptr<ByteSource> source = open_bytes_in_memory(text_of(data, size), head);
    std::string front;
    while (const std::size_t n = source->read(buffer.data(), buffer.size()))
      if (front.size() < 8) front.append(buffer.data(), std::min<std::size_t>(n, 8));
    promise(source->consumed() <= size, "no more is read than there is");
    promise(front.starts_with(head), "the head is the front of what is read");
  });
  return 0;
}

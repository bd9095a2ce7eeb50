// SPDX-License-Identifier: Apache-2.0
// What training on blocks sends as bytes: summaries, plans, requests, answers and stored blocks.
//
// The first byte of an input says what the rest claims to be.
#include <cstring>
#include <memory>

#include "bough/scale.hpp"
#include "fuzz/support.hpp"
#include "scale/answer.hpp"
#include "scale/request.hpp"
#include "scale/summary.hpp"

namespace bough::fuzz {
namespace {

void open_image(std::string_view bytes) {
  constexpr std::size_t kBeyond = 256;
  const std::shared_ptr<void> memory(std::aligned_alloc(64, (bytes.size() + kBeyond + 63) / 64 * 64),
                                     std::free);
  std::memset(memory.get(), 0, bytes.size() + kBeyond);
  std::memcpy(memory.get(), bytes.data(), bytes.size());
  const RowBlock block = RowBlock::view(memory, {static_cast<const std::byte*>(memory.get()), bytes.size()});
  promise(block.n_rows() >= 0, "a block has rows");
}

void read(std::uint8_t kind, std::string_view bytes) {
  switch (kind % 5) {
    case 0: {
      const std::string merged = merge_summaries(std::vector<std::string>{std::string(bytes)});
      promise(merge_summaries(std::vector<std::string>{merged}) == merged, "a merged summary is its own sum");
      return;
    }
    case 1:
      (void)ScalePlan::from_bytes(bytes).bytes();
      return;
    case 2: {
      const std::string again = Request::from_bytes(bytes).bytes();
      promise(Request::from_bytes(again).bytes() == again, "a request survives its bytes");
      (void)request_info(bytes);
      return;
    }
    case 3:
      (void)merge_answers(std::vector<std::string>{std::string(bytes), std::string(bytes)});
      return;
    default:
      open_image(bytes);
  }
}

}  // namespace
}  // namespace bough::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bough::fuzz;
  if (size > 0) accepted([&] { read(data[0], text_of(data + 1, size - 1)); });
  return 0;
}

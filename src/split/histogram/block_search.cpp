// SPDX-License-Identifier: Apache-2.0
// Which layout the histograms of blocks have, and how they add up.
#include "split/histogram/block_search.hpp"

#include <algorithm>

#include "split/histogram/block_engine.hpp"
#include "split/histogram/number_sums.hpp"

namespace bough {
namespace {

using WideWord = NumberSums<int128>::Word;

template <class T, class F>
void each(std::span<std::byte> to, std::span<const std::byte> from, const F& f) noexcept {
  T* a = reinterpret_cast<T*>(to.data());
  const T* b = reinterpret_cast<const T*>(from.data());
  for (std::size_t i = 0; i < to.size() / sizeof(T); ++i) f(a[i], b[i]);
}

// Wraps around, as sums of integers may on their way.
template <class F>
void by_lanes(Lanes lanes, std::span<std::byte> to, std::span<const std::byte> from, const F& f) noexcept {
  if (lanes == Lanes::u32) return each<std::uint32_t>(to, from, f);
  if (lanes == Lanes::u64) return each<std::uint64_t>(to, from, f);
  each<WideWord>(to, from, f);
}

bool one_byte(const Targets& targets) {
  return targets.classes.size() == 1 && targets.classes.front().n_classes <= 255;
}

}  // namespace

void add_lanes(Lanes lanes, std::span<std::byte> to, std::span<const std::byte> from) noexcept {
  by_lanes(lanes, to, from, [](auto& a, const auto& b) { a += b; });
}

void subtract_lanes(Lanes lanes, std::span<std::byte> from, std::span<const std::byte> what) noexcept {
  by_lanes(lanes, from, what, [](auto& a, const auto& b) { a -= b; });
}

std::unique_ptr<BlockCounter> make_block_counter(const CodedTable& table, const Targets& targets,
                                                 const BlockLayout& layout) {
  const auto make = [&]<class Layout>() -> std::unique_ptr<BlockCounter> {
    return std::make_unique<LayoutCounter<Layout>>(table, targets, layout.frame);
  };
  if (targets.is_classification()) {
    if (layout.weighted || !one_byte(targets)) return make.operator()<Classes<std::int64_t>>();
    if (targets.classes.front().n_classes == 2) return make.operator()<PackedTwoClass>();
    return make.operator()<Classes<std::uint32_t>>();
  }
  if (!layout.weighted && targets.n_outputs() == 1) return make.operator()<Sums>();
  if (layout.narrow) return make.operator()<NumberSums<std::int64_t>>();
  return make.operator()<NumberSums<int128>>();
}

std::unique_ptr<BlockDecider> make_block_decider(const CodedTable& columns, const Targets& shape,
                                                 const BlockLayout& layout, const EngineOptions& options,
                                                 std::uint64_t most_cells) {
  const BlockMaking making{columns, shape, layout, options, most_cells};
  if (!shape.is_classification()) return make_number_decider(making);
  return one_byte(shape) && shape.classes.front().n_classes == 2 && !layout.weighted
             ? make_two_class_decider(making)
             : make_class_decider(making);
}

}  // namespace bough

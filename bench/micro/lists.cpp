// SPDX-License-Identifier: Apache-2.0
// The presorted engine's work at one node: the best score along 28 sorted lists, and dividing them.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "made.hpp"
#include "split/small/small_kernels.hpp"
#include "split/small/sorted_lists.hpp"

namespace {

constexpr std::size_t kColumns = 28;

/// Lists of n entries (rank, mark, id) in random order of ids, all ranks different.
std::vector<std::vector<std::uint32_t>> lists(std::size_t n) {
  bench::Random random(1);
  std::vector<std::uint32_t> ids(n);
  for (std::size_t i = 0; i < n; ++i)
    ids[i] = static_cast<std::uint32_t>(i) | (random.unit() < 0.4 ? bough::SortedLists::kMark : 0U);
  std::vector<std::vector<std::uint32_t>> all(kColumns, std::vector<std::uint32_t>(n + bough::kListPad));
  for (auto& list : all) {
    for (std::size_t i = n; i > 1; --i) std::swap(ids[i - 1], ids[random.next() % i]);
    for (std::size_t i = 0; i < n; ++i) list[i] = static_cast<std::uint32_t>(i) << 16 | ids[i];
  }
  return all;
}

void tops_of_two_classes(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const auto all = lists(n);
  std::vector<bough::Strip> strips;
  for (const auto& list : all) strips.push_back({list.data(), static_cast<std::uint32_t>(n - 1), 0, 0});
  std::vector<float> inverse(n + bough::kListPad, 0.0F);
  for (std::size_t k = 1; k < n; ++k) inverse[k] = 1.0F / static_cast<float>(k * (n - k));
  const auto marked = std::count_if(all[0].begin(), all[0].begin() + static_cast<std::ptrdiff_t>(n),
                                    [](std::uint32_t e) { return (e & bough::SortedLists::kMark) != 0; });
  const bough::StripNode node{static_cast<std::uint32_t>(n), 1, static_cast<std::uint32_t>(n - 1)};
  std::vector<float> tops(kColumns);
  for (auto _ : state) {
    bough::two_class_tops(strips, node, static_cast<float>(marked), inverse.data(), 1e30F, tops.data());
    benchmark::DoNotOptimize(tops.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(n * kColumns));
}
BENCHMARK(tops_of_two_classes)->ArgName("rows")->Arg(24)->Arg(100)->Arg(1000);

void dividing(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  auto all = lists(n);
  std::vector<std::uint32_t*> heads;
  for (auto& list : all) heads.push_back(list.data());
  std::vector<std::uint8_t> side(n + bough::kListPad);
  for (std::size_t i = 0; i < n; ++i) side[i] = i % 3 == 0 ? 1 : 0;
  std::vector<std::uint32_t> scratch(n + bough::kListPad);
  for (auto _ : state) {
    bough::divide_lists(heads, 0, n, side.data(), scratch.data());
    benchmark::DoNotOptimize(all[0].data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(n * kColumns));
}
BENCHMARK(dividing)->ArgName("rows")->Arg(24)->Arg(100)->Arg(1000);

}  // namespace

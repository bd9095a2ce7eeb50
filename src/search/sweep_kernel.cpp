// SPDX-License-Identifier: Apache-2.0
// The segment tree of the depth-2 sweep, compiled once per instruction set.
//
// A node holds (least prefix of s, least prefix of -s, sum of s, sum of -s) of the cases left of the outer cut in
// one vector, those right of it in another. Joining neighbours l and r: least = min(l.least, l.sum + r.least),
// sum = l.sum + r.sum: one addition and one minimum of the four numbers at once.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/sweep_kernel.cpp"
#include "search/sweep_kernel.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace bough::search {
namespace HWY_NAMESPACE {

// Four numbers, in the compiler's own vectors: every target of highway has these, its scalar one too.
using V = std::int32_t __attribute__((vector_size(16), may_alias));

struct Pair {
  V left, right;
};

HWY_INLINE V joined(V l, V r) {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  const V through = __builtin_shufflevector(l, l, 2, 3, 2, 3) + r;
  const V alone = __builtin_shufflevector(l, V{most, most, most, most}, 0, 1, 4, 5);
  return alone < through ? alone : through;
}

HWY_INLINE Pair read(const std::int32_t* node) {
  return {*reinterpret_cast<const V*>(node), *reinterpret_cast<const V*>(node + 4)};
}

HWY_INLINE void write(std::int32_t* node, const Pair& pair) {
  *reinterpret_cast<V*>(node) = pair.left;
  *reinterpret_cast<V*>(node + 4) = pair.right;
}

HWY_INLINE V both_signs(std::int32_t s) {
  return V{s, -s, s, -s};
}

HWY_INLINE void build(std::int32_t* tree, std::uint32_t leaves) {
  for (std::uint32_t i = leaves - 1; i >= 1; --i) {
    const Pair l = read(tree + std::size_t{16} * i), r = read(tree + std::size_t{16} * i + 8);
    write(tree + std::size_t{8} * i, {joined(l.left, r.left), joined(l.right, r.right)});
  }
}

// A case passes from right to left. The node that changed stays in registers on the way up.
HWY_INLINE void pass(std::int32_t* tree, std::uint32_t i, std::int32_t s) {
  const V change = both_signs(s);
  Pair now = read(tree + std::size_t{8} * i);
  now.left += change;
  now.right -= change;
  write(tree + std::size_t{8} * i, now);
  while (i > 1) {
    const Pair other = read(tree + std::size_t{8} * (i ^ 1U));
    const std::int32_t odd = -static_cast<std::int32_t>(i & 1U);
    const V is_odd = V{odd, odd, odd, odd};
    const auto either = [&](V yes, V no) { return is_odd ? yes : no; };
    now = {joined(either(other.left, now.left), either(now.left, other.left)),
           joined(either(other.right, now.right), either(now.right, other.right))};
    i >>= 1U;
    write(tree + std::size_t{8} * i, now);
  }
}

std::int64_t sweep(const SweepJob& job, std::span<std::int32_t> least) {
  std::int32_t* tree = job.tree;
  const std::uint32_t leaves = job.leaves;
  const auto levels = static_cast<std::size_t>(std::bit_width(leaves) - 1);
  const auto leaf = [&](std::size_t k) {
    return leaves + static_cast<std::uint32_t>(job.runs[job.cases[k]]);
  };
  std::fill(tree + std::size_t{8} * leaves, tree + std::size_t{16} * leaves, 0);
  for (std::size_t k = 0; k < job.cases.size(); ++k) {  // all right of the cut
    Pair node = read(tree + std::size_t{8} * leaf(k));
    node.right += both_signs(job.signed_weights[k]);
    write(tree + std::size_t{8} * leaf(k), node);
  }
  build(tree, leaves);
  auto work = static_cast<std::int64_t>(job.cases.size() / 4 + leaves / 8);
  std::size_t k = 0;
  for (std::size_t cut = 0; cut < job.ends.size(); ++cut) {
    const auto end = static_cast<std::size_t>(job.ends[cut]);
    const std::size_t n = end - k;
    if (n * levels > std::size_t{2} * leaves) {  // many at once: the leaves, then the whole tree
      for (; k < end; ++k) {
        Pair node = read(tree + std::size_t{8} * leaf(k));
        node.left += both_signs(job.signed_weights[k]);
        node.right -= both_signs(job.signed_weights[k]);
        write(tree + std::size_t{8} * leaf(k), node);
      }
      build(tree, leaves);
      work += static_cast<std::int64_t>(n / 4 + leaves / 8);
    } else {
      for (; k < end; ++k) pass(tree, leaf(k), job.signed_weights[k]);
      work += static_cast<std::int64_t>(n);
    }
    const std::int32_t* root = tree + 8;
    const std::size_t to = 4 * cut;
    least[to] = root[0];
    least[to + 1] = root[1];
    least[to + 2] = root[4];
    least[to + 3] = root[5];
  }
  return work;
}

}  // namespace HWY_NAMESPACE
}  // namespace bough::search
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bough::search {

HWY_EXPORT(sweep);

std::int64_t sweep_prefixes(const SweepJob& job, std::span<std::int32_t> least) {
  return HWY_DYNAMIC_DISPATCH(sweep)(job, least);
}

}  // namespace bough::search
#endif

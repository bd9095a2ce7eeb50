// SPDX-License-Identifier: Apache-2.0
// Vector kernels of the ranked engine against plain loops, with more rows than a lane of 16 bits counts.
#include "split/ranked/ranked_kernels.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>

namespace bough {
namespace {

TEST(RankedKernels, count_the_rows_beside_the_common_rank_of_any_number_of_rows) {
  hwy::DisableTargets(HWY_AVX2 - 1);
  for (const std::size_t n : {1000UL, 32767UL, 32768UL, 65536UL, 70000UL}) {
    constexpr std::uint32_t common = 2;
    constexpr std::size_t n_ranks = 5, stride = 128;
    std::vector<std::uint16_t> ranks(n + kRankPad);
    std::vector<std::uint32_t> tags(n + kRankPad), expected(2 * stride), counts(2 * stride);
    float totals[2] = {0.0F, 0.0F};
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t c = i % 3 == 0 ? 1 : 0;
      ranks[i] = static_cast<std::uint16_t>(i % 7 < n_ranks ? i % 7 : common);
      tags[i] = 1U << kClassBits | static_cast<std::uint32_t>(c);
      ++expected[c * stride + ranks[i]];
      totals[c] += 1.0F;
    }
    count_classes({ranks.data(), tags.data(), n, 0, n_ranks, 2, counts.data(), stride}, common, totals);
    EXPECT_EQ(counts, expected) << n << " rows";
  }
  hwy::DisableTargets(0);
}

}  // namespace
}  // namespace bough

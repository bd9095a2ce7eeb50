// SPDX-License-Identifier: Apache-2.0
// The generator against the known answers that its authors publish, and what is made of its bits.
#include "base/random.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace bough {
namespace {

using Philox = r123::Philox4x32;

// philox4x32-10 in the file of known answers of Random123 (Salmon, Moraes, Dror, Shaw 2011).
TEST(Random, philox_gives_the_published_answers) {
  const auto zero = Philox()(Philox::ctr_type{{0, 0, 0, 0}}, Philox::key_type{{0, 0}});
  EXPECT_EQ(zero, (Philox::ctr_type{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}));
  const auto ones = Philox()(Philox::ctr_type{{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
                             Philox::key_type{{0xffffffff, 0xffffffff}});
  EXPECT_EQ(ones, (Philox::ctr_type{{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}));
  const auto pi = Philox()(Philox::ctr_type{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
                           Philox::key_type{{0xa4093822, 0x299f31d0}});
  EXPECT_EQ(pi, (Philox::ctr_type{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}));
}

TEST(Random, a_draw_is_the_first_two_words_low_word_first) {
  EXPECT_EQ(draw(0, 0), 0xe169c58d6627e8d5ULL);
  const auto out = Philox()(Philox::ctr_type{{7, 1, 0, 0}}, Philox::key_type{{5, 9}});
  EXPECT_EQ(draw(5 | 9ULL << 32, 7 | 1ULL << 32), out[0] | static_cast<std::uint64_t>(out[1]) << 32);
}

TEST(Random, keys_of_children_differ_from_each_other_and_from_the_parent) {
  std::set<std::uint64_t> keys{42};
  for (std::uint64_t i = 0; i < 1000; ++i) keys.insert(mix(42, i));
  for (std::uint64_t i = 0; i < 1000; ++i) keys.insert(mix(mix(42, 0), i));
  EXPECT_EQ(keys.size(), 2001U);
}

TEST(Random, below_reaches_all_of_its_range_and_nothing_else) {
  EXPECT_EQ(below(0, 10), 0U);
  EXPECT_EQ(below(UINT64_MAX, 10), 9U);
  EXPECT_EQ(below(UINT64_MAX, 1), 0U);
  std::vector<int> counts(7);
  for (std::uint64_t i = 0; i < 70000; ++i) ++counts[below(draw(1, i), 7)];
  // Binomial with mean 10,000 and deviation 93: six deviations.
  for (const int count : counts) EXPECT_NEAR(count, 10000, 560);
}

TEST(Random, unit_lies_in_0_to_1_without_1) {
  EXPECT_EQ(unit(0), 0.0);
  EXPECT_EQ(unit(UINT64_MAX), 1.0 - 0x1p-53);
  double sum = 0.0;
  for (std::uint64_t i = 0; i < 100000; ++i) sum += unit(draw(2, i));
  // The mean has the deviation 1 / sqrt(12 * 100,000) = 0.0009: six of them.
  EXPECT_NEAR(sum / 100000, 0.5, 0.0055);
}

}  // namespace
}  // namespace bough

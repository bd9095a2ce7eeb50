// SPDX-License-Identifier: Apache-2.0
// Loops over independent pieces: everything once, and exceptions come home.
#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <vector>

namespace bough {
namespace {

TEST(Parallel, every_piece_runs_once_whatever_the_number_of_threads) {
  for (const int threads : {0, 1, 2, 4})
    for (const std::size_t count : {0, 1, 2, 1000}) {
      std::vector<int> done(count);
      with_threads(threads, [&] { parallel_for(count, [&](std::size_t i) { ++done[i]; }); });
      EXPECT_EQ(std::accumulate(done.begin(), done.end(), 0), static_cast<int>(count));
    }
}

TEST(Parallel, ranges_cover_everything_without_overlap) {
  for (const std::size_t count : {0, 1, 63, 64, 65, 10000}) {
    std::vector<int> done(count);
    parallel_ranges(count, 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) ++done[i];
    });
    for (const int times : done) EXPECT_EQ(times, 1);
  }
}

TEST(Parallel, an_exception_of_a_piece_reaches_the_caller) {
  EXPECT_THROW(with_threads(2,
                            [] {
                              parallel_for(100, [](std::size_t i) {
                                if (i == 57) throw std::runtime_error("57");
                              });
                            }),
               std::runtime_error);
}

}  // namespace
}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// Loops over independent pieces: everything once, and exceptions come home.
#include "base/parallel.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <thread>
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

double resident_mb() {
  long pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

// An arena for every call is what oneTBB gives back late or never: 22,000 calls then took 146 MB, and minutes.
TEST(Parallel, many_callers_at_once_again_and_again_take_no_more_memory) {
#if defined(BOUGH_CHECKED)
  GTEST_SKIP() << "the sanitizer's own memory grows";
#endif
  const auto work = [](int calls) {
    std::vector<std::thread> callers;
    callers.reserve(4);
    for (int caller = 0; caller < 4; ++caller)
      callers.emplace_back([calls] {
        std::atomic<int> done{0};
        for (int i = 0; i < calls; ++i)
          with_threads(2, [&] { parallel_for(16, [&](std::size_t) { ++done; }); });
        EXPECT_EQ(done, calls * 16);
      });
    for (std::thread& caller : callers) caller.join();
  };
  work(500);
  const double before = resident_mb();
  work(5000);
  EXPECT_LT(resident_mb() - before, 10.0);
}

}  // namespace
}  // namespace bough

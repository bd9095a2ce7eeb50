// SPDX-License-Identifier: Apache-2.0
// Loops over independent pieces.
#include "base/parallel.hpp"

#include <algorithm>

#if !defined(BOUGH_SERIAL)
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace bough {

#if defined(BOUGH_SERIAL)

void with_threads(int, const std::function<void()>& body) {
  body();
}

int available_threads() {
  return 1;
}

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) {
  for (std::size_t i = 0; i < count; ++i) body(i);
}

void parallel_ranges(std::size_t count, std::size_t, const std::function<void(std::size_t, std::size_t)>& body) {
  if (count > 0) body(0, count);
}

#else

void with_threads(int threads, const std::function<void()>& body) {
  // Asked for more threads than there are cores, oneTBB prints a warning.
  const int cores = oneapi::tbb::info::default_concurrency();
  oneapi::tbb::task_arena arena(threads > 0 ? std::min(threads, cores) : oneapi::tbb::task_arena::automatic);
  arena.execute([&] { body(); });
}

int available_threads() {
  return oneapi::tbb::this_task_arena::max_concurrency();
}

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) {
  if (count == 1) {
    body(0);
    return;
  }
  oneapi::tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) { body(i); });
}

void parallel_ranges(std::size_t count, std::size_t grain, const std::function<void(std::size_t, std::size_t)>& body) {
  if (count <= grain) {
    if (count > 0) body(0, count);
    return;
  }
  oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::size_t>(0, count, grain),
                            [&](const auto& range) { body(range.begin(), range.end()); });
}

#endif

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// Loops over independent pieces on oneTBB, or serial when BOUGH_SERIAL is defined (the embeddable library).
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace bough {

/// Runs `body` with at most `threads` threads (0: all cores, which is also the most) available to the loops inside it.
void with_threads(int threads, const std::function<void()>& body);
/// How many threads the loops called from here may use: work that only pays when shared can ask.
int available_threads();
/// Calls body(i) for i in [0, count), in any order, possibly in parallel. Pieces must not share what they write.
/// The first exception is rethrown here.
void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body);
/// Calls body(begin, end) over [0, count) in runs of at least `grain`.
void parallel_ranges(std::size_t count, std::size_t grain,
                     const std::function<void(std::size_t, std::size_t)>& body);
/// The pieces of [0, count) joined from first to last: join(join(init, piece(0, grain)), piece(grain, 2 * grain)) and so on. The
/// pieces do not depend on the threads, so any sum comes out the same.
template <class T, class Piece, class Join>
T parallel_reduce(std::size_t count, std::size_t grain, T init, const Piece& piece, const Join& join) {
  if (count <= grain) return count > 0 ? join(init, piece(0, count)) : init;
  std::vector<T> parts((count + grain - 1) / grain);
  parallel_for(parts.size(),
               [&](std::size_t i) { parts[i] = piece(i * grain, std::min(count, (i + 1) * grain)); });
  for (const T& part : parts) init = join(init, part);
  return init;
}

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// The switch that ends all searches of the process.
#include "bough/end_searches.hpp"

#include <atomic>

namespace bough {
namespace {

std::atomic<bool> ending{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // handlers of signals may set it

}  // namespace

void end_searches(bool on) noexcept {
  ending.store(on);
}

bool searches_end() noexcept {
  return ending.load(std::memory_order_relaxed);
}

}  // namespace bough

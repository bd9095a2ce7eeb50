// SPDX-License-Identifier: Apache-2.0
// How long a search may go on: work, which is counted and so the same on every machine, and the clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/monitor.hpp"
#include "bough/end_searches.hpp"

namespace bough::search {

class Budget {
 public:
  /// `seconds` from now; the clock can only end a search earlier. `monitor` is asked whether to go on.
  Budget(std::int64_t work, std::optional<double> seconds, Monitor* monitor = nullptr)
      : work_(work), monitor_(monitor) {
    if (seconds)
      end_ =
          std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                 std::chrono::duration<double>(*seconds));
  }

  /// Units are moves of one case in the sweep.
  void spend(std::int64_t work) noexcept { spent_ += work; }
  [[nodiscard]] std::int64_t spent() const noexcept { return spent_; }
  /// Whether it is used up, or all searches are to end; then for good. Throws when the monitor was told to cancel.
  [[nodiscard]] bool is_spent() {
    if (monitor_ != nullptr) monitor_->tick();
    if (!is_spent_)
      is_spent_ = spent_ >= work_ || (end_ && std::chrono::steady_clock::now() >= *end_) || searches_end();
    return is_spent_;
  }
  /// Work limit until which another search with the same clock may go, out of this one.
  void limit_to(std::int64_t work) noexcept { work_ = work; }
  [[nodiscard]] std::int64_t limit() const noexcept { return work_; }
  /// Takes back that a work limit was reached, after limit_to() raised it.
  void go_on() noexcept { is_spent_ = false; }

 private:
  std::int64_t work_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t spent_ = 0;
  std::optional<std::chrono::steady_clock::time_point> end_;
  Monitor* monitor_ = nullptr;
  bool is_spent_ = false;
};

}  // namespace bough::search

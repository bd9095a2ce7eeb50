// SPDX-License-Identifier: Apache-2.0
// Progress of work that goes over rows: which stage, how far, and how many rows a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "bough/model.hpp"

namespace bough {

/// Reports at most ten times a second, from the thread that calls it. Every call throws Error{cancelled} once
/// the job is to stop.
class RowPace {
 public:
  explicit RowPace(const Execution& execution) : execution_(execution) {}

  void stage(std::string name);
  /// So many more rows are done; `fraction` of the stage, where it is known.
  void rows(std::int64_t count, double fraction);
  void rows(std::int64_t count) { rows(count, fraction_); }
  /// The same execution for a job inside a stage: what that reports gets the pace. Lives as long as this.
  [[nodiscard]] Execution within();

 private:
  using Clock = std::chrono::steady_clock;
  void report();

  const Execution& execution_;
  std::string name_;
  std::string text_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_{};
  std::int64_t rows_ = 0;
  std::int64_t nodes_ = 0;
  double fraction_ = 0.0;
};

}  // namespace bough

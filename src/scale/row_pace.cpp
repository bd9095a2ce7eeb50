// SPDX-License-Identifier: Apache-2.0
// Progress of work that goes over rows.
#include "scale/row_pace.hpp"

#include <fmt/format.h>

namespace bough {
namespace {

std::string rate_text(double rows_per_second) {
  if (rows_per_second >= 1e6) return fmt::format("{:.1f} million rows/s", rows_per_second / 1e6);
  return fmt::format("{:.0f} thousand rows/s", rows_per_second / 1e3);
}

}  // namespace

void RowPace::stage(std::string name) {
  name_ = std::move(name);
  start_ = Clock::now();
  next_ = {};
  rows_ = nodes_ = 0;
  fraction_ = 0.0;
}

void RowPace::rows(std::int64_t count, double fraction) {
  rows_ += count;
  fraction_ = fraction;
  const Clock::time_point now = Clock::now();
  if (!execution_.progress || now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  report();
}

void RowPace::report() {
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const double rate = seconds > 0.0 ? static_cast<double>(rows_) / seconds : 0.0;
  text_ = rate >= 500.0 ? fmt::format("{}, {}", name_, rate_text(rate)) : name_;
  if (!execution_.progress({text_, fraction_, nodes_}))
    throw Error(ErrorCode::cancelled, "stopped on request");
}

Execution RowPace::within() {
  Execution inner = execution_;
  if (!inner.progress) return inner;
  inner.progress = [this](const Progress& progress) {
    nodes_ = progress.nodes;
    fraction_ = progress.fraction;
    report();
    return true;
  };
  return inner;
}

}  // namespace bough

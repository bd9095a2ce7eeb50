// SPDX-License-Identifier: Apache-2.0
// How long answers took: counts in buckets whose width grows with the time, about 3 % of it; adding one takes
// no memory.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace bench {

class Latencies {
 public:
  void add(std::uint64_t nanoseconds) noexcept {
    ++counts_[bucket(nanoseconds)];
    ++n_;
    max_ = std::max(max_, nanoseconds);
  }
  void add(const Latencies& other) noexcept {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    n_ += other.n_;
    max_ = std::max(max_, other.max_);
  }
  [[nodiscard]] std::uint64_t count() const noexcept { return n_; }
  [[nodiscard]] double max_us() const noexcept { return static_cast<double>(max_) / 1000.0; }
  /// At most so many microseconds for this share of the answers: the upper end of the bucket.
  [[nodiscard]] double share_us(double share) const noexcept {
    const auto wanted = static_cast<std::uint64_t>(share * static_cast<double>(n_));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      seen += counts_[i];
      if (seen > wanted) return std::min(upper_end(i) / 1000.0, max_us());
    }
    return max_us();
  }

 private:
  static constexpr unsigned kFine = 5;  // 32 buckets for every doubling

  static std::size_t bucket(std::uint64_t ns) noexcept {
    if (ns < (1U << kFine)) return ns;
    const unsigned top = static_cast<unsigned>(std::bit_width(ns)) - 1;
    return (static_cast<std::size_t>(top - kFine + 1) << kFine) +
           ((ns >> (top - kFine)) & ((1U << kFine) - 1));
  }
  static double upper_end(std::size_t i) noexcept {
    if (i < (1U << kFine)) return static_cast<double>(i);
    const std::size_t shift = (i >> kFine) - 1;
    return static_cast<double>(((i & ((1U << kFine) - 1)) + (1U << kFine) + 1) << shift);
  }

  std::array<std::uint64_t, 60 * (1U << kFine)> counts_{};
  std::uint64_t n_ = 0, max_ = 0;
};

}  // namespace bench

// SPDX-License-Identifier: Apache-2.0
// Progress and cancellation of a long job, callable from any worker.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string_view>

#include "bough/error.hpp"

namespace bough {

/// Passes progress on at most ten times a second and turns a refusal into Error{cancelled}.
class Monitor {
 public:
  using Report = std::function<bool(std::string_view stage, double fraction, std::int64_t nodes)>;

  Monitor() = default;
  explicit Monitor(Report report) : report_(std::move(report)) {}

  void stage(std::string_view name) {
    stage_ = name;
    done_ = 0;
    total_ = 0;
  }
  void total(std::int64_t units) { total_ = units; }
  void advance(std::int64_t units) { done_ += units; }
  void nodes(std::int64_t count) { nodes_ = count; }

  /// Call often; cheap. Throws Error{cancelled} once the job is to stop.
  void tick() {
    if (!report_) return;
    if (cancelled_.load(std::memory_order_relaxed)) throw_cancelled();
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    if (now < next_.load(std::memory_order_relaxed)) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return;
    next_ = now + std::chrono::steady_clock::duration(std::chrono::milliseconds(100)).count();
    const std::int64_t total = total_;
    const double fraction = total > 0 ? static_cast<double>(done_.load()) / static_cast<double>(total) : 0.0;
    if (!report_(stage_, fraction, nodes_)) {
      cancelled_ = true;
      throw_cancelled();
    }
  }

 private:
  [[noreturn]] static void throw_cancelled() { throw Error(ErrorCode::cancelled, "stopped on request"); }

  Report report_;
  std::string_view stage_;
  std::atomic<std::int64_t> done_{0}, total_{0}, nodes_{0};
  std::atomic<std::int64_t> next_{0};
  std::atomic<bool> cancelled_{false};
  std::mutex mutex_;
};

}  // namespace bough

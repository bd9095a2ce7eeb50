// SPDX-License-Identifier: Apache-2.0
// Which file a path led to, and in what state: to notice when it changes between two readings.
#pragma once

#include <cstdint>
#include <string>

namespace bough {

class FileMark {
 public:
  /// Throws io where there is no such file, not_supported where it cannot be read twice (a pipe, a device).
  explicit FileMark(std::string path);
  /// Throws io, naming the path, where it leads to another file now or to other bytes.
  void check() const;
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::int64_t size() const noexcept { return state_.size; }

 private:
  struct State {
    std::int64_t device = 0, inode = 0, size = 0, seconds = 0, nanoseconds = 0;
    bool operator==(const State&) const = default;
  };
  [[nodiscard]] State look() const;
  std::string path_;
  State state_;
};

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// Peak resident memory of a stretch of work.
#pragma once

#include <cstdint>
#include <optional>

namespace bench {

/// Watches the resident memory of this process from its construction on (Linux).
class PeakMemory {
 public:
  PeakMemory();
  /// Most bytes above those at the start; nothing where the kernel does not tell.
  [[nodiscard]] std::optional<std::int64_t> above_start() const;

 private:
  bool reset_ = false;
  std::int64_t start_ = 0;
};

}  // namespace bench

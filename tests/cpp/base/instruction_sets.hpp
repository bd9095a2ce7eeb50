// SPDX-License-Identifier: Apache-2.0
// One instruction set after the other.
#pragma once

#include <hwy/targets.h>

#include <cstdint>
#include <vector>

namespace bough {

/// Those that were compiled in and this machine has.
inline std::vector<std::int64_t> instruction_sets() {
  std::vector<std::int64_t> found;
  for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1)
    found.push_back(left & -left);
  return found;
}

/// Lets only one instruction set run until the end of the scope.
class Only {
 public:
  explicit Only(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  ~Only() {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  Only(const Only&) = delete;
  Only& operator=(const Only&) = delete;
};

}  // namespace bough

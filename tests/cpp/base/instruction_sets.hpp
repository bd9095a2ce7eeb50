// SPDX-License-Identifier: Apache-2.0
// The instruction sets that kernels were compiled for, one at a time.
#pragma once

#include <hwy/targets.h>

#include <cstdint>
#include <vector>

namespace bough {

/// Those that this machine has, as Highway's numbers.
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

// SPDX-License-Identifier: Apache-2.0
// Progress of a job, told to the caller of a public function.
#pragma once

#include "base/monitor.hpp"
#include "bough/model.hpp"

namespace bough {

/// What a Monitor needs to tell the caller; nothing where the caller does not want to hear of it. `execution`
/// must live as long.
inline Monitor::Report report_to(const Execution& execution) {
  if (!execution.progress) return {};
  return [&execution](std::string_view stage, double fraction, std::int64_t nodes) {
    return execution.progress({stage, fraction, nodes});
  };
}

}  // namespace bough

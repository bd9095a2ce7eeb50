// SPDX-License-Identifier: Apache-2.0
// Reads and resets the high-water mark of resident memory in /proc.
#include "driver/memory.hpp"

#include <malloc.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace bench {
namespace {

/// A line of /proc/self/status in bytes; -1 when it is not there.
std::int64_t status(const std::string& name) {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;) {
    if (word != name) continue;
    std::int64_t kilobytes = -1;
    file >> kilobytes;
    return kilobytes < 0 ? -1 : kilobytes * 1024;
  }
  return -1;
}

}  // namespace

PeakMemory::PeakMemory() {
  malloc_trim(0);  // what is free already must not be counted as there
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;  // sets VmHWM to VmRSS
  reset_ = static_cast<bool>(file);
  start_ = status("VmRSS:");
}

std::optional<std::int64_t> PeakMemory::above_start() const {
  const std::int64_t peak = status("VmHWM:");
  if (!reset_ || start_ < 0 || peak < 0) return std::nullopt;
  return std::max<std::int64_t>(0, peak - start_);
}

}  // namespace bench

// SPDX-License-Identifier: Apache-2.0
// Restricts Highway's run-time dispatch.
#include "driver/simd.hpp"

#include <hwy/targets.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <utility>

namespace bench {
namespace {

// In Highway the better target is the lower bit.
constexpr std::array<std::pair<const char*, std::int64_t>, 6> kTargets{{
#ifdef HWY_AVX3_DL
    {"AVX3_DL", HWY_AVX3_DL},
#else
    {"AVX3_DL", HWY_AVX3},
#endif
    {"AVX3", HWY_AVX3},
    {"AVX2", HWY_AVX2},
    {"SSE4", HWY_SSE4},
    {"SSSE3", HWY_SSSE3},
    {"scalar", HWY_SCALAR}}};

}  // namespace

std::string restrict_simd(const std::string& best) {
  std::int64_t allowed = -1;
  for (const auto& [name, bit] : kTargets)
    if (best == name) allowed = bit;
  if (!best.empty() && allowed < 0) {
    std::cerr << "bench: unknown simd target '" << best << "'\n";
    std::exit(2);
  }
  if (allowed > 0) hwy::DisableTargets(allowed - 1);
  const std::int64_t left = hwy::SupportedTargets();
  return hwy::TargetName(left & -left);
}

}  // namespace bench

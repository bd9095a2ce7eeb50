// SPDX-License-Identifier: Apache-2.0
// Which vector instructions the kernels may use.
#pragma once

#include <string>

namespace bench {

/// Forbids every target better than `best` ("AVX2", "SSE4", "SSSE3", "scalar"; empty: nothing is forbidden).
/// Before the first kernel runs. Returns the name of the best target left; ends the program when the name is
/// unknown.
std::string restrict_simd(const std::string& best);

}  // namespace bench

// SPDX-License-Identifier: Apache-2.0
// Names of error codes.
#include "bough/error.hpp"

#include <array>
#include <cstddef>

namespace bough {

std::string_view error_name(ErrorCode code) noexcept {
  // In the order of the enumerators.
  static constexpr std::array<std::string_view, 8> names{
      "bad_params", "bad_data", "bad_model", "io", "not_supported", "cancelled", "out_of_memory", "internal"};
  const auto at = static_cast<std::size_t>(code);
  return at < names.size() ? names[at] : names.back();
}

}  // namespace bough

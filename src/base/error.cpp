// SPDX-License-Identifier: Apache-2.0
// Names of error codes.
#include "bough/error.hpp"

namespace bough {

std::string_view error_name(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::bad_params:
      return "bad_params";
    case ErrorCode::bad_data:
      return "bad_data";
    case ErrorCode::bad_model:
      return "bad_model";
    case ErrorCode::io:
      return "io";
    case ErrorCode::not_supported:
      return "not_supported";
    case ErrorCode::cancelled:
      return "cancelled";
    case ErrorCode::out_of_memory:
      return "out_of_memory";
    case ErrorCode::internal:
      return "internal";
  }
  return "internal";
}

}  // namespace bough

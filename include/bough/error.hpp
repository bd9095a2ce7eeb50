// SPDX-License-Identifier: Apache-2.0
// The one exception type of bough and its codes.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace bough {

/// Kind of failure. The command line maps it to an exit code, Python to an exception class.
enum class ErrorCode {
  bad_params,
  bad_data,
  bad_model,
  io,
  not_supported,
  cancelled,
  out_of_memory,
  internal
};

/// The literal name of a code ("bad_data").
std::string_view error_name(ErrorCode code) noexcept;

/// What went wrong and where (message), and what to do about it (hint, may be empty).
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message, std::string hint = {})
      : std::runtime_error(message), code_(code), hint_(std::move(hint)) {}

  [[nodiscard]] ErrorCode code() const noexcept { return code_; }
  [[nodiscard]] const std::string& hint() const noexcept { return hint_; }

 private:
  ErrorCode code_;
  std::string hint_;
};

}  // namespace bough

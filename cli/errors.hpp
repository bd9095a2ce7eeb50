// SPDX-License-Identifier: Apache-2.0
// From exceptions to messages on standard error and exit codes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "bough/error.hpp"

namespace bough::cli {

/// 2 bad_params, 3 bad_data, 4 bad_model, 5 io, 6 not_supported and out_of_memory, 70 internal, 130
/// cancelled.
int exit_code(ErrorCode code) noexcept;
/// The same for people.
inline constexpr std::string_view kExitCodes =
    "0 done, 2 wrong options, 3 wrong data, 4 invalid model, 5 file error, 6 not supported, 130 cancelled, "
    "70 internal error";

/// Runs `body`, which returns an exit code; an exception becomes a message on standard error and its exit
/// code. What is left in standard output is flushed first, and failing to write it is an io error.
int guarded(const std::function<int()>& body);

/// Throws bad_params where the value of an option is below `least`, 0 or 1.
void require_at_least(std::int64_t least, std::int64_t value, std::string_view option,
                      std::string_view hint = {});

/// "bough: warning: message" on standard error.
void warn(std::string_view message);
/// "bough: message" on standard error.
void tell(std::string_view message);

}  // namespace bough::cli

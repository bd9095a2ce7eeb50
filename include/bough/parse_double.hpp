// SPDX-License-Identifier: Apache-2.0
// std::from_chars for doubles, also where the standard library has it for integers only (libc++ before LLVM 20).
#pragma once

#include <charconv>

namespace bough {

/// What std::from_chars(first, last, value) does, but for "nan(...)", by strtod in the C locale. Slower; asks for memory.
std::from_chars_result parse_double_by_strtod(const char* first, const char* last, double& value);

/// std::from_chars(first, last, value): the correctly rounded double at `first`, no blanks, no plus sign. Where a number is too
/// large or too small for a double, `value` stays as it was and the result says result_out_of_range.
inline std::from_chars_result parse_double(const char* first, const char* last, double& value) {
#if defined(__cpp_lib_to_chars)
  return std::from_chars(first, last, value);
#else
  return parse_double_by_strtod(first, last, value);
#endif
}

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// Numbers, names and lists as source code.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace bough {

/// A finite number that C, C++ and Python read back exactly, always with a point or an exponent.
std::string double_literal(double value);
/// The same for a float, with the suffix f.
std::string float_literal(float value);

/// A string literal of C and C++ in ASCII: nothing in it ends the literal, starts a trigraph or runs on.
std::string c_string(std::string_view text);
/// A string literal of Python in ASCII; bytes that are not UTF-8 become lone surrogates, as Python reads file
/// names.
std::string python_string(std::string_view text);
/// A name on one line of a C comment: it cannot end the comment, begin one or join lines.
std::string comment_text(std::string_view text);

/// Makes identifiers out of any text: letters, digits and _, no two alike.
class Identifiers {
 public:
  /// `fallback` where no letter or digit is left. Never empty; may begin with a digit.
  std::string make(std::string_view text, std::string_view fallback);

 private:
  std::unordered_map<std::string, std::size_t> taken_;  // and the number to try next
};

/// Throws bad_params unless the text is an identifier of C, C++ and Python and none of their keywords.
void check_identifier(std::string_view text);

/// The parts joined by ", " in lines of about 100 signs, each begun by `indent`.
std::string wrapped_list(std::span<const std::string> parts, std::string_view indent);

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// Columns of numbers on their way into a page: the narrowest exact type, side by side, deflated, in base64.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bough/json.hpp"

namespace bough {

/// Named columns. Each begins at a multiple of 8 bytes, little-endian; page/unpack.js reads them.
class Pack {
 public:
  /// Takes the narrowest of i8, i16, i32, f32 and f64 that holds every number exactly (-0.0 counts as a
  /// fraction).
  void add(std::string_view name, std::span<const double> values);
  template <class T>
  void add_all(std::string_view name, const std::vector<T>& values) {
    const std::vector<double> copy(values.begin(), values.end());
    add(name, copy);
  }

  /// [[name, type, length], ...]
  [[nodiscard]] const Json& columns() const noexcept { return columns_; }
  /// The bytes, deflated (zlib's format), in base64.
  [[nodiscard]] std::string text() const;

 private:
  Json columns_ = Json::array();
  std::string bytes_;
};

/// JSON that may stand inside a script element: `<` and the like are escaped, broken UTF-8 is replaced.
std::string script_json(const Json& json);
/// Text for HTML, safe in elements and attributes.
std::string html_text(std::string_view text);

}  // namespace bough

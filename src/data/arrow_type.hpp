// SPDX-License-Identifier: Apache-2.0
// Arrow format strings: what we read, and names for what we do not.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bough/table.hpp"

namespace bough {

enum class ArrowLayout : std::uint8_t { plain, bits, text, wide_text, text_view, nothing };

struct ArrowType {
  Dtype dtype = Dtype::f64;
  ArrowLayout layout = ArrowLayout::plain;
};

/// The type of a format string, or nothing when it is not read.
std::optional<ArrowType> arrow_type(std::string_view format) noexcept;
/// A format string in words, for errors ("list", "timestamp").
std::string arrow_type_name(std::string_view format);

}  // namespace bough

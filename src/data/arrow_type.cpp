// SPDX-License-Identifier: Apache-2.0
// Arrow format strings.
#include "data/arrow_type.hpp"

#include <fmt/format.h>

namespace bough {

std::optional<ArrowType> arrow_type(std::string_view format) noexcept {
  if (format == "vu") return ArrowType{Dtype::text, ArrowLayout::text_view};
  if (format.size() != 1) return std::nullopt;
  switch (format.front()) {
    case 'c':
      return ArrowType{Dtype::i8, ArrowLayout::plain};
    case 'C':
      return ArrowType{Dtype::u8, ArrowLayout::plain};
    case 's':
      return ArrowType{Dtype::i16, ArrowLayout::plain};
    case 'S':
      return ArrowType{Dtype::u16, ArrowLayout::plain};
    case 'i':
      return ArrowType{Dtype::i32, ArrowLayout::plain};
    case 'I':
      return ArrowType{Dtype::u32, ArrowLayout::plain};
    case 'l':
      return ArrowType{Dtype::i64, ArrowLayout::plain};
    case 'L':
      return ArrowType{Dtype::u64, ArrowLayout::plain};
    case 'f':
      return ArrowType{Dtype::f32, ArrowLayout::plain};
    case 'g':
      return ArrowType{Dtype::f64, ArrowLayout::plain};
    case 'b':
      return ArrowType{Dtype::bits, ArrowLayout::bits};
    case 'u':
      return ArrowType{Dtype::text, ArrowLayout::text};
    case 'U':
      return ArrowType{Dtype::text, ArrowLayout::wide_text};
    case 'n':
      return ArrowType{Dtype::f64, ArrowLayout::nothing};
    default:
      return std::nullopt;
  }
}

std::string arrow_type_name(std::string_view format) {
  struct Known {
    std::string_view prefix;
    const char* name;
  };
  static constexpr Known kKnown[] = {{"e", "float16"},
                                     {"z", "binary"},
                                     {"Z", "large binary"},
                                     {"vz", "binary view"},
                                     {"d:", "decimal"},
                                     {"w:", "fixed-size binary"},
                                     {"td", "date"},
                                     {"tt", "time"},
                                     {"ts", "timestamp"},
                                     {"tD", "duration"},
                                     {"ti", "interval"},
                                     {"+l", "list"},
                                     {"+L", "large list"},
                                     {"+vl", "list view"},
                                     {"+vL", "large list view"},
                                     {"+w", "fixed-size list"},
                                     {"+s", "struct"},
                                     {"+m", "map"},
                                     {"+u", "union"},
                                     {"+r", "run-end encoded"},
                                     {"c", "int8"},
                                     {"C", "uint8"},
                                     {"s", "int16"},
                                     {"S", "uint16"},
                                     {"i", "int32"},
                                     {"I", "uint32"},
                                     {"l", "int64"},
                                     {"L", "uint64"},
                                     {"f", "float32"},
                                     {"g", "float64"},
                                     {"b", "boolean"},
                                     {"u", "string"},
                                     {"U", "large string"},
                                     {"vu", "string view"},
                                     {"n", "null"}};
  for (const Known& known : kKnown)
    if (format.starts_with(known.prefix)) return known.name;
  return fmt::format("\"{}\"", format);
}

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// A header of C or C++ while it is being written.
#include "export/c_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "bough/export.hpp"
#include "explain/words.hpp"
#include "export/code_text.hpp"

namespace bough {
namespace {

// The longest string literal that every compiler of C99 takes.
constexpr std::size_t kLongestText = 4000;
// Marks are the two numbers below 2^32 (see CodeTables).
constexpr std::uint32_t kFirstMark = CodeTables::kStops;

struct Narrow {
  const char* type;
  std::size_t bytes;
  std::uint32_t largest;
};

Narrow narrow_type(std::span<const std::uint32_t> values) {
  std::uint32_t most = 0;
  bool marks = false;
  for (const std::uint32_t value : values) {
    if (value >= kFirstMark) {
      marks = true;
    } else {
      most = std::max(most, value);
    }
  }
  const std::uint32_t room = marks ? 2 : 0;
  if (most + room <= 0xff) return {"uint8_t", 1, 0xff};
  if (most + room <= 0xffff) return {"uint16_t", 2, 0xffff};
  return {"uint32_t", 4, 0xffffffff};
}

bool starts_word(std::string_view text, std::size_t at, std::string_view word) {
  return text.substr(at, word.size()) == word;
}

}  // namespace

CSource::CSource(const Model& of, CLanguage in, const ExportOptions& options)
    : model(of),
      language(in),
      floats(options.float32),
      branches(options.style == "branches"),
      prefix(options.prefix),
      tables(code_tables(of, options.float32 ? CodeCells::floats : CodeCells::doubles)),
      simple(of.parts().combine == Combine::single && !tables.has_shares()),
      keeps_values(of.parts().combine != Combine::vote || tables.has_shares()),
      floats_stored(options.float32 && simple) {
  check_identifier(prefix);
}

std::string CSource::name(std::string_view text) const {
  return language == CLanguage::c ? fmt::format("{}_{}", prefix, text) : std::string(text);
}

std::string CSource::row_of(std::string_view end) const {
  return branches ? fmt::format("@t_end_row[{}]", end) : fmt::format("@t_row({})", end);
}

void CSource::code(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '@') {
      out_ += language == CLanguage::c ? prefix + "_" : std::string();
    } else if (starts_word(text, i, "$CELL")) {
      out_ += floats ? "float" : "double";
      i += 4;
    } else if (starts_word(text, i, "$VALUE")) {
      out_ += floats_stored ? "float" : "double";
      i += 5;
    } else if (starts_word(text, i, "$OUT")) {
      out_ += floats ? "float" : "double";
      i += 3;
    } else if (starts_word(text, i, "$INLINE")) {
      out_ += language == CLanguage::c ? "static inline" : "inline";
      i += 6;
    } else {
      out_ += text[i];
    }
  }
}

std::uint32_t CSource::largest(std::span<const std::uint32_t> values) {
  return narrow_type(values).largest;
}

void CSource::raw(std::string_view text) {
  out_ += text;
}

void CSource::table(std::string_view name, std::span<const std::uint32_t> values) {
  if (values.empty()) return;
  const Narrow type = narrow_type(values);
  std::vector<std::string> parts;
  parts.reserve(values.size());
  for (const std::uint32_t value : values)
    parts.push_back(std::to_string(value >= kFirstMark ? type.largest - (0xffffffff - value) : value));
  bytes_ += values.size() * type.bytes;
  code(fmt::format("{} {} @{}[{}] = {{\n{}\n}};\n",
                   language == CLanguage::c ? "static const" : "inline constexpr", type.type, name,
                   values.size(), wrapped_list(parts, "  ")));
}

void CSource::table(std::string_view name, std::span<const double> values, bool as_floats) {
  if (values.empty()) return;
  std::vector<std::string> parts;
  parts.reserve(values.size());
  for (const double value : values)
    parts.push_back(as_floats ? float_literal(static_cast<float>(value)) : double_literal(value));
  bytes_ += values.size() * (as_floats ? 4 : 8);
  code(fmt::format("{} {} @{}[{}] = {{\n{}\n}};\n",
                   language == CLanguage::c ? "static const" : "inline constexpr",
                   as_floats ? "float" : "double", name, values.size(), wrapped_list(parts, "  ")));
}

void CSource::texts(std::string_view name, std::span<const std::string> texts) {
  std::vector<std::string> parts;
  for (const std::string& text : texts) {
    if (text.size() > kLongestText || text.find('\0') != std::string::npos)
      throw Error(ErrorCode::not_supported,
                  fmt::format("the name {}... cannot appear in a C header", shown_name(text.substr(0, 40))),
                  fmt::format("rename it: names there have at most {} bytes and no zero byte", kLongestText));
    parts.push_back(c_string(text));
    bytes_ += text.size() + 1 + sizeof(void*);
  }
  // Written as it is: names may hold what code() would replace.
  code(fmt::format("{} @{}[{}] = {{\n",
                   language == CLanguage::c ? "static const char *const" : "inline constexpr const char *",
                   name, texts.size()));
  out_ += wrapped_list(parts, "  ");
  out_ += "\n};\n";
}

}  // namespace bough

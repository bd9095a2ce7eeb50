// SPDX-License-Identifier: Apache-2.0
// Cells and rows of delimited text.
#include "data/cell_scanner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace bough {

CellScanner::CellScanner(std::string_view text, char delimiter, std::string source, std::int64_t line)
    : at_(text.data()),
      end_(text.data() + text.size()),
      delimiter_(delimiter),
      line_(line),
      source_(std::move(source)) {
  for (const char c : {delimiter, '\n', '\r', '\0'}) stop_[static_cast<unsigned char>(c)] = true;
}

std::string_view CellScanner::cell(std::string_view column) {
  while (is_blank(*at_)) ++at_;
  if (*at_ == '"') return quoted_cell(column);
  const char* const first = at_;
  while (!is_stop(*at_)) ++at_;
  if (*at_ == '\0' && at_ != end_)
    throw error(column, "a NUL byte",
                "the file is binary, or text of another encoding: save it as UTF-8 text");
  const char* last = at_;
  while (last != first && is_blank(last[-1])) --last;
  return {first, static_cast<std::size_t>(last - first)};
}

std::string_view CellScanner::quoted_cell(std::string_view column) {
  const char* const opened = at_;
  const char* from = at_ + 1;
  bool doubled = false;
  for (;;) {
    const auto* quote =
        static_cast<const char*>(std::memchr(from, '"', static_cast<std::size_t>(end_ - from)));
    if (quote == nullptr)
      throw error(column, "a quote is opened and never closed",
                  "close it, or double quotes that are meant literally");
    at_ = quote + 1;
    if (*at_ != '"' || at_ == end_) break;
    doubled = true;
    from = at_ + 1;
  }
  std::string_view text(opened + 1, static_cast<std::size_t>(at_ - opened) - 2);
  while (is_blank(*at_)) ++at_;
  if (!is_stop(*at_) || (*at_ == '\0' && at_ != end_))
    throw error(column, "text follows a closing quote",
                "double quotes that are meant literally, or choose another delimiter");
  if (text.find('\0') != std::string_view::npos)
    throw error(column, "a NUL byte",
                "the file is binary, or text of another encoding: save it as UTF-8 text");
  inner_lines_ += std::count(text.begin(), text.end(), '\n');
  if (!doubled) return text;
  unescaped_.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    unescaped_ += text[i];
    if (text[i] == '"') ++i;
  }
  return unescaped_;
}

void CellScanner::next_row() noexcept {
  if (at_ != end_ && *at_ == '\r') ++at_;
  if (at_ != end_ && *at_ == '\n') ++at_;
  line_ += 1 + inner_lines_;
  inner_lines_ = 0;
}

void CellScanner::skip_blank_rows() noexcept {
  for (;;) {
    const char* at = at_;
    while (is_blank(*at)) ++at;
    if (at == end_) at_ = end_;
    if (at == end_ || (*at != '\n' && *at != '\r')) return;
    at_ = at;
    next_row();
  }
}

Error CellScanner::error(std::string_view column, std::string_view what, std::string hint) const {
  std::string where = source_.empty() ? std::string() : source_ + ": ";
  where += fmt::format("line {}", line_ + inner_lines_);
  if (!column.empty()) where += fmt::format(", column \"{}\"", column);
  return Error(ErrorCode::bad_data, fmt::format("{}: {}", where, what), std::move(hint));
}

}  // namespace bough

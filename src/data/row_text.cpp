// SPDX-License-Identifier: Apache-2.0
// Delimited text on its way from a file.
#include "data/row_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "bough/error.hpp"

namespace bough {
namespace {

constexpr std::size_t kReadBytes = 1 << 20;
constexpr std::size_t kMostRowBytes = std::size_t{1} << 28;

}  // namespace

std::size_t RowFinder::feed(std::string_view bytes) noexcept {
  std::size_t rows_end = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    if (state_ == State::quoted) {
      const std::size_t quote = bytes.find('"', i);
      if (quote == std::string_view::npos) return rows_end;
      i = quote;
      state_ = State::quote_seen;
    } else if (c == '\n') {
      if (!blank_) rows_end = i + 1;
      if (!after_cr_) ++rows_;
      blank_ = true;
      state_ = State::cell_start;
    } else if (c == '\r') {
      ++rows_;
      after_cr_ = true;
      state_ = State::cell_start;  // a lone carriage return ends a row; the block ends at a line feed
      continue;
    } else if (c == delimiter_) {
      blank_ = false;
      state_ = State::cell_start;
    } else if (c == '"' && state_ != State::plain) {
      blank_ = false;
      state_ = State::quoted;  // opens a cell, or doubles the quote before it
    } else if (c != ' ' && c != '\t') {
      blank_ = false;
      state_ = State::plain;
    }
    after_cr_ = false;
  }
  return rows_end;
}

RowText::RowText(std::unique_ptr<ByteSource> bytes, std::string name)
    : bytes_(std::move(bytes)), name_(std::move(name)) {}

/// Reads once; gives the number of new bytes.
std::size_t RowText::fill() {
  if (has_nul_) {
    buffer_[nul_at_] = kept_;
    has_nul_ = false;
  }
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, size_ - begin_);
    size_ -= begin_;
    rows_end_ -= begin_;
    begin_ = 0;
  }
  if (size_ - rows_end_ > kMostRowBytes)
    throw Error(ErrorCode::bad_data,
                fmt::format("{}: line {}: a row is longer than {} bytes", name_, line_, kMostRowBytes),
                "a quote is probably opened and never closed");
  // One byte stays free for the NUL behind the text.
  if (buffer_.size() < size_ + kReadBytes + 1)
    buffer_.resize(std::max(size_ + size_ / 2, size_ + kReadBytes) + 1);
  const std::size_t n = bytes_->read(buffer_.data() + size_, kReadBytes);
  at_end_ = n == 0;
  size_ += n;
  return n;
}

void RowText::find_rows(std::size_t fresh) {
  const std::size_t from = size_ - fresh;
  const std::size_t length = finder_.feed({buffer_.data() + from, fresh});
  if (length > 0) rows_end_ = from + length;
  if (at_end_) {
    while (size_ > rows_end_ && (buffer_[size_ - 1] == '\n' || buffer_[size_ - 1] == '\r')) --size_;
    rows_end_ = size_;
  }
}

void RowText::end_text(std::size_t at) noexcept {
  if (has_nul_) buffer_[nul_at_] = kept_;
  nul_at_ = at;
  kept_ = buffer_[at];
  buffer_[at] = '\0';
  has_nul_ = true;
}

RowText::Head RowText::head(std::size_t bytes) {
  // The first row that is not blank: up to a line end outside quotes.
  std::size_t first_row = 0;
  bool quoted = false;
  bool content = false;
  std::size_t looked = 0;
  while ((first_row == 0 || size_ < bytes) && !at_end_) {
    fill();
    for (; looked < size_ && first_row == 0; ++looked) {
      const char c = buffer_[looked];
      if (c == '"') quoted = !quoted;
      if (!quoted && (c == '\n' || c == '\r') && content) first_row = looked + 1;
      content |= c != '\n' && c != '\r' && c != ' ' && c != '\t';
    }
  }
  end_text(size_);
  return {{buffer_.data(), size_}, first_row == 0 ? size_ : first_row};
}

void RowText::start(char delimiter, std::size_t at, std::int64_t line) {
  finder_ = RowFinder(delimiter);
  // A head that ends between a carriage return and its line feed is shorter than the header.
  while (size_ < at && !at_end_) fill();
  begin_ = rows_end_ = std::min(at, size_);
  line_ = line;
  used_ = 0;
  find_rows(size_ - begin_);
}

std::string_view RowText::rows(std::int64_t count) {
  while ((finder_.rows() - used_ < count || rows_end_ == begin_) && !at_end_) find_rows(fill());
  end_text(rows_end_);
  return {buffer_.data() + begin_, rows_end_ - begin_};
}

void RowText::use(std::size_t bytes, std::int64_t line, std::int64_t count) noexcept {
  begin_ += bytes;
  line_ = line;
  used_ = begin_ == rows_end_ ? finder_.rows() : std::min(used_ + count, finder_.rows());
}

}  // namespace bough

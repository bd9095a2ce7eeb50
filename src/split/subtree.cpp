// SPDX-License-Identifier: Apache-2.0
// Column sampling, shared by the grower and the engines.
#include "split/subtree.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/internal_limits.hpp"
#include "base/random.hpp"
#include "split/draw_kernels.hpp"

namespace bough {

std::vector<ColId> draw_columns(std::vector<ColId> columns, std::size_t wanted, std::uint64_t key) {
  if (wanted == 0 || wanted >= columns.size()) return columns;
  const std::uint64_t own = mix(key, UINT64_MAX);
  for (std::size_t i = 0; i + 1 < columns.size(); ++i)
    std::swap(columns[i], columns[i + below(draw(own, i), columns.size() - i)]);
  return columns;
}

ColumnDraw::ColumnDraw(std::size_t n) : columns_(n), swapped_(n) {
  std::iota(columns_.begin(), columns_.end(), ColId{0});
}

void ColumnDraw::begin(std::uint64_t key, bool all) noexcept {
  if (!all_)  // back in order
    while (n_-- > 0) std::swap(columns_[n_], columns_[swapped_[n_]]);
  n_ = 0;
  all_ = all;
  if (!all) key_ = mix(key, UINT64_MAX);
}

ColId ColumnDraw::next() noexcept {
  const std::size_t i = n_++;
  if (all_) return columns_[i];
  if (i % kDrawsAtOnce == 0) draw_some(key_, i, bits_.data());
  swapped_[i] = static_cast<std::uint32_t>(i + below(bits_[i % kDrawsAtOnce], columns_.size() - i));
  std::swap(columns_[i], columns_[swapped_[i]]);
  return columns_[i];
}

void KnownConstants::start(std::size_t n_columns) {
  words_ = n_columns <= internal_limits().constant_columns ? (n_columns + 63) / 64 : 0;
  sets_.assign(words_, 0);
  from_ = current_ = 0;
}

void KnownConstants::add(std::size_t column) {
  if (words_ == 0) return;
  if (current_ == from_) {
    current_ = static_cast<std::uint32_t>(sets_.size() / words_);
    sets_.resize(sets_.size() + words_);
    std::copy_n(sets_.begin() + static_cast<std::ptrdiff_t>(from_ * words_), words_,
                sets_.end() - static_cast<std::ptrdiff_t>(words_));
  }
  sets_[current_ * words_ + column / 64] |= std::uint64_t{1} << column % 64;
}

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// A node's histogram: counting it, and where each column's buckets are in it.
#pragma once

#include <mutex>
#include <span>
#include <vector>

#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "data/codes.hpp"

namespace bough {

/// The histogram of some rows, by several threads where there are many.
template <class Layout>
std::vector<typename Layout::Word> count_rows(const Layout& layout, std::size_t n_buckets,
                                              std::span<const RowId> rows) {
  const std::size_t words = n_buckets * layout.words(), at_once = internal_limits().parallel_rows;
  std::vector<typename Layout::Word> histogram(words);
  if (rows.size() < at_once) {
    layout.add_rows(rows, histogram);
    return histogram;
  }
  std::mutex mutex;
  parallel_ranges(rows.size(), at_once, [&](std::size_t begin, std::size_t end) {
    std::vector<typename Layout::Word> part(words);
    layout.add_rows(rows.subspan(begin, end - begin), part);
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < words; ++i) histogram[i] += part[i];
  });
  return histogram;
}

/// A node's histogram by columns. A column with a slot of its own is read in place; a bundled one has two values, and the
/// rows at the lower one are all rows less those at the higher one.
template <class Layout>
class HistogramView {
 public:
  using Word = typename Layout::Word;

  HistogramView(const CodedTable& table, const Layout& layout, std::span<const Word> words)
      : table_(&table), layout_(&layout), words_(words), each_(layout.words()) {
    std::size_t n_bundled = 0;
    for (const CodedColumn& column : table.columns) n_bundled += column.mark > 0 ? 1 : 0;
    if (n_bundled == 0) return;
    std::vector<Word> total(each_);
    for (std::size_t b = 0; b < table.slot_begins[1]; ++b)
      for (std::size_t w = 0; w < each_; ++w) total[w] += words[b * each_ + w];
    place_.resize(table.columns.size());
    bundled_.resize(n_bundled * kBundledBuckets * each_);
    std::size_t at = 0;
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      const CodedColumn& column = table.columns[j];
      if (column.mark == 0) continue;
      place_[j] = at;
      const Word* up = words.data() + (table.slot_begins[column.slot] + column.mark) * each_;
      for (std::size_t w = 0; w < each_; ++w) {
        bundled_[at + w] = total[w];
        bundled_[at + w] -= up[w];
        bundled_[at + each_ + w] = up[w];
      }
      at += kBundledBuckets * each_;
    }
  }

  /// The words of the column's first bucket; the others follow, n_buckets in all.
  [[nodiscard]] const Word* column(ColId id) const noexcept {
    const auto j = static_cast<std::size_t>(id);
    const CodedColumn& column = table_->columns[j];
    if (column.mark > 0) return bundled_.data() + place_[j];
    return words_.data() + table_->slot_begins[column.slot] * each_;
  }
  [[nodiscard]] const Word* bucket(ColId id, std::size_t b) const noexcept { return column(id) + b * each_; }
  [[nodiscard]] std::uint32_t n_rows(ColId id, std::size_t b) const noexcept {
    return layout_->n_rows(bucket(id, b));
  }
  [[nodiscard]] std::uint32_t n_missing(ColId id) const noexcept {
    return n_rows(id, table_->columns[static_cast<std::size_t>(id)].missing_bucket());
  }

 private:
  static constexpr std::size_t kBundledBuckets =
      4;  // down, up, above, missing: as a column of two cuts has them
  const CodedTable* table_;
  const Layout* layout_;
  std::span<const Word> words_;
  std::size_t each_;
  std::vector<Word> bundled_;
  std::vector<std::size_t> place_;  // of each bundled column in bundled_
};

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// Counters of blocks for one layout.
#pragma once

#include <array>
#include <span>
#include <type_traits>
#include <vector>

#include "data/encoded.hpp"
#include "split/histogram/block_search.hpp"

namespace bough {

/// Where the levels of wide columns are in a histogram, in buckets.
class WideBuckets {
 public:
  explicit WideBuckets(const CodedTable& table) : begins_(table.columns.size(), 0), end_(table.n_buckets()) {
    for (std::size_t j = 0; j < begins_.size(); ++j) {
      if (!table.columns[j].wide) continue;
      begins_[j] = end_;
      end_ += table.columns[j].n_levels + std::size_t{1};  // the last one for missing cells
    }
  }
  [[nodiscard]] std::size_t begin(ColId id) const noexcept { return begins_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] std::size_t n_buckets() const noexcept { return end_; }

 private:
  std::vector<std::size_t> begins_;
  std::size_t end_;
};

template <class Layout>
Layout make_layout(const CodedTable& table, const Targets& targets, const LayoutFrame& frame) {
  if constexpr (std::is_constructible_v<Layout, const CodedTable&, const Targets&, const LayoutFrame&>) {
    return Layout(table, targets, frame);
  } else {
    return Layout(table, targets);
  }
}

template <class Layout>
constexpr Lanes lanes_of() noexcept {
  return sizeof(typename Layout::Word) == 4     ? Lanes::u32
         : alignof(typename Layout::Word) == 16 ? Lanes::wide
                                                : Lanes::u64;
}

template <class Layout>
class LayoutCounter final : public BlockCounter {
 public:
  using Word = typename Layout::Word;
  LayoutCounter(const CodedTable& table, const Targets& targets, const LayoutFrame& frame)
      : table_(&table), layout_(make_layout<Layout>(table, targets, frame)), wide_(table) {
    for (std::size_t j = 0; j < table.columns.size(); ++j)
      if (table.columns[j].wide) wide_columns_.push_back(static_cast<ColId>(j));
  }
  [[nodiscard]] std::size_t bytes() const override {
    return wide_.n_buckets() * layout_.words() * sizeof(Word);
  }
  [[nodiscard]] Lanes lanes() const override { return lanes_of<Layout>(); }
  void count(Rows rows, std::span<std::byte> histogram) const override {
    const std::span<Word> words(reinterpret_cast<Word*>(histogram.data()), histogram.size() / sizeof(Word));
    layout_.add_rows(rows, words.first(table_->n_buckets() * layout_.words()));
    for (const ColId id : wide_columns_) {
      const CodedColumn& column = table_->columns[static_cast<std::size_t>(id)];
      const std::span<Word> own = words.subspan(wide_.begin(id) * layout_.words());
      for (const RowId row : rows) {
        const std::uint32_t code = column.wide_codes[row];
        layout_.add_row(row, own.subspan((code == kMissingCode ? column.n_levels : code) * layout_.words(),
                                         layout_.words()));
      }
    }
  }
  [[nodiscard]] std::size_t parts_bytes(std::size_t n_buckets) const override {
    return n_buckets * kParts * layout_.words() * sizeof(Word);
  }
  void count_parts(Rows rows, const PartedColumn& column, std::span<std::byte> parts) const override {
    const std::span<Word> words(reinterpret_cast<Word*>(parts.data()), parts.size() / sizeof(Word));
    const NumberSource& numbers = table_->columns[static_cast<std::size_t>(column.column)].numbers;
    const std::uint8_t* codes = table_->codes(column.column);
    std::array<std::uint8_t, kBuckets> place{}, wanted{};
    for (std::size_t i = 0; i < column.buckets.size(); ++i) {
      place[column.buckets[i].bucket] = static_cast<std::uint8_t>(i);
      wanted[column.buckets[i].bucket] = 1;
    }
    std::vector<RowId> picked(rows.size() + 1);
    std::size_t n = 0;
    for (const RowId row : rows) {
      picked[n] = row;
      n += wanted[codes[row]];
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (i + 16 < n) numbers.prefetch(picked[i + 16]);
      const RowId row = picked[i];
      const std::size_t bucket = place[codes[row]], part = column.buckets[bucket].part(numbers.at(row));
      layout_.add_row(row, words.subspan((bucket * kParts + part) * layout_.words(), layout_.words()));
    }
  }

 private:
  const CodedTable* table_;
  Layout layout_;
  WideBuckets wide_;
  std::vector<ColId> wide_columns_;
};

}  // namespace bough

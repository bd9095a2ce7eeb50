// SPDX-License-Identifier: Apache-2.0
// The cells of some buckets of a column at a node, sorted by value.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <span>
#include <utility>
#include <vector>

#include "base/internal_limits.hpp"
#include "base/order_key.hpp"
#include "base/parallel.hpp"
#include "base/vector_sort.hpp"
#include "split/engine.hpp"
#include "split/engine_checks.hpp"
#include "split/histogram/layouts.hpp"

namespace bough {

template <class Layout>
class BucketKeys {
 public:
  struct Wanted {
    const CodedTable& table;
    const Layout& layout;
    ColId column = 0;
    std::span<const std::uint8_t> alive;  ///< per bucket; the last one, of missing cells, is not
    const std::uint32_t* rows = nullptr;  ///< per bucket, cumulated: how many rows there are
    [[nodiscard]] const NumberSource& numbers() const {
      return table.columns[static_cast<std::size_t>(column)].numbers;
    }
  };

  /// (order_key << 32 | payload) of the rows in alive buckets, sorted by value; valid until the next call.
  std::span<const std::uint64_t> collect(const Wanted& wanted, Rows rows) {
    if (rows.size() < 2 * internal_limits().parallel_collect || available_threads() == 1) {
      pick(wanted, rows, picked_, keys_);
      sort(wanted, keys_);
    } else {
      collect_by_bucket(wanted, rows);
    }
    return keys_;
  }

 private:
  // By several threads: keys go to the stretches of their buckets, in any order, and every stretch is sorted by itself.
  void collect_by_bucket(const Wanted& wanted, Rows rows) {
    std::array<std::atomic<std::size_t>, kBuckets> next{};
    std::array<std::size_t, kBuckets> end{};
    std::vector<std::pair<std::size_t, std::size_t>> stretches;
    std::size_t total = 0;
    for (std::size_t b = 0; b + 1 < wanted.alive.size(); ++b) {
      next[b] = total;
      const std::size_t count = wanted.alive[b] ? wanted.rows[b] - (b > 0 ? wanted.rows[b - 1] : 0) : 0;
      if (count > 0) stretches.emplace_back(total, count);
      end[b] = total += count;
    }
    keys_.resize(total);
    const std::uint8_t* codes = wanted.table.codes(wanted.column);
    parallel_ranges(rows.size(), internal_limits().parallel_collect, [&](std::size_t from, std::size_t to) {
      static thread_local std::vector<RowId> picked;
      static thread_local std::vector<std::uint64_t> keys;
      pick(wanted, rows.subspan(from, to - from), picked, keys);
      std::array<std::size_t, kBuckets> at{};
      for (std::size_t i = 0; i < keys.size(); ++i) ++at[codes[picked[i]]];
      for (std::size_t b = 0; b < kBuckets; ++b) {
        if (at[b] == 0) continue;
        const std::size_t count = at[b];
        at[b] = next[b].fetch_add(count, std::memory_order_relaxed);
        if (at[b] + count > end[b]) internal_error("a bucket holds more rows than its histogram counted");
      }
      for (std::size_t i = 0; i < keys.size(); ++i) keys_[at[codes[picked[i]]]++] = keys[i];
    });
    parallel_for(stretches.size(), [&](std::size_t i) {
      sort(wanted, std::span(keys_).subspan(stretches[i].first, stretches[i].second));
    });
  }

  static void sort(const Wanted& wanted, std::span<std::uint64_t> keys) {
    vector_sort(keys);
    const NumberSource& numbers = wanted.numbers();
    if (!numbers.is_float())
      settle_equal_floats(keys, [&](std::uint64_t key) { return numbers.at(row_of_payload(key)); });
  }

  static void pick(const Wanted& wanted, Rows rows, std::vector<RowId>& picked,
                   std::vector<std::uint64_t>& keys) {
    const std::uint8_t* codes = wanted.table.codes(wanted.column);
    picked.resize(rows.size() + 1);
    std::size_t n = 0;
    for (const RowId row : rows) {
      picked[n] = row;
      n += wanted.alive[codes[row]];
    }
    const NumberSource& numbers = wanted.numbers();
    keys.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      if (i + 16 < n) numbers.prefetch(picked[i + 16]);
      keys[i] = static_cast<std::uint64_t>(ordered_key(static_cast<float>(numbers.at(picked[i])) + 0.0F))
                    << 32 |
                wanted.layout.payload(picked[i]);
    }
  }

  std::vector<RowId> picked_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace bough

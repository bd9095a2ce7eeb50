// SPDX-License-Identifier: Apache-2.0
// Sums of a small subtree, sorted.
#include "split/oblique/oblique_small.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/order_key.hpp"
#include "base/vector_sort.hpp"
#include "split/small/small_kernels.hpp"
#include "split/small/sorted_lists.hpp"

namespace bough {
namespace {

// No two keys are equal. Most nodes are small, and branches on keys in no order are what costs most there: a
// handful of keys are put in their places, and from then on vectors are faster than std::sort.
void sort_keys(std::span<std::uint64_t> keys) {
  constexpr std::size_t handful = 10;
  if (keys.size() > handful) {
    static thread_local const hwy::Sorter sorter;
    sorter(keys.data(), keys.size(), hwy::SortAscending());
    return;
  }
  for (std::size_t i = 1; i < keys.size(); ++i) {
    const std::uint64_t key = keys[i];
    std::size_t at = i;
    for (; at > 0 && keys[at - 1] > key; --at) keys[at] = keys[at - 1];
    keys[at] = key;
  }
}

}  // namespace

SmallSums::SmallSums(const CodedTable& table, const ObliqueOptions& options, std::vector<double> scales)
    : table_(&table),
      draw_(options, numeric_columns(table), std::move(scales)),
      numeric_(numeric_columns(table)),
      place_(table.columns.size(), 0) {
  for (std::size_t k = 0; k < numeric_.size(); ++k) {
    const auto j = static_cast<std::size_t>(numeric_[k]);
    place_[j] = k;
    floats_ &= table.columns[j].numbers.is_float();
  }
}

void SmallSums::load(std::span<const RowId> rows, std::span<const std::uint8_t> tags) {
  rows_ = rows;
  stride_ = (rows.size() + 15) / 16 * 16;
  floats_ ? gather(narrow_) : gather(wide_);
  low_half_.resize(rows.size());
  for (std::uint32_t i = 0; i < rows.size(); ++i)
    low_half_[i] = (tags.empty() ? 0U : std::uint32_t{tags[i]} << SortedLists::kTagShift) | i;
  arena_.resize(std::max(arena_.size(), kBatch * (stride_ + kListPad)));
}

// Some rows at a time, because the cells of a row often lie side by side.
template <class T>
void SmallSums::gather(std::vector<T>& block) {
  constexpr std::size_t rows_at_once = 64;
  block.resize(std::max(block.size(), stride_ * numeric_.size()));
  for (std::size_t begin = 0; begin < rows_.size(); begin += rows_at_once) {
    const std::size_t end = std::min(rows_.size(), begin + rows_at_once);
    for (std::size_t k = 0; k < numeric_.size(); ++k) {
      const NumberSource& numbers = table_->columns[static_cast<std::size_t>(numeric_[k])].numbers;
      T* out = block.data() + k * stride_;
      for (std::size_t i = begin; i < end; ++i) {
        if constexpr (std::is_same_v<T, float>) {
          out[i] = numbers.float_at(rows_[i]);
        } else {
          out[i] = numbers.at(rows_[i]);
        }
      }
    }
  }
}

template <class T>
double SmallSums::value_in(const std::vector<T>& block, std::size_t i, std::uint32_t id) const noexcept {
  return projected(draw_.terms(i), [&](ColId column) {
    return static_cast<double>(block[place_[static_cast<std::size_t>(column)] * stride_ + id]);
  });
}

double SmallSums::value(std::size_t i, std::uint32_t id) const noexcept {
  return floats_ ? value_in(narrow_, i, id) : value_in(wide_, i, id);
}

// Term by term, as projected() adds them for each row.
template <class T>
void SmallSums::add_up(const std::vector<T>& block, std::size_t i, std::span<const std::uint32_t> ids) {
  const std::span<const ObliqueTerm> terms = draw_.terms(i);
  const std::size_t n = ids.size();
  const auto cells = [&](const ObliqueTerm& term) {
    return block.data() + place_[static_cast<std::size_t>(term.column)] * stride_;
  };
  sums_.resize(std::max(sums_.size(), n));
  const T* a = cells(terms[0]);
  const T* b = cells(terms[1]);
  const double u = terms[0].weight, v = terms[1].weight;
  for (std::size_t k = 0; k < n; ++k)
    sums_[k] = 0.0 + u * static_cast<double>(a[ids[k]]) + v * static_cast<double>(b[ids[k]]);
  for (const ObliqueTerm& term : terms.subspan(2)) {
    const T* c = cells(term);
    for (std::size_t k = 0; k < n; ++k) sums_[k] += term.weight * static_cast<double>(c[ids[k]]);
  }
}

SmallSums::Sorted SmallSums::sort(std::size_t i, std::span<const std::uint32_t> ids, std::size_t slot) {
  floats_ ? add_up(narrow_, i, ids) : add_up(wide_, i, ids);
  const auto n = static_cast<std::uint32_t>(ids.size());
  std::uint32_t* out = arena_.data() + slot * (stride_ + kListPad);
  keys_.resize(n);
  std::uint32_t known = 0, missing = 0;
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint32_t low = low_half_[ids[k]];
    const bool is_missing = std::isnan(sums_[k]);
    keys_[known] = static_cast<std::uint64_t>(ordered_key(static_cast<float>(sums_[k]) + 0.0F)) << 32 | low;
    known += is_missing ? 0 : 1;
    if (is_missing) out[n - ++missing] = SortedLists::kMissingRank << 16 | low;
  }
  keys_.resize(known);
  sort_keys(std::span(keys_));
  settle_equal_floats(std::span(keys_), [&](std::uint64_t key) {
    return value(i, SortedLists::id_of(static_cast<std::uint32_t>(key)));
  });
  if (put_ranks(out, i) == 0) return {};
  return {out, known};
}

// Writes entries with ranks; returns the highest. Sums of -infinity have the rank of the next larger ones: no
// cut parts them, because thresholds of sums are finite.
std::uint32_t SmallSums::put_ranks(std::uint32_t* out, std::size_t i) const {
  const auto value_of = [&](std::uint64_t key) {
    return value(i, SortedLists::id_of(static_cast<std::uint32_t>(key)));
  };
  std::uint32_t rank = 0;
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    if (k > 0 && (keys_[k] >> 32 != keys_[k - 1] >> 32 || value_of(keys_[k]) != value_of(keys_[k - 1])))
      ++rank;
    out[k] = rank << 16 | static_cast<std::uint32_t>(keys_[k]);
  }
  if (rank == 0 || value_of(keys_[0]) != -std::numeric_limits<double>::infinity()) return rank;
  for (std::size_t k = 0; k < keys_.size(); ++k)
    if (SortedLists::rank_of(out[k]) > 0) out[k] -= 1U << 16;
  return rank - 1;
}

std::vector<ColId> numeric_columns(const CodedTable& table) {
  std::vector<ColId> out;
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    if (table.columns[j].kind == Kind::numeric) out.push_back(static_cast<ColId>(j));
  return out;
}

std::vector<double> coded_scales(const CodedTable& table, const Targets& targets) {
  return column_scales(table.columns.size(), numeric_columns(table), targets,
                       [&](ColId id, const auto& visit) {
                         const NumberSource& numbers = table.columns[static_cast<std::size_t>(id)].numbers;
                         std::int64_t others = targets.total_weight;  // of the rows at zero
                         for (const RowId row : targets.rows) {
                           const double x = numbers.at(row);
                           if (x == 0.0) continue;
                           others -= targets.weight(row);
                           if (!std::isnan(x)) visit(row, x);
                         }
                         return others;
                       });
}

}  // namespace bough

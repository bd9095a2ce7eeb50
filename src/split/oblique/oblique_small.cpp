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
  for (std::size_t k = 0; k < numeric_.size(); ++k) place_[static_cast<std::size_t>(numeric_[k])] = k;
}

void SmallSums::load(std::span<const RowId> rows, std::span<const std::uint8_t> tags) {
  rows_ = rows;
  stride_ = (rows.size() + 15) / 16 * 16;
  gather();
  low_half_.resize(rows.size());
  for (std::uint32_t i = 0; i < rows.size(); ++i)
    low_half_[i] = (tags.empty() ? 0U : std::uint32_t{tags[i]} << SortedLists::kTagShift) | i;
  arena_.resize(std::max(arena_.size(), kBatch * (stride_ + kListPad)));
}

// Some rows at a time, because the cells of a row often lie side by side.
void SmallSums::gather() {
  constexpr std::size_t rows_at_once = 64;
  cells_.resize(std::max(cells_.size(), stride_ * numeric_.size()));
  for (std::size_t begin = 0; begin < rows_.size(); begin += rows_at_once) {
    const std::size_t end = std::min(rows_.size(), begin + rows_at_once);
    for (std::size_t k = 0; k < numeric_.size(); ++k) {
      const NumberSource& numbers = table_->columns[static_cast<std::size_t>(numeric_[k])].numbers;
      double* out = cells_.data() + k * stride_;
      for (std::size_t i = begin; i < end; ++i) out[i] = numbers.at(rows_[i]);
    }
  }
}

double SmallSums::value(std::size_t i, std::uint32_t id) const noexcept {
  return projected(draw_.terms(i), [&](ColId column) { return cells_of(column)[id]; });
}

// Term by term, as projected() adds them for each row.
void SmallSums::add_up(std::size_t i, std::span<const std::uint32_t> ids) {
  const std::span<const ObliqueTerm> terms = draw_.terms(i);
  const std::size_t n = ids.size();
  sums_.resize(std::max(sums_.size(), n));
  const double* a = cells_of(terms[0].column);
  const double* b = cells_of(terms[1].column);
  const double u = terms[0].weight, v = terms[1].weight;
  for (std::size_t k = 0; k < n; ++k) sums_[k] = 0.0 + u * a[ids[k]] + v * b[ids[k]];
  for (const ObliqueTerm& term : terms.subspan(2)) {
    const double* c = cells_of(term.column);
    for (std::size_t k = 0; k < n; ++k) sums_[k] += term.weight * c[ids[k]];
  }
}

SmallSums::Sorted SmallSums::sort(std::size_t i, std::span<const std::uint32_t> ids, std::size_t slot) {
  add_up(i, ids);
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

// SPDX-License-Identifier: Apache-2.0
// Computing and coding combinations.
#include "split/oblique/oblique_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "base/internal_limits.hpp"
#include "base/parallel.hpp"

namespace bough {
namespace {

constexpr std::size_t kMostSlots = 24;  // what InternalLimits::sum_slots may be
constexpr std::size_t kBlock = 64;      // rows whose cells are near while all combinations are computed
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

SumTable::SumTable(const CodedTable& table, std::size_t n_candidates)
    : table_(&table), n_columns_(table.columns.size()) {
  const auto n_rows = static_cast<std::size_t>(table.n_rows);
  const std::size_t room = internal_limits().sum_bytes / (10 * std::max<std::size_t>(n_rows, 1));
  n_slots_ = std::clamp<std::size_t>(std::min(room, n_candidates), 1,
                                     std::min(internal_limits().sum_slots, kMostSlots));
  coded_.n_rows = table.n_rows;
  coded_.column_stride = n_rows;
  coded_.row_stride = n_slots_ + 1;
  for (std::size_t slot = 0; slot <= n_slots_; ++slot)
    coded_.slot_begins.push_back(static_cast<std::uint32_t>(slot * kBuckets));
  coded_.by_column = Buffer<std::uint8_t>(n_rows * n_slots_);
  coded_.by_row = Buffer<std::uint8_t>(n_rows * (n_slots_ + 1));
  values_ = Buffer<double>(n_rows * n_slots_);
  coded_.columns.resize(n_columns_ + n_candidates);
  for (std::size_t i = 0; i < n_candidates; ++i) {
    CodedColumn& column = coded_.columns[n_columns_ + i];
    column.slot = static_cast<std::uint32_t>(i % n_slots_);
    column.n_buckets = kBuckets;
    ColumnView view;
    view.chunks.push_back({values_.data() + column.slot,
                           static_cast<std::ptrdiff_t>(n_slots_ * sizeof(double)), table.n_rows, 0, nullptr,
                           nullptr, false});
    column.numbers = NumberSource(view, table.n_rows);
  }
}

std::vector<std::uint8_t> SumTable::fill(std::span<const RowId> rows, const ProjectionDraw& draw,
                                         std::size_t first, std::size_t count, bool with_codes) {
  const std::vector<Extent> extents = add_up(rows, draw, first, count);
  std::vector<std::uint8_t> plain(count, 0);
  for (std::size_t k = 0; k < count; ++k) {
    const double width = extents[k].most - extents[k].least;
    // Missing everywhere, or one value: nothing to code, and nothing odd either.
    const bool empty = !(extents[k].least < extents[k].most);
    plain[k] = std::isinf(extents[k].least) || std::isinf(extents[k].most)
                   ? empty && extents[k].least == kInfinity && extents[k].most == -kInfinity
               : with_codes && !empty ? std::isfinite(width) && std::isfinite(255.0 / width)
                                      : 1;
  }
  if (with_codes) code(rows, extents, plain);
  return plain;
}

// The values of all combinations, and their extremes.
std::vector<SumTable::Extent> SumTable::add_up(std::span<const RowId> rows, const ProjectionDraw& draw,
                                               std::size_t first, std::size_t count) {
  std::vector<Extent> extents(count, {kInfinity, -kInfinity});
  // Asks for cells ahead: those of a row often lie side by side, sixteen floats to a line.
  const auto fetch = [&](std::span<const RowId> ahead) {
    for (std::size_t j = 0; j < n_columns_; j += 16) {
      const CodedColumn& column = table_->columns[j];
      if (column.kind != Kind::numeric) continue;
      for (const RowId row : ahead) column.numbers.prefetch(row);
    }
  };
  std::mutex mutex;
  parallel_ranges(
      rows.size(), internal_limits().parallel_sums, [&](std::size_t range_begin, std::size_t range_end) {
        std::vector<Extent> own(count, {kInfinity, -kInfinity});
        for (std::size_t begin = range_begin; begin < range_end; begin += kBlock) {
          const std::size_t end = std::min(range_end, begin + kBlock);
          fetch(rows.subspan(end, std::min(range_end - end, kBlock)));
          for (std::size_t k = 0; k < count; ++k) {
            double* out = values_.data() + k;
            double sums[kBlock] = {};
            for (const ObliqueTerm& term : draw.terms(first + k)) {
              const NumberSource& numbers = table_->columns[static_cast<std::size_t>(term.column)].numbers;
              for (std::size_t i = begin; i < end; ++i) sums[i - begin] += term.weight * numbers.at(rows[i]);
            }
            for (std::size_t i = begin; i < end; ++i) {
              const double x = sums[i - begin];
              out[rows[i] * n_slots_] = x;
              own[k].least = x < own[k].least ? x : own[k].least;
              own[k].most = x > own[k].most ? x : own[k].most;
            }
          }
        }
        const std::lock_guard lock(mutex);
        for (std::size_t k = 0; k < count; ++k) {
          extents[k].least = std::min(extents[k].least, own[k].least);
          extents[k].most = std::max(extents[k].most, own[k].most);
        }
      });
  return extents;
}

// Buckets of equal width; every step of the computation is monotone, so codes keep the order. Row by row: the
// values of a row lie side by side.
void SumTable::code(std::span<const RowId> rows, std::span<const Extent> extents,
                    std::span<const std::uint8_t> plain) {
  const std::size_t count = plain.size();
  constexpr std::uint8_t missing = kBuckets - 1;
  double least[kMostSlots], scale[kMostSlots];
  for (std::size_t slot = 0; slot < count; ++slot) {
    const double width = extents[slot].most - extents[slot].least;
    const bool buckets = plain[slot] != 0 && width > 0.0;
    least[slot] = buckets ? extents[slot].least : 0.0;
    scale[slot] = buckets ? 255.0 / width : 0.0;
  }
  parallel_ranges(rows.size(), internal_limits().parallel_sums,
                  [&](std::size_t range_begin, std::size_t range_end) {
                    const double* const low = least;
                    const double* const steps = scale;
                    for (std::size_t begin = range_begin; begin < range_end; begin += kBlock) {
                      const std::size_t end = std::min(range_end, begin + kBlock);
                      std::uint8_t codes[kMostSlots][kBlock];
                      for (std::size_t i = begin; i < end; ++i) {
                        const double* values = values_.data() + rows[i] * n_slots_;
                        std::uint8_t* by_row = coded_.by_row.data() + rows[i] * coded_.row_stride;
                        for (std::size_t slot = 0; slot < count; ++slot) {
                          // NaN, a missing sum, fails the comparison; infinite sums are in slots without buckets.
                          const double at = (values[slot] - low[slot]) * steps[slot];
                          const std::uint8_t code =
                              at >= 0.0 ? static_cast<std::uint8_t>(at < 254.0 ? at : 254.0) : missing;
                          by_row[slot] = codes[slot][i - begin] = code;
                        }
                      }
                      for (std::size_t slot = 0; slot < count; ++slot) {
                        std::uint8_t* by_column = coded_.by_column.data() + slot * coded_.column_stride;
                        for (std::size_t i = begin; i < end; ++i) by_column[rows[i]] = codes[slot][i - begin];
                      }
                    }
                  });
}

}  // namespace bough

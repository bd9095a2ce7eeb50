// SPDX-License-Identifier: Apache-2.0
// Columns to slots, first fit.
#include "data/bundles.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/internal_limits.hpp"

namespace bough {
namespace {

using Bits = std::vector<std::uint64_t>;

struct Bundle {
  Bits taken;
  std::vector<std::size_t> members;
  std::vector<std::size_t> ups;  // of each member
};

std::size_t count(const Bits& bits) noexcept {
  std::size_t n = 0;
  for (const std::uint64_t word : bits) n += static_cast<std::size_t>(std::popcount(word));
  return n;
}

bool meet(const Bits& a, const Bits& b) noexcept {
  std::uint64_t common = 0;
  for (std::size_t i = 0; i < a.size(); ++i) common |= a[i] & b[i];
  return common != 0;
}

// Rows of the sample where the column is at the higher of its two values; empty when it is no such column, or is up in more
// than half of them.
Bits ups(const CodedColumn& column, const std::vector<double>& sample) {
  if (sample.empty() || column.cuts.size() != 2 || !column.single[0] || !column.single[1]) return {};
  Bits bits((sample.size() + 63) / 64, 0);
  for (std::size_t i = 0; i < sample.size(); ++i) {
    if (sample[i] != column.cuts[0] && sample[i] != column.cuts[1]) return {};  // NaN too
    if (sample[i] == column.cuts[0]) continue;
    bits[i / 64] |= std::uint64_t{1} << i % 64;
  }
  return 2 * count(bits) <= sample.size() ? bits : Bits();
}

std::vector<Bundle> find_bundles(const CodedTable& table, std::span<const std::vector<double>> samples) {
  const InternalLimits& limits = internal_limits();
  std::vector<Bundle> bundles;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const Bits bits = ups(table.columns[j], samples[j]);
    if (bits.empty()) continue;
    std::size_t tried = 0;  // a column that fits nowhere should not cost a look at all the others
    auto home = bundles.end();
    for (auto b = bundles.begin();
         b != bundles.end() && home == bundles.end() && tried < limits.bundles_tried; ++b, ++tried)
      if (b->members.size() < limits.bundle_members && !meet(b->taken, bits)) home = b;
    if (home == bundles.end()) home = bundles.insert(bundles.begin(), {Bits(bits.size(), 0), {}, {}});
    for (std::size_t i = 0; i < bits.size(); ++i) home->taken[i] |= bits[i];
    home->members.push_back(j);
    home->ups.push_back(count(bits));
  }
  return bundles;
}

// A column that is up in few rows of the sample may well meet others outside of it, unless the bundle takes nearly every
// row, as the columns of one category do.
void drop_doubtful(Bundle& bundle, std::size_t n_sample) {
  if (10 * count(bundle.taken) >= 9 * n_sample) return;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < bundle.members.size(); ++i)
    if (bundle.ups[i] >= internal_limits().bundle_rare_rows) kept.push_back(bundle.members[i]);
  bundle.members = std::move(kept);
}

}  // namespace

void assign_slots(CodedTable& table, std::span<const std::vector<double>> samples, bool bundled) {
  for (CodedColumn& column : table.columns) column.mark = 0;
  std::vector<const Bundle*> bundle_of(table.columns.size(), nullptr);
  std::vector<Bundle> bundles = bundled ? find_bundles(table, samples) : std::vector<Bundle>();
  for (Bundle& bundle : bundles) {
    drop_doubtful(bundle, samples[bundle.members.front()].size());
    if (bundle.members.size() < 2) continue;
    for (std::size_t i = 0; i < bundle.members.size(); ++i) {
      bundle_of[bundle.members[i]] = &bundle;
      table.columns[bundle.members[i]].mark = static_cast<std::uint8_t>(i + 1);
    }
  }
  table.slot_begins.assign(1, 0);
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    CodedColumn& column = table.columns[j];
    const bool first = column.mark <= 1;  // a column of its own, or the one that opens the bundle's slot
    column.slot = static_cast<std::uint32_t>(first ? table.n_slots()
                                                   : table.columns[bundle_of[j]->members.front()].slot);
    if (!first) continue;
    const std::size_t width = column.mark == 0 ? column.n_buckets : bundle_of[j]->members.size() + 1;
    table.slot_begins.push_back(table.slot_begins.back() + static_cast<std::uint32_t>(width));
  }
}

}  // namespace bough

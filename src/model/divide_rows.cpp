// SPDX-License-Identifier: Apache-2.0
// Dividing rows at random, class by class or not.
#include "model/divide_rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/random.hpp"

namespace bough {
namespace {

constexpr std::uint64_t kDivisionStream = 0x40e57;  // keeps these draws apart from others of the key

using Draws = std::vector<std::pair<std::uint64_t, RowId>>;

Draws draws_of(std::span<const RowId> rows, std::uint64_t key) {
  Draws draws;
  draws.reserve(rows.size());
  for (const RowId row : rows) draws.emplace_back(draw(key, row), row);
  return draws;
}

// Rows of equal labels together, the labels increasing; all of them without classes.
std::vector<std::vector<RowId>> strata(std::span<const RowId> rows, std::span<const ClassTarget> classes) {
  std::vector<std::vector<RowId>> parts;
  if (classes.size() == 1) {
    parts.resize(classes.front().n_classes);
    for (const RowId row : rows) parts[classes.front().codes[row]].push_back(row);
    return parts;
  }
  std::map<std::vector<std::uint32_t>, std::vector<RowId>> by_labels;
  std::vector<std::uint32_t> labels(classes.size());
  for (const RowId row : rows) {
    for (std::size_t o = 0; o < classes.size(); ++o) labels[o] = classes[o].codes[row];
    by_labels[labels].push_back(row);
  }
  for (auto& [_, part] : by_labels) parts.push_back(std::move(part));
  return parts;
}

// How many of the first i rows are taken: even steps, so that every run of rows gives its share.
std::size_t taken(std::size_t i, double fraction) {
  return static_cast<std::size_t>(std::floor(static_cast<double>(i) * fraction + 0.5));
}

}  // namespace

std::vector<RowId> lowest_draws(std::span<const RowId> rows, std::size_t count, std::uint64_t key) {
  if (count >= rows.size()) return {rows.begin(), rows.end()};
  Draws draws = draws_of(rows, key);
  std::nth_element(draws.begin(), draws.begin() + static_cast<std::ptrdiff_t>(count), draws.end());
  std::vector<RowId> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = draws[i].second;
  return out;
}

std::vector<RowId> shuffled_by_class(std::span<const RowId> rows, std::span<const ClassTarget> classes,
                                     std::uint64_t key) {
  std::vector<RowId> out;
  out.reserve(rows.size());
  for (const std::vector<RowId>& stratum : strata(rows, classes)) {
    Draws draws = draws_of(stratum, key);
    std::sort(draws.begin(), draws.end());
    for (const auto& one : draws) out.push_back(one.second);
  }
  return out;
}

std::vector<char> divide_rows(std::span<const RowId> rows, std::size_t n_rows,
                              std::span<const ClassTarget> classes, double fraction, std::uint64_t key) {
  std::vector<char> out(n_rows, 0);
  const std::uint64_t stream = mix(key, kDivisionStream);
  std::size_t begin = 0;
  for (const std::vector<RowId>& stratum : strata(rows, classes)) {
    const std::size_t end = begin + stratum.size();
    for (const RowId row : lowest_draws(stratum, taken(end, fraction) - taken(begin, fraction), stream))
      out[row] = 1;
    begin = end;
  }
  return out;
}

std::vector<char> hold_out_rows(std::span<const RowId> rows, std::size_t n_rows,
                                std::span<const ClassTarget> classes, double fraction, std::uint64_t key) {
  const std::vector<RowId> order = shuffled_by_class(rows, classes, key);
  const auto same_labels = [&](RowId a, RowId b) {
    return std::ranges::all_of(classes,
                               [&](const ClassTarget& target) { return target.codes[a] == target.codes[b]; });
  };
  std::vector<char> held(n_rows, 0);
  bool kept_one = false;  // of this combination of labels
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || !same_labels(order[i], order[i - 1])) kept_one = false;
    const bool is_last = i + 1 == order.size() || !same_labels(order[i], order[i + 1]);
    const bool out = taken(i + 1, fraction) > taken(i, fraction) && (kept_one || !is_last);
    held[order[i]] = out ? 1 : 0;
    kept_one |= !out;
  }
  return held;
}

std::vector<std::int64_t> deal_groups(std::int64_t n_rows, std::int64_t folds, std::uint64_t key) {
  std::vector<std::int64_t> groups(static_cast<std::size_t>(n_rows));
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = static_cast<std::int64_t>(i) % folds;
  for (std::size_t i = groups.size(); i > 1; --i) std::swap(groups[i - 1], groups[below(draw(key, i), i)]);
  return groups;
}

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// Sums of leaves: from rows, from each other, and as bytes.
#include "grow/totals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/math.hpp"
#include "grow/fill_sums.hpp"

namespace bough {
namespace {

// Whole numbers take as many bytes as they need: 7 bits each, the lowest first.
void put_number(std::string& bytes, std::int64_t value) {
  auto rest = (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63);
  for (; rest >= 0x80U; rest >>= 7U) bytes.push_back(static_cast<char>(rest | 0x80U));
  bytes.push_back(static_cast<char>(rest));
}

[[noreturn]] void cut_short() {
  throw Error(ErrorCode::bad_data, "the sums of a leaf are cut short or altered");
}

std::int64_t take_number(std::string_view& bytes) {
  std::uint64_t out = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (bytes.empty() || shift > 63) cut_short();
    const auto byte = static_cast<std::uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    out |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if (byte < 0x80U) break;
  }
  return static_cast<std::int64_t>(out >> 1U) ^ -static_cast<std::int64_t>(out & 1U);
}

template <class T>
void put_raw(std::string& bytes, const T& value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

template <class T>
void take_raw(std::string_view& bytes, T& value) {
  if (bytes.size() < sizeof value) cut_short();
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
}

template <class Filler, class Cell>
void add_rows(LeafTotals& out, std::vector<Cell>& cells, const Filler& filler, std::span<const RowId> rows) {
  cells.resize(filler.width());
  NodeSums<Cell> sums{cells};
  filler.add(sums, rows);
  out.n_rows = sums.n_rows;
  out.weight = sums.weight;
}

}  // namespace

void NumberTotals::merge(const NumberTotals& other) noexcept {
  fine += other.fine;
  rest += other.rest;
  lowest = std::min(lowest, other.lowest);
  highest = std::max(highest, other.highest);
  sum += other.sum;
  squares.low += other.squares.low;  // as Wide adds, but inline: trees are made of these
  squares.high += other.squares.high + (squares.low < other.squares.low ? 1 : 0);
  excess += other.excess;
}

double PoissonFrame::excess(double y) const noexcept {
  return centre * xlogx_excess((y - centre) / centre);
}

void LeafTotals::merge(const LeafTotals& other) {
  n_rows += other.n_rows;
  weight += other.weight;
  if (counts.size() < other.counts.size()) counts.resize(other.counts.size(), 0);
  if (numbers.size() < other.numbers.size()) numbers.resize(other.numbers.size());
  for (std::size_t i = 0; i < other.counts.size(); ++i) counts[i] += other.counts[i];
  for (std::size_t i = 0; i < other.numbers.size(); ++i) numbers[i].merge(other.numbers[i]);
}

void LeafTotals::append_to(std::string& bytes) const {
  put_number(bytes, n_rows);
  put_number(bytes, weight);
  put_number(bytes, static_cast<std::int64_t>(counts.size()));
  for (const std::int64_t count : counts) put_number(bytes, count);
  put_number(bytes, static_cast<std::int64_t>(numbers.size()));
  for (const NumberTotals& n : numbers) {
    for (const int128 sum : {n.fine, n.rest, n.sum, n.excess}) put_raw(bytes, sum);
    for (const uint128 half : {n.squares.high, n.squares.low}) put_raw(bytes, half);
    for (const double end : {n.lowest, n.highest}) put_raw(bytes, end);
  }
}

LeafTotals LeafTotals::read(std::string_view& bytes) {
  LeafTotals out;
  out.n_rows = take_number(bytes);
  out.weight = take_number(bytes);
  // Every entry takes a byte at least, so that no size makes memory that the bytes do not pay for.
  const auto size = [&] {
    const std::int64_t n = take_number(bytes);
    if (n < 0 || static_cast<std::uint64_t>(n) > bytes.size()) cut_short();
    return static_cast<std::size_t>(n);
  };
  out.counts.resize(size());
  for (std::int64_t& count : out.counts) count = take_number(bytes);
  out.numbers.resize(size());
  for (NumberTotals& n : out.numbers) {
    for (int128* sum : {&n.fine, &n.rest, &n.sum, &n.excess}) take_raw(bytes, *sum);
    for (uint128* half : {&n.squares.high, &n.squares.low}) take_raw(bytes, *half);
    for (double* end : {&n.lowest, &n.highest}) take_raw(bytes, *end);
  }
  return out;
}

LeafTotals leaf_totals(std::span<const RowId> rows, const Targets& targets, CriterionId criterion,
                       std::span<const PoissonFrame> poisson) {
  LeafTotals out;
  switch (criterion_info(criterion).family) {
    case Family::classes:
      add_rows(out, out.counts, ClassFiller(targets, criterion), rows);
      break;
    case Family::moments:
      add_rows(out, out.numbers, MomentFiller(targets, criterion, poisson), rows);
      break;
    case Family::order:
      refuse_order(criterion);
  }
  return out;
}

void refuse_order(CriterionId criterion) {
  throw Error(ErrorCode::not_supported,
              fmt::format("leaves of criterion={} answer with order statistics, which sums do not know",
                          criterion_info(criterion).name),
              "use a criterion of sums, as squared_error, or train on all rows in one memory");
}

int128 target_sum(std::span<const RowId> rows, const Targets& targets, std::size_t output) {
  const NumberTarget& target = targets.numbers[output];
  int128 sum = 0;
  for (const RowId row : rows) sum += static_cast<int128>(target.fixed.values[row]) * targets.weight(row);
  return sum;
}

double poisson_centre(int128 sum, std::int64_t total_weight, int target_exponent) noexcept {
  if (sum <= 0) return 1.0;
  const double mean =
      std::ldexp(static_cast<double>(sum) / static_cast<double>(total_weight), -target_exponent);
  return std::max(
      mean,
      std::numeric_limits<double>::denorm_min());  // a mean below it would be 0, by which nothing is divided
}

double largest_excess(std::span<const RowId> rows, const NumberTarget& target, double centre) {
  const PoissonFrame frame{centre, 0};
  double largest = 0.0;
  for (const RowId row : rows) largest = std::max(largest, std::fabs(frame.excess(target.raw[row])));
  return largest;
}

PoissonFrame poisson_frame(double centre, double largest) noexcept {
  return {centre, fine_exponent(std::span(&largest, 1))};
}

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// C4.5rules, third part: the order of the rules, the default class, and rules that do more harm than good.
#include "rules/ranking.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "predict/answer.hpp"

namespace bough {
namespace {

bool goes_first(const RuleCandidate& a, const RuleCandidate& b) {
  return std::tuple(a.estimated_error, -a.weight, a.tests.size(), a.node) <
         std::tuple(b.estimated_error, -b.weight, b.tests.size(), b.node);
}

// Weight of the rows of `open` that the rules of a class cover although they are of another one.
double false_positives(std::span<const RuleCandidate> rules, std::size_t of_class, const Bits& open,
                       const RankedRows& rows) {
  Bits covered(open.size(), 0);
  for (const RuleCandidate& rule : rules) {
    if (rule.of_class != of_class) continue;
    for (std::size_t i = 0; i < open.size(); ++i) covered[i] |= rule.covered[i] & open[i];
  }
  double sum = 0.0;
  for_bits(
      open.size(), [&](std::size_t i) { return covered[i]; },
      [&](std::size_t row) {
        if (static_cast<std::size_t>(rows.classes[row]) != of_class) sum += rows.weights.of(row);
      });
  return sum;
}

std::vector<std::size_t> class_places(std::span<const RuleCandidate> rules, const RankedRows& rows) {
  std::vector<std::size_t> places(rows.n_classes, rows.n_classes);
  std::vector<std::size_t> left;
  for (std::size_t k = 0; k < rows.n_classes; ++k)
    if (std::ranges::any_of(rules, [&](const RuleCandidate& rule) { return rule.of_class == k; }))
      left.push_back(k);
  Bits open = full_bits(rows.classes.size());
  for (std::size_t place = 0; !left.empty(); ++place) {
    auto best = left.begin();
    double least = std::numeric_limits<double>::infinity();
    for (auto at = left.begin(); at != left.end(); ++at) {
      const double wrong = false_positives(rules, *at, open, rows);
      if (wrong < least) {
        least = wrong;
        best = at;
      }
    }
    places[*best] = place;
    for (const RuleCandidate& rule : rules) {
      if (rule.of_class != *best) continue;
      for (std::size_t i = 0; i < open.size(); ++i) open[i] &= ~rule.covered[i];
    }
    left.erase(best);
  }
  return places;
}

constexpr std::int32_t kNone = -1;

// The first and the second rule of the list that cover each row.
struct Claims {
  std::vector<std::int32_t> first;
  std::vector<std::int32_t> second;
};

Claims claims_of(std::span<const RuleCandidate> rules, std::size_t n_rows) {
  Claims claims{std::vector<std::int32_t>(n_rows, kNone), std::vector<std::int32_t>(n_rows, kNone)};
  Bits open = full_bits(n_rows);  // fewer than two rules so far
  for (std::size_t r = 0; r < rules.size(); ++r) {
    for_bits(
        open.size(), [&](std::size_t i) { return rules[r].covered[i] & open[i]; },
        [&](std::size_t row) {
          auto& claim = claims.first[row] == kNone ? claims.first : claims.second;
          claim[row] = static_cast<std::int32_t>(r);
          if (claims.second[row] != kNone) open[row / 64] &= ~(std::uint64_t{1} << (row % 64));
        });
  }
  return claims;
}

// By how much the weight of mistakes falls when each of the rules goes.
std::vector<double> relief(std::span<const RuleCandidate> rules, const RankedRows& rows) {
  const Claims claims = claims_of(rules, rows.classes.size());
  const std::size_t fallback = largest(rest_of(rules, rows));
  const auto class_of = [&](std::int32_t rule) {
    return rule == kNone ? fallback : rules[static_cast<std::size_t>(rule)].of_class;
  };
  std::vector<double> sums(rules.size(), 0.0);
  for (std::size_t row = 0; row < rows.classes.size(); ++row) {
    if (claims.first[row] == kNone) continue;
    const auto truth = static_cast<std::size_t>(rows.classes[row]);
    const double now = class_of(claims.first[row]) == truth ? 0.0 : rows.weights.of(row);
    const double then = class_of(claims.second[row]) == truth ? 0.0 : rows.weights.of(row);
    sums[static_cast<std::size_t>(claims.first[row])] += now - then;
  }
  return sums;
}

}  // namespace

std::vector<double> rest_of(std::span<const RuleCandidate> rules, const RankedRows& rows) {
  Bits open = full_bits(rows.classes.size());
  for (const RuleCandidate& rule : rules)
    for (std::size_t i = 0; i < open.size(); ++i) open[i] &= ~rule.covered[i];
  std::vector<double> rest(rows.n_classes, 0.0);
  std::vector<double> all(rows.n_classes, 0.0);
  double left = 0.0;
  for (std::size_t row = 0; row < rows.classes.size(); ++row) {
    const double weight = rows.weights.of(row);
    const auto of_class = static_cast<std::size_t>(rows.classes[row]);
    all[of_class] += weight;
    if ((open[row / 64] >> (row % 64) & 1U) == 0) continue;
    rest[of_class] += weight;
    left += weight;
  }
  return left > 0.0 ? rest : all;
}

void rank_rules(std::vector<RuleCandidate>& rules, RuleOrder order, const RankedRows& rows) {
  std::ranges::stable_sort(rules, goes_first);
  if (order == RuleOrder::accuracy) return;
  const std::vector<std::size_t> places = class_places(rules, rows);
  std::ranges::stable_sort(rules, {}, [&](const RuleCandidate& rule) { return places[rule.of_class]; });
}

void polish_rules(std::vector<RuleCandidate>& rules, const RankedRows& rows) {
  while (!rules.empty()) {
    const std::vector<double> sums = relief(rules, rows);
    // Among equals the last, the least accurate one.
    const auto best = std::ranges::max_element(sums.rbegin(), sums.rend());
    if (*best < 0.0) return;
    rules.erase(rules.begin() + (best.base() - 1 - sums.begin()));
  }
}

}  // namespace bough

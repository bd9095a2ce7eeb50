// SPDX-License-Identifier: Apache-2.0
// Drawing combinations of columns.
#include "split/oblique/oblique.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/random.hpp"

namespace bough {
namespace {

// Draws in a row that bring nothing new before a node stops drawing: enough for 4 columns to show all their sums.
constexpr std::size_t kMostFruitless = 10'000;
// Of the hash table at first; it grows with what is found.
constexpr std::size_t kFewSlots = 1024;

// Apart from the key of shuffled columns, mix(key, UINT64_MAX).
constexpr std::uint64_t kProjections = UINT64_MAX - 1;

std::uint64_t hash_terms(std::span<const ObliqueTerm> terms) noexcept {
  std::uint64_t hash = terms.size();
  for (const ObliqueTerm& term : terms) {
    hash = (hash ^ static_cast<std::uint64_t>(term.column)) * 0x9e3779b97f4a7c15ULL;
    hash = (hash ^ (hash >> 29) ^ std::bit_cast<std::uint64_t>(term.weight)) * 0xbf58476d1ce4e5b9ULL;
  }
  return hash ^ (hash >> 32);
}

// Different combinations of n columns with weights of 1 and -1 and from `least` to `most` of them.
double n_different(std::size_t n, std::size_t least, std::size_t most) noexcept {
  double sets = static_cast<double>(n), signs = 1.0, sum = 0.0;  // of k columns
  for (std::size_t k = 1; k <= most && sum < 0x1p53; ++k) {
    if (k >= least) sum += sets * signs;
    sets = sets * static_cast<double>(n - k) / static_cast<double>(k + 1);
    signs *= 2.0;
  }
  return sum;
}

}  // namespace

ProjectionDraw::ProjectionDraw(const ObliqueOptions& options, std::vector<ColId> columns,
                               std::vector<double> scales)
    : options_(options), columns_(std::move(columns)), scales_(std::move(scales)), used_(columns_.size(), 0) {
  if (!columns_.empty()) make_counts(std::min(options.combinations, static_cast<double>(columns_.size())));
  slots_.resize(std::bit_ceil(2 * std::clamp<std::size_t>(options.n_candidates, 1, kFewSlots / 2)));
}

// Chances of 1 + Binomial(n, q), from the likeliest number outwards, so that nothing underflows that matters.
void ProjectionDraw::make_counts(double lambda) {
  const std::size_t n = columns_.size() - 1;
  const double q = n == 0 ? 0.0 : (lambda - 1.0) / static_cast<double>(n);
  least_ = q >= 1.0 ? n + 1 : 1;
  chances_.assign(1, 1.0);
  if (q <= 0.0 || q >= 1.0) return;
  constexpr double negligible = 0x1p-60;
  const double odds = q / (1.0 - q);
  const auto mode = std::min(n, static_cast<std::size_t>(static_cast<double>(n + 1) * q));
  std::vector<double> below, above{1.0};
  double chance = 1.0;
  for (std::size_t k = mode; k > 0 && chance > negligible; --k) {
    chance *= static_cast<double>(k) / static_cast<double>(n - k + 1) / odds;
    below.push_back(chance);
  }
  chance = 1.0;
  for (std::size_t k = mode; k < n && chance > negligible; ++k) {
    chance *= static_cast<double>(n - k) / static_cast<double>(k + 1) * odds;
    above.push_back(chance);
  }
  least_ = 1 + mode - below.size();
  chances_.assign(below.rbegin(), below.rend());
  chances_.insert(chances_.end(), above.begin(), above.end());
  double sum = 0.0;
  for (double& c : chances_) c = sum += c;
  for (double& c : chances_) c /= sum;
}

std::size_t ProjectionDraw::n_terms(std::uint64_t key) const noexcept {
  const double u = unit(bough::draw(key, 0));
  std::size_t i = 0;
  while (i + 1 < chances_.size() && chances_[i] <= u) ++i;
  return least_ + i;
}

void ProjectionDraw::draw(std::uint64_t key) {
  terms_.clear();
  begins_.assign(1, 0);
  singles_.clear();
  if (columns_.empty() || (options_.axis && columns_.size() == 1)) return;
  std::fill(slots_.begin(), slots_.end(), 0U);
  const std::uint64_t own = mix(key, kProjections);
  // With weights of 1 and -1 there are only so many, and more draws than that repeat themselves.
  const double all = options_.continuous
                         ? HUGE_VAL
                         : n_different(columns_.size(), std::max<std::size_t>(least_, options_.axis ? 2 : 1),
                                       least_ + chances_.size() - 1);
  std::vector<std::uint8_t> alone(options_.axis ? 0 : columns_.size(), 0);
  std::size_t fruitless = 0;
  for (std::size_t i = 0; i < options_.n_candidates && fruitless < kMostFruitless; ++i) {
    if (static_cast<double>(size() + singles_.size()) >= all) break;
    const std::size_t before = size() + singles_.size();
    const std::uint64_t each = mix(own, i);
    const std::size_t count = n_terms(each);
    if (count > 1) {
      add(each, count);
    } else if (!options_.axis) {
      const std::size_t picked = below(bough::draw(each, 1), columns_.size());
      if (!alone[picked]) singles_.push_back(columns_[picked]);
      alone[picked] = 1;
    }
    fruitless = size() + singles_.size() > before ? 0 : fruitless + 1;
  }
  std::sort(singles_.begin(), singles_.end());
}

// Floyd's way to `count` different columns: the t-th draw is below n - count + t + 1, and where it was drawn before,
// the last of that range, which cannot have been, stands in.
void ProjectionDraw::add(std::uint64_t key, std::size_t count) {
  const std::size_t n = columns_.size(), first = terms_.size();
  for (std::size_t t = 0; t < count; ++t) {
    const std::size_t last = n - count + t;
    std::size_t picked = below(bough::draw(key, 1 + 2 * t), last + 1);
    if (used_[picked]) picked = last;
    used_[picked] = 1;
    const std::uint64_t bits = bough::draw(key, 2 + 2 * t);
    double weight = (bits & 1) != 0 ? 1.0 : -1.0;
    if (options_.continuous) {
      const double drawn = 2.0 * unit(bits) - 1.0;
      if (drawn != 0.0) weight = drawn;
    }
    terms_.push_back({static_cast<ColId>(picked), weight});
  }
  const auto begin = terms_.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, terms_.end(),
            [](const ObliqueTerm& a, const ObliqueTerm& b) { return a.column < b.column; });
  const double sign = begin->weight < 0.0 ? -1.0 : 1.0;
  for (auto term = begin; term != terms_.end(); ++term) {
    used_[static_cast<std::size_t>(term->column)] = 0;
    term->column = columns_[static_cast<std::size_t>(term->column)];
    term->weight *= sign;
    if (!scales_.empty()) term->weight /= scales_[static_cast<std::size_t>(term->column)];
  }
  begins_.push_back(static_cast<std::uint32_t>(terms_.size()));
  if (drop_if_known()) {
    begins_.pop_back();
    terms_.resize(first);
  }
}

// Whether the last combination is an earlier one; else it is noted.
bool ProjectionDraw::drop_if_known() {
  if (2 * size() > slots_.size()) {
    std::vector<std::uint32_t> wider(2 * slots_.size(), 0U);
    for (const std::uint32_t slot : slots_) {
      if (slot == 0) continue;
      std::size_t at = hash_terms(terms(slot - std::size_t{1}));
      while (wider[at & (wider.size() - 1)] != 0) ++at;
      wider[at & (wider.size() - 1)] = slot;
    }
    slots_ = std::move(wider);
  }
  const std::span<const ObliqueTerm> mine = terms(size() - 1);
  for (std::size_t at = hash_terms(mine);; ++at) {
    std::uint32_t& slot = slots_[at & (slots_.size() - 1)];
    if (slot == 0) {
      slot = static_cast<std::uint32_t>(size());
      return false;
    }
    const std::span<const ObliqueTerm> other = terms(slot - std::size_t{1});
    if (std::equal(mine.begin(), mine.end(), other.begin(), other.end())) return true;
  }
}

double usable_scale(double squares, double weight) noexcept {
  const double scale = std::sqrt(squares / weight);
  return scale > 0x1p-500 && scale < 0x1p500 ? scale : 1.0;
}

Split oblique_split(const Candidate& candidate, std::span<const ObliqueTerm> terms, bool missing_known) {
  Split split = to_split(candidate, 0, missing_known, candidate.left_heavier);
  split.kind = NodeKind::oblique;
  split.column = -1;
  split.terms.assign(terms.begin(), terms.end());
  return split;
}

}  // namespace bough

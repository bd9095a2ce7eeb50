// SPDX-License-Identifier: Apache-2.0
// Random small tables of the search, and brute force over all their trees.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <random>
#include <unordered_map>

#include "search/column_tables.hpp"
#include "search/deep.hpp"

namespace bough::search {

struct Drawn {
  Cases cases;
  Limits limits;
  Cost price = 0;
  std::int32_t min_cases = 1;  // of every leaf
};

inline int below(std::mt19937& random, int n) {
  return static_cast<int>(random() % static_cast<unsigned>(n));
}

// Stripes of classes along the last chain, and in front of or behind them, along the first, a class of its own that lies in
// all stripes: only a tree that cuts it off at the root has leaves and levels for the stripes.
inline void draw_front(Drawn& out, std::mt19937& random) {
  Cases& cases = out.cases;
  cases.n_classes = 3;
  const std::int32_t levels = 2 + below(random, 2), stripes = (1 << levels) - below(random, 2);
  const std::int32_t front = 2 + below(random, 3), codes = front + 1 + below(random, 4);
  const bool behind = below(random, 2) == 0;
  cases.n = front + stripes * (levels == 2 ? 2 + below(random, 3) : 2);
  cases.chains.assign(2, Chain{});
  cases.chains[0].n_codes = codes;
  cases.chains[1].n_codes = stripes;
  for (std::int32_t i = 0; i < cases.n; ++i) {
    const std::int32_t stripe = i < front ? below(random, stripes) : i % stripes;
    const std::int32_t code = i < front ? below(random, front) : front + below(random, codes - front);
    cases.chains[0].codes.push_back(behind ? codes - 1 - code : code);
    cases.chains[1].codes.push_back(stripe);
    cases.classes.push_back(i < front ? 2 : stripe % 2);
  }
  out.limits = {stripes + 1, levels + 1};
}

// Stripes along one chain, more than there are leaves.
inline void draw_stripes(Drawn& out, std::mt19937& random) {
  Cases& cases = out.cases;
  constexpr int classes[] = {2, 2, 3, 12};
  cases.n = 14 + below(random, 14);
  cases.n_classes = classes[below(random, 4)];
  const int width = 1 + below(random, 3), noise = 6 * below(random, 2);
  cases.chains.assign(1, Chain{});
  cases.chains[0].n_codes = cases.n;
  for (std::int32_t i = 0; i < cases.n; ++i) {
    cases.chains[0].codes.push_back(i);
    const bool is_noise = noise != 0 && below(random, noise) == 0;
    cases.classes.push_back((is_noise ? below(random, 12) : i / width) % cases.n_classes);
  }
  out.limits.depth = 3 + below(random, 3);
  // As many as the depth allows, or so many that neither side of the root can be one leaf, or any number.
  const std::int32_t most = 1 << out.limits.depth, half = most / 2;
  const int kind = below(random, 3);
  out.limits.leaves = kind == 0   ? most
                      : kind == 1 ? std::min(half + 2 + below(random, half - 2), 14)
                                  : 5 + below(random, 8);
}

// Blocks of cases along one chain that are lighter than a leaf costs, one by one but not together; and inside of them
// cases of another class that deserve a leaf but do not fill one. What is known of a side at one position then says
// much about the next, and trees of small leaves cost less than those whose leaves hold enough.
inline void draw_blocks(Drawn& out, std::mt19937& random) {
  Cases& cases = out.cases;
  cases.n_classes = 2 + below(random, 2);
  out.price = 2 + below(random, 5);
  cases.chains.assign(below(random, 4) == 0 ? 2 : 1, Chain{});
  const int n_blocks = 3 + below(random, 4), most = cases.chains.size() == 1 ? 30 : 20;
  for (int block = 0; block < n_blocks; ++block) {
    const int size = 2 + below(random, 6);
    for (int i = 0; i < size && cases.n < most; ++i, ++cases.n) {
      const bool is_other = below(random, 7) == 0;
      cases.classes.push_back((block + (is_other ? 1 : 0)) % cases.n_classes);
      cases.weights.push_back(is_other ? 2 * out.price + below(random, 3)
                                       : 1 + below(random, out.price > 2 ? out.price - 1 : 1));
      cases.chains[0].codes.push_back(cases.n);
    }
  }
  cases.chains[0].n_codes = cases.n;
  for (std::size_t j = 1; j < cases.chains.size(); ++j) {
    cases.chains[j].n_codes = 5;
    for (std::int32_t i = 0; i < cases.n; ++i) cases.chains[j].codes.push_back(below(random, 5));
  }
  out.limits.depth = 2 + below(random, 3);
  out.limits.leaves = 3 + below(random, 5);
  cases.finish();
}

// Classes by a tree of so many leaves over the chains. Its tests often cut off few cases, and one leaf: then the best tree
// is deep, and what a leaf less costs says much about sides that hold nearly all cases. Leaves take classes by turns.
inline void label_by_tree(Cases& cases, const std::vector<std::int32_t>& some, Limits limits,
                          std::mt19937& random, std::int32_t& turn) {
  const Chain& chain = cases.chains[at(below(random, cases.n_chains()))];
  std::vector<std::int32_t> codes;
  for (const std::int32_t i : some) codes.push_back(chain.codes[at(i)]);
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  if (limits.depth == 0 || limits.leaves == 1 || codes.size() < 2) {
    for (const std::int32_t i : some) cases.classes[at(i)] = turn % cases.n_classes;
    ++turn;
    return;
  }
  const auto n_cuts = static_cast<int>(codes.size()) - 1;
  const bool uneven = below(random, 2) == 0, is_left = below(random, 2) == 0;
  const int few = std::min(below(random, 3), n_cuts - 1);
  const int place = !uneven ? below(random, n_cuts) : is_left ? few : n_cuts - 1 - few;
  const std::int32_t fewer = uneven ? 1 : 1 + below(random, limits.leaves - 1);
  const std::int32_t leaves = is_left ? fewer : limits.leaves - fewer;
  std::vector<std::int32_t> left, right;
  for (const std::int32_t i : some) (chain.codes[at(i)] <= codes[at(place)] ? left : right).push_back(i);
  label_by_tree(cases, left, {leaves, limits.depth - 1}, random, turn);
  label_by_tree(cases, right, {limits.leaves - leaves, limits.depth - 1}, random, turn);
}

inline void draw_classes(Cases& cases, Limits limits, std::mt19937& random) {
  for (std::int32_t i = 0; i < cases.n; ++i) cases.classes.push_back(below(random, cases.n_classes));
  const int kind = below(random, 8);
  if (kind == 0) return;  // no order at all
  const std::vector<std::int32_t> drawn = cases.classes;
  if (kind == 1) {  // stripes: every leaf is needed
    cases.classes = cases.chains.front().codes;
    for (std::int32_t& c : cases.classes) c %= cases.n_classes;
  } else {
    std::vector<std::int32_t> all(at(cases.n));
    std::iota(all.begin(), all.end(), 0);
    std::int32_t turn = 0;
    label_by_tree(cases, all, limits, random, turn);
  }
  const int noise = 5 * below(random, 3);  // one case in so many keeps its own class; 0: none
  for (std::int32_t i = 0; noise != 0 && i < cases.n; ++i)
    if (below(random, noise) == 0) cases.classes[at(i)] = drawn[at(i)];
}

inline void draw_chains(Cases& cases, std::mt19937& random) {
  // Many cases along one or two chains, or fewer along up to four: brute force can do both.
  const bool many = below(random, 3) == 0;
  cases.n = many ? 16 + below(random, 12) : 8 + below(random, 10);
  cases.n_classes = 2 + (below(random, 2) == 0 ? 0 : below(random, 4));
  const int n_chains = many ? 1 + below(random, 2) : 1 + below(random, 4);
  const bool few = below(random, 3) == 0 || (many && n_chains == 2);
  const int n_codes = few ? 2 + below(random, 7) : 2 + below(random, cases.n);
  for (int j = 0; j < n_chains; ++j) {
    Chain& chain = cases.chains.emplace_back();
    chain.n_codes = n_codes;
    for (std::int32_t i = 0; i < cases.n; ++i)
      chain.codes.push_back(many && n_chains == 1 ? i * n_codes / cases.n : below(random, n_codes));
  }
}

inline Drawn draw_cases(std::mt19937& random) {
  Drawn out;
  Cases& cases = out.cases;
  const int kind = below(random, 9);
  if (kind == 8) {
    draw_blocks(out, random);
    return out;
  }
  if (kind < 2) {
    draw_front(out, random);
  } else if (kind == 2) {
    draw_stripes(out, random);
  } else {
    draw_chains(cases, random);
    out.limits.depth = 2 + below(random, 4);
    out.limits.leaves = below(random, 4) == 0 ? 1 << out.limits.depth : 3 + below(random, 8);
    draw_classes(cases, out.limits, random);
  }
  constexpr Cost prices[] = {0, 0, 0, 0, 1, 1, 2, 3, 5, 8};
  out.price = prices[below(random, 10)];
  // Cases that weigh more than a leaf costs deserve one.
  constexpr int heaviest[] = {1, 1, 4, 12};
  const int heavy = heaviest[below(random, 4)], least = below(random, 2) == 0 ? 1 : 1 + out.price;
  for (std::int32_t i = 0; i < cases.n; ++i)
    cases.weights.push_back(below(random, 2) == 0 ? least : least + below(random, heavy));
  cases.finish();
  return out;
}

// The same cases, every chain the other way round.
inline Drawn mirrored(Drawn drawn) {
  for (Chain& chain : drawn.cases.chains)
    for (std::int32_t& code : chain.codes) code = chain.n_codes - 1 - code;
  return drawn;
}

// The least cost of all trees of some cases, given as bits.
class EveryTree {
 public:
  explicit EveryTree(const Drawn& drawn) : drawn_(drawn) {
    const Cases& cases = drawn.cases;
    for (const Chain& chain : cases.chains) {
      for (std::int32_t code = 0; code + 1 < chain.n_codes; ++code) {
        std::uint32_t left = 0;
        for (std::int32_t i = 0; i < cases.n; ++i)
          if (chain.codes[at(i)] <= code) left |= 1U << i;
        divisions_.push_back(left);
      }
    }
    std::sort(divisions_.begin(), divisions_.end());
    divisions_.erase(std::unique(divisions_.begin(), divisions_.end()), divisions_.end());
  }
  Cost least() { return least((1U << drawn_.cases.n) - 1, drawn_.limits.depth, drawn_.limits.leaves); }

 private:
  Cost least(std::uint32_t some, std::int32_t depth, std::int32_t leaves) {
    leaves = std::min({leaves, 1 << depth, std::popcount(some)});
    depth = std::min(depth, leaves - 1);
    const std::uint64_t key = (std::uint64_t{some} << 16U) | static_cast<std::uint64_t>(depth << 8 | leaves);
    if (const auto found = memo_.find(key); found != memo_.end()) return found->second;
    std::vector<Cost> weights(at(drawn_.cases.n_classes), 0);
    Cost total = 0;
    for (std::int32_t i = 0; i < drawn_.cases.n; ++i) {
      if (((some >> i) & 1U) == 0) continue;
      weights[at(drawn_.cases.classes[at(i)])] += drawn_.cases.weights[at(i)];
      total += drawn_.cases.weights[at(i)];
    }
    Cost best = total - *std::max_element(weights.begin(), weights.end()) + drawn_.price;
    for (const std::uint32_t division : divisions_) {
      const std::uint32_t left = some & division, right = some & ~division;
      if (depth == 0 || best <= 2 * drawn_.price) break;
      if (std::min(std::popcount(left), std::popcount(right)) < drawn_.min_cases) continue;
      for (std::int32_t k = 1; k < leaves; ++k) {
        const Cost one = least(left, depth - 1, k);
        if (one + drawn_.price < best) best = std::min(best, one + least(right, depth - 1, leaves - k));
      }
    }
    memo_[key] = best;
    return best;
  }
  const Drawn& drawn_;
  std::vector<std::uint32_t> divisions_;
  std::unordered_map<std::uint64_t, Cost> memo_;
};

inline constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

}  // namespace bough::search

// SPDX-License-Identifier: Apache-2.0
// Greedy grouping: the effect of joining two bags on gain and split information depends on those two alone,
// so it is computed once per pair and again only for pairs with a joined bag.
#include "quinlan/groups.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace bough {
namespace {

struct Pair {
  double lost = 0.0;    // of the decrease of scatter
  double joined = 0.0;  // of the spread of the bags
};

Pair effect(const Bags& bags, std::size_t a, std::size_t b) {
  std::vector<double> both(bags.n_classes());
  for (std::size_t c = 0; c < both.size(); ++c) both[c] = bags.classes(a)[c] + bags.classes(b)[c];
  const double wa = bags.weights()[a], wb = bags.weights()[b];
  return {scatter(both, wa + wb) - scatter(bags.classes(a), wa) - scatter(bags.classes(b), wb),
          xlog2x(wa + wb) - xlog2x(wa) - xlog2x(wb)};
}

// All pairs a < b of the bags that are left.
class Pairs {
 public:
  explicit Pairs(const Bags& bags) : rows_(bags.size()) {
    for (std::size_t a = 0; a < rows_.size(); ++a)
      for (std::size_t b = 0; b < rows_.size(); ++b) rows_[a].push_back(a < b ? effect(bags, a, b) : Pair{});
  }
  [[nodiscard]] const Pair& of(std::size_t a, std::size_t b) const { return rows_[a][b]; }
  /// `bags` has b joined into a already.
  void join(const Bags& bags, std::size_t a, std::size_t b) {
    rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(b));
    for (auto& row : rows_) row.erase(row.begin() + static_cast<std::ptrdiff_t>(b));
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (i != a) rows_[std::min(i, a)][std::max(i, a)] = effect(bags, std::min(i, a), std::max(i, a));
  }

 private:
  std::vector<std::vector<Pair>> rows_;
};

}  // namespace

std::vector<std::uint32_t> group_bags(const Bags& bags, double all, double min_branch) {
  std::vector<std::uint32_t> group(bags.size());
  std::iota(group.begin(), group.end(), 0U);
  if (bags.size() < 3 || bags.size() > kMostGrouped) return group;
  Bags left = bags;
  Pairs pairs(left);
  while (left.size() > 2) {
    const double decrease = left.decrease(), spread = left.spread(all);
    double best = -std::numeric_limits<double>::infinity();
    std::size_t first = 0, second = 1;
    for (std::size_t a = 0; a < left.size(); ++a) {
      for (std::size_t b = a + 1; b < left.size(); ++b) {
        const Pair& pair = pairs.of(a, b);
        const double ratio = (decrease - pair.lost) / (spread - pair.joined);
        if (ratio > best + 1e-12) {
          best = ratio;
          first = a;
          second = b;
        }
      }
    }
    // Groups too small to count are joined even at a loss.
    if (best < decrease / spread - 1e-12 && left.two_hold(min_branch, 0.0)) break;
    left.join(first, second);
    pairs.join(left, first, second);
    for (std::uint32_t& g : group)
      g = g == second ? static_cast<std::uint32_t>(first) : g > second ? g - 1 : g;
  }
  return group;
}

}  // namespace bough

// SPDX-License-Identifier: Apache-2.0
// What a search of trees of numbers makes small: weighted squared error.
#pragma once

#include <array>

#include "base/fixed.hpp"
#include "search/greedy.hpp"

namespace bough::search {

/// Exact sums of some cases.
struct Moments {
  std::int64_t weight = 0, sum = 0;
  int128 squares = 0;
  void add(std::int64_t w, std::int64_t value) noexcept {
    weight += w;
    sum += w * value;
    squares += static_cast<int128>(w * value) * value;
  }
  /// sum * sum / weight: what a leaf of these cases takes off the squares.
  [[nodiscard]] double explained() const noexcept {
    return weight == 0 ? 0.0
                       : static_cast<double>(sum) * (static_cast<double>(sum) / static_cast<double>(weight));
  }
};

/// Squared errors of leaves in whole units, 2^-50 of those of all cases or less: so costs are exact sums, and a tree is
/// told from a better one by ten digits and more.
class Squares {
 public:
  using Cost = std::int64_t;
  static constexpr Cost kNone = std::numeric_limits<std::int64_t>::max();
  static constexpr std::int32_t kBins = 32;
  struct TwoLevels {
    std::array<Cost, 5> errors{};
    Cut three, four;
  };

  explicit Squares(const Subset& all);

  /// Squared errors (of Cases::values) as a cost, and back.
  [[nodiscard]] Cost to_cost(double squares) const;
  [[nodiscard]] double from_cost(Cost cost) const;

  [[nodiscard]] Cost leaf(const Subset& subset) const;
  [[nodiscard]] Cost of(const SmallTree& tree, const Subset& subset) const;
  [[nodiscard]] SmallTree stump(const Subset& subset, std::int32_t min_cases) const;
  [[nodiscard]] double purity(const Subset& subset) const;
  template <class Visit>
  void for_cuts(const Subset& subset, std::int32_t chain, std::int32_t min_cases, const Visit& visit) const {
    const Moments all = moments(subset);
    Moments left;
    const std::span<const std::int32_t> order = subset.order(chain), begins = subset.group_begins(chain);
    for (std::int32_t g = 0; g + 1 < subset.n_groups(chain); ++g) {
      for (std::int32_t k = begins[at(g)]; k < begins[at(g) + 1]; ++k) {
        const std::int64_t weight = subset.weight_of(order[at(k)]);
        left.weight += weight;
        left.sum += weight * subset.value_of(order[at(k)]);
      }
      if (begins[at(g) + 1] < min_cases || subset.size() - begins[at(g) + 1] < min_cases) continue;
      const Moments right{all.weight - left.weight, all.sum - left.sum, 0};
      visit(g, left.explained() + right.explained());
    }
  }
  [[nodiscard]] std::int64_t table_work(const Subset& subset, std::int64_t chains) const {
    const std::int64_t n = subset.size(), bins = std::min<std::int64_t>(n, kBins);
    return chains * chains * (n + 2 * bins * bins);
  }
  /// Trees of two levels whose cuts, both, are ends of kBins bins of equal numbers of cases: all cuts where a chain has no
  /// more groups than that.
  [[nodiscard]] std::vector<Cost> table(const Subset& subset, std::int32_t min_cases, TwoLevels& two,
                                        Budget& budget) const;
  [[nodiscard]] SmallTree shallow(const Subset& subset, const TwoLevels& two, std::int32_t leaves,
                                  std::int32_t min_cases) const;
  [[nodiscard]] Rechosen rechosen(const Subset& subset, const SmallTree& tree, std::int32_t node) const;

 private:
  [[nodiscard]] static Moments moments(const Subset& subset);
  [[nodiscard]] Cost cost(const Moments& of) const;
  int exponent_ = 0;
};

struct FoundSquares {
  Squares::Cost cost = Squares::kNone;  ///< of the tree; kNone: none costs less than the bound
  Squares::Cost lower = 0;              ///< proven: no tree costs less
  SmallTree tree;
};
/// Trees within the limits that cost less than `bound`; cost is squared errors + price * leaves.
FoundSquares best_square_tree(const Squares& measure, const Subset& subset, Limits limits,
                              Squares::Cost price, Squares::Cost bound, Budget& budget);

}  // namespace bough::search

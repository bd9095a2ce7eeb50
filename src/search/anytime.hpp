// SPDX-License-Identifier: Apache-2.0
// Good trees early.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "search/errors.hpp"
#include "search/squares.hpp"

namespace bough::search {

/// Trees within limits, each better than the last by a measure (Errors or Squares), until the budget is spent or no plan
/// is left. Nothing is proven.
template <class Measure>
class AnytimeOf {
 public:
  using Cost = typename Measure::Cost;
  static constexpr Cost kNone = Measure::kNone;

  /// `min_cases`: cases of every leaf.
  AnytimeOf(const Subset& subset, Limits limits, Cost price, std::int32_t min_cases, Budget& budget,
            Measure measure = {})
      : measure_(measure),
        subset_(subset),
        limits_(limits),
        price_(price),
        min_cases_(min_cases),
        budget_(budget) {}

  /// Best-first CART, polished; the beginning of run().
  void start();
  /// At most `plans` of the growing plans of the search.
  void run(std::size_t plans);
  /// All plans, for every number of leaves up to the limit at once: a tree that is dearer than another of more leaves
  /// is kept, too. The price is not looked at.
  void run_path();
  /// After run_path(): the trees of the fewest errors found with at most 1, 2, ... leaves.
  [[nodiscard]] std::vector<SmallTree> path() const;
  /// Only best-first CART as it is.
  void run_greedy() {
    offer(SmallTree::leaf(subset_.label()));
    offer(greedy_tree(measure_, subset_, limits_, min_cases_));
  }

  /// The tree of the fewest errors found, within the limits, whose root is a cut of one of the chains. Nothing where no
  /// such cut divides the cases.
  [[nodiscard]] std::optional<SmallTree> best_with_root(std::span<const std::int32_t> chains);

  [[nodiscard]] const SmallTree& best() const noexcept { return best_; }
  /// Errors + price * leaves of it.
  [[nodiscard]] Cost cost() const noexcept { return cost_; }

 private:
  struct Curve;
  struct Way {
    SmallTree tree;  // where nothing is joined
    Cut cut;
    std::int32_t left_leaves = 0, right_leaves = 0;
    std::shared_ptr<const Curve> left, right;
  };
  // Least errors found by leaves, and how. Index 0 is not used.
  struct Curve {
    std::vector<Cost> errors;
    std::vector<Way> ways;
  };
  struct Place {
    std::int32_t leaves = 1, depth = 0, level = 0;
    const SmallTree* along = nullptr;  // a tree whose test at `node` is a root to try
    std::int32_t node = -1;
  };

  [[nodiscard]] std::shared_ptr<const Curve> curve(const Subset& subset, const Place& place);
  void add_root(const Subset& subset, const Place& place, Cut root, bool along, Curve& curve);
  void add_shallow(const Subset& subset, const typename Measure::TwoLevels& two, Curve& curve) const;
  [[nodiscard]] SmallTree tree_of(const Curve& curve, std::int32_t leaves) const;
  [[nodiscard]] SmallTree cheapest(const Curve& curve) const;
  [[nodiscard]] std::int32_t balanced_depth() const;
  void offer_sizes(const Curve& curve);
  void polish_sizes();
  // Of some chains, or of all where none is named.
  [[nodiscard]] std::vector<Cut> choose(const Subset& subset, const std::vector<Cost>& table,
                                        std::int32_t width, std::span<const std::int32_t> chains = {}) const;
  [[nodiscard]] std::vector<Cost> sampled(const Subset& subset);
  void improve(SmallTree tree, std::int32_t leaves);
  bool alternate(const Subset& subset, SmallTree& tree, std::int32_t node);
  [[nodiscard]] Cost cost_of(const SmallTree& tree) const {
    return measure_.of(tree, subset_) + price_ * tree.n_leaves();
  }
  void offer(const SmallTree& tree);

  Measure measure_;
  const Subset& subset_;
  Limits limits_;
  Cost price_;
  std::int32_t min_cases_;
  Budget& budget_;
  std::array<std::int32_t, 4> widths_{};
  SmallTree best_;
  Cost cost_ = kNone;
  struct Sized {
    SmallTree tree;
    Cost errors = kNone;
    bool polished = false;
  };
  std::vector<Sized> sizes_;      // by leaves; only of run_path()
  std::vector<Cost> root_table_;  // of all cases; only of best_with_root()
};

using Anytime = AnytimeOf<Errors>;
using AnytimeSquares = AnytimeOf<Squares>;

}  // namespace bough::search

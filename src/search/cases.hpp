// SPDX-License-Identifier: Apache-2.0
// What the search of small trees sees: rows as cases, every test as a cut of a chain, subsets of cases sorted
// along every chain, and trees over them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/table.hpp"

namespace bough::search {

/// Weight of cases that are answered wrong, and prices of leaves, in common units. All sums stay below
/// kMostCost, so that sums of two never overflow.
using Cost = std::int32_t;
inline constexpr Cost kMostCost = 1 << 29;

/// A count or a number of something as an index.
inline std::size_t at(std::int32_t i) noexcept {
  return static_cast<std::size_t>(i);
}

/// A family of nested tests: "code <= c" for every c but the last. Columns with missing cells, and categories,
/// are several chains (chains.hpp).
struct Chain {
  std::vector<std::int32_t> codes;  ///< per case, 0 .. n_codes - 1
  std::int32_t n_codes = 0;
};

struct Cases {
  std::int32_t n = 0;
  std::int32_t n_classes = 0;
  std::vector<Chain> chains;
  std::vector<std::int32_t> classes, weights;  ///< per case; all of one class where the target is a number
  std::vector<std::int64_t> values;     ///< per case: a number as a whole one (squares.hpp); else empty
  std::vector<std::int32_t> first_cut;  ///< per chain: number of its first cut; at the end: of all cuts

  /// Numbers the cuts.
  void finish();
  [[nodiscard]] std::int32_t n_chains() const noexcept { return static_cast<std::int32_t>(chains.size()); }
  [[nodiscard]] std::int32_t n_cuts() const noexcept { return first_cut.back(); }
};

/// Some cases under numbers of their own, sorted along every chain; codes that occur are numbered as groups.
class Subset {
 public:
  explicit Subset(const Cases& all);
  /// The cases whose group along `chain` is below `group`, or the others.
  [[nodiscard]] Subset side(std::int32_t chain, std::int32_t group, bool left) const;

  [[nodiscard]] const Cases& cases() const noexcept { return *cases_; }
  [[nodiscard]] std::int32_t size() const noexcept { return static_cast<std::int32_t>(members_.size()); }
  [[nodiscard]] std::int32_t member(std::int32_t i) const { return members_[at(i)]; }
  [[nodiscard]] std::int32_t class_of(std::int32_t i) const { return classes_[at(i)]; }
  [[nodiscard]] std::int32_t weight_of(std::int32_t i) const { return weights_[at(i)]; }
  [[nodiscard]] std::int64_t value_of(std::int32_t i) const { return cases_->values[at(members_[at(i)])]; }
  [[nodiscard]] Cost weight() const noexcept { return weight_; }
  /// Weight per class.
  [[nodiscard]] std::span<const Cost> class_weights() const noexcept { return class_weights_; }
  /// Weight outside the heaviest class, and that class (of equals the first).
  [[nodiscard]] Cost leaf_cost() const noexcept { return leaf_cost_; }
  [[nodiscard]] std::int32_t label() const noexcept { return label_; }

  [[nodiscard]] std::int32_t n_groups(std::int32_t chain) const {
    return static_cast<std::int32_t>(group_codes_[at(chain)].size());
  }
  /// Cases along a chain, and the group of every case there.
  [[nodiscard]] std::span<const std::int32_t> order(std::int32_t chain) const { return slice(order_, chain); }
  [[nodiscard]] std::span<const std::int32_t> groups(std::int32_t chain) const {
    return slice(group_of_, chain);
  }
  /// First position of every group in order(), and the end.
  [[nodiscard]] std::span<const std::int32_t> group_begins(std::int32_t chain) const {
    return begins_[at(chain)];
  }
  [[nodiscard]] std::int32_t group_code(std::int32_t chain, std::int32_t group) const {
    return group_codes_[at(chain)][at(group)];
  }
  /// How many groups have codes up to `code`.
  [[nodiscard]] std::int32_t groups_upto(std::int32_t chain, std::int32_t code) const;
  /// Weight before every group, and of all at the end.
  [[nodiscard]] std::vector<Cost> weights_before(std::int32_t chain) const;

 private:
  Subset() = default;
  [[nodiscard]] std::span<const std::int32_t> slice(const std::vector<std::int32_t>& of,
                                                    std::int32_t chain) const {
    return std::span(of).subspan(at(chain) * members_.size(), members_.size());
  }
  void count_classes();
  void number_groups();

  const Cases* cases_ = nullptr;
  std::vector<std::int32_t> members_, classes_, weights_;
  std::vector<Cost> class_weights_;
  Cost weight_ = 0, leaf_cost_ = 0;
  std::int32_t label_ = 0;
  std::vector<std::int32_t> order_, group_of_;  // chains one after the other
  std::vector<std::vector<std::int32_t>> group_codes_, begins_;
};

struct TreeNode {
  std::int32_t chain = -1;  ///< -1: a leaf
  std::int32_t code = 0;    ///< codes up to it go left
  std::int32_t label = 0;
  std::int32_t left = -1, right = -1;
};

/// A tree over chains; node 0 is the root.
struct SmallTree {
  std::vector<TreeNode> nodes{TreeNode{}};

  static SmallTree leaf(std::int32_t label);
  static SmallTree join(std::int32_t chain, std::int32_t code, const SmallTree& left, const SmallTree& right);
  /// The subtree below `node`.
  [[nodiscard]] SmallTree below(std::int32_t node) const;
  [[nodiscard]] std::int32_t n_leaves() const noexcept;
  [[nodiscard]] std::int32_t depth(std::int32_t node = 0) const;
  /// The leaf of a case below `node`.
  [[nodiscard]] std::int32_t leaf_of(const Cases& cases, std::int32_t member, std::int32_t node = 0) const;
  [[nodiscard]] Cost errors(const Subset& subset) const;
  /// Whether at least `min_cases` cases of the subset end in every leaf.
  [[nodiscard]] bool leaves_hold(std::int32_t min_cases, const Subset& subset) const;
  /// Without the branches that no case of the subset reaches.
  [[nodiscard]] SmallTree without_empty(const Subset& subset) const;

 private:
  std::int32_t graft(const SmallTree& from, std::int32_t node,
                     const std::vector<std::int32_t>* counts = nullptr);
};

}  // namespace bough::search

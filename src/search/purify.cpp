// SPDX-License-Identifier: Apache-2.0
// Ties between trees of equal errors.
//
// The search makes errors small and meets, of the many trees that err equally, any. Here the tests of its tree are chosen
// anew by errors and then gini. For a node whose subtrees keep their tests, every case has one leaf in either subtree:
// as the cut moves along a chain, cases pass from their leaf on the right to their leaf on the left, and the class
// weights of the leaves tell errors and gini at every position. For subtrees of two levels the depth-2 sweep names the
// roots that err least, and the best stumps below them are those of errors and gini: nothing is left to chance there.
#include "search/purify.hpp"

#include <algorithm>
#include <utility>

#include "search/depth_two.hpp"

namespace bough::search {
namespace {

constexpr int kPasses = 4;

// Class weights of a leaf while cases come and go.
class Counts {
 public:
  explicit Counts(std::size_t n_classes) : weights_(n_classes, 0) {}
  void add(std::int32_t cls, Cost weight, std::int32_t cases) {
    std::int64_t& here = weights_[at(cls)];
    squares_ += weight * (2 * here + weight);
    here += weight;
    total_ += weight;
    n_ += cases;
  }
  [[nodiscard]] std::int32_t n() const noexcept { return n_; }
  [[nodiscard]] Cost errors() const {
    return static_cast<Cost>(total_ - *std::max_element(weights_.begin(), weights_.end()));
  }
  [[nodiscard]] double gini() const {
    return total_ == 0 ? 0.0 : static_cast<double>(squares_) / static_cast<double>(total_);
  }

 private:
  std::vector<std::int64_t> weights_;
  std::int64_t squares_ = 0, total_ = 0;
  std::int32_t n_ = 0;
};

// The leaves of a tree; what they say is computed again only where cases came or went.
class LeafSums {
 public:
  LeafSums(const SmallTree& tree, std::vector<Counts> counts, std::int32_t min_cases)
      : counts_(std::move(counts)),
        is_changed_(counts_.size(), 0),
        min_cases_(min_cases),
        at_leaf_(counts_.size()) {
    for (std::size_t node = 0; node < counts_.size(); ++node)
      if (tree.nodes[node].chain < 0) leaves_.push_back(node);
    for (const std::size_t leaf : leaves_) change(leaf);
  }
  void add(std::int32_t leaf, std::int32_t cls, Cost weight, std::int32_t cases) {
    counts_[at(leaf)].add(cls, weight, cases);
    change(at(leaf));
  }
  /// Added up in the order of the leaves.
  Purity sum() {
    for (const std::size_t leaf : changed_) {
      at_leaf_[leaf] = {counts_[leaf].errors(), counts_[leaf].gini()};
      is_changed_[leaf] = 0;
    }
    changed_.clear();
    Purity all;
    for (const std::size_t leaf : leaves_) {
      all.errors += at_leaf_[leaf].errors;
      all.gini += at_leaf_[leaf].gini;
    }
    return all;
  }
  [[nodiscard]] bool all_large_enough() const {
    return std::ranges::all_of(leaves_, [&](std::size_t leaf) { return counts_[leaf].n() >= min_cases_; });
  }

 private:
  void change(std::size_t leaf) {
    if (std::exchange(is_changed_[leaf], 1) == 0) changed_.push_back(leaf);
  }
  std::vector<Counts> counts_;
  std::vector<std::uint8_t> is_changed_;
  std::int32_t min_cases_;
  std::vector<Purity> at_leaf_;
  std::vector<std::size_t> leaves_, changed_;
};

class Purifier {
 public:
  Purifier(std::int32_t min_cases, Budget& budget) : min_cases_(std::max(1, min_cases)), budget_(budget) {}

  SmallTree run(const Subset& subset, SmallTree tree) {
    for (int pass = 0; pass < kPasses; ++pass) {
      bool changed = false;
      tree = visit(subset, tree, pass > 0, changed);
      if (!changed) break;
    }
    return tree;
  }

 private:
  [[nodiscard]] bool can_afford(const Subset& subset, std::int64_t times) {
    const std::int64_t work = static_cast<std::int64_t>(subset.size()) * subset.cases().n_chains() * times;
    if (budget_.is_spent() || budget_.spent() + work > budget_.limit()) {
      skipped_ = true;
      return false;
    }
    budget_.spend(work);
    return true;
  }

  // The deepest nodes last: they see the cases that the tests above leave to them. Where these are the cases of the pass
  // before, subtrees of two levels are the purest already.
  SmallTree visit(const Subset& subset, const SmallTree& given, bool has_same_cases, bool& changed) {
    const std::int32_t levels = given.depth();
    if (levels == 0) return SmallTree::leaf(subset.label());
    SmallTree tree = given;
    if (levels == 2) {
      if (has_same_cases && !skipped_) return tree;
      if (choose_two_levels(subset, tree)) {
        changed = true;
        return tree;
      }
    }
    if (can_afford(subset, 1) && choose_root(subset, tree)) changed = true, has_same_cases = false;
    const TreeNode root = tree.nodes.front();
    const std::int32_t group = subset.groups_upto(root.chain, root.code);
    const SmallTree left =
        visit(subset.side(root.chain, group, true), tree.below(root.left), has_same_cases, changed);
    const SmallTree right =
        visit(subset.side(root.chain, group, false), tree.below(root.right), has_same_cases, changed);
    return SmallTree::join(root.chain, root.code, left, right);
  }

  bool choose_root(const Subset& subset, SmallTree& tree) const {
    const Cases& cases = subset.cases();
    const TreeNode& root = tree.nodes.front();
    std::vector<std::int32_t> left(at(subset.size())), right(left.size());
    for (std::int32_t i = 0; i < subset.size(); ++i) {
      left[at(i)] = tree.leaf_of(cases, subset.member(i), root.left);
      right[at(i)] = tree.leaf_of(cases, subset.member(i), root.right);
    }
    Purity best = purity_of(tree, subset);
    Cut cut;
    std::vector<Counts> start(tree.nodes.size(), Counts(at(cases.n_classes)));
    for (std::int32_t i = 0; i < subset.size(); ++i)
      start[at(right[at(i)])].add(subset.class_of(i), subset.weight_of(i), 1);
    for (std::int32_t chain = 0; chain < cases.n_chains(); ++chain) {
      LeafSums now(tree, start, min_cases_);
      const std::span<const std::int32_t> order = subset.order(chain), begins = subset.group_begins(chain);
      for (std::int32_t g = 0; g + 1 < subset.n_groups(chain); ++g) {
        for (std::int32_t k = begins[at(g)]; k < begins[at(g) + 1]; ++k) {
          const std::int32_t i = order[at(k)];
          now.add(right[at(i)], subset.class_of(i), -subset.weight_of(i), -1);
          now.add(left[at(i)], subset.class_of(i), subset.weight_of(i), 1);
        }
        const Purity here = now.sum();
        if (!now.all_large_enough() || !here.is_better(best)) continue;
        best = here;
        cut = {chain, subset.group_code(chain, g)};
      }
    }
    if (cut.chain < 0) return false;
    tree.nodes.front().chain = cut.chain;
    tree.nodes.front().code = cut.code;
    return true;
  }

  // All trees of two levels and as many leaves that err no more.
  bool choose_two_levels(const Subset& subset, SmallTree& tree) {
    const Cases& cases = subset.cases();
    const std::int32_t leaves = tree.n_leaves();
    const std::int64_t pairs = std::min<std::int64_t>(cases.n_classes - 1, 6);
    if (!can_afford(subset, cases.n_chains() * pairs)) return false;
    Purity best = purity_of(tree, subset);
    DepthTwo two;
    Budget sweep(std::numeric_limits<std::int64_t>::max(), std::nullopt);  // paid above
    const std::vector<Cost> table = all_cuts(subset, two, sweep);
    std::vector<std::pair<Cost, Cut>> roots;  // by errors of their best trees of four leaves
    for (std::int32_t chain = 0; chain < cases.n_chains(); ++chain) {
      const std::int32_t first = cases.first_cut[at(chain)];
      for (std::int32_t number = first; number < cases.first_cut[at(chain) + 1]; ++number)
        if (table[at(number)] <= best.errors) roots.push_back({table[at(number)], {chain, number - first}});
    }
    std::ranges::stable_sort(roots, {}, &std::pair<Cost, Cut>::first);
    bool changed = false;
    for (const std::pair<Cost, Cut>& root : roots) {
      const Cut cut = root.second;
      if (root.first > best.errors) break;
      if (!can_afford(subset, 2)) break;
      const std::int32_t group = subset.groups_upto(cut.chain, cut.code);
      const Subset left = subset.side(cut.chain, group, true), right = subset.side(cut.chain, group, false);
      if (left.size() < min_cases_ || right.size() < min_cases_) continue;
      const SmallTree ends[2] = {SmallTree::leaf(left.label()), SmallTree::leaf(right.label())};
      const SmallTree stumps[2] = {stump_tree(left, min_cases_), stump_tree(right, min_cases_)};
      const auto offer = [&](const SmallTree& l, const SmallTree& r) {
        if (l.n_leaves() + r.n_leaves() != leaves) return;
        SmallTree other = SmallTree::join(cut.chain, cut.code, l, r);
        const Purity here = purity_of(other, subset);
        if (!here.is_better(best)) return;
        best = here;
        tree = std::move(other);
        changed = true;
      };
      offer(stumps[0], stumps[1]);
      if (leaves == 3) offer(ends[0], stumps[1]), offer(stumps[0], ends[1]);
    }
    return changed;
  }

  std::int32_t min_cases_;
  Budget& budget_;
  bool skipped_ = false;  // something that could not be afforded
};

}  // namespace

Purity purity_of(const SmallTree& tree, const Subset& subset) {
  std::vector<Counts> counts(tree.nodes.size(), Counts(at(subset.cases().n_classes)));
  for (std::int32_t i = 0; i < subset.size(); ++i)
    counts[at(tree.leaf_of(subset.cases(), subset.member(i)))].add(subset.class_of(i), subset.weight_of(i),
                                                                   1);
  Purity sum;
  for (std::size_t node = 0; node < counts.size(); ++node) {
    if (tree.nodes[node].chain >= 0) continue;
    sum.errors += counts[node].errors();
    sum.gini += counts[node].gini();
  }
  return sum;
}

SmallTree purified(const Subset& subset, SmallTree tree, std::int32_t min_cases, Budget& budget) {
  return Purifier(min_cases, budget).run(subset, std::move(tree));
}

}  // namespace bough::search

// SPDX-License-Identifier: Apache-2.0
// Squared errors of trees.
//
// With Q the sum of weighted squares of some cases, s of weighted values and w of weights, a leaf loses Q - s^2 / w. A leaf
// can answer any number, so there is no extreme of a prefix sum as there is for classes. Trees of two levels are tried on
// bins instead: for a chain of root cuts and a chain of stumps the joint sums of their bins are counted once, and as
// the root's cut moves on, the sums of one bin pass from its right side to its left.
#include "search/squares.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"

namespace bough::search {
namespace {

constexpr std::int32_t kBins = Squares::kBins;
constexpr int kUnitBits = 50;

// The groups of a chain in bins.
struct Binned {
  std::vector<std::int32_t> of_case;  // bin of every case
  std::vector<std::int32_t> codes;    // last code of every bin
};

Binned bins_of(const Subset& subset, std::int32_t chain) {
  Binned out;
  const std::span<const std::int32_t> begins = subset.group_begins(chain), groups = subset.groups(chain);
  std::vector<std::int32_t> of_group(at(subset.n_groups(chain)));
  std::int32_t last = -1;
  for (std::int32_t g = 0; g < subset.n_groups(chain); ++g) {
    const std::int64_t place = static_cast<std::int64_t>(begins[at(g)]) * kBins / std::max(1, subset.size());
    const auto bin = subset.n_groups(chain) <= kBins ? g : static_cast<std::int32_t>(place);
    if (bin != last) out.codes.push_back(0);
    last = bin;
    of_group[at(g)] = static_cast<std::int32_t>(out.codes.size()) - 1;
    out.codes.back() = subset.group_code(chain, g);
  }
  for (const std::int32_t group : groups) out.of_case.push_back(of_group[at(group)]);
  return out;
}

struct Cell {
  std::int64_t weight = 0, sum = 0;
  std::int32_t n = 0;
  void operator+=(const Cell& other) {
    weight += other.weight;
    sum += other.sum;
    n += other.n;
  }
  [[nodiscard]] Cell without(const Cell& other) const {
    return {weight - other.weight, sum - other.sum, n - other.n};
  }
  [[nodiscard]] double explained() const { return Moments{weight, sum, 0}.explained(); }
};

// What the best leaf and the best stump explain on both sides of every bin of a root chain.
struct RootCosts {
  std::vector<double> leaf[2], stump[2];
};

class RootSweep {
 public:
  RootSweep(const Subset& subset, const std::vector<Binned>& bins, std::int32_t root, std::int32_t min_cases)
      : subset_(subset), bins_(bins), root_(bins[at(root)]), min_cases_(min_cases) {
    const std::size_t n = root_.codes.size();
    for (int side = 0; side < 2; ++side) {
      out_.leaf[side].assign(n, 0.0);
      out_.stump[side].assign(n, 0.0);
    }
  }

  RootCosts run() {
    for (const Binned& bins : bins_) add(bins);
    return std::move(out_);
  }

 private:
  void add(const Binned& bins) {
    const std::size_t n_roots = root_.codes.size(), n = bins.codes.size();
    cells_.assign(n_roots * n, {});
    for (std::int32_t i = 0; i < subset_.size(); ++i) {
      const std::int64_t weight = subset_.weight_of(i);
      cells_[at(root_.of_case[at(i)]) * n + at(bins.of_case[at(i)])] +=
          {weight, weight * subset_.value_of(i), 1};
    }
    std::vector<Cell> sides[2] = {std::vector<Cell>(n), std::vector<Cell>(n)};
    for (std::size_t k = 0; k < cells_.size(); ++k) sides[1][k % n] += cells_[k];
    for (std::size_t j = 0; j + 1 < n_roots; ++j) {
      for (std::size_t k = 0; k < n; ++k) {
        sides[0][k] += cells_[j * n + k];
        sides[1][k] = sides[1][k].without(cells_[j * n + k]);
      }
      for (int side = 0; side < 2; ++side) look(sides[side], out_.leaf[side][j], out_.stump[side][j]);
    }
  }

  void look(const std::vector<Cell>& cells, double& leaf, double& stump) const {
    Cell all, left;
    for (const Cell& cell : cells) all += cell;
    leaf = all.n < min_cases_ ? -1.0 : all.explained();
    stump = std::max(stump, leaf);
    for (const Cell& cell : cells) {
      left += cell;
      const Cell right = all.without(left);
      if (left.n < min_cases_ || right.n < min_cases_) continue;
      stump = std::max(stump, left.explained() + right.explained());
    }
  }

  const Subset& subset_;
  const std::vector<Binned>& bins_;
  const Binned& root_;
  std::int32_t min_cases_;
  std::vector<Cell> cells_;
  RootCosts out_;
};

}  // namespace

Squares::Squares(const Subset& all) {
  const Moments of = moments(all);
  const double squares = static_cast<double>(of.squares) - of.explained();
  exponent_ = squares > 0.0 ? kUnitBits - std::ilogb(squares) : 0;
}

Squares::Cost Squares::to_cost(double squares) const {
  return squares <= 0.0 ? 0 : static_cast<Cost>(std::llround(std::ldexp(squares, exponent_)));
}

double Squares::from_cost(Cost cost) const {
  return std::ldexp(static_cast<double>(cost), -exponent_);
}

Moments Squares::moments(const Subset& subset) {
  Moments sum;
  for (std::int32_t i = 0; i < subset.size(); ++i) sum.add(subset.weight_of(i), subset.value_of(i));
  return sum;
}

Squares::Cost Squares::cost(const Moments& of) const {
  return to_cost(static_cast<double>(of.squares) - of.explained());
}

Squares::Cost Squares::leaf(const Subset& subset) const {
  return cost(moments(subset));
}

Squares::Cost Squares::of(const SmallTree& tree, const Subset& subset) const {
  std::vector<Moments> leaves(tree.nodes.size());
  for (std::int32_t i = 0; i < subset.size(); ++i)
    leaves[at(tree.leaf_of(subset.cases(), subset.member(i)))].add(subset.weight_of(i), subset.value_of(i));
  Cost sum = 0;
  for (const Moments& one : leaves) sum += cost(one);
  return sum;
}

double Squares::purity(const Subset& subset) const {
  return moments(subset).explained();
}

SmallTree Squares::stump(const Subset& subset, std::int32_t min_cases) const {
  const PureCut cut = purest_cut(*this, subset, min_cases);
  if (cut.chain < 0) return SmallTree::leaf(0);
  SmallTree tree = SmallTree::join(cut.chain, cut.code, SmallTree::leaf(0), SmallTree::leaf(0));
  return of(tree, subset) < leaf(subset) ? tree : SmallTree::leaf(0);
}

std::vector<Squares::Cost> Squares::table(const Subset& subset, std::int32_t min_cases, TwoLevels& two,
                                          Budget& budget) const {
  const Cases& cases = subset.cases();
  const auto n_chains = at(cases.n_chains());
  std::vector<Binned> bins;
  for (std::int32_t chain = 0; chain < cases.n_chains(); ++chain) bins.push_back(bins_of(subset, chain));
  std::vector<RootCosts> roots(n_chains);
  const auto sweep = [&](std::size_t chain) {
    roots[chain] = RootSweep(subset, bins, static_cast<std::int32_t>(chain), min_cases).run();
  };
  const std::int64_t work = table_work(subset, cases.n_chains());
  budget.spend(work);
  constexpr std::int64_t kSmall = 1 << 16;  // not worth waking threads
  if (work >= kSmall)
    parallel_for(n_chains, sweep);
  else
    for (std::size_t chain = 0; chain < n_chains; ++chain) sweep(chain);
  const Moments all = moments(subset);
  const Cost as_leaf = cost(all);
  two = {{0, as_leaf, as_leaf, as_leaf, as_leaf}, {}, {}};
  std::vector<Cost> out(at(cases.n_cuts()), kNone);
  for (std::size_t chain = 0; chain < n_chains; ++chain) {
    const RootCosts& of = roots[chain];
    for (std::size_t j = 0; j + 1 < bins[chain].codes.size(); ++j) {
      if (of.leaf[0][j] < 0.0 || of.leaf[1][j] < 0.0) continue;  // too few cases on a side
      const Cut cut{static_cast<std::int32_t>(chain), bins[chain].codes[j]};
      const double four = of.stump[0][j] + of.stump[1][j];
      const double three = std::max(of.leaf[0][j] + of.stump[1][j], of.stump[0][j] + of.leaf[1][j]);
      const auto left_over = [&](double explained) {
        return to_cost(static_cast<double>(all.squares) - explained);
      };
      out[at(cases.first_cut[chain] + cut.code)] = left_over(four);
      if (left_over(three) < two.errors[3]) two.errors[3] = left_over(three), two.three = cut;
      if (left_over(four) < two.errors[4]) two.errors[4] = left_over(four), two.four = cut;
    }
  }
  return out;
}

SmallTree Squares::shallow(const Subset& subset, const TwoLevels& two, std::int32_t leaves,
                           std::int32_t min_cases) const {
  const Cut cut = leaves == 3 ? two.three : two.four;
  if (cut.chain < 0) return SmallTree::leaf(0);
  const std::int32_t group = subset.groups_upto(cut.chain, cut.code);
  const Subset left = subset.side(cut.chain, group, true), right = subset.side(cut.chain, group, false);
  const SmallTree l = stump(left, min_cases), r = stump(right, min_cases), end = SmallTree::leaf(0);
  if (leaves > 3) return SmallTree::join(cut.chain, cut.code, l, r);
  const bool at_left = of(l, left) + leaf(right) < leaf(left) + of(r, right);
  return SmallTree::join(cut.chain, cut.code, at_left ? l : end, at_left ? end : r);
}

// Leaves answer the mean of their cases as they are.
Rechosen Squares::rechosen(const Subset& subset, const SmallTree& tree, std::int32_t node) const {
  const TreeNode& here = tree.nodes[at(node)];
  std::vector<Moments> leaves(tree.nodes.size());
  for (std::int32_t i = 0; i < subset.size(); ++i)
    leaves[at(tree.leaf_of(subset.cases(), subset.member(i), node))].add(subset.weight_of(i),
                                                                         subset.value_of(i));
  const auto answer = [&](std::int32_t i, std::int32_t child) {
    const Moments& of = leaves[at(tree.leaf_of(subset.cases(), subset.member(i), child))];
    return of.weight == 0 ? 0.0 : static_cast<double>(of.sum) / static_cast<double>(of.weight);
  };
  // Losses of single cases in units that leave room for their sum.
  const int exponent = exponent_ - bit_length(static_cast<uint128>(subset.size())) - 4;
  std::vector<std::int64_t> losses(at(subset.size()));
  for (std::int32_t i = 0; i < subset.size(); ++i) {
    const auto value = static_cast<double>(subset.value_of(i));
    const double l = value - answer(i, here.left), r = value - answer(i, here.right);
    losses[at(i)] = std::llround(std::ldexp((l * l - r * r) * subset.weight_of(i), exponent));
  }
  return rechoose(subset, {here.chain, here.code}, losses, true);
}

}  // namespace bough::search

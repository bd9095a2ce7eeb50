// SPDX-License-Identifier: Apache-2.0
// The depth-2 sweep.
//
// A stump that answers e left of its cut t and f right of it is right about N_f + P(t), where P is the prefix sum
// along its chain of +w for cases of class e and -w for those of class f. So the best t is an extreme of P, and for
// every pair of classes a segment tree over the chain keeps that extreme while cases pass one by one from the right
// side of the root's cut to the left (sweep_kernel.hpp). All cuts of a root chain b cost
// O(cases * chains * log cases) instead of a scan per cut.
//
// Runs: neighbouring cases of one class (among the two of the pair) are one leaf of the segment tree, because P is
// monotone inside and has no extreme there. That holds for every subset of the cases.
//
// Pairs: a pair of classes gets no more right than all its cases. It is skipped at cuts where that is no more than what
// other pairs were found to get, and where the other side's two heaviest classes cannot bring the sum below the
// limit. In the second case the value is only known to be at least the limit, and is capped there.
#include "search/depth_two.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <utility>

#include "base/parallel.hpp"
#include "search/sweep_kernel.hpp"

namespace bough::search {
namespace {

// A pair of classes among the cases of a subset.
struct ClassPair {
  std::int32_t first = 0, second = 0;
  std::int32_t n_cases = 0;
  std::vector<std::int32_t> local;  // per case of the subset: its number in the pair, or -1
  std::vector<std::int32_t> runs;   // chains one after the other: run of every case of the pair
  std::vector<std::int32_t> n_runs;
  // While runs are found: the class of the group before and of this one.
  static constexpr std::int32_t kNone = -2, kMixed = -1;
  std::int32_t last = kNone, now = kNone;
};

std::vector<ClassPair> make_pairs(const Subset& subset) {
  std::vector<ClassPair> pairs;
  const std::span<const Cost> weights = subset.class_weights();
  const auto n_classes = static_cast<std::int32_t>(weights.size());
  for (std::int32_t c = 0; c < n_classes; ++c) {
    for (std::int32_t d = c + 1; d < n_classes; ++d) {
      if (weights[at(c)] == 0 || weights[at(d)] == 0) continue;
      ClassPair& pair = pairs.emplace_back();
      pair.first = c;
      pair.second = d;
      pair.local.assign(at(subset.size()), -1);
      for (std::int32_t i = 0; i < subset.size(); ++i)
        if (subset.class_of(i) == c || subset.class_of(i) == d) pair.local[at(i)] = pair.n_cases++;
      pair.runs.resize(subset.cases().chains.size() * at(pair.n_cases));
      pair.n_runs.resize(subset.cases().chains.size());
    }
  }
  return pairs;
}

// Finds the runs of all pairs along a chain in one walk: a case concerns the pairs of its class only.
class RunFinder {
 public:
  explicit RunFinder(const Subset& subset) : subset_(subset), pairs_(make_pairs(subset)) {
    of_class_.resize(subset.class_weights().size());
    for (ClassPair& pair : pairs_) {
      of_class_[at(pair.first)].push_back(&pair);
      of_class_[at(pair.second)].push_back(&pair);
    }
  }

  std::vector<ClassPair> find() {
    for (std::int32_t chain = 0; chain < subset_.cases().n_chains(); ++chain) walk(chain);
    return std::move(pairs_);
  }

 private:
  void walk(std::int32_t chain) {
    const std::span<const std::int32_t> order = subset_.order(chain), begins = subset_.group_begins(chain);
    for (ClassPair& pair : pairs_) {
      pair.last = ClassPair::kNone;
      pair.n_runs[at(chain)] = 0;
    }
    for (std::size_t g = 0; g + 1 < begins.size(); ++g) {
      const std::span<const std::int32_t> group = order.subspan(at(begins[g]), at(begins[g + 1] - begins[g]));
      // What the group is to each pair: one class, or mixed.
      for (const std::int32_t i : group) {
        const std::int32_t c = subset_.class_of(i);
        for (ClassPair* pair : of_class_[at(c)])
          pair->now = pair->now == ClassPair::kNone || pair->now == c ? c : ClassPair::kMixed;
      }
      for (const std::int32_t i : group) {
        for (ClassPair* pair : of_class_[at(subset_.class_of(i))]) {
          if (pair->now != ClassPair::kNone) {  // the pair's first case here
            if (pair->now == ClassPair::kMixed || pair->now != pair->last) ++pair->n_runs[at(chain)];
            pair->last = std::exchange(pair->now, ClassPair::kNone);
          }
          pair->runs[at(chain) * at(pair->n_cases) + at(pair->local[at(i)])] = pair->n_runs[at(chain)] - 1;
        }
      }
    }
  }

  const Subset& subset_;
  std::vector<ClassPair> pairs_;
  std::vector<std::vector<ClassPair*>> of_class_;
};

struct FreeTree {
  void operator()(std::int32_t* tree) const noexcept { ::operator delete[](tree, std::align_val_t(64)); }
};

// What one cut of the root gives.
struct CutCosts {
  Cost leaf[2] = {0, 0}, stump[2] = {0, 0};
  bool cut_short = false;
};

// All listed cuts of one root chain. The result depends on nothing but its arguments, so chains may be swept side by
// side.
class ChainSweep {
 public:
  ChainSweep(const Subset& subset, std::int32_t chain, std::span<const std::int32_t> cuts, Cost limit)
      : subset_(subset), chain_(chain), cuts_(cuts), limit_(limit), out_(cuts.size()), sides_(cuts.size()) {
    count_sides();
  }

  void add(const ClassPair& pair) {
    find_active(pair);
    if (active_.empty()) return;
    list_cases(pair);
    least_.resize(4 * active_.size());
    for (std::int32_t chain = 0; chain < subset_.cases().n_chains(); ++chain) {
      const auto n_runs = static_cast<std::uint32_t>(pair.n_runs[at(chain)]);
      if (n_runs < 2) continue;
      const std::uint32_t leaves = std::bit_ceil(n_runs);
      if (room_ < leaves) {
        room_ = leaves;
        tree_.reset(static_cast<std::int32_t*>(
            ::operator new[](std::size_t{16} * leaves * sizeof(std::int32_t), std::align_val_t(64))));
      }
      work_ += sweep_prefixes(
          {tree_.get(), leaves, pair.runs.data() + at(chain) * at(pair.n_cases), listed_, signs_, ends_},
          least_);
      take(pair);
    }
  }

  std::vector<CutCosts> finish() {
    for (std::size_t j = 0; j < out_.size(); ++j)
      for (int side = 0; side < 2; ++side)
        out_[j].stump[side] = sides_[j].weight[side] - sides_[j].right[side];
    return std::move(out_);
  }
  [[nodiscard]] std::int64_t work() const noexcept { return work_; }

 private:
  struct Sides {
    Cost weight[2] = {0, 0};
    Cost right[2] = {0, 0};  // weight that the best stump so far is right about
    Cost top[2] = {0, 0};    // of the two heaviest classes
  };

  void count_sides() {
    const std::size_t n_classes = subset_.class_weights().size();
    left_.assign(cuts_.size() * n_classes, 0);
    const std::span<const std::int32_t> order = subset_.order(chain_), begins = subset_.group_begins(chain_);
    std::vector<Cost> counts(n_classes, 0);
    std::int32_t k = 0;
    for (std::size_t j = 0; j < cuts_.size(); ++j) {
      for (; k < begins[at(cuts_[j])]; ++k)
        counts[at(subset_.class_of(order[at(k)]))] += subset_.weight_of(order[at(k)]);
      std::copy(counts.begin(), counts.end(), left_.begin() + static_cast<std::ptrdiff_t>(j * n_classes));
      for (std::size_t c = 0; c < n_classes; ++c) {
        const Cost of[2] = {counts[c], subset_.class_weights()[c] - counts[c]};
        for (int side = 0; side < 2; ++side) {
          Sides& s = sides_[j];
          s.weight[side] += of[side];
          s.top[side] = std::max(s.top[side], of[side] + s.right[side]);
          s.right[side] = std::max(s.right[side], of[side]);
        }
      }
      for (int side = 0; side < 2; ++side)
        out_[j].leaf[side] = sides_[j].weight[side] - sides_[j].right[side];
    }
  }

  [[nodiscard]] Cost of_class(std::size_t cut, std::int32_t c, int side) const {
    const Cost left = left_[cut * subset_.class_weights().size() + at(c)];
    return side == 0 ? left : subset_.class_weights()[at(c)] - left;
  }

  // The cuts where the pair can be the best of a side.
  void find_active(const ClassPair& pair) {
    active_.clear();
    for (std::size_t j = 0; j < cuts_.size(); ++j) {
      const Sides& s = sides_[j];
      bool better = false, matters = false;
      for (int side = 0; side < 2; ++side) {
        const Cost most = of_class(j, pair.first, side) + of_class(j, pair.second, side);
        const bool here = most > s.right[side];
        better |= here;
        matters |= here && subset_.weight() - most - s.top[1 - side] < limit_;
      }
      if (matters)
        active_.push_back(j);
      else if (better)
        out_[j].cut_short = true;
    }
  }

  // The pair's cases in the order of the root's chain, and how many are left of every active cut.
  void list_cases(const ClassPair& pair) {
    listed_.clear();
    signs_.clear();
    ends_.clear();
    const std::span<const std::int32_t> order = subset_.order(chain_), begins = subset_.group_begins(chain_);
    std::int32_t k = 0;
    const auto list_until = [&](std::int32_t end) {
      for (; k < end; ++k) {
        const std::int32_t i = order[at(k)];
        if (pair.local[at(i)] < 0) continue;
        listed_.push_back(pair.local[at(i)]);
        signs_.push_back(subset_.class_of(i) == pair.first ? subset_.weight_of(i) : -subset_.weight_of(i));
      }
    };
    for (const std::size_t j : active_) {
      list_until(begins[at(cuts_[j])]);
      ends_.push_back(static_cast<std::int32_t>(listed_.size()));
    }
    list_until(subset_.size());
  }

  void take(const ClassPair& pair) {
    for (std::size_t z = 0; z < active_.size(); ++z) {
      const std::size_t j = active_[z];
      for (int side = 0; side < 2; ++side) {
        const Cost low = std::min(0, least_[4 * z + (side == 0 ? 0 : 2)]);
        const Cost turned = std::min(0, least_[4 * z + (side == 0 ? 1 : 3)]);
        sides_[j].right[side] = std::max({sides_[j].right[side], of_class(j, pair.first, side) - low,
                                          of_class(j, pair.second, side) - turned});
      }
    }
  }

  const Subset& subset_;
  std::int32_t chain_;
  std::span<const std::int32_t> cuts_;  // groups on the left, increasing
  Cost limit_;
  std::vector<CutCosts> out_;
  std::vector<Sides> sides_;
  std::vector<Cost> left_;  // class weights left of every cut
  std::vector<std::size_t> active_;
  std::vector<std::int32_t> listed_, signs_, ends_, least_;
  std::unique_ptr<std::int32_t, FreeTree> tree_;
  std::uint32_t room_ = 0;
  std::int64_t work_ = 0;
};

// The listed cuts of one chain.
struct ChainPart {
  std::int32_t chain = 0;
  std::size_t first = 0;             // in the list
  std::vector<std::int32_t> groups;  // different divisions of the subset, increasing
  std::vector<std::int32_t> place;   // per listed cut: its place in groups, -1 where nothing is divided
  std::vector<CutCosts> costs;
  std::int64_t work = 0;
};

std::vector<ChainPart> parts_of(const Subset& subset, std::span<const std::int32_t> cuts) {
  const Cases& cases = subset.cases();
  std::vector<ChainPart> parts;
  std::size_t k = 0;
  for (std::int32_t chain = 0; chain < cases.n_chains() && k < cuts.size(); ++chain) {
    const std::int32_t first = cases.first_cut[at(chain)], end = cases.first_cut[at(chain) + 1];
    if (cuts[k] >= end) continue;
    ChainPart& part = parts.emplace_back();
    part.chain = chain;
    part.first = k;
    std::int32_t group = 0;
    for (; k < cuts.size() && cuts[k] < end; ++k) {
      while (group < subset.n_groups(chain) && subset.group_code(chain, group) <= cuts[k] - first) ++group;
      const bool divides = group > 0 && group < subset.n_groups(chain);
      if (divides && (part.groups.empty() || part.groups.back() != group)) part.groups.push_back(group);
      part.place.push_back(divides ? static_cast<std::int32_t>(part.groups.size()) - 1 : -1);
    }
  }
  return parts;
}

double gini_right(std::span<const Cost> left, std::span<const Cost> all, Cost weight) {
  double l = 0.0, r = 0.0, wl = 0.0;
  for (std::size_t c = 0; c < all.size(); ++c) {
    const auto in = static_cast<double>(left[c]), out = static_cast<double>(all[c] - left[c]);
    l += in * in;
    r += out * out;
    wl += in;
  }
  return l / wl + r / (static_cast<double>(weight) - wl);
}

}  // namespace

Stump best_stump(const Subset& subset, std::int32_t min_cases) {
  Stump best{subset.leaf_cost()};
  const std::span<const Cost> all = subset.class_weights();
  std::vector<Cost> left(all.size());
  double purity = 0.0;
  for (std::int32_t chain = 0; chain < subset.cases().n_chains(); ++chain) {
    std::fill(left.begin(), left.end(), 0);
    const std::span<const std::int32_t> order = subset.order(chain), begins = subset.group_begins(chain);
    for (std::int32_t g = 0; g + 1 < subset.n_groups(chain); ++g) {
      for (std::int32_t k = begins[at(g)]; k < begins[at(g) + 1]; ++k)
        left[at(subset.class_of(order[at(k)]))] += subset.weight_of(order[at(k)]);
      if (begins[at(g) + 1] < min_cases || subset.size() - begins[at(g) + 1] < min_cases) continue;
      Cost ml = 0, mr = 0;
      for (std::size_t c = 0; c < all.size(); ++c) {
        ml = std::max(ml, left[c]);
        mr = std::max(mr, all[c] - left[c]);
      }
      const Cost errors = subset.weight() - ml - mr;
      if (errors > best.errors || (errors == best.errors && best.chain < 0)) continue;
      const double here = gini_right(left, all, subset.weight());
      if (errors == best.errors && !(here > purity)) continue;
      best = {errors, chain, g + 1};
      purity = here;
    }
  }
  return best;
}

SmallTree stump_tree(const Subset& subset, std::int32_t min_cases) {
  const Stump stump = best_stump(subset, min_cases);
  if (stump.chain < 0) return SmallTree::leaf(subset.label());
  return SmallTree::join(stump.chain, subset.group_code(stump.chain, stump.group - 1),
                         SmallTree::leaf(subset.side(stump.chain, stump.group, true).label()),
                         SmallTree::leaf(subset.side(stump.chain, stump.group, false).label()));
}

SmallTree depth_two_tree(const Subset& subset, const DepthTwo& found, std::int32_t leaves) {
  const auto& errors = found.errors;
  if (leaves <= 1 || errors[at(leaves)] == errors[1]) return SmallTree::leaf(subset.label());
  if (leaves == 2 || errors[at(leaves)] == errors[2]) return stump_tree(subset);
  const bool three = leaves == 3 || errors[3] == errors[4];
  const Cut cut = three ? found.three : found.four;
  const std::int32_t group = subset.groups_upto(cut.chain, cut.code);
  const Subset left = subset.side(cut.chain, group, true), right = subset.side(cut.chain, group, false);
  SmallTree l = stump_tree(left), r = stump_tree(right);
  if (three) {
    const Cost as_left = best_stump(left).errors, as_right = best_stump(right).errors;
    if (left.leaf_cost() + as_right <= as_left + right.leaf_cost())
      l = SmallTree::leaf(left.label());
    else
      r = SmallTree::leaf(right.label());
  }
  return SmallTree::join(cut.chain, cut.code, l, r);
}

std::vector<Cost> listed_cuts(const Subset& subset, std::span<const std::int32_t> cuts, Cost limit,
                              DepthTwo& found, Budget& budget) {
  std::vector<Cost> values(cuts.size(), 0);
  found = {};
  const Stump stump = best_stump(subset);
  budget.spend(static_cast<std::int64_t>(subset.size()) * subset.cases().n_chains() / 16);
  found.errors = {0, subset.leaf_cost(), stump.errors, stump.errors, stump.errors};
  if (stump.chain >= 0)
    found.three = found.four = {stump.chain, subset.group_code(stump.chain, stump.group - 1)};
  if (subset.leaf_cost() == 0 || cuts.empty()) return values;
  std::vector<ChainPart> parts = parts_of(subset, cuts);
  const std::vector<ClassPair> pairs = RunFinder(subset).find();
  const auto sweep = [&](std::size_t i) {
    ChainSweep one(subset, parts[i].chain, parts[i].groups, limit);
    for (const ClassPair& pair : pairs) one.add(pair);
    parts[i].costs = one.finish();
    parts[i].work = one.work();
  };
  constexpr std::int64_t kSmall = 1 << 16;  // moves that are not worth waking threads
  if (static_cast<std::int64_t>(subset.size()) * subset.cases().n_chains() *
          static_cast<std::int64_t>(parts.size()) >=
      kSmall)
    parallel_for(parts.size(), sweep);
  else
    for (std::size_t i = 0; i < parts.size(); ++i) sweep(i);
  for (const ChainPart& part : parts) {
    budget.spend(part.work);
    const std::int32_t first = subset.cases().first_cut[at(part.chain)];
    for (std::size_t z = 0; z < part.place.size(); ++z) {
      const std::size_t i = part.first + z;
      if (part.place[z] < 0) {  // nothing is cut off: a stump remains
        values[i] = stump.errors;
        continue;
      }
      const CutCosts& costs = part.costs[at(part.place[z])];
      const Cost four = costs.stump[0] + costs.stump[1];
      const Cost three = std::min(costs.leaf[0] + costs.stump[1], costs.stump[0] + costs.leaf[1]);
      values[i] = costs.cut_short ? std::min(four, limit) : four;
      found.cut_short |= costs.cut_short;
      const Cut cut{part.chain, cuts[i] - first};
      if (three < found.errors[3]) found.errors[3] = three, found.three = cut;
      if (four < found.errors[4]) found.errors[4] = four, found.four = cut;
    }
  }
  return values;
}

std::vector<Cost> all_cuts(const Subset& subset, DepthTwo& found, Budget& budget) {
  const Cases& cases = subset.cases();
  std::vector<std::int32_t> cuts;
  for (std::int32_t chain = 0; chain < cases.n_chains(); ++chain)
    for (std::int32_t g = 0; g + 1 < subset.n_groups(chain); ++g)
      cuts.push_back(cases.first_cut[at(chain)] + subset.group_code(chain, g));
  const std::vector<Cost> values = listed_cuts(subset, cuts, kNoLimit, found, budget);
  std::vector<Cost> table(at(cases.n_cuts()), kNoLimit);
  for (std::size_t i = 0; i < cuts.size(); ++i) table[at(cuts[i])] = values[i];
  return table;
}

}  // namespace bough::search

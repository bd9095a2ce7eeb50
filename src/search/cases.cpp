// SPDX-License-Identifier: Apache-2.0
// Subsets of cases, and trees over chains.
#include "search/cases.hpp"

#include <algorithm>
#include <numeric>

namespace bough::search {
void Cases::finish() {
  first_cut.assign(1, 0);
  for (const Chain& chain : chains) first_cut.push_back(first_cut.back() + std::max(0, chain.n_codes - 1));
}

Subset::Subset(const Cases& all) : cases_(&all), members_(at(all.n)) {
  std::iota(members_.begin(), members_.end(), 0);
  order_.resize(all.chains.size() * members_.size());
  for (std::size_t c = 0; c < all.chains.size(); ++c) {
    const Chain& chain = all.chains[c];
    std::vector<std::int32_t> begins(at(chain.n_codes) + 1, 0);
    for (const std::int32_t code : chain.codes) ++begins[at(code) + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::int32_t* order = order_.data() + c * members_.size();
    for (std::int32_t i = 0; i < all.n; ++i) order[begins[at(chain.codes[at(i)])]++] = i;
  }
  count_classes();
  number_groups();
}

Subset Subset::side(std::int32_t chain, std::int32_t group, bool left) const {
  const std::span<const std::int32_t> groups_here = groups(chain);
  Subset part;
  part.cases_ = cases_;
  std::vector<std::int32_t> renamed(members_.size(), -1);
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if ((groups_here[i] < group) != left) continue;
    renamed[i] = static_cast<std::int32_t>(part.members_.size());
    part.members_.push_back(members_[i]);
  }
  part.order_.resize(cases_->chains.size() * part.members_.size());
  std::int32_t* to = part.order_.data();
  for (const std::int32_t i : order_)
    if (renamed[at(i)] >= 0) *to++ = renamed[at(i)];
  part.count_classes();
  part.number_groups();
  return part;
}

void Subset::count_classes() {
  class_weights_.assign(at(cases_->n_classes), 0);
  classes_.reserve(members_.size());
  weights_.reserve(members_.size());
  for (const std::int32_t member : members_) {
    classes_.push_back(cases_->classes[at(member)]);
    weights_.push_back(cases_->weights[at(member)]);
    class_weights_[at(classes_.back())] += weights_.back();
    weight_ += weights_.back();
  }
  const auto heaviest = std::max_element(class_weights_.begin(), class_weights_.end());
  label_ = static_cast<std::int32_t>(heaviest - class_weights_.begin());
  leaf_cost_ = weight_ - *heaviest;
}

void Subset::number_groups() {
  const std::size_t n_chains = cases_->chains.size();
  group_of_.resize(n_chains * members_.size());
  group_codes_.resize(n_chains);
  begins_.resize(n_chains);
  for (std::size_t c = 0; c < n_chains; ++c) {
    const std::int32_t* codes = cases_->chains[c].codes.data();
    const std::int32_t* order = order_.data() + c * members_.size();
    std::int32_t* groups = group_of_.data() + c * members_.size();
    std::int32_t last = -1;
    for (std::size_t k = 0; k < members_.size(); ++k) {
      const std::int32_t code = codes[members_[at(order[k])]];
      if (code != last) {
        last = code;
        group_codes_[c].push_back(code);
        begins_[c].push_back(static_cast<std::int32_t>(k));
      }
      groups[order[k]] = static_cast<std::int32_t>(group_codes_[c].size()) - 1;
    }
    begins_[c].push_back(size());
  }
}

std::int32_t Subset::groups_upto(std::int32_t chain, std::int32_t code) const {
  const std::vector<std::int32_t>& codes = group_codes_[at(chain)];
  return static_cast<std::int32_t>(std::upper_bound(codes.begin(), codes.end(), code) - codes.begin());
}

std::vector<Cost> Subset::weights_before(std::int32_t chain) const {
  const std::span<const std::int32_t> order_here = order(chain);
  const std::span<const std::int32_t> begins = group_begins(chain);
  std::vector<Cost> sums{0};
  for (std::size_t g = 0; g + 1 < begins.size(); ++g) {
    Cost weight = sums.back();
    for (std::int32_t k = begins[g]; k < begins[g + 1]; ++k) weight += weight_of(order_here[at(k)]);
    sums.push_back(weight);
  }
  return sums;
}

SmallTree SmallTree::leaf(std::int32_t label) {
  SmallTree tree;
  tree.nodes.front().label = label;
  return tree;
}

SmallTree SmallTree::join(std::int32_t chain, std::int32_t code, const SmallTree& left,
                          const SmallTree& right) {
  SmallTree tree;
  const std::int32_t first = tree.graft(left, 0), second = tree.graft(right, 0);
  tree.nodes.front() = {chain, code, 0, first, second};
  return tree;
}

std::int32_t SmallTree::graft(const SmallTree& from, std::int32_t node,
                              const std::vector<std::int32_t>* counts) {
  if (counts != nullptr) {
    for (;;) {  // a test that all cases pass one way is skipped
      const TreeNode& test = from.nodes[at(node)];
      if (test.chain < 0) break;
      const bool left = (*counts)[at(test.left)] > 0, right = (*counts)[at(test.right)] > 0;
      if (left && right) break;
      node = left ? test.left : test.right;
    }
  }
  const auto here = static_cast<std::int32_t>(nodes.size());
  nodes.emplace_back();
  TreeNode copy = from.nodes[at(node)];
  if (copy.chain >= 0) {
    copy.left = graft(from, copy.left, counts);
    copy.right = graft(from, copy.right, counts);
  }
  nodes[at(here)] = copy;
  return here;
}

SmallTree SmallTree::below(std::int32_t node) const {
  SmallTree tree;
  tree.nodes.clear();
  tree.graft(*this, node);
  return tree;
}

std::int32_t SmallTree::n_leaves() const noexcept {
  return static_cast<std::int32_t>((nodes.size() + 1) / 2);
}

std::int32_t SmallTree::depth(std::int32_t node) const {
  const TreeNode& here = nodes[at(node)];
  return here.chain < 0 ? 0 : 1 + std::max(depth(here.left), depth(here.right));
}

std::int32_t SmallTree::leaf_of(const Cases& cases, std::int32_t member, std::int32_t node) const {
  while (nodes[at(node)].chain >= 0) {
    const TreeNode& here = nodes[at(node)];
    node = cases.chains[at(here.chain)].codes[at(member)] <= here.code ? here.left : here.right;
  }
  return node;
}

SmallTree SmallTree::without_empty(const Subset& subset) const {
  std::vector<std::int32_t> counts(nodes.size(), 0);
  for (std::int32_t i = 0; i < subset.size(); ++i) {
    for (std::int32_t node = 0;;) {
      ++counts[at(node)];
      const TreeNode& here = nodes[at(node)];
      if (here.chain < 0) break;
      node = subset.cases().chains[at(here.chain)].codes[at(subset.member(i))] <= here.code ? here.left
                                                                                            : here.right;
    }
  }
  SmallTree kept;
  kept.nodes.clear();
  kept.graft(*this, 0, &counts);
  return kept;
}

bool SmallTree::leaves_hold(std::int32_t min_cases, const Subset& subset) const {
  std::vector<std::int32_t> counts(nodes.size(), 0);
  for (std::int32_t i = 0; i < subset.size(); ++i) ++counts[at(leaf_of(subset.cases(), subset.member(i)))];
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (nodes[i].chain < 0 && counts[i] < min_cases) return false;
  return true;
}

Cost SmallTree::errors(const Subset& subset) const {
  Cost sum = 0;
  for (std::int32_t i = 0; i < subset.size(); ++i)
    if (nodes[at(leaf_of(subset.cases(), subset.member(i)))].label != subset.class_of(i))
      sum += subset.weight_of(i);
  return sum;
}

}  // namespace bough::search

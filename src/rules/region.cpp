// SPDX-License-Identifier: Apache-2.0
// What the tests on the way to a node leave over, column by column.
//
// A test on levels lets pass either the levels of a list and nothing else, or all levels but those of a list,
// and then unseen categories as well (route() sends unseen categories where it sends the levels that a map
// does not name). So a set of levels is a list and a sign, unseen categories follow the sign, and both kinds
// are closed under intersection. Missing cells are kept apart: the share of them that passes a way is the
// product of the shares of its steps.
#include "rules/region.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "predict/route.hpp"

namespace bough {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using LevelList = std::vector<std::uint32_t>;

double missing_share(const Tree& tree, NodeId node, std::int32_t child) {
  const std::int32_t to = route_missing(tree, node);
  if (to == missing_by_share) return tree.child_shares(node)[static_cast<std::size_t>(child)];
  return to == child ? 1.0 : 0.0;
}

LevelList without(const LevelList& from, const LevelList& what) {
  LevelList out;
  std::ranges::set_difference(from, what, std::back_inserter(out));
  return out;
}

}  // namespace

void Region::keep_above(double bound) {
  if (is_set_) {
    std::erase_if(levels_, [&](std::uint32_t level) { return !(level > bound); });
    return;
  }
  above_ = std::max(above_.value_or(bound), bound);
}

void Region::keep_at_most(double bound) {
  if (is_set_) {
    std::erase_if(levels_, [&](std::uint32_t level) { return !(level <= bound); });
    return;
  }
  at_most_ = std::min(at_most_.value_or(bound), bound);
}

// Only ordinal columns have bounds and levels; theirs are few, and an unseen value counts as missing, so the
// list of levels that pass says it all.
void Region::bounds_to_levels() {
  if (is_set_ || !is_ordinal()) {
    is_set_ = true;
    return;
  }
  is_set_ = true;
  negated_ = false;
  for (std::uint32_t level = 0; level < n_levels(); ++level)
    if ((!above_ || level > *above_) && (!at_most_ || level <= *at_most_)) levels_.push_back(level);
  above_.reset();
  at_most_.reset();
}

void Region::keep_levels(LevelList levels, bool negated) {
  bounds_to_levels();
  LevelList kept;
  if (!negated_ && negated) {
    kept = without(levels_, levels);
  } else if (negated_ && !negated) {
    kept = without(levels, levels_);
  } else if (negated_) {
    std::ranges::set_union(levels_, levels, std::back_inserter(kept));
  } else {
    std::ranges::set_intersection(levels_, levels, std::back_inserter(kept));
  }
  levels_ = std::move(kept);
  negated_ = negated_ && negated;
}

void Region::narrow(const Tree& tree, NodeId node, std::int32_t child) {
  missing_ *= missing_share(tree, node, child);
  const NodeKind kind = tree.kind(node);
  if (tests_intervals(kind)) {
    const CellInterval to = child_interval(tree, node, child);
    if (to.low > -kInfinity) keep_above(to.low);
    if (to.high < kInfinity || to.low == -kInfinity) keep_at_most(to.high);
  } else if (kind == NodeKind::equality) {
    keep_levels({static_cast<std::uint32_t>(tree.threshold(node))}, child == 1);
  } else {
    const bool negated = tree.unseen_to(node) == child;
    LevelList listed;
    const auto levels = tree.map_levels(node);
    for (std::size_t i = 0; i < levels.size(); ++i)
      if ((tree.map_children(node)[i] == child) != negated) listed.push_back(levels[i]);
    keep_levels(std::move(listed), negated);
  }
}

void Region::stop_at(const Tree& tree, NodeId node) {
  const NodeKind kind = tree.kind(node);
  if ((kind != NodeKind::subset && kind != NodeKind::multiway) || tree.unseen_to(node) >= 0) {
    empty_ = true;
    return;
  }
  const auto levels = tree.map_levels(node);
  keep_levels({levels.begin(), levels.end()}, true);
}

bool Region::nothing_known() const {
  if (empty_) return true;
  // An unseen category passes a negated list that names every level; ordinal columns know none.
  if (is_set_) return negated_ ? is_ordinal() && levels_.size() == n_levels() : levels_.empty();
  const double low = above_.value_or(-kInfinity);
  if (above_ && (low == kInfinity || (at_most_ && low >= *at_most_))) return true;
  if (!is_ordinal()) return false;
  return low >= static_cast<double>(n_levels()) - 1.0 || (at_most_ && *at_most_ < 0.0);
}

bool Region::everything_known() const {
  if (empty_) return false;
  if (is_set_) return negated_ ? levels_.empty() : is_ordinal() && levels_.size() == n_levels();
  const bool open_above = !at_most_ || *at_most_ == kInfinity ||
                          (is_ordinal() && *at_most_ >= static_cast<double>(n_levels()) - 1.0);
  return open_above && (!above_ || (is_ordinal() && *above_ < 0.0));
}

std::optional<RuleCondition> Region::condition() const {
  using Form = RuleCondition::Form;
  RuleCondition out;
  out.column = column_;
  out.terms = terms_;
  out.missing = missing_;
  if (nothing_known()) {
    out.form = Form::missing;
    return out;
  }
  if (everything_known()) {
    if (missing_ == 1.0) return std::nullopt;
    out.form = Form::known;
    return out;
  }
  if (is_set_) {
    out.form = negated_ ? Form::none_of : Form::one_of;
    out.levels = levels_;
    return out;
  }
  out.above = above_;
  out.at_most = at_most_;
  const double last = is_ordinal() ? static_cast<double>(n_levels()) - 1.0 : kInfinity;
  if (out.at_most && *out.at_most >= last) out.at_most.reset();
  return out;
}

Region& region_of(Regions& regions, const Tree& tree, NodeId node, const Schema& features) {
  const bool is_sum = tree.kind(node) == NodeKind::oblique;
  const ColId column = is_sum ? -1 : tree.column(node);
  const auto terms = tree.terms(node);
  const std::vector<ObliqueTerm> sum(terms.begin(), terms.end());
  const auto found =
      std::ranges::find_if(regions, [&](const Region& region) { return region.is_on(column, sum); });
  if (found != regions.end()) return *found;
  const Field* field = is_sum ? nullptr : &features.fields[static_cast<std::size_t>(column)];
  return regions.emplace_back(column, sum, field);
}

std::optional<std::vector<RuleCondition>> conditions_of(const Regions& regions) {
  std::vector<RuleCondition> conditions;
  for (const Region& region : regions) {
    if (region.is_empty()) return std::nullopt;
    if (std::optional<RuleCondition> condition = region.condition())
      conditions.push_back(std::move(*condition));
  }
  return conditions;
}

}  // namespace bough

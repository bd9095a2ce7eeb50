// SPDX-License-Identifier: Apache-2.0
// The rules of growth, once more.
#include "oracle/limits.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace bough::oracle {
namespace {

bool holds(const std::vector<std::string>& group, const std::string& name) {
  return std::find(group.begin(), group.end(), name) != group.end();
}

}  // namespace

RowList used_rows(const Case& sample) {
  RowList rows;
  for (std::size_t row = 0; row < sample.n_rows(); ++row)
    if (sample.weight(row) > 0.0) rows.push_back(row);
  return rows;
}

Limits::Limits(const Case& sample) : sample_(&sample), total_(weight(sample, used_rows(sample))) {
  const std::int64_t n = std::ssize(used_rows(sample));
  min_leaf_ = static_cast<std::size_t>(sample.params.min_samples_leaf.resolve_up(n));
  min_split_ = static_cast<std::size_t>(sample.params.min_samples_split.resolve_up(n));
}

int Limits::sign(std::size_t column) const {
  const auto found = sample_->params.monotonic_cst.find(sample_->columns[column].name);
  return found == sample_->params.monotonic_cst.end() ? 0 : static_cast<int>(found->second);
}

bool Limits::may_test(const Visit& visit, std::size_t column) const {
  if (sample_->params.interaction_cst.empty()) return true;
  const std::string& name = sample_->columns[column].name;
  NameGroups groups = sample_->params.interaction_cst;
  for (const PlainColumn& other : sample_->columns)
    if (std::none_of(groups.begin(), groups.end(),
                     [&](const auto& group) { return holds(group, other.name); }))
      groups.push_back({other.name});
  return std::any_of(groups.begin(), groups.end(), [&](const auto& group) {
    return holds(group, name) && std::all_of(visit.used.begin(), visit.used.end(),
                                             [&](const std::string& used) { return holds(group, used); });
  });
}

bool Limits::allows(const Visit& visit, std::size_t column, const RowList& left, const RowList& right,
                    Real slack) const {
  if (std::min(left.size(), right.size()) < min_leaf_) return false;
  const Real lightest = std::min(weight(*sample_, left), weight(*sample_, right));
  const Real needed = static_cast<Real>(sample_->params.min_weight_fraction_leaf) * total_;
  if (needed > 0 && lightest < needed - slack * total_) return false;
  if (!side_allowed(*sample_, left) || !side_allowed(*sample_, right)) return false;
  if (sample_->params.monotonic_cst.empty()) return true;
  const Real a = middle(constrained_value(*sample_, left)), b = middle(constrained_value(*sample_, right));
  const Real room = slack * std::max<Real>({std::fabs(a), std::fabs(b), 1e-300L});
  if (sign(column) > 0 && a > b + room) return false;
  if (sign(column) < 0 && a < b - room) return false;
  const auto outside = [&](Real v) { return v < visit.bounds.low - room || v > visit.bounds.high + room; };
  return !outside(a) && !outside(b);
}

}  // namespace bough::oracle

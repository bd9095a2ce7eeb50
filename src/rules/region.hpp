// SPDX-License-Identifier: Apache-2.0
// What the tests on the way to a node leave over, column by column: the conditions of a rule, merged.
#pragma once

#include <vector>

#include "bough/rules.hpp"

namespace bough {

/// The cells of one column (or the values of one sum) that pass all tests so far.
class Region {
 public:
  Region(ColId column, std::vector<ObliqueTerm> terms, const Field* field)
      : column_(column), terms_(std::move(terms)), field_(field) {}

  [[nodiscard]] bool is_on(ColId column, const std::vector<ObliqueTerm>& terms) const {
    return column_ == column && terms_ == terms;
  }
  /// Narrows to the rows that go from `node` to its child number `child`.
  void narrow(const Tree& tree, NodeId node, std::int32_t child);
  /// Narrows to the cells that go no further than `node`: missing ones, and levels that it does not know where
  /// they count as missing there.
  void stop_at(const Tree& tree, NodeId node);
  /// True when no cell at all passes.
  [[nodiscard]] bool is_empty() const { return missing_ == 0.0 && nothing_known(); }
  /// Nothing when every cell passes.
  [[nodiscard]] std::optional<RuleCondition> condition() const;

 private:
  void keep_above(double bound);
  void keep_at_most(double bound);
  void keep_levels(std::vector<std::uint32_t> levels, bool negated);
  void bounds_to_levels();
  [[nodiscard]] bool nothing_known() const;
  [[nodiscard]] bool everything_known() const;
  [[nodiscard]] std::size_t n_levels() const { return field_ == nullptr ? 0 : field_->levels.size(); }
  [[nodiscard]] bool is_ordinal() const { return field_ != nullptr && field_->kind == Kind::ordinal; }

  ColId column_;
  std::vector<ObliqueTerm> terms_;
  const Field* field_;  // null for sums
  bool empty_ = false;  // no known cell passes
  std::optional<double> above_{};
  std::optional<double> at_most_{};
  bool is_set_ = false;
  bool negated_ = true;                  // levels_ are those that do not pass; unseen ones do
  std::vector<std::uint32_t> levels_{};  // is_set_ only
  double missing_ = 1.0;
};

/// The regions of the way to a node, in the order in which columns were first tested.
using Regions = std::vector<Region>;

/// The region of the column or sum that `node` tests, made when there is none yet.
Region& region_of(Regions& regions, const Tree& tree, NodeId node, const Schema& features);

/// The conditions of the regions, or nothing when no row can come here.
std::optional<std::vector<RuleCondition>> conditions_of(const Regions& regions);

}  // namespace bough

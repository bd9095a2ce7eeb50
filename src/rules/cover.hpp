// SPDX-License-Identifier: Apache-2.0
// Which rows of a block a rule covers: condition after condition, over the rows that are left.
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "predict/predict.hpp"
#include "rules/match.hpp"

namespace bough {

/// A row of a block and the share of it that a rule covers.
struct Cover {
  std::uint32_t row = 0;
  double share = 1.0;
};

class CoverFinder {
 public:
  explicit CoverFinder(const CellBlock& block) : block_(block) {}

  /// Those of `rows` of which the rule covers some part, in their order. Valid until the next call.
  std::span<const Cover> find(const Rule& rule, std::span<const std::uint32_t> rows) {
    covers_.clear();
    if (rule.conditions.empty()) {
      for (const std::uint32_t row : rows) covers_.push_back({row, 1.0});
      return covers_;
    }
    const auto row_at = [&](std::size_t i) { return Cover{rows[i], 1.0}; };
    covers_.resize(rows.size());
    narrow(rule.conditions.front(), row_at);
    for (std::size_t i = 1; i < rule.conditions.size() && !covers_.empty(); ++i)
      narrow(rule.conditions[i], [&](std::size_t at) { return covers_[at]; });
    return covers_;
  }

 private:
  // Of the rows from(0), from(1), ..., as many as there are covers, those that pass become the covers. They
  // move forward only, so that from() may read the covers themselves.
  template <class From>
  void narrow(const RuleCondition& condition, const From& from) {
    if (condition.terms.empty()) {
      const auto column = static_cast<std::size_t>(condition.column) * block_.count;
      keep(condition, from, [&](std::uint32_t row) { return block_.cells[column + row]; });
    } else {
      keep(condition, from, [&](std::uint32_t row) { return subject_of(condition, block_.row(row)); });
    }
  }

  // The form is looked at once, not once per row.
  template <class From, class Subject>
  void keep(const RuleCondition& condition, const From& from, const Subject& subject) {
    using Form = RuleCondition::Form;
    if (condition.form == Form::range) {
      // Nothing is at most NaN, so that an open side lets everything pass.
      const double above = condition.above.value_or(std::numeric_limits<double>::quiet_NaN());
      const double at_most = condition.at_most.value_or(std::numeric_limits<double>::infinity());
      return keep_if(condition.missing, from, subject,
                     [=](double value) { return !(value <= above) && value <= at_most; });
    }
    const bool is_set = condition.form == Form::one_of || condition.form == Form::none_of;
    if (!is_set || condition.levels.back() > kMostListed)
      return keep_if(condition.missing, from, subject,
                     [&](double value) { return passes_known(condition, value); });
    listed_.assign(condition.levels.back() + std::size_t{1}, 0);
    for (const std::uint32_t level : condition.levels) listed_[level] = 1;
    const auto last = static_cast<double>(condition.levels.back());
    const bool wanted = condition.form == Form::one_of;
    keep_if(condition.missing, from, subject, [&, last, wanted](double value) {
      const bool is_listed = value >= 0.0 && value <= last && listed_[static_cast<std::size_t>(value)] != 0;
      return is_listed == wanted;
    });
  }

  template <class From, class Subject, class Passes>
  void keep_if(double missing, const From& from, const Subject& subject, const Passes& passes) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < covers_.size(); ++i) {
      const Cover cover = from(i);
      const double value = subject(cover.row);
      if (!std::isnan(value)) {
        if (passes(value)) covers_[kept++] = cover;
      } else if (missing > 0.0) {
        covers_[kept++] = {cover.row, cover.share * missing};
      }
    }
    covers_.resize(kept);
  }

  static constexpr std::uint32_t kMostListed = 4096;  // longer tables cost more than they save

  const CellBlock& block_;
  std::vector<Cover> covers_;
  std::vector<char> listed_;  // of the condition at hand
};

}  // namespace bough

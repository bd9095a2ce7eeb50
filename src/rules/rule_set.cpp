// SPDX-License-Identifier: Apache-2.0
// A rule set as a checked value.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bough/rules.hpp"
#include "predict/answer.hpp"

namespace bough {
namespace {

using Form = RuleCondition::Form;

constexpr const char* kHint = "The parts of the rule set do not belong together; make it again.";

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::bad_model, what, kHint);
}

// A model of a single leaf vouches for names, levels and classes.
std::vector<std::uint32_t> checked_widths(const RuleSet::Parts& parts) {
  std::vector<std::uint32_t> widths;
  for (const Field& field : parts.targets.fields)
    widths.push_back(parts.task == Task::classification ? static_cast<std::uint32_t>(field.levels.size())
                                                        : 1);
  if (widths.empty()) refuse("a rule set without targets");
  if (std::ranges::find(widths, 0U) != widths.end()) refuse("a target of the rule set has no classes");
  Model::Parts model;
  model.task = parts.task;
  model.features = parts.features;
  model.targets = parts.targets;
  TreeBuilder leaf(parts.task, widths);
  static_cast<void>(leaf.root());
  model.trees.push_back(std::move(leaf).finish());
  static_cast<void>(Model(std::move(model)));
  return widths;
}

class Checker {
 public:
  Checker(const RuleSet::Parts& parts, std::span<const std::uint32_t> widths)
      : parts_(parts), widths_(widths) {
    for (const std::uint32_t width : widths) value_width_ += width;
  }

  void run() {
    check_values(parts_.fallback, "the default");
    if (parts_.n_rows < 0 || !is_weight(parts_.weight))
      refuse("the rule set was counted on fewer than no rows");
    if (parts_.task == Task::classification) check_values(parts_.base, "the base");
    if (parts_.task == Task::regression && !parts_.base.empty())
      refuse("a rule set of numbers with class weights");
    place_ = "date columns";
    if (parts_.dates) check_dates(*parts_.dates);
    check_dates(parts_.days);
    for (std::size_t i = 0; i < parts_.rules.size(); ++i) {
      place_ = fmt::format("rule {}", i + 1);
      check_rule(parts_.rules[i]);
    }
  }

 private:
  static bool is_weight(double value) { return std::isfinite(value) && value >= 0.0; }

  void check_dates(const std::vector<ColId>& columns) const {
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (checked_field(columns[i]).kind != Kind::numeric || (i > 0 && columns[i - 1] >= columns[i]))
        refuse("the date columns of the rule set do not increase or are not numeric");
  }

  void check_values(const std::vector<double>& values, const std::string& what) const {
    if (values.size() != value_width_)
      refuse(fmt::format("{} has {} values, not {}", what, values.size(), value_width_));
    for (const double value : values) {
      if (!(parts_.task == Task::classification ? is_weight(value) : std::isfinite(value)))
        refuse(fmt::format("{} has the value {}", what, value));
    }
  }

  void check_rule(const Rule& rule) const {
    check_values(rule.values, place_);
    if (rule.n_rows < 0 || !is_weight(rule.weight)) refuse(place_ + " covers fewer than no rows");
    const std::size_t n_right = parts_.task == Task::classification ? widths_.size() : 0;
    const bool counted = !rule.right.empty();
    if ((counted && rule.right.size() != n_right) || !std::ranges::all_of(rule.right, is_weight))
      refuse(place_ + " does not say rightly how often it is right");
    if (rule.spread && !(is_weight(*rule.spread) && parts_.task == Task::regression))
      refuse(place_ + " has an invalid spread");
    if (rule.estimated_error && !is_weight(*rule.estimated_error))
      refuse(place_ + " has an invalid error estimate");
    if (rule.node < -1) refuse(fmt::format("{} comes from node {}", place_, rule.node));
    for (const RuleCondition& condition : rule.conditions) check_condition(condition);
  }

  void check_condition(const RuleCondition& condition) const {
    if (!(condition.missing >= 0.0 && condition.missing <= 1.0))
      refuse(fmt::format("{}: a share of {} of the missing cells", place_, condition.missing));
    const Field* field = condition.column == -1 ? nullptr : &checked_field(condition.column);
    if ((field == nullptr) == condition.terms.empty())
      refuse(place_ + ": a condition is about one column or about a sum of columns");
    for (std::size_t i = 0; i < condition.terms.size(); ++i) {
      const ObliqueTerm& term = condition.terms[i];
      if (checked_field(term.column).kind == Kind::category) refuse(place_ + ": a sum over categories");
      if (!std::isfinite(term.weight)) refuse(place_ + ": a sum with a weight that is not finite");
      if (i > 0 && condition.terms[i - 1].column >= term.column)
        refuse(place_ + ": the columns of a sum do not increase");
    }
    check_form(condition, field);
  }

  [[nodiscard]] const Field& checked_field(ColId column) const {
    if (column < 0 || static_cast<std::size_t>(column) >= parts_.features.fields.size())
      refuse(fmt::format("{}: column {} of {}", place_, column, parts_.features.fields.size()));
    return parts_.features.fields[static_cast<std::size_t>(column)];
  }

  void check_form(const RuleCondition& condition, const Field* field) const {
    const bool sets = condition.form == Form::one_of || condition.form == Form::none_of;
    const bool range = condition.form == Form::range;
    if (condition.form > Form::missing) refuse(place_ + ": a condition of unknown form");
    if (range != (condition.above || condition.at_most)) refuse(place_ + ": bounds do not fit the form");
    for (const std::optional<double>& bound : {condition.above, condition.at_most})
      if (bound && std::isnan(*bound)) refuse(place_ + ": a bound that is not a number");
    if (range && field != nullptr && field->kind == Kind::category) refuse(place_ + ": bounds of a category");
    if (!sets && !condition.levels.empty()) refuse(place_ + ": levels do not fit the form");
    if (!sets) return;
    if (field == nullptr || field->kind == Kind::numeric || condition.levels.empty())
      refuse(place_ + ": levels do not fit the column");
    for (std::size_t i = 0; i < condition.levels.size(); ++i) {
      if (condition.levels[i] >= field->levels.size() ||
          (i > 0 && condition.levels[i - 1] >= condition.levels[i]))
        refuse(fmt::format("{}: the levels of '{}' do not increase or do not exist", place_, field->name));
    }
  }

  const RuleSet::Parts& parts_;
  std::span<const std::uint32_t> widths_;
  std::size_t value_width_ = 0;
  std::string place_;
};

std::size_t output_start(const RuleSet::Parts& parts, std::size_t output) {
  std::size_t start = 0;
  for (std::size_t i = 0; i < output; ++i)
    start += parts.task == Task::classification ? parts.targets.fields[i].levels.size() : 1;
  return start;
}

}  // namespace

RuleSet::RuleSet(Parts parts) {
  const std::vector<std::uint32_t> widths = checked_widths(parts);
  Checker(parts, widths).run();
  parts_ = std::make_shared<const Parts>(std::move(parts));
}

std::size_t RuleSet::n_conditions() const noexcept {
  std::size_t count = 0;
  for (const Rule& rule : parts_->rules)
    for (const RuleCondition& condition : rule.conditions)
      count += condition.above && condition.at_most ? 2 : 1;
  return count;
}

double RuleSet::answer(const Rule& rule, std::size_t output) const {
  const std::size_t start = output_start(*parts_, output);
  if (parts_->task == Task::regression) return rule.values[start];
  return static_cast<double>(
      largest(std::span(rule.values).subspan(start, parts_->targets.fields[output].levels.size())));
}

RuleScore RuleSet::score(const Rule& rule, std::size_t output) const {
  RuleScore score;
  if (parts_->weight > 0.0) score.coverage = rule.weight / parts_->weight;
  if (parts_->task == Task::regression) return score;
  if (output >= rule.right.size()) return score;  // nobody has counted
  if (parts_->weight > 0.0) score.support = rule.right[output] / parts_->weight;
  if (!(rule.weight > 0.0)) return score;
  score.confidence = rule.right[output] / rule.weight;
  const std::size_t start = output_start(*parts_, output);
  const auto base = std::span(parts_->base).subspan(start, parts_->targets.fields[output].levels.size());
  double total = 0.0;
  for (const double weight : base) total += weight;
  const double of_class = base[static_cast<std::size_t>(answer(rule, output))];
  if (of_class > 0.0) score.lift = *score.confidence / (of_class / total);
  return score;
}

}  // namespace bough

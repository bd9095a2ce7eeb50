// SPDX-License-Identifier: Apache-2.0
// What must hold for a row to go from a node to one of its children.
//
// A map of levels (subset, multiway) names only the levels that were there in training; the others go to the
// child unseen_to, which says "or other" while such levels exist. A child is described by the levels that go
// there; only where these are many and the rest are few, by the rest.
#include "explain/condition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "bough/explain.hpp"
#include "predict/route.hpp"

namespace bough {
namespace {

using Form = Condition::Form;

constexpr std::size_t kMostTerms = 8;
constexpr std::size_t kManyLevels = 5;

const Field& field_of(const Model& model, ColId column) {
  return model.features().fields[static_cast<std::size_t>(column)];
}

struct Asked {
  const Model& model;
  const Tree& tree;
  NodeId node;
  std::int32_t child;
  const ConditionStyle& style;

  [[nodiscard]] const Field& field() const { return field_of(model, tree.column(node)); }
  // Sums of columns are as exact as the weights that are shown.
  [[nodiscard]] std::string cut_text(double cut) const {
    if (tree.kind(node) == NodeKind::oblique) return shown_number(cut, style.digits);
    const Shown as = shown_as(model, tree.column(node));
    return style.cuts != nullptr ? shown_number(cut, style.cuts->at(node), as)
                                 : shown_cut(cut, style.digits, as);
  }
  [[nodiscard]] bool gets_missing() const { return route_missing(tree, node) == child; }
};

Condition of_threshold(const Asked& asked) {
  const double threshold = asked.tree.threshold(asked.node);
  const bool left = asked.child == 0;
  // +inf is "known against missing"; -inf is a cut like any other, below which only -inf itself lies.
  if (std::isinf(threshold) && threshold > 0.0) return {.form = left ? Form::known : Form::missing};
  return {.form = left ? Form::at_most : Form::more_than, .first = asked.cut_text(threshold)};
}

Condition of_order(const Asked& asked) {
  const auto level = static_cast<std::size_t>(asked.tree.threshold(asked.node));
  const std::vector<std::string>& names = asked.field().levels.names;
  const bool left = asked.child == 0;
  if (level >= names.size()) return {.form = left ? Form::known : Form::missing};
  return {.form = left ? Form::below : Form::from, .first = shown_name(names[level])};
}

Condition of_equality(const Asked& asked) {
  const auto level = static_cast<std::size_t>(asked.tree.threshold(asked.node));
  return {.form = asked.child == 0 ? Form::is : Form::is_not,
          .first = shown_name(asked.field().levels.names[level])};
}

Condition of_set(const Asked& asked) {
  const std::vector<std::string>& names = asked.field().levels.names;
  const auto levels = asked.tree.map_levels(asked.node);
  const auto children = asked.tree.map_children(asked.node);
  std::vector<std::uint32_t> in;
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < levels.size(); ++i)
    (children[i] == asked.child ? in : out).push_back(levels[i]);

  const bool complete = levels.size() == names.size();
  const bool gets_others = asked.tree.unseen_to(asked.node) == asked.child;
  const bool all_else = complete || gets_others;
  if (all_else && out.empty()) return {.form = asked.gets_missing() ? Form::any : Form::known};
  if (in.empty() && !gets_others) return {.form = Form::missing};
  if (all_else && (in.empty() || (in.size() > kManyLevels && 2 * out.size() <= in.size())))
    return {.form = out.size() == 1 ? Form::is_not : Form::none_of,
            .first = shown_list(names, out, asked.style.most_names)};
  const bool other = gets_others && !complete;
  return {.form = in.size() == 1 && !other ? Form::is : Form::one_of,
          .first = shown_list(names, in, asked.style.most_names) + (other ? " or other" : "")};
}

Condition of_interval(const Asked& asked) {
  const auto cuts = asked.tree.cuts(asked.node);
  const auto k = static_cast<std::size_t>(asked.child);
  const auto cut = [&](std::size_t i) { return asked.cut_text(cuts[i]); };
  if (k == 0) return {.form = Form::at_most, .first = cut(0)};
  if (k == cuts.size()) return {.form = Form::more_than, .first = cut(k - 1)};
  return {.form = Form::between, .first = cut(k - 1), .second = cut(k)};
}

Condition of_kind(const Asked& asked) {
  switch (asked.tree.kind(asked.node)) {
    case NodeKind::ordinal:
      return of_order(asked);
    case NodeKind::equality:
      return of_equality(asked);
    case NodeKind::subset:
    case NodeKind::multiway:
      return of_set(asked);
    case NodeKind::interval:
      return of_interval(asked);
    case NodeKind::numeric:
    case NodeKind::oblique:
    case NodeKind::leaf:
      break;
  }
  return of_threshold(asked);
}

std::string plain_words(const Condition& condition) {
  const std::string& subject = condition.subject;
  const std::string& first = condition.first;
  switch (condition.form) {
    case Form::at_most:
      return fmt::format("{} ≤ {}", subject, first);
    case Form::more_than:
      return fmt::format("{} > {}", subject, first);
    case Form::between:
      return fmt::format("{} < {} ≤ {}", first, subject, condition.second);
    case Form::below:
      return fmt::format("{} < {}", subject, first);
    case Form::from:
      return fmt::format("{} ≥ {}", subject, first);
    case Form::is:
    case Form::one_of:
      return fmt::format("{} = {}", subject, first);
    default:
      return fmt::format("{} is {}", subject, predicate_words(condition));
  }
}

}  // namespace

std::string formula_words(const Model& model, const Tree& tree, NodeId node, const ConditionStyle& style) {
  std::string words;
  const auto terms = tree.terms(node);
  for (const ObliqueTerm& term : terms.first(std::min(terms.size(), kMostTerms))) {
    const bool negative = term.weight < 0;
    words +=
        words.empty() ? std::string_view(negative ? "-" : "") : std::string_view(negative ? " - " : " + ");
    const double size = std::fabs(term.weight);
    if (size != 1.0) words += shown_number(size, style.digits) + " * ";
    words += shown_name(field_of(model, term.column).name);
  }
  if (terms.size() > kMostTerms) words += fmt::format(" + {} more terms", terms.size() - kMostTerms);
  return words;
}

Condition describe(const Model& model, const Tree& tree, NodeId node, std::int32_t child,
                   const ConditionStyle& style) {
  const bool exists = node >= 0 && node < tree.n_nodes() && child >= 0 &&
                      child < static_cast<std::int32_t>(tree.children(node).size());
  if (!exists)
    throw Error(ErrorCode::bad_params, fmt::format("there is no child {} of node {}", child, node),
                fmt::format("nodes are 0 to {}; leaves have no children", tree.n_nodes() - 1));
  const Asked asked{model, tree, node, child, style};
  Condition condition = of_kind(asked);
  condition.subject = tree.kind(node) == NodeKind::oblique ? formula_words(model, tree, node, style)
                                                           : shown_name(asked.field().name);
  condition.takes_missing = style.missing && condition.form != Form::missing && asked.gets_missing();
  return condition;
}

std::string condition_words(const Condition& condition) {
  if (!condition.takes_missing) return plain_words(condition);
  // "is not a, or missing" could be read as "is neither": what is excluded comes last.
  if (condition.form == Form::is_not || condition.form == Form::none_of)
    return fmt::format("{} is missing or {}", condition.subject, predicate_words(condition));
  return plain_words(condition) + ", or missing";
}

std::string predicate_words(const Condition& condition) {
  const std::string& first = condition.first;
  switch (condition.form) {
    case Form::at_most:
      return "at most " + first;
    case Form::more_than:
      return "more than " + first;
    case Form::between:
      return fmt::format("more than {} and at most {}", first, condition.second);
    case Form::below:
      return "below " + first;
    case Form::from:
      return first + " or above";
    case Form::is:
      return first;
    case Form::is_not:
      return "not " + first;
    case Form::one_of:
      return "one of " + first;
    case Form::none_of:
      return "none of " + first;
    case Form::known:
      return "known";
    case Form::missing:
      return "missing";
    case Form::any:
      break;
  }
  return "any value";
}

std::string condition_text(const Model& model, const Tree& tree, NodeId node, std::int32_t child,
                           int digits) {
  return condition_words(describe(model, tree, node, child, {.digits = digits}));
}

std::string tree_of_words(const Model& model, std::size_t tree) {
  return fmt::format("tree {} of {}", tree + 1, model.trees().size());
}

std::string split_words(const Model& model, const Split& split, std::int32_t child, std::int32_t n_children) {
  TreeBuilder builder(Task::regression, {1});
  builder.split(builder.root(), split, n_children);
  for (TreeBuilder::Handle node = 0; node <= n_children; ++node)
    builder.set_stats(node, {0, 0.0, 0.0, {0.0}});
  return condition_text(model, std::move(builder).finish(), 0, child);
}

}  // namespace bough

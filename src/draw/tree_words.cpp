// SPDX-License-Identifier: Apache-2.0
// What is written into the boxes and at the edges of a drawn tree.
#include "draw/tree_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "draw/svg.hpp"
#include "explain/condition.hpp"
#include "predict/route.hpp"

namespace bough {
namespace {

using Form = Condition::Form;

constexpr std::size_t kTooltipNames = 60;

bool is_yes_no(const Tree& tree, NodeId node) {
  return tree.kind(node) != NodeKind::multiway && tree.kind(node) != NodeKind::interval;
}

// The predicate on a subject, with signs.
std::string signs(const Condition& condition) {
  const std::string& first = condition.first;
  switch (condition.form) {
    case Form::at_most:
      return fmt::format("≤ {}", first);
    case Form::more_than:
      return fmt::format("> {}", first);
    case Form::below:
      return fmt::format("< {}", first);
    case Form::from:
      return fmt::format("≥ {}", first);
    case Form::is:
      return fmt::format("= {}", first);
    case Form::is_not:
      return fmt::format("≠ {}", first);
    case Form::one_of:
      return fmt::format("in {}", first);
    case Form::none_of:
      return fmt::format("not in {}", first);
    case Form::between:
    case Form::known:
    case Form::missing:
    case Form::any:
      break;
  }
  return fmt::format("is {}", predicate_words(condition));
}

// At an edge the subject is known from the box above.
std::string edge_text(const Condition& condition) {
  switch (condition.form) {
    case Form::between:
      return fmt::format("{} to {}", condition.first, condition.second);
    case Form::is:
    case Form::one_of:
      return condition.first;
    case Form::known:
    case Form::missing:
    case Form::any:
      return predicate_words(condition);
    default:
      return signs(condition);
  }
}

}  // namespace

std::string sign_words(const Condition& condition) {
  if (condition.form == Form::between)
    return fmt::format("{} < {} ≤ {}", condition.first, condition.subject, condition.second);
  return fmt::format("{} {}", condition.subject, signs(condition));
}

std::string grouped(std::int64_t count) {
  std::string digits = std::to_string(count);
  const std::size_t first = count < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string counted(std::int64_t count, std::string_view noun) {
  std::string words(noun);
  if (count != 1) {
    if (words.ends_with("f")) words.back() = 'v';  // leaves
    words += words.ends_with("ch") || words.ends_with("x") || words.ends_with("v") ? "es" : "s";
  }
  return fmt::format("{} {}", grouped(count), words);
}

TreeWriter::TreeWriter(const Model& model, const Tree& tree, const TreePictureOptions& options)
    : model_(model), tree_(tree), options_(options), digits_(tree, options.picture.precision) {
  missing_ = options.missing ? *options.missing : met_missing_cells();
}

// Without missing cells in training they follow the heavier child, and no test asks for them.
bool TreeWriter::met_missing_cells() const {
  for (NodeId node = 0; node < tree_.n_nodes(); ++node) {
    const std::int32_t to = tree_.missing_to(node);
    if (tree_.is_leaf(node) || to < 0) continue;
    if (std::isinf(tree_.threshold(node)) && tree_.threshold(node) > 0.0) return true;
    const auto children = tree_.children(node);
    const auto weight = [&](std::size_t i) { return tree_.weight(children[i]); };
    for (std::size_t i = 0; i < children.size(); ++i)
      if (weight(i) > weight(static_cast<std::size_t>(to))) return true;
  }
  return false;
}

std::string TreeWriter::question(NodeId node, std::size_t most_names) const {
  const ConditionStyle style{
      .digits = options_.picture.precision, .most_names = most_names, .cuts = &digits_};
  const Condition condition = describe(model_, tree_, node, 0, style);
  return is_yes_no(tree_, node) ? sign_words(condition) : condition.subject;
}

EdgeWords TreeWriter::edge(NodeId node, std::int32_t child) const {
  EdgeWords words;
  const std::int32_t to = tree_.missing_to(node);
  words.missing = missing_ && to >= 0 && to == child;
  if (is_yes_no(tree_, node)) {
    words.yes_no = child == 0 ? "yes" : "no";
    return words;
  }
  const ConditionStyle style{
      .digits = options_.picture.precision, .most_names = options_.most_names, .cuts = &digits_};
  words.yes_no = edge_text(describe(model_, tree_, node, child, style));
  return words;
}

// Where missing cells go when that is no single child.
std::string TreeWriter::missing_words(NodeId node) const {
  switch (tree_.missing_to(node)) {
    case missing_by_share:
      return "missing: shared out";
    case missing_stops:
      return "missing: stops here";
    case missing_surrogate:
    case missing_surrogate_or_stops:
      break;
    default:
      return {};
  }
  std::string words;
  for (const Alternative& test : tree_.alternatives(node)) {
    if (test.role != AlternativeRole::surrogate) continue;
    words = shown_name(model_.features().fields[static_cast<std::size_t>(test.column)].name) + ", ";
    break;
  }
  const bool stops = tree_.missing_to(node) == missing_surrogate_or_stops;
  return fmt::format("missing: {}{}", words, stops ? "else stops here" : "else the larger side");
}

// On one line when it is not too long for a box.
std::vector<BoxLine> TreeWriter::rows_and_impurity(NodeId node) const {
  constexpr double kLongest = 18.0;  // in units of the font's size
  std::string rows = rows_words(model_, tree_, node);
  if (tree_.n_rows(node) >= 1000 && rows.find(" of ") == std::string::npos)
    rows = counted(tree_.n_rows(node), "row");
  if (!options_.impurity) return {{rows}};
  const std::string impurity =
      fmt::format("{} {}", impurity_name(model_.parts().criterion), short_number(tree_.impurity(node)));
  const std::string both = fmt::format("{} · {}", rows, impurity);
  if (text_width(both, 1.0) <= kLongest) return {{both}};
  return {{rows}, {impurity}};
}

std::string TreeWriter::tooltip(const ViewBox& box, std::span<const Outcome> all) const {
  std::string text = fmt::format("node {}", box.node);
  if (box.what != ViewBox::What::leaf) text += fmt::format("\n{}", question(box.node, kTooltipNames));
  if (const std::string missing = box.what == ViewBox::What::leaf ? "" : missing_words(box.node);
      !missing.empty())
    text += fmt::format("\n{}", missing);
  text += fmt::format("\n{}", outcomes_words(all, 0));
  text += fmt::format("\n{}, weight {}\n{} {}", rows_words(model_, tree_, box.node),
                      shown_number(tree_.weight(box.node), 6), impurity_name(model_.parts().criterion),
                      shown_number(tree_.impurity(box.node), 6));
  for (const Outcome& outcome : all)
    if (!outcome.shares.empty())
      text += fmt::format("\n{}{}", is_by_weight(model_, tree_, box.node) ? "by weight: " : "",
                          shares_words(outcome, 8));
  return text;
}

BoxWords TreeWriter::rest(const ViewBox& box) const {
  BoxWords words;
  words.lines.push_back({counted(box.branches, "more branch"), true});
  words.lines.push_back({counted(box.hidden, "node"), false});
  words.tooltip = fmt::format("{} of node {} with {}", counted(box.branches, "more branch"), box.node,
                              counted(box.hidden, "node"));
  return words;
}

BoxWords TreeWriter::box(const ViewBox& box) const {
  if (box.what == ViewBox::What::rest) return rest(box);
  BoxWords words;
  words.outcomes = outcomes(model_, tree_, box.node);
  if (options_.node_ids) words.lines.push_back({fmt::format("#{}", box.node), false});
  if (box.what == ViewBox::What::inner) {
    words.lines.push_back({question(box.node, options_.most_names), true});
    if (missing_)
      if (const std::string missing = missing_words(box.node); !missing.empty())
        words.lines.push_back({missing, false});
  }
  const std::string answer = outcomes_words(words.outcomes, options_.picture.precision);
  words.lines.push_back({answer, box.what == ViewBox::What::leaf});
  for (BoxLine& line : rows_and_impurity(box.node)) words.lines.push_back(std::move(line));
  if (box.what == ViewBox::What::folded)
    words.lines.push_back(
        {fmt::format("+ {}, {}", counted(box.hidden, "node"), counted(box.levels, "level")), true});
  words.tooltip = tooltip(box, words.outcomes);
  return words;
}

}  // namespace bough

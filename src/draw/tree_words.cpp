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

// At an edge the subject is known from the box above.
std::string edge_text(const Condition& condition) {
  switch (condition.form) {
    case Form::between:
      return fmt::format("{} to {}", condition.first, condition.second);
    case Form::at_most:
      return fmt::format("≤ {}", condition.first);
    case Form::more_than:
      return fmt::format("> {}", condition.first);
    case Form::below:
      return fmt::format("< {}", condition.first);
    case Form::from:
      return fmt::format("≥ {}", condition.first);
    case Form::is:
    case Form::one_of:
      return condition.first;
    default:
      return predicate_words(condition);
  }
}

}  // namespace

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
  const bool tooltip = most_names == kTooltipNames;
  const ConditionStyle style{
      .digits = options_.picture.precision, .most_names = most_names, .cuts = tooltip ? nullptr : &digits_};
  Condition condition = describe(model_, tree_, node, 0, style);
  // A long name is cut in the box, so that the test stays; the tooltip has all of it.
  if (!tooltip && tree_.kind(node) != NodeKind::oblique)
    condition.subject = fit_text(condition.subject, 12.0, 330.0);
  return is_yes_no(tree_, node) ? condition_words(condition) : condition.subject;
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
      return "missing: split among branches";
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
  const std::string rows = rows_words(model_, tree_, node);
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

BoxLine TreeWriter::folded_line(const ViewBox& box) {
  return {fmt::format("+ {}, {}", shown_count(box.hidden, "node"), shown_count(box.levels, "level")), true};
}

BoxWords TreeWriter::rest(const ViewBox& box) const {
  BoxWords words;
  words.lines.push_back({shown_count(box.branches, "more branch"), true});
  words.lines.push_back({shown_count(box.hidden, "node"), false});
  words.tooltip = fmt::format("{} of node {} with {}", shown_count(box.branches, "more branch"), box.node,
                              shown_count(box.hidden, "node"));
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
  const int digits = options_.picture.precision;
  if (const auto effect = effect_lines(model_, tree_, box.node, digits); !effect.empty()) {
    for (const std::string& line : effect)
      words.lines.push_back({line, box.what == ViewBox::What::leaf && &line == &effect.front()});
    if (box.what == ViewBox::What::folded) words.lines.push_back(folded_line(box));
    words.tooltip = tooltip(box, words.outcomes);
    return words;
  }
  const std::string answer = words.outcomes.size() == 1 ? words.outcomes.front().told(digits)
                                                        : outcomes_words(words.outcomes, digits);
  words.lines.push_back({answer, box.what == ViewBox::What::leaf});
  for (BoxLine& line : rows_and_impurity(box.node)) words.lines.push_back(std::move(line));
  if (box.what == ViewBox::What::folded) words.lines.push_back(folded_line(box));
  words.tooltip = tooltip(box, words.outcomes);
  return words;
}

}  // namespace bough

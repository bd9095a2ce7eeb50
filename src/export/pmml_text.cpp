// SPDX-License-Identifier: Apache-2.0
// Pieces of PMML: escaped text, and predicates of two values.
#include "export/pmml_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/markup.hpp"
#include "data/utf8.hpp"
#include "explain/words.hpp"
#include "export/binary_ir.hpp"
#include "export/code_text.hpp"
#include "predict/route.hpp"

namespace bough {
namespace {

std::string combined(const char* op, const std::vector<std::string>& parts) {
  if (parts.size() == 1) return parts.front();
  return fmt::format("<CompoundPredicate booleanOperator=\"{}\">{}</CompoundPredicate>", op,
                     fmt::join(parts, ""));
}

std::string all(const std::vector<std::string>& parts) {
  return parts.empty() ? "<True/>" : combined("and", parts);
}

std::string any(const std::vector<std::string>& parts) {
  return parts.empty() ? "<False/>" : combined("or", parts);
}

std::string present(std::string_view field) {
  return fmt::format("<SimplePredicate field=\"{}\" operator=\"isNotMissing\"/>", xml_attribute(field));
}

std::string absent(std::string_view field) {
  return fmt::format("<SimplePredicate field=\"{}\" operator=\"isMissing\"/>", xml_attribute(field));
}

// Items of an array are told apart by blanks and quotes: others than these are written one by one.
bool fits_array(std::string_view text) {
  return !text.empty() && text.find_first_of("\"\\\n\r\t") == std::string_view::npos;
}

constexpr const char* kLowest = "-1.7976931348623157E308";

}  // namespace

std::string xml_attribute(std::string_view text) {
  const bool legal = is_utf8(text) && std::ranges::none_of(text, [](char c) {
                       return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t';
                     });
  if (!legal)
    throw Error(ErrorCode::not_supported,
                fmt::format("the name {} cannot appear in an XML file", shown_name(text)),
                "rename it: no control characters, and UTF-8");
  std::string out;
  for (const char c : text) {
    const std::string_view entity = markup_entity(c);
    if (!entity.empty())
      out += entity;
    else if (c == '\n' || c == '\r' || c == '\t')
      out += fmt::format("&#{};", static_cast<int>(c));
    else
      out += c;
  }
  return out;
}

std::string PmmlPredicates::sum_name(std::size_t tree, NodeId node) {
  return fmt::format("sum of node {} of tree {}", node, tree);
}

std::string PmmlPredicates::simple(std::string_view field, const char* op, const std::string& value) const {
  return fmt::format("<SimplePredicate field=\"{}\" operator=\"{}\" value=\"{}\"/>", xml_attribute(field), op,
                     xml_attribute(value));
}

std::string PmmlPredicates::level_text(ColId column, std::uint32_t level) const {
  const Levels& levels = model_.features().fields[static_cast<std::size_t>(column)].levels;
  if (levels.type == Levels::Type::integer || levels.type == Levels::Type::real) {
    if (std::isfinite(levels.numbers[level])) return double_literal(levels.numbers[level]);
    throw Error(ErrorCode::not_supported,
                fmt::format("the column {} has an infinite category, which PMML has no form for",
                            shown_name(name(column))),
                "Make the column numeric, or export another format.");
  }
  return levels.names[level];
}

std::string PmmlPredicates::one_of(ColId column, std::span<const std::uint32_t> levels, bool in) const {
  const Levels& known = model_.features().fields[static_cast<std::size_t>(column)].levels;
  std::vector<std::string> texts;
  for (const std::uint32_t level : levels) texts.push_back(level_text(column, level));
  if (texts.empty()) return in ? "<False/>" : present(name(column));
  const bool words = known.type == Levels::Type::text || known.type == Levels::Type::boolean;
  if (texts.size() == 1 || (words && !std::ranges::all_of(texts, fits_array))) {
    std::vector<std::string> parts;
    for (const std::string& text : texts)
      parts.push_back(simple(name(column), in ? "equal" : "notEqual", text));
    return in ? any(parts) : all(parts);
  }
  for (std::string& text : texts)
    text = words ? fmt::format("&quot;{}&quot;", xml_attribute(text)) : xml_attribute(text);
  return fmt::format(
      "<SimpleSetPredicate field=\"{}\" booleanOperator=\"{}\"><Array n=\"{}\" type=\"{}\">{}</Array>"
      "</SimpleSetPredicate>",
      xml_attribute(name(column)), in ? "isIn" : "isNotIn", texts.size(), words ? "string" : "real",
      fmt::join(texts, " "));
}

std::vector<std::uint32_t> PmmlPredicates::all_levels(ColId column) const {
  std::vector<std::uint32_t> levels(model_.features().fields[static_cast<std::size_t>(column)].levels.size());
  std::iota(levels.begin(), levels.end(), 0U);
  return levels;
}

std::string PmmlPredicates::number_test(std::string_view field, double threshold, bool holds) const {
  if (std::isinf(threshold) && threshold > 0.0) return holds ? present(field) : "<False/>";
  if (std::isinf(threshold)) return simple(field, holds ? "lessThan" : "greaterOrEqual", kLowest);
  // Readers may order -0 before 0; written as 0 both are at most the threshold.
  return simple(field, holds ? "lessOrEqual" : "greaterThan",
                double_literal(threshold == 0.0 ? 0.0 : threshold));
}

// Where a level goes that the map names, and with it those that it does not name.
std::string PmmlPredicates::mapped(const Tree& tree, NodeId node, std::int32_t child) const {
  const auto levels = tree.map_levels(node);
  const auto children = tree.map_children(node);
  const bool takes_others = tree.unseen_to(node) == child;
  std::vector<std::uint32_t> chosen;
  for (std::size_t i = 0; i < levels.size(); ++i)
    if ((children[i] == child) != takes_others) chosen.push_back(levels[i]);
  return one_of(tree.column(node), chosen, !takes_others);
}

// What a known cell must hold for a child.
std::string PmmlPredicates::known(const Tree& tree, std::size_t number, NodeId node,
                                  std::int32_t child) const {
  const bool holds = child == 0;
  const ColId column = tree.column(node);
  switch (tree.kind(node)) {
    case NodeKind::numeric:
      return number_test(name(column), tree.threshold(node), holds);
    case NodeKind::oblique:
      return number_test(sum_name(number, node), tree.threshold(node), holds);
    case NodeKind::ordinal: {
      const std::vector<std::uint32_t> levels = all_levels(column);
      const auto cut = static_cast<std::size_t>(tree.threshold(node));
      const auto part = holds ? std::span(levels).first(cut) : std::span(levels).subspan(cut);
      return one_of(column, part, true);
    }
    case NodeKind::equality:
      return simple(name(column), holds ? "equal" : "notEqual",
                    level_text(column, static_cast<std::uint32_t>(tree.threshold(node))));
    case NodeKind::subset:
    case NodeKind::multiway:
      return mapped(tree, node, child);
    case NodeKind::interval: {
      const auto cuts = tree.cuts(node);
      const auto i = static_cast<std::size_t>(child);
      std::vector<std::string> sides;
      if (i > 0) sides.push_back(number_test(name(column), cuts[i - 1], false));
      if (i < cuts.size()) sides.push_back(number_test(name(column), cuts[i], true));
      return all(sides);
    }
    case NodeKind::leaf:
      break;
  }
  return "<False/>";
}

// When a node's own test does not decide.
std::string PmmlPredicates::undecided(const Tree& tree, std::string_view field, NodeId node) const {
  const NodeKind kind = tree.kind(node);
  std::vector<std::uint32_t> levels;
  if (kind == NodeKind::ordinal) {
    levels = all_levels(tree.column(node));
  } else if ((kind == NodeKind::subset || kind == NodeKind::multiway) && tree.unseen_to(node) < 0) {
    levels.assign(tree.map_levels(node).begin(), tree.map_levels(node).end());
  } else {
    return absent(field);
  }
  return any({absent(field), one_of(tree.column(node), levels, false)});
}

std::string PmmlPredicates::undecided(const Alternative& test) const {
  const std::string& field = name(test.column);
  if (test.kind == NodeKind::numeric) return absent(field);
  const std::vector<std::uint32_t> levels =
      test.kind == NodeKind::subset ? test.map_levels : all_levels(test.column);
  return any({absent(field), one_of(test.column, levels, false)});
}

// When a surrogate sends a row to a child.
std::string PmmlPredicates::surrogate(const Alternative& test, std::int32_t child) const {
  const std::string& field = name(test.column);
  const bool holds = (child == 0) != test.turned;
  std::vector<std::uint32_t> levels;
  switch (test.kind) {
    case NodeKind::numeric:
      return all({present(field), number_test(field, test.threshold, holds)});
    case NodeKind::subset:
      for (std::size_t i = 0; i < test.map_levels.size(); ++i)
        if (test.map_children[i] == child) levels.push_back(test.map_levels[i]);
      break;
    default:
      for (const std::uint32_t level : all_levels(test.column)) {
        const bool met = test.kind == NodeKind::ordinal ? level < test.threshold : level == test.threshold;
        if (met == holds) levels.push_back(level);
      }
  }
  return all({present(field), one_of(test.column, levels, true)});
}

PmmlPredicates::Children PmmlPredicates::of(const Tree& tree, std::size_t number, NodeId node) const {
  std::int32_t fallback = route_missing(tree, node);
  if (fallback == missing_by_share && divided_[number])
    throw Error(
        ErrorCode::not_supported,
        fmt::format("node {} of tree {} divides rows with a missing cell by share, which PMML cannot", node,
                    number),
        "export as SQL, C or Python; or fill the missing cells and train again (--algorithm cart learns a "
        "side for them)");
  if (fallback == missing_by_share) fallback = largest_child(tree, node);
  const auto n = static_cast<std::int32_t>(tree.children(node).size());
  const std::string field =
      tree.kind(node) == NodeKind::oblique ? sum_name(number, node) : name(tree.column(node));
  const std::string lost = undecided(tree, field, node);
  const bool asks = tree.missing_to(node) < missing_by_share && has_surrogates(tree, node) &&
                    tree.missing_to(node) != missing_stops;
  // "Known or not" is no comparison, so a missing cell does not make it UNKNOWN.
  const bool compares = tree.kind(node) != NodeKind::numeric || !std::isinf(tree.threshold(node));
  Children out;
  if (fallback >= 0 && !asks && compares && lost == absent(field)) {
    out.default_child = fallback;
    for (std::int32_t child = 0; child < n; ++child)
      out.predicates.push_back(known(tree, number, node, child));
    return out;
  }
  for (std::int32_t child = 0; child < n; ++child) {
    std::vector<std::string> ways{all({present(field), known(tree, number, node, child)})};
    std::vector<std::string> before{lost};
    for (const Alternative& test : tree.alternatives(node)) {
      if (!asks || test.role != AlternativeRole::surrogate) continue;
      std::vector<std::string> way = before;
      way.push_back(surrogate(test, child));
      ways.push_back(all(way));
      before.push_back(undecided(test));
    }
    if (fallback == child) ways.push_back(all(before));
    out.predicates.push_back(any(ways));
  }
  return out;
}

}  // namespace bough

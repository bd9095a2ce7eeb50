// SPDX-License-Identifier: Apache-2.0
// A tree as a Graphviz picture.
//
// Names come from strangers' data: shown_name takes control signs away, and dot_text guards what Graphviz
// would read as markup (quotes, backslashes, entities).
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/markup.hpp"
#include "base/text.hpp"
#include "draw/palette.hpp"
#include "explain/condition.hpp"
#include "explain/outcome.hpp"
#include "export/formats.hpp"

namespace bough {
namespace {

// Inside of quotes, or of an HTML label: there quotes and backslashes are plain signs.
std::string dot_text(std::string_view text, bool html = false) {
  std::string out;
  for (const char c : text) {
    const std::string_view entity = markup_entity(c);
    if (!html && (c == '"' || c == '\\'))
      out += {'\\', c};
    else if (!entity.empty() && c != '\'')
      out += entity;
    else
      out += c;
  }
  return out;
}

class DotWriter {
 public:
  DotWriter(const Model& model, const ExportOptions& options)
      : model_(model),
        options_(options),
        tree_(chosen_tree(model, options)),
        digits_(tree_, options.precision),
        style_{.digits = options.precision, .missing = options.missing, .cuts = &digits_},
        depths_(tree_.depths()),
        below_(descendants(tree_)) {
    if (tree_.task() == Task::regression) std::tie(lowest_, highest_) = value_range(tree_);
  }

  std::string write() {
    std::string font = options_.fontname;
    std::erase_if(font, [](unsigned char c) { return c < 0x20; });
    font = dot_text(font);
    text_ = fmt::format(
        "digraph tree {{\n"
        "  node [shape=box, style=\"{}filled\", fillcolor=\"#ffffff\", fontname=\"{}\"];\n"
        "  edge [fontname=\"{}\"];\n",
        rounded(), font, font);
    if (model_.trees().size() > 1)
      text_ += fmt::format("  label=\"{}\"; labelloc=t; fontname=\"{}\";\n",
                           tree_of_words(model_, options_.tree), font);
    if (options_.rotate) text_ += "  rankdir=LR;\n";
    if (options_.leaves_parallel) text_ += "  graph [ranksep=equally, splines=polyline];\n";
    std::string ends;
    for (NodeId node = 0; node < tree_.n_nodes(); ++node) {
      if (is_hidden(node)) continue;
      write_node(node);
      if (is_cut(node) || tree_.is_leaf(node))
        ends += fmt::format(" {};", node);
      else
        write_edges(node);
    }
    if (options_.leaves_parallel) text_ += fmt::format("  {{rank=same;{}}}\n", ends);
    text_ += "}\n";
    return std::move(text_);
  }

 private:
  [[nodiscard]] std::string_view rounded() const { return options_.rounded ? "rounded," : ""; }
  [[nodiscard]] bool html() const { return options_.special_characters; }
  [[nodiscard]] std::int32_t depth(NodeId node) const { return depths_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] bool is_hidden(NodeId node) const {
    return options_.max_depth >= 0 && depth(node) > options_.max_depth;
  }
  [[nodiscard]] bool is_cut(NodeId node) const {
    return !tree_.is_leaf(node) && options_.max_depth >= 0 && depth(node) >= options_.max_depth;
  }
  [[nodiscard]] bool is_yes_no(NodeId node) const {
    return tree_.kind(node) != NodeKind::multiway && tree_.kind(node) != NodeKind::interval;
  }
  // Whether the numbers of a node have words beside them.
  [[nodiscard]] bool is_named(NodeId node) const {
    return options_.label == "all" || (options_.label == "root" && node == 0);
  }

  [[nodiscard]] std::string question(NodeId node) const {
    Condition condition = describe(model_, tree_, node, 0, style_);
    condition.takes_missing = false;  // said at the edges
    return is_yes_no(node) ? condition_words(condition) : condition.subject;
  }

  [[nodiscard]] std::string rows(NodeId node) const {
    if (options_.proportion) {
      const double all = std::max(tree_.weight(0), std::numeric_limits<double>::min());
      const std::string share = shown_share(std::clamp(tree_.weight(node) / all, 0.0, 1.0));
      return is_named(node)
                 ? fmt::format("{} of {}", share, is_by_weight(model_, tree_, node) ? "all weight" : "rows")
                 : share;
    }
    return is_named(node) ? rows_words(model_, tree_, node) : std::to_string(tree_.n_rows(node));
  }

  // Without names the shares stand in the order of the classes.
  [[nodiscard]] std::string shares(NodeId node, const Outcome& outcome) const {
    if (is_named(node))
      return (is_by_weight(model_, tree_, node) ? "by weight: " : "") + shares_words(outcome);
    std::vector<std::string> words;
    for (const double share : outcome.shares) words.push_back(shown_number(share, 3));
    return fmt::format("[{}]", list_some(words, 12));
  }

  [[nodiscard]] std::vector<std::string> lines(NodeId node, const std::vector<Outcome>& all) const {
    std::vector<std::string> out;
    if (options_.node_ids)
      out.push_back(is_named(node) ? fmt::format("node {}", node) : fmt::format("#{}", node));
    if (!tree_.is_leaf(node) && !is_cut(node)) out.push_back(question(node));
    out.push_back(outcomes_words(all, options_.precision));
    out.push_back(rows(node));
    if (all.size() == 1 && !all.front().shares.empty()) out.push_back(shares(node, all.front()));
    if (options_.impurity) {
      const std::string impurity = shown_number(tree_.impurity(node), options_.precision);
      out.push_back(is_named(node) ? fmt::format("{} {}", impurity_name(model_.parts().criterion), impurity)
                                   : impurity);
    }
    if (is_cut(node))
      out.push_back(
          fmt::format("... ({})", shown_count(below_[static_cast<std::size_t>(node)], "more node")));
    return out;
  }

  [[nodiscard]] std::string label(std::vector<std::string> words) const {
    for (std::string& line : words) line = dot_text(line, html());
    return html() ? fmt::format("<{}>", join(words, "<br/>")) : fmt::format("\"{}\"", join(words, "\\n"));
  }

  void write_node(NodeId node) {
    const std::vector<Outcome> all = outcomes(model_, tree_, node);
    text_ += fmt::format("  {} [label={}", node, label(lines(node, all)));
    if (options_.filled) text_ += fmt::format(", fillcolor=\"{}\"", fill(all.front()));
    if (is_cut(node)) text_ += fmt::format(", style=\"{}filled,dashed\"", rounded());
    text_ += "];\n";
  }

  void write_edges(NodeId node) {
    const auto children = tree_.children(node);
    for (std::size_t i = 0; i < children.size(); ++i) {
      const Condition condition = describe(model_, tree_, node, static_cast<std::int32_t>(i), style_);
      std::string words = is_yes_no(node) ? (i == 0 ? "yes" : "no") : condition_words(condition);
      if (condition.takes_missing && (is_yes_no(node) || html())) words += ", or missing";
      text_ += fmt::format("  {} -> {} [label={}];\n", node, children[i], label({words}));
    }
  }

  // The purer the class or the higher the value, the stronger the colour.
  [[nodiscard]] std::string fill(const Outcome& outcome) const {
    if (outcome.shares.empty()) return value_fill(outcome.value, lowest_, highest_);
    const auto best = static_cast<std::size_t>(outcome.value);
    return class_fill(best, outcome.shares[best], outcome.shares.size());
  }

  const Model& model_;
  const ExportOptions& options_;
  const Tree& tree_;
  CutDigits digits_;
  ConditionStyle style_;
  std::vector<std::int32_t> depths_;
  std::vector<NodeId> below_;
  double lowest_ = std::numeric_limits<double>::infinity();
  double highest_ = -std::numeric_limits<double>::infinity();
  std::string text_;
};

}  // namespace

std::string write_dot(const Model& model, const ExportOptions& options) {
  static_cast<void>(chosen_tree(model, options));
  return DotWriter(renamed(model, options), options).write();
}

}  // namespace bough

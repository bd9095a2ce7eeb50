// SPDX-License-Identifier: Apache-2.0
// A tree as a Graphviz picture.
//
// Names come from strangers' data: shown_name takes control signs away, and dot_text guards what Graphviz
// would read as markup (quotes, backslashes, entities).
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.hpp"
#include "draw/palette.hpp"
#include "explain/condition.hpp"
#include "explain/outcome.hpp"
#include "export/formats.hpp"

namespace bough {
namespace {

std::string dot_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

class DotWriter {
 public:
  DotWriter(const Model& model, const ExportOptions& options)
      : model_(model),
        options_(options),
        tree_(chosen_tree(model, options)),
        style_{.digits = options.precision, .missing = options.missing},
        depths_(tree_.depths()),
        below_(descendants(tree_)) {
    if (tree_.task() == Task::regression) find_value_range();
  }

  std::string write() {
    text_ =
        "digraph tree {\n"
        "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#ffffff\", fontname=\"Helvetica\"];\n"
        "  edge [fontname=\"Helvetica\"];\n";
    for (NodeId node = 0; node < tree_.n_nodes(); ++node) {
      if (is_hidden(node)) continue;
      write_node(node);
      if (!is_cut(node)) write_edges(node);
    }
    text_ += "}\n";
    return std::move(text_);
  }

 private:
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

  void find_value_range() {
    std::vector<double> values(tree_.value_width());
    for (NodeId node = 0; node < tree_.n_nodes(); ++node) {
      tree_.values(node, values);
      lowest_ = std::min(lowest_, values.front());
      highest_ = std::max(highest_, values.front());
    }
  }

  [[nodiscard]] std::string question(NodeId node) const {
    Condition condition = describe(model_, tree_, node, 0, style_);
    condition.takes_missing = false;  // said at the edges
    return is_yes_no(node) ? condition_words(condition) : condition.subject;
  }

  void write_node(NodeId node) {
    const std::vector<Outcome> all = outcomes(model_, tree_, node);
    std::vector<std::string> lines;
    if (!tree_.is_leaf(node) && !is_cut(node)) lines.push_back(question(node));
    lines.push_back(outcomes_words(all, options_.precision));
    lines.push_back(rows_words(tree_, node));
    if (all.size() == 1 && !all.front().shares.empty()) lines.push_back(shares_words(all.front()));
    lines.push_back(
        fmt::format("{} {}", impurity_name(), shown_number(tree_.impurity(node), options_.precision)));
    if (is_cut(node))
      lines.push_back(
          fmt::format("... ({})", shown_count(below_[static_cast<std::size_t>(node)], "more node")));
    for (std::string& line : lines) line = dot_text(line);
    text_ += fmt::format("  {} [label=\"{}\"", node, join(lines, "\\n"));
    if (options_.filled) text_ += fmt::format(", fillcolor=\"{}\"", fill(all.front()));
    if (is_cut(node)) text_ += ", style=\"rounded,filled,dashed\"";
    text_ += "];\n";
  }

  void write_edges(NodeId node) {
    const auto children = tree_.children(node);
    for (std::size_t i = 0; i < children.size(); ++i) {
      std::string label = is_yes_no(node) ? (i == 0 ? "yes" : "no") : edge_words(node, i);
      const Condition condition = describe(model_, tree_, node, static_cast<std::int32_t>(i), style_);
      if (is_yes_no(node) && condition.takes_missing) label += " or missing";
      text_ += fmt::format("  {} -> {} [label=\"{}\"];\n", node, children[i], dot_text(label));
    }
  }

  [[nodiscard]] std::string edge_words(NodeId node, std::size_t child) const {
    return condition_words(describe(model_, tree_, node, static_cast<std::int32_t>(child), style_));
  }

  [[nodiscard]] std::string impurity_name() const {
    const std::string& criterion = model_.parts().criterion;
    if (criterion == "gain_ratio") return "entropy";  // a ratio judges splits; nodes have an entropy
    return criterion.empty() ? "impurity" : shown_name(criterion);
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
  ConditionStyle style_;
  std::vector<std::int32_t> depths_;
  std::vector<NodeId> below_;
  double lowest_ = std::numeric_limits<double>::infinity();
  double highest_ = -std::numeric_limits<double>::infinity();
  std::string text_;
};

}  // namespace

std::string write_dot(const Model& model, const ExportOptions& options) {
  return DotWriter(model, options).write();
}

}  // namespace bough

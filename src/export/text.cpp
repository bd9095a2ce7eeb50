// SPDX-License-Identifier: Apache-2.0
// A tree as indented text: one line per node, with the condition that leads to it and what it predicts.
//
//   setosa 33.3%, versicolor 33.3%, virginica 33.3% · 150 rows
//   ├─ petal length ≤ 2.45 → setosa 100% · 50 rows
//   └─ petal length > 2.45
//      ├─ petal width ≤ 1.75 → versicolor 90.7%, virginica 9.3% · 54 rows
//      └─ petal width > 1.75 → virginica 97.8%, versicolor 2.2% · 46 rows
//
// Only the last kMostIndent levels are drawn as indentation; deeper lines begin with their depth. A chain of
// n nodes then takes n lines of bounded length instead of n^2 bytes.
#include "base/text.hpp"

#include <fmt/format.h>

#include "explain/condition.hpp"
#include "explain/outcome.hpp"
#include "export/formats.hpp"

namespace bough {
namespace {

constexpr std::size_t kMostIndent = 40;

struct Open {
  NodeId node = 0;
  NodeId parent = -1;
  std::int32_t child = 0;  // number among the parent's children
  bool is_last = false;
  std::size_t depth = 0;
};

class TextWriter {
 public:
  TextWriter(const Model& model, const ExportOptions& options)
      : model_(model),
        options_(options),
        tree_(chosen_tree(model, options)),
        style_{.digits = options.precision, .missing = options.missing},
        below_(descendants(tree_)) {}

  std::string write() {
    if (model_.trees().size() > 1) text_ = tree_of_words(model_, options_.tree) + ":\n";
    std::vector<Open> open{{}};
    while (!open.empty()) {
      const Open next = open.back();
      open.pop_back();
      ended_.resize(next.depth);
      if (next.depth > 0) ended_.back() = next.is_last;
      line(next);
      if (is_cut(next)) continue;
      const auto children = tree_.children(next.node);
      for (std::size_t i = children.size(); i-- > 0;)
        open.push_back(
            {children[i], next.node, static_cast<std::int32_t>(i), i + 1 == children.size(), next.depth + 1});
    }
    return std::move(text_);
  }

 private:
  [[nodiscard]] bool is_cut(const Open& at) const {
    return !tree_.is_leaf(at.node) && options_.max_depth >= 0 &&
           at.depth >= static_cast<std::size_t>(options_.max_depth);
  }

  void line(const Open& at) {
    const bool is_root = at.parent < 0;
    const bool cut = is_cut(at);
    if (!is_root) {
      indent(at.depth);
      text_ += condition_words(describe(model_, tree_, at.parent, at.child, style_));
    }
    const std::vector<Outcome> all = outcomes(model_, tree_, at.node);
    if (tree_.is_leaf(at.node) || cut) {
      text_ += fmt::format("{}→ {}", is_root ? "" : " ",
                           leaf_words(model_, tree_, at.node, all, options_.precision));
    } else if (is_root) {
      text_ += all.size() == 1 && !all.front().shares.empty()
                   ? leaf_words(model_, tree_, at.node, all, options_.precision)
                   : rows_words(model_, tree_, at.node);
    }
    if (cut)
      text_ += fmt::format(" ... ({})", shown_count(below_[static_cast<std::size_t>(at.node)], "more node"));
    text_ += '\n';
  }

  void indent(std::size_t depth) {
    std::size_t first = 0;
    if (depth > kMostIndent) {
      first = depth - kMostIndent;
      text_ += fmt::format("[depth {}] ", depth);
    }
    for (std::size_t i = first; i + 1 < depth; ++i) text_ += ended_[i] ? "   " : "│  ";
    text_ += ended_[depth - 1] ? "└─ " : "├─ ";
  }

  const Model& model_;
  const ExportOptions& options_;
  const Tree& tree_;
  ConditionStyle style_;
  std::vector<NodeId> below_;
  std::vector<bool> ended_;  // per level of the current line: that ancestor was the last child
  std::string text_;
};

}  // namespace

std::string write_text(const Model& model, const ExportOptions& options) {
  return TextWriter(model, options).write();
}

std::string to_text(const Model& model, int max_depth) {
  return write_text(model, {.max_depth = max_depth});
}

}  // namespace bough
